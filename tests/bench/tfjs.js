/** TensorFlow.js 4 on its wasm and its cpu backend. It has no GELU: the compositions that its users write. */
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { timed } from "./measure.js";
import { SIZES } from "./sizes.js";

const SCALE = Math.sqrt(2 / Math.PI);

const geluErf = (x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));

function geluTanh(x) {
  const inner = tf.mul(tf.add(x, tf.mul(tf.mul(tf.mul(x, x), x), 0.044715)), SCALE);
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
}

const silu = (x) => tf.mul(x, tf.sigmoid(x));

/** @param {import("./contestants.js").Place} place @returns {Promise<import("./measure.js").Contestant[]>} */
export async function tfjs(place) {
  if (place.tfjs !== undefined) setWasmPaths(place.tfjs);
  // One thread, as everyone here.
  tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  for (const backend of ["cpu", "wasm"]) {
    if (!(await tf.setBackend(backend))) throw new Error(`tfjs has no backend ${backend}`);
    await tf.ready();
  }
  return ["wasm", "cpu"].flatMap((backend) => [
    ...rows(backend, "gelu", "erf", geluErf),
    ...rows(backend, "gelu_tanh", "tanh", geluTanh),
    ...rows(backend, "silu", "sigmoid", silu),
    ...rows(backend, "relu", "relu", tf.relu),
  ]);
}

function rows(backend, id, form, compute) {
  const common = { work: `${id} float32`, who: `tfjs-${backend}`, sizes: SIZES };
  const values = (xs) => {
    const x = tf.tensor1d(xs);
    const y = tf.tidy(() => compute(x));
    const ys = y.dataSync();
    tf.dispose([x, y]);
    return ys;
  };
  // Tensors belong to the backend that made them, so it is set again before each use.
  const kernel = {
    ...common,
    how: `${form}, tensors in place`,
    truth: { id, precision: "float32" },
    prepare: async (xs) => {
      await tf.setBackend(backend);
      const x = tf.tensor1d(Float32Array.from(xs));
      const sample = timed(() => tf.tidy(() => compute(x)).dispose());
      return {
        async sample(passes) {
          await tf.setBackend(backend);
          return sample(passes);
        },
        free: () => x.dispose(),
      };
    },
    evaluate: async (xs) => {
      await tf.setBackend(backend);
      return values(xs);
    },
  };
  const arrays = {
    ...common,
    how: `${form}, arrays`,
    against: "arrays",
    prepare: async (xs) => {
      const typed = Float32Array.from(xs);
      const sample = timed(() => values(typed));
      return {
        async sample(passes) {
          await tf.setBackend(backend);
          return sample(passes);
        },
      };
    },
  };
  return backend === "wasm" ? [kernel, arrays] : [kernel];
}
