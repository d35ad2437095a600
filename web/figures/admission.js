/** Figure `admission`: a crowd under the normal density, the share of it below x, and what is let through. */
import { mountFigure } from "../components/figure.js";
import { fixed, percent, readable } from "../components/numbers.js";
import { INK } from "../theme.js";
import { tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { evaluator, evenly } from "./sampling.js";

/** @typedef {import("../components/figure.js").Context} Context */
/** @typedef {import("../scene.js").Frame} Frame */
/** @typedef {import("../scene.js").Painter} Painter */

/** Half of the range that is shown before any zoom. */
const WHOLE = 3.6;
const rangeOf = (/** @type {Context} */ { state }) => visibleRange(state, [-WHOLE, WHOLE]);
const PEAK = 0.42;
const BAR = 16;
const BAR_SPACING = 48;
const BARS = 3 * BAR_SPACING + 16;

const at = (/** @type {Context} */ { gelu, state }, /** @type {string} */ fn, order = 0) =>
  evaluator(gelu, state, fn, order)(Float64Array.of(state.x))[0];

/** @type {{ key: string, xs: Float64Array, rows: { size: number, of: number[] } }} */
let lastCrowd = { key: "", xs: new Float64Array(0), rows: { size: 0, of: [] } };

/**
 * The scores of the crowd, as they were drawn; the same seed gives the same people.
 * @param {Context} context
 */
function crowdOf({ gelu, state }) {
  const size = Number(state["admission.crowd"]);
  const key = `${size} ${state["admission.seed"]}`;
  if (lastCrowd.key !== key) {
    const source = gelu.random(Math.floor(state["admission.seed"]));
    lastCrowd = { key, xs: source.normal(size), rows: { size: 0, of: [] } };
    source.free();
  }
  return lastCrowd.xs;
}

/** @param {Context} context */
const countBelow = (context) => crowdOf(context).filter((score) => score < context.state.x).length;

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { gelu, state, width } = context;
  const [from, to] = rangeOf(context);
  const density = evaluator(gelu, state, "normal_cdf", 1);
  const xs = evenly(from, to, Math.max(2, Math.round(width * context.density)));
  return {
    x: xAxis(from, to, width * 0.7),
    y: { min: 0, max: PEAK, ticks: [] },
    curves: [{ fn: INK, x: xs, y: density(xs), name: "" }],
    lines: [zeroLine("x")],
    claims: [],
    marks: [],
    margins: { left: 0, right: 1, top: 28, bottom: 44 + BARS },
    labels: "inside",
    own(painter, frame, cursor) {
      // The crowd stays; what of it is below x follows the cursor.
      const now = cursor === null ? context : { ...context, state: { ...state, x: cursor.x } };
      paintShare(painter, frame, now, density, xs);
      paintCrowd(painter, frame, now);
      paintShares(painter, frame, now);
      paintBars(painter, frame, now);
    },
  };
}

/**
 * The area under the density on the left of x.
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {Context} context
 * @param {(xs: Float64Array) => Float64Array} density
 * @param {Float64Array} xs
 */
function paintShare(painter, frame, { state }, density, xs) {
  const until = Math.min(state.x, xs[xs.length - 1]);
  const inside = Float64Array.of(...xs.filter((x) => x < until), until);
  if (until <= xs[0]) return;
  const ys = density(inside);
  const along = Array.from(inside, (x, i) => [frame.x(x), frame.y(ys[i])]);
  painter.area([[along[0][0], frame.bottom], ...along, [frame.x(until), frame.bottom]], "area", "normal_cdf");
}

/** Of the area under the density, what dots leave free that stand where they must and not side by side. */
const PACKING = 0.72;

/**
 * Everybody as a dot over their own score, in the lowest row with room; a dot is as large as makes the crowd fill the
 * area under the density, and rows move together where chance has piled them higher.
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {Context} context
 */
function paintCrowd(painter, frame, context) {
  const crowd = crowdOf(context);
  const unit = frame.x(1) - frame.x(0);
  const size = Math.sqrt((PACKING * ((frame.bottom - frame.top) / PEAK) * unit) / crowd.length);
  const rows = rowsOf(crowd, size / unit);
  const height = Math.min(size, (frame.bottom - frame.top) / (1 + rows.reduce((most, row) => Math.max(most, row), 0)));
  for (const style of ["p-in", "p-out"])
    crowd.forEach((score, i) => {
      const x = frame.x(score);
      if (x < frame.left || x > frame.right || score < context.state.x !== (style === "p-in")) return;
      painter.circle(x, frame.bottom - (rows[i] + 0.5) * height, size * 0.42, style, "normal_cdf");
    });
}

/**
 * The row of each score, one after the other in the lowest row where no other dot is in the way.
 * @param {Float64Array} scores
 * @param {number} size of a dot, in units of x
 */
function rowsOf(scores, size) {
  if (lastCrowd.rows.size !== size) {
    /** @type {number[][]} */
    const rows = [];
    const of = Array.from(scores, (score) => {
      const free = rows.findIndex((row) => row.every((other) => Math.abs(other - score) >= size));
      if (free < 0) return rows.push([score]) - 1;
      rows[free].push(score);
      return free;
    });
    lastCrowd.rows = { size, of };
  }
  return lastCrowd.rows.of;
}

/** The scale of x before any zoom: what is below the plot does not move with it. */
const ownScale =
  (/** @type {Frame} */ { left, right }) =>
  (/** @type {number} */ x) =>
    left + ((x + WHOLE) / (2 * WHOLE)) * (right - left);

/**
 * Both shares, in words and numbers, where the curve leaves room.
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {Context} context
 */
function paintShares(painter, frame, context) {
  const share = at(context, "normal_cdf");
  const narrow = context.width < 560;
  const own = ownScale(frame);
  const left = own(narrow ? -3.4 : -1.6);
  const right = own(narrow ? 3.4 : 1.6);
  const [below, above] = [context.text("scoreBelow"), context.text("scoreAbove")];
  const cursor = frame.x(context.state.x);
  const low = besideCursor(left, narrow ? "start" : "end", painter.width(below, "lbl-fn"), cursor, frame);
  const high = besideCursor(right, narrow ? "end" : "start", painter.width(above, "val"), cursor, frame);
  painter.text(low.x, frame.top + 40, below, "lbl-fn", low.anchor, "normal_cdf");
  painter.text(low.x, frame.top + 66, percent(share), "big", low.anchor, "normal_cdf");
  painter.text(high.x, frame.top + 40, above, "val", high.anchor);
  painter.text(high.x, frame.top + 60, percent(1 - share), "val", high.anchor);
}

/** Between words and the line of x. */
const CLEAR = 6;

/** From the middle so far the curve is as high as the words are, in units of x. */
const HIGH = 0.8;

/**
 * Where words stand that the line of x would strike: outside of it, or between it and the curve, if there is room.
 * @param {number} x
 * @param {"start" | "end"} anchor
 * @param {number} wide
 * @param {number} cursor
 * @param {Frame} frame
 * @returns {{ x: number, anchor: "start" | "end" }}
 */
function besideCursor(x, anchor, wide, cursor, frame) {
  const from = anchor === "start" ? x : x - wide;
  if (cursor < from - 2 || cursor > from + wide + 2) return { x, anchor };
  const own = ownScale(frame);
  const isLeft = x < own(0);
  const [low, high] = isLeft ? [frame.left, own(-HIGH)] : [own(HIGH), frame.right];
  // Where there is little room rather near to the line than under it.
  const before = Math.max(low, cursor - wide - CLEAR);
  const after = Math.min(high - wide, cursor + CLEAR);
  const fits = [before + wide + 2 <= cursor, after - 2 >= cursor];
  if (fits[0] && (isLeft || !fits[1])) return { x: before, anchor: "start" };
  return fits[1] ? { x: after, anchor: "start" } : { x, anchor };
}

/**
 * Score, share and product as three bars that begin at zero; score and product have the scale of the axis before any zoom.
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {Context} context
 */
function paintBars(painter, frame, context) {
  const { state, text } = context;
  const own = ownScale(frame);
  const zero = own(0);
  const inside = (/** @type {number} */ x) => Math.min(frame.right - 60, Math.max(frame.left + 4, x));
  const top = (/** @type {number} */ row) => frame.bottom + 44 + row * BAR_SPACING;
  const rect = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ y) => [
    [a, y],
    [b, y],
    [b, y + BAR],
    [a, y + BAR],
  ];
  const outline = (/** @type {number[][]} */ corners) => [...corners, corners[0]];
  const labelOf = (
    /** @type {number} */ row,
    /** @type {import("../i18n/labels.js").Label} */ label,
    /** @type {string} */ fn,
  ) => {
    const onRight = state.x < 0 && row !== 1;
    painter.text(onRight ? zero + 12 : zero - 12, top(row) + 13, text(label), "lbl-fn", onRight ? "start" : "end", fn);
  };
  const valueAt = (/** @type {number} */ row, /** @type {number} */ x, /** @type {string} */ value) => {
    const onLeft = state.x < 0 && row !== 1;
    painter.text(onLeft ? x - 8 : x + 8, top(row) + 13, value, "val", onLeft ? "end" : "start");
  };

  const score = inside(own(state.x));
  painter.area(rect(zero, score, top(0)), "bar-ink", INK);
  labelOf(0, "score", INK);
  valueAt(0, score, fixed(state.x, 2));

  const share = at(context, "normal_cdf");
  const full = Math.min(265, frame.right - zero - 60);
  painter.line(outline(rect(zero, zero + full, top(1))), "track");
  painter.area(rect(zero, zero + full * share, top(1)), "fillbar", "normal_cdf");
  labelOf(1, "shareBeaten", "normal_cdf");
  valueAt(1, zero + full, percent(share));

  const through = at(context, "gelu");
  painter.line(outline(rect(zero, score, top(2))), "track dashed");
  painter.area(rect(zero, inside(own(through)), top(2)), "fillbar", "gelu");
  labelOf(2, "letThroughBar", "gelu");
  valueAt(2, score, fixed(through, 4));
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const share = at(context, "normal_cdf");
  const through = at(context, "gelu");
  const size = Number(context.state["admission.crowd"]);
  const below = countBelow(context);
  return [
    { name: "normal_cdf", fn: "normal_cdf", operator: "×", value: share, text: readable(share) },
    { name: "gelu", fn: "gelu", operator: "=", value: through, text: readable(through) },
    {
      name: "crowd",
      fn: "",
      label: context.text("inThisCrowd"),
      value: below / size,
      text: `${below} / ${size} = ${fixed(below / size, 3)}`,
    },
  ];
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const admission = {
  name: "admission",
  parameters: [
    { name: "crowd", kind: "choice", value: "200", choices: ["50", "200", "1000"] },
    { name: "seed", kind: "number", value: 1, min: 1, max: 9999 },
  ],
  range: rangeOf,
  isSum: true,
  least: 400,
  scene,
  readouts,
  table(context, xs = tablePoints(rangeOf(context))) {
    const { gelu, state, nameOf } = context;
    const column = (/** @type {string} */ fn, order = 0) => evaluator(gelu, state, fn, order)(xs);
    return {
      xs,
      columns: [
        { name: "φ(x)", values: column("normal_cdf", 1) },
        { name: nameOf("normal_cdf"), fn: "normal_cdf", values: column("normal_cdf") },
        { name: nameOf("gelu"), fn: "gelu", values: column("gelu") },
      ],
    };
  },
  cursorPoints: () => [],
  controls: () => [
    { kind: "points", key: "x", label: "workedPoints", options: [-2, 0, 2] },
    {
      kind: "choice",
      key: "admission.crowd",
      label: "crowd",
      options: [
        ["50", 50],
        ["200", 200],
        ["1000", 1000],
      ],
    },
    { kind: "next", key: "admission.seed", label: "anotherCrowd" },
  ],
  resets: () => ["x", "from", "to", "admission.crowd", "admission.seed"],
  mount: (root, deps) => mountFigure(admission, root, deps),
};
