/** The kernels as a page and its workers start them: as wasm; where that does not start, the same in JavaScript. */
import { loadGelu } from "./kernels.js";
import { checkKernels } from "./selfcheck.js";

/**
 * @param {{ wasm: unknown, fallback: () => unknown }} source fallback: answers the kernels in JavaScript, or a promise of them
 * @param {typeof loadGelu} [load] of the library with the networks
 * @throws {Error} what neither could do, or what they compute wrongly
 */
export async function startKernels({ wasm, fallback }, load = loadGelu) {
  const gelu = await load({ wasm, fallback }).catch((error) => startInJavaScript(load, fallback, error));
  checkKernels(gelu);
  return gelu;
}

/**
 * No room for wasm memory, or bytes that came damaged: JavaScript needs neither.
 * @param {typeof loadGelu} load
 * @param {() => unknown} fallback
 * @param {any} reason
 */
async function startInJavaScript(load, fallback, reason) {
  try {
    return await load({ backend: "js", fallback });
  } catch (error) {
    const { message, code } = /** @type {{ message: string, code?: string }} */ (error);
    throw message === reason.message ? error : Object.assign(new Error(`${reason.message}; ${message}`), { code });
  }
}
