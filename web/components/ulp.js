/** The spacing of floating-point numbers: what an error in ULP is measured by. */

/** @typedef {{ digits: number, lowest: number }} Spacing bits of the significand; exponent of the smallest subnormal number */

const word = new Float64Array(1);
const halves = new Uint32Array(word.buffer);
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

/**
 * e for a size in [2ᵉ, 2ᵉ⁺¹); −1023 for 0 and for what is subnormal in float64.
 * @param {number} value finite
 */
export function exponentOf(value) {
  word[0] = value;
  return ((halves[HIGH] >>> 20) & 0x7ff) - 1023;
}

/**
 * The distance from a number of a format to the next one away from 0.
 * @param {number} value finite
 * @param {Spacing} spacing
 */
export const ulpOf = (value, { digits, lowest }) => 2 ** Math.max(exponentOf(value) - digits + 1, lowest);

/**
 * How many ULP of the reference two numbers of one format lie apart. NaN against NaN and an infinity against itself are 0
 * apart, either of them against anything else infinitely far.
 *
 * Within a factor of two the difference is exact (Sterbenz), and dividing by a power of two is; elsewhere the difference
 * is rounded once, which no one will notice in an error of more than 2⁵² ULP.
 * @param {number} value
 * @param {number} reference
 * @param {Spacing} spacing
 */
export function ulpsApart(value, reference, spacing) {
  if (Object.is(value, reference) || value === reference) return 0;
  if (!Number.isFinite(value) || !Number.isFinite(reference)) return Number.POSITIVE_INFINITY;
  const ulp = ulpOf(reference, spacing);
  const difference = value - reference;
  return Math.abs(Number.isFinite(difference) ? difference / ulp : value / ulp - reference / ulp);
}
