/** Figure `errors`: what the two approximations miss, absolutely and relatively, for the value and the derivative. */

import { mountFigure } from "../components/figure.js";
import { fixed, percent, readable, scientific } from "../components/numbers.js";
import { bilingualText } from "../i18n/labels.js";
import { asymptote, decadeAxis, extent, fitted, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { clearNames, takenBy } from "./clear.js";
import { PRIMES } from "./orders.js";
import { closeInOnZeros, evaluator, evenly, parametersOf } from "./sampling.js";

/** @typedef {import("../components/figure.js").Context} Context */

const APPROXIMATIONS = ["gelu_sigmoid", "gelu_tanh"];
const EXACT = "gelu";

/** Decades on the log axis: absolute errors fade out, relative ones grow without bound to the left. */
/** @type {Record<string, [number, number]>} */
const DECADES = { absolute: [-8, -1], relative: [-6, 4] };
/** The bound that circulates for the sigmoid form, drawn where it is claimed. */
const CLAIM = { y: 0.003, from: -4, to: 4 };
/** A relative error beyond this many times the true value leaves the linear plot. */
const LINEAR_LIMIT = 1.5;

const rangeOf = (/** @type {Context} */ { state }) => visibleRange(state, [-6, 6]);

/** @param {Context} context */
function options({ state }) {
  return {
    relative: state["errors.kind"] === "relative",
    logarithmic: state["errors.scale"] === "log",
    order: Number(state["errors.order"]),
  };
}

/**
 * approximation − exact.
 * @param {Context} context
 * @param {string} id
 * @returns {(xs: Float64Array) => Float64Array}
 */
function difference(context, id) {
  const { order } = options(context);
  const approximation = evaluator(context.gelu, context.state, id, order);
  const exact = evaluator(context.gelu, context.state, EXACT, order);
  return (xs) => {
    const b = exact(xs);
    return approximation(xs).map((a, i) => a - b[i]);
  };
}

/**
 * What the figure shows: the difference; or, relative, │approximation − exact│ / │exact│, NaN where exact is 0.
 * @param {Context} context
 * @param {string} id
 * @returns {(xs: Float64Array) => Float64Array}
 */
function errorOf(context, id) {
  const { order, relative } = options(context);
  const absolute = difference(context, id);
  if (!relative) return absolute;
  const exact = evaluator(context.gelu, context.state, EXACT, order);
  return (xs) => {
    const b = exact(xs);
    return absolute(xs).map((error, i) => (b[i] === 0 ? Number.NaN : Math.abs(error / b[i])));
  };
}

/**
 * The error of one form as a curve; its exponent on the log axis, where an error of 0 is a gap.
 * @param {Context} context
 * @param {string} fn
 * @param {Float64Array} points
 * @returns {{ x: Float64Array, y: Float64Array }}
 */
function traceError(context, fn, points) {
  const { relative, logarithmic, order } = options(context);
  const error = errorOf(context, fn);
  // A relative error has no bound where the exact value changes its sign.
  const withPoles = relative ? closeInOnZeros(evaluator(context.gelu, context.state, EXACT, order), points) : points;
  if (!logarithmic) return { x: withPoles, y: error(withPoles) };
  const x = closeInOnZeros(difference(context, fn), withPoles);
  return { x, y: error(x).map((value) => (value === 0 ? Number.NaN : Math.log10(Math.abs(value)))) };
}

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { width, height, nameOf, text } = context;
  const { relative, logarithmic, order } = options(context);
  const [from, to] = rangeOf(context);
  const { margins, labels } = layout(width);
  const plotHeight = height - margins.top - margins.bottom;
  const xs = evenly(from, to, Math.max(2, Math.round((width - margins.left - margins.right) * context.density)));
  const curves = APPROXIMATIONS.map((fn) => ({ fn, ...traceError(context, fn, xs), name: `${nameOf(fn)}${PRIMES[order]}` }));
  const marks = relative ? [] : maximumMarks(context, from, to);
  const claims =
    !relative && logarithmic && order === 0 ? [{ ...CLAIM, y: Math.log10(CLAIM.y), text: [text("claimedBound"), "0.003"] }] : [];
  return fitted({
    x: xAxis(from, to, width - margins.left - margins.right),
    y: logarithmic
      ? decadeAxis(...decades(curves, relative, labels === "inside"), plotHeight)
      : linearAxis(...linearBounds(curves, relative), plotHeight),
    curves,
    lines: [
      zeroLine("x"),
      ...(logarithmic ? [] : [zeroLine("y")]),
      ...(logarithmic && relative ? [asymptote(0, text("hundredPercent"))] : []),
    ],
    claims,
    marks,
    margins,
    labels,
    names: labels === "inside" ? clearNames(curves, takenBy({ marks, claims })) : undefined,
  });
}

/**
 * Decades that hold the largest error of either form, and three below the smaller of the two maxima.
 * @param {{ y: Float64Array }[]} curves exponents
 * @param {boolean} relative
 * @param {boolean} named inside the plot, which has a decade more for that
 * @returns {[number, number]}
 */
function decades(curves, relative, named) {
  const [low, high] = DECADES[relative ? "relative" : "absolute"];
  if (relative) return [low, high];
  const drawn = curves.filter(({ y }) => y.some(Number.isFinite));
  const finite = drawn.map((curve) => extent([curve], 0)[1]);
  return [
    Math.max(-20, Math.min(low, ...finite.map((value) => Math.floor(value) - 3))),
    Math.max(high, ...finite.map(Math.ceil)) + Number(named),
  ];
}

/**
 * @param {{ y: Float64Array }[]} curves
 * @param {boolean} relative
 * @returns {[number, number]}
 */
function linearBounds(curves, relative) {
  const [low, high] = extent(curves, 0.15);
  if (!relative) return [low, high];
  const top = Math.min(high, LINEAR_LIMIT);
  return [-0.06 * top, top];
}

/**
 * The largest absolute error of each form in the visible range.
 * @param {Context} context
 * @param {string} fn
 * @param {number} order
 * @param {number} from
 * @param {number} to
 */
function largest({ gelu, state }, fn, order, from, to) {
  return gelu.maxError(fn, EXACT, { from, to, order: /** @type {0 | 1} */ (order), params: parametersOf(gelu, state, fn) });
}

/**
 * @param {Context} context
 * @param {number} from
 * @param {number} to
 * @returns {import("../scene.js").Mark[]}
 */
function maximumMarks(context, from, to) {
  const { logarithmic, order } = options(context);
  return APPROXIMATIONS.flatMap((fn) => {
    const { error, at } = largest(context, fn, order, from, to);
    // At the edge of the view the error goes on growing: that is no maximum.
    if (!(error > 0) || at === from || at === to) return [];
    const places = mirrored(context, fn, at, error, from, to);
    return places.map(({ x, signed }, i) => ({
      fn,
      x,
      y: logarithmic ? Math.log10(error) : signed,
      place: signed < 0 && !logarithmic ? "below" : "above",
      // One value is enough where both sides share it; the right side has more room.
      text: i === places.length - 1 ? scientific(error, 3) : undefined,
    }));
  });
}

/**
 * The maximum and its mirror image where both are in view and equally large: the errors are even or odd in x.
 * @param {Context} context
 * @param {string} fn
 * @param {number} at
 * @param {number} error
 * @param {number} from
 * @param {number} to
 */
function mirrored(context, fn, at, error, from, to) {
  const f = difference(context, fn);
  return [-Math.abs(at), Math.abs(at)]
    .filter((x) => x >= from && x <= to)
    .map((x) => ({ x, signed: f(Float64Array.of(x))[0] }))
    .filter(({ signed }) => Math.abs(Math.abs(signed) - error) <= 1e-6 * error);
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const { gelu, state, bilingualText } = context;
  const { relative, order } = options(context);
  const at = Float64Array.of(state.x);
  const exact = evaluator(gelu, state, EXACT, order)(at)[0];
  const suffix = PRIMES[order];
  const rows = APPROXIMATIONS.map((fn) => {
    const value = evaluator(gelu, state, fn, order)(at)[0];
    const error = errorOf(context, fn)(at)[0];
    const shown = relative ? share(error) : scientific(error, 3);
    return {
      name: fn,
      fn,
      suffix,
      value,
      text: readable(value),
      note: {
        name: `${fn}.error`,
        value: error,
        text: bilingualText(relative ? "relativeErrorIs" : "errorIs", { error: shown }),
      },
    };
  });
  return [{ name: EXACT, fn: EXACT, suffix, value: exact, text: readable(exact) }, ...rows.reverse()];
}

/** A relative error: in percent, or as how many times as large, as the axis has it, from ten times on. */
function share(/** @type {number} */ error) {
  const size = Math.abs(error);
  if (!(size >= 10)) return percent(error);
  return `${size < 1000 ? fixed(error, 1) : scientific(error, 3)}\u202f×`;
}

/**
 * @param {Context} context
 * @param {Float64Array} [xs]
 * @returns {import("../components/figure.js").DataTable}
 */
function table(context, xs = tablePoints(rangeOf(context))) {
  const { gelu, state, nameOf, text } = context;
  const { order, relative } = options(context);
  const values = (/** @type {string} */ fn) => evaluator(gelu, state, fn, order)(xs);
  return {
    xs,
    columns: [
      { name: `${nameOf(EXACT)}${PRIMES[order]}`, fn: EXACT, values: values(EXACT) },
      ...[...APPROXIMATIONS].reverse().flatMap((fn) => [
        { name: `${nameOf(fn)}${PRIMES[order]}`, fn, values: values(fn) },
        {
          name: `${text(relative ? "relativeError" : "absoluteError")}, ${nameOf(fn)}`,
          values: errorOf(context, fn)(xs).map(Math.abs),
        },
      ]),
    ],
  };
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const errors = {
  name: "errors",
  parameters: [
    { name: "kind", kind: "choice", value: "absolute", choices: ["absolute", "relative"] },
    { name: "scale", kind: "choice", value: "log", choices: ["log", "linear"] },
    { name: "order", kind: "choice", value: "0", choices: ["0", "1"] },
  ],
  range: rangeOf,
  unit(context) {
    const { relative, logarithmic, order } = options(context);
    const parts = [
      bilingualText(relative ? "relativeError" : "absoluteError"),
      bilingualText(order === 1 ? "ofFirstDerivative" : "ofValue"),
      bilingualText(logarithmic ? "logarithmicScale" : "linearScale"),
    ];
    return { zh: `${parts[1].zh}${parts[0].zh}，${parts[2].zh}`, en: `${parts[0].en} ${parts[1].en}, ${parts[2].en}` };
  },
  scene,
  readouts,
  table,
  cursorPoints(context) {
    const { logarithmic } = options(context);
    return APPROXIMATIONS.map((fn) => {
      const value = errorOf(context, fn)(Float64Array.of(context.state.x))[0];
      return { fn, y: logarithmic ? Math.log10(Math.abs(value)) : value };
    });
  },
  controls: () => [
    {
      kind: "choice",
      key: "errors.kind",
      label: "errorKind",
      options: [
        ["absolute", "absolute"],
        ["relative", "relative"],
      ],
    },
    {
      kind: "choice",
      key: "errors.order",
      label: "shown",
      options: [
        ["0", "value"],
        ["1", "firstDerivative"],
      ],
    },
    {
      kind: "choice",
      key: "errors.scale",
      label: "scale",
      options: [
        ["linear", "linear"],
        ["log", "logarithmic"],
      ],
    },
    { kind: "slider", key: "gelu_sigmoid.k" },
    { kind: "slider", key: "gelu_tanh.cubic" },
  ],
  resets: () => [
    "x",
    "from",
    "to",
    "errors.kind",
    "errors.scale",
    "errors.order",
    "gelu_sigmoid.k",
    "gelu_tanh.cubic",
    "gelu_tanh.scale",
  ],
  mount: (root, deps) => mountFigure(errors, root, deps),
};
