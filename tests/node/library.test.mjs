/** The library as a reader of its README uses it: dist/lib against the reference vectors, and against every misuse. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, describe, test } from "node:test";
import { GeluError, loadGelu } from "../../dist/lib/gelu.js";
import { loadWithMemory } from "./memory.mjs";
import { refusal } from "./refusal.mjs";
import { bitsOf, error32, error64, grouped, randomFrom, readVectors, unit64, vectorIds, zerosOf } from "./vectors.mjs";

const wasm = await readFile(new URL("../../dist/lib/gelu.wasm", import.meta.url));
const gelu = await loadGelu();
const ORDERS = /** @type {const} */ ([0, 1, 2]);

/** The functions that others build on, with their parameters; more may stand in the table. */
const DEFAULTS = {
  gelu: {},
  gelu_tanh: { scale: Math.sqrt(2 / Math.PI), cubic: 0.044715 },
  gelu_sigmoid: { k: 1.702 },
  relu: {},
  sigmoid: { k: 1 },
  tanh: {},
  silu: { beta: 1 },
  softplus: {},
  elu: { alpha: 1 },
  leaky_relu: { slope: 0.01 },
  mish: {},
  normal_cdf: {},
};
const IDS = gelu.catalogue.map(({ id }) => id);
const rowOf = (id) => gelu.catalogue.find((row) => row.id === id);
const parametersOf = (id) => rowOf(id).parameters.map(({ name }) => name);
const defaultsOf = (id) => Object.fromEntries(rowOf(id).parameters.map(({ name, value }) => [name, value]));

/** One value. */
const at = (id, x, options) => gelu.evaluate(id, Float64Array.of(x), options)[0];

function close(got, want, relative, label) {
  assert.ok(Math.abs(got - want) <= relative * Math.abs(want), `${label}: got ${got}, want ${want}`);
}

describe("the catalogue", () => {
  test("has the functions in their order, with their parameters and defaults", () => {
    const got = gelu.catalogue.map(({ id, parameters }) => [
      id,
      Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
    ]);
    assert.deepEqual(
      got.filter(([id]) => Object.hasOwn(DEFAULTS, id)),
      Object.entries(DEFAULTS),
    );
  });

  test("gives bounds around each default, and all three orders", () => {
    for (const { id, parameters, orders } of gelu.catalogue) {
      assert.deepEqual([...orders], [0, 1, 2], id);
      for (const { name, value, min, max } of parameters) assert.ok(min < max && min <= value && value <= max, `${id}.${name}`);
    }
  });

  test("cannot be changed", () => {
    for (const target of [
      gelu,
      gelu.catalogue,
      gelu.catalogue[1],
      gelu.catalogue[1].parameters,
      gelu.catalogue[1].parameters[0],
    ]) {
      assert.ok(Object.isFrozen(target));
    }
  });

  test("stands beside a version and a backend", async () => {
    const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
    assert.equal(gelu.version, version);
    assert.equal(gelu.backend, "wasm-simd");
  });
});

describe("the reference vectors", () => {
  const CORRECTLY_ROUNDED = ["gelu", "gelu_tanh", "gelu_sigmoid", "sigmoid", "silu", "tanh", "relu", "normal_cdf"];
  const worst = new Map();

  after(() => {
    console.log("worst errors in ULPs: function, order, float64 at x, float32 at x");
    for (const [key, { text }] of worst) console.log(`  ${key}: ${text}`);
  });

  test("there are some for every function and order", () => {
    assert.deepEqual(vectorIds(), [...IDS].sort());
    for (const id of IDS) {
      for (const order of ORDERS) {
        const own = readVectors(id).filter((vector) => vector.order === order && vector.parameters === null);
        assert.ok(own.length > 500, `${id} order ${order}: ${own.length}`);
        for (const special of [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -5.5, -13.24]) {
          assert.ok(
            own.some(({ x }) => Object.is(x, special)),
            `${id} order ${order} at ${special}`,
          );
        }
      }
    }
  });

  /** The worst error of a group, and every result that breaks the contract. */
  function measure(group, bound64, exact32) {
    const { id, order, parameters } = group[0];
    const names = parametersOf(id);
    const params = parameters === null ? undefined : Object.fromEntries(names.map((name, i) => [name, parameters[i]]));
    const doubles = gelu.evaluate(
      id,
      Float64Array.from(group, ({ x }) => x),
      { order, params },
    );
    const singles = gelu.evaluate(
      id,
      Float32Array.from(group, ({ x }) => x),
      { order, params },
    );
    const zeros = order > 0 ? zerosOf(group) : [];
    const result = { double: 0, doubleAt: 0, single: 0, singleAt: 0, faults: [] };
    group.forEach(({ x, want, rest, single }, i) => {
      const excused = zeros.some(([low, high]) => x >= low - 0.25 && x <= high + 0.25);
      const error = error64(doubles[i], want, rest);
      const absolute = Math.abs(doubles[i] - want - rest * (Number.isFinite(want) ? unit64(want) : 0));
      if (error > bound64 && !(excused && absolute <= 2 ** -52))
        result.faults.push(`float64 at ${x}: ${doubles[i]}, want ${want}, ${error} ULP`);
      if (!excused && error > result.double) Object.assign(result, { double: error, doubleAt: x });
      if (single === null) return;
      const error1 = error32(singles[i], single, want);
      const wrong = exact32 ? !Object.is(singles[i], single) : error1 > 1;
      if (wrong) result.faults.push(`float32 at ${x}: ${singles[i]}, want ${single}, ${error1} ULP`);
      if (error1 > result.single) Object.assign(result, { single: error1, singleAt: x });
    });
    return result;
  }

  for (const id of IDS) {
    test(`${id} keeps its contract`, () => {
      for (const group of grouped(readVectors(id))) {
        const { order, parameters } = group[0];
        const usual = parameters === null;
        const bound = usual ? 2 : 4;
        const result = measure(group, bound, usual && order === 0 && CORRECTLY_ROUNDED.includes(id));
        const { double, doubleAt, single, singleAt, faults } = result;
        const key = `${id} ${order}${usual ? "" : " (other parameters)"}`;
        const text = `${double.toFixed(3)} at ${doubleAt}, ${single.toFixed(3)} at ${singleAt}`;
        if (!(double <= (worst.get(key)?.double ?? -1))) worst.set(key, { double, text });
        assert.deepEqual(
          faults.slice(0, 10),
          [],
          `${id} order ${order} parameters ${parameters}: ${faults.length} of ${group.length} wrong`,
        );
      }
    });
  }
});

describe("the numbers of the lesson", () => {
  test("GELU and Φ at 2, 0, −2", () => {
    assert.deepEqual([...gelu.evaluate("gelu", Float64Array.of(2, 0, -2))], [1.9544997361036416, 0, -0.04550026389635842]);
    close(at("normal_cdf", 2), 0.9772498680518208, 4e-16, "Φ(2)");
    close(at("normal_cdf", -2), 0.0227501319481792, 4e-15, "Φ(−2)");
  });

  test("minima", () => {
    for (const [id, x, y] of [
      ["gelu", -0.7517915246935645, -0.16997120747990366],
      ["gelu_tanh", -0.752461422071016, -0.17004075057125406],
      ["gelu_sigmoid", -0.751154255441289, -0.16361018963635357],
      ["silu", -1.278464542761074, -0.2784645427610738],
    ]) {
      close(at(id, x), y, 4e-16, `${id}(${x})`);
      assert.ok(Math.abs(at(id, x, { order: 1 })) < 1e-15, `${id}′(${x}) = ${at(id, x, { order: 1 })}`);
      assert.ok(at(id, x, { order: 2 }) > 0);
    }
  });

  test("derivatives of GELU", () => {
    assert.equal(at("gelu", 0, { order: 1 }), 0.5);
    close(at("gelu", 0, { order: 2 }), 0.7978845608028654, 2.3e-16, "GELU″(0)");
    close(at("gelu", Math.SQRT2, { order: 1 }), 1.1289041451851547, 4e-16, "GELU′(√2)");
    close(at("gelu", -Math.SQRT2, { order: 1 }), -0.12890414518515478, 4e-16, "GELU′(−√2)");
    assert.ok(Math.abs(at("gelu", Math.SQRT2, { order: 2 })) < 1e-15);
    close(at("gelu", 0.7517915246935645, { order: 1 }), 1, 4e-16, "GELU′(0.75…)");
    close(at("gelu", -3, { order: 1 }), -1.2e-2, 0.05, "GELU′(−3)");
    close(at("gelu", -5, { order: 1 }), -7.1e-6, 0.01, "GELU′(−5)");
  });

  test("the left tail of the two approximations", () => {
    close(at("gelu", -4), -0.0001266849673324797, 4e-16, "GELU(−4)");
    close(at("gelu_tanh", -4), -7.0246e-5, 1e-5, "tanh form at −4");
    close(at("gelu_sigmoid", -4), -4.4147e-3, 1e-5, "sigmoid form at −4");
    close(at("gelu_tanh", -5), -2.291796196629506e-7, 1e-15, "tanh form at −5");
  });

  const ERRORS = [
    ["gelu_tanh", "gelu", {}, 4.73235520687285e-4, 2.69894138637727],
    ["gelu_sigmoid", "gelu", {}, 2.03348722092392e-2, 2.27039773719661],
    ["gelu_tanh", "gelu", { order: 1 }, 8.68451834985914e-4, 2.01865575977184],
    ["gelu_sigmoid", "gelu", { order: 1 }, 2.9072045515623e-2, 1.42194759096482],
    ["gelu_sigmoid", "gelu", { params: { k: 1.77293396561675 } }, 1.39222454727585e-2, null],
    ["sigmoid", "normal_cdf", { params: { k: 1.702 } }, 9.5e-3, null, 0.01],
    ["sigmoid", "normal_cdf", { params: { k: 1.701744925338 } }, 9.45730917637e-3, null],
    ["gelu_tanh", "gelu", { params: { cubic: 0.0443829438167341 } }, 3.87418738310608e-4, null],
    ["gelu_tanh", "gelu", { params: { scale: 0.800157078548104, cubic: 0.0433676016405383 } }, 2.70727474657973e-4, null],
    ["relu", "gelu", {}, 0.16997120747990366, 0.7517915246935645],
  ];

  /** Root mean square by Simpson's rule; outside [−50, 50] the differences of these pairs are 0. */
  function simpson(id, reference, options, from, to) {
    const low = Math.max(from, -50);
    const high = Math.min(to, 50);
    const n = 40000;
    const xs = Float64Array.from({ length: n + 1 }, (_, i) => low + ((high - low) * i) / n);
    const a = gelu.evaluate(id, xs, options);
    const b = gelu.evaluate(reference, xs, { order: options.order });
    const sum = xs.reduce((total, _, i) => total + (a[i] - b[i]) ** 2 * (i === 0 || i === n ? 1 : i % 2 === 1 ? 4 : 2), 0);
    return Math.sqrt(((sum / 3) * ((high - low) / n)) / (to - from));
  }

  for (const [from, to] of [
    [-4, 4],
    [-1e4, 1e4],
  ]) {
    test(`largest and rms differences on [${from}, ${to}]`, () => {
      for (const [id, reference, options, error, place, tolerance = 1e-11] of ERRORS) {
        const label = `${id} against ${reference} ${JSON.stringify(options)}`;
        const got = gelu.maxError(id, reference, { ...options, from, to });
        close(got.error, error, tolerance, `${label}: error`);
        // All these differences are even or odd: of the two equal places the one further to the left is named.
        if (place !== null) assert.ok(Math.abs(got.at + place) < 1e-9, `${label}: at ${got.at}, want ${-place}`);
        assert.ok(got.rms > 0 && got.rms < got.error, `${label}: rms ${got.rms}`);
        close(got.rms, simpson(id, reference, options, from, to), 1e-6, `${label}: rms`);
      }
    });
  }

  test("relative differences", () => {
    const got = gelu.maxError("gelu_sigmoid", "gelu", { from: -4, to: 4, relative: true });
    close(got.error, at("gelu_sigmoid", -4) / at("gelu", -4) - 1, 1e-12, "at −4");
    assert.equal(got.at, -4);
    // ReLU is 0 on the left: those points are left out.
    const right = gelu.maxError("gelu", "relu", { from: 1, to: 4, relative: true });
    const both = gelu.maxError("leaky_relu", "relu", { from: -4, to: 4, relative: true });
    close(right.error, 1 - at("normal_cdf", 1), 1e-12, "GELU against ReLU on [1, 4]");
    assert.equal(both.error, 0);
  });

  test("differences over short intervals take no time to speak of", () => {
    // Near 0 the difference of two forms is little more than rounding; a search must not chase that. In a process of its
    // own, since a loop inside wasm cannot be interrupted.
    const program = `
      import { loadGelu } from ${JSON.stringify(new URL("../../dist/lib/gelu.js", import.meta.url).href)};
      const gelu = await loadGelu();
      for (const id of ${JSON.stringify(IDS)}) {
        for (const half of [1, 0.1, 0.001, 1e-6, 1e-9]) {
          for (const order of [0, 1, 2]) {
            for (const relative of [false, true]) {
              const started = performance.now();
              const { error, at, rms } = gelu.maxError(id, "gelu", { from: -half, to: half, order, relative });
              const ms = performance.now() - started;
              if (ms > 500) throw new Error([id, half, order, relative, ms].join(" "));
              if (!(error >= 0 && Math.abs(at) <= half && rms >= 0)) throw new Error([id, half, order, relative, error, at, rms].join(" "));
            }
          }
        }
      }`;
    try {
      execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
        timeout: 30_000,
        stdio: ["ignore", "pipe", "pipe"],
      });
    } catch (error) {
      assert.fail(error.code === "ETIMEDOUT" ? "a search does not come to an end" : String(error.stderr));
    }
  });

  test("second moments under N(0, 1)", () => {
    const n = 20000;
    const xs = Float64Array.from({ length: n + 1 }, (_, i) => -12 + (24 * i) / n);
    const density = gelu.evaluate("normal_cdf", xs, { order: 1 });
    for (const [id, order, want] of [
      ["relu", 0, 0.5],
      ["gelu", 0, 0.425],
      ["relu", 1, 0.5],
      ["gelu", 1, 0.456],
      ["sigmoid", 1, 0.045],
    ]) {
      const ys = gelu.evaluate(id, xs, { order });
      const moment = xs.reduce((sum, _, i) => sum + ys[i] ** 2 * density[i] * (24 / n), 0);
      assert.ok(Math.abs(moment - want) < 6e-4, `E[${id} order ${order}]²: ${moment}, want ${want}`);
    }
  });

  test("naming a default changes no bit", () => {
    const xs = Float64Array.from({ length: 2001 }, (_, i) => (i - 1000) / 37);
    for (const Type of [Float32Array, Float64Array]) {
      for (const id of IDS) {
        for (const order of ORDERS) {
          const own = gelu.evaluate(id, Type.from(xs), { order, params: defaultsOf(id) });
          assert.deepEqual(bitsOf(own), bitsOf(gelu.evaluate(id, Type.from(xs), { order })), `${id} order ${order}`);
        }
      }
    }
  });
});

describe("arrays", () => {
  const random = randomFrom(2);
  const SPECIAL = [
    0,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -13.24,
    -5.5,
    1e-40,
    -1e-40,
    3e38,
    -3e38,
  ];
  const PARENT = Array.from({ length: 67 + 16 }, (_, i) => (i % 5 === 4 ? (SPECIAL[(i / 5) | 0] ?? 1) : random() * 24 - 12));
  const SENTINEL = 12345.5;

  for (const Type of [Float32Array, Float64Array]) {
    for (const accuracy of Type === Float32Array ? ["default", "fast"] : ["default"]) {
      test(`${Type.name} of every length 0…67 at every offset 0…15, ${accuracy}`, () => {
        const parent = Type.from(PARENT);
        const before = bitsOf(parent);
        for (const id of IDS) {
          for (const order of ORDERS) {
            const alone = bitsOf(Type.from(PARENT, (x) => gelu.evaluate(id, Type.of(x), { order, accuracy })[0]));
            for (let offset = 0; offset < 16; offset++) {
              for (let length = 0; length <= 67; length++) {
                const got = gelu.evaluate(id, parent.subarray(offset, offset + length), { order, accuracy });
                assert.ok(got instanceof Type && got.length === length);
                if (String(bitsOf(got)) !== String(alone.slice(offset, offset + length))) {
                  assert.deepEqual(
                    bitsOf(got),
                    alone.slice(offset, offset + length),
                    `${id} order ${order}, offset ${offset}, length ${length}`,
                  );
                }
              }
            }
          }
        }
        assert.deepEqual(bitsOf(parent), before, "the input was changed");
      });
    }

    test(`${Type.name}: out takes the results, and its neighbours nothing`, () => {
      const parent = Type.from(PARENT);
      for (let offset = 0; offset < 16; offset++) {
        for (let length = 0; length <= 67; length++) {
          const target = new Type(100).fill(SENTINEL);
          const xs = parent.subarray(3, 3 + length);
          const out = target.subarray(offset, offset + length);
          assert.equal(gelu.evaluate("gelu", xs, { out }), out);
          assert.deepEqual(bitsOf(out), bitsOf(gelu.evaluate("gelu", xs)));
          assert.ok([...target.subarray(0, offset), ...target.subarray(offset + length)].every((value) => value === SENTINEL));
        }
      }
      assert.deepEqual(bitsOf(parent), bitsOf(Type.from(PARENT)));
    });

    test(`${Type.name}: out may be the input, and may overlap it`, () => {
      for (const length of [5, 67, 40000]) {
        const values = Type.from({ length: length + 8 }, (_, i) => PARENT[i % PARENT.length]);
        for (const shift of [0, 1, -1, 5, -5]) {
          const memory = values.slice();
          const xs = memory.subarray(Math.max(0, -shift), Math.max(0, -shift) + length);
          const out = shift === 0 ? xs : memory.subarray(Math.max(0, shift), Math.max(0, shift) + length);
          const want = bitsOf(gelu.evaluate("gelu", xs.slice()));
          assert.equal(gelu.evaluate("gelu", xs, { out }), out);
          assert.deepEqual(bitsOf(out), want, `length ${length}, shift ${shift}`);
        }
      }
    });
  }

  test("a result is never a view of wasm memory", async () => {
    const { gelu: own, exports } = await loadWithMemory();
    for (const Type of [Float32Array, Float64Array]) {
      for (const length of [0, 1, 16384, 16385]) {
        const ys = own.evaluate("gelu", new Type(length));
        assert.notEqual(ys.buffer, exports.memory.buffer);
        assert.equal(ys.byteLength, ys.buffer.byteLength);
      }
    }
  });

  test("6.3 million floats, then a small batch; earlier results stay", async () => {
    const { gelu: own, exports } = await loadWithMemory();
    const early = own.evaluate("gelu", Float32Array.of(1, -1, 2));
    const earlyBits = bitsOf(early);
    const size = exports.memory.buffer.byteLength;
    const xs = Float32Array.from({ length: 6_300_000 }, (_, i) => ((i * 7919) % 16001) / 1000 - 8);
    const ys = own.evaluate("gelu", xs);
    assert.ok(exports.memory.buffer.byteLength - size < 2 ** 20, "the whole batch went into wasm memory");
    const one = own.evaluate(
      "gelu",
      Float32Array.from({ length: 16001 }, (_, i) => i / 1000 - 8),
    );
    for (let i = 0; i < xs.length; i++) {
      if (ys[i] !== one[(i * 7919) % 16001]) assert.fail(`at ${i}: ${ys[i]}, want ${one[(i * 7919) % 16001]}`);
    }
    assert.deepEqual(bitsOf(own.evaluate("gelu", Float32Array.of(1, -1, 2))), earlyBits);
    // Memory that grows leaves old views detached (length 0) or stale; none must be in use.
    const pointer = exports.malloc(20_000_000);
    assert.notEqual(pointer, 0);
    assert.ok(exports.memory.buffer.byteLength > 20_000_000);
    assert.deepEqual(bitsOf(own.evaluate("gelu", Float32Array.of(1, -1, 2))), earlyBits);
    exports.free(pointer);
    assert.deepEqual(bitsOf(early), earlyBits);
    close(own.maxError("gelu_tanh", "gelu").error, 4.73235520687285e-4, 1e-11, "after growth");
  });

  test("memory in use does not grow over 1,000 calls, failed ones included", async () => {
    const { gelu: own, used } = await loadWithMemory();
    const xs = new Float64Array(20000).fill(-1.5);
    own.evaluate("gelu", xs);
    const before = used();
    for (let i = 0; i < 1000; i++) {
      own.evaluate(IDS[i % IDS.length], xs.subarray(0, (i * 37) % 20000), { order: ORDERS[i % 3] });
      if (i % 50 === 0) own.maxError("gelu_tanh", "gelu", { from: -4, to: 4 });
      assert.throws(() => own.evaluate("gelu", xs, { params: { nothing: 1 } }));
      assert.throws(() => own.maxError("gelu", "relu", { from: 1, to: 1 }));
    }
    assert.deepEqual(used(), before);
  });
});

describe("benchmark", () => {
  test("times every function, order, precision and accuracy", () => {
    for (const id of IDS) {
      for (const order of ORDERS) {
        for (const [precision, accuracy] of [["float32"], ["float32", "fast"], ["float64"]]) {
          const ms = gelu.benchmark(id, { n: 1000, repeats: 2, order, precision, accuracy });
          assert.ok(Number.isFinite(ms) && ms >= 0, `${id} ${order} ${precision} ${accuracy}: ${ms}`);
        }
      }
    }
    assert.ok(gelu.benchmark("gelu_sigmoid", { params: { k: 1.5 }, n: 1, repeats: 1 }) >= 0);
    assert.ok(gelu.benchmark("gelu") > 0);
  });

  test("grows with the passes and with the numbers", () => {
    const best = (options) => Math.min(...Array.from({ length: 5 }, () => gelu.benchmark("gelu", options)));
    best({ n: 10000, repeats: 20 });
    const one = best({ n: 10000, repeats: 20 });
    assert.ok(best({ n: 10000, repeats: 200 }) > 3 * one);
    assert.ok(best({ n: 100000, repeats: 20 }) > 3 * one);
  });

  test("gives back the memory that it took", async () => {
    const { gelu: own, exports } = await loadWithMemory();
    own.benchmark("gelu", { n: 100001, repeats: 1 });
    const size = exports.memory.buffer.byteLength;
    for (let i = 0; i < 50; i++) own.benchmark("gelu", { n: 100001, repeats: 1 });
    assert.equal(exports.memory.buffer.byteLength, size);
  });
});

describe("errors", () => {
  const xs = new Float32Array(3);
  const bad = (call, code, ...words) => assert.throws(call, refusal(code, ...words));
  const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"];

  test("id", () => {
    for (const [id, shown] of [
      ["gleu", '"gleu"'],
      ["GELU", '"GELU"'],
      ["", '""'],
      [null, "null"],
      [undefined, "undefined"],
      [0, "0"],
      [["gelu"], "array"],
      [{}, "object"],
      [Symbol("gelu"), "symbol"],
      ...PROTOTYPE_NAMES.map((name) => [name, `"${name}"`]),
    ]) {
      bad(() => gelu.evaluate(id, xs), "unknown-function", shown, ...IDS);
      bad(() => gelu.maxError(id, "gelu"), "unknown-function", shown, ...IDS);
      bad(() => gelu.maxError("gelu", id), "unknown-function", shown, ...IDS);
    }
  });

  test("order", () => {
    for (const [order, shown] of [
      [3, "3"],
      [-1, "-1"],
      [0.5, "0.5"],
      [Number.NaN, "NaN"],
      ["1", '"1"'],
      [null, "null"],
      [[1], "array"],
    ]) {
      bad(() => gelu.evaluate("gelu", xs, { order }), "unknown-order", shown, "0, 1, 2");
      bad(() => gelu.maxError("gelu", "relu", { order }), "unknown-order", shown, "0, 1, 2");
    }
  });

  test("names and values of parameters", () => {
    bad(() => gelu.evaluate("gelu_sigmoid", xs, { params: { q: 1 } }), "unknown-parameter", '"q"', "gelu_sigmoid", "k");
    bad(() => gelu.evaluate("gelu_tanh", xs, { params: { k: 1 } }), "unknown-parameter", '"k"', "scale", "cubic");
    bad(() => gelu.evaluate("gelu", xs, { params: { k: 1 } }), "unknown-parameter", '"k"', "none");
    for (const name of PROTOTYPE_NAMES) {
      bad(() => gelu.evaluate("sigmoid", xs, { params: JSON.parse(`{"${name}": 1}`) }), "unknown-parameter", `"${name}"`, "k");
    }
    for (const [value, shown] of [
      [Number.NaN, "NaN"],
      [Number.POSITIVE_INFINITY, "Infinity"],
      [Number.NEGATIVE_INFINITY, "-Infinity"],
      ["1", '"1"'],
      [null, "null"],
      [undefined, "undefined"],
      [1n, "1"],
    ]) {
      bad(() => gelu.evaluate("sigmoid", xs, { params: { k: value } }), "bad-parameter", "sigmoid.k", shown, "finite");
      bad(() => gelu.maxError("sigmoid", "gelu", { params: { k: value } }), "bad-parameter", "sigmoid.k", shown, "finite");
      bad(() => gelu.maxError("gelu", "sigmoid", { referenceParams: { k: value } }), "bad-parameter", "sigmoid.k", shown);
    }
    for (const [params, shown] of [
      [null, "null"],
      [[1], "array"],
      ["k", '"k"'],
      [1, "1"],
    ]) {
      bad(() => gelu.evaluate("sigmoid", xs, { params }), "bad-type", "params", shown);
    }
  });

  test("input and out", () => {
    for (const [input, shown] of [
      [[1, 2], "array"],
      ["1", '"1"'],
      [null, "null"],
      [undefined, "undefined"],
      [1, "1"],
      [new Int32Array(2), "Int32Array"],
      [new ArrayBuffer(8), "object"],
      [{ length: 1, 0: 1 }, "object"],
    ]) {
      bad(() => gelu.evaluate("gelu", input), "bad-type", "xs", shown, "Float32Array", "Float64Array");
    }
    for (const [out, shown] of [
      [new Float64Array(3), "Float64Array"],
      [new Float32Array(4), "4"],
      [new Float32Array(2), "2"],
      [new Int32Array(3), "Int32Array"],
      [[0, 0, 0], "array"],
      [null, "null"],
      ["abc", '"abc"'],
    ]) {
      bad(() => gelu.evaluate("gelu", xs, { out }), "bad-type", "out", shown, "Float32Array", "3");
    }
    assert.deepEqual([...xs], [0, 0, 0]);
  });

  test("accuracy and options", () => {
    for (const [accuracy, shown] of [
      ["fastest", '"fastest"'],
      [null, "null"],
      [1, "1"],
    ]) {
      bad(() => gelu.evaluate("gelu", xs, { accuracy }), "unknown-accuracy", shown, "default", "fast");
      bad(() => gelu.benchmark("gelu", { accuracy }), "unknown-accuracy", shown, "default", "fast");
    }
    bad(() => gelu.evaluate("gelu", xs, { oder: 1 }), "unknown-option", '"oder"', "order", "params", "accuracy", "out");
    bad(() => gelu.maxError("gelu", "relu", { form: 1 }), "unknown-option", '"form"', "from", "to", "relative");
    for (const options of [null, 1, "order"]) bad(() => gelu.evaluate("gelu", xs, options), "bad-type", "options");
  });

  test("benchmark", () => {
    bad(() => gelu.benchmark("gleu"), "unknown-function", '"gleu"', ...IDS);
    bad(() => gelu.benchmark("gelu", { order: 3 }), "unknown-order", "3");
    bad(() => gelu.benchmark("gelu", { params: { k: 1 } }), "unknown-parameter", '"k"');
    bad(() => gelu.benchmark("gelu", { xs }), "unknown-option", '"xs"', "n", "repeats", "precision");
    bad(() => gelu.benchmark("gelu", null), "bad-type", "options");
    for (const [precision, shown] of [
      ["float16", '"float16"'],
      [null, "null"],
      [32, "32"],
    ]) {
      bad(() => gelu.benchmark("gelu", { precision }), "unknown-precision", shown, "float32", "float64");
    }
    for (const [count, shown] of [
      [0, "0"],
      [-1, "-1"],
      [1.5, "1.5"],
      [Number.NaN, "NaN"],
      [Number.POSITIVE_INFINITY, "Infinity"],
      ["10", '"10"'],
      [null, "null"],
    ]) {
      bad(() => gelu.benchmark("gelu", { n: count }), "bad-parameter", "n", shown, "16777216");
      bad(() => gelu.benchmark("gelu", { repeats: count }), "bad-parameter", "repeats", shown);
    }
    bad(() => gelu.benchmark("gelu", { n: 2 ** 24 + 1 }), "bad-parameter", "16777217");
  });

  test("interval", () => {
    for (const [from, to, shown] of [
      [Number.NaN, 1, "NaN"],
      [0, Number.NaN, "NaN"],
      [Number.NEGATIVE_INFINITY, 1, "-Infinity"],
      [0, Number.POSITIVE_INFINITY, "Infinity"],
      [-10001, 1, "-10001"],
      [0, 10000.5, "10000.5"],
      ["-1", 1, '"-1"'],
      [null, 1, "null"],
    ]) {
      bad(() => gelu.maxError("gelu", "relu", { from, to }), "bad-interval", shown, "10000");
    }
    bad(() => gelu.maxError("gelu", "relu", { from: 2, to: 2 }), "bad-interval", "2", "less than");
    bad(() => gelu.maxError("gelu", "relu", { from: 3, to: -2 }), "bad-interval", "3", "-2", "less than");
    bad(() => gelu.maxError("gelu", "relu", { relative: 1 }), "bad-type", "relative", "1", "true or false");
  });

  test("loadGelu", async () => {
    const code = (wanted, word) => (error) => error instanceof GeluError && error.code === wanted && error.message.includes(word);
    await assert.rejects(() => loadGelu({ backend: "webgpu" }), code("unknown-backend", '"webgpu"'));
    await assert.rejects(() => loadGelu({ wsam: wasm }), code("unknown-option", '"wsam"'));
    await assert.rejects(() => loadGelu(null), code("bad-type", "null"));
    await assert.rejects(() => loadGelu({ wasm: new Uint8Array([1, 2, 3]) }));
    await assert.rejects(() => loadGelu({ wasm: Promise.reject(new Error("no network")) }), /no network/);
  });
});

describe("loading", () => {
  const want = bitsOf(gelu.evaluate("mish", Float64Array.of(-3, 0.1, 7)));
  const right = (own) => assert.deepEqual(bitsOf(own.evaluate("mish", Float64Array.of(-3, 0.1, 7))), want);

  test("from bytes, a view of bytes, a Response of any type, a compiled module, or a promise of one", async () => {
    const bytes = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
    right(await loadGelu({ wasm: bytes }));
    right(await loadGelu({ wasm }));
    right(await loadGelu({ wasm: new Response(wasm) }));
    right(await loadGelu({ wasm: new Response(wasm, { headers: { "Content-Type": "text/plain" } }) }));
    right(await loadGelu({ wasm: new WebAssembly.Module(wasm) }));
    right(await loadGelu({ wasm: Promise.resolve(wasm) }));
    right(await loadGelu({ backend: "wasm-simd" }));
  });

  test("instances do not disturb each other", async () => {
    const module = new WebAssembly.Module(wasm);
    const many = await Promise.all(Array.from({ length: 8 }, (_, i) => loadGelu(i % 2 === 0 ? undefined : { wasm: module })));
    await Promise.all(
      many.map(async (own, i) => {
        for (let round = 0; round < 20; round++) {
          const xs = Float32Array.from({ length: 1000 }, (_, j) => (j - 500) / 100 + i);
          assert.deepEqual(bitsOf(own.evaluate("gelu", xs)), bitsOf(gelu.evaluate("gelu", xs)));
          await null;
        }
      }),
    );
  });
});
