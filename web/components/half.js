/** Rounds to binary16: 11 bits, nothing between 65504 and infinity, steps of 2⁻²⁴ at the bottom. */
import { exponentOf } from "./ulp.js";

/** Half-way between the largest number and the one that would follow: from here on it is infinity. */
const OVERFLOW = 65520;
const LEAST_EXPONENT = -14;
/** Adding and taking away 2⁵² rounds a smaller number to a whole one, ties to even, as float64 addition does. */
const WHOLE = 2 ** 52;

/**
 * The nearest binary16 number, ties to even.
 *
 * A float64 result has itself been rounded, so a true value that lies within half a ULP of float64 of a tie between two
 * binary16 numbers may go to the wrong one: about one in 2⁴⁰.
 * @param {number} value
 */
export function roundToHalf(value) {
  const size = Math.abs(value);
  if (!(size < OVERFLOW)) return Number.isNaN(value) ? value : Math.sign(value) * Number.POSITIVE_INFINITY;
  const step = 2 ** (Math.max(exponentOf(size), LEAST_EXPONENT) - 10);
  const rounded = (size / step + WHOLE - WHOLE) * step;
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}
