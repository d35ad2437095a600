/** Figure `race`: one network, trained with several activations side by side, with several seeds. */

import "../i18n/depth.js";
import "../i18n/race.js";
import { wholeNumbers } from "../components/axis.js";
import { mountFigure } from "../components/figure.js";
import { fixed } from "../components/numbers.js";
import { functionNames } from "../i18n/functions.js";
import { bilingualText } from "../i18n/labels.js";
import { niceTicks, spread } from "../scene.js";
import { INK } from "../theme.js";
import { decadeAxis, layout } from "./axes.js";
import { createRaceModel } from "./race/model.js";
import { bandOf, curvesOf, DEFAULTS, NETWORK_KEYS, shownOf } from "./race/numbers.js";
import { decades } from "./race/settings.js";
import { lossText } from "./race/words.js";

/**
 * @typedef {import("../components/figure.js").Context} Context
 * @typedef {import("./race/numbers.js").Curve} Curve
 * @typedef {import("../scene.js").Painter} Painter
 * @typedef {import("../scene.js").Frame} Frame
 */

export const MOST_EPOCHS = 50;
const MOST_FUNCTIONS = 4;

const axis = wholeNumbers({ key: "race.epoch", name: "epoch", move: "moveEpoch", bounds: [0, MOST_EPOCHS] });

/** @param {Context} context @returns {[number, number]} */
const rangeOf = ({ state }) => [0, state["race.limit"]];

// ---------- the plot ----------

/** The height of a loss in the plot. */
const level = (/** @type {number} */ loss) => Math.log10(loss);

/**
 * From epoch to epoch: least, median and largest of the seeds, as levels.
 * @param {Curve} curve
 * @param {"trainLoss" | "validationLoss"} quantity
 */
function levelsOf(curve, quantity) {
  const bands = Array.from({ length: curve.last + 1 }, (_, epoch) => bandOf(curve, quantity, epoch));
  const along = (/** @type {"low" | "middle" | "high"} */ key) => Float64Array.from(bands, (band) => level(band[key]));
  return { low: along("low"), middle: along("middle"), high: along("high") };
}

/** Nothing computed yet: an axis all the same. */
const EMPTY = [-1.5, 0.5];

/**
 * @param {Float64Array[]} levels
 * @param {number} height pixels
 * @returns {import("../scene.js").Axis}
 */
function lossAxis(levels, height) {
  const finite = levels.flatMap((values) => [...values].filter(Number.isFinite));
  const [least, most] = finite.length === 0 ? EMPTY : [Math.min(...finite), Math.max(...finite)];
  const room = Math.max(0.04 * (most - least), 0.05);
  const [min, max] = [least - room, most + room];
  if (max - min > 2.5) return decadeAxis(Math.floor(min), Math.ceil(max), height);
  const steps = height < 240 ? [1, 3] : [1, 2, 5];
  const ticks = [];
  for (let exponent = Math.floor(min); exponent <= max; exponent++) {
    for (const step of steps) {
      const value = level(step * 10 ** exponent);
      if (value >= min && value <= max) ticks.push({ value, text: fixed(step * 10 ** exponent, Math.max(0, -exponent)) });
    }
  }
  return { min, max, ticks };
}

/** @param {number} limit @param {number} width pixels @param {string} unit */
function epochAxis(limit, width, unit) {
  const label = `${limit} ${unit}`.trim();
  const { values } = niceTicks(0, limit, Math.min(limit, width / 64));
  const free = values.filter((value) => ((limit - value) / limit) * width > (label.length + 2) * LETTER);
  return { min: 0, max: limit, ticks: free.map((value) => ({ value, text: fixed(value, 0) })), label };
}

/** About the width of a letter, in pixels. */
const LETTER = 8.6;

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { width, height, state, text, nameOf } = context;
  const quantity = shownOf(context);
  const all = curvesOf(context).map((curve) => ({ ...curve, ...levelsOf(curve, quantity) }));
  const { margins } = layout(width);
  const longest = Math.max(...state["race.fns"].map((/** @type {string} */ fn) => nameOf(fn).length), 4);
  const right = Math.min(width / 3, longest * LETTER + 24);
  const limit = state["race.limit"];
  return {
    x: epochAxis(limit, width - margins.left - right, text("settingsEpochs")),
    y: lossAxis(
      all.flatMap(({ low, high }) => [low, high]),
      height - margins.top - margins.bottom,
    ),
    // One point is no line; its dot is the cursor's.
    curves: all
      .filter(({ last }) => last > 0)
      .map(({ fn, middle }) => ({ fn, name: "", x: Float64Array.from(middle, (_, epoch) => epoch), y: middle })),
    lines: [],
    claims: [],
    // Where a function came to grief.
    marks: all
      .filter(({ end, last }) => end?.kind === "failed" && last >= 0)
      .map(({ fn, last, middle }) => ({ fn, x: last, y: middle[last] })),
    own(painter, frame) {
      paintUncomputed(painter, frame, all, limit, text);
      for (const curve of [...all].reverse()) paintBand(painter, frame, curve);
      paintNames(painter, frame, all, context);
    },
    margins: { ...margins, right },
    labels: "gutter",
  };
}

/**
 * The part of the plot that nothing is known of: sunk, and it says so.
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {Curve[]} curves
 * @param {number} limit
 * @param {Context["text"]} text
 */
function paintUncomputed(painter, frame, curves, limit, text) {
  const known = Math.max(0, ...curves.map(({ last }) => last));
  if (known >= limit) return;
  const left = frame.x(known);
  const corners = [
    [left, frame.top],
    [frame.right, frame.top],
    [frame.right, frame.bottom],
    [left, frame.bottom],
  ];
  painter.area(corners, "sunk", INK);
  const isStopped = curves.length > 0 && curves.every(({ end }) => end !== null);
  const words = text(isStopped ? "runStopped" : "notComputed");
  if (known === 0 && !isStopped) {
    painter.text((left + frame.right) / 2, (frame.top + frame.bottom) / 2, words, "tick", "middle");
  } else if (frame.right - left > painter.width(words, "tick") + 16) {
    painter.text(frame.right - 8, frame.top + 20, words, "tick", "end");
  }
}

/**
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {{ fn: string, seeds: unknown[], low: Float64Array, high: Float64Array }} curve
 */
function paintBand(painter, frame, { fn, seeds, low, high }) {
  if (seeds.length < 2 || low.length < 2) return;
  const along = (/** @type {Float64Array} */ levels) =>
    Array.from(levels, (value, epoch) => [frame.x(epoch), Math.min(frame.bottom, Math.max(frame.top, frame.y(value)))]);
  painter.area([...along(high), ...along(low).reverse()], "band", fn);
}

/**
 * At the ends of the curves, which may be anywhere; those that end together make room for each other.
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {(Curve & { middle: Float64Array })[]} curves
 * @param {Context} context
 */
function paintNames(painter, frame, curves, context) {
  for (const epoch of new Set(curves.map(({ last }) => last))) {
    paintNamesAt(painter, frame, epoch < 0 ? [] : curves.filter(({ last }) => last === epoch), context);
  }
}

/**
 * @param {Painter} painter
 * @param {Frame} frame
 * @param {(Curve & { middle: Float64Array })[]} curves
 * @param {Context} context
 */
function paintNamesAt(painter, frame, curves, { nameOf, text }) {
  const ends = curves
    .map((curve) => ({ ...curve, x: frame.x(curve.last), y: frame.y(curve.middle[curve.last]) }))
    .filter(({ y }) => Number.isFinite(y))
    .map((end) => ({ ...end, y: Math.min(frame.bottom, Math.max(frame.top, end.y)) }))
    .sort((a, b) => a.y - b.y);
  const places = spread(
    ends.map(({ y }) => y),
    20,
    frame.top + 8,
    frame.bottom - 8,
  );
  ends.forEach(({ fn, end, x, y }, i) => {
    const leader = [
      [x + 3, y],
      [x + 8, y],
      [x + 14, places[i]],
      [x + 18, places[i]],
    ];
    const name = nameOf(fn);
    painter.line(leader, "leader");
    painter.text(x + 21, places[i] + 5, name, "lbl-fn", "start", fn);
    if (end?.kind !== "failed") return;
    painter.text(x + 29 + painter.width(name, "lbl-fn"), places[i] + 5, text("failedStep", { step: end.step }), "tick", "start");
  });
}

// ---------- numbers ----------

/**
 * The functions at the cursor; of one that has stopped before, the last that it has.
 * @param {Context} context
 */
function atCursor(context) {
  const cursor = context.state["race.epoch"];
  const quantity = shownOf(context);
  return curvesOf(context)
    .filter(({ last, end }) => last >= cursor || (last >= 0 && end !== null && end.kind !== "limit"))
    .map((curve) => {
      const epoch = Math.min(cursor, curve.last);
      return { curve, epoch, isThere: epoch === cursor, ...bandOf(curve, quantity, epoch) };
    });
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  return atCursor(context).map(({ curve: { fn, seeds }, epoch, isThere, low, middle, high }) => {
    const range = seeds.length > 1 ? `${lossText(low)}–${lossText(high)}` : "";
    const note = isThere ? range : context.text("untilEpoch", { epoch });
    return { name: fn, fn, value: middle, text: lossText(middle), note: note === "" ? undefined : { text: note } };
  });
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").DataTable}
 */
function table(context) {
  const curves = curvesOf(context);
  const quantity = shownOf(context);
  const front = Math.max(0, ...curves.map(({ last }) => last));
  const xs = Float64Array.from({ length: front + 1 }, (_, epoch) => epoch);
  return {
    axis: context.text("epoch"),
    xs,
    columns: curves.map((curve) => ({
      name: context.nameOf(curve.fn),
      fn: curve.fn,
      values: xs.map((epoch) => (epoch <= curve.last ? bandOf(curve, quantity, epoch).middle : Number.NaN)),
    })),
  };
}

/** The columns of the file; what a setting does to a run stands in each of its rows. */
const COLUMNS = /** @type {const} */ ([
  ...["trainLoss", "validationLoss", "trainAccuracy", "validationAccuracy", "offForBatch", "offForSet", "stepMs"],
]);

/**
 * Every number of every run.
 * @param {Context} context
 * @returns {(string | number)[][]}
 */
export function rows(context) {
  const { state, data } = context;
  const known = COLUMNS.filter((column) => data?.own !== undefined || !["offForBatch", "stepMs"].includes(column));
  const head = ["function", "parameters", "seed", "epoch", ...known, "gradientNorm", ...NETWORK_KEYS];
  const settings = NETWORK_KEYS.map((key) => state[`race.${key}`]);
  const cell = (/** @type {number} */ value) => (Number.isNaN(value) ? "" : value);
  return [
    head,
    ...curvesOf(context).flatMap(({ fn, params, seeds }) =>
      seeds.flatMap((epochs, seed) =>
        epochs.map((numbers, epoch) => [
          ...[fn, JSON.stringify(params), seed + 1, epoch],
          ...known.map((column) => cell(/** @type {any} */ (numbers)[column])),
          Array.from(numbers.gradientNorm).join(" "),
          ...settings,
        ]),
      ),
    ),
  ];
}

const { hidden, blocks, learningRate, batch, initGain, layerNorm, residual, optimizer } = DEFAULTS;

/** @type {import("../components/figure.js").FigureDefinition} */
export const race = {
  name: "race",
  axis,
  parameters: [
    { name: "epoch", kind: "number", value: DEFAULTS.limit, min: 0, max: MOST_EPOCHS, whole: true },
    { name: "shown", kind: "choice", value: "validation", choices: ["validation", "training"] },
    { name: "seeds", kind: "choice", value: String(DEFAULTS.seeds), choices: ["1", "3", "5"] },
    { name: "learningRate", kind: "number", value: learningRate, min: 1e-4, max: 1 },
    { name: "fns", kind: "list", value: [...DEFAULTS.fns], choices: Object.keys(functionNames), most: MOST_FUNCTIONS },
    { name: "limit", kind: "number", value: DEFAULTS.limit, min: 5, max: MOST_EPOCHS, whole: true },
    { name: "patience", kind: "choice", value: "0", choices: ["0", "3", "5", "10"] },
    { name: "hidden", kind: "number", value: hidden, min: 8, max: 512, whole: true },
    { name: "blocks", kind: "number", value: blocks, min: 1, max: 4, whole: true },
    { name: "layerNorm", kind: "choice", value: layerNorm, choices: ["on", "off"] },
    { name: "residual", kind: "choice", value: residual, choices: ["on", "off"] },
    { name: "optimizer", kind: "choice", value: optimizer, choices: ["adamw", "sgd"] },
    { name: "batch", kind: "number", value: batch, min: 8, max: 256, whole: true },
    { name: "initGain", kind: "number", value: initGain, min: 0.01, max: 10 },
    { name: "speed", kind: "choice", value: "full", choices: ["full", "slow"] },
  ],
  model: createRaceModel,
  range: rangeOf,
  unit: (context) => {
    const loss = bilingualText(shownOf(context) === "trainLoss" ? "trainingLoss" : "validationLoss");
    const scale = bilingualText("crossEntropyLog");
    return { zh: `${loss.zh}，${scale.zh}`, en: `${loss.en}, ${scale.en}` };
  },
  scene,
  readouts,
  table,
  rows,
  cursorPoints: (context) =>
    atCursor(context)
      .filter(({ isThere }) => isThere)
      .map(({ curve: { fn }, middle }) => ({ fn, y: level(middle) })),
  controls: () => [
    { kind: "stops", key: "race.learningRate", label: "learningRate", stops: decades(-4, 0) },
    {
      kind: "choice",
      key: "race.seeds",
      label: "seeds",
      options: [
        ["1", 1],
        ["3", 3],
        ["5", 5],
      ],
    },
    {
      kind: "choice",
      key: "race.shown",
      label: "shown",
      options: [
        ["validation", "validationLoss"],
        ["training", "trainingLoss"],
      ],
    },
  ],
  resets: () => race.parameters.map(({ name }) => `race.${name}`),
  mount: (root, deps) => mountFigure(race, root, deps),
};
