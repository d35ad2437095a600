/** Axes and margins that the figures share. */
import { decimalsOf, fixed, powerOfTen, scientific } from "../components/numbers.js";
import { niceTicks } from "../scene.js";

/**
 * The visible range: the page's where it has one, else the figure's own.
 * @param {import("../state.js").State} state
 * @param {[number, number]} own
 * @returns {[number, number]}
 */
export function visibleRange(state, own) {
  const from = state.from ?? own[0];
  const to = state.to ?? own[1];
  if (from >= to) return own;
  const missing = MINIMUM_SPAN - (to - from);
  return missing > 0 ? [from - missing / 2, to + missing / 2] : [from, to];
}

/** Below this the points that float64 can tell apart would show as steps. */
const MINIMUM_SPAN = 1e-6;

/**
 * @param {number} from
 * @param {number} to
 * @param {number} width pixels
 * @returns {import("../scene.js").Axis}
 */
export function xAxis(from, to, width) {
  const few = niceTicks(from, to, Math.min(10, width / 64));
  // Long labels, of a narrow range, need more room than short ones.
  const longest = Math.max(1, ...labelled(few.values, few.step).map(({ text }) => text.length));
  const { step, values } = niceTicks(from, to, Math.min(10, width / Math.max(64, longest * DIGIT + 20)));
  return { min: from, max: to, ticks: labelled(values, step), label: "*x*" };
}

/** About the width of a digit at the size of ticks. */
const DIGIT = 7.6;

/**
 * The scene with room on its left for its longest tick label.
 * @param {import("../scene.js").Scene} scene
 * @returns {import("../scene.js").Scene}
 */
export function fitted(scene) {
  const longest = Math.max(0, ...scene.y.ticks.map(({ text }) => text.length));
  const left = scene.y.labelsAtZero ? scene.margins.left : Math.max(scene.margins.left, longest * DIGIT + 14);
  return { ...scene, margins: { ...scene.margins, left } };
}

/**
 * @param {number} min
 * @param {number} max
 * @param {number} height pixels
 * @param {number} [spacing] pixels between two ticks, about
 * @returns {import("../scene.js").Axis}
 */
export function linearAxis(min, max, height, spacing = 64) {
  const { step, values } = niceTicks(min, max, height / spacing);
  return { min, max, ticks: labelled(values, step) };
}

/** Below this a tick is written as a power of ten. */
const SMALL = 1e-4;

/**
 * @param {number[]} values
 * @param {number} step
 */
function labelled(values, step) {
  const decimals = decimalsOf(step);
  const largest = Math.max(...values.map(Math.abs));
  // In the tail only powers of ten tell one value from the next.
  const digits = largest > 0 && largest < SMALL ? 1 + Math.ceil(Math.log10(largest / step) - 1e-9) : 0;
  const write = (/** @type {number} */ value) => (digits > 0 ? scientific(value, digits) : fixed(value, decimals));
  return values.map((value) => ({ value, text: value === 0 ? "0" : write(value) }));
}

/**
 * Decades from 10^low to 10^high; the scene holds exponents.
 * @param {number} low
 * @param {number} high
 * @param {number} height pixels
 * @returns {import("../scene.js").Axis}
 */
export function decadeAxis(low, high, height) {
  const every = Math.max(1, Math.ceil((high - low) / (height / 30)));
  const ticks = [];
  for (let exponent = Math.ceil(low); exponent <= high; exponent++) {
    if ((exponent - high) % every === 0) ticks.push({ value: exponent, text: powerOfTen(exponent) });
  }
  return { min: low, max: high, ticks };
}

/** A plot narrower than this has its names inside. */
const NARROW = 560;

/** Room on the right for the names of curves. */
const GUTTER = 112;

/**
 * @param {number} width
 * @param {{ compact?: boolean, gutter?: boolean }} [options] compact: ticks and names inside the plot; gutter: too many names for
 *   that, however narrow it is
 * @returns {{ margins: import("../scene.js").Margins, labels: "inside" | "gutter" }}
 */
export function layout(width, { compact = false, gutter = false } = {}) {
  const narrow = width < NARROW;
  const inside = (narrow && !gutter) || compact;
  return {
    margins: {
      left: compact ? 0 : narrow ? 36 : 48,
      right: inside ? 1 : GUTTER,
      // Room for the cursor's flag.
      top: 28,
      bottom: 44,
    },
    labels: inside ? "inside" : "gutter",
  };
}

/** Below this part of a value float64 shows its own steps; a flat curve gets an axis around it. */
const FINEST = 1e-9;

/**
 * Least and largest finite value of curves, with a part of their distance added below and above.
 * @param {{ y: Float64Array }[]} curves
 * @param {number} below
 * @param {number} [above]
 * @returns {[number, number]}
 */
export function extent(curves, below, above = below) {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { y } of curves) {
    for (const value of y) {
      if (value < low && value > Number.NEGATIVE_INFINITY) low = value;
      if (value > high && value < Number.POSITIVE_INFINITY) high = value;
    }
  }
  if (!(low <= high)) return [0, 1];
  const distance = Math.max(high - low, FINEST * Math.max(Math.abs(low), Math.abs(high))) || 1;
  return [low - distance * below, high + distance * above];
}

/**
 * @param {"x" | "y"} axis
 * @returns {import("../scene.js").Line}
 */
export const zeroLine = (axis) => ({ axis, value: 0, style: "zero" });

/**
 * @param {number} value
 * @param {string} [text]
 * @returns {import("../scene.js").Line}
 */
export const asymptote = (value, text) => ({ axis: "y", value, style: "asym", text });

/**
 * Round values of x for a data table, about a dozen.
 * @param {[number, number]} range
 */
export const tablePoints = ([from, to]) => Float64Array.from(niceTicks(from, to, 12).values);
