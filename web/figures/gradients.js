/** Figure `gradients`: first and second derivatives, with the extremes marked and named. */

import { mountFigure } from "../components/figure.js";
import { fixed, readable } from "../components/numbers.js";
import { askFirst } from "../components/predict.js";
import { bilingualText } from "../i18n/labels.js";
import { asymptote, extent, fitted, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { ORDER_NAMES, PRIMES } from "./orders.js";
import { evaluator, evenly, extremes, jumpMarks, trace } from "./sampling.js";

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
    name: `${nameOf(fn)}${PRIMES[order]}`,
  }));
  const [low, high] = extent(curves, 0.2, 0.12);
  const marksOfJumps =
    from > 0 || to < 0 ? [] : state.fns.flatMap((/** @type {string} */ fn) => jumpMarks(fn, evaluator(gelu, state, fn, order)));
  return fitted({
    x: xAxis(from, to, width - margins.left - margins.right),
    y: linearAxis(low, high, height - margins.top - margins.bottom),
    curves,
    lines: [zeroLine("y"), zeroLine("x"), ...(order === 1 && high > 1 ? [asymptote(1)] : [])],
    claims: [],
    marks: [...extremeMarks(context, xs), ...marksOfJumps],
    own: order === 1 ? guessPainter(context) : undefined,
    margins,
    labels,
  });
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
  const zeros = orderOf(context) === 2 ? [-Math.SQRT2, Math.SQRT2] : [];
  const inView = zeros.filter((x) => x > xs[0] && x < xs[xs.length - 1]);
  /** @type {import("../scene.js").Mark[]} */
  const crossings = inView.map((x) => ({
    fn: "gelu",
    x,
    y: 0,
    place: "above",
    text: x < 0 ? "−√2" : "√2",
  }));
  /** @type {import("../scene.js").Mark[]} */
  const extremeOnes = found.map(({ x, y, kind }) => {
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
  return [...extremeOnes, ...crossings];
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
    return { name: fn, fn, suffix: PRIMES[orderOf(context)], value, text: readable(value) };
  });
}

/**
 * @param {Context} context
 * @param {Float64Array} [xs]
 * @returns {import("../components/figure.js").DataTable}
 */
function table(context, xs = tablePoints(rangeOf(context))) {
  const { gelu, state, nameOf } = context;
  return {
    xs,
    columns: state.fns.map((/** @type {string} */ fn) => ({
      name: `${nameOf(fn)}${PRIMES[orderOf(context)]}`,
      fn,
      values: evaluator(gelu, state, fn, orderOf(context))(xs),
    })),
  };
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const gradients = {
  name: "gradients",
  parameters: [
    { name: "order", kind: "choice", value: "1", choices: ["1", "2"] },
    // For whoever makes a link: 0 leaves the question out.
    { name: "ask", kind: "choice", value: "1", choices: ["1", "0"] },
  ],
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
    { kind: "functions", key: "fns", label: "functions" },
  ],
  resets: () => ["x", "from", "to", "fns", "gradients.order"],
  *mount(root, deps) {
    const figure = yield* mountFigure(gradients, root, deps);
    if (isAskedFor(root, deps)) return figure;
    const question = askBeforeLooking(root, deps.gelu, (answer) => {
      guess = answer;
      figure.update(["guess"]);
    });
    root.addEventListener("gelu:prompt", question.skip);
    return {
      ...figure,
      update(changed) {
        // Who goes straight to a state of the figure wants to see it.
        if (changed.some((key) => key !== "lang" && key !== "theme" && key !== "x")) question.skip();
        figure.update(changed);
      },
    };
  },
};

// ---------- predict first ----------

/**
 * Whether an address sets what this figure shows, or leads to it: then somebody wants to see it, not to be asked.
 * @param {HTMLElement} root
 * @param {import("../components/figure.js").Dependencies} deps
 */
function isAskedFor(root, { store, place }) {
  const isSet = (/** @type {string} */ key) => String(store.state[key]) !== String(store.table.get(key)?.value);
  const isPlace = place !== "" && (place === root.id || place === root.closest("section")?.id);
  return isPlace || ["from", "to", "fns", "gradients.order", "gradients.ask"].some(isSet);
}

/** @type {import("../components/predict.js").Answer | null} what the reader thought, for as long as the page lives */
let guess = null;

/** The drawing board of the question: the figure's own range. */
const BOARD = { x: /** @type {[number, number]} */ ([-4, 4]), y: /** @type {[number, number]} */ ([-0.43, 1.28]) };

/**
 * Four shapes, of which the second is true.
 * @param {import("../kernels.js").Gelu} gelu
 */
function shapes(gelu) {
  const x = evenly(...BOARD.x, 161);
  const bump = gelu.evaluate("normal_cdf", x, { order: 1 }).map((y) => y * Math.sqrt(2 * Math.PI));
  return /** @type {import("../components/predict.js").Choice[]} */ ([
    { id: "normal_cdf", label: "shapeS", x, y: gelu.evaluate("normal_cdf", x) },
    { id: "gelu", label: "shapeOvershoot", x, y: gelu.evaluate("gelu", x, { order: 1 }) },
    { id: "bump", label: "shapeBump", x, y: bump },
    { id: "relu", label: "shapeStep", x, y: gelu.evaluate("relu", x, { order: 1 }) },
  ]);
}

/**
 * @param {HTMLElement} root
 * @param {import("../kernels.js").Gelu} gelu
 * @param {(answer: import("../components/predict.js").Answer | null) => void} keep
 */
function askBeforeLooking(root, gelu, keep) {
  return askFirst(root, {
    question: "predictGradient",
    choices: shapes(gelu),
    bounds: BOARD,
    answered(answer) {
      keep(answer);
      if (answer === null) return null;
      if (answer.kind === "choice") return bilingualText(answer.id === "gelu" ? "guessedRight" : "guessedWrong", truth(gelu));
      return bilingualText("sketched", { ...truth(gelu), difference: fixed(meanDifference(gelu, answer.points), 2) });
    },
  });
}

/** @param {import("../kernels.js").Gelu} gelu */
function truth(gelu) {
  const [low, high] = extremes((xs) => gelu.evaluate("gelu", xs, { order: 1 }), evenly(...BOARD.x, 801)).map(({ y }) => y);
  return { low: fixed(low, 3), high: fixed(high, 3) };
}

/**
 * @param {import("../kernels.js").Gelu} gelu
 * @param {[number, number][]} points
 */
function meanDifference(gelu, points) {
  const ys = gelu.evaluate(
    "gelu",
    Float64Array.from(points, ([x]) => x),
    { order: 1 },
  );
  return points.reduce((sum, [, y], i) => sum + Math.abs(y - ys[i]), 0) / points.length;
}

/**
 * The guess under the true curves, dashed in ink.
 * @param {Context} context
 * @returns {import("../scene.js").Scene["own"]}
 */
function guessPainter({ gelu }) {
  if (guess === null) return undefined;
  const shown = guess;
  return (painter, frame) => {
    const choice = shown.kind === "choice" ? shapes(gelu).find(({ id }) => id === shown.id) : null;
    const points = shown.kind === "sketch" ? shown.points : Array.from(choice?.x ?? [], (x, i) => [x, choice?.y[i] ?? 0]);
    painter.line(
      points.filter(([x]) => frame.x(x) >= frame.left && frame.x(x) <= frame.right).map(([x, y]) => [frame.x(x), frame.y(y)]),
      "claim-line",
    );
  };
}
