/** Memory in wasm: sizes that wrap around in 32 bits are refused, and so is every request for memory, one after the other. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { GeluError, loadGelu } from "../../dist/lib/gelu.js";

const TOO_LARGE = 7;
const WRAPS = 65536;

for (const file of ["gelu.wasm", "gelu-scalar.wasm"]) {
  describe(`sizes beyond 32 bits, ${file}`, async () => {
    const bytes = await readFile(new URL(`../../build/wasm/${file}`, import.meta.url));
    const { instance } = await WebAssembly.instantiate(bytes, { env: { emscripten_notify_memory_growth() {} } });
    const wasm = /** @type {any} */ (instance.exports);
    wasm._initialize?.();
    const p = wasm.malloc(1024);
    new Uint8Array(wasm.memory.buffer, p, 1024).fill(0);
    const memory = () => Buffer.from(wasm.memory.buffer.slice(0));

    /** The call is refused with this answer, and no byte of the memory is another. */
    const refused = (/** @type {string} */ name, /** @type {number} */ answer, /** @type {() => number} */ call) =>
      test(name, () => {
        const before = memory();
        assert.equal(call(), answer);
        // The stack below its pointer may hold anything.
        const changed = memory().findIndex((byte, i) => i >= p && byte !== before[i]);
        assert.equal(changed, -1);
      });

    // Products that are 0, 1 or small again in 32 bits.
    for (const [a, b] of [
      [WRAPS, WRAPS],
      [0x80000000, 2],
      [0xffffffff, 0xffffffff],
      [0x55555556, 3],
      [0x40000001, 4],
    ]) {
      refused(`ffn workspace ${a} × ${b}`, Infinity, () => wasm.gelu_ffn_workspace(a, b, 1, 0, 1));
      refused(`ffn weights ${a} × ${b}`, TOO_LARGE, () => wasm.gelu_ffn_initialise(a, b, 0, 1, p));
      refused(`ffn forward ${a} × ${b}`, TOO_LARGE, () => wasm.gelu_ffn_forward(1, a, b, 0, 0, 0, p, p, p, p, p));
      refused(`ffn forward, gated, ${a} tokens × ${b}`, TOO_LARGE, () => wasm.gelu_ffn_forward(a, 1, b, 1, 0, 0, p, p, p, p, p));
      refused(`ffn backward ${a} × ${b}`, TOO_LARGE, () => wasm.gelu_ffn_backward(a, b, 1, 0, 0, 0, p, p, p, p, p, p, p));
      refused(`depth workspace ${a} × ${b}`, Infinity, () => wasm.gelu_depth_workspace(1, a, b, 1));
      refused(`depth ${a} × ${b}`, TOO_LARGE, () => wasm.gelu_depth(1, a, b, 1, 1, 1, 1, 0, 0, p, p, p));
    }

    for (const place of [0, 2, 3, 4, 5]) {
      refused(`training, option ${place}`, TOO_LARGE, () => {
        const options = new Float64Array(wasm.memory.buffer, p, 14);
        const given = [2, 2, 2, 2, 1, 2, 1, 1, 1, 0.1, 0.9, 0, 1, 1];
        given[place] = 2 ** 30;
        options.set(given);
        assert.equal(wasm.gelu_train_bytes(p, 2), Infinity);
        const status = wasm.gelu_train_start(p + 512, p, 0, 0, p, p, 2, 0, 0, 0);
        options.fill(0);
        return status;
      });
    }
  });
}

/** The library with an allocator that keeps count and, where told, refuses one request. */
async function loadWithAllocator() {
  const held = new Set();
  const allocator = { asked: 0, refuses: 0, held };
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = /** @type {any} */ (
    async (/** @type {any} */ bytes, /** @type {any} */ imports) => {
      const result = /** @type {any} */ (await instantiate(bytes, imports));
      const exports = { ...(result.instance ?? result).exports };
      const { malloc, free } = exports;
      exports.malloc = (/** @type {number} */ size) => {
        const pointer = ++allocator.asked === allocator.refuses ? 0 : malloc(size);
        if (pointer !== 0) held.add(pointer);
        return pointer;
      };
      exports.free = (/** @type {number} */ pointer) => {
        if (pointer !== 0) assert.ok(held.delete(pointer), `freed what was not held: ${pointer}`);
        free(pointer);
      };
      return { instance: { exports } };
    }
  );
  try {
    return { gelu: await loadGelu(), allocator };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

const x = Float32Array.of(1, -2, 3, 0.5, -0.25, 2);
const data = { x, y: Int32Array.of(0, 1, 1), classes: 2, d: 3, hidden: 4, blocks: 1, activation: "gelu", batch: 2, seed: 1 };

/** Each answers what can be compared. @type {Record<string, (gelu: any) => unknown>} */
const TASKS = {
  "evaluate float32": (gelu) => gelu.evaluate("gelu", x),
  "evaluate float64": (gelu) => gelu.evaluate("gelu_tanh", Float64Array.from(x), { order: 1 }),
  maxError: (gelu) => gelu.maxError("gelu_tanh", "gelu", { from: -4, to: 4 }),
  bestFit: (gelu) => gelu.bestFit("gelu_sigmoid", { reference: "gelu", from: -4, to: 4, vary: ["k"] }),
  round: (gelu) => gelu.round(Float64Array.from(x), "float16"),
  emulate: (gelu) => gelu.emulate("tanh", Float64Array.from(x), "float16"),
  random: (gelu) => {
    const random = gelu.random(1);
    try {
      return [random.uniform(3), random.normal(3)];
    } finally {
      random.free();
    }
  },
  benchmark: (gelu) => typeof gelu.benchmark("gelu", { n: 10, repeats: 1 }),
  propagate: (gelu) => gelu.propagate({ layers: 2, width: 4, activation: "gelu", gain: 1, seed: 1, samples: 2 }),
  ffn: (gelu) => {
    const network = gelu.createFfn({ d: 2, hidden: 3, activation: "gelu", gated: true, seed: 1 });
    try {
      return [network.forward(x, 3), network.backward(x), network.gradients, network.preActivations];
    } finally {
      network.free();
    }
  },
  training: (gelu) => {
    const trainer = gelu.createTrainer(data);
    try {
      return [trainer.step(2), { ...trainer.epoch(), ms: 0 }];
    } finally {
      trainer.free();
    }
  },
};

describe("each request for memory refused in turn", () => {
  for (const [name, task] of Object.entries(TASKS)) {
    test(name, async () => {
      const { gelu, allocator } = await loadWithAllocator();
      const run = (/** @type {number} */ refuses) => {
        allocator.asked = 0;
        allocator.refuses = refuses;
        return task(gelu);
      };
      const want = run(0);
      const requests = allocator.asked;
      assert.ok(requests > 0);
      assert.equal(allocator.held.size, 0, "held after success");
      for (let k = 1; k <= requests; k++) {
        assert.throws(
          () => run(k),
          (/** @type {any} */ error) => error instanceof GeluError && error.code === "out-of-memory",
          `request ${k} of ${requests}`,
        );
        assert.equal(allocator.held.size, 0, `held after request ${k} of ${requests} failed`);
        assert.deepEqual(run(0), want, `after request ${k} of ${requests} failed`);
      }
    });
  }
});
