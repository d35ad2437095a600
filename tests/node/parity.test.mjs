/**
 * Native code, WebAssembly with SIMD and without: the same bits. Both sides hash their results for the same seeded inputs
 * (tests/c/parity.c says which): a million for each function and order in float32, default and
 * fast tier, and in float64; an eighth of that with other parameters.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadGelu } from "../../dist/lib/gelu.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = `${ROOT}build/native/release/parity`;
const BATCH = 4096;
/** Whole batches of what tests/prove/prove.mjs asks for, as in parity.c. */
const ASKED = Math.ceil(Number(process.env.PARITY_COUNT ?? 0) / BATCH) * BATCH;
const COUNTS = ASKED > 0 ? { defaults: ASKED, others: ASKED } : { defaults: 1048576, others: 131072 };
const WIDTHS = { single: [4, 20, 120], double: [4, 45, 800] };
const NAN = { single: 0x7fc00000, double: 0x7ff8000000000000n };

/** Inputs as in parity.c, which names the formulas. */
function inputs(seed, single) {
  let state = seed >>> 0;
  const bits = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  };
  const evenly = (value, width) => value * 2 ** -32 * (2 * width) - width;
  const xs = new (single ? Float32Array : Float64Array)(BATCH);
  const words = new Uint32Array(xs.buffer);
  return () => {
    for (let k = 0; k < BATCH; k++) {
      const low = bits();
      const high = single ? low : bits();
      if (k % 4 !== 0) {
        xs[k] = single ? evenly(low, WIDTHS.single[(k % 4) - 1]) : evenly(high, WIDTHS.double[(k % 4) - 1]) + low * 2 ** -60;
      } else if (single) {
        words[k] = low;
      } else {
        words[2 * k] = low;
        words[2 * k + 1] = high;
      }
    }
    return xs;
  };
}

/** @param {string} name function.order.type.parameters */
function readCase(catalogue, name) {
  const [id, order, type, parameters] = name.split(".");
  const index = catalogue.findIndex((row) => row.id === id);
  const single = type !== "f64";
  const other = parameters === "other";
  const count = other ? COUNTS.others : COUNTS.defaults;
  const params = other ? Object.fromEntries(catalogue[index].parameters.map((row) => [row.name, row.value * 1.25])) : undefined;
  const options = { order: Number(order), params, accuracy: type === "fast" ? "fast" : "default" };
  return { id, single, count, options, seed: index * 3 + Number(order) };
}

/** The results of a case, batch by batch, as 32-bit words with one NaN. */
function forEachBatch(gelu, name, use) {
  const { id, single, count, options, seed } = readCase(gelu.catalogue, name);
  const next = inputs(seed, single);
  for (let start = 0; start < count; start += BATCH) {
    const xs = next();
    const ys = gelu.evaluate(id, xs, options);
    const bits = single ? new Uint32Array(ys.buffer) : new BigUint64Array(ys.buffer);
    for (let k = 0; k < BATCH; k++) if (Number.isNaN(ys[k])) bits[k] = single ? NAN.single : NAN.double;
    use(new Uint32Array(ys.buffer), xs, bits);
  }
}

function hash(gelu, name) {
  let first = 0;
  let second = 0;
  forEachBatch(gelu, name, (words) => {
    for (const word of words) {
      const a = first ^ word;
      const b = second ^ word;
      first = Math.imul((a << 13) | (a >>> 19), 0x85ebca6b);
      second = Math.imul((b << 17) | (b >>> 15), 0xc2b2ae35);
    }
  });
  const hex = (word) => (word >>> 0).toString(16).padStart(8, "0");
  return hex(first) + hex(second);
}

/** The first input for which a case differs from the native results, to be told. */
function firstDifference(gelu, name) {
  const native = execFileSync(PROGRAM, [name], { maxBuffer: 2 ** 28, encoding: "utf8" })
    .trimEnd()
    .split("\n");
  let at = 0;
  let found = "no difference on a second run";
  forEachBatch(gelu, name, (_, xs, bits) => {
    bits.forEach((value, k) => {
      const hex = value.toString(16).padStart(native[0].length, "0");
      if (found.startsWith("no") && hex !== native[at]) found = `at x = ${xs[k]}: ${hex}, native ${native[at]}`;
      at++;
    });
  });
  return found;
}

let native;
before(async () => {
  execFileSync("make", ["-s", "build/native/release/parity"], { cwd: ROOT, stdio: "inherit" });
  native = promisify(execFile)(PROGRAM).then(
    ({ stdout }) =>
      new Map(
        stdout
          .trimEnd()
          .split("\n")
          .map((line) => line.split(" ")),
      ),
  );
  native.catch(() => {});
});

for (const file of ["gelu.wasm", "gelu-scalar.wasm"]) {
  test(`${file} gives the native bits`, async () => {
    const gelu = await loadGelu({ wasm: await readFile(`${ROOT}build/wasm/${file}`) });
    const names = gelu.catalogue.flatMap(({ id, parameters }) =>
      ["0", "1", "2"].flatMap((order) => [
        ...["f64", "f32", "fast"].map((type) => `${id}.${order}.${type}.default`),
        ...(parameters.length > 0 ? ["f64", "f32", "fast"] : []).map((type) => `${id}.${order}.${type}.other`),
      ]),
    );
    const got = names.map((name) => [name, hash(gelu, name)]);
    const want = await native;
    assert.deepEqual([...want.keys()].sort(), [...names].sort(), "the native program has other cases");
    const different = got.filter(([name, value]) => want.get(name) !== value);
    assert.deepEqual(
      different.map(([name]) => `${name} ${firstDifference(gelu, name)}`),
      [],
    );
  });
}
