/** C as one writes it with <math.h>: scalar.h over musl, compiled to wasm. run.mjs measures the native build of the same. */

import { SIZES } from "./sizes.js";
import { instantiate, kernelRunner, putInto } from "./wasm.js";

const MUSL = "C over musl, in wasm";

/** What the forms of scalar.h compute, and in which way. */
export const FORMS = [
  ["gelu_erff", "gelu", "float32", "erff"],
  ["gelu_erf_rounded", "gelu", "float32", "erf, rounded"],
  ["gelu_erfc_rounded", "gelu", "float32", "erfc, rounded"],
  ["gelu_tanh_tanhf", "gelu_tanh", "float32", "tanhf"],
  ["gelu_tanh_expf", "gelu_tanh", "float32", "expf"],
  ["silu_expf", "silu", "float32", "expf"],
  ["relu_max", "relu", "float32", "max"],
  ["gelu_erf", "gelu", "float64", "erf"],
  ["gelu_erfc", "gelu", "float64", "erfc"],
].map(([name, id, precision, how]) => ({ name, work: `${id} ${precision}`, how, truth: { id, precision } }));

/** Not a peer: what reading and writing memory costs by itself. */
export const COPY = { name: "copy", work: "relu float32", how: "memory.copy", truth: undefined };

/**
 * @param {import("./contestants.js").Place} where
 * @returns {Promise<import("./measure.js").Contestant[]>}
 */
export async function scalar(where) {
  const exports = await instantiate(await where.wasm("musl"));
  return [...FORMS, COPY].map(({ name, work, how, truth }) => ({
    work,
    who: truth === undefined ? "the limit" : MUSL,
    how,
    sizes: SIZES,
    truth,
    prepare: (xs) => {
      const typed = truth?.precision === "float64" ? xs : Float32Array.from(xs);
      return kernelRunner(exports, typed, 1, (x, [y], n) => exports[name](x, y, n));
    },
    evaluate: (xs) => valuesOf(exports, exports[name], xs),
  }));
}

function valuesOf(exports, run, xs) {
  const { x, ys, free } = putInto(exports, xs, 1);
  run(x, ys[0], xs.length);
  const values = new xs.constructor(exports.memory.buffer, ys[0], xs.length).slice();
  free();
  return values;
}
