/** Our own kernels, through the library; what it does not offer, through the exports. */

import { timed } from "./measure.js";
import { FFNS, factorOf, GEMM, LEARNING_RATE, labels, TOKENS, TRAINING } from "./networks.js";
import { MIDDLE, SIZES } from "./sizes.js";
import { instantiate, kernelRunner, putInto } from "./wasm.js";

export const WHO = "GELU Lab";

/** They have peers, so they run at every size; the rest is timed at one. */
const RACING = ["gelu", "gelu_tanh", "silu", "relu"];

/**
 * Value and first derivative in one pass: (function, parameters, accuracy, x, y, dy, n), accuracy for float32 alone.
 * Rows appear as soon as the module exports them.
 */
const BOTH = { float32: "gelu_evaluate_both_f32", float64: "gelu_evaluate_both_f64" };

const TYPES = { float32: Float32Array, float64: Float64Array };
const PRECISIONS = /** @type {const} */ (["float32", "float64"]);

/**
 * @param {import("../../web/gelu.d.ts").Gelu} gelu
 * @param {import("./contestants.js").Place} place
 * @param {import("./networks.js").Networks} networks
 * @returns {Promise<import("./measure.js").Contestant[]>}
 */
export async function own(gelu, place, networks) {
  const exports = await instantiate(await place.wasm("gelu"));
  const product = gemm(await instantiate(await place.wasm("gemm")), networks);
  const rows = gelu.catalogue.flatMap(({ id }, index) => [
    ...PRECISIONS.flatMap((precision) => kernels(gelu, id, precision)),
    ...(RACING.includes(id) ? PRECISIONS.map((precision) => arrays(gelu, id, precision)) : []),
    ...PRECISIONS.flatMap((precision) => both(exports, id, index, precision)),
  ]);
  return [...rows, product, ...FFNS.map((net) => forward(gelu, net)), trainingStep(gelu)];
}

/** Every order, and for float32 both tiers, timed by the library itself. */
function kernels(gelu, id, precision) {
  const tiers = precision === "float32" ? ["default", "fast"] : ["default"];
  return tiers.flatMap((accuracy) =>
    [0, 1, 2].map((order) => ({
      work: `${id} ${precision}`,
      who: WHO,
      how: ["kernel", accuracy === "fast" ? ", fast tier" : "", order > 0 ? `, order ${order}` : ""].join(""),
      sizes: RACING.includes(id) && order === 0 ? SIZES : [MIDDLE],
      truth: { id, precision, order },
      evaluate: (xs) => gelu.evaluate(id, xs, { order, accuracy }),
      prepare: ({ length: n }) => ({ sample: (repeats) => gelu.benchmark(id, { n, repeats, order, precision, accuracy }) }),
    })),
  );
}

/** As a developer calls it: a new array for the results. */
function arrays(gelu, id, precision) {
  return {
    work: `${id} ${precision}`,
    who: WHO,
    how: "arrays",
    sizes: SIZES,
    prepare: (xs) => {
      const typed = TYPES[precision].from(xs);
      return { sample: timed(() => gelu.evaluate(id, typed)) };
    },
  };
}

function both(exports, id, index, precision) {
  const run = exports[BOTH[precision]];
  if (run === undefined) return [];
  return (precision === "float32" ? [0, 1] : [0]).map((accuracy) => ({
    work: `${id} ${precision}`,
    who: WHO,
    how: `kernel${accuracy === 1 ? ", fast tier" : ""}, value and derivative`,
    sizes: [MIDDLE],
    prepare: (xs) =>
      kernelRunner(exports, TYPES[precision].from(xs), 2, (x, [y, dy], n) => {
        const status = precision === "float32" ? run(index, 0, accuracy, x, y, dy, n) : run(index, 0, x, y, dy, n);
        if (status !== 0) throw new Error(`${BOTH[precision]} answered ${status}`);
      }),
  }));
}

/** Both operands as they stand: copying them into panels is part of it. */
function gemm(exports, networks) {
  return {
    work: GEMM.work,
    who: WHO,
    how: "kernel",
    sizes: [GEMM.n],
    prepare: (xs) => {
      const a = Float32Array.from(xs);
      const { x, ys, free } = putInto(exports, a, 2);
      const [b, c] = ys;
      new Float32Array(exports.memory.buffer, b, a.length).set(factorOf(a));
      const workspace = exports.malloc(exports.workspace_bytes());
      const run = () => exports.gemm(x, b, c, workspace, GEMM.side);
      if (workspace === 0 || run() !== 0) throw new Error("gemm refused");
      networks.checkProduct(a, new Float32Array(exports.memory.buffer, c, a.length));
      return {
        sample: timed(run),
        free() {
          free();
          exports.free(workspace);
        },
      };
    },
  };
}

function forward(gelu, { work, d, hidden, n }) {
  return {
    work,
    who: WHO,
    how: "arrays",
    sizes: [n],
    prepare: (xs) => {
      const x = Float32Array.from(xs);
      const ffn = gelu.createFfn({ d, hidden, activation: "gelu", seed: d });
      return { sample: timed(() => ffn.forward(x, TOKENS)), free: () => ffn.free() };
    },
  };
}

/** An epoch of one mini-batch. */
function trainingStep(gelu) {
  const { work, d, hidden, classes, n } = TRAINING;
  return {
    work,
    who: WHO,
    how: "step",
    sizes: [n],
    prepare: (xs) => {
      const options = { x: Float32Array.from(xs), y: labels, classes, d, hidden, batch: TOKENS, layerNorm: false };
      const trainer = gelu.createTrainer({ ...options, learningRate: LEARNING_RATE, weightDecay: 0 });
      return {
        sample(passes) {
          const started = performance.now();
          trainer.step(passes);
          if (trainer.status !== "ok") throw new Error(`training stopped at step ${trainer.failedAt}`);
          return performance.now() - started;
        },
        free: () => trainer.free(),
      };
    },
  };
}
