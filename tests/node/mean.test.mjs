/** web/figures/mean.js: means over N(0, 1), held to closed forms and to mpmath, and to a quadrature of another kind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { normalMean } from "../../web/figures/mean.js";

const gelu = await loadGelu();

/** @param {any} id @param {Record<string, number>} [params] */
const mean = (id, params) => normalMean(gelu, (xs) => gelu.evaluate(id, xs, { params }));

/** 1/(2√π), 1/√(2π) and what symmetry gives; the others from mpmath with 30 digits, with parameters at their ends too. */
const KNOWN = /** @type {[string, Record<string, number>, number][]} */ ([
  ["gelu", {}, 1 / (2 * Math.sqrt(Math.PI))],
  ["relu", {}, 1 / Math.sqrt(2 * Math.PI)],
  ["leaky_relu", { slope: 0.01 }, 0.99 / Math.sqrt(2 * Math.PI)],
  ["leaky_relu", { slope: 0.5 }, 0.5 / Math.sqrt(2 * Math.PI)],
  ["normal_cdf", {}, 0.5],
  ["sigmoid", { k: 1 }, 0.5],
  ["sigmoid", { k: 5 }, 0.5],
  ["gelu_tanh", {}, 0.28203858807878873],
  ["gelu_tanh", { scale: 1.2, cubic: 0.1 }, 0.3321255339315801],
  ["gelu_tanh", { scale: 0.5, cubic: 0 }, 0.20662096414190703],
  ["gelu_sigmoid", { k: 1.702 }, 0.2823305528127853],
  ["gelu_sigmoid", { k: 3 }, 0.3445137143217316],
  ["silu", { beta: 1 }, 0.20662096414190703],
  ["silu", { beta: 5 }, 0.3757242721399173],
  ["softplus", {}, 0.8060591833474398],
  ["elu", { alpha: 1 }, 0.16052057226655606],
  ["elu", { alpha: 2 }, -0.07790113586832058],
  ["mish", {}, 0.24040388837479143],
]);

for (const [id, params, want] of KNOWN) {
  test(`${id} ${JSON.stringify(params)}: to 14 digits`, () => {
    const got = mean(id, params);
    assert.ok(Math.abs(got - want) <= 1e-14 * Math.abs(want) + 1e-15, `got ${got}, want ${want}`);
  });
}

test("of an odd function it is 0, and every function of the catalogue has one", () => {
  assert.equal(mean("tanh"), 0);
  for (const { id } of gelu.catalogue) assert.ok(Number.isFinite(mean(id)), id);
  assert.deepEqual(
    gelu.catalogue.map(({ id }) => id).filter((id) => id !== "tanh" && !KNOWN.some(([known]) => known === id)),
    [],
  );
});

test("a plain midpoint sum over the kernels agrees, as far as it goes", () => {
  const step = 1 / 1024;
  const xs = Float64Array.from({ length: 24 * 1024 }, (_, i) => step * (i + 0.5) - 12);
  const density = gelu.evaluate("normal_cdf", xs, { order: 1 });
  for (const { id } of gelu.catalogue) {
    const sum = gelu.evaluate(id, xs).reduce((all, value, i) => all + step * value * density[i], 0);
    assert.ok(Math.abs(mean(id) - sum) < 5e-8, `${id}: ${mean(id)}, midpoints ${sum}`);
  }
});
