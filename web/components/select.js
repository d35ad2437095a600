/** A choice among more than four: a native select, its options in the language of the page. */
import { bilingualText } from "../i18n/labels.js";
import { bilingual, h } from "./dom.js";

/**
 * @param {{
 *   key: string, label: import("../i18n/labels.js").Label | { zh: string, en: string }, options: { value: string, text: { zh: string, en: string } }[],
 *   more?: (value: string) => Record<string, unknown>,
 * }} spec more: what else a choice sets
 * @param {Pick<import("./figure.js").Dependencies, "store" | "gestureEnded">} deps
 */
export function createSelect({ key, label, options, more }, { store, gestureEnded }) {
  const id = `select-${key.replace(".", "-")}`;
  const elements = options.map(({ value }) => h("option", { value }));
  const select = h("select", { class: "sel", id, name: key, onchange: pick }, elements);

  function pick() {
    store.set({ [key]: select.value, ...more?.(select.value) });
    gestureEnded();
  }

  return {
    element: h(
      "div",
      { class: "ctl", "data-control": key },
      h("label", { class: "k", for: id }, bilingual(typeof label === "string" ? bilingualText(label) : label)),
      select,
    ),

    /** @param {"zh" | "en"} language an option holds text alone, so it cannot hold both */
    update(language) {
      options.forEach(({ text }, i) => {
        elements[i].textContent = text[language];
      });
      select.value = store.state[key];
    },
  };
}
