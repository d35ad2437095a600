/** Figure `ffn`: a feed-forward network with all its numbers, forward and backward; what the activation meets in it. */
import { mountFigure } from "../components/figure.js";
import { readable } from "../components/numbers.js";
import { both } from "../i18n/ffn.js";
import { niceStep } from "../scene.js";
import { INK } from "../theme.js";
import { extent, fitted, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { createLaboratory } from "./ffn/laboratory.js";
import { binsOf, netOf, runOf, zerosOf } from "./ffn/run.js";
import { PRIMES } from "./orders.js";
import { evaluator, evenly, jumpMarks, trace } from "./sampling.js";

/**
 * @typedef {import("../components/figure.js").Context} Context
 * @typedef {import("../scene.js").Frame} Frame
 * @typedef {import("../scene.js").Painter} Painter
 */

const rangeOf = (/** @type {Context} */ { state }) => visibleRange(state, [-4, 4]);

const isBackward = (/** @type {Context} */ { state }) => state["ffn.pass"] === "backward";

/**
 * The activation and, to compare, ReLU; on the way back their slopes.
 * @param {Context} context
 */
function lines(context) {
  const { gelu, state, nameOf } = context;
  const order = isBackward(context) ? 1 : 0;
  const chosen = state["ffn.activation"];
  return (chosen === "relu" ? ["relu"] : [chosen, "relu"]).map((fn) => ({
    fn,
    name: `${nameOf(fn)}${PRIMES[order]}`,
    f: evaluator(gelu, state, fn, order),
  }));
}

/** Of the plot's height, what the tallest bar takes. */
const TALLEST = 0.55;

/** Intervals over the visible range: few numbers make few bars. */
const barsFor = (/** @type {number} */ numbers) => (numbers < 1000 ? 24 : 64);

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { width, height } = context;
  const [from, to] = rangeOf(context);
  const { margins, labels } = layout(width);
  const plotWidth = width - margins.left - margins.right;
  const xs = evenly(from, to, Math.max(2, Math.round(plotWidth * context.density)));
  const all = lines(context);
  const curves = all.map(({ fn, name, f }) => ({ fn, name, ...trace(f, xs) }));
  const [low, high] = extent(curves, 0.12);
  const run = runOf(context);
  return fitted({
    x: xAxis(from, to, plotWidth),
    y: linearAxis(low, high, height - margins.top - margins.bottom),
    curves,
    lines: [zeroLine("y"), zeroLine("x")],
    claims: [],
    marks: from <= 0 && to >= 0 ? all.flatMap(({ fn, f }) => jumpMarks(fn, f)) : [],
    margins,
    labels,
    own(painter, frame) {
      if (run === null) return;
      const step = niceStep(to - from, barsFor(run.z.length));
      paintBars(painter, frame, binsOf(run, step), step);
      paintZeros(painter, frame, run, all, labels === "inside");
    },
  });
}

/**
 * How many pre-activations lie where: filled those that come out as something, hollow those that come out as exactly 0.
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {ReturnType<typeof binsOf>} bins
 * @param {number} step
 */
function paintBars(painter, frame, bins, step) {
  const visible = bins.filter(({ from }) => frame.x(from) >= frame.left - 0.5 && frame.x(from + step) <= frame.right + 0.5);
  const most = Math.max(1, ...visible.map(({ count }) => count));
  const unit = ((frame.bottom - frame.top) * TALLEST) / most;
  for (const { from, count, zeros } of visible) {
    const box = (/** @type {number} */ low, /** @type {number} */ high) => {
      const [left, right] = [frame.x(from) + 1, frame.x(from + step) - 1];
      const [bottom, top] = [frame.bottom - low * unit, frame.bottom - high * unit];
      return [
        [left, bottom],
        [left, top],
        [right, top],
        [right, bottom],
      ];
    };
    if (zeros < count) painter.area(box(0, count - zeros), "area", INK);
    if (zeros > 0) painter.line(box(count - zeros, count), "track");
  }
}

/**
 * The count, at the curves' own colours: it is what the bars are there for.
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {import("./ffn/run.js").Run} run
 * @param {{ fn: string, name: string }[]} all
 * @param {boolean} isNarrow how many there are in all is left to the readouts, short of the cursor's line
 */
function paintZeros(painter, frame, run, all, isNarrow) {
  const zeros = zerosOf(run);
  all.forEach(({ fn, name }, i) => {
    const count = i === 0 ? zeros.own : zeros.relu;
    const of = isNarrow ? "" : ` / ${zeros.all}`;
    painter.text(frame.left + 8, frame.top + 16 + 21 * i, `${name} = 0: ${count}${of}`, "lbl-fn", "start", fn);
  });
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const { state, language } = context;
  const at = Float64Array.of(state.x);
  const all = lines(context);
  const rows = all.map(({ fn, name, f }) => {
    const value = f(at)[0];
    return { name: fn, fn, label: name, value, text: readable(value) };
  });
  const run = runOf(context);
  if (run === null) return rows;
  const zeros = zerosOf(run);
  const counts = all.map(({ fn, name }, i) => {
    const value = i === 0 ? zeros.own : zeros.relu;
    const note = { text: both(isBackward(context) ? "slopeZeros" : "exactZeros")[language] };
    return { name: `zeros.${fn}`, fn, label: `${name} = 0`, value, text: `${value} / ${zeros.all}`, note };
  });
  return [...rows, ...counts];
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const ffn = {
  name: "ffn",
  parameters: [
    { name: "preset", kind: "choice", value: "tiny", choices: ["tiny", "bert", "gpt2", "vit"] },
    { name: "activation", kind: "choice", value: "gelu" },
    { name: "pass", kind: "choice", value: "forward", choices: ["forward", "backward"] },
    { name: "view", kind: "choice", value: "network", choices: ["network", "matrices"] },
    { name: "d", kind: "number", value: 4, min: 1, max: 8 },
    { name: "hidden", kind: "number", value: 16, min: 1, max: 32 },
    { name: "tokens", kind: "number", value: 8, min: 1, max: 8 },
    { name: "token", kind: "number", value: 1, min: 1, max: 8 },
    { name: "unit", kind: "number", value: 1, min: 1, max: 3840 },
    { name: "seed", kind: "number", value: 1, min: 0, max: 9999 },
  ],
  range: rangeOf,
  unit({ gelu, state }) {
    const { tokens, hidden } = netOf(gelu, state);
    return both("preActivationsOf", { tokens, hidden });
  },
  scene,
  readouts,
  table(context, xs = tablePoints(rangeOf(context))) {
    const columns = lines(context).map(({ fn, name, f }) => ({ name, fn, values: f(xs) }));
    const run = runOf(context);
    if (run === null) return { xs, columns };
    const sorted = run.z.slice().sort();
    // How many pre-activations are not above x.
    const values = xs.map((x) => {
      const above = sorted.findIndex((z) => z > x);
      return above < 0 ? sorted.length : above;
    });
    return { xs, columns: [...columns, { name: "z ≤ x", values }] };
  },
  cursorPoints: (context) => {
    const at = Float64Array.of(context.state.x);
    return lines(context).map(({ fn, f }) => ({ fn, y: f(at)[0] }));
  },
  controls: () => [],
  resets: () => ["x", "from", "to", ...ffn.parameters.map(({ name }) => `ffn.${name}`)],
  model: (deps, host) => createLaboratory(deps, host),
  isAtHand: (state) => state["ffn.preset"] === "tiny",
  isPressed: (state) => state["ffn.preset"] === "tiny" && state["ffn.view"] === "matrices",
  mount: (root, deps) => mountFigure(ffn, root, deps),
};
