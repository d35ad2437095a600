/** web/components/half.js: every binary16 number, every tie between two of them, and what lies beside the ties. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { roundToHalf } from "../../web/components/half.js";
import { randomFrom } from "./vectors.mjs";

/** The number of 15 bits, by the definition of the format. */
function halfOf(bits) {
  const exponent = bits >> 10;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction === 0 ? Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
}

const LARGEST = 0x7bff;
const same = (got, want, label) => assert.ok(Object.is(got, want), `${label}: ${got}, want ${want}`);

test("every number of the format stays what it is, with either sign", () => {
  assert.equal(halfOf(LARGEST), 65504);
  for (let bits = 0; bits <= LARGEST; bits++) {
    same(roundToHalf(halfOf(bits)), halfOf(bits), bits);
    same(roundToHalf(-halfOf(bits)), -halfOf(bits), -bits);
  }
});

test("a tie goes to the even one, and what lies beside it to the nearer one", () => {
  for (let bits = 0; bits < LARGEST; bits++) {
    const [low, high] = [halfOf(bits), halfOf(bits + 1)];
    const middle = (low + high) / 2;
    const hair = middle * 2 ** -52;
    same(roundToHalf(middle), bits % 2 === 0 ? low : high, `tie after ${low}`);
    same(roundToHalf(middle - hair), low, `below the tie after ${low}`);
    same(roundToHalf(middle + hair), high, `above the tie after ${low}`);
    same(roundToHalf(-middle), bits % 2 === 0 ? -low : -high, `tie before ${-low}`);
  }
});

test("what is too large is infinite, what is too small is 0 with its sign, NaN is NaN", () => {
  same(roundToHalf(65519.99999999999), 65504, "below the limit");
  for (const large of [65520, 1e5, 1e308, Number.POSITIVE_INFINITY]) {
    same(roundToHalf(large), Number.POSITIVE_INFINITY, large);
    same(roundToHalf(-large), Number.NEGATIVE_INFINITY, -large);
  }
  for (const small of [2 ** -25, 2 ** -26, 1e-300, Number.MIN_VALUE, 0]) {
    same(roundToHalf(small), 0, small);
    same(roundToHalf(-small), -0, -small);
  }
  same(roundToHalf(2 ** -25 * (1 + 2 ** -52)), 2 ** -24, "above half of the smallest");
  same(roundToHalf(Number.NaN), Number.NaN, "NaN");
});

test("random numbers go to the nearest of their two neighbours", () => {
  const random = randomFrom(16);
  const numbers = Array.from({ length: LARGEST + 1 }, (_, bits) => halfOf(bits));
  for (let i = 0; i < 20000; i++) {
    const value = random() * 2 ** (Math.floor(random() * 40) - 24);
    const got = roundToHalf(value);
    let [low, high] = [0, LARGEST];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (numbers[middle] <= value) low = middle;
      else high = middle;
    }
    const best = Math.min(value - numbers[low], Math.abs(numbers[high] - value));
    assert.ok(value > 65504 || Math.abs(got - value) === best, `${value}: ${got}`);
  }
});
