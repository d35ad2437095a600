/** What Chromium runs: the same contestants, the same measuring. Bundled by chromium.mjs. */
import "@tensorflow/tfjs-core/dist/register_all_gradients.js";
import { loadGelu } from "../../dist/lib/gelu.js";
import { everyone } from "./contestants.js";
import { inputsOf } from "./inputs.js";
import { measure } from "./measure.js";

const bytes = async (/** @type {string} */ name) => (await fetch(`${name}.wasm`)).arrayBuffer();

globalThis.measureAll = async (options) => {
  // Without isolation the clock ticks in tenths of a millisecond.
  if (!globalThis.crossOriginIsolated) throw new Error("the page is not isolated");
  const gelu = await loadGelu({ wasm: bytes("gelu") });
  const contestants = await everyone(gelu, {
    wasm: bytes,
    tfjs: "./",
    onnxruntime: new URL("ort-wasm-simd-threaded.wasm", location.href).href,
  });
  return measure(contestants, { ...options, inputs: inputsOf(gelu) });
};
