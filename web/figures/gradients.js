/** Figure `gradients`: first and second derivatives, with the extremes marked and named. */

import { mountFigure } from "../components/figure.js";
import { fixed, readable } from "../components/numbers.js";
import { bilingualText } from "../i18n/labels.js";
import { asymptote, extent, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { ORDER_NAMES } from "./orders.js";
import { evaluator, evenly, extremes, jumpAtZero, trace } from "./sampling.js";

/** @typedef {import("../components/figure.js").Context} Context */

const rangeOf = (/** @type {Context} */ { state }) => visibleRange(state, [-4, 4]);
const orderOf = (/** @type {Context} */ { state }) => Number(state["gradients.order"]);

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { gelu, state, width, height, nameOf } = context;
  const order = orderOf(context);
  const [from, to] = rangeOf(context);
  const { margins, labels } = layout(width);
  const xs = evenly(from, to, Math.max(2, Math.round((width - margins.left - margins.right) * context.density)));
  const curves = state.fns.map((/** @type {string} */ fn) => ({
    fn,
    ...trace(evaluator(gelu, state, fn, order), xs),
    name: nameOf(fn),
  }));
  const [low, high] = extent(curves, 0.2, 0.12);
  return {
    x: xAxis(from, to, width - margins.left - margins.right),
    y: linearAxis(low, high, height - margins.top - margins.bottom),
    curves,
    lines: [zeroLine("y"), zeroLine("x"), ...(order === 1 && high > 1 ? [asymptote(1)] : [])],
    claims: [],
    marks: [...extremeMarks(context, xs), ...jumpMarks(context, from, to)],
    margins,
    labels,
  };
}

/**
 * The extremes of GELU's derivative, with their values; the other curves keep theirs for the readouts.
 * @param {Context} context
 * @param {Float64Array} xs
 * @returns {import("../scene.js").Mark[]}
 */
function extremeMarks(context, xs) {
  const { gelu, state, width, text } = context;
  if (!state.fns.includes("gelu")) return [];
  const found = extremes(evaluator(gelu, state, "gelu", orderOf(context)), xs);
  return found.map(({ x, y, kind }) => {
    const alone = found.filter((other) => other.kind === kind).length === 1;
    const named = alone && width >= 560;
    return {
      fn: "gelu",
      x,
      y,
      place: kind === "max" ? "above" : "below",
      text: named ? text(kind === "max" ? "highestAt" : "lowestAt", { y: fixed(y, 3), x: fixed(x, 2) }) : fixed(y, 3),
    };
  });
}

/**
 * A jump at 0: a full dot where the derivative is (from the left, by our convention), a hollow one where it is not.
 * @param {Context} context
 * @param {number} from
 * @param {number} to
 * @returns {import("../scene.js").Mark[]}
 */
function jumpMarks({ gelu, state }, from, to) {
  if (from > 0 || to < 0) return [];
  return state.fns.flatMap((/** @type {string} */ fn) => {
    const jump = jumpAtZero(evaluator(gelu, state, fn, Number(state["gradients.order"])));
    if (jump === null) return [];
    return [
      { fn, x: 0, y: jump.left, solid: true },
      { fn, x: 0, y: jump.right },
    ];
  });
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
    return { name: fn, fn, suffix: orderOf(context) === 1 ? "′" : "″", value, text: readable(value) };
  });
}

/**
 * @param {Context} context
 * @param {Float64Array} [xs]
 * @returns {import("../components/figure.js").DataTable}
 */
function table(context, xs = tablePoints(rangeOf(context))) {
  const { gelu, state, nameOf } = context;
  const mark = orderOf(context) === 1 ? "′" : "″";
  return {
    xs,
    columns: state.fns.map((/** @type {string} */ fn) => ({
      name: `${nameOf(fn)}${mark}`,
      fn,
      values: evaluator(gelu, state, fn, orderOf(context))(xs),
    })),
  };
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const gradients = {
  name: "gradients",
  parameters: [{ name: "order", kind: "choice", value: "1", choices: ["1", "2"] }],
  range: rangeOf,
  unit: (context) => bilingualText(ORDER_NAMES[orderOf(context)]),
  scene,
  readouts,
  table,
  cursorPoints: (context) => readouts(context).map(({ fn, value }) => ({ fn, y: value })),
  controls: () => [
    {
      kind: "choice",
      key: "gradients.order",
      label: "order",
      options: [
        ["1", "firstDerivative"],
        ["2", "secondDerivative"],
      ],
    },
    { kind: "functions", key: "fns", label: "functions", only: ["gelu", "relu", "sigmoid", "tanh", "silu", "elu"] },
  ],
  resets: () => ["x", "from", "to", "fns", "gradients.order"],
  mount: (root, deps) => mountFigure(gradients, root, deps),
};
