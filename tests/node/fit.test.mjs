/** gelu.bestFit and createFit: the lesson's numbers, that nothing beside them is better, what they refuse. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { refusal } from "./refusal.mjs";

const gelu = await loadGelu();

const close = (got, want, relative, label) =>
  assert.ok(Math.abs(got - want) <= relative * Math.abs(want), `${label}: got ${got}, want ${want}`);

/** Of CONTENT.md, to the digits that stand there. */
const KNOWN = [
  ["gelu_sigmoid", "gelu", ["k"], { k: 1.77293396561675 }, 1.39222454727585e-2],
  ["sigmoid", "normal_cdf", ["k"], { k: 1.701744925338 }, 9.45730917637e-3],
  ["gelu_tanh", "gelu", ["cubic"], { scale: Math.sqrt(2 / Math.PI), cubic: 0.0443829438167341 }, 3.87418738310608e-4],
  ["gelu_tanh", "gelu", ["scale", "cubic"], { scale: 0.800157078548104, cubic: 0.0433676016405383 }, 2.70727474657973e-4],
];

describe("the best parameters", () => {
  for (const [id, reference, vary, params, error] of KNOWN) {
    test(`${id} against ${reference}, ${vary}`, () => {
      const fit = gelu.bestFit(id, { reference, vary });
      assert.deepEqual(Object.keys(fit.params), Object.keys(params));
      for (const [name, value] of Object.entries(params)) close(fit.params[name], value, 1e-11, name);
      close(fit.error, error, 1e-10, "error");
      const measured = gelu.maxError(id, reference, { params: fit.params });
      assert.equal(measured.error, fit.error);
      assert.equal(measured.at, fit.at);
    });

    test(`${id} against ${reference}, ${vary}: the error is equalised, at one place more than there are parameters`, () => {
      const { params: best } = gelu.bestFit(id, { reference, vary });
      const xs = Float64Array.from({ length: 200001 }, (_, i) => i / 20000);
      const values = gelu.evaluate(id, xs, { params: best });
      const exact = gelu.evaluate(reference, xs);
      const e = values.map((value, i) => Math.abs(value - exact[i]));
      const peaks = e.filter((value, i) => i > 0 && value > e[i - 1] && value >= (e[i + 1] ?? 0) && value > 0.5 * error);
      // Both errors are even or odd in x: one side has them all.
      assert.equal(peaks.length, vary.length + 1);
      for (const peak of peaks) close(peak, error, 1e-6, "peak");
    });
  }

  test("all parameters where none are named, and given ones stay", () => {
    assert.deepEqual(
      gelu.bestFit("gelu_tanh", { reference: "gelu" }),
      gelu.bestFit("gelu_tanh", { reference: "gelu", vary: ["cubic", "scale"] }),
    );
    const given = gelu.bestFit("gelu_tanh", { reference: "gelu", vary: ["cubic"], params: { scale: 0.8 } });
    assert.equal(given.params.scale, 0.8);
    assert.ok(given.error < 3.87e-4);
    const other = gelu.bestFit("gelu_sigmoid", { reference: "silu", referenceParams: { beta: 2 } });
    close(other.params.k, 2, 1e-7, "k of another");
  });

  test("of the derivative it is another one, and on another interval", () => {
    const value = gelu.bestFit("gelu_sigmoid", { reference: "gelu" });
    const slope = gelu.bestFit("gelu_sigmoid", { reference: "gelu", order: 1 });
    close(slope.params.k, 1.6966, 1e-4, "k");
    assert.ok(slope.error < gelu.maxError("gelu_sigmoid", "gelu", { order: 1 }).error);
    const tail = gelu.bestFit("gelu_sigmoid", { reference: "gelu", from: -6, to: -3 });
    assert.ok(tail.params.k > value.params.k + 0.1);
  });
});

describe("the search in steps", () => {
  test("gets better and never worse, and ends where bestFit does", () => {
    const fit = gelu.createFit("gelu_tanh", { reference: "gelu" });
    let before = Number.POSITIVE_INFINITY;
    let last = fit.step(7);
    while (!last.done) {
      assert.ok(last.error <= before && last.gridSteps > 0);
      before = last.error;
      const next = fit.step(7);
      assert.ok(next.steps > last.steps && next.steps <= last.steps + 7);
      last = next;
    }
    const { params, error, at } = last;
    assert.deepEqual({ params, error, at }, gelu.bestFit("gelu_tanh", { reference: "gelu" }));
    assert.deepEqual(fit.step(), last);
    fit.free();
    fit.free();
    assert.throws(() => fit.step(), refusal("freed", "search"));
  });

  test("many that are given up leave no memory behind", () => {
    for (let i = 0; i < 20000; i++) {
      const fit = gelu.createFit("gelu_sigmoid", { reference: "gelu" });
      fit.free();
    }
    assert.throws(() => gelu.createFit("gelu_sigmoid", { reference: "gelu", from: 1, to: 0 }), refusal("bad-interval", "1", "0"));
  });
});

describe("refuses", () => {
  const reference = "gelu";
  const cases = [
    ["an unknown function", "swish", { reference }, "unknown-function", '"swish"', "silu"],
    ["no reference", "silu", undefined, "unknown-function", "undefined", "gelu"],
    ["an unknown reference", "silu", { reference: "Gelu" }, "unknown-function", '"Gelu"'],
    ["an unknown parameter", "silu", { reference, vary: ["k"] }, "unknown-parameter", '"k"', "beta"],
    ["a function without parameters", "gelu", { reference }, "bad-parameter", "gelu", "none"],
    ["to vary nothing", "silu", { reference, vary: [] }, "bad-parameter", "beta"],
    ["a name alone", "silu", { reference, vary: "beta" }, "bad-type", '"beta"'],
    ["an unknown order", "silu", { reference, order: 3 }, "unknown-order", "3", "0, 1, 2"],
    ["an interval that is none", "silu", { reference, from: 2, to: 2 }, "bad-interval", "2"],
    ["an interval too long", "silu", { reference, from: -1e5 }, "bad-interval", "-100000", "10000"],
    ["NaN", "silu", { reference, to: Number.NaN }, "bad-interval", "NaN"],
    ["an unknown option", "silu", { reference, accuracy: "fast" }, "unknown-option", '"accuracy"', "vary"],
    ["a parameter that is not finite", "silu", { reference, params: { beta: Number.NaN } }, "bad-parameter", "NaN"],
  ];
  for (const [label, id, options, ...expected] of cases) {
    test(label, () => assert.throws(() => gelu.bestFit(id, options), refusal(...expected)));
  }

  test("steps that are no number of steps", () => {
    const fit = gelu.createFit("silu", { reference });
    for (const n of [0, -1, 1.5, Number.NaN, "3"]) assert.throws(() => fit.step(n), refusal("bad-parameter", "n"));
    fit.free();
  });
});
