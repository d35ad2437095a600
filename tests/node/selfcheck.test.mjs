/** The check that the page makes before it draws: right kernels pass, wrong ones are named. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { checkKernels } from "../../web/selfcheck.js";

const gelu = await loadGelu();

/**
 * Kernels that are right but for the results of one kind of call.
 * @param {(call: { id: string, order: number, isSingle: boolean }) => boolean} isMeant
 * @param {(ys: Float64Array | Float32Array) => unknown} spoil
 */
const lying = (isMeant, spoil) => ({
  evaluate(id, xs, { order = 0 } = {}) {
    const ys = gelu.evaluate(id, xs, { order });
    if (isMeant({ id, order, isSingle: xs instanceof Float32Array })) spoil(ys);
    return ys;
  },
});

test("right kernels pass", () => checkKernels(gelu));

test("calls that fail are for the figures to tell", () =>
  checkKernels({
    evaluate() {
      throw new Error("status 3");
    },
  }));

for (const [label, isMeant, spoil, message] of [
  [
    "one lane of one function",
    ({ id, isSingle }) => id === "tanh" && !isSingle,
    (ys) => ys.set([0.4621171572601], 5),
    /^tanh\(0\.5\) = /,
  ],
  [
    "a slope",
    ({ id, order }) => id === "gelu" && order === 1,
    (ys) => ys.fill(0),
    /^gelu′\(-5\) = 0 ≠ -0\.000007146946001792295$/,
  ],
  [
    "float32 alone, by one ULP",
    ({ id, isSingle }) => id === "normal_cdf" && isSingle,
    (ys) => ys.set([Math.fround(ys[6] * (1 + 2 ** -23))], 6),
    /^normal_cdf\(-2\) = 0\.02275\d+ ≠ 0\.02275013194817921$/,
  ],
  ["not a number", () => true, (ys) => ys.fill(Number.NaN), /^gelu\(2\) = NaN ≠ /],
]) {
  test(`found and named: ${label}`, () => assert.throws(() => checkKernels(lying(isMeant, spoil)), { message }));
}
