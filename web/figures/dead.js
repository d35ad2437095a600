/** Figure `dead`: hidden units that are off for one input, and off for the whole set; pushed there, and coming back or not. */

import { wholeNumbers } from "../components/axis.js";
import { mountFigure } from "../components/figure.js";
import { percent } from "../components/numbers.js";
import "../i18n/dead.js";
import "../i18n/race.js";
import { functionNames } from "../i18n/functions.js";
import { bilingualText } from "../i18n/labels.js";
import { fitted, layout, linearAxis, xAxis, zeroLine } from "./axes.js";
import { accuracyIn, hardlyIn, inputOf, lastEpoch, offIn, present, short, silentIn } from "./dead/facts.js";
import { createDeadModel, isStory } from "./dead/model.js";
import { MOST_EPOCHS, UNITS } from "./dead/run.js";

/**
 * @typedef {import("../components/figure.js").Context} Context
 * @typedef {import("./dead/run.js").Data} Data
 * @typedef {import("./dead/run.js").Moment} Moment
 * @typedef {import("./dead/run.js").Run} Run
 */

const FUNCTIONS = Object.keys(functionNames);
const FIRST_FUNCTIONS = ["gelu", "relu", "sigmoid", "silu", "leaky_relu"];

/** @type {({ name: string } & Record<string, any>)[]} */
const parameters = [
  { name: "epoch", kind: "number", value: 4, min: 0, max: MOST_EPOCHS, whole: true },
  { name: "input", kind: "number", value: 3, min: 0, max: 9, whole: true },
  { name: "view", kind: "choice", value: "off", choices: ["off", "hardly", "accuracy"] },
  { name: "fns", kind: "list", value: FIRST_FUNCTIONS, choices: FUNCTIONS },
  { name: "network", kind: "choice", value: "plain", choices: ["plain", "block"] },
  { name: "optimizer", kind: "choice", value: "adamw", choices: ["adamw", "sgd"] },
  { name: "seed", kind: "number", value: 1, min: 1, max: 999, whole: true },
  { name: "delta", kind: "number", value: 4, min: 0, max: 10 },
  { name: "rate", kind: "number", value: 0.005, min: 0.0005, max: 0.5 },
  { name: "run", kind: "choice", value: "story", choices: ["story", "own"] },
  { name: "trained", kind: "number", value: 0, min: 0, max: MOST_EPOCHS, whole: true },
  // Pairs of an epoch and a number; a push by 0 is none.
  { name: "pushes", kind: "numbers", value: [0, 0], min: 0, max: MOST_EPOCHS, most: 32 },
  { name: "rates", kind: "numbers", value: [0, 0.005], min: 0, max: MOST_EPOCHS, most: 98 },
];
const axis = wholeNumbers({ key: "dead.epoch", name: "epoch", move: "deadMoveEpoch", bounds: [0, MOST_EPOCHS] });

/**
 * What can be plotted, as a share.
 * @type {Record<string, { share: (moment: Moment) => number, unit: import("../i18n/labels.js").Label }>}
 */
const VIEWS = {
  off: { share: (moment) => offIn(moment) / UNITS, unit: "deadPlotOffUnit" },
  hardly: { share: (moment) => hardlyIn(moment) / UNITS, unit: "deadPlotHardlyUnit" },
  accuracy: { share: accuracyIn, unit: "deadPlotAccuracyUnit" },
};
const viewOf = (/** @type {Context} */ { state }) => VIEWS[state["dead.view"]];

// ---------- the plot ----------

/** @param {Context} context @returns {[number, number]} */
function range({ data }) {
  const { length } = /** @type {Data} */ (data).schedule;
  return [0, length <= 24 ? 24 : MOST_EPOCHS];
}

/**
 * Through every epoch, with a jump where something was pushed.
 * @param {Run} run
 * @param {(moment: Moment) => number} value
 */
function points({ moments, before }, value) {
  /** @type {[number, number][]} */
  const all = [];
  moments.forEach((moment, epoch) => {
    if (before[epoch] !== undefined) all.push([epoch, value(before[epoch])]);
    all.push([epoch, value(moment)]);
  });
  // A line needs two ends.
  if (all.length === 1) all.push(all[0]);
  return all;
}

const offShare = (/** @type {Moment} */ moment) => (100 * offIn(moment)) / UNITS;
const hardlyShare = (/** @type {Moment} */ moment) => (100 * (offIn(moment) + hardlyIn(moment))) / UNITS;

/** Above 100 %, where lines often run, there is room for a row of words. */
const TOP = 109;

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { width, height, nameOf } = context;
  const { runs } = /** @type {Data} */ (context.data);
  const [from, to] = range(context);
  const margins = { ...layout(width).margins, right: gutter(context) };
  const value = (/** @type {Moment} */ moment) => 100 * viewOf(context).share(moment);
  const curves = runs
    .filter(({ moments }) => moments.length > 0)
    .map((run) => {
      const all = points(run, value);
      return { fn: run.fn, name: nameOf(run.fn), x: Float64Array.from(all, ([x]) => x), y: Float64Array.from(all, ([, y]) => y) };
    });
  return fitted({
    x: epochAxis(from, to, width - margins.left - margins.right, context.text("settingsEpochs")),
    y: linearAxis(-2, TOP, height - margins.top - margins.bottom),
    curves,
    lines: [zeroLine("y")],
    claims: [],
    marks: [],
    margins,
    labels: "gutter",
    own: (painter, frame) => paintOwn(painter, frame, context),
  });
}

/** Most lines end together at zero: inside the plot their names would lie on those of others. */
function gutter(/** @type {Context} */ { width, data, nameOf }) {
  const { labels, margins } = layout(width);
  if (labels === "gutter") return margins.right;
  const longest = Math.max(0, .../** @type {Data} */ (data).runs.map(({ fn }) => nameOf(fn).length));
  return Math.min(width / 3, 20 + 7.8 * longest);
}

/**
 * Without the ticks that the name of the axis would lie on.
 * @param {number} from
 * @param {number} to
 * @param {number} width pixels
 * @param {string} label
 */
function epochAxis(from, to, width, label) {
  const axis = xAxis(from, to, width);
  const room = ((LETTER * (label.length + 2)) / width) * (to - from);
  return { ...axis, ticks: axis.ticks.filter(({ value }) => label === "" || value <= to - room), label };
}

/** About the width of a letter of a tick, or of half a Chinese one. */
const LETTER = 9;

/**
 * The part that is not computed yet, the units that hardly learn as a tint, and when something was done.
 * @param {import("../scene.js").Painter} painter
 * @param {import("../scene.js").Frame} frame
 * @param {Context} context
 */
function paintOwn(painter, frame, context) {
  const { runs, schedule } = /** @type {Data} */ (context.data);
  const edge = frame.x(lastEpoch(runs));
  if (edge < frame.right - 1) {
    painter.area(rectangle(edge, frame.right, frame.top, frame.bottom), "gap", "ink");
    painter.text(frame.right - 8, frame.top + 16, context.text("notComputed"), "tick", "end");
  }
  if (viewOf(context) === VIEWS.off) for (const run of runs) paintHardly(painter, frame, run);
  for (const [epoch, delta] of schedule.pushes)
    event(epoch, context.text("deadBiasesDown", { delta: short(delta) }) || `−${short(delta)}`, 16);
  for (const [epoch, rate] of schedule.rates)
    if (epoch > 0) event(epoch, context.text("deadRateBecomes", { rate: short(rate) }), 34);

  /** @param {number} epoch @param {string} words @param {number} down */
  function event(epoch, words, down) {
    const at = frame.x(epoch);
    if (at > frame.right) return;
    painter.line(
      [
        [at, frame.top],
        [at, frame.bottom],
      ],
      "claim-line",
    );
    const fits = at + 8 + painter.width(words, "val") < frame.right;
    painter.text(fits ? at + 8 : at - 8, frame.top + down, words, "val", fits ? "start" : "end");
  }
}

/** @param {number} left @param {number} right @param {number} top @param {number} bottom */
const rectangle = (left, right, top, bottom) => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/**
 * From the share that is off to the share that is off or hardly learns.
 * @param {import("../scene.js").Painter} painter
 * @param {import("../scene.js").Frame} frame
 * @param {Run} run
 */
function paintHardly(painter, frame, run) {
  const pixels = (/** @type {(moment: Moment) => number} */ value) =>
    points(run, value).map(([x, y]) => [frame.x(x), frame.y(y)]);
  if (run.moments.length > 1 && [...run.moments, ...Object.values(run.before)].some((moment) => hardlyIn(moment) > 0))
    painter.area([...pixels(hardlyShare), ...pixels(offShare).reverse()], "area", run.fn);
}

// ---------- numbers ----------

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const view = viewOf(context);
  return present(context).map(({ fn, moment }) => {
    const share = view.share(moment);
    const row = { name: fn, fn, value: share, text: share === 0 ? "0\u202f%" : percent(share) };
    if (view === VIEWS.accuracy) return row;
    const accuracy = accuracyIn(moment);
    const note = { name: `${fn}-accuracy`, value: accuracy, text: bilingualText("deadRightShort", { share: percent(accuracy) }) };
    return { ...row, note };
  });
}

/**
 * Shares by epoch; where something was pushed, also from before. Before the script comes, every other epoch and
 * the first column alone.
 * @param {Context} context
 * @returns {import("../components/figure.js").DataTable}
 */
function table(context) {
  const { nameOf, text } = context;
  const { runs, isComputedHere, schedule } = /** @type {Data} */ (context.data);
  const isStatic = isComputedHere === undefined;
  const epochs = Math.max(0, ...runs.map(({ moments }) => moments.length));
  const every = isStatic ? 2 : 1;
  const xs = Float64Array.from({ length: Math.ceil(epochs / every) }, (_, i) => i * every);
  const input = inputOf(context);
  /** @type {[import("../i18n/labels.js").Label, (moment: Moment) => number][]} */
  const kinds = [
    ["deadOff", VIEWS.off.share],
    ["deadHardly", VIEWS.hardly.share],
    ["deadOffForInput", (moment) => silentIn(moment, input) / UNITS],
    ["deadAccuracy", accuracyIn],
    ["trainingLossIn", ({ loss }) => loss],
  ];
  const columns = runs.flatMap(({ fn, moments, before }) => {
    /** @param {string} name @param {(moment: Moment) => number} value @param {Record<number, Moment>} from */
    const column = (name, value, from) => ({
      name: `${nameOf(fn)}${name}`,
      fn,
      values: xs.map((epoch) => (from[epoch] === undefined ? Number.NaN : value(from[epoch]))),
    });
    if (isStatic) return [column("", kinds[0][1], moments)];
    const shares = kinds.map(([label, value]) => column(text("deadJoint") + text(label), value, moments));
    const pushed = kinds.map(([label, value]) => column(text("deadJoint") + text(label) + text("deadBeforePush"), value, before));
    return Object.keys(before).length > 0 ? [...shares, ...pushed] : shares;
  });
  if (isStatic) return { axis: text("epoch"), xs, columns };
  const downs = xs.map((epoch) => schedule.pushes.reduce((sum, [at, delta]) => sum + (at === epoch ? delta : 0), 0));
  const rates = xs.map((epoch) => /** @type {[number, number]} */ (schedule.rates.findLast(([at]) => at <= epoch))[1]);
  return {
    axis: text("epoch"),
    xs,
    columns: [...columns, { name: text("deadPushBy"), values: downs }, { name: text("learningRate"), values: rates }],
  };
}

/** @type {import("../components/figure.js").FigureDefinition} */
export const dead = {
  name: "dead",
  parameters,
  axis,
  model: createDeadModel,
  isAtHand: isStory,
  range,
  unit: (context) => bilingualText(viewOf(context).unit, { units: UNITS }),
  scene,
  readouts,
  table,
  cursorPoints: (context) => present(context).map(({ fn, moment }) => ({ fn, y: 100 * viewOf(context).share(moment) })),
  controls: () => [
    {
      kind: "choice",
      key: "dead.view",
      label: "deadPlotted",
      options: [
        ["off", "deadPlotOff"],
        ["hardly", "deadPlotHardly"],
        ["accuracy", "deadPlotAccuracy"],
      ],
    },
    {
      kind: "choice",
      key: "dead.network",
      label: "deadNetwork",
      options: [
        ["plain", "deadNetworkPlain"],
        ["block", "deadNetworkBlock"],
      ],
    },
    {
      kind: "choice",
      key: "dead.optimizer",
      label: "optimizer",
      options: [
        ["adamw", "adamW"],
        ["sgd", "deadSgd"],
      ],
    },
    { kind: "functions", key: "dead.fns", label: "functions" },
    { kind: "next", key: "dead.seed", label: "deadAnother" },
  ],
  resets: () => parameters.map(({ name }) => `dead.${name}`),
  mount: (root, deps) => mountFigure(dead, root, deps),
};
