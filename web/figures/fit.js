/** Figure `fit`: what remains of an approximation when its parameter moves, and the search for the best one. */

import "../i18n/rounding.js";
import { announce } from "../components/announce.js";
import { bilingual, h } from "../components/dom.js";
import { mountFigure } from "../components/figure.js";
import { createMessage, PATIENCE } from "../components/message.js";
import { fixed, scientific } from "../components/numbers.js";
import { parameterNames } from "../i18n/functions.js";
import { bilingualText } from "../i18n/labels.js";
import { loadPart } from "../parts.js";
import { sceneToSvg } from "../svg.js";
import { asymptote, extent, fitted, layout, linearAxis, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { clearNames } from "./clear.js";
import { evenly, extremes } from "./sampling.js";

/**
 * @typedef {import("../components/figure.js").Context} Context
 * @typedef {import("../state.js").State} State
 * @typedef {{
 *   readout: string, fn: string, id: string, reference: string, vary: string[], keys: Record<string, string>,
 *   section: { name: string, from: number, to: number, label: string },
 * }} Target what a search makes least: │id − reference│ by the parameters `vary`, whose state is at `keys`; the section
 *   through its largest error that is drawn beside the plot
 */

const K = { vary: ["k"], keys: { k: "gelu_sigmoid.k" }, section: { name: "k", from: 1.5, to: 2, label: "*k*" } };
const TANH = {
  readout: "tanh",
  fn: "gelu_tanh",
  id: "gelu_tanh",
  reference: "gelu",
  keys: { scale: "gelu_tanh.scale", cubic: "gelu_tanh.cubic" },
  section: { name: "cubic", from: 0.035, to: 0.055, label: "" },
};

/** @type {Record<string, Target>} */
const TARGETS = {
  gate: { readout: "gate", fn: "sigmoid", id: "sigmoid", reference: "normal_cdf", ...K },
  output: { readout: "output", fn: "gelu_sigmoid", id: "gelu_sigmoid", reference: "gelu", ...K },
  cubic: { ...TANH, vary: ["cubic"] },
  pair: { ...TANH, vary: ["scale", "cubic"] },
};

const rangeOf = (/** @type {{ state: State }} */ { state }) => visibleRange(state, [-6, 6]);
const targetOf = (/** @type {State} */ state) => TARGETS[state["fit.for"]];
const isLogistic = (/** @type {State} */ state) => targetOf(state).keys === K.keys;

/** The differences that are drawn: the gate and the output share their k. */
const shownTargets = (/** @type {State} */ state) => (isLogistic(state) ? [TARGETS.output, TARGETS.gate] : [TARGETS.cubic]);

/**
 * @param {State} state
 * @param {Pick<Target, "keys">} target
 */
const paramsOf = (state, { keys }) => Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, state[key]]));

/**
 * @param {import("../kernels.js").Gelu} gelu
 * @param {Target} target
 * @param {Record<string, number>} params
 * @returns {(xs: Float64Array) => Float64Array}
 */
function difference(gelu, { id, reference }, params) {
  return (xs) => {
    const exact = gelu.evaluate(reference, xs);
    return gelu.evaluate(id, xs, { params }).map((value, i) => value - exact[i]);
  };
}

/** @param {Context} context @param {Target} target */
const differenceNow = ({ gelu, state }, target) => difference(gelu, target, paramsOf(state, target));

/** Where no error is larger: it fades out on both sides. */
const INTERVAL = { from: -10, to: 10 };

/** @type {Map<string, number>} plot, readouts and marks all ask for the same few */
const measured = new Map();

/**
 * The largest error of a target now.
 * @param {Context} context
 * @param {Target} target
 */
function largest({ gelu, state }, { id, reference, keys }) {
  const params = paramsOf(state, { keys });
  const key = id + JSON.stringify(params);
  const known = measured.get(key);
  if (known !== undefined) return known;
  if (measured.size > 100) measured.clear();
  const { error } = gelu.maxError(id, reference, { ...INTERVAL, params });
  measured.set(key, error);
  return error;
}

/** @param {Context} context @param {Target} target */
function nameOf({ nameOf: name }, { readout }) {
  if (readout === "gate") return "σ(*kx*) − Φ(*x*)";
  return readout === "output" ? "*x* σ(*kx*) − GELU" : `${name("gelu_tanh")} − GELU`;
}

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { width, height, state } = context;
  const [from, to] = rangeOf(context);
  const { margins, labels } = layout(width);
  const xs = evenly(from, to, Math.max(2, Math.round((width - margins.left - margins.right) * context.density)));
  const curves = shownTargets(state).map((target) => ({
    fn: target.fn,
    x: xs,
    y: differenceNow(context, target)(xs),
    name: nameOf(context, target),
  }));
  const bound = largest(context, targetOf(state));
  return fitted({
    x: xAxis(from, to, width - margins.left - margins.right),
    y: linearAxis(...bounds(curves, bound), height - margins.top - margins.bottom),
    curves,
    // The ceiling and the floor that the largest error touches; where it is equalised all its extremes do.
    lines: [zeroLine("x"), zeroLine("y"), asymptote(bound, `±${shortError(bound)}`), asymptote(-bound)],
    claims: [],
    marks: shownTargets(state).flatMap((target) => extremeMarks(context, target, xs)),
    margins: { ...margins, right: labelsRoom(width, margins.right) },
    labels,
    names: labels === "inside" ? clearNames(curves) : undefined,
  });
}

/** Where names have a gutter it is a wide one: they are longer than those of functions. */
const labelsRoom = (/** @type {number} */ width, /** @type {number} */ right) =>
  layout(width).labels === "gutter" ? 138 : right;

/**
 * @param {{ y: Float64Array }[]} curves
 * @param {number} bound
 */
const bounds = (curves, bound) => extent([...curves, { y: Float64Array.of(bound, -bound) }], 0.12, 0.16);

/** From here on an extreme is seen to touch the largest error. */
const TOUCHING = 0.98;
/** Of an extreme that does not matter any more beside the largest one. */
const NEGLIGIBLE = 0.05;

/**
 * @param {Context} context
 * @param {Target} target
 * @param {Float64Array} xs
 * @returns {import("../scene.js").Mark[]}
 */
function extremeMarks(context, target, xs) {
  const error = largest(context, target);
  const isChosen = target.fn === targetOf(context.state).fn;
  const hasRoom = layout(context.width).labels === "gutter";
  const found = extremes(differenceNow(context, target), xs).filter(
    ({ x, y, kind }) => Math.abs(y) > NEGLIGIBLE * error && y > 0 === (kind === "max") && x !== 0,
  );
  return found.map(({ x, y }) => ({
    fn: target.fn,
    x,
    y,
    place: y < 0 ? "below" : "right",
    // Even or odd in x: the right side says all, and has more room. Of one that touches it the dotted line says it.
    text: hasRoom && isChosen && x > 0 && Math.abs(y) < TOUCHING * error ? shortError(Math.abs(y)) : undefined,
  }));
}

const shortError = (/** @type {number} */ error) => (error < 1e-3 ? scientific(error, 3) : fixed(error, 4));

/** @type {{ target: string, params: Record<string, number>, error: number, steps: number } | null} the last search's */
let found = null;

/**
 * Whether a search was for what is asked for now, with the same values of what it did not move.
 * @param {NonNullable<typeof found>} result
 * @param {State} state
 */
function isOfNow({ target, params }, state) {
  const { vary, keys } = TARGETS[target];
  return (
    target === state["fit.for"] && Object.keys(keys).every((name) => vary.includes(name) || params[name] === state[keys[name]])
  );
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const { state, text } = context;
  const at = Float64Array.of(state.x);
  const rows = shownTargets(state).map((target) => {
    const error = largest(context, target);
    const value = differenceNow(context, target)(at)[0];
    const note = { name: `${target.readout}.max`, value: error, text: bilingualText("largestIs", { error: shortError(error) }) };
    return { name: target.readout, fn: target.fn, label: nameOf(context, target), value, text: scientific(value, 3), note };
  });
  const result = found;
  if (result === null || !isOfNow(result, state)) return rows;
  const summary = { error: scientific(result.error, 4), steps: result.steps };
  const best = TARGETS[result.target].vary.map((name, i, all) => ({
    name: `best.${name}`,
    fn: "",
    label: text("bestOf", { name: parameterNames[name][context.language] }),
    value: result.params[name],
    text: fixed(result.params[name], 8),
    note:
      i === all.length - 1 ? { name: "best.error", value: result.error, text: bilingualText("bestSummary", summary) } : undefined,
  }));
  return [...rows, ...best];
}

// ---------- the search ----------

/** Frames that a search takes where motion is welcome: long enough to see the curve level out. */
const FRAMES = 45;
/** And where it is not: enough to be able to break it off. */
const CALM_FRAMES = 5;

/** @param {State} state @param {string} name of a target */
const settingOf = (state, name) => JSON.stringify(paramsOf(state, TARGETS[name]));

/**
 * The section through the largest error, and the search, which moves the sliders as it goes.
 * @param {import("../components/figure.js").Dependencies} deps
 * @returns {(store: import("../state.js").Store, refresh: () => void) => import("../components/controls.js").Control}
 */
const createSearch = (deps) => (store, refresh) => {
  const section = createSection(deps.gelu);
  /** @type {ReturnType<typeof import("./fit/search.js").createSearcher> | null} one for all searches */
  let searcher = null;
  const bar = h("progress", { "aria-hidden": "true" });
  const count = h("output", { "data-readout": "fit.steps", "aria-live": "off" });
  const progress = h("div", { class: "progress", hidden: true }, bar, count);
  const button = h("button", { class: "btn", type: "button", "data-control": "fit.search" });
  const message = createMessage();
  const element = h("div", { class: "run" }, h("div", { class: "row" }, button), progress, message.element);
  /** @typedef {{ before: State, name: string, setting: string }} Run name: of its target; setting: that it expects to find */
  /** @type {Run | null} */
  let running = null;

  button.addEventListener("click", () => {
    if (running === null) start();
    else cancel(running);
  });

  /** @param {import("./fit/search.js").Search} wanted */
  async function search(wanted) {
    const slow = setTimeout(() => running !== null && message.tell(bilingualText("loading")), PATIENCE);
    const { createSearcher } = await loadPart("pressed").finally(() => clearTimeout(slow));
    // What has been said of a search that was broken off stays.
    if (running !== null) message.clear();
    searcher ??= createSearcher(deps);
    return searcher.run(wanted);
  }

  function start() {
    const { state } = store;
    const name = state["fit.for"];
    const { id, reference, vary } = TARGETS[name];
    /** @type {Run} */
    const run = { before: state, name, setting: settingOf(state, name) };
    running = run;
    found = null;
    message.clear();
    showProgress(0, "0");
    refresh();
    const params = paramsOf(state, TARGETS[name]);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    search({
      id,
      options: { ...INTERVAL, reference: /** @type {any} */ (reference), vary, params },
      frames: isCalm ? CALM_FRAMES : FRAMES,
      isWanted: () => running === run && element.isConnected,
      show: (result) => showStep(name, result),
    }).catch((error) => {
      if (running !== run) return;
      running = null;
      refresh();
      message.failed(error);
    });
  }

  function giveWay() {
    running = null;
    message.tell(bilingualText("searchGaveWay"));
  }

  /** @param {Run} run */
  function cancel({ before, name }) {
    running = null;
    moveTo(name, paramsOf(before, TARGETS[name]));
    message.tell(bilingualText("searchCancelled"));
  }

  /**
   * @param {string} name of the target
   * @param {Record<string, number>} params
   */
  function moveTo(name, params) {
    const { vary, keys } = TARGETS[name];
    const changes = Object.fromEntries(vary.map((each) => [keys[each], params[each]]));
    if (running !== null) {
      // What the sliders make of it, which is what the next look expects to find.
      const next = Object.fromEntries(
        Object.entries(keys).map(([each, key]) => {
          const parameter = /** @type {import("../state.js").NumberParameter} */ (store.table.get(key));
          return [each, key in changes ? Math.min(parameter.max, Math.max(parameter.min, changes[key])) : store.state[key]];
        }),
      );
      running.setting = JSON.stringify(next);
    }
    const before = store.state;
    store.set(changes);
    // Where the last step moves nothing, nobody else has been told that the search is over.
    if (store.state === before) refresh();
  }

  /**
   * @param {string} name of the target
   * @param {import("../gelu.d.ts").FitProgress} result
   */
  function showStep(name, { done, steps, gridSteps, params, error }) {
    bar.max = gridSteps;
    showProgress(steps, steps <= gridSteps ? `${steps} / ${gridSteps}` : `${gridSteps} + ${steps - gridSteps}`);
    if (done) {
      running = null;
      found = { target: name, params, error, steps };
    }
    moveTo(name, params);
    // After the readouts, which would have the last word.
    if (done) say(bilingualText("bestSummary", { error: scientific(error, 4), steps }));
  }

  /** @param {number} steps @param {string} text */
  function showProgress(steps, text) {
    bar.value = steps;
    count.textContent = text;
    count.dataset.value = String(steps);
  }

  const figure = () => /** @type {HTMLElement} */ (element.closest("figure"));

  /** @param {{ zh: string, en: string }} words */
  function say(words) {
    const language = document.documentElement.lang === "en" ? "en" : "zh";
    announce(figure(), words[language], true);
  }

  return {
    element,
    below: section.element,
    reset() {
      running = null;
      message.clear();
    },
    update() {
      const { state, table } = store;
      // Whoever takes a slider meanwhile has it.
      if (running !== null && (running.name !== state["fit.for"] || running.setting !== settingOf(state, running.name)))
        giveWay();
      const isReset = Object.values({ ...K.keys, ...TANH.keys }).every((key) => state[key] === table.get(key)?.value);
      if (isReset) found = null;
      progress.hidden = running === null;
      button.replaceChildren(bilingual(bilingualText(running === null ? "searchBest" : "cancel")));
      section.show(state);
    },
  };
};

const SECTION_HEIGHT = 168;
const SECTION_POINTS = 101;
/** Every error here is even or odd in x. */
const HALF = evenly(0, 8, 321);
/** @type {Map<string, Float64Array>} by reference */
const exactOnHalf = new Map();

/** @type {{ key: string, curves: import("../scene.js").Curve[], lowest: import("../scene.js").Mark[] }} */
let drawn = { key: "", curves: [], lowest: [] };

/**
 * The largest error as one parameter moves, and where it is least.
 * @param {import("../kernels.js").Gelu} gelu
 * @param {State} state
 */
function sectionCurves(gelu, state) {
  const { name, from, to } = shownTargets(state)[0].section;
  const key = `${name} ${state["gelu_tanh.scale"]}`;
  if (key === drawn.key) return drawn;
  const x = evenly(from, to, SECTION_POINTS);
  const errors = shownTargets(state).map((target) => {
    const f = (/** @type {Float64Array} */ values) =>
      values.map((value) => largestOnHalf(gelu, target, { ...paramsOf(state, target), [name]: value }));
    return { fn: target.fn, f };
  });
  drawn = {
    key,
    curves: errors.map(({ fn, f }) => ({ fn, x, y: f(x), name: "" })),
    lowest: errors.flatMap(({ fn, f }) => extremes(f, x).map((found) => ({ fn, x: found.x, y: found.y }))),
  };
  return drawn;
}

/**
 * @param {import("../kernels.js").Gelu} gelu
 * @param {Target} target
 * @param {Record<string, number>} params
 */
function largestOnHalf(gelu, { id, reference }, params) {
  const exact = exactOnHalf.get(reference) ?? gelu.evaluate(/** @type {any} */ (reference), HALF);
  exactOnHalf.set(reference, exact);
  return gelu
    .evaluate(/** @type {any} */ (id), HALF, { params })
    .reduce((most, y, i) => Math.max(most, Math.abs(y - exact[i])), 0);
}

/**
 * The section as a plot of its own, to be put below the other.
 * @param {import("../kernels.js").Gelu} gelu
 * @param {State} state
 * @param {number} width
 */
function sectionPlot(gelu, state, width) {
  const targets = shownTargets(state);
  const { section, keys } = targets[0];
  const { curves, lowest } = sectionCurves(gelu, state);
  const { margins } = layout(width);
  const scene = fitted({
    x: { ...xAxis(section.from, section.to, width - margins.left - margins.right), label: section.label },
    y: linearAxis(0, 1.05 * extent(curves, 0)[1], SECTION_HEIGHT - 52, 36),
    curves,
    lines: [],
    claims: [],
    marks: lowest,
    margins: { ...margins, right: labelsRoom(width, margins.right), top: 8 },
    labels: "gutter",
    own: (painter, frame) => paintLowest(painter, frame, lowest),
  });
  const points = targets.map((target) => ({ fn: target.fn, y: largestOnHalf(gelu, target, paramsOf(state, target)) }));
  const cursor = { x: state[keys[section.name]], flag: "", points, hint: false };
  return { scene, cursor, height: SECTION_HEIGHT, caption: captionOf(section.name) };
}

/**
 * The largest error as one parameter moves, in a small plot below the other: where it is least the parameter is best.
 * @param {import("../kernels.js").Gelu} gelu
 */
function createSection(gelu) {
  const plot = h("div", { "aria-hidden": "true" });
  const caption = h("p", { class: "help" });
  const element = h("div", { class: "section-plot" }, caption, plot);
  let width = 664;
  /** @type {State | null} */
  let shown = null;
  new ResizeObserver(([entry]) => {
    if (entry.contentRect.width === 0) return;
    width = entry.contentRect.width;
    if (shown !== null) show(shown);
  }).observe(element);
  return { element, show };

  /** @param {State} state */
  function show(state) {
    shown = state;
    const { scene, cursor, height, caption: words } = sectionPlot(gelu, state, width);
    caption.replaceChildren(bilingual(words));
    plot.innerHTML = sceneToSvg(scene, cursor, { width, height, id: "fit-section", title: "" });
  }
}

/**
 * Where the error is least, of two curves: the values that are best, below their circles, each on its own side.
 * @param {import("../scene.js").Painter} painter
 * @param {import("../scene.js").Frame} frame
 * @param {import("../scene.js").Mark[]} lowest
 */
function paintLowest(painter, frame, lowest) {
  if (lowest.length !== 2) return;
  const [left, right] = [...lowest].sort((a, b) => a.x - b.x);
  painter.text(frame.x(left.x) - 9, frame.bottom - 6, fixed(left.x, 4), "lbl-fn", "end", left.fn);
  painter.text(frame.x(right.x) + 9, frame.bottom - 6, fixed(right.x, 4), "lbl-fn", "start", right.fn);
}

/** @param {string} name */
function captionOf(name) {
  const { en } = parameterNames[name];
  // A letter stands apart from Chinese, Chinese does not.
  const zh = parameterNames[name].zh.replace(/^[*\w].*$/, " $& ");
  return { zh: bilingualText("largestErrorBy", { name: zh }).zh, en: bilingualText("largestErrorBy", { name: en }).en };
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const fit = {
  name: "fit",
  parameters: [{ name: "for", kind: "choice", value: "output", choices: Object.keys(TARGETS) }],
  range: rangeOf,
  unit: () => bilingualText("fitError"),
  scene,
  readouts,
  table(context, xs = tablePoints(rangeOf(context))) {
    const columns = shownTargets(context.state).map((target) => ({
      name: nameOf(context, target).replaceAll("*", ""),
      fn: target.fn,
      values: differenceNow(context, target)(xs),
    }));
    return { xs, columns };
  },
  cursorPoints: (context) =>
    shownTargets(context.state).map((target) => ({
      fn: target.fn,
      y: differenceNow(context, target)(Float64Array.of(context.state.x))[0],
    })),
  below: ({ gelu, state, width }) => sectionPlot(gelu, state, width),
  controls: (_, deps) => [
    {
      kind: "choice",
      key: "fit.for",
      label: "fitFor",
      options: [
        ["output", "fitOutput"],
        ["gate", "fitGate"],
        ["cubic", "fitCubic"],
        ["pair", "fitPair"],
      ],
    },
    { kind: "slider", key: "gelu_sigmoid.k", when: isLogistic },
    { kind: "slider", key: "gelu_tanh.cubic", when: (state) => !isLogistic(state) },
    { kind: "slider", key: "gelu_tanh.scale", when: (state) => !isLogistic(state) },
    { kind: "own", create: createSearch(deps) },
  ],
  resets: () => ["x", "from", "to", "fit.for", ...Object.values({ ...K.keys, ...TANH.keys })],
  mount: (root, deps) => mountFigure(fit, root, deps),
};
