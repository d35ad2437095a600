/** The library over each build of the kernels, all of which must give the native bits. */
import { readFile } from "node:fs/promises";
import { loadGelu } from "../../dist/lib/gelu.js";

const fromWasm = (name) => async () =>
  loadGelu({ wasm: await readFile(new URL(`../../build/wasm/${name}`, import.meta.url)), backend: "wasm-simd" });

/** Those that have everything. */
export const BUILDS = new Map([
  ["gelu.wasm", fromWasm("gelu.wasm")],
  ["gelu-scalar.wasm", fromWasm("gelu-scalar.wasm")],
  ["gelu-fallback.js", () => loadGelu({ backend: "js" })],
]);

/** With what a page begins with, which is without training and depth. */
export const ALL_BUILDS = new Map([...BUILDS, ["gelu-page.wasm", fromWasm("gelu-page.wasm")]]);
