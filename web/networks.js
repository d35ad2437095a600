/** The kernels for networks, which a page loads when something is to be trained or sent through layers. */
import { unpack } from "./packing.js";
import { loadPart } from "./parts.js";
import { startKernels } from "./startkernels.js";

/**
 * @typedef {import("./host.js").Call} Call
 * @typedef {{
 *   call: (object: number, method: string, ...args: unknown[]) => Promise<any>, isLocal: boolean, end: () => void,
 * }} Remote calls the library somewhere (host.js says how), and fails where that has died; isLocal: on the page's own thread, so that calls must be short;
 *   end: stops it and everything that it holds, at once
 * @typedef {{ gelu: import("./kernels.js").Gelu, remotes: (count: number) => Promise<Remote[]> }} Networks
 *   remotes: as many workers as asked for and as there are processors; one on the page's thread where none starts
 */

/** @type {Promise<Networks> | null} */
let loading = null;

/**
 * @param {string} pageKernels packed
 * @returns {Promise<Networks>} the same each time
 */
export function loadNetworks(pageKernels) {
  loading ??= load(pageKernels);
  loading.catch(() => {
    loading = null;
  });
  return loading;
}

/** @param {string} pageKernels */
async function load(pageKernels) {
  const part = await loadPart("networks");
  const { buffer: wasm } = unpack(part.kernels ?? pageKernels);
  const gelu = await startKernels({ wasm, fallback: () => loadPart("fallback") }, part.loadGelu);
  let source = part.worker;
  if (gelu.backend === "js") source = await withFallback(source);

  /** @param {number} count */
  async function remotes(count) {
    const most = Math.max(1, Math.min(count, navigator.hardwareConcurrency || 1));
    const start = () => part.startWorkers(most, source, wasm);
    try {
      return await start().catch(async (error) => {
        if (error.code !== "refused") throw error;
        source = await withFallback(part.worker);
        return start();
      });
    } catch {
      return [part.localRemote(gelu)];
    }
  }

  return { gelu, remotes };
}

/** A worker's source with the kernels in JavaScript before it. @param {string} source */
const withFallback = async (source) => `geluFallback=${await loadPart("fallback")};${source}`;
