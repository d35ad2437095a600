/** Kernels in wasm with their buffers in wasm memory: the same harness for our own raw exports and for C over musl. */
import { timed } from "./measure.js";

/** @param {BufferSource} bytes @returns {Promise<Record<string, any>>} the exports */
export async function instantiate(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes, { env: { emscripten_notify_memory_growth() {} } });
  const exports = /** @type {any} */ (instance.exports);
  exports._initialize?.();
  return exports;
}

/**
 * Puts xs into wasm memory beside room for `results` arrays of its length.
 * @param {Record<string, any>} exports
 * @param {Float32Array | Float64Array} xs
 * @param {number} results
 * @returns {{ x: number, ys: number[], free: () => void }} offsets
 */
export function putInto(exports, xs, results) {
  // A multiple of 16, as vectors like it.
  const bytes = 16 * Math.ceil(xs.byteLength / 16);
  const x = exports.malloc(bytes * (1 + results));
  if (x === 0) throw new Error(`no room for ${xs.length} numbers in wasm memory`);
  const View = /** @type {any} */ (xs.constructor);
  new View(exports.memory.buffer, x, xs.length).set(xs);
  return { x, ys: Array.from({ length: results }, (_, i) => x + bytes * (i + 1)), free: () => exports.free(x) };
}

/**
 * @param {Record<string, any>} exports
 * @param {Float32Array | Float64Array} xs
 * @param {number} results
 * @param {(x: number, ys: number[], n: number) => void} run one pass
 * @returns {import("./measure.js").Runner}
 */
export function kernelRunner(exports, xs, results, run) {
  const { x, ys, free } = putInto(exports, xs, results);
  return { sample: timed(() => run(x, ys, xs.length)), free };
}
