/** Figure `gates`: the three gates Φ(x), σ(kx) and the step, alone, then times x. */

import { mountFigure } from "../components/figure.js";
import { fixed, readable } from "../components/numbers.js";
import { bilingualText } from "../i18n/labels.js";
import { asymptote, extent, fitted, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { evaluator, evenly, jumpMarks, trace } from "./sampling.js";

/** @typedef {import("../components/figure.js").Context} Context */

const rangeOf = (/** @type {Context} */ { state }) => visibleRange(state, [-4, 4]);
const gated = (/** @type {Context} */ { state }) => state["gates.view"] === "gated";

/**
 * The gates and what each lets through. The step is ReLU's derivative, so it wears ReLU's colour; σ(kx) that of the
 * sigmoid form of GELU, and its k.
 * @param {Context} context
 * @returns {{ fn: string, readout: string, name: string, f: (xs: Float64Array) => Float64Array }[]}
 */
function lines(context) {
  return allLines(context).filter(({ fn }) => fn !== "gelu_sigmoid" || !isPlain(context));
}

/** Before the reader has met σ the figure shows Φ and the step alone. */
const isPlain = (/** @type {{ variant: string }} */ { variant }) => variant === "plain";

/** @param {Context} context */
function allLines(context) {
  const { gelu, state, text, nameOf } = context;
  const k = state["gelu_sigmoid.k"];
  if (gated(context)) {
    return ["gelu", "gelu_sigmoid", "relu"].map((fn) => ({
      fn,
      readout: fn,
      name: nameOf(fn),
      f: evaluator(gelu, state, fn, 0),
    }));
  }
  return [
    { fn: "normal_cdf", readout: "normal_cdf", name: nameOf("normal_cdf"), f: evaluator(gelu, state, "normal_cdf", 0) },
    {
      fn: "gelu_sigmoid",
      readout: "gate",
      name: `σ(${fixed(k, 3).replace(/\.?0+$/, "")}x)`,
      f: (xs) => gelu.evaluate("sigmoid", xs, { params: { k } }),
    },
    { fn: "relu", readout: "step", name: text("step"), f: evaluator(gelu, state, "relu", 1) },
  ];
}

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { width, height } = context;
  const [from, to] = rangeOf(context);
  const { margins, labels } = layout(width);
  const xs = evenly(from, to, Math.max(2, Math.round((width - margins.left - margins.right) * context.density)));
  const all = lines(context);
  const curves = all.map(({ fn, name, f }) => ({ fn, name, ...trace(f, xs) }));
  const [low, high] = gated(context) ? extent(curves, 0.1) : [-0.12, 1.12];
  return fitted({
    x: xAxis(from, to, width - margins.left - margins.right),
    y: linearAxis(low, high, height - margins.top - margins.bottom),
    curves,
    lines: [zeroLine("y"), zeroLine("x"), ...(gated(context) ? [] : [asymptote(1)])],
    claims: [],
    marks: from <= 0 && to >= 0 ? all.flatMap(({ fn, f }) => jumpMarks(fn, f)) : [],
    margins,
    labels,
  });
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const at = Float64Array.of(context.state.x);
  const rows = lines(context).map(({ fn, readout, name, f }) => {
    const value = f(at)[0];
    return { name: readout, fn, label: name, value, text: readable(value) };
  });
  if (isPlain(context)) return rows;
  const [normal, logistic] = rows;
  const difference = logistic.value - normal.value;
  const label = `${logistic.label} − ${normal.label}`;
  return [...rows, { name: "difference", fn: "", label, value: difference, text: readable(difference) }];
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const gates = {
  name: "gates",
  parameters: [{ name: "view", kind: "choice", value: "gate", choices: ["gate", "gated"] }],
  range: rangeOf,
  unit: (context) => bilingualText(gated(context) ? "gateTimesX" : "gateAlone"),
  scene,
  readouts,
  table(context, xs = tablePoints(rangeOf(context))) {
    return { xs, columns: lines(context).map(({ fn, name, f }) => ({ name, fn, values: f(xs) })) };
  },
  cursorPoints: (context) =>
    readouts(context)
      .filter(({ fn }) => fn !== "")
      .map(({ fn, value }) => ({ fn, y: value })),
  controls: ({ variant }) => [
    {
      kind: "choice",
      key: "gates.view",
      label: "shown",
      options: [
        ["gate", "gateAlone"],
        ["gated", "gateTimesX"],
      ],
    },
    ...(isPlain({ variant }) ? [] : [/** @type {const} */ ({ kind: "slider", key: "gelu_sigmoid.k" })]),
  ],
  resets: () => ["x", "from", "to", "gates.view", "gelu_sigmoid.k"],
  mount: (root, deps) => mountFigure(gates, root, deps),
};
