/** What the rows of networks compute: the same numbers for everyone, and a look at whether everyone computes the same. */

/** All float32. A pass takes n numbers in: a matrix of side × side, or 64 tokens (examples) of d numbers each. */
export const GEMM = { work: "GEMM 256³", side: 256, n: 256 * 256 };
export const TOKENS = 64;
export const FFNS = [64, 128, 256, 512].map((d) => ({ work: `FFN forward, d = ${d}`, d, hidden: 4 * d, n: TOKENS * d }));
/** One step: project, residual block without normalisation, output layer, cross-entropy, all gradients, Adam. */
export const TRAINING = { work: "training step", d: 64, hidden: 256, classes: 10, n: TOKENS * 64 };

/** So small a rate that every step is the same work on ordinary numbers: nothing converges, nothing becomes subnormal. */
export const LEARNING_RATE = 1e-6;

export const WORKS = [GEMM, ...FFNS, TRAINING].map(({ work }) => work);

/** The label of each example. */
export const labels = Array.from({ length: TOKENS }, (_, i) => i % TRAINING.classes);

/**
 * What one side multiplies by in GEMM; products of inputs with it stay of the inputs' size.
 * @param {ArrayLike<number>} xs
 */
export const factorOf = (xs) => Float32Array.from(xs, (_, i) => xs[xs.length - 1 - i] / (2 * Math.sqrt(GEMM.side)));

/**
 * @typedef {object} Networks
 * @property {(d: number) => import("../../web/gelu.d.ts").FfnArrays} weights of the network with that d
 * @property {(d: number, xs: Float32Array, got: ArrayLike<number>) => void} check throws where `got` is not its output
 * @property {(xs: Float32Array, got: ArrayLike<number>) => void} checkProduct likewise for GEMM
 */

/**
 * @param {import("../../web/gelu.d.ts").Gelu} gelu
 * @returns {Networks}
 */
export function networksOf(gelu) {
  return {
    weights: (d) => withFfn(gelu, d, (ffn) => ffn.weights),
    check(d, xs, got) {
      compare(
        `FFN, d = ${d}`,
        got,
        withFfn(gelu, d, (ffn) => ffn.forward(xs, TOKENS)),
      );
    },
    checkProduct(xs, got) {
      const factor = factorOf(xs);
      const rows = [0, 1, GEMM.side - 1];
      const want = rows.flatMap((row) => rows.map((column) => element(xs, factor, row, column)));
      compare(
        GEMM.work,
        rows.flatMap((row) => rows.map((column) => got[row * GEMM.side + column])),
        want,
      );
    },
  };
}

function element(a, b, row, column) {
  let sum = 0;
  for (let k = 0; k < GEMM.side; k++) sum += a[row * GEMM.side + k] * b[k * GEMM.side + column];
  return sum;
}

function withFfn(gelu, d, use) {
  const ffn = gelu.createFfn({ d, hidden: 4 * d, activation: "gelu", seed: d });
  try {
    return use(ffn);
  } finally {
    ffn.free();
  }
}

/** Float32 arithmetic in any order of summation is nearer than that. */
function compare(work, got, want) {
  if (got.length !== want.length) throw new Error(`${work}: ${got.length} numbers, not ${want.length}`);
  for (let i = 0; i < want.length; i++) {
    if (!(Math.abs(got[i] - want[i]) < 1e-4)) throw new Error(`${work}: number ${i} is ${got[i]}, not ${want[i]}`);
  }
}
