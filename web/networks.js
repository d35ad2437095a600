/** The kernels for networks, which a page loads when something is to be trained or sent through layers. */
import { createHost } from "./host.js";
import { unpack } from "./packing.js";
import { loadPart } from "./parts.js";

/**
 * @typedef {import("./host.js").Call} Call
 * @typedef {{
 *   call: (object: number, method: string, ...args: unknown[]) => Promise<any>, isLocal: boolean, end: () => void,
 * }} Remote calls the library somewhere (host.js says how); isLocal: on the page's own thread, so that calls must be short;
 *   end: stops it and everything that it holds, at once
 * @typedef {{ gelu: import("./kernels.js").Gelu, remotes: (count: number) => Promise<Remote[]> }} Networks
 *   remotes: as many workers as asked for and as there are processors; one on the page's thread where none starts
 */

/** A worker that says nothing for so long is none. */
const START_LIMIT = 5000;

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
  const gelu = await part.loadGelu({ wasm, fallback: () => loadPart("fallback") });
  let source = part.worker;
  if (gelu.backend === "js") source = await withFallback(source);

  /** @param {number} count */
  async function remotes(count) {
    const most = Math.max(1, Math.min(count, navigator.hardwareConcurrency || 1));
    const start = () => Promise.all(Array.from({ length: most }, () => startWorker(source, wasm)));
    try {
      return await start().catch(async (error) => {
        if (error.code !== "refused") throw error;
        source = await withFallback(part.worker);
        return start();
      });
    } catch {
      return [localRemote(gelu)];
    }
  }

  return { gelu, remotes };
}

/** A worker's source with the kernels in JavaScript before it. @param {string} source */
const withFallback = async (source) => `geluFallback=${await loadPart("fallback")};${source}`;

/**
 * @param {string} source
 * @param {ArrayBuffer} wasm
 * @returns {Promise<Remote>}
 */
async function startWorker(source, wasm) {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(address);
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const open = new Map();
  let next = 0;

  const send = (/** @type {Record<string, unknown>} */ message) =>
    new Promise((resolve, reject) => {
      open.set(next, { resolve, reject });
      worker.postMessage({ id: next++, ...message });
    });

  function failAll(/** @type {Error} */ error) {
    for (const { reject } of open.values()) reject(error);
    open.clear();
  }

  worker.onmessage = ({ data: { id, result, error } }) => {
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(Object.assign(new Error(error.message), { code: error.code }));
  };
  worker.onerror = (event) => failAll(new Error(event.message || "a worker did not start"));

  const timer = setTimeout(() => failAll(new Error("a worker did not start")), START_LIMIT);
  try {
    await send({ wasm });
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    clearTimeout(timer);
    URL.revokeObjectURL(address);
  }
  return {
    call: (object, method, ...args) => send({ object, method, args }),
    isLocal: false,
    end() {
      worker.terminate();
      open.clear();
    },
  };
}

/**
 * @param {import("./kernels.js").Gelu} gelu
 * @returns {Remote}
 */
function localRemote(gelu) {
  const host = createHost(gelu);
  /** @type {Set<number>} */
  const held = new Set();
  return {
    // Between two calls the page gets its turn.
    call: (object, method, ...args) =>
      new Promise((resolve, reject) =>
        setTimeout(() => {
          try {
            const result = host({ object, method, args });
            if (method.startsWith("create") || method === "random") held.add(/** @type {number} */ (result));
            if (method === "free") held.delete(object);
            resolve(result);
          } catch (error) {
            reject(error);
          }
        }),
      ),
    isLocal: true,
    end() {
      for (const object of held) host({ object, method: "free", args: [] });
      held.clear();
    },
  };
}
