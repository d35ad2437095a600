/** The types of the package as a program in TypeScript meets them. Only compiled, by tests/node/package.test.mjs. */

import { type Backend, type CatalogueEntry, type Gelu, GeluError, loadGelu, type Trainer } from "gelu-lab";
import start from "gelu-lab/gelu-fallback.js";

const gelu: Gelu = await loadGelu();
const inJavaScript: Gelu = await loadGelu({ backend: "js", fallback: async () => start });
await loadGelu({ wasm: fetch("gelu.wasm"), fallback: () => start });
await loadGelu({ wasm: new Uint8Array(8), backend: "wasm-simd" });
const backend: Backend = inJavaScript.backend;

const singles: Float32Array = gelu.evaluate("gelu", Float32Array.of(1));
const doubles: Float64Array = gelu.evaluate("gelu_tanh", Float64Array.of(1), { order: 2, params: { cubic: 0.04 } });
const { error, at, rms } = gelu.maxError("gelu_tanh", "gelu", { from: -4, to: 4, relative: true });
const k: number = gelu.bestFit("gelu_sigmoid", { reference: "gelu", vary: ["k"] }).params.k;
const entry: CatalogueEntry | undefined = gelu.catalogue.find(({ id }) => id === "silu");
const half: Float64Array = gelu.round(Float64Array.of(0.1), "float16");

const trainer: Trainer = gelu.createTrainer({ x: new Float32Array(4), y: [0, 1], classes: 2, activation: "gelu" });
const norms: Float64Array | undefined = trainer.epoch()?.gradientNorm;
trainer.free();

try {
  gelu.random(-1);
} catch (problem) {
  if (problem instanceof GeluError && problem.code === "bad-parameter") console.log(problem.message);
}
console.log(backend, singles, doubles, error, at, rms, k, entry?.parameters[0].name, half, norms);

// @ts-expect-error: no such function
gelu.evaluate("gelo", singles);
// @ts-expect-error: an array of numbers is no typed array
gelu.evaluate("gelu", [1, 2]);
// @ts-expect-error: there is no third derivative
gelu.evaluate("gelu", singles, { order: 3 });
// @ts-expect-error: no such backend
loadGelu({ backend: "webgpu" });
// @ts-expect-error: what comes out is what went in, here float32
const wrong: Float64Array = gelu.evaluate("gelu", singles);
console.log(wrong);
