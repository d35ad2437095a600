/** Wires the page; nothing else does. */
import deflatedWasm from "virtual:kernels";
import { drawLines } from "./chart.js";
import { loadGelu } from "./kernels.js";

async function inflate(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
}

inflate(deflatedWasm).then(async (wasm) => {
  const kernels = await loadGelu({ wasm });
  document.documentElement.dataset.backend = kernels.backend;
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("figure[data-figure=curves]"))) {
    const xs = Float64Array.from({ length: 501 }, (_, i) => -5 + i / 50);
    const style = getComputedStyle(document.documentElement);
    const series = ["gelu", "relu", "sigmoid"].map((id) => ({
      xs,
      ys: kernels.evaluate(id, xs),
      color: style.getPropertyValue(`--fn-${id}`),
    }));
    drawLines(/** @type {HTMLCanvasElement} */ (figure.querySelector("canvas")), series);
    figure.dataset.state = "ready";
  }
});
