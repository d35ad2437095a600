/** createFfn against the same formula in float64 JavaScript, written here, and against misuse. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { GeluError, loadGelu } from "../../dist/lib/gelu.js";
import { loadWithMemory } from "./memory.mjs";
import { refusal } from "./refusal.mjs";
import { bitsOf, randomFrom } from "./vectors.mjs";

const gelu = await loadGelu();
const IDS = gelu.catalogue.map(({ id }) => id);

/** Rows of `inner` numbers times a matrix of `columns` columns, plus a bias. */
function product(rows, matrix, bias, inner, columns) {
  const count = rows.length / inner;
  return Float64Array.from({ length: count * columns }, (_, k) => {
    const row = Math.floor(k / columns);
    const column = k % columns;
    let sum = bias?.[column] ?? 0;
    for (let p = 0; p < inner; p++) sum += rows[row * inner + p] * matrix[p * columns + column];
    return sum;
  });
}

/** The network in float64. */
function reference(weights, x, { d, hidden, activation, params }) {
  const z = product(x, weights.w1, weights.b1, d, hidden);
  const h = gelu.evaluate(activation, z, { params });
  if (weights.v) {
    const u = product(x, weights.v, weights.c, d, hidden);
    for (let k = 0; k < h.length; k++) h[k] *= u[k];
  }
  return { z, h, y: product(h, weights.w2, weights.b2, hidden, d) };
}

const norm = (xs) => Math.sqrt(xs.reduce((sum, x) => sum + x * x, 0));

function close(got, want, bound, label) {
  assert.equal(got.length, want.length, `${label}: length`);
  const error = norm(Float64Array.from(want, (value, k) => got[k] - value));
  assert.ok(error <= bound * norm(want), `${label}: relative error ${error / norm(want)}`);
}

function drawn(seed, n) {
  const next = randomFrom(seed);
  return Float32Array.from({ length: n }, () => 4 * next() - 2);
}

function weightsFor({ d, hidden, gated }, seed) {
  const gate = gated ? { v: drawn(seed + 4, d * hidden), c: drawn(seed + 5, hidden) } : {};
  return {
    w1: drawn(seed, d * hidden),
    b1: drawn(seed + 1, hidden),
    ...gate,
    w2: drawn(seed + 2, hidden * d),
    b2: drawn(seed + 3, d),
  };
}

/** Calls `use` with a network and frees it. */
function withFfn(options, use, from = gelu) {
  const ffn = from.createFfn(options);
  try {
    return use(ffn);
  } finally {
    ffn.free();
  }
}

describe("forward", () => {
  for (const gated of [false, true]) {
    test(`every activation${gated ? ", gated" : ""}`, () => {
      for (const activation of IDS) {
        const options = { d: 7, hidden: 19, activation, gated };
        const weights = weightsFor(options, 1);
        const x = drawn(9, 5 * 7);
        withFfn({ ...options, weights }, (ffn) => {
          const want = reference(weights, x, options);
          close(ffn.forward(x, 5), want.y, 2e-6, `${activation}: y`);
          close(ffn.preActivations, want.z, 1e-6, `${activation}: pre-activations`);
          close(ffn.hiddenValues, want.h, 2e-6, `${activation}: hidden values`);
        });
      }
    });
  }

  test("parameters of the activation", () => {
    const options = { d: 3, hidden: 8, activation: "silu", params: { beta: 2.5 } };
    const weights = weightsFor(options, 3);
    const x = drawn(4, 6);
    withFfn({ ...options, weights }, (ffn) => close(ffn.forward(x, 2), reference(weights, x, options).y, 2e-6, "y"));
  });

  test("as large as BERT-base, and one token alone gives the same bits", () => {
    const options = { d: 768, hidden: 3072, activation: "gelu", seed: 3 };
    const x = drawn(5, 3 * 768);
    withFfn(options, (ffn) => {
      const y = ffn.forward(x, 3);
      close(y, reference(ffn.weights, x, options).y, 2e-6, "y");
      for (let t = 0; t < 3; t++) {
        const own = ffn.forward(x.subarray(t * 768, (t + 1) * 768), 1);
        assert.deepEqual(bitsOf(own), bitsOf(y.slice(t * 768, (t + 1) * 768)), `token ${t}`);
      }
    });
  });

  test("more tokens, fewer, none", () => {
    const options = { d: 4, hidden: 9, activation: "mish", gated: true };
    const weights = weightsFor(options, 7);
    withFfn({ ...options, weights }, (ffn) => {
      for (const tokens of [2, 0, 1, 500, 3, 0, 4000]) {
        const x = drawn(tokens, tokens * 4);
        close(ffn.forward(x, tokens), reference(weights, x, options).y, 2e-6, `${tokens} tokens`);
        assert.equal(ffn.preActivations.length, tokens * 9);
        assert.equal(ffn.backward(x).length, tokens * 4);
      }
    });
  });

  test("NaN in a token is NaN in its results, and in no others", () => {
    withFfn({ d: 3, hidden: 5, activation: "relu" }, (ffn) => {
      const y = ffn.forward(Float32Array.of(1, 2, 3, 4, Number.NaN, 6, 7, 8, 9), 3);
      assert.deepEqual([...y].map(Number.isNaN), [false, false, false, true, true, true, false, false, false]);
    });
  });
});

describe("backward", () => {
  for (const gated of [false, true]) {
    test(`central differences of the float64 network${gated ? ", gated" : ""}`, () => {
      const options = { d: 3, hidden: 6, activation: "gelu", gated };
      const weights = weightsFor(options, 21);
      const x = drawn(22, 4 * 3);
      const dy = drawn(23, 4 * 3);
      const wide = Object.fromEntries(Object.entries({ ...weights, x }).map(([name, part]) => [name, Float64Array.from(part)]));
      const loss = () => reference(wide, wide.x, options).y.reduce((sum, y, k) => sum + y * dy[k], 0);
      const difference = (part, k, step = 2 ** -17) => {
        const value = part[k];
        part[k] = value + step;
        const above = loss();
        part[k] = value - step;
        const below = loss();
        part[k] = value;
        return (above - below) / (2 * step);
      };
      withFfn({ ...options, weights }, (ffn) => {
        assert.equal(ffn.gradients, null);
        ffn.forward(x, 4);
        const got = { x: ffn.backward(dy), ...ffn.gradients };
        assert.deepEqual(Object.keys(got).sort(), Object.keys(wide).sort());
        for (const [name, part] of Object.entries(wide)) {
          close(
            got[name],
            Float64Array.from(part, (_, k) => difference(part, k)),
            1e-6,
            name,
          );
        }
        ffn.backward(dy);
        assert.deepEqual(ffn.gradients, Object.fromEntries(Object.entries(got).filter(([name]) => name !== "x")), "adds up");
      });
    });
  }
});

describe("weights", () => {
  test("the same seed, the same weights; another, others", () => {
    const weights = (seed) => withFfn({ d: 5, hidden: 7, seed, gated: true }, (ffn) => ffn.weights);
    assert.deepEqual(weights(4), weights(4));
    assert.notDeepEqual(weights(4), weights(5));
    assert.deepEqual(weights(undefined), weights(1));
    assert.deepEqual(Object.keys(weights(1)), ["w1", "b1", "v", "c", "w2", "b2"]);
  });

  test("spread as documented, biases 0", () => {
    withFfn({ d: 100, hidden: 400 }, (ffn) => {
      const { w1, b1, w2, b2 } = ffn.weights;
      assert.ok(Math.abs(norm(w1) ** 2 / w1.length / (1 / 100) - 1) < 0.036);
      assert.ok(Math.abs(norm(w2) ** 2 / w2.length / (1 / 400) - 1) < 0.036);
      assert.ok([...b1, ...b2].every((value) => value === 0));
    });
  });

  test("given ones are copied in and out, biases may be left out", () => {
    const w1 = drawn(1, 6);
    const w2 = drawn(2, 6);
    withFfn({ d: 2, hidden: 3, weights: { w1, w2 } }, (ffn) => {
      w1[0] = 777;
      const { weights } = ffn;
      assert.equal(weights.w1[0], drawn(1, 6)[0]);
      assert.deepEqual(weights.b1, new Float32Array(3));
      weights.w2.fill(0);
      assert.deepEqual(ffn.weights.w2, w2);
    });
  });
});

describe("errors name the value", () => {
  const bad = (call, code, ...words) => assert.throws(call, refusal(code, ...words));

  test("options", () => {
    const fine = { d: 2, hidden: 3 };
    for (const value of [0, -1, 1.5, Number.NaN, "2", null, undefined, 2 ** 60]) {
      bad(() => gelu.createFfn({ ...fine, d: value }), "bad-parameter", "d must", String(value));
      bad(() => gelu.createFfn({ ...fine, hidden: value }), "bad-parameter", "hidden must", String(value));
    }
    bad(() => gelu.createFfn({ ...fine, seed: -1 }), "bad-parameter", "seed", "-1");
    bad(() => gelu.createFfn({ ...fine, gated: 1 }), "bad-type", "gated", "1");
    bad(() => gelu.createFfn({ ...fine, activation: "gleu" }), "unknown-function", "gleu");
    bad(() => gelu.createFfn({ ...fine, activation: "silu", params: { k: 1 } }), "unknown-parameter", "beta");
    bad(() => gelu.createFfn({ ...fine, depth: 3 }), "unknown-option", "depth");
    bad(() => gelu.createFfn(), "bad-parameter", "d must");
    bad(() => gelu.createFfn(null), "bad-type", "null");
  });

  test("weights", () => {
    const w1 = new Float32Array(6);
    const create = (weights) => () => gelu.createFfn({ d: 2, hidden: 3, weights });
    bad(create({ w1 }), "bad-type", "weights.w2", "6", "undefined");
    bad(create({ w1, w2: new Float32Array(5) }), "bad-type", "weights.w2", "6", "5");
    bad(create({ w1, w2: new Float64Array(6) }), "bad-type", "weights.w2", "Float64Array");
    bad(create({ w1, w2: w1, v: w1 }), "unknown-option", '"v"');
    bad(create({ w1, w2: w1, b1: [1, 2, 3] }), "bad-type", "weights.b1", "an array");
    bad(create(7), "bad-type", "7");
  });

  test("calls", () => {
    withFfn({ d: 2, hidden: 3 }, (ffn) => {
      bad(() => ffn.forward(new Float32Array(4), 3), "bad-type", "6", "4");
      bad(() => ffn.forward([1, 2], 1), "bad-type", "Float32Array", "an array");
      bad(() => ffn.forward(new Float32Array(2), 0.5), "bad-parameter", "tokens", "0.5");
      ffn.forward(new Float32Array(4), 2);
      bad(() => ffn.backward(new Float32Array(2)), "bad-type", "dy", "4", "2");
      bad(() => ffn.backward(), "bad-type", "dy", "undefined");
    });
  });

  test("sizes without room", async () => {
    for (const size of [2 ** 16, 2 ** 26]) {
      bad(() => gelu.createFfn({ d: size, hidden: size }), "out-of-memory", `${4 * (2 * size * size + 2 * size)} bytes`);
    }
    bad(() => gelu.createFfn({ d: 1, hidden: 2 ** 31 - 1 }), "out-of-memory", "bytes");
    bad(() => gelu.createFfn({ d: 1, hidden: 2 ** 31 }), "bad-parameter", "2147483648", "2147483647");
    withFfn({ d: 1, hidden: 60000 }, (ffn) => {
      const x = Float32Array.of(0.5, -1);
      const y = ffn.forward(x, 2);
      bad(() => ffn.forward(new Float32Array(200000), 200000), "out-of-memory", "bytes");
      assert.throws(() => ffn.backward(new Float32Array(2)));
      assert.deepEqual(ffn.forward(x, 2), y, "usable after the error");
    });
  });
});

describe("memory", () => {
  const options = { d: 8, hidden: 32, gated: true };
  const x = drawn(1, 64 * 8);

  test("freeing twice is harmless, everything else throws afterwards", () => {
    const ffn = gelu.createFfn(options);
    ffn.forward(x, 64);
    ffn.free();
    ffn.free();
    const freed = (error) => error instanceof GeluError && error.code === "freed";
    assert.throws(() => ffn.forward(x, 64), freed);
    assert.throws(() => ffn.backward(x), freed);
    for (const name of ["weights", "gradients", "preActivations", "hiddenValues"]) assert.throws(() => ffn[name], freed, name);
  });

  test("1,000 rounds give everything back, errors included", async () => {
    const { gelu: own, used } = await loadWithMemory();
    const round = () => {
      withFfn(options, (ffn) => ffn.backward(ffn.forward(x, 64)), own);
      assert.throws(() => own.createFfn({ ...options, weights: {} }));
      assert.throws(() => own.createFfn({ d: 2 ** 15, hidden: 2 ** 16 }));
    };
    round();
    const before = used();
    for (let k = 0; k < 1000; k++) round();
    assert.deepEqual(used(), before);
  });

  test("results outlive the network and the growth of memory", async () => {
    const own = await loadGelu({ wasm: await readFile(new URL("../../dist/lib/gelu.wasm", import.meta.url)) });
    const first = own.createFfn(options);
    const y = first.forward(x, 64);
    const kept = y.slice();
    const large = own.createFfn({ d: 500, hidden: 2000 });
    const dx = first.backward(y);
    assert.deepEqual(first.forward(x, 64), kept);
    assert.deepEqual(y, kept);
    assert.equal(y.buffer.byteLength, y.byteLength, "a view of something larger");
    assert.equal(dx.length, y.length);
    large.free();
    first.free();
  });
});
