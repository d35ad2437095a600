/** The floors of the design: by how much we are to be ahead, and of whom. New work joins with a line here. */
import { FFNS, GEMM, TRAINING } from "./networks.js";
import { WHO } from "./own.js";
import { MIDDLE } from "./sizes.js";

/**
 * A ratio of two times in one engine: peer / own, or own / other where the floor is `atMost`.
 * @typedef {object} Floor
 * @property {string} label
 * @property {string} peer as the summary names it
 * @property {string} own id of a row
 * @property {string} other id of a row
 * @property {number} n
 * @property {number} [atLeast]
 * @property {number} [atMost]
 */

const GELU = "gelu float32";
const GELU64 = "gelu float64";
const own = (/** @type {string} */ work, how = "kernel") => `${work} | ${WHO} | ${how}`;

/** @type {Floor[]} */
export const FLOORS = [
  floor("`gelu` float32", own(GELU), "onnxruntime-web, kernel", `${GELU} | onnxruntime-web | Gelu, kernel`, 1.3),
  floor("… from JS arrays", own(GELU, "arrays"), "onnxruntime-web", `${GELU} | onnxruntime-web | Gelu, arrays`, 1.5),
  floor(
    "… from JS arrays, n = 1000",
    own(GELU, "arrays"),
    "onnxruntime-web",
    `${GELU} | onnxruntime-web | Gelu, arrays`,
    3.5,
    1000,
  ),
  floor("`gelu` float32", own(GELU), "C over musl, erff", `${GELU} | C over musl, in wasm | erff`, 4.8),
  floor("`gelu` float32", own(GELU), "@stdlib erfc", `${GELU} | @stdlib/math-base-special-erfc | erfc`, 15),
  floor(
    "`gelu` float32, fast tier",
    own(GELU, "kernel, fast tier"),
    "onnxruntime-web, kernel",
    `${GELU} | onnxruntime-web | Gelu, kernel`,
    2.7,
  ),
  floor(
    "`gelu` float32, fast tier",
    own(GELU, "kernel, fast tier"),
    "tfjs-wasm, erf",
    `${GELU} | tfjs-wasm | erf, tensors in place`,
    13,
  ),
  floor(
    "`gelu_tanh` float32, fast tier",
    own("gelu_tanh float32", "kernel, fast tier"),
    "onnxruntime-web, kernel",
    "gelu_tanh float32 | onnxruntime-web | Gelu tanh, kernel",
    1,
  ),
  floor(
    "`silu` float32, fast tier",
    own("silu float32", "kernel, fast tier"),
    "tfjs-wasm, x·sigmoid(x)",
    "silu float32 | tfjs-wasm | sigmoid, tensors in place",
    1.1,
  ),
  floor("`gelu` float64", own(GELU64), "C over musl, erf", `${GELU64} | C over musl, in wasm | erf`, 2.8),
  floor("`gelu` float64", own(GELU64), "@stdlib erfc", `${GELU64} | @stdlib/math-base-special-erfc | erfc`, 7.5),
  ...[
    [GELU, "kernel"],
    [GELU, "kernel, fast tier"],
    [GELU64, "kernel"],
  ].map(([work, how]) => ({
    label: `${work.replace("gelu", "`gelu`")}${how.slice("kernel".length)}: value and derivative in one pass`,
    peer: "the value alone",
    own: own(work, `${how}, value and derivative`),
    other: own(work, how),
    n: MIDDLE,
    atMost: 1.3,
  })),
  ...[
    { peer: "onnxruntime-web, kernel", other: "onnxruntime-web | MatMul, kernel", atLeast: 1.6 },
    { peer: "tfjs-wasm", other: "tfjs-wasm | matMul, tensors in place", atLeast: 1.3 },
  ].map(({ peer, other, atLeast }) => floor(GEMM.work, own(GEMM.work), peer, `${GEMM.work} | ${other}`, atLeast, GEMM.n)),
  ...FFNS.flatMap(({ work, n }) =>
    [
      { peer: "onnxruntime-web", other: "onnxruntime-web | Gemm, Gelu, Gemm, arrays", atLeast: 1.5 },
      { peer: "tfjs-wasm", other: "tfjs-wasm | fused.matMul, erf, tensors in place", atLeast: 1.35 },
    ].map(({ peer, other, atLeast }) => floor(work, own(work, "arrays"), peer, `${work} | ${other}`, atLeast, n)),
  ),
  ...[
    { peer: "tfjs-wasm", atLeast: 12 },
    { peer: "tfjs-cpu", atLeast: 60 },
  ].map(({ peer, atLeast }) => {
    const { work, n } = TRAINING;
    return floor(work, own(work, "step"), peer, `${work} | ${peer} | variableGrads, Adam`, atLeast, n);
  }),
];

/** @returns {Floor} */
function floor(label, own, peer, other, atLeast, n = MIDDLE) {
  return { label, own, peer, other, atLeast, n };
}

/** Whole processes over an empty one. */
export const LOAD_AT_LEAST = 15;

/** Bytes of the library, brotli, FFN and training included. */
export const LIBRARY_AT_MOST = 26_000;
