/** The small plots of figure `race`: one function in its colour among the others in grey. */
import { fixed } from "../../components/numbers.js";
import { bandOf } from "./numbers.js";

/**
 * @typedef {import("./numbers.js").Curve} Curve
 * @typedef {"validationAccuracy" | "offForSet"} Quantity
 */

const HEIGHT = 104;
const MARGINS = { left: 32, right: 6, top: 8, bottom: 32 };

/**
 * The least round bound that leaves room for all values.
 * @param {number[]} bounds
 * @param {(bound: number) => boolean} fits
 */
const firstOf = (bounds, fits) => bounds.find(fits) ?? bounds[bounds.length - 1];

/** @param {Curve} curve @param {Quantity} quantity @returns {ReturnType<typeof bandOf>[]} */
const bandsOf = (curve, quantity) => Array.from({ length: curve.last + 1 }, (_, epoch) => bandOf(curve, quantity, epoch));

/**
 * From and to of the vertical axis, the same for all functions. Before the first step accuracy is what chance gives, which
 * need not be seen.
 * @param {Curve[]} curves
 * @param {Quantity} quantity
 * @returns {[number, number]}
 */
export function boundsOf(curves, quantity) {
  const bands = curves.flatMap((curve) => bandsOf(curve, quantity).slice(quantity === "validationAccuracy" ? 1 : 0));
  if (quantity === "offForSet") return [0, firstOf([1 / 8, 1 / 4, 1 / 2, 1], (top) => bands.every(({ high }) => high <= top))];
  return [firstOf([0.9, 0.8, 0.5, 0], (low) => bands.every(({ middle }) => middle > low)), 1];
}

/**
 * @param {Curve[]} curves
 * @param {number} index of the one in its colour
 * @param {Quantity} quantity
 * @param {{ limit: number, width: number, units: number }} look units: in all blocks
 * @returns {{ scene: import("../../scene.js").Scene, width: number, height: number }}
 */
export function smallScene(curves, index, quantity, { limit, width, units }) {
  const [min, max] = boundsOf(curves, quantity);
  const own = curves[index];
  const bands = bandsOf(own, quantity);
  const scale = quantity === "validationAccuracy" ? 100 : units;
  const tick = (/** @type {number} */ value) => ({ value, text: fixed(value * scale, 0) });
  const line = (/** @type {ReturnType<typeof bandsOf>} */ some) => Float64Array.from(some, ({ middle }) => middle);
  const last = bands.length - 1;
  return {
    ...{ width, height: HEIGHT },
    scene: {
      x: { min: 0, max: limit, ticks: [0, limit].map((value) => ({ value, text: fixed(value, 0) })) },
      y: { min, max, ticks: [min, (min + max) / 2, max].map(tick) },
      curves: last < 1 ? [] : [{ fn: own.fn, name: "", x: Float64Array.from(bands, (_, epoch) => epoch), y: line(bands) }],
      marks: last < 0 ? [] : [{ fn: own.fn, x: last, y: bands[last].middle, solid: true }],
      lines: [],
      claims: [],
      own(painter, frame) {
        const inside = (/** @type {number} */ value) => Math.min(frame.bottom, Math.max(frame.top, frame.y(value)));
        const along = (/** @type {ReturnType<typeof bandsOf>} */ some, /** @type {"low" | "middle" | "high"} */ key) =>
          some.map((band, epoch) => [frame.x(epoch), inside(band[key])]);
        for (const [i, other] of curves.entries()) {
          if (i !== index && other.last > 0) painter.line(along(bandsOf(other, quantity), "middle"), "other");
        }
        if (last > 0 && own.seeds.length > 1) {
          painter.area([...along(bands, "high"), ...along(bands, "low").reverse()], "band", own.fn);
        }
      },
      margins: MARGINS,
      labels: "gutter",
    },
  };
}
