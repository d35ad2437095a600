/** What the cursor of a plot moves along: the page's x, or a figure's own parameter, such as a layer or an epoch. */
import { X_LIMIT } from "../state.js";
import { decimalsOf, fixed } from "./numbers.js";

/**
 * @typedef {[number, number]} Range
 * @typedef {{
 *   key: string, inputName: string, name: import("../i18n/labels.js").Label, move: import("../i18n/labels.js").Label,
 *   bounds: Range, zooms: boolean, step: (range: Range) => number, decimals: (range: Range) => number,
 *   text: (value: number, range: Range) => string, joint: string,
 * }} CursorAxis
 *   name: of what is moved; joint: what stands between it and its value; bounds: of what may be typed;
 *   decimals: that the hand sets; text: without the name
 */

/** One key press moves x by this: a round part of the range, 0.01 for ranges of about ten. */
const stepOf = (/** @type {Range} */ [from, to]) => 10 ** Math.floor(Math.log10((to - from) / 400));
const stepDecimals = (/** @type {Range} */ range) => Math.max(2, decimalsOf(stepOf(range)));

/** @type {CursorAxis} */
export const PAGE_X = {
  key: "x",
  inputName: "x",
  name: "variableX",
  move: "moveX",
  joint: " = ",
  bounds: [-X_LIMIT, X_LIMIT],
  zooms: true,
  step: stepOf,
  decimals: stepDecimals,
  // To the step, and further where the reader typed more.
  text: (x, range) => fixed(x, Math.max(stepDecimals(range), Math.min(4, decimalsOf(x)))),
};

/**
 * Whole numbers of something, whose parameter is a row of the table.
 * @param {{ key: string, name: import("../i18n/labels.js").Label, move: import("../i18n/labels.js").Label, bounds: Range }} own
 * @returns {CursorAxis}
 */
export function wholeNumbers(own) {
  return {
    ...own,
    inputName: own.key,
    joint: " ",
    zooms: false,
    step: () => 1,
    decimals: () => 0,
    text: (value) => fixed(value, 0),
  };
}

/**
 * @param {CursorAxis} axis
 * @param {import("./figure.js").Context} context
 * @param {Range} range
 * @returns {string} "*x* = −1.00"
 */
export const readingOf = (axis, { text, state }, range) => `${text(axis.name)}${axis.joint}${axis.text(state[axis.key], range)}`;
