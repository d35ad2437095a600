/** What one function has more than another: as a function of x, and where in an interval they are furthest apart. */
import { evaluator, parametersOf } from "../sampling.js";

/**
 * @typedef {{ gelu: import("../../kernels.js").Gelu, state: import("../../state.js").State }} Source
 * @typedef {{ error: number, places: { x: number, signed: number }[] }} Largest places: none where there is no difference
 */

/** In the place of the second function: nothing is compared. */
export const NONE = "none";

export const isComparing = (/** @type {Source["state"]} */ state) => state["curves.b"] !== NONE;

/**
 * @param {Source} source
 * @param {number} order
 * @returns {(xs: Float64Array) => Float64Array}
 */
export function differenceOf({ gelu, state }, order) {
  const [a, b] = ["curves.a", "curves.b"].map((key) => evaluator(gelu, state, state[key], order));
  return (xs) => {
    const subtracted = b(xs);
    return a(xs).map((value, i) => value - subtracted[i]);
  };
}

/** @type {Map<string, Largest>} plot, readouts and marks ask for the same few, and x does not change them */
const known = new Map();

/**
 * The largest size of the difference on [from, to]; where it is even or odd in x, in both places.
 * @param {Source} source
 * @param {number} order
 * @param {[number, number]} range
 * @returns {Largest}
 */
export function largestDifference(source, order, [from, to]) {
  const { gelu, state } = source;
  const { "curves.a": a, "curves.b": b } = state;
  const options = {
    ...{ from, to, order: /** @type {0 | 1 | 2} */ (order) },
    ...{ params: parametersOf(gelu, state, a), referenceParams: parametersOf(gelu, state, b) },
  };
  const key = JSON.stringify([a, b, options]);
  const found = known.get(key) ?? measure();
  if (known.size > 100) known.clear();
  known.set(key, found);
  return found;

  function measure() {
    const { error, at } = gelu.maxError(a, b, options);
    if (error === 0) return { error, places: [] };
    const f = differenceOf(source, order);
    const signed = (/** @type {number} */ x) => {
      // At a jump either limit may be the larger one.
      const values = [...f(x === 0 ? Float64Array.of(x, Number.MIN_VALUE) : Float64Array.of(x))];
      return values.sort((one, other) => Math.abs(other) - Math.abs(one))[0];
    };
    const mirrored = -at !== at && -at >= from && -at <= to && Math.abs(Math.abs(signed(-at)) - error) <= 1e-9 * error;
    const xs = mirrored ? [-Math.abs(at), Math.abs(at)] : [at];
    return { error, places: xs.map((x) => ({ x, signed: signed(x) })) };
  }
}
