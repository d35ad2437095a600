/** What a plot's cursor moves along: a native range over the drawn axis, its keys, and a drag on the plot itself. */
import { h } from "./dom.js";
import { pixelOf } from "./gestures.js";
import { keyTarget } from "./keys.js";

const KNOB = 24;

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import("./axis.js").CursorAxis} axis
 * @param {{
 *   range: () => [number, number], frame: () => import("../scene.js").Frame | null, x: () => number,
 *   set: (x: number) => void, gestureEnded: () => void,
 * }} plot x: where the cursor is
 */
export function createXControl(canvas, axis, plot) {
  const input = h("input", {
    class: "xaxis",
    type: "range",
    name: axis.inputName,
    step: "any",
    oninput: () => move(Number(input.value)),
    onchange: plot.gestureEnded,
    onkeyup: plot.gestureEnded,
    onkeydown,
  });

  /**
   * What the hand sets falls on whole steps.
   * @param {number} x
   */
  function move(x) {
    plot.set(Number(x.toFixed(axis.decimals(plot.range()))));
  }

  /** @param {KeyboardEvent} event */
  function onkeydown(event) {
    const [min, max] = plot.range();
    const next = keyTarget(event, plot.x(), { min, max, step: axis.step([min, max]) });
    if (next === null) return;
    event.preventDefault();
    move(next);
  }

  /** @param {PointerEvent} event */
  function follow(event) {
    const frame = plot.frame();
    if (frame === null) return;
    const [from, to] = plot.range();
    const share = (pixelOf(event, canvas) - frame.left) / (frame.right - frame.left);
    move(from + Math.min(1, Math.max(0, share)) * (to - from));
  }

  return {
    input,
    follow,

    /** The plot has been pressed: from here on the keys move x. */
    focus() {
      input.focus({ preventScroll: true });
    },

    /**
     * @param {string} label
     * @param {number} x
     * @param {string} reading
     */
    show(label, x, reading) {
      const range = plot.range();
      input.min = String(range[0]);
      input.max = String(range[1]);
      input.value = String(x);
      input.classList.toggle("is-outside", x < range[0] || x > range[1]);
      input.setAttribute("aria-label", label);
      input.setAttribute("aria-valuetext", reading);
    },

    /**
     * Over the drawn axis, the knob centred on the values at its ends. In shares of the plot: one out of sight is not drawn
     * anew when it becomes narrower, and must not stand out of the page meanwhile.
     * @param {import("../scene.js").Frame} frame
     * @param {number} width of the plot
     */
    place(frame, width) {
      input.style.left = `${(100 * (frame.left - KNOB / 2)) / width}%`;
      input.style.width = `${(100 * (frame.right - frame.left + KNOB)) / width}%`;
      input.style.top = `${frame.bottom}px`;
    },
  };
}
