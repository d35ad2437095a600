/** Figure `curves`: any functions of the catalogue, their value or a derivative, on one plot. */

import { mountFigure } from "../components/figure.js";
import { fixed, percent, readable, scientific } from "../components/numbers.js";
import { bilingualText } from "../i18n/labels.js";
import { INK } from "../theme.js";
import { asymptote, extent, fitted, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { normalMean } from "./mean.js";
import { ORDER_NAMES, PRIMES } from "./orders.js";
import { evaluator, evenly, extremes, jumpMarks, trace } from "./sampling.js";

/** @typedef {import("../components/figure.js").Context} Context */

/** @typedef {Pick<Context, "variant" | "state">} Shown what decides on the kind of plot */

/** In large type; what is little is not written as nothing. */
const short = (/** @type {number} */ value) =>
  value !== 0 && Math.abs(value) < 0.00005 ? scientific(value, 2) : fixed(value, 4);

const isCompact = (/** @type {Shown} */ { variant }) => variant === "compact";
const orderOf = (/** @type {Shown} */ context) => (isCompact(context) ? 0 : Number(context.state.order));

/** Whether x stands for all of N(0, 1), and each function has a mean. */
export const isNormal = (/** @type {Shown} */ context) =>
  !isCompact(context) && orderOf(context) === 0 && context.state["curves.input"] === "normal";

/** Names at the ends of lines. */
export const namesIn = (/** @type {Shown} */ { variant, state }) =>
  isNormal({ variant, state }) ? 2 * state.fns.length + 1 : state.fns.length;

/** @param {Context} context @param {string} fn */
const meanOf = ({ gelu, state }, fn) => normalMean(gelu, evaluator(gelu, state, fn, 0));

/** @param {Context} context */
function rangeOf({ state, variant, width }) {
  if (variant !== "compact") return visibleRange(state, [-3, 3]);
  const half = width >= 900 ? 4.6 : width >= 560 ? 3.6 : 2.6;
  return visibleRange(state, [-half, half]);
}

/**
 * As long as the reader has not zoomed far, a unit of y is as long as one of x, so that slope 1 looks like 45°; what
 * rises further leaves by the top. Any other range shows every curve whole.
 * @param {number[]} bounds least and largest value
 * @param {[number, number]} range
 * @param {number} plotWidth
 * @param {number} plotHeight
 * @returns {[number, number]}
 */
function equalUnits(bounds, [from, to], plotWidth, plotHeight) {
  const span = ((to - from) * plotHeight) / plotWidth;
  const bottom = Math.min(-0.72, bounds[0] - 0.25);
  return [bottom, bottom + span];
}

/** More lines than this have their names in the gutter, and the hero its readouts below the plot. */
const FEW = 4;

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { state, width, height } = context;
  const order = orderOf(context);
  const range = rangeOf(context);
  const inside = isCompact(context) && state.fns.length <= FEW;
  const { margins, labels } = layout(width, { compact: inside, gutter: isNormal(context) });
  const plotWidth = width - margins.left - margins.right;
  const plotHeight = height - margins.top - margins.bottom;
  const xs = evenly(...range, Math.max(2, Math.round(plotWidth * context.density)));
  const all = state.fns.map((/** @type {string} */ fn) => curveOf(context, fn, xs, inside && width >= 900));
  const [low, high] = heights(context, all.filter(nearTo(all)), range, [plotWidth, plotHeight]);
  const drawn = isNormal(context) ? [...all, ...meanLines(context, range, plotHeight), densityOf(context, xs)] : all;
  const curves = drawn.map((/** @type {import("../scene.js").Curve} */ curve) => pointing(curve, low, high));
  return fitted({
    x: xAxis(...range, width),
    y: { ...linearAxis(low, high, plotHeight, inside ? 110 : 64), labelsAtZero: inside },
    curves,
    lines: [zeroLine("y"), zeroLine("x"), ...asymptotes(state.fns, order, low, high)],
    gap: isCompact(context) && width >= 560 ? { fn: "gelu", upper: "relu", lower: "gelu" } : undefined,
    claims: [],
    marks: order === 0 ? lowestMark(context, xs) : jumpsOf(context, range),
    margins,
    labels,
    own: isNormal(context) ? (painter, frame) => paintCrowd(painter, frame, curves[curves.length - 1]) : undefined,
  });
}

/** Of a name in the gutter. */
export const NAME_HEIGHT = 19;

/**
 * Each function's mean as a level line, with its name where there is room for all.
 * @param {Context} context
 * @param {[number, number]} range
 * @param {number} plotHeight
 * @returns {import("../scene.js").Curve[]}
 */
function meanLines(context, range, plotHeight) {
  const hasRoom = NAME_HEIGHT * namesIn(context) <= plotHeight;
  return context.state.fns.map((/** @type {string} */ fn) => {
    const mean = meanOf(context, fn);
    const name = hasRoom ? context.text("meanIs", { mean: readable(mean) }) : "";
    return { fn, x: Float64Array.from(range), y: Float64Array.of(mean, mean), name };
  });
}

/**
 * Where the inputs are: the bell curve.
 * @param {Context} context
 * @param {Float64Array} x
 * @returns {import("../scene.js").Curve}
 */
const densityOf = ({ gelu, state, text }, x) => ({
  fn: INK,
  x,
  y: evaluator(gelu, state, "normal_cdf", 1)(x),
  name: text("fromNormal"),
});

/**
 * @param {import("../scene.js").Painter} painter
 * @param {import("../scene.js").Frame} frame
 * @param {import("../scene.js").Curve} density
 */
function paintCrowd(painter, frame, { x, y }) {
  const inside = (/** @type {number} */ value) => Math.min(frame.bottom, Math.max(frame.top, frame.y(value)));
  const along = Array.from(x, (each, i) => [frame.x(each), inside(y[i])]);
  painter.area([[frame.left, inside(0)], ...along, [frame.right, inside(0)]], "area", INK);
}

/** So many times the height of GELU's piece a curve may lie off before the plot goes without it. */
const FAR = 40;

/**
 * Whether a curve lies near enough to GELU to be shown with it: at ±0.001 a sigmoid at ½ would flatten all the others.
 * @param {import("../scene.js").Curve[]} curves
 * @returns {(curve: import("../scene.js").Curve) => boolean}
 */
function nearTo(curves) {
  const gelu = curves.find(({ fn }) => fn === "gelu");
  if (gelu === undefined) return () => true;
  const [low, high] = extent([gelu], 0);
  return (curve) => {
    const [lowest, highest] = extent([curve], 0);
    return lowest - high < FAR * (high - low) && low - highest < FAR * (high - low);
  };
}

/**
 * The curve, its name with an arrow where it lies outside the plot.
 * @param {import("../scene.js").Curve} curve
 * @param {number} low
 * @param {number} high
 */
function pointing(curve, low, high) {
  const [lowest, highest] = extent([curve], 0);
  if (lowest <= high && highest >= low) return curve;
  return curve.name === "" ? curve : { ...curve, name: `${curve.name} ${lowest > high ? "↑" : "↓"}` };
}

/**
 * @param {Context} context
 * @param {string} fn
 * @param {Float64Array} xs
 * @param {boolean} withFormula where there is room, and while it says what is drawn: it holds the default parameters
 * @returns {import("../scene.js").Curve}
 */
function curveOf(context, fn, xs, withFormula) {
  const { gelu, state, nameOf, formulaOf } = context;
  const parameters = gelu.catalogue.find(({ id }) => id === fn)?.parameters ?? [];
  const usual = parameters.every(({ name, value }) => state[`${fn}.${name}`] === value);
  const name = `${nameOf(fn)}${PRIMES[orderOf(context)]}`;
  return {
    fn,
    ...trace(evaluator(gelu, state, fn, orderOf(context)), xs),
    name,
    formula: withFormula && usual ? formulaOf(fn) : undefined,
  };
}

/**
 * The least and greatest y. The hero may let a line leave by the top; elsewhere every curve is shown whole.
 * @param {Context} context
 * @param {import("../scene.js").Curve[]} curves
 * @param {[number, number]} range
 * @param {[number, number]} plotSize
 * @returns {[number, number]}
 */
function heights(context, curves, range, plotSize) {
  const [from, to] = range;
  const ends = extent(curves, 0);
  const near = to - from >= 3 && to - from <= 14 && from < 0 && to > 0;
  const equal = equalUnits(ends, range, ...plotSize);
  // Beside a gutter a narrow plot would be more than half empty, and its means one line.
  const wastes = isNormal(context) && equal[1] > 2 * ends[1];
  const fits = near && orderOf(context) === 0 && (isCompact(context) || equal[1] >= ends[1]) && !wastes;
  return fits ? equal : extent(curves, 0.12, 0.06);
}

/**
 * The lowest point of GELU, named where there is room.
 * @param {Context} context
 * @param {Float64Array} xs
 * @returns {import("../scene.js").Mark[]}
 */
function lowestMark({ gelu, state, width, text }, xs) {
  if (!state.fns.includes("gelu")) return [];
  return extremes(evaluator(gelu, state, "gelu", 0), xs)
    .filter(({ kind }) => kind === "min")
    .map(({ x, y }) => ({
      fn: "gelu",
      x,
      y,
      place: "below",
      text: width >= 560 ? text("lowestAt", { y: fixed(y, 2), x: fixed(x, 2) }) : undefined,
    }));
}

/**
 * @param {Context} context
 * @param {[number, number]} range
 * @returns {import("../scene.js").Mark[]}
 */
function jumpsOf(context, [from, to]) {
  const { gelu, state } = context;
  if (from > 0 || to < 0) return [];
  return state.fns.flatMap((/** @type {string} */ fn) => jumpMarks(fn, evaluator(gelu, state, fn, orderOf(context))));
}

const SATURATES_AT_ONE = ["sigmoid", "tanh", "normal_cdf"];

/**
 * @param {string[]} fns
 * @param {number} order
 * @param {number} low
 * @param {number} high
 * @returns {import("../scene.js").Line[]}
 */
function asymptotes(fns, order, low, high) {
  /** @type {import("../scene.js").Line[]} */
  const lines = [];
  const saturates = order === 0 ? fns.some((fn) => SATURATES_AT_ONE.includes(fn)) : order === 1;
  if (saturates && high > 1) lines.push(asymptote(1, "y = 1"));
  if (order === 0 && (fns.includes("tanh") || fns.includes("elu")) && low < -1) {
    lines.push(asymptote(-1, "y = −1"));
  }
  return lines;
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const { gelu, state } = context;
  const at = Float64Array.of(state.x);
  const rows = state.fns.map((/** @type {string} */ fn) => {
    const value = evaluator(gelu, state, fn, orderOf(context))(at)[0];
    return {
      name: fn,
      fn,
      suffix: PRIMES[orderOf(context)],
      value,
      text: isCompact(context) ? short(value) : readable(value),
      note: noteOf(context, fn, value),
    };
  });
  return context.variant === "" && orderOf(context) === 0 ? [...rows, ...gapRow(context)] : rows;
}

/**
 * What ReLU lets through and GELU does not: │x│Φ(−│x│), from the tail itself and not as a difference.
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function gapRow({ gelu, state }) {
  if (!state.fns.includes("gelu") || !state.fns.includes("relu")) return [];
  const size = Math.abs(state.x);
  const value = size * gelu.evaluate("normal_cdf", Float64Array.of(-size))[0];
  return [{ name: "gap", fn: "", label: "ReLU − GELU", value, text: readable(value) }];
}

/**
 * What the value means, in the hero; elsewhere the function's mean, where there is one.
 * @param {Context} context
 * @param {string} fn
 * @param {number} value
 */
function noteOf(context, fn, value) {
  const { gelu, state, bilingualText } = context;
  if (isNormal(context)) {
    const mean = meanOf(context, fn);
    return { name: `mean.${fn}`, value: mean, text: bilingualText("meanIs", { mean: readable(mean) }) };
  }
  if (!isCompact(context)) return undefined;
  if (fn === "gelu") {
    const share = gelu.evaluate("normal_cdf", Float64Array.of(state.x))[0];
    return { name: "share", value: share, text: bilingualText("letThrough", { share: percent(share) }) };
  }
  if (fn === "relu") return { text: bilingualText(value > 0 ? "passesWhole" : "stopped") };
  return fn === "sigmoid" ? { text: bilingualText("squeezed") } : undefined;
}

/**
 * @param {Context} context
 * @param {Float64Array} [xs]
 * @returns {import("../components/figure.js").DataTable}
 */
function table(context, xs = tablePoints(rangeOf(context))) {
  const { gelu, state, nameOf } = context;
  const columns = state.fns.map((/** @type {string} */ fn) => ({
    name: `${nameOf(fn)}${PRIMES[orderOf(context)]}`,
    fn,
    values: evaluator(gelu, state, fn, orderOf(context))(xs),
  }));
  return { xs, columns: isNormal(context) ? [...columns, ...normalColumns(context, xs)] : columns };
}

/**
 * The lines that inputs from N(0, 1) add to the plot.
 * @param {Context} context
 * @param {Float64Array} xs
 * @returns {import("../components/figure.js").DataTable["columns"]}
 */
function normalColumns(context, xs) {
  const means = context.state.fns.map((/** @type {string} */ fn) => ({
    name: context.text("functionMean", { name: context.nameOf(fn) }),
    fn,
    values: new Float64Array(xs.length).fill(meanOf(context, fn)),
  }));
  return [...means, { name: "φ(x)", values: densityOf(context, xs).y }];
}

/** @type {import("../components/controls.js").ControlSpec} */
export const INPUT = {
  kind: "choice",
  key: "curves.input",
  label: "input",
  options: [
    ["one", "oneX"],
    ["normal", "fromNormal"],
  ],
};

/** @type {import("../components/figure.js").FigureDefinition} */
export const curves = {
  name: "curves",
  parameters: [{ name: "input", kind: "choice", value: "one", choices: ["one", "normal"] }],
  range: rangeOf,
  unit: (context) => bilingualText(ORDER_NAMES[orderOf(context)]),
  scene,
  readouts,
  table,
  cursorPoints: (context) =>
    readouts(context)
      .filter(({ fn }) => fn !== "")
      .map(({ fn, value }) => ({ fn, y: value })),
  controls: (context) =>
    isCompact(context)
      ? []
      : [
          { kind: "functions", key: "fns", label: "functions" },
          { kind: "window", label: "window", options: [0.001, 1, 3, 50], own: 3 },
          INPUT,
        ],
  resets: () => ["x", "from", "to", "fns", "order", "curves.input"],
  mount: (root, deps) => mountFigure(curves, root, deps),
};
