/** The full figure `curves` without a browser: its parameters, what a comparison says against formulas of its own, its plots. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { createContext } from "../../web/components/figure.js";
import { figures } from "../../web/figures/index.js";
import { PRESETS } from "../../web/figures/playground/presets.js";
import { playground } from "../../web/figures/playground.js";
import { frameOf, plotsOf } from "../../web/scene.js";
import { clamp, createTable, parse, serialize } from "../../web/state.js";
import { truth } from "../browser/oracle.mjs";

const gelu = await loadGelu();
const table = createTable(gelu.catalogue, figures);

/** The parameter of a function that the independent formulas take. */
const PARAMETERS = { gelu_tanh: "cubic", gelu_sigmoid: "k", sigmoid: "k", silu: "beta", elu: "alpha", leaky_relu: "slope" };

const contextOf = (/** @type {string} */ query, width = 984, height = 500) =>
  createContext({ gelu, state: parse(table, query), variant: "full", width, height, density: 1, language: "en" });

/** @param {string} query @returns {Record<string, any>} readouts and their notes, by name */
function numbersOf(query) {
  const rows = playground.readouts(contextOf(query));
  const all = rows.flatMap(({ name, value, note }) => [[name, value], ...(note?.name ? [[note.name, note.value]] : [])]);
  assert.equal(new Set(all.map(([name]) => name)).size, all.length, "names of readouts");
  return Object.fromEntries(all);
}

describe("the parameters", () => {
  const taken = (/** @type {string} */ key, /** @type {string} */ value) => parse(table, `${key}=${value}`)[key];

  test("orders are any of three, in their order; none of its own is the page's", () => {
    assert.deepEqual(taken("curves.orders", "2,0"), ["0", "2"]);
    assert.deepEqual(taken("curves.orders", "1,1,7"), ["1"]);
    assert.deepEqual(taken("curves.orders", "3"), []);
    assert.deepEqual(parse(table, "order=2")["curves.orders"], []);
    const named = (/** @type {string} */ query) => playground.table(contextOf(query)).columns.map(({ name }) => name);
    assert.deepEqual(named("fns=gelu&curves.b=none&order=2"), ["GELU″"]);
    assert.deepEqual(named("fns=gelu&curves.b=none&order=2&curves.orders=0,1"), ["GELU", "GELU′"]);
  });

  test("the functions compared are those of the catalogue, and the second may be none", () => {
    assert.equal(taken("curves.a", "mish"), "mish");
    assert.equal(taken("curves.a", "none"), "gelu");
    assert.equal(taken("curves.b", "none"), "none");
    assert.equal(taken("curves.b", "<b>"), "relu");
    for (const { id } of gelu.catalogue) for (const key of ["curves.a", "curves.b"]) assert.equal(taken(key, id), id);
    assert.deepEqual(Object.keys(numbersOf("fns=gelu&curves.b=none")), ["gelu"]);
  });

  test("a state comes back from its address", () => {
    for (const query of [
      "curves.orders=0,1,2&curves.a=silu&curves.b=none",
      "order=1&curves.orders=1",
      "curves.a=relu&curves.b=gelu",
    ]) {
      const state = parse(table, query);
      assert.deepEqual(parse(table, serialize(table, state)), state, query);
    }
  });
});

/**
 * The largest difference by plain search, over many points and on both sides of 0, where functions jump.
 * @param {(x: number) => number} f
 * @param {number} from
 * @param {number} to
 */
function searched(f, from, to) {
  const points = Array.from({ length: 40_001 }, (_, i) => from + ((to - from) * i) / 40_000);
  if (from <= 0 && to >= 0) points.push(0, Number.MIN_VALUE);
  return Math.max(...points.map((x) => Math.abs(f(x))));
}

describe("the difference of two functions", () => {
  /** @type {[string, string, Record<string, number>][]} */
  const PAIRS = [
    ["gelu", "relu", {}],
    ["gelu_sigmoid", "gelu", {}],
    ["gelu", "gelu_sigmoid", { gelu_sigmoid: 1.3 }],
    ["gelu_tanh", "gelu", { gelu_tanh: 0.06 }],
    ["sigmoid", "normal_cdf", { sigmoid: 1.702 }],
    ["silu", "elu", { silu: 2, elu: 0.5 }],
    ["leaky_relu", "relu", { leaky_relu: 0.2 }],
    ["softplus", "relu", {}],
    ["tanh", "sigmoid", { sigmoid: 2 }],
  ];
  /** @type {[number, number][]} */
  const RANGES = [
    [-6, 6],
    [-4, 1],
    [0, 3],
    [-5, -2],
  ];

  for (const [a, b, parameters] of PAIRS) {
    test(`${a} − ${b} ${JSON.stringify(parameters)}`, () => {
      const set = Object.entries(parameters).map(([fn, value]) => `&${fn}.${PARAMETERS[fn]}=${value}`);
      for (const order of [0, 1, 2]) {
        const f = (/** @type {number} */ x) => truth(a, x, order, parameters[a]) - truth(b, x, order, parameters[b]);
        // The independent formulas stop short of the second derivative of a gate.
        if ([a, b].some((fn) => ["gelu_tanh", "gelu_sigmoid", "silu"].includes(fn)) && order === 2) continue;
        for (const [from, to] of RANGES) {
          const x = from + 0.37 * (to - from);
          const label = `order ${order} on [${from}, ${to}]`;
          const got = numbersOf(`fns=&curves.a=${a}&curves.b=${b}&order=${order}&from=${from}&to=${to}&x=${x}${set.join("")}`);
          const most = searched(f, from, to);
          assert.ok(Math.abs(got.difference - f(x)) < 1e-9, `${label}: at x ${got.difference}, want ${f(x)}`);
          // The search sees no point between two of its own.
          assert.ok(got.largest >= most - 1e-9 && got.largest <= most + 1e-6, `${label}: ${got.largest}, searched ${most}`);
          const at = got["largest.at"];
          if (got.largest === 0) {
            assert.equal(at, undefined, label);
            continue;
          }
          assert.ok(at >= from && at <= to, `${label}: at ${at}`);
          const there = Math.max(...(at === 0 ? [f(0), f(Number.MIN_VALUE)] : [f(at)]).map(Math.abs));
          assert.ok(Math.abs(there - most) < 1e-6, `${label}: ${there} at ${at}, searched ${most}`);
        }
      }
    });
  }

  test("is drawn where it is largest, on both sides where both are in view", () => {
    const marksOf = (/** @type {string} */ query) => playground.scene(contextOf(query)).marks.map(({ x, y }) => [x, y]);
    const [left, right] = marksOf("from=-4&to=4");
    assert.ok(Math.abs(left[0] + 0.7517915246935645) < 1e-9 && left[0] === -right[0], `${left}`);
    for (const [, y] of [left, right]) assert.ok(Math.abs(y - truth("gelu", -0.7517915246935645)) < 1e-12, `${y}`);
    assert.equal(marksOf("from=-4&to=0.5").length, 1);
    // ReLU minus GELU is the same, upside down.
    assert.ok(marksOf("from=-4&to=4&curves.a=relu&curves.b=gelu").every(([, y]) => y > 0.16));
    // Odd: of different signs.
    const [low, high] = marksOf("curves.a=gelu&curves.b=silu&order=1");
    assert.ok(low[0] === -high[0] && low[1] * high[1] < 0, `${low} ${high}`);
  });

  test("of a function and itself, or of two that are one formula, is nothing, and says so", () => {
    const same = gelu.catalogue.map(({ id }) => `curves.a=${id}&curves.b=${id}`);
    const formula = "curves.a=silu&curves.b=gelu_sigmoid&silu.beta=1.702";
    for (const query of [
      ...same,
      formula,
      "curves.a=sigmoid&curves.b=sigmoid&sigmoid.k=3&curves.orders=0,1,2",
      "from=30&to=40",
    ]) {
      const context = contextOf(query);
      const rows = playground.readouts(context).filter(({ name }) => name.startsWith("largest"));
      for (const { value, note } of rows) {
        assert.equal(value, 0, query);
        assert.deepEqual(note?.text, { zh: "在图中处处相等", en: "equal everywhere in view" }, query);
      }
      assert.deepEqual(playground.scene(context).marks, [], query);
    }
  });
});

describe("the plots", () => {
  for (const [width, height] of [
    [320, 400],
    [664, 700],
    [984, 1200],
  ]) {
    test(`${width} px: one below the other, over one x, in the order of the controls`, () => {
      for (const orders of ["0", "1,2", "0,1,2"]) {
        for (const b of ["relu", "none"]) {
          const context = contextOf(
            `fns=gelu,elu,leaky_relu,mish,softplus&curves.orders=${orders}&curves.b=${b}&x=1`,
            width,
            height,
          );
          const plots = plotsOf(playground.scene(context), null, width, height);
          const each = b === "none" ? 1 : 2;
          assert.equal(plots.length, each * orders.split(",").length);
          let bottom = 0;
          for (const { frame, scene } of plots) {
            assert.ok(frame.top >= bottom + 20 && frame.bottom > frame.top, `${orders}: ${frame.top} to ${frame.bottom}`);
            bottom = frame.bottom;
            for (const value of [-6, 0, 1]) assert.equal(frame.x(value), plots[0].frame.x(value), "x is not the same");
            assert.ok(frame.right - frame.left > width / 2, `${frame.left} to ${frame.right}`);
            assert.deepEqual([scene.x.min, scene.x.max], [-6, 6]);
          }
          assert.equal(bottom, height - 44);
          assert.ok(
            plots.slice(0, -1).every(({ scene }) => scene.x.ticks.length === 0) && (plots.at(-1)?.scene.x.ticks.length ?? 0) > 2,
          );
          const points = playground.cursorPoints(context);
          for (const [i, { scene }] of plots.entries()) {
            const own = points.filter(({ plot }) => plot === i);
            assert.deepEqual(
              own.map(({ fn }) => fn),
              scene.curves.map(({ fn }) => fn),
              `plot ${i}`,
            );
          }
        }
      }
    });
  }

  test("the names of many functions stand beside a narrow plot, apart from each other", () => {
    const all = gelu.catalogue.map(({ id }) => id).join();
    for (const orders of ["0", "1", "0,1,2"]) {
      const query = `fns=${all}&curves.orders=${orders}&curves.b=none`;
      const state = parse(table, query);
      // As high as the figure makes it.
      const height = 46 + 44 + orders.split(",").length * (19 * 12 + 42);
      const context = contextOf(query, 320, height);
      for (const { scene } of plotsOf(playground.scene(context), null, 320, height)) {
        const frame = frameOf(scene, 320, height);
        assert.equal(scene.labels, "gutter");
        assert.equal(scene.curves.filter(({ name }) => name !== "").length, state.fns.length);
        assert.ok(
          (frame.bottom - frame.top) / state.fns.length >= 16,
          `${frame.bottom - frame.top} px for ${state.fns.length} names`,
        );
        assert.ok(320 - frame.right >= 80, `${320 - frame.right} px for names`);
      }
    }
  });

  test("the table has a column for each line that is drawn", () => {
    const { columns, xs } = playground.table(
      contextOf("fns=gelu,silu&curves.orders=0,2&curves.b=silu"),
      Float64Array.of(-1, 0, 2),
    );
    assert.deepEqual(
      columns.map(({ name }) => name.replaceAll("\u00a0", " ")),
      ["GELU", "SiLU", "GELU − SiLU", "GELU″", "SiLU″", "GELU″ − SiLU″"],
    );
    for (const [i, x] of xs.entries()) {
      assert.ok(Math.abs(columns[2].values[i] - (truth("gelu", x) - truth("silu", x))) < 1e-12);
      assert.ok(Math.abs(columns[3].values[i] - truth("gelu", x, 2)) < 1e-12);
      assert.equal(columns[5].values[i], columns[3].values[i] - columns[4].values[i]);
    }
  });
});

describe("the presets", () => {
  test("are made of keys that the page has, with values that it takes", () => {
    for (const [label, query] of PRESETS) {
      for (const [key, value] of new URLSearchParams(query)) {
        const parameter = table.get(key);
        assert.ok(parameter, `${label}: ${key}`);
        assert.equal(String(clamp(parameter, value)), value, `${label}: ${key}`);
      }
      const state = parse(table, query);
      const [from, to] = playground.range(contextOf(query));
      assert.ok(state.x > from && state.x < to, `${label}: x is out of view`);
    }
    assert.equal(new Set(PRESETS.map(([, query]) => serialize(table, parse(table, query)))).size, PRESETS.length);
  });

  test("show what they are there for", () => {
    const [start, approximations, relus, gates, turns, tail, twelve] = PRESETS.map(([, query]) => numbersOf(query));
    const near = (/** @type {number} */ got, /** @type {number} */ want) =>
      assert.ok(Math.abs(got - want) < 1e-4, `${got}, want ${want}`);
    near(start.largest, 0.17);
    // CONTENT's numbers: the sigmoid form, its derivative, the gate.
    near(approximations.largest, 0.0203);
    near(approximations["largest.1"], 0.0291);
    near(relus.largest, Math.LN2);
    near(relus["largest.at"], 0);
    near(relus["largest.1"], 0.5);
    near(gates.largest, 0.0095);
    near(turns["gelu.2"], Math.sqrt(2 / Math.PI));
    near(turns["silu.2"], 0.5);
    assert.ok(tail.gelu_tanh / tail.gelu < 0.6, "the tanh form has lost almost half of the tail");
    assert.equal(Object.keys(twelve).length, 12);
  });
});
