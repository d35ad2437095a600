/** gelu.round and gelu.emulate: every half both ways, ties, the ends of each format, formulas recomputed here. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { refusal } from "./refusal.mjs";

const gelu = await loadGelu();

/** From the definition: fraction bits, exponent of the smallest normal number. */
const LAYOUTS = /** @type {const} */ ({ float16: [10, -14], bfloat16: [7, -126] });
const HALVES = /** @type {("float16" | "bfloat16")[]} */ (["float16", "bfloat16"]);
const FORMATS = /** @type {const} */ (["float64", "float32", "float16", "bfloat16"]);
const FORMS = /** @type {const} */ (["erf", "erfc", "tanh", "sigmoid"]);

/** All finite numbers ≥ 0 of a format, ascending. */
function finiteNumbers(format) {
  const [fraction, least] = LAYOUTS[format];
  const infinity = ((1 << (15 - fraction)) - 1) << fraction;
  return Float64Array.from({ length: infinity }, (_, bits) => {
    const exponent = bits >> fraction;
    const digits = bits & ((1 << fraction) - 1);
    return exponent === 0 ? digits * 2 ** (least - fraction) : (digits + 2 ** fraction) * 2 ** (exponent - 1 + least - fraction);
  });
}

const words = new BigInt64Array(1);
const word = new Float64Array(words.buffer);

/** The next float64 away from 0, or towards it. */
function next(x, away) {
  word[0] = x;
  words[0] += away ? 1n : -1n;
  return word[0];
}

const same = (got, want, label) => {
  for (let i = 0; i < want.length; i++) {
    if (!Object.is(got[i], want[i])) assert.fail(`${label}, element ${i}: got ${got[i]}, want ${want[i]}`);
  }
  assert.equal(got.length, want.length, label);
};

describe("rounding", () => {
  for (const format of HALVES) {
    const numbers = finiteNumbers(format);
    const largest = numbers[numbers.length - 1];
    const beyond = 2 * largest - numbers[numbers.length - 2];
    const above = Float64Array.from(numbers, (_, i) => numbers[i + 1] ?? beyond);
    const ties = numbers.map((low, i) => low + (above[i] - low) / 2);
    const stand = (values) => values.map((value) => (value === beyond ? Number.POSITIVE_INFINITY : value));

    test(`${format}: every number stays itself, with either sign`, () => {
      same(gelu.round(numbers, format), numbers, format);
      const negative = numbers.map((value) => -value);
      same(gelu.round(negative, format), negative, format);
    });

    test(`${format}: every tie goes to the even neighbour, what lies beside it to the nearer one`, () => {
      const even = stand(ties.map((_, i) => (i % 2 === 0 ? numbers[i] : above[i])));
      same(gelu.round(ties, format), even, "ties");
      same(
        gelu.round(
          ties.map((value) => next(value, true)),
          format,
        ),
        stand(above),
        "above",
      );
      same(
        gelu.round(
          ties.map((value) => next(value, false)),
          format,
        ),
        numbers,
        "below",
      );
      same(
        gelu.round(
          ties.map((value) => -value),
          format,
        ),
        even.map((value) => -value),
        "negative",
      );
    });

    test(`${format}: infinities, NaN, the far ends of float64`, () => {
      const { NaN: none, MAX_VALUE, MIN_VALUE, POSITIVE_INFINITY: oo } = Number;
      const xs = Float64Array.of(none, oo, -oo, MAX_VALUE, -MAX_VALUE, MIN_VALUE, -MIN_VALUE, -0);
      same(gelu.round(xs, format), Float64Array.of(none, oo, -oo, oo, -oo, 0, -0, -0), format);
    });
  }

  test("a float32 array comes back as one, and is not written to", () => {
    const xs = Float32Array.of(0.1, 1 / 3, 70000, -0);
    const before = xs.slice();
    const rounded = gelu.round(xs, "float16");
    assert.ok(rounded instanceof Float32Array);
    same(rounded, Float32Array.of(0.0999755859375, 0.333251953125, Number.POSITIVE_INFINITY, -0), "float16");
    same(xs, before, "input");
  });

  test("is done once, not through float32: that would find ties where there are none", () => {
    // Beyond a tie of float16 by less than float32 can tell.
    const x = 1 + 2 ** -11 + 2 ** -40;
    assert.equal(Math.fround(x), 1 + 2 ** -11);
    assert.equal(gelu.round(Float64Array.of(x), "float16")[0], 1 + 2 ** -10);
  });

  test("any length", () => {
    for (const n of [0, 1, 3, 16383, 16384, 16385, 40000]) {
      const xs = Float64Array.from({ length: n }, (_, i) => i * 1.2345);
      same(
        gelu.round(xs, "bfloat16"),
        Float64Array.from(xs, (x) => gelu.round(Float64Array.of(x), "bfloat16")[0]),
        `n = ${n}`,
      );
    }
  });

  test("refuses other formats and types, naming them", () => {
    const xs = Float64Array.of(1);
    assert.throws(() => gelu.round(xs, "float8"), refusal("unknown-format", '"float8"', "allowed: float16, bfloat16"));
    assert.throws(() => gelu.round(xs, "float32"), refusal("unknown-format", '"float32"'));
    assert.throws(() => gelu.round([1], "float16"), refusal("bad-type", "an array", "Float64Array"));
  });
});

describe("formulas with every operation rounded", () => {
  const rounders = {
    float64: (x) => x,
    float32: Math.fround,
    float16: (x) => gelu.round(Float64Array.of(x), "float16")[0],
    bfloat16: (x) => gelu.round(Float64Array.of(x), "bfloat16")[0],
  };
  const one = (id, x) => gelu.evaluate(id, Float64Array.of(x))[0];
  const spacing = { float64: 2 ** -51, float32: 2 ** -23, float16: 2 ** -10, bfloat16: 2 ** -7 };

  /** Each step from the ones before it; `f` marks a function, which may differ by a step of the format. */
  const written = {
    erf: (s, r) => [
      s[1],
      s[0] / r(Math.SQRT2),
      { f: 2 * one("normal_cdf", s[1] * Math.SQRT2) - 1 },
      1 + s[2],
      0.5 * s[0],
      s[4] * s[3],
    ],
    erfc: (s, r) => [s[1], -s[0] / r(Math.SQRT2), { f: 2 * one("normal_cdf", -s[1] * Math.SQRT2) }, 0.5 * s[0], s[3] * s[2]],
    tanh: (s, r) => [
      s[1],
      s[0] * s[0],
      s[1] * s[0],
      r(0.044715) * s[2],
      s[0] + s[3],
      r(Math.sqrt(2 / Math.PI)) * s[4],
      { f: Math.tanh(s[5]) },
      1 + s[6],
      0.5 * s[0],
      s[8] * s[7],
    ],
    sigmoid: (s, r) => [s[1], r(-1.702) * s[0], { f: Math.exp(s[1]) }, 1 + s[2], 1 / s[3], s[0] * s[4]],
  };

  for (const form of FORMS) {
    for (const format of FORMATS) {
      test(`${form} in ${format}: the steps follow from one another, the last is the result`, () => {
        const round = rounders[format];
        for (let x = -48; x <= 48; x += 0.37) {
          const steps = gelu.emulateSteps(form, x, format);
          assert.equal(steps[0], round(x));
          const want = written[form](steps, round);
          assert.equal(steps.length, want.length);
          for (let i = 1; i < steps.length; i++) {
            const value = want[i].f ?? want[i];
            const off = want[i].f === undefined ? 0 : 3 * spacing[format] * Math.abs(value) + 2 ** -48;
            const rounded = round(value);
            const near = Object.is(steps[i], rounded) || Math.abs(steps[i] - value) <= off;
            assert.ok(near, `${form} ${format} x = ${x}, step ${i}: ${steps[i]}, not ${rounded}`);
          }
          assert.ok(Object.is(gelu.emulate(form, Float64Array.of(x), format)[0], steps[steps.length - 1]));
        }
      });
    }
  }

  test("what the lesson says of them", () => {
    const at = (form, x, format) => gelu.emulate(form, Float64Array.of(x), format)[0];
    const exact = (x) => one("gelu", x);
    const off = (form, x, format) => Math.abs(at(form, x, format) / exact(x) - 1);
    assert.ok(Math.abs(off("erf", -5, "float32") - 0.04) < 0.005);
    assert.ok(Math.abs(off("erf", -5.5, "float32") - 0.57) < 0.005);
    assert.ok(Object.is(at("erf", -5.5426, "float32"), -0) && at("erf", -5.5425, "float32") < 0);
    assert.ok(at("erfc", -12, "float32") < 0 && off("erfc", -12, "float32") < 1e-4);
    assert.ok(Object.is(at("erf", -3.68, "float16"), -0) && at("erf", -3.66, "float16") < 0);
    assert.ok(Object.is(at("erf", -3.11, "bfloat16"), -0) && at("erf", -3.08, "bfloat16") < 0);
    assert.equal(gelu.emulateSteps("tanh", -41, "float16")[2], Number.NEGATIVE_INFINITY);
    assert.ok(Number.isFinite(gelu.emulateSteps("tanh", -40, "float16")[2]));
    assert.ok(Number.isFinite(gelu.emulateSteps("tanh", -50, "bfloat16")[2]));
    assert.equal(gelu.emulateSteps("sigmoid", -6.6, "float16")[2], Number.POSITIVE_INFINITY);
    assert.ok(off("tanh", -4, "float64") > 0.4 && off("erfc", -4, "float64") < 18 * 2 ** -52);
  });

  test("in float64 erfc gives GELU to a few units, also near 0, where 1 − erfc would not give erf", () => {
    for (const x of [-6, -1, -1e-3, 1e-9, 0.3, 5]) {
      // The rounding of x/√2 comes back multiplied by x².
      const erfc = gelu.emulate("erfc", Float64Array.of(x), "float64")[0];
      assert.ok(Math.abs(erfc / one("gelu", x) - 1) < (x * x + 4) * 2 ** -52, `${x}`);
      if (x > -2) assert.ok(Math.abs(gelu.emulate("erf", Float64Array.of(x), "float64")[0] / one("gelu", x) - 1) < 2e-15, `${x}`);
    }
    const [, z, erf] = gelu.emulateSteps("erf", 1e-9, "float64");
    assert.ok(Math.abs(erf / ((2 / Math.sqrt(Math.PI)) * z) - 1) < 1e-15);
  });

  test("NaN in, NaN out; a float32 array comes back as one; nothing is written to", () => {
    for (const form of FORMS) {
      for (const format of FORMATS) assert.ok(Number.isNaN(gelu.emulate(form, Float64Array.of(Number.NaN), format)[0]));
    }
    const xs = Float32Array.of(-2, 0.1);
    const before = xs.slice();
    assert.ok(gelu.emulate("tanh", xs, "float16") instanceof Float32Array);
    same(xs, before, "input");
    assert.equal(gelu.emulate("tanh", new Float64Array(0), "float16").length, 0);
  });

  test("refuses other forms, formats and types, naming them", () => {
    const xs = Float64Array.of(1);
    assert.throws(() => gelu.emulate("relu", xs, "float16"), refusal("unknown-form", '"relu"', "erf, erfc, tanh, sigmoid"));
    assert.throws(() => gelu.emulate("erf", xs, "half"), refusal("unknown-format", '"half"', "bfloat16"));
    assert.throws(() => gelu.emulate("erf", 1, "float16"), refusal("bad-type", "1"));
    assert.throws(() => gelu.emulateSteps("erf", "1", "float16"), refusal("bad-type", '"1"'));
    assert.throws(() => gelu.emulateSteps("erf", 1, undefined), refusal("unknown-format", "undefined"));
  });
});
