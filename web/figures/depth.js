/** Figure `depth`: how large signal and gradient are after so many layers of random networks, as bands of several seeds. */

import "../i18n/depth.js";
import { wholeNumbers } from "../components/axis.js";
import { mountFigure } from "../components/figure.js";
import { fixed, readable } from "../components/numbers.js";
import { asymptote, decadeAxis, fitted, layout } from "./axes.js";
import { createModel, QUANTITIES, settingsOf } from "./depth/networks.js";
import { sentences, short } from "./depth/text.js";

/** @typedef {import("../components/figure.js").Context} Context */
/** @typedef {import("./depth/networks.js").Band} Band */

const MOST_LAYERS = 48;
/** Decades that are always in view: what hardly differs must look so. */
const LEAST_DECADES = [-2, 1];
const MARGIN = 0.2;
const FUNCTIONS = ["gelu", "relu", "sigmoid", "tanh", "silu", "gelu_tanh", "leaky_relu", "elu"];

const quantityOf = (/** @type {Context} */ { state }) =>
  /** @type {import("./depth/networks.js").Quantity} */ (state["depth.view"]);
const otherOf = (/** @type {Context} */ context) => (quantityOf(context) === "gradient" ? "signal" : "gradient");

/** @param {Context} context */
const drawnOf = ({ data }) => /** @type {import("./depth/networks.js").Drawn} */ (data);

/**
 * @param {Context} context
 * @returns {{ fn: string, band: Band, other: Band }[]}
 */
function bandsNow(context) {
  return Object.entries(drawnOf(context).bands).map(([fn, bands]) => ({
    fn,
    band: bands[quantityOf(context)],
    other: bands[otherOf(context)],
  }));
}

/** Where the cursor is in what is drawn, which may have fewer layers than the state asks for. */
const layerOf = (/** @type {Context} */ context) => Math.min(context.state["depth.layer"], drawnOf(context).settings.layers);

/** On the log axis; NaN is a gap. */
function exponent(/** @type {number} */ size) {
  const value = Math.log10(size);
  return Number.isFinite(value) ? value : Number.NaN;
}

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { width, height, nameOf } = context;
  const { layers } = drawnOf(context).settings;
  const all = bandsNow(context);
  const margins = { ...layout(width).margins, right: gutter(context) };
  return fitted({
    x: layerAxis(context, width - margins.left - margins.right),
    y: decadeAxis(...decades(all), height - margins.top - margins.bottom),
    curves: all.map(({ fn, band }) => ({
      fn,
      x: Float64Array.from({ length: layers + 1 }, (_, i) => i),
      y: Float64Array.from(band.middle, exponent),
      name: hasEnd(band) ? nameOf(fn) : "",
    })),
    lines: [asymptote(0)],
    claims: [],
    marks: lostMarks(context, all),
    own: bandPainter(all),
    margins,
    labels: "gutter",
  });
}

const hasEnd = (/** @type {Band} */ { middle }) => !Number.isNaN(exponent(middle[middle.length - 1]));

/**
 * Where lines end before the last layer, with their names; those that end together have one circle.
 * @param {Context} context
 * @param {{ fn: string, band: Band }[]} all
 * @returns {import("../scene.js").Mark[]}
 */
function lostMarks(context, all) {
  const { nameOf } = context;
  // Before the end of a line that rises or falls there is room, but for the first layers.
  const place = (/** @type {number} */ x) => (x < drawnOf(context).settings.layers / 4 ? "right" : "left");
  /** @type {import("../scene.js").Mark[]} */
  const marks = [];
  for (const { fn, band } of all) {
    if (hasEnd(band)) continue;
    const x = band.middle.findLastIndex((size) => !Number.isNaN(exponent(size)));
    const y = exponent(band.middle[x]);
    const same = marks.find((mark) => mark.x === x && Math.abs(mark.y - y) < 1);
    if (same === undefined) marks.push({ fn, x, y, text: nameOf(fn), place: place(x) });
    else same.text += `, ${nameOf(fn)}`;
  }
  return marks;
}

/** Lines that begin at one point can only be named where they end. */
function gutter(/** @type {Context} */ context) {
  const { labels, margins } = layout(context.width);
  if (labels === "gutter") return margins.right;
  return 18 + Math.max(0, ...bandsNow(context).map(({ fn }) => 8.4 * context.nameOf(fn).length));
}

/**
 * @param {{ band: Band }[]} all
 * @returns {[number, number]}
 */
function decades(all) {
  let [low, high] = LEAST_DECADES;
  for (const { band } of all) {
    for (const value of [...band.low, ...band.high].map(exponent)) {
      // A line that ends on the axis would end under the knob.
      if (value < low + MARGIN) low = Math.floor(value - MARGIN);
      if (value > high) high = Math.ceil(value);
    }
  }
  return [low, high];
}

/**
 * @param {Context} context
 * @param {number} width pixels
 * @returns {import("../scene.js").Axis}
 */
function layerAxis(context, width) {
  const { layers } = drawnOf(context).settings;
  const label = context.text(layers === 1 ? "oneLayer" : "layerCount", { layers }) || String(layers);
  const step = [1, 2, 4, 6, 8, 12].find((each) => (layers / each) * 40 <= width) ?? 12;
  // The last one is the axis' end, and what stands there says so.
  const letters = [...label].reduce((sum, letter) => sum + (letter > "\u2e80" ? 14 : 6.4), 0);
  const room = (layers * (18 + letters)) / width;
  const values = Array.from({ length: Math.ceil(layers / step) }, (_, i) => i * step).filter((value) => value <= layers - room);
  return { min: 0, max: layers, ticks: [...values, layers].map((value) => ({ value, text: String(value) })), label };
}

/**
 * Least to greatest of the networks, below the curves; what is beyond every scale goes to the edge of the plot.
 * @param {{ fn: string, band: Band }[]} all
 * @returns {import("../scene.js").Scene["own"]}
 */
function bandPainter(all) {
  return (painter, frame) => {
    const at = (/** @type {number} */ size) => Math.min(frame.bottom, Math.max(frame.top, frame.y(Math.log10(size))));
    for (const { fn, band } of all) {
      // From where one of the networks has no number there is no band.
      const end = band.low.findIndex(Number.isNaN);
      const edge = (/** @type {number[]} */ sizes) =>
        sizes.slice(0, end < 0 ? undefined : end).map((size, i) => [frame.x(i), at(size)]);
      painter.area([...edge(band.high), ...edge(band.low).reverse()], "band", fn);
    }
  };
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const layer = layerOf(context);
  const other = otherOf(context);
  return bandsNow(context).map(({ fn, band, other: otherBand }) => ({
    name: fn,
    fn,
    value: band.middle[layer],
    text: written(band.middle[layer]),
    note: {
      name: `${fn}.${other}`,
      value: otherBand.middle[layer],
      text: context.bilingualText(other === "signal" ? "theSignal" : "theGradient", { value: short(otherBand.middle[layer]) }),
    },
  }));
}

const written = (/** @type {number} */ value) => (value === 0 ? "0" : readable(value));

/**
 * Every layer: in the table as in the file.
 * @param {Context} context
 * @returns {import("../components/figure.js").DataTable}
 */
function table(context) {
  const { text, nameOf } = context;
  const { layers, seeds } = drawnOf(context).settings;
  const columns = bandsNow(context).flatMap(({ fn, band: { low, middle, high } }) => {
    const name = nameOf(fn);
    if (seeds === 1) return [{ name, fn, values: Float64Array.from(middle) }];
    return [
      { name: text("medianOfNetworks", { name }), fn, values: Float64Array.from(middle) },
      { name: text("leastOf", { name }), values: Float64Array.from(low) },
      { name: text("greatestOf", { name }), values: Float64Array.from(high) },
    ];
  });
  return { axis: text("layersPassed"), xs: Float64Array.from({ length: layers + 1 }, (_, i) => i), columns };
}

/**
 * What is drawn, and of which networks.
 * @param {Context} context
 */
function unit(context) {
  const { layers, width, gain, layerNorm, residual, seeds } = drawnOf(context).settings;
  const isGradient = quantityOf(context) === "gradient";
  const factor = gain === Math.SQRT2 ? "√2" : fixed(Number(gain), 2).replace(/\.?0+$/, "");
  const zh = [
    isGradient ? "梯度的均方根" : "信号的均方根",
    `${layers} 层 × ${width}`,
    gain === "unit" ? "增益各自配" : `增益 ${factor}`,
    ...(layerNorm ? ["LayerNorm"] : []),
    ...(residual ? ["残差"] : []),
    `${seeds} 个网络`,
  ];
  const en = [
    isGradient ? "rms of the gradient" : "rms of the signal",
    `${layers} layer${layers === 1 ? "" : "s"} × ${width}`,
    gain === "unit" ? "matched gains" : `gain ${factor}`,
    ...(layerNorm ? ["LayerNorm"] : []),
    ...(residual ? ["residual path"] : []),
    `${seeds} network${seeds === 1 ? "" : "s"}`,
  ];
  return { zh: zh.join("，"), en: en.join(", ") };
}

const FIRST_FUNCTIONS = ["gelu", "relu", "sigmoid"];
const NUMBERS = { layers: { value: 24, min: 1, max: MOST_LAYERS }, layer: { value: 24, min: 0, max: MOST_LAYERS } };
const SWITCH = { kind: "choice", value: "0", choices: ["0", "1"] };

/** @type {import("../components/figure.js").FigureDefinition["parameters"]} */
const parameters = [
  { name: "view", kind: "choice", value: "gradient", choices: QUANTITIES, settingsOf },
  { name: "fns", kind: "list", value: FIRST_FUNCTIONS, choices: FUNCTIONS },
  { name: "gain", kind: "choice", value: "he", choices: ["one", "he", "unit", "custom"] },
  // GELU is nearly x/2 near zero: there it wants 2.
  { name: "factor", kind: "number", value: 2, min: 0.05, max: 12 },
  { name: "norm", ...SWITCH },
  { name: "residual", ...SWITCH },
  { name: "width", kind: "choice", value: "128", choices: ["32", "64", "128", "256", "512"] },
  { name: "layers", kind: "number", whole: true, ...NUMBERS.layers },
  { name: "seeds", kind: "choice", value: "5", choices: ["1", "3", "5", "9"] },
  { name: "layer", kind: "number", whole: true, ...NUMBERS.layer },
];

const firstState = Object.fromEntries(parameters.map(({ name, value }) => [`depth.${name}`, value]));

/** @type {import("../components/figure.js").FigureDefinition} */
export const depth = {
  name: "depth",
  parameters,
  axis: wholeNumbers({ key: "depth.layer", name: "layerReached", move: "moveLayer", bounds: [0, MOST_LAYERS] }),
  model: createModel,
  isAtHand: (state, { settings, bands }) =>
    JSON.stringify(settingsOf(state)) === JSON.stringify(settings) && Object.keys(bands).join() === state["depth.fns"].join(),
  range: (context) => [0, drawnOf(context).settings.layers],
  unit,
  says: sentences,
  scene,
  readouts,
  table,
  cursorPoints: (context) => bandsNow(context).map(({ fn, band }) => ({ fn, y: exponent(band.middle[layerOf(context)]) })),
  controls: () => [
    {
      kind: "choice",
      key: "depth.view",
      label: "shown",
      options: [
        ["gradient", "gradientBack"],
        ["signal", "signalForward"],
      ],
    },
    {
      kind: "choice",
      key: "depth.gain",
      label: "gainOfWeights",
      options: [
        ["one", 1],
        ["he", "gainHe"],
        ["unit", "gainUnit"],
        ["custom", "gainCustom"],
      ],
    },
    { kind: "slider", key: "depth.factor", label: "gainItself", when: (state) => state["depth.gain"] === "custom" },
    onOff("depth.norm", "layerNorm"),
    onOff("depth.residual", "residualPath"),
    { kind: "functions", key: "depth.fns", label: "functions" },
    { kind: "choice", key: "depth.width", label: "width", options: amounts("width") },
    { kind: "slider", key: "depth.layers", label: "layers" },
    { kind: "choice", key: "depth.seeds", label: "networks", options: amounts("seeds") },
  ],
  resets: () => Object.keys(firstState),
  mount: (root, deps) => mountFigure(depth, root, deps),
};

/**
 * @param {string} key
 * @param {import("../i18n/labels.js").Label} label
 * @returns {import("../components/controls.js").ChoiceSpec}
 */
function onOff(key, label) {
  return {
    kind: "choice",
    key,
    label,
    options: [
      ["0", "off"],
      ["1", "on"],
    ],
  };
}

/**
 * @param {string} name of a parameter whose choices are numbers
 * @returns {[string, number][]}
 */
const amounts = (name) => parameters.find((row) => row.name === name)?.choices.map((/** @type {string} */ n) => [n, Number(n)]);
