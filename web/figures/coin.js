/**
 * Figure `coin`: the stochastic reading. x comes in with probability Φ(x), else 0; the mean of the draws walks towards
 * GELU(x). The same lots serve every x, so that the mean is a curve, too.
 */
import "../i18n/coin.js";
import { bilingual, h } from "../components/dom.js";
import { mountFigure } from "../components/figure.js";
import { decimalsOf, fixed, readable } from "../components/numbers.js";
import { bilingualText } from "../i18n/labels.js";
import { INK } from "../theme.js";
import { extent, fitted, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { evaluator, evenly } from "./sampling.js";

/** @typedef {import("../components/figure.js").Context} Context */
/** @typedef {import("../scene.js").Frame} Frame */
/** @typedef {import("../scene.js").Painter} Painter */

const MOST = 10_000;
const DECADES = Math.log10(MOST);
/** Pixels below the axis of x: heading, walk, its axis. */
const WALK = { heading: 46, height: 170, axis: 28 };
/** Room for "mean of 10,000". */
const GUTTER = 128;
/** Between the rows of dots and the edges of the walk. */
const MARGIN = 14;
const BELOW = WALK.heading + WALK.height + WALK.axis;

const rangeOf = (/** @type {Context} */ { state }) => visibleRange(state, [-3, 3]);
const drawsOf = (/** @type {import("../state.js").State} */ state) => state["coin.draws"];

/**
 * 10 000 or 10,000.
 * @param {number} count
 * @param {"zh" | "en"} language
 */
export const grouped = (count, language) => String(count).replace(/\d(?=(\d{3})+$)/g, language === "zh" ? "$&\u202f" : "$&,");

/** @type {{ seed: number, draws: number, lots: Float64Array, sorted: Float64Array }} */
let last = { seed: 0, draws: 0, lots: new Float64Array(0), sorted: new Float64Array(0) };

/**
 * The lots of a seed, as they are drawn, and those drawn so far, sorted: uniform numbers, of which one below Φ(x) lets x in.
 * @param {Context} context
 */
function lotsOf({ gelu, state }) {
  const seed = state["coin.seed"];
  const draws = drawsOf(state);
  if (last.seed !== seed) {
    const source = gelu.random(seed);
    last = { seed, draws: 0, lots: source.uniform(MOST), sorted: last.sorted };
    source.free();
  }
  if (last.draws !== draws) last = { ...last, draws, sorted: last.lots.slice(0, draws).sort() };
  return last;
}

/**
 * How many of sorted numbers lie below a bound.
 * @param {Float64Array} sorted
 * @param {number} bound
 */
function countBelow(sorted, bound) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The mean of the draws so far, at every x.
 * @param {Context} context
 * @param {Float64Array} xs
 */
function meansAt(context, xs) {
  const { sorted } = lotsOf(context);
  return evaluator(
    context.gelu,
    context.state,
    "normal_cdf",
    0,
  )(xs).map((share, i) => {
    return (xs[i] * countBelow(sorted, share)) / sorted.length;
  });
}

/**
 * The spread of one draw, |x|·√(Φ(x)(1 − Φ(x))), at every x; the tail as Φ(−x), which does not cancel.
 * @param {Context} context
 * @param {Float64Array} xs
 */
function deviations({ gelu, state }, xs) {
  const cdf = evaluator(gelu, state, "normal_cdf", 0);
  const above = cdf(xs.map((x) => -x));
  return cdf(xs).map((share, i) => Math.abs(xs[i]) * Math.sqrt(share * above[i]));
}

/**
 * All that there is to say about the draws at x.
 * @param {Context} context
 * @param {number} x
 */
function at(context, x) {
  const { gelu, state } = context;
  const xs = Float64Array.of(x);
  const { lots, sorted } = lotsOf(context);
  const [share] = evaluator(gelu, state, "normal_cdf", 0)(xs);
  const [exact] = evaluator(gelu, state, "gelu", 0)(xs);
  const [deviation] = deviations(context, xs);
  const draws = sorted.length;
  const kept = countBelow(sorted, share);
  return { x, lots, draws, share, exact, deviation, kept, mean: (x * kept) / draws + 0, error: deviation / Math.sqrt(draws) };
}

/** @typedef {ReturnType<typeof at>} Draws */

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { gelu, state, width, height, nameOf } = context;
  const [from, to] = rangeOf(context);
  const { margins: usual, labels } = layout(width);
  const margins = labels === "gutter" ? { ...usual, right: GUTTER } : usual;
  const xs = evenly(from, to, Math.max(2, Math.round((width - margins.left - margins.right) * context.density)));
  const curves = [
    { fn: "gelu", x: xs, y: evaluator(gelu, state, "gelu", 0)(xs), name: nameOf("gelu") },
    { fn: INK, x: xs, y: meansAt(context, xs), name: nameOfMean(context) },
  ];
  const bottom = margins.bottom + BELOW;
  return fitted({
    x: xAxis(from, to, width - margins.left - margins.right),
    y: linearAxis(...extent(curves, 0.08), height - margins.top - bottom),
    curves,
    lines: [zeroLine("x"), zeroLine("y")],
    claims: [],
    marks: [],
    margins: { ...margins, bottom },
    labels,
    own(painter, frame, cursor) {
      paintWalk(painter, frame, context, at(context, cursor?.x ?? state.x), labels === "gutter");
    },
  });
}

/** @param {Context} context */
const nameOfMean = ({ state, text, language }) => text("meanOf", { draws: grouped(drawsOf(state), language) });

/**
 * The mean draw by draw, over the band of one standard error around GELU(x); every draw as a dot, at 0 or at x.
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {Context} context
 * @param {Draws} now
 * @param {boolean} gutter
 */
function paintWalk(painter, frame, context, now, gutter) {
  const top = frame.bottom + 44 + WALK.heading;
  const bottom = top + WALK.height;
  const [low, high] = now.x === 0 ? [-1, 1] : [Math.min(0, now.x), Math.max(0, now.x)];
  const inner = { left: frame.left + 6, right: frame.right - 6, top: top + MARGIN, bottom: bottom - MARGIN };
  /** @type {Frame} */
  const walk = {
    ...inner,
    x: (draw) => inner.left + (Math.log10(draw) / DECADES) * (inner.right - inner.left),
    y: (value) => inner.bottom - ((value - low) / (high - low)) * (inner.bottom - inner.top),
  };
  painter.text(frame.left, top - 20, context.text("walkOfMean"), "val", "start");
  paintBand(painter, walk, now);
  paintDrawAxis(painter, walk, bottom, frame, context.language);
  paintDraws(painter, walk, now);
  paintMean(painter, walk, now);
  paintWords(painter, walk, frame, context, now, gutter);
}

/**
 * @param {Painter} painter
 * @param {Frame} walk
 * @param {Draws} now
 */
function paintBand(painter, walk, { exact, deviation }) {
  const along = Array.from({ length: 41 }, (_, i) => 10 ** ((DECADES * i) / 40));
  const edge = (/** @type {number} */ sign) => (/** @type {number} */ draw) => {
    const y = walk.y(exact + (sign * deviation) / Math.sqrt(draw));
    return [walk.x(draw), Math.max(walk.top - MARGIN, Math.min(walk.bottom + MARGIN, y))];
  };
  painter.area([...along.map(edge(1)), ...along.reverse().map(edge(-1))], "area", "gelu");
  painter.line(
    [
      [walk.left, walk.y(exact)],
      [walk.right, walk.y(exact)],
    ],
    "level",
    "gelu",
  );
}

/**
 * @param {Painter} painter
 * @param {Frame} walk
 * @param {number} y
 * @param {Frame} frame
 * @param {"zh" | "en"} language
 */
function paintDrawAxis(painter, walk, y, { left, right }, language) {
  painter.line(
    [
      [left, y],
      [right, y],
    ],
    "axis",
  );
  for (let draw = 1; draw <= MOST; draw *= 10) {
    const x = walk.x(draw);
    painter.line(
      [
        [x, y],
        [x, y + 5],
      ],
      "tk",
    );
    const anchor = draw === 1 ? "start" : draw === MOST ? "end" : "middle";
    painter.text(x + (draw === 1 ? -4 : draw === MOST ? 4 : 0), y + 22, grouped(draw, language), "tick", anchor);
  }
}

/** Dots of a row stand no closer than this. */
const DOT_GAP = 2.2;

/**
 * @param {Painter} painter
 * @param {Frame} walk
 * @param {Draws} now
 */
function paintDraws(painter, walk, { x, lots, draws, share }) {
  for (const isKept of [true, false]) {
    let end = Number.NEGATIVE_INFINITY;
    for (let draw = 1; draw <= draws; draw++) {
      const left = walk.x(draw);
      if (lots[draw - 1] < share !== isKept || left - end < DOT_GAP) continue;
      end = left;
      painter.circle(left, walk.y(isKept ? x : 0), 2.5, isKept ? "p-in" : "p-out", "normal_cdf");
    }
  }
}

/**
 * @param {Painter} painter
 * @param {Frame} walk
 * @param {Draws} now
 */
function paintMean(painter, walk, { x, lots, draws, share, mean, error }) {
  const points = [];
  let kept = 0;
  for (let draw = 1; draw <= draws; draw++) {
    if (lots[draw - 1] < share) kept++;
    const left = walk.x(draw);
    if (draw === draws || draw === 1 || left - points[points.length - 1][0] >= 0.5)
      points.push([left, walk.y((x * kept) / draw)]);
  }
  if (points.length > 1) painter.line(points, "walk");
  const [left, y] = [walk.x(draws), walk.y(mean)];
  const ends = [mean + error, mean - error].map(walk.y);
  const inside = (/** @type {number} */ end) => Math.max(walk.top - MARGIN, Math.min(walk.bottom + MARGIN, end));
  painter.line(
    ends.map((end) => [left, inside(end)]),
    "walk",
  );
  for (const end of ends) {
    if (inside(end) !== end) continue;
    painter.line(
      [
        [left - 5, end],
        [left + 5, end],
      ],
      "walk",
    );
  }
  painter.circle(left, y, 4.5, "pt", INK);
}

/**
 * What the two rows of dots are, in the gutter where there is one, and the level the mean goes to.
 * @param {Painter} painter
 * @param {Frame} walk
 * @param {Frame} frame
 * @param {Context} context
 * @param {Draws} now
 * @param {boolean} gutter
 */
function paintWords(painter, walk, frame, { text, nameOf, language }, { x, draws, kept, exact }, gutter) {
  const rows =
    x === 0
      ? [{ y: walk.y(0), words: text("drawsAllZero") }]
      : [
          { y: walk.y(x), words: text("letIn", { count: grouped(kept, language) }) },
          { y: walk.y(0), words: text("keptOut", { count: grouped(draws - kept, language) }) },
        ];
  for (const { y, words } of rows) {
    if (gutter && x !== 0) painter.text(frame.right + 12, y + 4.5, words, "tick", "start");
    else painter.text(walk.right, y - 9, words, "val", "end");
  }
  // GELU(x) lies nearer to the upper row for every x, so that there is room below.
  painter.text(walk.right, walk.y(exact) + 20, `${nameOf("gelu")} = ${readable(exact)}`, "lbl-fn", "end", "gelu");
  for (const value of x === 0 ? [0] : [0, x]) {
    painter.text(frame.left - 8, walk.y(value) + 4.5, fixed(value, Math.min(2, decimalsOf(value))), "tick", "end");
  }
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const { text, language } = context;
  const { draws, share, exact, kept, mean, error } = at(context, context.state.x);
  const off = error === 0 ? 0 : Math.abs(mean - exact) / error;
  return [
    { name: "normal_cdf", fn: "normal_cdf", value: share, text: readable(share) },
    {
      name: "coin.kept",
      fn: "",
      label: text("letInOf"),
      value: kept,
      text: `${grouped(kept, language)} / ${grouped(draws, language)}`,
    },
    {
      name: "coin.mean",
      fn: "",
      label: text("meanSoFar"),
      value: mean,
      text: readable(mean),
      note: { name: "coin.error", value: error, text: bilingualText("standardErrorIs", { error: readable(error) }) },
    },
    {
      name: "gelu",
      fn: "gelu",
      value: exact,
      text: readable(exact),
      note: { name: "coin.off", value: off, text: bilingualText("atStandardErrors", { off: fixed(off, 1) }) },
    },
  ];
}

/**
 * @param {Context} context
 * @param {Float64Array} [xs]
 * @returns {import("../components/figure.js").DataTable}
 */
function table(context, xs = tablePoints(rangeOf(context))) {
  const { gelu, state, nameOf, text } = context;
  const root = Math.sqrt(drawsOf(state));
  return {
    xs,
    columns: [
      { name: nameOf("normal_cdf"), fn: "normal_cdf", values: evaluator(gelu, state, "normal_cdf", 0)(xs) },
      { name: nameOfMean(context), values: meansAt(context, xs) },
      { name: text("standardErrorIs", { error: "" }).trim(), values: deviations(context, xs).map((value) => value / root) },
      { name: nameOf("gelu"), fn: "gelu", values: evaluator(gelu, state, "gelu", 0)(xs) },
    ],
  };
}

// ---------- drawing on ----------

/** The first draws of a run come one by one, slowly enough to be followed; then more and more at a time. */
const SLOW = { draws: 24, pause: 110 };
const GROWTH = 1 / 40;

/**
 * The buttons that draw: one, on and on, from the start.
 * @param {import("../components/figure.js").Dependencies} deps
 */
function createDrawing({ store, gestureEnded }) {
  const once = button("drawOnce", () => drawTo(draws() + 1));
  const run = button("run", () => (frame === 0 ? start() : stop()));
  const again = button("drawAnew", () => drawTo(1));
  run.classList.add("main");
  let frame = 0;
  let due = 0;
  /** What this run has set; anything else is somebody else's doing, and ends it. */
  let own = 0;

  const draws = () => drawsOf(store.state);

  /** @param {number} count */
  function set(count) {
    own = Math.min(MOST, count);
    store.set({ "coin.draws": own });
  }

  /** @param {number} count */
  function drawTo(count) {
    stop();
    set(count);
    gestureEnded();
  }

  function start() {
    if (draws() >= MOST) set(1);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      // Ten times as many at a stroke.
      drawTo(10 ** Math.floor(Math.log10(draws()) + 1));
      return;
    }
    own = draws();
    due = 0;
    frame = requestAnimationFrame(step);
    show();
  }

  /** @param {number} time */
  function step(time) {
    frame = requestAnimationFrame(step);
    if (time < due) return;
    if (own < SLOW.draws) due = time + SLOW.pause;
    set(own + Math.max(1, Math.floor(own * GROWTH)));
    if (own >= MOST) stop();
  }

  function stop() {
    if (frame === 0) return;
    cancelAnimationFrame(frame);
    frame = 0;
    show();
    gestureEnded();
  }

  function show() {
    run.replaceChildren(bilingual(bilingualText(frame === 0 ? "run" : "stop")));
    once.disabled = draws() >= MOST;
  }

  show();
  return {
    element: h("div", { class: "row", "data-control": "coin.draws" }, once, run, again),
    stop,
    update() {
      if (frame !== 0 && draws() !== own) stop();
      show();
    },
  };
}

/**
 * @param {import("../i18n/labels.js").Label} label
 * @param {() => void} act
 */
function button(label, act) {
  return h("button", { class: "btn", type: "button", "data-act": label, onclick: act }, bilingual(bilingualText(label)));
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const coin = {
  name: "coin",
  parameters: [
    // So many that the walk is seen to arrive, so few that the mean is seen to stray.
    { name: "draws", kind: "number", value: 200, min: 1, max: MOST, whole: true },
    { name: "seed", kind: "number", value: 1, min: 1, max: 9999, whole: true },
  ],
  range: rangeOf,
  scene,
  readouts,
  table,
  cursorPoints(context) {
    const { exact, mean } = at(context, context.state.x);
    return [
      { fn: "gelu", y: exact },
      { fn: INK, y: mean },
    ];
  },
  controls: () => [
    { kind: "points", key: "x", label: "workedPoints", options: [-1, 0.5, 2] },
    { kind: "next", key: "coin.seed", label: "anotherLots" },
  ],
  resets: () => ["x", "from", "to", "coin.draws", "coin.seed"],
  *mount(root, deps) {
    const figure = yield* mountFigure(coin, root, deps);
    const drawing = createDrawing(deps);
    root.querySelector(".fig-side .ctls")?.prepend(drawing.element);
    return {
      ...figure,
      update(changed) {
        drawing.update();
        figure.update(changed);
      },
      destroy() {
        drawing.stop();
        figure.destroy();
      },
    };
  },
};
