/**
 * The kernels in JavaScript: taken where wasm or its SIMD is refused, not else, and the same as wasm in every call.
 * (Their bits are compared with the native ones in parity, random and trainer.)
 */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { GeluError, loadGelu } from "../../dist/lib/gelu.js";
import start from "../../dist/lib/gelu-fallback.js";

const wasm = await loadGelu({ backend: "wasm-simd" });
const js = await loadGelu({ backend: "js" });
const refusal = (code, word) => (error) => error instanceof GeluError && error.code === code && error.message.includes(word);

/** The bits of whatever a call has answered, one NaN for all. */
function bits(value) {
  if (ArrayBuffer.isView(value)) {
    const copy = value.slice();
    copy.forEach((number, i) => {
      if (Number.isNaN(number)) copy[i] = Number.NaN;
    });
    return [value.constructor.name, Buffer.from(copy.buffer).toString("hex")];
  }
  if (typeof value === "number") return bits(Float64Array.of(value));
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .filter(([key]) => key !== "ms")
    .map(([key, part]) => [key, bits(part)]);
}

/** @param {(gelu: import("../../web/kernels.js").Gelu) => unknown} call */
const same = (call, label) => assert.deepEqual(bits(call(js)), bits(call(wasm)), label);

describe("which kernels run", () => {
  /** Replaces globalThis.WebAssembly, or what it can do, while `use` runs. */
  async function under(webAssembly, use) {
    const own = globalThis.WebAssembly;
    globalThis.WebAssembly = webAssembly;
    try {
      await use();
    } finally {
      globalThis.WebAssembly = own;
    }
  }

  const { WebAssembly } = globalThis;
  const forbid = () => {
    throw new WebAssembly.CompileError("WebAssembly.Module(): blocked by Content Security Policy");
  };
  const REFUSALS = {
    "no WebAssembly": undefined,
    "a policy": { ...WebAssembly, validate: WebAssembly.validate, Module: forbid, compile: forbid, instantiate: forbid },
    "no SIMD by validate": { ...WebAssembly, validate: () => false, Module: WebAssembly.Module },
    "no SIMD": {
      validate: (bytes) => !bytes.includes(0xfd) && WebAssembly.validate(bytes),
      Module: class {
        constructor(bytes) {
          if (bytes.includes(0xfd)) throw new WebAssembly.CompileError("invalid opcode 0xfd");
        }
      },
    },
  };

  for (const [reason, webAssembly] of Object.entries(REFUSALS)) {
    test(`${reason}: JavaScript`, () =>
      under(webAssembly, async () => {
        const own = await loadGelu();
        assert.equal(own.backend, "js");
        assert.deepEqual(own.evaluate("gelu", Float64Array.of(2, -40)), Float64Array.of(1.9544997361036416, -0));
        await assert.rejects(() => loadGelu({ backend: "wasm-simd" }), refusal("refused", "WebAssembly"));
      }));
  }

  test("wasm where it runs, and JavaScript for who asks", async () => {
    let asked = 0;
    const fallback = () => {
      asked++;
      return start;
    };
    assert.equal((await loadGelu({ fallback })).backend, "wasm-simd");
    assert.equal(asked, 0, "the fallback was loaded for nothing");
    assert.equal((await loadGelu({ fallback, backend: "js" })).backend, "js");
    assert.equal(asked, 1);
  });

  test("a file that is no wasm is an error, not a reason to be slow", () =>
    assert.rejects(() => loadGelu({ wasm: Uint8Array.of(0, 97, 115, 109, 9) }), refusal("load-failed", "could not be started")));

  test("what is wrong with the fallback is told", async () => {
    const failing = () => Promise.reject(new Error("no network"));
    await assert.rejects(() => loadGelu({ backend: "js", fallback: failing }), refusal("load-failed", "no network"));
    await assert.rejects(() => loadGelu({ fallback: "gelu-fallback.js" }), refusal("bad-type", '"gelu-fallback.js"'));
  });
});

describe("the same as wasm", () => {
  const ids = wasm.catalogue.map(({ id }) => id);
  const random = (seed, n) =>
    wasm
      .random(seed)
      .normal(n)
      .map((value) => 3 * value);

  test("the catalogue, the version, the faces of both", () => {
    assert.deepEqual(js.catalogue, wasm.catalogue);
    assert.equal(js.version, wasm.version);
    assert.equal(js.backend, "js");
    assert.equal(wasm.backend, "wasm-simd");
  });

  test("NaN stays NaN, and every other special value has its bits", () => {
    const xs = Float64Array.of(Number.NaN, -Number.NaN, Infinity, -Infinity, 0, -0, 5e-324, -5e-324, 1e300, -1e300, -38.5);
    for (const id of ids)
      for (const order of [0, 1, 2]) {
        for (const input of [xs, Float32Array.from(xs)]) same((gelu) => gelu.evaluate(id, input, { order }), `${id} ${order}`);
        assert.ok(Number.isNaN(js.evaluate(id, xs, { order })[0]));
      }
  });

  test("every length up to 40, in place and out of place, fast and not", () => {
    for (let n = 0; n <= 40; n++) {
      const xs = Float32Array.from(random(n + 1, n));
      for (const accuracy of ["default", "fast"]) {
        same((gelu) => gelu.evaluate("gelu_tanh", xs, { accuracy }), `${n} ${accuracy}`);
        same((gelu) => {
          const own = xs.slice();
          return gelu.evaluate("silu", own, { accuracy, out: own });
        }, `${n} ${accuracy} in place`);
      }
    }
  });

  test("errors, fits, half formats, formulas, deep stacks", () => {
    const xs = random(7, 4096);
    for (const id of ids) same((gelu) => gelu.maxError(id, "gelu", { from: -6, to: 6 }), `maxError ${id}`);
    same((gelu) => gelu.maxError("gelu_tanh", "gelu", { from: -4, to: 4, order: 1, relative: true }));
    same((gelu) => gelu.bestFit("gelu_sigmoid", { reference: "gelu", vary: ["k"] }));
    for (const format of ["float16", "bfloat16"]) {
      same((gelu) => gelu.round(xs, format), format);
      for (const form of ["erf", "erfc", "tanh", "sigmoid"]) same((gelu) => gelu.emulate(form, xs, format), `${form} ${format}`);
    }
    same((gelu) => gelu.propagate({ layers: 6, width: 48, activation: "gelu", gain: "unit", samples: 4, seed: 2 }));
  });

  test("the errors of the arguments", () => {
    for (const call of [
      (gelu) => gelu.evaluate("gelo", new Float32Array(1)),
      (gelu) => gelu.evaluate("gelu", [1]),
      (gelu) => gelu.evaluate("silu", new Float32Array(1), { params: { beta: Infinity } }),
      (gelu) => gelu.maxError("gelu", "relu", { from: 1, to: 1 }),
      (gelu) => gelu.createFfn({ d: 0, hidden: 4 }),
    ]) {
      const messages = [js, wasm].map((gelu) => {
        try {
          call(gelu);
        } catch (error) {
          return `${error.code}: ${error.message}`;
        }
        return "no error";
      });
      assert.equal(messages[0], messages[1]);
      assert.notEqual(messages[0], "no error");
    }
  });
});

describe("memory", () => {
  /** The kernels with their exports in sight. */
  async function loadInSight() {
    let exports;
    const fallback = () => (imports) => {
      exports = start(imports);
      return exports;
    };
    return { gelu: await loadGelu({ backend: "js", fallback }), exports };
  }

  test("grows, and what is there stays", async () => {
    const { gelu, exports } = await loadInSight();
    const ffn = gelu.createFfn({ d: 8, hidden: 16, seed: 3 });
    const before = bits(ffn.weights);
    const size = exports.memory.buffer.byteLength;
    const large = gelu.createFfn({ d: 512, hidden: 1024, seed: 3 });
    assert.ok(exports.memory.buffer.byteLength > size, "nothing grew, so nothing was tested");
    assert.deepEqual(bits(ffn.weights), before);
    const [own, other] = [large, wasm.createFfn({ d: 512, hidden: 1024, seed: 3 })];
    const x = wasm.random(1).normal(512);
    assert.deepEqual(bits(own.forward(Float32Array.from(x), 1)), bits(other.forward(Float32Array.from(x), 1)));
    for (const each of [ffn, large, other]) each.free();
  });

  test("is given back: a thousand networks take the room of one", async () => {
    const { gelu, exports } = await loadInSight();
    gelu.createFfn({ d: 32, hidden: 64 }).free();
    const size = exports.memory.buffer.byteLength;
    for (let i = 0; i < 1000; i++) gelu.createFfn({ d: 32, hidden: 64 }).free();
    assert.equal(exports.memory.buffer.byteLength, size);
  });

  test("a size without room is an error in words, and nothing is lost by it", async () => {
    const { gelu } = await loadInSight();
    for (const d of [16000, 30000]) {
      // With 16,000 it is what JavaScript refuses or the end of 32 bits, with 30,000 more than any block has.
      assert.throws(() => gelu.createFfn({ d, hidden: 40000 }), refusal("out-of-memory", "no room for"));
    }
    assert.equal(gelu.evaluate("gelu", Float64Array.of(2))[0], 1.9544997361036416);
  });

  test("each has its own", async () => {
    const [one, two] = await Promise.all([loadInSight(), loadInSight()]);
    assert.notEqual(one.exports.memory.buffer, two.exports.memory.buffer);
    const source = one.gelu.random(1);
    two.gelu.random(2).normal(100);
    assert.deepEqual(source.normal(3), wasm.random(1).normal(3));
  });
});

test("it exports what c_src/exports.txt lists, and asks for nothing but word of memory growth", async () => {
  const listed = (await readFile(new URL("../../c_src/exports.txt", import.meta.url), "utf8")).trimEnd().split("\n");
  const names = new Set();
  const imports = new Proxy(
    {},
    {
      get: (_, name) => {
        names.add(name);
        return () => {};
      },
    },
  );
  const exports = start(imports);
  for (const line of listed) assert.equal(typeof exports[line.slice(1)], "function", line);
  assert.deepEqual(
    [...names].filter((name) => !["emscripten_notify_memory_growth", "abort", "env"].includes(name)),
    [],
  );
});

test("no evaluation of text, so no policy but the one against inline scripts can refuse it", async () => {
  const text = await readFile(new URL("../../dist/lib/gelu-fallback.js", import.meta.url), "utf8");
  assert.doesNotMatch(text, /\beval\(|\bFunction\(|WebAssembly|\bimport\b/);
});
