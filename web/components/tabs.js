/** Tabs: of several panels one shows, chosen by radios that look like words. Without a script all of them stand in a row. */
import { h } from "./dom.js";

let nextName = 0;

/**
 * @param {{ legend: Node, panels: { label: Node, element: HTMLElement }[] }} spec
 * @returns {HTMLElement} the row of words, to be put where it belongs
 */
export function createTabs({ legend, panels }) {
  const name = `tabs-${nextName++}`;
  const pick = (/** @type {number} */ chosen) => {
    panels.forEach(({ element }, i) => {
      element.hidden = i !== chosen;
    });
  };
  pick(0);
  return h(
    "fieldset",
    { class: "tabs" },
    h("legend", { class: "vh" }, legend),
    panels.map(({ label }, i) =>
      h("label", null, h("input", { type: "radio", name, checked: i === 0, onchange: () => pick(i) }), h("span", null, label)),
    ),
  );
}
