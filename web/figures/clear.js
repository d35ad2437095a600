/** Places for words inside a plot, where no curve runs through them. */
import { markWords } from "../scene.js";

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */
/** @typedef {import("../scene.js").Curve} Curve */
/** @typedef {import("../scene.js").Frame} Frame */

/** Pixels from one place that is tried to the next, around words, and above the axis, where the knob is. */
const STEP = 6;
const AIR = 3;
const KNOB = 16;

/**
 * Which rows of pixels curves and boxes take between two columns.
 * @param {readonly Curve[]} curves
 * @param {Frame} frame
 * @param {number} left
 * @param {number} right
 * @param {readonly Box[]} taken
 */
function rowsTaken(curves, frame, left, right, taken) {
  const rows = new Uint8Array(Math.max(0, Math.floor(frame.bottom - KNOB - frame.top)));
  const row = (/** @type {number} */ y) => Math.max(0, Math.round(y - frame.top));
  const take = (/** @type {number} */ top, /** @type {number} */ bottom) => rows.fill(1, row(top - AIR), row(bottom + AIR));
  for (const box of taken) {
    if (box.left < right && box.right > left) take(box.top, box.bottom);
  }
  for (const curve of curves) {
    let before = Number.NaN;
    for (let i = 0; i < curve.x.length; i++) {
      const x = frame.x(curve.x[i]);
      const y = x < left || x > right ? Number.NaN : frame.y(curve.y[i]);
      if (!Number.isNaN(y)) take(Math.min(y, before || y), Math.max(y, before || y));
      before = y;
    }
  }
  return rows;
}

/**
 * Of the places where words lie on nothing the one nearest to where they are wanted; that itself where there is none.
 * @param {readonly Curve[]} curves
 * @param {Frame} frame
 * @param {{ left: number, top: number, width: number, height: number }} wanted
 * @param {readonly Box[]} taken by other words
 * @returns {Box}
 */
export function clearPlace(curves, frame, { width, height, ...wanted }, taken) {
  let best = wanted;
  let least = Number.POSITIVE_INFINITY;
  for (let left = frame.right - width; left >= frame.left + AIR; left -= STEP) {
    const rows = rowsTaken(curves, frame, left - AIR, left + width + AIR, taken);
    let free = 0;
    for (let row = 0; row < rows.length; row++) {
      free = rows[row] === 1 ? 0 : free + 1;
      const top = frame.top + row + 1 - height;
      const distance = Math.hypot(left - wanted.left, top - wanted.top);
      if (free < height || distance >= least) continue;
      least = distance;
      best = { left, top };
    }
  }
  return { ...best, right: best.left + width, bottom: best.top + height };
}

const NAME = { height: 18, baseline: 5 };

/**
 * What the words of marks and the bounds that are claimed take up.
 * @param {Pick<import("../scene.js").Scene, "marks" | "claims">} drawn
 * @returns {(painter: import("../scene.js").Painter, frame: Frame) => Box[]}
 */
export const takenBy =
  ({ marks, claims }) =>
  (painter, frame) => {
    const words = marks.flatMap((mark) => markWords(painter, mark, frame) ?? []);
    return [
      ...words.map(({ x, y, anchor, wide }) => {
        const left = x - { start: 0, middle: wide / 2, end: wide }[anchor];
        return { left, right: left + wide, top: y + NAME.baseline - NAME.height, bottom: y + NAME.baseline };
      }),
      ...claims.map(({ from, to, y }) => ({ left: frame.x(from), right: frame.x(to), top: frame.y(y), bottom: frame.y(y) })),
    ];
  };

/**
 * Names near the right ends of curves, for a plot that has no gutter.
 * @param {readonly Curve[]} curves
 * @param {(painter: import("../scene.js").Painter, frame: Frame) => Box[]} taken by other words
 * @returns {NonNullable<import("../scene.js").Scene["names"]>}
 */
export function clearNames(curves, taken = () => []) {
  /** @type {Box[] | null} */
  let places = null;
  return (painter, frame) => {
    places ??= placesOf(painter, frame);
    places.forEach(({ left, bottom }, i) => {
      painter.text(left, bottom - NAME.baseline, curves[i].name, "lbl-fn", "start", curves[i].fn);
    });
  };

  /**
   * @param {import("../scene.js").Painter} painter
   * @param {Frame} frame
   */
  function placesOf(painter, frame) {
    const boxes = [...taken(painter, frame)];
    return curves.map((curve) => {
      const width = painter.width(curve.name, "lbl-fn");
      const end = frame.y(curve.y.findLast((y) => !Number.isNaN(y)) ?? 0);
      const inside = Math.min(frame.bottom - KNOB, Math.max(frame.top, end));
      const wanted = { left: frame.right - width, top: inside - NAME.height - AIR, width, height: NAME.height };
      const box = clearPlace(curves, frame, wanted, boxes);
      boxes.push(box);
      return box;
    });
  }
}
