/** Figure `curves`: any functions of the catalogue, their value or a derivative, on one plot. */

import { mountFigure } from "../components/figure.js";
import { fixed, percent, readable } from "../components/numbers.js";
import { bilingualText } from "../i18n/labels.js";
import { asymptote, extent, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { ORDER_NAMES } from "./orders.js";
import { evaluator, evenly, extremes, trace } from "./sampling.js";

/** @typedef {import("../components/figure.js").Context} Context */

const isCompact = (/** @type {Context} */ { variant }) => variant === "compact";
const orderOf = (/** @type {Context} */ context) => (isCompact(context) ? 0 : Number(context.state.order));

/** @param {Context} context */
function rangeOf({ state, variant, width }) {
  if (variant !== "compact") return visibleRange(state, [-6, 6]);
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

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { gelu, state, width, height, text, nameOf, formulaOf } = context;
  const compact = isCompact(context);
  const order = orderOf(context);
  const range = rangeOf(context);
  const { margins, labels } = layout(width, { compact });
  const plotWidth = width - margins.left - margins.right;
  const plotHeight = height - margins.top - margins.bottom;
  const xs = evenly(...range, Math.max(2, Math.round(plotWidth * context.density)));
  const withFormula = compact && width >= 900;
  const curves = state.fns.map((/** @type {string} */ fn) => ({
    fn,
    ...trace(evaluator(gelu, state, fn, order), xs),
    name: nameOf(fn),
    formula: withFormula ? formulaOf(fn) : undefined,
  }));
  const bounds = extent(curves, 0.06);
  const [from, to] = range;
  const keepsUnits = compact && order === 0 && to - from >= 3 && to - from <= 14 && from < 0 && to > 0;
  const [low, high] = keepsUnits ? equalUnits(bounds, range, plotWidth, plotHeight) : bounds;
  const lowest = order === 0 && state.fns.includes("gelu") ? extremes(evaluator(gelu, state, "gelu", 0), xs) : [];
  return {
    x: xAxis(from, to, width),
    y: { ...linearAxis(low, high, plotHeight, compact ? 110 : 64), labelsAtZero: compact },
    curves,
    lines: [zeroLine("y"), zeroLine("x"), ...asymptotes(state.fns, order, low, high)],
    gap: compact && width >= 560 && order === 0 ? { fn: "gelu", upper: "relu", lower: "gelu" } : undefined,
    claims: [],
    marks: lowest
      .filter(({ kind }) => kind === "min")
      .map(({ x, y }) => ({
        fn: "gelu",
        x,
        y,
        place: "below",
        text: width >= 560 ? text("lowest", { y: fixed(y, 2), x: fixed(x, 2) }) : undefined,
      })),
    margins,
    labels,
  };
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
  return state.fns.map((/** @type {string} */ fn) => {
    const value = evaluator(gelu, state, fn, orderOf(context))(at)[0];
    return {
      name: fn,
      fn,
      value,
      text: isCompact(context) ? fixed(value, 4) : readable(value),
      note: noteOf(context, fn, value),
    };
  });
}

/**
 * What the value means, in the hero.
 * @param {Context} context
 * @param {string} fn
 * @param {number} value
 */
function noteOf({ gelu, state, variant, bilingualText }, fn, value) {
  if (variant !== "compact") return undefined;
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
    name: nameOf(fn),
    fn,
    values: evaluator(gelu, state, fn, orderOf(context))(xs),
  }));
  return { xs, columns };
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const curves = {
  name: "curves",
  parameters: [],
  range: rangeOf,
  unit: (context) => bilingualText(ORDER_NAMES[orderOf(context)]),
  scene,
  readouts,
  table,
  cursorPoints: (context) => readouts(context).map(({ fn, value }) => ({ fn, y: value })),
  controls: (context) =>
    isCompact(context)
      ? []
      : [
          { kind: "functions", key: "fns", label: "functions" },
          {
            kind: "choice",
            key: "order",
            label: "order",
            options: [
              ["0", "value"],
              ["1", "firstDerivative"],
              ["2", "secondDerivative"],
            ],
          },
          { kind: "window", label: "window", options: [0.001, 1, 6, 50], own: 6 },
          { kind: "parameters" },
        ],
  resets: (context) => (isCompact(context) ? ["x", "from", "to"] : ["x", "from", "to", "fns", "order"]),
  mount: (root, deps) => mountFigure(curves, root, deps),
};
