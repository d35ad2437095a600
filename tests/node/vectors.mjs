/** Reads the reference vectors, and measures errors in units in the last place; also the seeded numbers of the tests. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseHex } from "../../web/build/vectors.mjs";

export { parseHex };

const FOLDER = fileURLToPath(new URL("../c/reference/vectors/", import.meta.url));

/**
 * @typedef {{
 *   id: string, order: 0 | 1 | 2, parameters: number[] | null, x: number, want: number, rest: number, single: number | null,
 * }} Vector parameters null: the defaults. The truth is want + rest units of its last place; single is the nearest
 *   float32, null where x is no float32.
 */

/** The functions that have a file of vectors; the building blocks (special_…) are C's own affair. */
export function vectorIds() {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".txt") && !name.startsWith("special_"))
    .map((name) => name.slice(0, -".txt".length))
    .sort();
}

/**
 * @param {string} id
 * @returns {Vector[]}
 */
export function readVectors(id) {
  const [header, ...lines] = readFileSync(`${FOLDER}${id}.txt`, "utf8").trimEnd().split("\n");
  if (!header.startsWith("# id order parameters x float64 rest float32"))
    throw new Error(`${id}.txt has another format: ${header}`);
  return lines.map((line) => {
    const [name, order, parameters, x, want, rest, single, ...more] = line.split(" ");
    if (single === undefined || more.length > 0 || name !== id) throw new Error(`${id}.txt: ${line}`);
    return {
      id,
      order: /** @type {0 | 1 | 2} */ (Number(order)),
      parameters: parameters === "-" ? null : parameters.split(",").map(parseHex),
      x: parseHex(x),
      want: parseHex(want),
      rest: Number(rest),
      single: single === "-" ? null : parseHex(single),
    };
  });
}

/**
 * The vectors in groups of one order and one set of parameters.
 * @param {Vector[]} vectors
 * @returns {Vector[][]}
 */
export function grouped(vectors) {
  /** @type {Map<string, Vector[]>} */
  const groups = new Map();
  for (const vector of vectors) {
    const key = `${vector.order} ${vector.parameters}`;
    groups.set(key, [...(groups.get(key) ?? []), vector]);
  }
  return [...groups.values()];
}

const view = new DataView(new ArrayBuffer(8));

/**
 * The unit in the last place of a finite number.
 * @param {number} y
 * @param {number} bits of the significand: 53 or 24
 * @param {number} least exponent of the unit: -1074 or -149
 */
function unit(y, bits, least) {
  view.setFloat64(0, Math.abs(y));
  const exponent = Math.max(view.getUint16(0) >> 4, 1) - 1023;
  return 2 ** Math.max(exponent - bits + 1, least);
}

export const unit64 = (/** @type {number} */ y) => unit(y, 53, -1074);
export const unit32 = (/** @type {number} */ y) => unit(y, 24, -149);

/**
 * How far a result is from the truth, in ULPs; infinite where no distance could excuse it: a NaN on one side alone, an
 * infinity on one side alone, a zero of the other sign.
 * @param {number} got
 * @param {number} want
 * @param {number} rest
 */
export function error64(got, want, rest) {
  if (Object.is(got, want)) return Number.isFinite(want) ? Math.abs(rest) : 0;
  if (!Number.isFinite(got) || !Number.isFinite(want)) return Number.POSITIVE_INFINITY;
  if (want === 0 && isNegative(got) !== isNegative(want)) return Number.POSITIVE_INFINITY;
  if (got === 0 && isNegative(got) !== isNegative(want)) return Number.POSITIVE_INFINITY;
  return Math.abs((got - want) / unit64(want) - rest);
}

/**
 * The same for a float32 result, from the float32 nearest to the truth and the truth to float64.
 * @param {number} got
 * @param {number} single
 * @param {number} want
 */
export function error32(got, single, want) {
  if (Object.is(got, single)) return Number.isFinite(single) && single !== 0 ? Math.abs(got - want) / unit32(single) : 0;
  if (!Number.isFinite(got) || !Number.isFinite(single)) return Number.POSITIVE_INFINITY;
  if (single === 0 && isNegative(got) !== isNegative(single)) return Number.POSITIVE_INFINITY;
  if (got === 0 && isNegative(got) !== isNegative(single)) return Number.POSITIVE_INFINITY;
  return Math.abs(got - want) / unit32(single);
}

const isNegative = (/** @type {number} */ y) => y < 0 || Object.is(y, -0);

/**
 * Where a group changes sign: between neighbours in x. Values that underflow say nothing about the sign.
 * @param {Vector[]} group
 * @returns {[number, number][]}
 */
export function zerosOf(group) {
  const inOrder = group.filter(({ want }) => want !== 0 && !Number.isNaN(want)).sort((a, b) => a.x - b.x);
  /** @type {[number, number][]} */
  const zeros = [];
  for (let i = 1; i < inOrder.length; i++) {
    if (inOrder[i - 1].want < 0 !== inOrder[i].want < 0) zeros.push([inOrder[i - 1].x, inOrder[i].x]);
  }
  return zeros;
}

/**
 * Seeded numbers in [0, 1).
 * @param {number} seed
 */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
}

/**
 * The bits of numbers, every NaN the same.
 * @param {Float32Array | Float64Array} values
 * @returns {(number | bigint)[]}
 */
export function bitsOf(values) {
  const copy = values.map((value) => (Number.isNaN(value) ? Number.NaN : value));
  return [...(copy instanceof Float32Array ? new Uint32Array(copy.buffer) : new BigUint64Array(copy.buffer))];
}
