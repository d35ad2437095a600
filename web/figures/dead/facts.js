/** What the runs of the figure `dead` say: of a unit, of an epoch, of a push, in numbers and in a sentence. */

import { decimalsOf, fixed } from "../../components/numbers.js";
import { isSilent } from "./run.js";

/**
 * @typedef {import("../../components/figure.js").Context} Context
 * @typedef {import("./run.js").Data} Data
 * @typedef {import("./run.js").Moment} Moment
 * @typedef {import("./run.js").Run} Run
 * @typedef {"off" | "hardly" | "silent" | "on"} UnitState
 * @typedef {{ value: number, text: string, name: string }} Told a number in a sentence
 */

const VALIDATION = 360;

/** @param {Context} context */
export const inputOf = ({ state }) => state["dead.input"];

/**
 * What a unit is called: what holds for the whole set goes before what holds for one input.
 * @param {Moment} moment
 * @param {number} input
 * @param {number} unit
 * @returns {UnitState}
 */
export function unitState(moment, input, unit) {
  const level = Number(moment.levels[unit]);
  if (level === 0) return "off";
  if (level < 9) return "hardly";
  return isSilent(moment, input, unit) ? "silent" : "on";
}

/** @param {Moment} moment */
export const offIn = ({ levels }) => [...levels].filter((level) => level === "0").length;
/** @param {Moment} moment */
export const hardlyIn = ({ levels }) => [...levels].filter((level) => level > "0" && level < "9").length;
/** @param {Moment} moment @param {number} input */
export const silentIn = (moment, input) => [...moment.levels].filter((_, unit) => isSilent(moment, input, unit)).length;
/** @param {Moment} moment */
export const accuracyIn = ({ right }) => right / VALIDATION;

/**
 * Of the units that a push turned off for the whole set, how many are no longer off.
 * @param {Run} run
 * @param {number} at epoch of the push
 */
export function cameBack({ moments, before }, at) {
  const last = /** @type {Moment} */ (moments.at(-1));
  const turned = [...moments[at].levels].flatMap((level, unit) =>
    level === "0" && before[at].levels[unit] !== "0" ? [unit] : [],
  );
  return { turned: turned.length, back: turned.filter((unit) => last.levels[unit] !== "0").length };
}

/**
 * As far as all runs have come that have not stopped.
 * @param {Run[]} runs
 */
export function lastEpoch(runs) {
  const ends = runs.map(({ moments }) => Math.max(0, moments.length - 1));
  const going = ends.filter((_, i) => runs[i].failedAt === null);
  return going.length > 0 ? Math.min(...going) : Math.max(0, ...ends);
}

/** @param {number} delta */
export const short = (delta) => fixed(delta, decimalsOf(delta));

// ---------- sentences ----------

/**
 * What has come out, from the numbers, as sentences with the numbers apart.
 * @param {Context} context
 * @returns {(string | Told)[]}
 */
export function findings(context) {
  const { text, nameOf } = context;
  const { runs, schedule } = /** @type {Data} */ (context.data);
  const going = runs.filter(({ moments }) => moments.length > 0);
  if (going.length === 0) return [];
  const last = lastEpoch(going);
  // Who has stopped before has nothing to say about this epoch.
  const there = going.filter(({ moments }) => moments.length > last);
  const momentOf = (/** @type {Run} */ { moments }) => moments[last];
  const stopped = runs.filter(({ failedAt }) => failedAt !== null);
  const at = schedule.pushes.findLast(([epoch]) =>
    going.every(({ before, failedAt }) => failedAt !== null || before[epoch] !== undefined),
  )?.[0];
  return [
    ...stopped.flatMap(({ fn, failedAt }) =>
      sentence(text("deadStoppedAt", { name: nameOf(fn), step: "{}" }), [told(`${fn}-stopped`, failedAt ?? 0)]),
    ),
    ...(at === undefined ? countsOff() : afterPush(at)),
    ...list("deadHardlyAt", "hardly", (run) => hardlyIn(momentOf(run))),
  ];

  function countsOff() {
    return [
      ...(schedule.pushes.length === 0 ? [text("deadNothingPushed"), gap()] : []),
      ...list("deadOffAt", "off", (run) => offIn(momentOf(run))),
    ];
  }

  /** @param {number} at epoch of the push */
  function afterPush(at) {
    const all = going
      .filter(({ before }) => before[at] !== undefined)
      .map((run) => ({ run, fn: run.fn, ...cameBack({ ...run, moments: run.moments.slice(0, last + 1) }, at) }))
      .filter(({ turned }) => turned > 0);
    if (all.length === 0) return [text("deadNoneOff"), gap()];
    const items = all.filter(({ run }) => there.includes(run));
    if (items.length === 0) return [];
    const parts = items.map(({ fn, turned, back }) =>
      sentence(text("deadBackOf", { name: nameOf(fn), back: "{}", count: "{}" }), [
        told(`${fn}-back`, back),
        told(`${fn}-turned`, turned),
      ]),
    );
    return [text("deadCameBack", { epoch: last }), ...joined(parts)];
  }

  /**
   * @param {"deadHardlyAt" | "deadOffAt"} label
   * @param {string} name
   * @param {(run: Run) => number} count
   */
  function list(label, name, count) {
    const items = there.map((run) => ({ fn: run.fn, count: count(run) })).filter((item) => item.count > 0);
    const start = text(label, { epoch: last });
    if (items.length === 0) return [start, text("deadNoneAt"), gap()];
    return [start, ...joined(items.map(({ fn, count }) => [`${nameOf(fn)} `, told(`${fn}-${name}-last`, count)]))];
  }

  /** @param {(string | Told)[][]} parts */
  function joined(parts) {
    const isChinese = context.language === "zh";
    return [...parts.flatMap((part, i) => (i === 0 ? part : [isChinese ? "、" : ", ", ...part])), isChinese ? "。" : ". "];
  }

  function gap() {
    return context.language === "zh" ? "" : " ";
  }
}

/** @param {string} name @param {number} value @returns {Told} */
const told = (name, value) => ({ name, value, text: String(value) });

/**
 * @param {string} text with {} where the numbers go
 * @param {Told[]} numbers
 */
const sentence = (text, numbers) => text.split("{}").flatMap((part, i) => (i === 0 ? [part] : [numbers[i - 1], part]));

// ---------- where the cursor is ----------

/**
 * The runs that have come as far as the cursor.
 * @param {Context} context
 */
export function present(context) {
  const epoch = context.state["dead.epoch"];
  return /** @type {Data} */ (context.data).runs.flatMap(({ fn, moments }) =>
    epoch in moments ? [{ fn, moment: moments[epoch] }] : [],
  );
}
