/** Compares a reader's values with the kernels' in the format that they claim to be: absolute, relative, in ULP. */
import { roundToHalf } from "../components/half.js";
import { ulpsApart } from "../components/ulp.js";

/**
 * @typedef {"float64" | "float32" | "float16"} FormatName
 * @typedef {{
 *   line: number, x: number, theirs: number, ours: number, absolute: number, relative: number, ulp: number,
 * }} Row ulp: infinite where one is NaN or infinite and the other is not
 * @typedef {{ fn: string, order: 0 | 1, format: FormatName }} Question
 */

/** digits: bits of the significand; lowest: exponent of the smallest number; shown: digits that tell two apart. */
export const FORMATS = {
  float64: { digits: 53, lowest: -1074, shown: 17, round: (/** @type {number} */ value) => value },
  float32: { digits: 24, lowest: -149, shown: 9, round: Math.fround },
  float16: { digits: 11, lowest: -24, shown: 5, round: roundToHalf },
};

/**
 * The kernels' values at numbers of the format, in the format.
 * @param {import("../kernels.js").Gelu} gelu
 * @param {Question} question
 * @param {number[]} xs
 * @returns {ArrayLike<number>}
 */
function reference(gelu, { fn, order, format }, xs) {
  if (format === "float32") return gelu.evaluate(fn, Float32Array.from(xs), { order });
  const values = gelu.evaluate(fn, Float64Array.from(xs), { order });
  return format === "float64" ? values : values.map(roundToHalf);
}

/**
 * Every row, the worst first. x and y are taken as the numbers of the format that are nearest to what was written.
 * @param {import("../kernels.js").Gelu} gelu
 * @param {Question} question
 * @param {import("./pasted.js").Pasted} pasted
 * @returns {Row[]}
 */
export function compare(gelu, question, pasted) {
  const format = FORMATS[question.format];
  const xs = pasted.xs.map(format.round);
  const values = reference(gelu, question, xs);
  const rows = xs.map((x, i) => compareOne(pasted.lines[i], x, format.round(pasted.ys[i]), values[i], format));
  return rows.sort((a, b) => (a.ulp === b.ulp ? a.line - b.line : a.ulp > b.ulp ? -1 : 1));
}

/**
 * @param {number} line
 * @param {number} x
 * @param {number} theirs
 * @param {number} ours
 * @param {import("../components/ulp.js").Spacing} format
 * @returns {Row}
 */
function compareOne(line, x, theirs, ours, format) {
  const ulp = ulpsApart(theirs, ours, format);
  const absolute = ulp === 0 ? 0 : Math.abs(theirs - ours);
  return { line, x, theirs, ours, absolute, relative: absolute === 0 ? 0 : absolute / Math.abs(ours), ulp };
}

/**
 * @param {Row[]} rows the worst first
 * @returns {{ rows: number, worst: number, worstAt: number, within: number, same: number }}
 *   within: rows no more than 1 ULP off; same: rows that are the very number
 */
export function summarize(rows) {
  return {
    rows: rows.length,
    worst: rows[0]?.ulp ?? Number.NaN,
    worstAt: rows[0]?.x ?? Number.NaN,
    within: rows.filter(({ ulp }) => ulp <= 1).length,
    same: rows.filter(({ ulp }) => ulp === 0).length,
  };
}

/**
 * The float32 column of a textbook program, ½x(1 + erf(x/√2)) with each step rounded: 4 % off at −5, 0 left of −5.54.
 * @param {import("../kernels.js").Gelu} gelu
 * @returns {string} a CSV with a head
 */
export function textbookExample(gelu) {
  const xs = Float32Array.from({ length: 45 }, (_, i) => i / 4 - 8);
  const z = xs.map((x) => x * Math.fround(Math.SQRT1_2));
  // erf(z) = 2Φ(√2·z) − 1 in float64, then once to float32: as good as the best library's.
  const shares = gelu.evaluate(
    "normal_cdf",
    Float64Array.from(z, (value) => Math.SQRT2 * value),
  );
  const rows = Array.from(xs, (x, i) => {
    const sum = Math.fround(1 + Math.fround(2 * shares[i] - 1));
    const y = Math.fround(Math.fround(0.5 * x) * sum);
    return `${x},${Number(y.toPrecision(FORMATS.float32.shown))}`;
  });
  return `x,y\n${rows.join("\n")}\n`;
}
