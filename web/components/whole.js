/** A slider of whole numbers whose upper end may move, and which may show words in place of its number. */
import { bilingual } from "./dom.js";
import { createSlider } from "./slider.js";

/**
 * @param {{ key: string, label: { zh: string, en: string }, most?: () => number }} spec most: less than the table allows
 * @param {Pick<import("./figure.js").Dependencies, "store" | "gestureEnded" | "language">} deps
 */
export function createWhole({ key, label, most }, { store, gestureEnded, language }) {
  const { min, max } = /** @type {import("../state.js").NumberParameter} */ (store.table.get(key));
  const highest = () => Math.min(max, most?.() ?? max);
  const place = () => Math.min(highest(), Math.floor(store.state[key]));
  const { element, input, limit, show } = createSlider({
    key,
    label: bilingual(label),
    ends: { min, max, step: 1 },
    place,
    move: (value) => store.set({ [key]: Math.round(value) }),
  });
  input.addEventListener("change", gestureEnded);
  return {
    element,

    /** @param {{ zh: string, en: string }} [text] in place of the number */
    update(text) {
      limit(highest());
      const value = place();
      if (text === undefined) show(value, String(value));
      else show(value, text[language()].replaceAll("*", ""), bilingual(text));
    },
  };
}
