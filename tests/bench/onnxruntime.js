/** onnxruntime-web on its wasm backend, one thread. */
import * as ort from "onnxruntime-web/wasm";
import { idOf, timedAsync } from "./measure.js";
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

/** @param {import("./contestants.js").Place} place @returns {Promise<import("./measure.js").Contestant[]>} */
export async function onnxruntime(place) {
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = "error";
  if (place.onnxruntime !== undefined) ort.env.wasm.wasmPaths = { wasm: place.onnxruntime };
  return [
    ...(await rows("gelu", "Gelu", gelu("none"))),
    ...(await rows("gelu_tanh", "Gelu tanh", gelu("tanh"))),
    ...(await rows("silu", "Sigmoid, Mul", silu)),
    ...(await rows("relu", "Relu", relu)),
  ];
}

/**
 * What a call costs besides the kernel does not depend on the number of nodes, so the kernel is an eighth of what eight
 * more nodes cost.
 */
async function rows(id, op, apply) {
  const common = { work: `${id} float32`, who: WHO, sizes: SIZES };
  const [one, nine] = await Promise.all(
    [1, 9].map(async (count) => {
      const session = await ort.InferenceSession.create(model(chain(apply, count)), { executionProviders: ["wasm"] });
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
