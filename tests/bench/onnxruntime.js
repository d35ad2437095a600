/** onnxruntime-web on its wasm backend, one thread. */
import * as ort from "onnxruntime-web/wasm";
import { idOf, timedAsync } from "./measure.js";
import { FFNS, factorOf, GEMM, TOKENS } from "./networks.js";
import { model } from "./onnx.js";
import { SIZES } from "./sizes.js";

const WHO = "onnxruntime-web";

/** One application from one name to another, as nodes of a graph. */
const gelu = (approximate) => (from, to) => [{ op: "Gelu", from: [from], to, attributes: { approximate } }];
const relu = (from, to) => [{ op: "Relu", from: [from], to }];
const silu = (from, to) => [
  { op: "Sigmoid", from: [from], to: `${from}s` },
  { op: "Mul", from: [from, `${from}s`], to },
];

/** The same applied so many times in a row. */
const chain = (apply, count) =>
  Array.from({ length: count }, (_, i) => apply(i === 0 ? "x" : `x${i}`, i === count - 1 ? "y" : `x${i + 1}`)).flat();

/**
 * @param {import("./contestants.js").Place} place
 * @param {import("./networks.js").Networks} networks
 * @returns {Promise<import("./measure.js").Contestant[]>}
 */
export async function onnxruntime(place, networks) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  if (place.onnxruntime !== undefined) ort.env.wasm.wasmPaths = { wasm: place.onnxruntime };
  return [
    ...(await rows("gelu", "Gelu", gelu("none"))),
    ...(await rows("gelu_tanh", "Gelu tanh", gelu("tanh"))),
    ...(await rows("silu", "Sigmoid, Mul", silu)),
    ...(await rows("relu", "Relu", relu)),
    ...gemm(networks),
    ...FFNS.map((net) => forward(net, networks)),
  ];
}

const open = (bytes) => ort.InferenceSession.create(bytes, { executionProviders: ["wasm"] });

/**
 * What a call costs besides the kernel does not depend on the number of nodes, so the kernel is an eighth of what eight
 * more nodes cost.
 */
async function rows(id, op, apply) {
  const common = { work: `${id} float32`, who: WHO, sizes: SIZES };
  const [one, nine] = await Promise.all(
    [1, 9].map(async (count) => {
      const session = await open(model(chain(apply, count)));
      const run = async (xs) => (await session.run({ x: new ort.Tensor("float32", xs, [xs.length]) })).y.data;
      return {
        ...common,
        how: count === 1 ? `${op}, arrays` : `${op}, nine in a row`,
        against: "arrays",
        hidden: count !== 1,
        prepare: (xs) => {
          const typed = Float32Array.from(xs);
          return { sample: timedAsync(() => run(typed)) };
        },
        evaluate: run,
      };
    }),
  );
  const kernel = {
    ...common,
    how: `${op}, kernel`,
    difference: { nine: idOf(nine), one: idOf(one) },
    truth: { id, precision: "float32" },
    evaluate: one.evaluate,
  };
  return [kernel, one, nine];
}

/** x times a constant, which it may bring into its own order once and for all; so many times in a row. */
function gemm(networks) {
  const { work, side, n } = GEMM;
  const [one, nine] = [1, 9].map((count) => ({
    work,
    who: WHO,
    how: count === 1 ? "MatMul, arrays" : "MatMul, nine in a row",
    hidden: count !== 1,
    sizes: [n],
    prepare: async (xs) => {
      const x = Float32Array.from(xs);
      const multiply = (from, to) => [{ op: "MatMul", from: [from, "b"], to }];
      const factor = { name: "b", dims: [side, side], values: factorOf(x) };
      const session = await open(model(chain(multiply, count), 2, [factor]));
      const run = async () => (await session.run({ x: new ort.Tensor("float32", x, [side, side]) })).y.data;
      if (count === 1) networks.checkProduct(x, await run());
      return { sample: timedAsync(run), free: () => session.release() };
    },
  }));
  return [{ work, who: WHO, how: "MatMul, kernel", sizes: [n], difference: { nine: idOf(nine), one: idOf(one) } }, one, nine];
}

function forward({ work, d, hidden, n }, networks) {
  return {
    work,
    who: WHO,
    how: "Gemm, Gelu, Gemm, arrays",
    against: "arrays",
    sizes: [n],
    prepare: async (xs) => {
      const x = Float32Array.from(xs);
      const { w1, b1, w2, b2 } = networks.weights(d);
      const constants = [
        { name: "w1", dims: [d, hidden], values: w1 },
        { name: "b1", dims: [hidden], values: b1 },
        { name: "w2", dims: [hidden, d], values: w2 },
        { name: "b2", dims: [d], values: b2 },
      ];
      const nodes = [
        { op: "Gemm", from: ["x", "w1", "b1"], to: "z" },
        ...gelu("none")("z", "h"),
        { op: "Gemm", from: ["h", "w2", "b2"], to: "y" },
      ];
      const session = await open(model(nodes, 2, constants));
      const run = async () => (await session.run({ x: new ort.Tensor("float32", x, [TOKENS, d]) })).y.data;
      networks.check(d, x, await run());
      return { sample: timedAsync(run), free: () => session.release() };
    },
  };
}
