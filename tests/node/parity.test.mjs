/**
 * Native code, WebAssembly with SIMD and without, and JavaScript: the same bits. Both sides hash their results for the same
 * seeded inputs (tests/c/parity.c says which): a million for each function and order in float32, default and fast tier, and
 * in float64; an eighth of that with other parameters. JavaScript gets 65,536 of each.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ALL_BUILDS } from "./builds.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = `${ROOT}build/native/release/parity`;
const BATCH = 4096;
/** Whole batches of what tests/prove/prove.mjs asks for, as in parity.c. */
const ASKED = Math.ceil(Number(process.env.PARITY_COUNT ?? 0) / BATCH) * BATCH;
const COUNTS = ASKED > 0 ? { defaults: ASKED, others: ASKED } : { defaults: 1048576, others: 131072 };
const COUNTS_IN_JS = { defaults: 65536, others: 65536 };
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
function readCase(catalogue, name, counts) {
  const [id, order, type, parameters] = name.split(".");
  const index = catalogue.findIndex((row) => row.id === id);
  const single = type !== "f64";
  const other = parameters === "other";
  const count = other ? counts.others : counts.defaults;
  const params = other ? Object.fromEntries(catalogue[index].parameters.map((row) => [row.name, row.value * 1.25])) : undefined;
  const options = { order: Number(order), params, accuracy: type === "fast" ? "fast" : "default" };
  return { id, single, count, options, seed: index * 3 + Number(order) };
}

/** The results of a case, batch by batch, as 32-bit words with one NaN. */
function forEachBatch(gelu, name, counts, use) {
  const { id, single, count, options, seed } = readCase(gelu.catalogue, name, counts);
  const next = inputs(seed, single);
  for (let start = 0; start < count; start += BATCH) {
    const xs = next();
    const ys = gelu.evaluate(id, xs, options);
    const bits = single ? new Uint32Array(ys.buffer) : new BigUint64Array(ys.buffer);
    for (let k = 0; k < BATCH; k++) if (Number.isNaN(ys[k])) bits[k] = single ? NAN.single : NAN.double;
    use(new Uint32Array(ys.buffer), xs, bits);
  }
}

/** The hash of parity.c, taking arrays of words one after another. */
function hasher() {
  let first = 0;
  let second = 0;
  const hex = (word) => (word >>> 0).toString(16).padStart(8, "0");
  return {
    take(words) {
      for (const word of words) {
        const a = first ^ word;
        const b = second ^ word;
        first = Math.imul((a << 13) | (a >>> 19), 0x85ebca6b);
        second = Math.imul((b << 17) | (b >>> 15), 0xc2b2ae35);
      }
    },
    takeDoubles(numbers) {
      const bits = new BigUint64Array(Float64Array.from(numbers).buffer);
      numbers.forEach((number, k) => {
        if (Number.isNaN(number)) bits[k] = NAN.double;
      });
      this.take(new Uint32Array(bits.buffer));
    },
    text: () => hex(first) + hex(second),
  };
}

function hash(gelu, name, counts) {
  const sink = hasher();
  forEachBatch(gelu, name, counts, (words) => sink.take(words));
  return sink.text();
}

/** The first input for which a case differs from the native results, to be told. */
function firstDifference(gelu, name, counts) {
  const native = execFileSync(PROGRAM, [name], { ...environment(counts), maxBuffer: 2 ** 28, encoding: "utf8" })
    .trimEnd()
    .split("\n");
  let at = 0;
  let found = "no difference on a second run";
  forEachBatch(gelu, name, counts, (_, xs, bits) => {
    bits.forEach((value, k) => {
      const hex = value.toString(16).padStart(native[0].length, "0");
      if (found.startsWith("no") && hex !== native[at]) found = `at x = ${xs[k]}: ${hex}, native ${native[at]}`;
      at++;
    });
  });
  return found;
}

const ROUNDING_BATCHES = 16;
const FITS = [
  ["gelu_sigmoid", "gelu", 0, ["k"], 1],
  ["gelu_sigmoid", "gelu", 1, ["k"], 1],
  ["sigmoid", "normal_cdf", 0, ["k"], 1],
  ["gelu_tanh", "gelu", 0, ["cubic"], 2],
  ["gelu_tanh", "gelu", 0, ["scale", "cubic"], 3],
];

function hashInBatches(seed, kernel, then) {
  const sink = hasher();
  const next = inputs(seed, false);
  let xs;
  for (let batch = 0; batch < ROUNDING_BATCHES; batch++) {
    xs = next();
    sink.takeDoubles(kernel(xs));
  }
  then?.(sink, xs);
  return sink.text();
}

/** The lines of `parity rounding`. */
function roundingLines(gelu) {
  const halves = ["float16", "bfloat16"].map((format) => `round.${format} ${hashInBatches(100, (xs) => gelu.round(xs, format))}`);
  const formulas = ["erf", "erfc", "tanh", "sigmoid"].flatMap((form) =>
    ["float64", "float32", "float16", "bfloat16"].map((format) => {
      const text = hashInBatches(
        101,
        (xs) => gelu.emulate(form, xs, format),
        (sink, xs) => {
          for (const x of xs) sink.takeDoubles(gelu.emulateSteps(form, x, format));
        },
      );
      return `emulate.${form}.${format} ${text}`;
    }),
  );
  const fits = FITS.map(([id, reference, order, vary, bits]) => {
    const fit = gelu.createFit(id, { reference, order, vary });
    const { params, error, at, steps } = fit.step(2 ** 31);
    fit.free();
    const sink = hasher();
    sink.takeDoubles([...Object.values(params), error, at, steps]);
    return `fit.${id}.${reference}.${order}.${bits} ${sink.text()}`;
  });
  return [...halves, ...formulas, ...fits];
}

/** What tells the native program how many numbers there are, where it would not take its own. */
const environment = ({ defaults, others }) =>
  defaults === others ? { env: { ...process.env, PARITY_COUNT: String(defaults) } } : {};

async function runNative(counts) {
  const { stdout } = await promisify(execFile)(PROGRAM, environment(counts));
  const lines = stdout.trimEnd().split("\n");
  return new Map(lines.map((line) => line.split(" ")));
}

/** @type {Map<typeof COUNTS, Promise<Map<string, string>>>} */
const native = new Map();
before(() => {
  execFileSync("make", ["-s", "build/native/release/parity"], { cwd: ROOT, stdio: "inherit" });
  for (const counts of [COUNTS, COUNTS_IN_JS]) {
    native.set(counts, runNative(counts));
    native.get(counts).catch(() => {});
  }
});

for (const [file, load] of ALL_BUILDS) {
  test(`${file} gives the native bits`, async () => {
    const counts = file.endsWith(".js") ? COUNTS_IN_JS : COUNTS;
    const gelu = await load();
    const names = gelu.catalogue.flatMap(({ id, parameters }) =>
      ["0", "1", "2"].flatMap((order) => [
        ...["f64", "f32", "fast"].map((type) => `${id}.${order}.${type}.default`),
        ...(parameters.length > 0 ? ["f64", "f32", "fast"] : []).map((type) => `${id}.${order}.${type}.other`),
      ]),
    );
    const got = names.map((name) => [name, hash(gelu, name, counts)]);
    const want = await native.get(counts);
    assert.deepEqual([...want.keys()].sort(), [...names].sort(), "the native program has other cases");
    const different = got.filter(([name, value]) => want.get(name) !== value);
    assert.deepEqual(
      different.map(([name]) => `${name} ${firstDifference(gelu, name, counts)}`),
      [],
    );
  });
  test(`${file}: halves, formulas rounded step by step, searches`, async () => {
    const gelu = await load();
    const lines = execFileSync(PROGRAM, ["rounding"], { encoding: "utf8" }).trimEnd().split("\n");
    assert.deepEqual(roundingLines(gelu), lines);
  });
}
