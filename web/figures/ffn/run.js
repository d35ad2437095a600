/** One pass through a feed-forward network and back: which network a state means, its numbers, how many of each. */
import { parametersOf } from "../sampling.js";

/**
 * @typedef {import("../../kernels.js").Gelu} Gelu
 * @typedef {import("../../state.js").State} State
 * @typedef {{
 *   preset: string, d: number, hidden: number, tokens: number, token: number, unit: number, seed: number,
 *   activation: import("../../gelu.d.ts").FunctionId, params: Record<string, number>, isLarge: boolean, isBackward: boolean,
 * }} Net token: the chosen one, from 0; unit: the chosen hidden unit, from 0, or behind them the component of x or y
 * @typedef {{
 *   net: Net, x: Float32Array, dy: Float32Array, w1: Float32Array, b1: Float32Array, w2: Float32Array, b2: Float32Array,
 *   z: Float32Array, a: Float32Array, y: Float32Array, dx: Float32Array, slope: Float32Array, rectified: Float32Array,
 *   rectifiedSlope: Float32Array, dw1: Float32Array | null, dw2: Float32Array | null, rows: Map<number, BackwardRow>,
 *   zeros: { own: number[], relu: number[] },
 * }} Run slope: act′(z); rectified: what ReLU makes of the same z, and its slope; dw1, dw2: null until somebody asks;
 *   rows: kept, by token; zeros: of values and of slopes
 * @typedef {{ da: Float32Array, dz: Float32Array }} BackwardRow
 */

/** The networks of models: width, hidden width, the activation as first published, tokens of a full sequence, layers. */
export const MODELS = /** @type {const} */ ({
  bert: { d: 768, hidden: 3072, activation: "gelu", sequence: 512, layers: 12 },
  gpt2: { d: 768, hidden: 3072, activation: "gelu_tanh", sequence: 1024, layers: 12 },
  // 14 × 14 patches of 16 × 16 pixels, and the class token.
  vit: { d: 768, hidden: 3072, activation: "gelu_tanh", sequence: 197, layers: 12 },
});

/** @param {string} preset */
export const modelOf = (preset) => MODELS[/** @type {keyof typeof MODELS} */ (preset)];

/** Inputs come from seeds of their own: the weights' would make x a copy of the first of them. */
const INPUT_SEEDS = 1_000_000;

/**
 * @param {Gelu} gelu
 * @param {State} state
 * @returns {Net}
 */
export function netOf(gelu, state) {
  const whole = (/** @type {string} */ name) => Math.floor(state[`ffn.${name}`]);
  const preset = state["ffn.preset"];
  const model = modelOf(preset);
  const d = model?.d ?? whole("d");
  const hidden = model?.hidden ?? whole("hidden");
  const tokens = whole("tokens");
  const activation = state["ffn.activation"];
  return {
    ...{ preset, d, hidden, tokens, activation },
    token: Math.min(whole("token"), tokens) - 1,
    unit: Math.min(whole("unit"), hidden + d) - 1,
    seed: whole("seed"),
    params: parametersOf(gelu, state, activation),
    isLarge: model !== undefined,
    isBackward: state["ffn.pass"] === "backward",
  };
}

/** What a run depends on. */
export const keyOf = (/** @type {Net} */ { d, hidden, tokens, seed, activation, params }) =>
  JSON.stringify([d, hidden, tokens, seed, activation, params]);

/** What createFfn takes. */
export const optionsOf = (/** @type {Net} */ { d, hidden, seed, activation, params }) => ({
  d,
  hidden,
  seed,
  activation,
  params,
});

/**
 * Inputs as layer normalisation leaves them, and what the later layers send back: standard normal numbers.
 * @param {Gelu} gelu
 * @param {Net} net
 */
export function inputsOf(gelu, { seed, tokens, d }) {
  const source = gelu.random(INPUT_SEEDS + seed);
  const x = Float32Array.from(source.normal(tokens * d));
  const dy = Float32Array.from(source.normal(tokens * d));
  source.free();
  return { x, dy };
}

/**
 * act′(z) with the bits of the backward pass: a network of width 1 whose weights are z and 1 leaves them as the gradient
 * of its biases.
 * @param {Gelu} gelu
 * @param {Net} net
 * @param {Float32Array} z
 */
function slopesOf(gelu, { activation, params }, z) {
  const hidden = z.length;
  const one = Float32Array.of(1);
  const ffn = gelu.createFfn({ d: 1, hidden, activation, params, weights: { w1: z, w2: new Float32Array(hidden).fill(1) } });
  try {
    ffn.forward(one, 1);
    ffn.backward(one);
    return /** @type {import("../../gelu.d.ts").FfnArrays} */ (ffn.gradients).b1;
  } finally {
    ffn.free();
  }
}

/**
 * @param {Gelu} gelu
 * @param {Net} net
 * @param {Pick<Run, "x" | "dy" | "w1" | "b1" | "w2" | "b2" | "z" | "a" | "y" | "dx" | "dw1" | "dw2">} numbers
 * @returns {Run}
 */
export function completed(gelu, net, numbers) {
  const { z } = numbers;
  const slope = slopesOf(gelu, net, z);
  const rectified = gelu.evaluate("relu", z);
  const rectifiedSlope = gelu.evaluate("relu", z, { order: 1 });
  const zeros = { own: [numbers.a, slope].map(zerosIn), relu: [rectified, rectifiedSlope].map(zerosIn) };
  return { net, rows: new Map(), ...numbers, slope, rectified, rectifiedSlope, zeros };
}

/** @type {{ key: string, run: Run } | null} */
let last = null;

/**
 * A small network at once; the last is kept.
 * @param {Gelu} gelu
 * @param {Net} net
 * @returns {Run}
 */
export function runSmall(gelu, net) {
  const key = keyOf(net);
  if (last?.key !== key) {
    const ffn = gelu.createFfn(optionsOf(net));
    try {
      const { x, dy } = inputsOf(gelu, net);
      const y = ffn.forward(x, net.tokens);
      const dx = ffn.backward(dy);
      const { w1, b1, w2, b2 } = ffn.weights;
      const gradients = /** @type {import("../../gelu.d.ts").FfnArrays} */ (ffn.gradients);
      const backward = { dx, dw1: gradients.w1, dw2: gradients.w2 };
      const forward = { z: ffn.preActivations, a: ffn.hiddenValues, y };
      last = { key, run: completed(gelu, net, { x, dy, w1, b1, w2, b2, ...forward, ...backward }) };
    } finally {
      ffn.free();
    }
  }
  // Which token and unit are looked at is no part of the key.
  return { ...last.run, net };
}

/**
 * The run that a context shows; null while a large one is not there.
 * @param {import("../../components/figure.js").Context} context
 * @returns {Run | null}
 */
export function runOf({ gelu, state, data }) {
  const net = netOf(gelu, state);
  if (!net.isLarge) return runSmall(gelu, net);
  return data?.key === keyOf(net) ? { ...data.run, net } : null;
}

/** Products are summed in blocks of so many, as the kernels do it (c_src/matrix.h), so that da has their bits. */
const BLOCK = 256;

/**
 * @param {Run} run
 * @param {number} token
 * @param {number} unit
 */
function daAt({ net: { d }, dy, w2 }, token, unit) {
  const { fround } = Math;
  let sum = 0;
  for (let start = 0; start < d; start += BLOCK) {
    const end = Math.min(d, start + BLOCK);
    let block = 0;
    for (let k = start; k < end; k++) block = fround(block + fround(dy[token * d + k] * w2[unit * d + k]));
    sum = fround(sum + block);
  }
  return sum;
}

/**
 * One number of dz: a large network's rows take milliseconds each.
 * @param {Run} run
 * @param {number} token
 * @param {number} unit
 */
export const dzAt = (run, token, unit) => Math.fround(daAt(run, token, unit) * run.slope[token * run.net.hidden + unit]);

/**
 * da and dz of a token, which the kernels do not keep.
 * @param {Run} run
 * @param {number} token
 * @returns {BackwardRow}
 */
export function backwardRow(run, token) {
  const known = run.rows.get(token);
  if (known !== undefined) return known;
  const { hidden } = run.net;
  const da = new Float32Array(hidden);
  const dz = new Float32Array(hidden);
  for (let unit = 0; unit < hidden; unit++) {
    da[unit] = daAt(run, token, unit);
    dz[unit] = da[unit] * run.slope[token * hidden + unit];
  }
  const row = { da, dz };
  run.rows.set(token, row);
  return row;
}

const zerosIn = (/** @type {Float32Array} */ values) => values.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);

/**
 * How many of the hidden values, or on the way back of the slopes, are exactly 0, with the activation and with ReLU.
 * @param {Run} run
 */
export function zerosOf({ net, z, zeros }) {
  const pass = net.isBackward ? 1 : 0;
  return { all: z.length, own: zeros.own[pass], relu: zeros.relu[pass] };
}

/**
 * Parameters, operations, bytes. A multiply-add is two operations; float32 has four bytes.
 * @param {{ d: number, hidden: number, tokens: number }} net
 */
export function countsOf({ d, hidden, tokens }) {
  const parameters = 2 * d * hidden + hidden + d;
  return {
    parameters,
    forward: 4 * d * hidden,
    backward: 8 * d * hidden,
    activations: hidden,
    weightBytes: 4 * parameters,
    keptBytes: 4 * tokens * (d + hidden),
  };
}

/** Pre-activations beyond this are in no bin. */
const FAR = 1e6;

/**
 * How many pre-activations lie in each interval, and of how many the result is exactly 0. 0 is the upper end of an interval:
 * there ReLU and its slope are 0 as on its left.
 * @param {Run} run
 * @param {number} width of an interval
 * @returns {{ from: number, count: number, zeros: number }[]} those that are not empty, in order
 */
export function binsOf(run, width) {
  const results = run.net.isBackward ? run.slope : run.a;
  /** @type {Map<number, { count: number, zeros: number }>} */
  const bins = new Map();
  run.z.forEach((value, i) => {
    if (!(Math.abs(value) < FAR)) return;
    const index = Math.ceil(value / width) - 1;
    const bin = bins.get(index) ?? { count: 0, zeros: 0 };
    bin.count += 1;
    if (results[i] === 0) bin.zeros += 1;
    bins.set(index, bin);
  });
  return [...bins].sort(([a], [b]) => a - b).map(([index, bin]) => ({ from: index * width, ...bin }));
}
