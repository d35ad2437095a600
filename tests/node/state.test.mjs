/** web/state.js: what a query string becomes, what a state is written as, and who is told of a change. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { figures } from "../../web/figures/index.js";
import { clamp, createTable, defaults, parse, Store, serialize } from "../../web/state.js";
import { randomFrom } from "./vectors.mjs";

const gelu = await loadGelu();
const table = createTable(gelu.catalogue, figures);
const usual = defaults(table);
const parsed = (query) => parse(table, query);
const changed = (query) => {
  const state = parsed(query);
  return Object.fromEntries(
    [...table.keys()].filter((key) => String(state[key]) !== String(usual[key])).map((key) => [key, state[key]]),
  );
};

describe("the table", () => {
  test("has the page's keys, each function's parameters and each figure's own", () => {
    for (const key of ["lang", "theme", "fns", "order", "x", "from", "to"]) assert.ok(table.has(key), key);
    for (const { id, parameters } of gelu.catalogue) {
      for (const { name, value, min, max } of parameters) {
        assert.deepEqual(table.get(`${id}.${name}`), { key: `${id}.${name}`, kind: "number", value, min, max });
      }
    }
    for (const key of ["gradients.order", "errors.kind", "errors.scale", "errors.order"]) assert.ok(table.has(key), key);
    for (const [key, parameter] of table) assert.equal(parameter.key, key);
  });

  test("has defaults that are their own clamped values", () => {
    for (const [key, parameter] of table) {
      if (parameter.value !== null) assert.deepEqual(clamp(parameter, parameter.value), parameter.value, key);
    }
  });
});

describe("a query", () => {
  test("takes marks whole or not at all, and no more than there are things to mark", () => {
    const votes = (text) => parsed(`judge.votes=${text}`)["judge.votes"];
    assert.equal(votes("tf-t"), "tf-t");
    for (const text of ["tfx", "T", "<b>", "t f", "%00", "✓"]) assert.equal(votes(text), "", text);
    assert.equal(votes("t".repeat(500)).length, table.get("judge.votes").most);
    assert.deepEqual(changed("cards.ratings=012-&judge.seed=0.5"), { "cards.ratings": "012-", "judge.seed": 1 });
  });

  test("of nothing gives the defaults", () => {
    for (const query of ["", "?", "&", "&&=&", "=", "x", "x=", "?x=&from=&to="]) assert.deepEqual(parsed(query), usual, query);
  });

  test("sets what it names, with or without its question mark", () => {
    const want = {
      ...usual,
      lang: "en",
      theme: "dark",
      fns: ["gelu", "tanh"],
      order: "2",
      x: -1.25,
      "gelu_sigmoid.k": 1.5,
      "errors.kind": "relative",
    };
    const query = "lang=en&theme=dark&fns=tanh,gelu&order=2&x=-1.25&gelu_sigmoid.k=1.5&errors.kind=relative";
    assert.deepEqual(parsed(query), want);
    assert.deepEqual(parsed(`?${query}`), want);
  });

  test("clamps numbers to their bounds", () => {
    for (const [key, { kind, min, max }] of table) {
      if (kind !== "number") continue;
      for (const [text, want] of [
        [String(max + 1), max],
        [String(min - 1), min],
        ["1e999", max],
        ["-1e999", min],
        ["1e300", max],
        [String(max), max],
        [String(min), min],
      ]) {
        assert.equal(parsed(`${key}=${text}`)[key], want, `${key}=${text}`);
      }
    }
  });

  test("ignores what is no number", () => {
    for (const text of [
      "NaN",
      "Infinity",
      "-Infinity",
      "inf",
      "0x10",
      "1_000",
      "1,5",
      "abc",
      "--1",
      "1e",
      "e5",
      ".",
      "-",
      "%00",
      "１",
      "null",
      "[]",
      "1 2",
    ]) {
      assert.deepEqual(changed(`x=${text}`), {}, text);
    }
    for (const [text, want] of [
      ["3", 3],
      ["-.5", -0.5],
      ["5.", 5],
      ["1e1", 10],
      ["1E-3", 0.001],
      ["%2B2", 2],
      ["-0", 0],
      ["00012", 12],
    ]) {
      assert.ok(Object.is(parsed(`x=${text}`).x, want), text);
    }
  });

  test("ignores choices that are none", () => {
    for (const query of [
      "order=3",
      "order=",
      "order=01",
      "order=1.0",
      "lang=fr",
      "lang=ZH",
      "theme=blue",
      "errors.kind=both",
      "gradients.order=0",
    ]) {
      assert.deepEqual(changed(query), {}, query);
    }
  });

  test("takes of a list what it knows, once, in the order of the catalogue", () => {
    assert.deepEqual(parsed("fns=sigmoid,gelu,sigmoid").fns, ["gelu", "sigmoid"]);
    assert.deepEqual(parsed("fns=nothing,mish").fns, ["mish"]);
    assert.deepEqual(parsed("fns=nothing").fns, usual.fns);
    assert.deepEqual(parsed("fns=").fns, []);
    assert.deepEqual(
      parsed(`fns=${gelu.catalogue.map(({ id }) => id).join()}`).fns,
      gelu.catalogue.map(({ id }) => id),
    );
  });

  test("takes of numbers in a list what are numbers, in their order, clamped, at most so many", () => {
    assert.deepEqual(parsed("table.xs=3,-1,3,-0,1e-7")["table.xs"], [3, -1, 3, 0, 1e-7]);
    assert.deepEqual(parsed("table.xs=1,abc,,NaN,inf,0x2,2")["table.xs"], [1, 2]);
    assert.deepEqual(parsed("table.xs=1e999,-1e9")["table.xs"], [1e6, -1e6]);
    for (const text of ["", "abc", ",", "NaN"]) assert.deepEqual(parsed(`table.xs=${text}`)["table.xs"], usual["table.xs"]);
    assert.equal(parsed(`table.xs=${"1,".repeat(1000)}`)["table.xs"].length, 60);
    assert.equal(serialize(table, parsed("table.xs=1,-2.5")), "table.xs=1,-2.5");
  });

  test("from ≥ to gives both their default", () => {
    for (const query of ["from=2&to=2", "from=3&to=-3", "from=1e9&to=60", "from=-60&to=-1e5"]) {
      assert.deepEqual([parsed(query).from, parsed(query).to], [null, null], query);
    }
    assert.deepEqual([parsed("from=-2&to=3").from, parsed("from=-2&to=3").to], [-2, 3]);
    assert.deepEqual([parsed("from=-2").from, parsed("from=-2").to], [-2, null]);
  });

  test("of a repeated key takes the last, also where that says nothing", () => {
    assert.equal(parsed("x=1&x=2").x, 2);
    assert.equal(parsed("x=1&x=abc").x, usual.x);
  });

  test("ignores unknown keys and the names of every object's own", () => {
    const names = [
      "__proto__",
      "constructor",
      "prototype",
      "toString",
      "hasOwnProperty",
      "valueOf",
      "__defineGetter__",
      "X",
      "x.y",
      "gelu.k",
      "",
      " x",
    ];
    for (const name of names) {
      for (const value of ["1", "gelu", "__proto__", "constructor"]) {
        const state = parsed(`${name}=${value}`);
        assert.deepEqual(state, usual, `${name}=${value}`);
        assert.deepEqual(Object.keys(state), [...table.keys()]);
      }
    }
    for (const [key, parameter] of table) {
      for (const value of ["__proto__", "constructor", "toString", "length"]) {
        assert.deepEqual(parsed(`${key}=${value}`)[key], parameter.value, `${key}=${value}`);
      }
    }
    assert.equal({}.x, undefined);
  });

  test("survives garbage", () => {
    const random = randomFrom(4);
    const characters = "x=&?%+-.,e0123456789<>'\"/;#[]\u0000\ud83d\ude00中 fnsorderfromto";
    const state = { ...usual };
    for (let i = 0; i < 20000; i++) {
      const query = Array.from({ length: random() * 40 }, () => characters[Math.floor(random() * characters.length)]).join("");
      checkState(parsed(query));
    }
    assert.deepEqual(defaults(table), state);
  });
});

/** A state of the right shape, inside its bounds. */
function checkState(state) {
  assert.deepEqual(Object.keys(state), [...table.keys()]);
  for (const [key, parameter] of table) {
    const value = state[key];
    if (parameter.kind === "number") {
      if (value === null) assert.equal(parameter.value, null);
      else assert.ok(typeof value === "number" && value >= parameter.min && value <= parameter.max, `${key}: ${value}`);
    } else if (parameter.kind === "choice") assert.ok(parameter.choices.includes(value), `${key}: ${value}`);
    else if (parameter.kind === "numbers") {
      const { min, max, most } = parameter;
      assert.ok(Array.isArray(value) && value.length > 0 && value.length <= most, `${key}: ${value}`);
      assert.ok(
        value.every((item) => typeof item === "number" && item >= min && item <= max),
        `${key}: ${value}`,
      );
    } else if (parameter.kind === "marks") {
      assert.ok(typeof value === "string" && value.length <= parameter.most, `${key}: ${value}`);
      assert.ok(
        [...value].every((mark) => parameter.choices.includes(mark)),
        `${key}: ${value}`,
      );
    } else assert.ok(Array.isArray(value) && value.every((item) => parameter.choices.includes(item)), `${key}: ${value}`);
  }
  if (state.from !== null && state.to !== null) assert.ok(state.from < state.to);
}

/** Any state that the page can be in. */
function randomState(random) {
  const state = { ...usual };
  for (const [key, parameter] of table) {
    if (random() < 0.5) continue;
    if (parameter.kind === "number") {
      // Steps of a slider, numbers of full length, and tiny ones, which are written with an exponent.
      const value = parameter.min + (parameter.max - parameter.min) * random();
      state[key] = clamp(parameter, [Number(value.toFixed(2)), value, value * 1e-9][Math.floor(random() * 3)]);
    } else if (parameter.kind === "choice") state[key] = parameter.choices[Math.floor(random() * parameter.choices.length)];
    else if (parameter.kind === "numbers") {
      const { min, max, most } = parameter;
      const next = () => (min + (max - min) * random()) * [1, 1e-6, 1e-12][Math.floor(random() * 3)];
      state[key] = Array.from({ length: 1 + Math.floor(random() * most) }, next);
    } else if (parameter.kind === "marks") {
      const length = Math.floor(random() * parameter.most);
      state[key] = Array.from({ length }, () => parameter.choices[Math.floor(random() * parameter.choices.length)]).join("");
    } else state[key] = parameter.choices.filter(() => random() < 0.4).slice(0, parameter.most);
  }
  if (state.from !== null && state.to !== null && state.from >= state.to) state.from = state.to = null;
  return state;
}

describe("a state", () => {
  test("is written as nothing where it is the default", () => {
    assert.equal(serialize(table, usual), "");
  });

  test("is written in the table's order, what differs alone", () => {
    assert.equal(serialize(table, { ...usual, x: 0.5, lang: "zh", "gelu_sigmoid.k": 2 }), "lang=zh&x=0.5&gelu_sigmoid.k=2");
    assert.equal(serialize(table, { ...usual, fns: [] }), "fns=");
  });

  test("comes back from what is written, 10,000 times", () => {
    const random = randomFrom(5);
    for (let i = 0; i < 10000; i++) {
      const state = randomState(random);
      const query = serialize(table, state);
      assert.deepEqual(parsed(query), state, query);
      assert.match(query, /^[\w.,=&+-]*$/);
      assert.equal(serialize(table, parsed(query)), query);
    }
  });
});

describe("the store", () => {
  function watched() {
    const store = new Store(table, defaults(table));
    const calls = [];
    const stop = store.subscribe((keys) => calls.push(keys));
    return { store, calls, stop };
  }

  test("tells once what changed, and nothing where nothing did", () => {
    const { store, calls } = watched();
    store.set({ x: 2 });
    store.set({ x: 2 });
    store.set({ x: "2" });
    store.set({});
    store.set({ nothing: 1, constructor: 2 });
    store.set({ order: "1", x: 2, lang: "auto" });
    store.set({ fns: ["relu", "gelu"], x: 3 });
    store.set({ fns: ["gelu", "relu"] });
    assert.deepEqual(calls, [["x"], ["order"], ["fns", "x"]]);
    assert.equal(Object.keys(store.state).length, table.size);
  });

  test("clamps, and a value that is none gives the default", () => {
    const { store } = watched();
    store.set({ x: 1e9, "gelu_sigmoid.k": -5, order: 2 });
    assert.deepEqual(
      [store.state.x, store.state["gelu_sigmoid.k"], store.state.order],
      [50, table.get("gelu_sigmoid.k").min, "2"],
    );
    for (const value of [Number.NaN, "abc", {}, [], undefined, null]) {
      store.set({ x: 7 });
      store.set({ x: value });
      assert.equal(store.state.x, usual.x);
    }
  });

  test("tells that a range fell back to the default", () => {
    const { store, calls } = watched();
    store.set({ from: -1, to: 1 });
    store.set({ from: 3 });
    assert.deepEqual([store.state.from, store.state.to], [null, null]);
    assert.deepEqual(calls, [
      ["from", "to"],
      ["from", "to"],
    ]);
  });

  test("resets what it is asked to", () => {
    const { store, calls } = watched();
    store.set({ x: 2, order: "2", from: -1, to: 1 });
    store.reset(["x", "from", "to"]);
    assert.deepEqual(changedOf(store), { order: "2" });
    assert.deepEqual(calls[1], ["x", "from", "to"]);
  });

  const changedOf = (store) =>
    Object.fromEntries(Object.entries(store.state).filter(([key, value]) => String(value) !== String(usual[key])));

  test("keeps the old state as it was, and the defaults", () => {
    const { store } = watched();
    const old = store.state;
    store.set({ x: 2, fns: ["mish"] });
    assert.notEqual(store.state, old);
    assert.deepEqual(old, usual);
    assert.deepEqual(defaults(table), usual);
  });

  test("forgets who stopped listening, even in the middle", () => {
    const { store, calls, stop } = watched();
    const others = [];
    store.subscribe(() => stop());
    store.subscribe(({ length }) => others.push(length));
    store.set({ x: 2 });
    store.set({ x: 3 });
    assert.deepEqual(calls, [["x"]]);
    assert.deepEqual(others, [1, 1]);
  });
});
