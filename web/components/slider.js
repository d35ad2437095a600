/** What every slider of the page consists of: label, value, a native range. What a place on it means is its owner's. */
import { h } from "./dom.js";
import { keyTarget } from "./keys.js";

let nextId = 0;

/**
 * Steps are the owner's: a native one would move a default such as 1.702 to itself before anyone has touched it.
 * @param {{
 *   key: string, label: Parameters<typeof h>[2], ends: { min: number, max: number, step: number }, place: () => number,
 *   move: (place: number) => void,
 * }} spec place: where it is now, between the ends; move: the hand wants it there
 */
export function createSlider({ key, label, ends, place, move }) {
  const id = `slider-${nextId++}`;
  const { min, step } = ends;
  let { max } = ends;
  const output = h("output", { "data-readout": key, "aria-live": "off", for: id });
  const input = h("input", {
    ...{ class: "rng", type: "range", id, name: key, min, max, step: "any" },
    oninput: () => move(Number(input.value)),
    onkeydown(/** @type {KeyboardEvent} */ event) {
      const next = keyTarget(event, place(), { min, max, step });
      if (next === null) return;
      event.preventDefault();
      move(next);
    },
  });
  return {
    element: h("div", { class: "ctl", "data-control": key }, h("label", { class: "k", for: id }, label), output, input),
    input,

    /** @param {number} end another upper one */
    limit(end) {
      max = end;
      input.max = String(end);
      input.disabled = end === min;
    },

    /**
     * @param {number} value in full
     * @param {string} text
     * @param {Node} [shown] in place of the text, for who sees it
     */
    show(value, text, shown) {
      const at = place();
      input.value = String(at);
      input.style.setProperty("--v", `${max === min ? 0 : ((at - min) / (max - min)) * 100}%`);
      output.replaceChildren(shown ?? text);
      output.dataset.value = String(value);
      input.setAttribute("aria-valuetext", text);
    },
  };
}
