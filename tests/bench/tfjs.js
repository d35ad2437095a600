/** TensorFlow.js 4 on its wasm and its cpu backend. It has no GELU: the compositions that its users write. */
import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-backend-cpu";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { timed } from "./measure.js";
import { FFNS, factorOf, GEMM, LEARNING_RATE, labels, TOKENS, TRAINING } from "./networks.js";
import { SIZES } from "./sizes.js";

const SCALE = Math.sqrt(2 / Math.PI);

const geluErf = (x) => tf.mul(tf.mul(x, 0.5), tf.add(tf.erf(tf.mul(x, Math.SQRT1_2)), 1));

function geluTanh(x) {
  const inner = tf.mul(tf.add(x, tf.mul(tf.mul(tf.mul(x, x), x), 0.044715)), SCALE);
  return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
}

const silu = (x) => tf.mul(x, tf.sigmoid(x));

/**
 * @param {import("./contestants.js").Place} place
 * @param {import("./networks.js").Networks} networks
 * @returns {Promise<import("./measure.js").Contestant[]>}
 */
export async function tfjs(place, networks) {
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
    ...(backend === "wasm" ? [gemm(backend, networks), ...FFNS.map((net) => forward(backend, net, networks))] : []),
    trainingStep(backend),
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

/**
 * A pass over tensors that stay in place.
 * @param {string} backend
 * @param {Record<string, any>} tensors kept until the end
 * @param {() => void} run
 */
function inPlace(backend, tensors, run) {
  const sample = timed(run);
  return {
    async sample(passes) {
      await tf.setBackend(backend);
      return sample(passes);
    },
    free: () => tf.dispose(tensors),
  };
}

function gemm(backend, networks) {
  const { work, side, n } = GEMM;
  return {
    work,
    who: `tfjs-${backend}`,
    how: "matMul, tensors in place",
    sizes: [n],
    prepare: async (xs) => {
      await tf.setBackend(backend);
      const x = Float32Array.from(xs);
      const a = tf.tensor2d(x, [side, side]);
      const b = tf.tensor2d(factorOf(x), [side, side]);
      networks.checkProduct(
        x,
        tf.tidy(() => tf.matMul(a, b).dataSync()),
      );
      return inPlace(backend, { a, b }, () => tf.matMul(a, b).dispose());
    },
  };
}

const affine = (x, w, b) => tf.fused.matMul({ a: x, b: w, bias: b });

function forward(backend, { work, d, hidden, n }, networks) {
  return {
    work,
    who: `tfjs-${backend}`,
    how: "fused.matMul, erf, tensors in place",
    against: "arrays",
    sizes: [n],
    prepare: async (xs) => {
      await tf.setBackend(backend);
      const typed = Float32Array.from(xs);
      const weights = networks.weights(d);
      const tensors = {
        x: tf.tensor2d(typed, [TOKENS, d]),
        w1: tf.tensor2d(weights.w1, [d, hidden]),
        b1: tf.tensor1d(weights.b1),
        w2: tf.tensor2d(weights.w2, [hidden, d]),
        b2: tf.tensor1d(weights.b2),
      };
      const { x, w1, b1, w2, b2 } = tensors;
      const compute = () => affine(geluErf(affine(x, w1, b1)), w2, b2);
      networks.check(
        d,
        typed,
        tf.tidy(() => compute().dataSync()),
      );
      return inPlace(backend, tensors, () => tf.tidy(compute).dispose());
    },
  };
}

/** The network of our trainer as it is set for this: projection, residual block without normalisation, output layer. */
function trainingStep(backend) {
  const { work, d, hidden, classes, n } = TRAINING;
  return {
    work,
    who: `tfjs-${backend}`,
    how: "variableGrads, Adam",
    against: "step",
    sizes: [n],
    prepare: async (xs) => {
      await tf.setBackend(backend);
      const x = tf.tensor2d(Float32Array.from(xs), [TOKENS, n / TOKENS]);
      const wanted = tf.tidy(() => tf.cast(tf.oneHot(tf.tensor1d(labels, "int32"), classes), "float32"));
      const layer = (inputs, outputs) => ({
        w: tf.variable(tf.randomNormal([inputs, outputs], 0, 1 / Math.sqrt(inputs), "float32", 1)),
        b: tf.variable(tf.zeros([outputs])),
      });
      const layers = [layer(n / TOKENS, d), layer(d, hidden), layer(hidden, d), layer(d, classes)];
      const [into, first, second, out] = layers.map(
        ({ w, b }) =>
          (input) =>
            affine(input, w, b),
      );
      const loss = () => {
        const h = into(x);
        return tf.losses.softmaxCrossEntropy(wanted, out(tf.add(h, second(geluErf(first(h))))));
      };
      const optimizer = tf.train.adam(LEARNING_RATE);
      return inPlace(backend, { x, wanted, layers }, () => optimizer.minimize(loss));
    },
  };
}
