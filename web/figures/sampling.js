/** Curves from the kernels: points for the visible range, jumps as gaps, extremes of what is drawn. */

/** @typedef {import("../kernels.js").Gelu} Gelu */

/**
 * A function with the parameters of the state.
 * @param {Gelu} gelu
 * @param {import("../state.js").State} state
 * @param {string} id
 */
export function parametersOf(gelu, state, id) {
  const row = gelu.catalogue.find((entry) => entry.id === id);
  return Object.fromEntries((row?.parameters ?? []).map(({ name, value }) => [name, state[`${id}.${name}`] ?? value]));
}

/**
 * @param {Gelu} gelu
 * @param {import("../state.js").State} state
 * @param {string} id
 * @param {number} order
 * @returns {(xs: Float64Array) => Float64Array}
 */
export function evaluator(gelu, state, id, order) {
  const params = parametersOf(gelu, state, id);
  return (xs) => gelu.evaluate(id, xs, { order: /** @type {0 | 1 | 2} */ (order), params });
}

/**
 * Evenly spaced points with both ends; 0 is one of them where it lies inside, since kinks are there.
 * @param {number} from
 * @param {number} to
 * @param {number} count
 */
export function evenly(from, to, count) {
  const points = Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
  if (from < 0 && to > 0 && !points.includes(0)) points.push(0);
  return Float64Array.from(points).sort();
}

/**
 * A jump at 0 as two values: from the left, which is the function's own, and from the right; null where there is none.
 * @param {(xs: Float64Array) => Float64Array} f
 */
export function jumpAtZero(f) {
  const [left, right] = f(Float64Array.of(0, Number.MIN_VALUE));
  return Math.abs(left - right) > 1e-9 ? { left, right } : null;
}

/**
 * A jump at 0 in a plot: a full dot where the function is (from the left, by our convention), a hollow one where it is not.
 * @param {string} fn
 * @param {(xs: Float64Array) => Float64Array} f
 * @returns {import("../scene.js").Mark[]}
 */
export function jumpMarks(fn, f) {
  const jump = jumpAtZero(f);
  if (jump === null) return [];
  return [
    { fn, x: 0, y: jump.left, solid: true },
    { fn, x: 0, y: jump.right },
  ];
}

/**
 * A curve over the points; where it jumps at 0 the line is broken, so that no wall is drawn.
 * @param {(xs: Float64Array) => Float64Array} f
 * @param {Float64Array} xs
 * @returns {{ x: Float64Array, y: Float64Array }}
 */
export function trace(f, xs) {
  const y = f(xs);
  const zero = xs.indexOf(0);
  const jump = zero >= 0 ? jumpAtZero(f) : null;
  if (jump === null) return { x: xs, y };
  const split = (/** @type {Float64Array} */ values, /** @type {number[]} */ inserted) =>
    Float64Array.of(...values.subarray(0, zero + 1), ...inserted, ...values.subarray(zero + 1));
  return { x: split(xs, [0, 0]), y: split(y, [Number.NaN, jump.right]) };
}

/** Parts that an interval is cut into: a call for a few points takes no longer than one for two. */
const PARTS = 8;
/** Closer to an extreme float64 values of a smooth function no longer differ. */
const NARROW = 1e-9;

/**
 * Local extremes of f over the sampled points, refined to the float64 limit of comparing values (about eight
 * digits of x).
 * @param {(xs: Float64Array) => Float64Array} f
 * @param {Float64Array} xs
 * @returns {{ x: number, y: number, kind: "max" | "min" }[]}
 */
export function extremes(f, xs) {
  const ys = f(xs);
  /** @type {{ x: number, y: number, kind: "max" | "min" }[]} */
  const found = [];
  for (let i = 1; i < xs.length - 1; i++) {
    const sign = ys[i] > ys[i - 1] && ys[i] > ys[i + 1] ? 1 : ys[i] < ys[i - 1] && ys[i] < ys[i + 1] ? -1 : 0;
    if (sign !== 0) found.push({ ...refine(f, xs[i - 1], xs[i + 1], sign), kind: sign > 0 ? "max" : "min" });
  }
  return found;
}

/**
 * @param {(xs: Float64Array) => Float64Array} f
 * @param {number} low
 * @param {number} high
 * @param {number} sign 1 looks for a maximum
 */
function refine(f, low, high, sign) {
  let a = low;
  let b = high;
  for (let i = 0; i < 20 && b - a > NARROW; i++) {
    const [from, step] = [a, (b - a) / PARTS];
    const ys = f(Float64Array.from({ length: PARTS - 1 }, (_, j) => from + (j + 1) * step));
    const best = ys.reduce((most, y, j) => (sign * y > sign * ys[most] ? j : most), 0);
    a = from + best * step;
    b = from + (best + 2) * step;
  }
  const x = (a + b) / 2;
  return { x, y: f(Float64Array.of(x))[0] };
}

/** Halvings towards a zero: 2^-40 of a pixel is far below any log axis. */
const HALVINGS = 40;

/**
 * Points that close in on each zero of f, so that a curve of its size on a log axis runs off the bottom there.
 * @param {(xs: Float64Array) => Float64Array} f
 * @param {Float64Array} xs
 * @returns {Float64Array} all points, sorted
 */
export function closeInOnZeros(f, xs) {
  const ys = f(xs);
  /** @type {number[]} */
  const extra = [];
  for (let i = 1; i < xs.length; i++) {
    const [a, b] = [ys[i - 1], ys[i]];
    if (a * b < 0) extra.push(...bisection(f, xs[i - 1], xs[i], a));
    else if (isGap(b) && !isGap(a)) extra.push(...approach(xs[i - 1], xs[i]));
    else if (isGap(a) && !isGap(b)) extra.push(...approach(xs[i], xs[i - 1]));
  }
  return Float64Array.from(new Set([...xs, ...extra])).sort();
}

/** Nothing that a log axis could show: 0, or 0 divided by 0. */
const isGap = (/** @type {number} */ value) => value === 0 || Number.isNaN(value);

/**
 * The points that a bisection visits on both sides of a change of sign.
 * @param {(xs: Float64Array) => Float64Array} f
 * @param {number} from
 * @param {number} to
 * @param {number} atFrom f(from)
 */
function bisection(f, from, to, atFrom) {
  const visited = [];
  let low = from;
  let high = to;
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    if (f(Float64Array.of(middle))[0] * atFrom > 0) low = middle;
    else high = middle;
    visited.push(low, high);
  }
  return visited;
}

/**
 * @param {number} from
 * @param {number} zero
 */
const approach = (from, zero) => Array.from({ length: HALVINGS }, (_, step) => zero + (from - zero) * 2 ** -(step + 1));
