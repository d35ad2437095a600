/** A slider that asks before it sets, linear or by decades. */
import { bilingualText } from "../i18n/labels.js";
import { bilingual } from "./dom.js";
import { decimalsOf, fixed } from "./numbers.js";
import { createSlider } from "./slider.js";

/**
 * @param {{
 *   key: string, label: import("../i18n/labels.js").Label, step: number, isLogarithmic?: boolean, set: (value: number) => void,
 * }} spec step: of the value, or of its decade's hundredths
 * @param {import("../state.js").Store} store
 */
export function createRange({ key, label, step, isLogarithmic = false, set }, store) {
  const { min, max } = /** @type {import("../state.js").NumberParameter} */ (store.table.get(key));
  const placeOf = (/** @type {number} */ value) => (isLogarithmic ? Math.log10(value) : value);
  const { element, show } = createSlider({
    key,
    label: bilingual(bilingualText(label)),
    ends: { min: placeOf(min), max: placeOf(max), step },
    place: () => placeOf(store.state[key]),
    move(at) {
      const value = isLogarithmic ? 10 ** at : Math.round(at / step) * step;
      set(Number(value.toPrecision(isLogarithmic ? 2 : 12)));
    },
  });
  return {
    element,
    update() {
      const value = store.state[key];
      show(value, fixed(value, decimalsOf(Number(value.toPrecision(4)))));
    },
  };
}
