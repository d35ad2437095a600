/** Figure `curves` in full: any functions at several orders, plot above plot, and what one has more than another. */

import "../i18n/playground.js";
import { PAGE_X } from "../components/axis.js";
import { mountFigure } from "../components/figure.js";
import { readable } from "../components/numbers.js";
import { functionNames } from "../i18n/functions.js";
import { bilingualText } from "../i18n/labels.js";
import { INK } from "../theme.js";
import { extent, fitted, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { curves, INPUT, NAME_HEIGHT, namesIn } from "./curves.js";
import { ORDER_NAMES, PRIMES } from "./orders.js";
import { createComparison, createOrders, createParameters, ordersOf } from "./playground/controls.js";
import { differenceOf, isComparing, largestDifference, NONE } from "./playground/difference.js";
import { createPresets } from "./playground/presets.js";
import { evenly, jumpMarks, trace } from "./sampling.js";

/**
 * @typedef {import("../components/figure.js").Context} Context
 * @typedef {import("../scene.js").Scene} Scene
 * @typedef {{ order: number, isDifference: boolean, inner: number, title?: string }} Panel inner: its height
 */

const rangeOf = (/** @type {Context} */ { state }) => visibleRange(state, [-6, 6]);

/**
 * What the figure of one order shows, with this figure's range.
 * @param {Context} context
 * @param {number} order
 * @returns {Context}
 */
function ofOrder(context, order) {
  const [from, to] = rangeOf(context);
  return { ...context, variant: "full", state: { ...context.state, from, to, order: String(order) } };
}

const differenceName = (/** @type {Context} */ { state, nameOf }, /** @type {number} */ order) =>
  [state["curves.a"], state["curves.b"]].map((fn) => `${nameOf(fn)}${PRIMES[order]}`).join(" −\u00a0");

const largest = (/** @type {Context} */ context, /** @type {number} */ order) =>
  largestDifference(context, order, rangeOf(context));

// ---------- where the plots are ----------

/** Pixels: the inner height of an order alone, of one among several, of a difference; between two plots. */
const WIDE = { alone: 300, several: 190, difference: 84, gap: 44 };
const NARROW = { alone: 220, several: 150, difference: 72, gap: 42 };
/** Above the first plot there is the cursor's flag, and, of several orders, the name of the first. */
const FLAG = 28;
const NAME = 18;
const AXIS = 44;
/** More names than this do not fit between the curves of a narrow plot, nor do they in one that is low. */
const FEW = 4;
/**
 * @param {import("../state.js").State} state
 * @param {boolean} isNarrow
 * @returns {{ panels: Panel[], top: number, gap: number, height: number }} height: of all of it
 */
function plan(state, isNarrow) {
  const { alone, several, difference, gap } = isNarrow ? NARROW : WIDE;
  const orders = ordersOf(state);
  const least = orders.length > 1 ? several : alone;
  const innerOf = (/** @type {number} */ order) => {
    const names = namesIn({ variant: "full", state: { ...state, order: String(order) } });
    return names > FEW ? Math.max(least, NAME_HEIGHT * names) : least;
  };
  const panels = orders.flatMap((order) => [
    { order, isDifference: false, inner: innerOf(order) },
    ...(isComparing(state) ? [{ order, isDifference: true, inner: difference }] : []),
  ]);
  const top = FLAG + (orders.length > 1 ? NAME : 0);
  const height = panels.reduce((sum, panel) => sum + panel.inner + gap, top + AXIS - gap);
  return { panels, top, gap, height };
}

/** Below this a plot shows nothing. */
const LEAST = 8;

/**
 * The panels with their top and bottom, in whatever height there is.
 * @param {Context} context
 */
function placed({ state, width, height }) {
  const { panels, top, gap, height: wanted } = plan(state, layout(width).labels === "inside");
  const all = panels.reduce((sum, { inner }) => sum + inner, 0);
  let at = top;
  return panels.map((panel) => {
    const inner = Math.max(LEAST, Math.floor(panel.inner + ((height - wanted) * panel.inner) / all));
    const place = { ...panel, top: at, bottom: at + inner };
    at += inner + gap;
    return place;
  });
}

/** @typedef {ReturnType<typeof placed>[number]} Place */

// ---------- the plots ----------

/**
 * @param {Context} context
 * @returns {Scene}
 */
function scene(context) {
  const places = placed(context);
  const scenes = places.map((place) => (place.isDifference ? differenceScene(context, place) : functionsScene(context, place)));
  // One x for all: the widest numbers on the left and the longest names on the right decide.
  const left = Math.max(...scenes.map(({ margins }) => margins.left));
  const right = Math.max(...scenes.map(({ margins }) => margins.right));
  const last = places.length - 1;
  const [lowest, ...above] = scenes
    .map((each, i) => ({
      ...each,
      x: i === last ? each.x : { ...each.x, ticks: [], label: undefined },
      own: ownPainter(context, places, i, each),
      margins: { left, right, top: places[i].top, bottom: i === last ? AXIS : context.height - places[i].bottom },
    }))
    .reverse();
  return { ...lowest, above: above.reverse() };
}

const heightOf = (/** @type {Place} */ { top, bottom }) => bottom - top;

/**
 * @param {Context} context
 * @param {Place} place
 * @returns {Scene}
 */
function functionsScene(context, place) {
  const drawn = curves.scene({ ...ofOrder(context, place.order), height: heightOf(place) + FLAG + AXIS });
  const hasRoom = drawn.curves.length <= FEW && heightOf(place) >= NARROW.alone;
  if (drawn.labels === "gutter" || hasRoom) return drawn;
  const longest = Math.max(0, ...drawn.curves.map(({ name }) => name.length));
  return { ...drawn, labels: "gutter", margins: { ...drawn.margins, right: 18 + 8.4 * longest } };
}

/**
 * @param {Context} context
 * @param {Place} place
 * @returns {Scene}
 */
function differenceScene(context, { order, ...place }) {
  const { width } = context;
  const [from, to] = rangeOf(context);
  const { margins } = layout(width);
  const inner = width - margins.left - margins.right;
  const f = differenceOf(context, order);
  const xs = evenly(from, to, Math.max(2, Math.round(inner * context.density)));
  const curve = { fn: INK, ...trace(f, xs), name: "" };
  const height = heightOf({ order, ...place });
  return fitted({
    x: xAxis(from, to, inner),
    y: linearAxis(...extent([curve, { y: Float64Array.of(0) }], 0.25, 0.3), height, 28),
    curves: [curve],
    lines: [zeroLine("y"), zeroLine("x")],
    claims: [],
    marks: [...largestMarks(context, order), ...(from <= 0 && to >= 0 ? jumpMarks(INK, f) : [])],
    margins,
    labels: "gutter",
  });
}

/**
 * @param {Context} context
 * @param {number} order
 * @returns {import("../scene.js").Mark[]}
 */
function largestMarks(context, order) {
  return largest(context, order).places.map(({ x, signed }) => ({ fn: INK, x, y: signed }));
}

/**
 * The name of a plot above it, the cursor's line on its way from the plot before, the difference as an area.
 * @param {Context} context
 * @param {Place[]} places
 * @param {number} i
 * @param {Scene} drawn
 * @returns {Scene["own"]}
 */
function ownPainter(context, places, i, drawn) {
  const { order, isDifference } = places[i];
  const isOneOfSeveral = ordersOf(context.state).length > 1;
  const name = isDifference ? differenceName(context, order) : isOneOfSeveral ? context.text(ORDER_NAMES[order]) : "";
  // The circles on the curve are where; the curve leaves no room for it there.
  const bound = isDifference ? context.text("atMost", { error: readable(largest(context, order).error) }) : "";
  return (painter, frame, cursor) => {
    drawn.own?.(painter, frame, cursor);
    if (isDifference) {
      const inside = (/** @type {number} */ y) => Math.min(frame.bottom, Math.max(frame.top, frame.y(y)));
      const [{ x, y }] = drawn.curves;
      const points = Array.from(x, (each, n) => [frame.x(each), inside(y[n])]).filter(([, pixel]) => !Number.isNaN(pixel));
      const zero = inside(0);
      if (points.length > 0) painter.area([[points[0][0], zero], ...points, [points[points.length - 1][0], zero]], "gap", INK);
    }
    const at = cursor === null ? Number.NaN : frame.x(cursor.x);
    if (i > 0 && at >= frame.left && at <= frame.right) {
      painter.line(
        [
          [at, places[i - 1].bottom],
          [at, frame.top],
        ],
        "cursor",
      );
    }
    const y = frame.top - (i === 0 ? 10 + NAME : 15);
    painter.text(frame.left, y, name, "val", "start");
    const from = frame.left + painter.width(name, "val") + 14;
    if (from + painter.width(bound, "formula") <= context.width) painter.text(from, y, bound, "formula", "start");
  };
}

// ---------- numbers ----------

/**
 * Of several orders the derivatives say which they are: gelu, gelu.1, gelu.2.
 * @param {Context} context
 * @param {string} name
 * @param {number} order
 */
const nameOfReadout = ({ state }, name, order) => (ordersOf(state).length > 1 && order > 0 ? `${name}.${order}` : name);

/**
 * @param {Context} context
 * @param {number} order
 */
const valuesAt = (context, order) => curves.readouts(ofOrder(context, order));

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const orders = ordersOf(context.state);
  const values = orders.flatMap((order) =>
    valuesAt(context, order).map((row) => ({ ...row, name: nameOfReadout(context, row.name, order) })),
  );
  return isComparing(context.state) ? [...values, ...orders.flatMap((order) => differenceRows(context, order))] : values;
}

/**
 * The difference at x, and where it is largest.
 * @param {Context} context
 * @param {number} order
 * @returns {import("../components/figure.js").Readout[]}
 */
function differenceRows(context, order) {
  const range = rangeOf(context);
  const name = differenceName(context, order);
  const value = differenceOf(context, order)(Float64Array.of(context.state.x))[0];
  const { error, places } = largest(context, order);
  const sign = places.length > 1 ? "±" : "";
  const at = places.at(-1)?.x ?? Number.NaN;
  const note =
    places.length === 0
      ? { text: bilingualText("equalInView") }
      : {
          name: nameOfReadout(context, "largest.at", order),
          value: at,
          text: bilingualText("largestAt", { x: sign + PAGE_X.text(at, range) }),
        };
  return [
    { name: nameOfReadout(context, "difference", order), fn: "", label: name, value, text: readable(value) },
    { name: nameOfReadout(context, "largest", order), fn: "", label: `max |${name}|`, value: error, text: readable(error), note },
  ];
}

/**
 * @param {Context} context
 * @param {Float64Array} [xs]
 * @returns {import("../components/figure.js").DataTable}
 */
function table(context, xs = tablePoints(rangeOf(context))) {
  const columns = ordersOf(context.state).flatMap((order) => [
    ...curves.table(ofOrder(context, order), xs).columns,
    ...(isComparing(context.state) ? [{ name: differenceName(context, order), values: differenceOf(context, order)(xs) }] : []),
  ]);
  return { xs, columns };
}

/** @param {Context} context */
function cursorPoints(context) {
  return plan(context.state, false).panels.flatMap(({ order, isDifference }, plot) => {
    if (!isDifference) return valuesAt(context, order).map(({ fn, value }) => ({ fn, y: value, plot }));
    return [{ fn: INK, y: differenceOf(context, order)(Float64Array.of(context.state.x))[0], plot }];
  });
}

/** @param {Context} context */
function unit({ state }) {
  const names = ordersOf(state).map((order) => bilingualText(ORDER_NAMES[order]));
  const [first, ...rest] = names.map(({ en }) => en);
  return { zh: names.map(({ zh }) => zh).join("、"), en: [first, ...rest.map((name) => name.toLowerCase())].join(", ") };
}

/**
 * Presets above the plots, and as much height as they need.
 * @type {NonNullable<import("../components/figure.js").FigureDefinition["model"]>}
 */
function createModel({ gelu, store }, { root }) {
  const ids = gelu.catalogue.map(({ id }) => id);
  const presets = createPresets(store, ids);
  root.querySelector(".fig-body")?.before(presets.element);
  update();

  function update() {
    for (const [name, isNarrow] of /** @type {[string, boolean][]} */ ([
      ["--panels-h", false],
      ["--panels-h-narrow", true],
    ]))
      root.style.setProperty(name, `${plan(store.state, isNarrow).height}px`);
    presets.update();
  }

  return {
    data: null,
    update,
    destroy() {
      presets.element.remove();
    },
  };
}

const IDS = Object.keys(functionNames);

/** @type {import("../components/figure.js").FigureDefinition} */
export const playground = {
  ...curves,
  variant: "full",
  least: 320,
  parameters: [
    // None: the page's order.
    { name: "orders", kind: "list", value: [], choices: ["0", "1", "2"] },
    { name: "a", kind: "choice", value: "gelu", choices: IDS },
    { name: "b", kind: "choice", value: "relu", choices: [NONE, ...IDS] },
  ],
  model: createModel,
  range: rangeOf,
  unit,
  scene,
  readouts,
  table,
  cursorPoints,
  controls: () => [
    { kind: "functions", key: "fns", label: "functions" },
    { kind: "own", create: createOrders },
    { kind: "window", label: "window", options: [0.001, 1, 6, 50], own: 6 },
    INPUT,
    { kind: "own", create: createComparison },
    { kind: "own", create: createParameters },
  ],
  resets: (context) => [...curves.resets(context), ...playground.parameters.map(({ name }) => `curves.${name}`)],
  mount: (root, deps) => mountFigure(playground, root, deps),
};
