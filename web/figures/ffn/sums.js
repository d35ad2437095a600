/** How one number of a feed-forward network comes about: the sum with its numbers, to be written out. */
import { backwardRow, dzAt } from "./run.js";

/**
 * @typedef {import("./run.js").Run} Run
 * @typedef {"x" | "w1" | "z" | "a" | "w2" | "y" | "dy" | "da" | "dz" | "dx" | "dw1" | "dw2"} MatrixName
 * @typedef {{ matrix: MatrixName, row: number, column: number }} Cell
 * @typedef {{ name: MatrixName, rows: number, columns: number, at: (row: number, column: number) => number }} Matrix
 * @typedef {{
 *   name: string, symbol: string, sources: Source[], terms: [number, number][], bias: number | null, value: number,
 *   after?: { name: string, symbol: string, value: number },
 * }} Sum name: of the matrix whose number it is; after: what the activation or its slope makes of it
 */

/** Rows and columns whose numbers are multiplied. @typedef {{ matrix: MatrixName, row?: number, column?: number }} Source */

/**
 * @param {Run} run
 * @param {MatrixName} name
 * @returns {Matrix | null} null: it is not there yet
 */
export function matrixOf(run, name) {
  const { d, hidden, tokens } = run.net;
  if (name === "da" || name === "dz") {
    return { name, rows: tokens, columns: hidden, at: (row, column) => backwardRow(run, row)[name][column] };
  }
  const [rows, columns] = {
    ...{ x: [tokens, d], y: [tokens, d], dx: [tokens, d], dy: [tokens, d], z: [tokens, hidden], a: [tokens, hidden] },
    ...{ w1: [d, hidden], dw1: [d, hidden], w2: [hidden, d], dw2: [hidden, d] },
  }[name];
  const numbers = run[name];
  return numbers === null ? null : { name, rows, columns, at: (row, column) => numbers[row * columns + column] };
}

/** In the order in which they are computed. */
export const FORWARD = /** @type {const} */ (["x", "w1", "z", "a", "w2", "y"]);
export const BACKWARD = /** @type {const} */ (["dy", "da", "dz", "dx", "dw2", "dw1"]);

const sub = (/** @type {number} */ index) => `[${index + 1}]`;
const sub2 = (/** @type {number} */ row, /** @type {number} */ column) => `[${row + 1}, ${column + 1}]`;

/**
 * @param {Run} run
 * @param {Cell} cell
 * @returns {Sum | null} null: a number that is given and not computed
 */
export function sumOf(run, { matrix, row, column }) {
  const { d, hidden, tokens } = run.net;
  const products = (/** @type {number} */ count, /** @type {(i: number) => [number, number]} */ term) =>
    Array.from({ length: count }, (_, i) => term(i));
  const k = column;
  switch (matrix) {
    case "z":
    case "a":
      return {
        name: "z",
        symbol: `*z*${sub(k)} = Σ *x*[*i*] *W*₁[*i*, ${k + 1}] + *b*₁${sub(k)}`,
        sources: [
          { matrix: "x", row },
          { matrix: "w1", column },
        ],
        terms: products(d, (i) => [run.x[row * d + i], run.w1[i * hidden + k]]),
        bias: run.b1[k],
        value: run.z[row * hidden + k],
        after: { name: "a", symbol: `*a*${sub(k)} = act(*z*${sub(k)})`, value: run.a[row * hidden + k] },
      };
    case "y":
      return {
        name: "y",
        symbol: `*y*${sub(k)} = Σ *a*[*j*] *W*₂[*j*, ${k + 1}] + *b*₂${sub(k)}`,
        sources: [
          { matrix: "a", row },
          { matrix: "w2", column },
        ],
        terms: products(hidden, (j) => [run.a[row * hidden + j], run.w2[j * d + k]]),
        bias: run.b2[k],
        value: run.y[row * d + k],
      };
    case "da":
    case "dz":
      return {
        name: "da",
        symbol: `*da*${sub(k)} = Σ *dy*[*i*] *W*₂[${k + 1}, *i*]`,
        sources: [
          { matrix: "dy", row },
          { matrix: "w2", row: k },
        ],
        terms: products(d, (i) => [run.dy[row * d + i], run.w2[k * d + i]]),
        bias: null,
        value: backwardRow(run, row).da[k],
        after: { name: "dz", symbol: `*dz*${sub(k)} = *da*${sub(k)} act′(*z*${sub(k)})`, value: backwardRow(run, row).dz[k] },
      };
    case "dx":
      return {
        name: "dx",
        symbol: `*dx*${sub(k)} = Σ *dz*[*j*] *W*₁[${k + 1}, *j*]`,
        sources: [
          { matrix: "dz", row },
          { matrix: "w1", row: k },
        ],
        terms: products(hidden, (j) => [backwardRow(run, row).dz[j], run.w1[k * hidden + j]]),
        bias: null,
        value: run.dx[row * d + k],
      };
    case "dw1":
      return run.dw1 === null
        ? null
        : {
            name: "dw1",
            symbol: `*dW*₁${sub2(row, k)} = Σ *x*[*t*, ${row + 1}] *dz*[*t*, ${k + 1}]`,
            sources: [
              { matrix: "x", column: row },
              { matrix: "dz", column },
            ],
            terms: products(tokens, (t) => [run.x[t * d + row], dzAt(run, t, k)]),
            bias: null,
            value: run.dw1[row * hidden + k],
          };
    case "dw2":
      return run.dw2 === null
        ? null
        : {
            name: "dw2",
            symbol: `*dW*₂${sub2(row, k)} = Σ *a*[*t*, ${row + 1}] *dy*[*t*, ${k + 1}]`,
            sources: [
              { matrix: "a", column: row },
              { matrix: "dy", column },
            ],
            terms: products(tokens, (t) => [run.a[t * hidden + row], run.dy[t * d + k]]),
            bias: null,
            value: run.dw2[row * d + k],
          };
    default:
      return null;
  }
}

/**
 * The number that the chosen unit stands for.
 * @param {import("./run.js").Net} net
 * @returns {Cell}
 */
export function chosenCell({ token, unit, hidden, isBackward }) {
  if (unit < hidden) return { matrix: isBackward ? "dz" : "a", row: token, column: unit };
  return { matrix: isBackward ? "dx" : "y", row: token, column: unit - hidden };
}

/**
 * The unit that a number belongs to, from 1 as the address has it; null for weights and for what is given.
 * @param {import("./run.js").Net} net
 * @param {Cell} cell
 */
export function unitOf({ hidden }, { matrix, column }) {
  if (["z", "a", "da", "dz"].includes(matrix)) return column + 1;
  return ["y", "dx"].includes(matrix) ? hidden + column + 1 : null;
}

/** Terms that are written, where there are more than can be. */
const MOST_TERMS = 32;
const FIRST_TERMS = 3;

/**
 * Terms of a sum as they are written: all, or the first, what those between come to, and the last.
 * @param {[number, number][]} terms
 * @returns {{ first: [number, number][], between: { count: number, value: number } | null, last: [number, number][] }}
 */
export function written(terms) {
  if (terms.length <= MOST_TERMS) return { first: terms, between: null, last: [] };
  const left = terms.slice(FIRST_TERMS, -1);
  const value = left.reduce((sum, [a, b]) => sum + a * b, 0);
  return { first: terms.slice(0, FIRST_TERMS), between: { count: left.length, value }, last: terms.slice(-1) };
}
