/** The library over each build of the kernels that must give the native bits. */
import { readFile } from "node:fs/promises";
import { loadGelu } from "../../dist/lib/gelu.js";

const fromWasm = (name) => async () =>
  loadGelu({ wasm: await readFile(new URL(`../../build/wasm/${name}`, import.meta.url)), backend: "wasm-simd" });

export const BUILDS = new Map([
  ["gelu.wasm", fromWasm("gelu.wasm")],
  ["gelu-scalar.wasm", fromWasm("gelu-scalar.wasm")],
  ["gelu-fallback.js", () => loadGelu({ backend: "js" })],
]);
