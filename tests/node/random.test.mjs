/** gelu.random: the stream that its header describes, recomputed here; what it refuses; the same bits as the native build. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { GeluError, loadGelu } from "../../dist/lib/gelu.js";
import { ALL_BUILDS } from "./builds.mjs";
import { refusal } from "./refusal.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const gelu = await loadGelu();

/**
 * PCG32 (XSH RR, stream 54) as its author publishes it, in whole numbers of any size: it shares nothing with the kernels.
 * @param {number} seed
 */
function pcg32(seed) {
  const mask = 2n ** 64n - 1n;
  let state = 0n;
  const bits = () => {
    const old = state;
    state = (old * 6364136223846793005n + 109n) & mask;
    const shifted = (((old >> 18n) ^ old) >> 27n) & 0xffffffffn;
    const turn = old >> 59n;
    return Number(((shifted >> turn) | (shifted << (32n - turn))) & 0xffffffffn);
  };
  bits();
  state = (state + BigInt(seed)) & mask;
  bits();
  // The middle of one of 2^52 equal parts: 32 bits and the upper 20 of the next 32.
  const uniform = () => {
    const high = bits();
    return (high * 2 ** 20 + (bits() >>> 12) + 0.5) / 2 ** 52;
  };
  const normal = () => {
    for (;;) {
      const u = uniform();
      const x = ((2 * uniform() - 1) * Math.sqrt(2 / Math.E)) / u;
      if (u <= Math.exp((-x * x) / 4)) return x;
    }
  };
  return { bits, uniform, normal };
}

/** What one source draws, as a plain list; it is freed. */
function drawn(seed, kind, ...sizes) {
  const source = gelu.random(seed);
  const all = sizes.flatMap((n) => [...source[kind](n)]);
  source.free();
  return all;
}

describe("the stream", () => {
  test("of PCG32 begins as its author prints it", () => {
    const { bits } = pcg32(42);
    const first = Array.from({ length: 6 }, () => bits().toString(16));
    assert.deepEqual(first, ["a15c02b7", "7b47f409", "ba1d3330", "83d2f293", "bfa4784b", "cbed606e"]);
  });

  test("of uniform numbers is PCG32's, to the last bit, for any seed", () => {
    for (const seed of [42, 0, 1, 9999, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]) {
      const { uniform } = pcg32(seed);
      assert.deepEqual(drawn(seed, "uniform", 500), Array.from({ length: 500 }, uniform), String(seed));
    }
  });

  test("of normal numbers is the ratio of those uniforms", () => {
    for (const seed of [42, 1, 7, Number.MAX_SAFE_INTEGER]) {
      const { normal } = pcg32(seed);
      const got = drawn(seed, "normal", 2000);
      for (const [i, x] of got.entries()) {
        const want = normal();
        // The last bit of √(2/e) and of a quotient may differ; a number too many or too few would not be near.
        assert.ok(Math.abs(x - want) <= 1e-15 * Math.abs(want), `seed ${seed}, number ${i}: ${x}, want ${want}`);
      }
    }
  });

  test("is the same for the same seed, another for another", () => {
    assert.deepEqual(drawn(7, "normal", 1000), drawn(7, "normal", 1000));
    const [a, b] = [drawn(7, "normal", 1000), drawn(8, "normal", 1000)];
    assert.ok(a.filter((x, i) => x === b[i]).length === 0);
  });

  test("does not depend on how many are asked for at a time, nor on other sources", () => {
    for (const kind of ["uniform", "normal"]) {
      const whole = drawn(3, kind, 200_000);
      assert.deepEqual(drawn(3, kind, 0, 1, 2, 0, 65_536, 65_537, 68_924), whole, kind);
      const [one, other] = [gelu.random(3), gelu.random(4)];
      const mixed = [];
      for (let i = 0; i < 100; i++) {
        mixed.push(...one[kind](3));
        other[kind](5);
      }
      assert.deepEqual(mixed, whole.slice(0, 300), kind);
      one.free();
      other.free();
    }
  });

  test("goes on where the other kind left it", () => {
    const source = gelu.random(42);
    const own = pcg32(42);
    for (let i = 0; i < 50; i++) {
      assert.equal(source.uniform(1)[0], own.uniform());
      const want = own.normal();
      assert.ok(Math.abs(source.normal(1)[0] - want) <= 1e-15 * Math.abs(want));
    }
    source.free();
  });

  test("gives arrays of their own", () => {
    const source = gelu.random(1);
    const first = source.normal(10);
    const copy = Float64Array.from(first);
    source.normal(1000);
    source.free();
    gelu.evaluate("gelu", new Float64Array(10_000));
    assert.ok(first instanceof Float64Array);
    assert.deepEqual(first, copy);
    assert.ok(first.buffer.byteLength === 80, "a view of something larger");
  });
});

test("normal numbers have the moments and shares of N(0, 1)", () => {
  const n = 1_000_000;
  const xs = gelu.random(5).normal(n);
  const mean = (/** @type {(x: number) => number} */ f) => xs.reduce((sum, x) => sum + f(x), 0) / n;
  // Five standard errors of each.
  for (const [power, want, deviation] of [
    [1, 0, 1],
    [2, 1, Math.sqrt(2)],
    [3, 0, Math.sqrt(15)],
    [4, 3, Math.sqrt(96)],
  ]) {
    const got = mean((x) => x ** power);
    assert.ok(Math.abs(got - want) < (5 * deviation) / Math.sqrt(n), `moment ${power}: ${got}`);
  }
  for (const [x, share] of [
    [-2, 0.0227501319481792],
    [-1, 0.15865525393145705],
    [0, 0.5],
    [1.5, 0.9331927987311419],
  ]) {
    const got = mean((score) => Number(score < x));
    assert.ok(Math.abs(got - share) < 5 * Math.sqrt((share * (1 - share)) / n), `share below ${x}: ${got}`);
  }
  assert.ok(xs.every(Number.isFinite));
});

describe("a source", () => {
  test("can be freed twice, and says so when it is used afterwards", () => {
    const source = gelu.random(1);
    source.normal(3);
    source.free();
    source.free();
    for (const kind of ["uniform", "normal"]) {
      assert.throws(() => source[kind](1), refusal("freed", "freed"), kind);
      assert.throws(() => source[kind](0), refusal("freed", "freed"), kind);
    }
    // What the second call might have released belongs to somebody else by now.
    const [one, other] = [gelu.random(1), gelu.random(2)];
    source.free();
    assert.deepEqual([...one.normal(5)], drawn(1, "normal", 5));
    assert.deepEqual([...other.normal(5)], drawn(2, "normal", 5));
    one.free();
    other.free();
  });

  test("gives its memory back", async (context) => {
    let memory;
    const instantiate = WebAssembly.instantiate.bind(WebAssembly);
    context.mock.method(WebAssembly, "instantiate", async (...args) => {
      const result = await instantiate(...args);
      memory = (result.instance ?? result).exports.memory;
      return result;
    });
    const own = await loadGelu();
    const before = memory.buffer.byteLength;
    // At 8 bytes or more each these would outgrow the megabyte that the module begins with.
    for (let i = 0; i < 300_000; i++) own.random(i).free();
    assert.equal(memory.buffer.byteLength, before);
    for (let i = 0; i < 300_000; i++) own.random(i);
    assert.ok(memory.buffer.byteLength > before, "sources that nobody frees take room, or this test sees nothing");
  });

  const BAD = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "7", null, undefined, 7n, [1], {}];
  const shown = (value) => (typeof value === "object" || value === undefined ? "" : String(value));

  test("is not made from a bad seed", () => {
    for (const seed of BAD) assert.throws(() => gelu.random(seed), refusal("bad-parameter", shown(seed)), String(seed));
  });

  test("draws no bad number of numbers, and goes on as if nothing had been asked", () => {
    const source = gelu.random(42);
    for (const kind of ["uniform", "normal"]) {
      for (const n of BAD) assert.throws(() => source[kind](n), refusal("bad-parameter", shown(n)), `${kind}(${String(n)})`);
    }
    assert.equal(source.uniform(1)[0], pcg32(42).uniform());
    source.free();
  });

  test("says in its own words that no array is that long", () => {
    const source = gelu.random(42);
    for (const kind of ["uniform", "normal"]) {
      assert.throws(
        () => source[kind](Number.MAX_SAFE_INTEGER),
        (error) => error instanceof GeluError && error.message.includes(String(Number.MAX_SAFE_INTEGER)),
        kind,
      );
    }
    source.free();
  });
});

test("the native build, WebAssembly with SIMD and without, and JavaScript give the same bits", async () => {
  execFileSync("make", ["-s", "build/native/release/parity"], { cwd: ROOT, stdio: "inherit" });
  const native = execFileSync(`${ROOT}build/native/release/parity`, ["random"], { maxBuffer: 2 ** 24, encoding: "utf8" })
    .trimEnd()
    .split("\n");
  assert.equal(native.length, 100_000);
  for (const [file, load] of ALL_BUILDS) {
    const other = await load();
    const bits = new BigUint64Array(other.random(2026).normal(native.length).buffer);
    const at = native.findIndex((hex, i) => hex !== bits[i].toString(16).padStart(16, "0"));
    assert.equal(at, -1, `${file}, number ${at}: ${bits[at]?.toString(16)}, native ${native[at]}`);
  }
});
