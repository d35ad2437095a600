/** The row of words under a figure. On a phone the less used ones stand behind "more". */
import { bilingualText } from "../i18n/labels.js";
import { announce } from "./announce.js";
import { bilingual, h } from "./dom.js";

/**
 * @typedef {import("../i18n/labels.js").Label} Label
 * @typedef {{ label: Label, act: (button: HTMLButtonElement) => void, gap?: boolean, extra?: boolean, toggles?: boolean }} Tool
 *   gap: begins a group; extra: behind "more" on a phone; toggles: a button that is pressed or not
 */

/** @param {Tool[]} tools */
export function createToolbar(tools) {
  const more = h("button", { class: "tool", type: "button", "aria-expanded": "false" }, bilingual(bilingualText("more")));
  more.addEventListener("click", () => more.setAttribute("aria-expanded", String(more.getAttribute("aria-expanded") !== "true")));
  return h("ul", { class: "tools" }, tools.map(createItem), tools.some((tool) => tool.extra) && h("li", { class: "more" }, more));
}

/** @param {Tool} tool */
function createItem({ label, act, gap, extra, toggles }) {
  const button = h(
    "button",
    { class: "tool", type: "button", "data-tool": label, "aria-pressed": toggles ? "false" : null },
    bilingual(bilingualText(label)),
  );
  button.addEventListener("click", () => {
    if (toggles) button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
    act(button);
  });
  return h("li", { class: [gap && "gap", extra && "extra"].filter(Boolean).join(" ") || null }, button);
}

const SHOWN_FOR = 2000;

/** @type {WeakMap<HTMLButtonElement, { words: ChildNode[], timer: number }>} buttons that say something else for a moment */
const confirming = new WeakMap();

/**
 * Says on the button itself how it went.
 * @param {HTMLButtonElement} button
 * @param {Label} label
 */
export function confirmOn(button, label) {
  const { words, timer } = confirming.get(button) ?? { words: [...button.childNodes], timer: 0 };
  clearTimeout(timer);
  button.replaceChildren(bilingual(bilingualText(label)));
  const back = () => {
    confirming.delete(button);
    button.replaceChildren(...words);
  };
  confirming.set(button, { words, timer: window.setTimeout(back, SHOWN_FOR) });
}

/**
 * What a press begins and may fail, since a script has to come for it: then the button and the status line say so, and it
 * can be pressed again.
 * @param {HTMLElement} root of the figure
 * @param {(button: HTMLButtonElement) => Promise<unknown>} act
 */
export const taking = (root, act) => (/** @type {HTMLButtonElement} */ button) => {
  act(button).catch((error) => {
    confirmOn(button, "failed");
    announce(root, String(error.message), true);
  });
};
