/** Whether this browser computes what it should: a handful of values, before anything is drawn. */

/** Function, order, x and the true value, rounded to float64 (mpmath, 40 digits). */
const REFERENCES = /** @type {const} */ ([
  ["gelu", 0, 2, 1.9544997361036416],
  ["gelu", 0, -30, -1.472014178144456e-196],
  ["gelu", 1, -5, -7.146946001792295e-6],
  ["gelu", 2, 1, 0.24197072451914334],
  ["gelu_tanh", 0, -4, -7.024594819237266e-5],
  ["gelu_sigmoid", 0, -4, -0.004414724139581062],
  ["sigmoid", 0, 3, 0.9525741268224333],
  ["tanh", 0, 0.5, 0.46211715726000974],
  ["normal_cdf", 0, -2, 0.02275013194817921],
]);
/** Of the value: the kernels stay within 2 ULP. */
const TOLERANCE = 1e-15;
/** More than one vector, and a rest. */
const LENGTH = 7;

/**
 * @param {import("./kernels.js").Gelu} gelu
 * @throws {Error} what came out, and what should have
 */
export function checkKernels(gelu) {
  for (const [id, order, x, value] of REFERENCES) {
    const doubles = results(gelu, id, new Float64Array(LENGTH).fill(x), order);
    const singles = order === 0 ? results(gelu, id, new Float32Array(LENGTH).fill(x), order) : [];
    const isRight = (/** @type {number} */ y) => Math.abs(y - value) <= TOLERANCE * Math.abs(value);
    // The default tier rounds correctly; -0 is what is left of the tail.
    const isRounded = (/** @type {number} */ y) => y === Math.fround(value);
    const wrong = doubles.find((y) => !isRight(y)) ?? singles.find((y) => !isRounded(y));
    if (wrong !== undefined) {
      const name = id + "′".repeat(order);
      throw new Error(`${name}(${x}) = ${wrong} ≠ ${value}`);
    }
  }
}

/**
 * None where the call fails: a figure that needs it will say so, and can try again.
 * @param {import("./kernels.js").Gelu} gelu
 * @param {import("./gelu.d.ts").FunctionId} id
 * @param {Float64Array | Float32Array} xs
 * @param {0 | 1 | 2} order
 * @returns {number[]}
 */
function results(gelu, id, xs, order) {
  try {
    return [...gelu.evaluate(id, xs, { order })];
  } catch {
    return [];
  }
}
