/** Figure `precision`: every step at x against an emulation of this file, what it says of them, tabs, prompts, a phone. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages are in the page, and one of them is hidden
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { roundToHalf } from "../../web/components/half.js";
import { truth } from "./oracle.mjs";
import { clickInput, readouts } from "./reading.mjs";
import { addressSettled, rangeOf, useSite } from "./visit.mjs";

const FIGURE = 'figure[data-figure="precision"]';
const site = useSite(["approximation"]);

const float32 = new Float32Array(1);
const words = new Uint32Array(float32.buffer);

/** The upper half of a float32, to the nearest even; right for numbers that are no float32 half-way case after rounding. */
function roundToBfloat(x) {
  const nearest = Math.fround(x);
  float32[0] = nearest;
  const tie = (words[0] & 0xffff) === 0x8000;
  if (tie && nearest !== x) return roundToBfloat(x + (x - nearest) * 2 ** 20);
  words[0] += 0x7fff + ((words[0] >>> 16) & 1);
  words[0] &= 0xffff0000;
  return float32[0];
}

const ROUND = { float64: (x) => x, float32: Math.fround, float16: roundToHalf, bfloat16: roundToBfloat };
const RELATIVE = { float64: 2 ** -50, float32: 2 ** -23, float16: 2 ** -10, bfloat16: 2 ** -7 };

const erfc = (z) => 2 * truth("normal_cdf", -z * Math.SQRT2);

/** The steps after x, in full. */
const FORMS = {
  erf(x, r) {
    const z = r(x / r(Math.SQRT2));
    const e = r(1 - erfc(z));
    return [z, e, r(1 + e), r(0.5 * x), r(r(0.5 * x) * r(1 + e))];
  },
  erfc(x, r) {
    const z = r(-x / r(Math.SQRT2));
    const e = r(erfc(z));
    return [z, e, r(0.5 * x), r(r(0.5 * x) * e)];
  },
  tanh(x, r) {
    const square = r(x * x);
    const cube = r(square * x);
    const term = r(r(0.044715) * cube);
    const u = r(x + term);
    const v = r(r(Math.sqrt(2 / Math.PI)) * u);
    const t = r(Math.tanh(v));
    return [square, cube, term, u, v, t, r(1 + t), r(0.5 * x), r(r(0.5 * x) * r(1 + t))];
  },
  sigmoid(x, r) {
    const z = r(r(-1.702) * x);
    const e = r(Math.exp(z));
    const gate = r(1 / r(1 + e));
    return [z, e, r(1 + e), gate, r(x * gate)];
  },
};

/** All steps of the figure, as it names them: 1 …, then the result. */
function stepsOf(all) {
  const steps = [];
  for (let i = 1; all[`step.${i}`] !== undefined; i++) steps.push(all[`step.${i}`]);
  return [...steps, all.result];
}

const textOf = (page) => page.$eval(FIGURE, (figure) => figure.innerText);

describe("every step", () => {
  for (const format of Object.keys(ROUND)) {
    for (const form of Object.keys(FORMS)) {
      test(`${form} in ${format}`, () =>
        site.visit(`?precision.form=${form}&precision.format=${format}`, async (page) => {
          for (const x of [-5, -2.25, -0.7, 0, 1.3, 3]) {
            await page.$eval(
              `${FIGURE} input[name="x"]`,
              (input, value) => {
                input.value = String(value);
                input.dispatchEvent(new Event("input", { bubbles: true }));
              },
              x,
            );
            const all = await readouts(page, FIGURE);
            const round = ROUND[format];
            const got = stepsOf(all);
            const want = FORMS[form](round(x), round);
            assert.equal(got.length, want.length);
            const size = Math.max(1, ...want.map(Math.abs));
            got.forEach((value, i) => {
              // erf is not correctly rounded here, nor there: near a tie they may part by a step, which later steps carry on.
              const off = 2 * RELATIVE[format] * Math.abs(want[i]) + (i < 2 ? 0 : RELATIVE[format] * size) + 1e-15;
              assert.ok(Math.abs(value - want[i]) <= off, `x = ${x}, step ${i + 1}: ${value}, want ${want[i]}`);
            });
            assert.equal(all["step.0"], round(x) === x ? undefined : round(x));
            assert.ok(Math.abs(all.exact - truth("gelu", round(x))) <= 1e-9 * Math.abs(all.exact));
            if (x !== 0) {
              assert.ok(
                Math.abs(all["result.error"] - Math.abs(all.result / all.exact - 1)) <= 1e-12,
                `x = ${x}: ${all["result.error"]}`,
              );
            }
          }
        }));
    }
  }
});

describe("what is lost, and what it says of it", () => {
  const at = (form, format, x, rest = "") => `?precision.form=${form}&precision.format=${format}&x=${x}${rest}`;

  test("float32, 1 + erf: 4 % off at −5, nothing left from −5.5426 on; erfc keeps it", () =>
    site.visit(at("erf", "float32", -5), async (page) => {
      const all = await readouts(page, FIGURE);
      assert.ok(Math.abs(all["result.error"] - 0.04) < 0.005, `${all["result.error"]}`);
      assert.match(await textOf(page), /the sum keeps: 4/);
      await clickInput(page, `${FIGURE} input[value="erfc"]`);
      const kept = await readouts(page, FIGURE);
      assert.ok(kept["result.error"] < 1e-5, `${kept["result.error"]}`);
    }));

  for (const [form, format, x] of [
    ["erf", "float32", -5.5426],
    ["erf", "float16", -3.7],
    ["erf", "bfloat16", -3.2],
    ["tanh", "float16", -4],
  ]) {
    test(`${form} in ${format} at ${x}: the sum is 0, and so is the result`, () =>
      site.visit(at(form, format, x), async (page) => {
        const all = await readouts(page, FIGURE);
        assert.ok(Object.is(all.result, -0));
        assert.equal(all["result.error"], 1);
        assert.match(await textOf(page), /adding 1 leaves exactly 0/);
      }));
  }

  test("float16: x³ is infinite beyond 40.3, named with its bound; bfloat16 has room for it", () =>
    site.visit(at("tanh", "float16", -41, "&from=-50&to=50"), async (page) => {
      const all = await readouts(page, FIGURE);
      assert.deepEqual([all["step.1"], all["step.2"], all["step.6"]], [1681, Number.NEGATIVE_INFINITY, -1]);
      assert.match(await textOf(page), /beyond 65504, the largest number of float16/);
      // Nothing is lost in that sum: tanh(−∞) is −1.
      assert.doesNotMatch(await textOf(page), /every digit is lost/);
      await clickInput(page, `${FIGURE} input[value="bfloat16"]`);
      assert.ok(Number.isFinite((await readouts(page, FIGURE))["step.2"]));
    }));

  test("float16: the exponential of the sigmoid form overflows left of −6.5", () =>
    site.visit(at("sigmoid", "float16", -7), async (page) => {
      const all = await readouts(page, FIGURE);
      assert.equal(all["step.2"], Number.POSITIVE_INFINITY);
      assert.ok(Object.is(all.result, -0));
      assert.match(await textOf(page), /beyond 65504/);
    }));

  test("float16 and erfc: the tail gets subnormal, then is flushed", () =>
    site.visit(at("erfc", "float16", -5), async (page) => {
      assert.match(await textOf(page), /subnormal, binary digits left: \d/);
      await page.goto(site.address + at("erfc", "float16", -6));
      await page.waitForFunction((s) => document.querySelector(s)?.dataset.state === "ready", {}, FIGURE);
      assert.ok(Object.is((await readouts(page, FIGURE)).result, -0));
      assert.match(await textOf(page), /flushed to 0/);
    }));

  test("x that the format does not have is shown as the number that it becomes", () =>
    site.visit(at("erf", "bfloat16", -3.2), async (page) => {
      assert.equal((await readouts(page, FIGURE))["step.0"], -3.203125);
    }));
});

describe("the frame", () => {
  test("the formats are tabs: by click and by arrow keys, in the address, and the plot keeps its size", () =>
    site.visit("", async (page) => {
      const size = () => page.$eval(`${FIGURE} .plot`, ({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
      const before = await size();
      const tab = (format) => `${FIGURE} .tabs input[value="${format}"]`;
      assert.ok(await page.$eval(tab("float32"), (input) => input.checked));
      await clickInput(page, tab("float16"));
      assert.match(await addressSettled(page), /precision\.format=float16/);
      await page.focus(tab("float16"));
      await page.keyboard.press("ArrowRight");
      assert.match(await addressSettled(page), /precision\.format=bfloat16/);
      assert.match(await textOf(page), /relative error in bfloat16/);
      assert.deepEqual(await size(), before);
      await page.$eval(`${FIGURE} [data-tool="reset"]`, (button) => button.click());
      assert.ok(await page.$eval(tab("float32"), (input) => input.checked));
      assert.equal(await addressSettled(page), "");
    }));

  test("more digits reach further left", () =>
    site.visit("?precision.format=float64", async (page) => {
      assert.deepEqual(await rangeOf(page, FIGURE), [-10, 3]);
      await clickInput(page, `${FIGURE} .tabs input[value="float16"]`);
      assert.deepEqual(await rangeOf(page, FIGURE), [-8, 3]);
    }));

  for (const language of ["zh", "en"]) {
    test(`${language}: prompts set it to what they say`, () =>
      site.visit(`?lang=${language}`, async (page) => {
        const results = [];
        for (const form of ["erf", "tanh", "sigmoid"]) {
          await page.$$eval(`#approximation button[data-set*="precision.form=${form}"]`, (buttons) =>
            buttons.find((button) => button.checkVisibility()).click(),
          );
          results.push((await readouts(page, FIGURE)).result);
          assert.ok(await page.$(`${FIGURE} .fig-task`), form);
        }
        assert.ok(results[0] < 0 && Object.is(results[1], -0) && Object.is(results[2], -0), `${results}`);
      }));
  }

  test("a phone: tabs and words can be touched, nothing is cut", () =>
    site.visit(
      "?precision.form=tanh&precision.format=float16&x=-4.4",
      async (page) => {
        const heights = await page.$$eval(`${FIGURE} :is(.tabs, .seg) label`, (labels) =>
          labels.map((label) => label.getBoundingClientRect().height),
        );
        assert.ok(heights.length >= 8 && heights.every((height) => height >= 44), `${heights}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      },
      { width: 360, height: 740, touch: true },
    ));
});
