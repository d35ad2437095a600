/** The kernels for networks, which a page loads when something is to be trained or sent through layers. */
import { createHost } from "./host.js";
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

/** A worker that says nothing for so long after its start is none, in milliseconds. */
const START_LIMIT = 5000;
/** So often a worker that owes an answer is looked at, in milliseconds, and after so many looks it has died. */
const LOOK = 1000;
const MOST_LOOKS = 120;

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
    const start = () => startWorkers(most, source, wasm);
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
 * Those that start; an error where none does.
 * @param {number} count
 * @param {string} source
 * @param {ArrayBuffer} wasm
 */
async function startWorkers(count, source, wasm) {
  const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const starts = await Promise.allSettled(Array.from({ length: count }, () => startWorker(address, wasm)));
  URL.revokeObjectURL(address);
  const started = starts.flatMap((start) => (start.status === "fulfilled" ? start.value : []));
  if (started.length === 0) throw /** @type {PromiseRejectedResult} */ (starts[0]).reason;
  return started;
}

/**
 * @param {string} address of the source
 * @param {ArrayBuffer} wasm
 * @returns {Promise<Remote>}
 */
async function startWorker(address, wasm) {
  const worker = new Worker(address);
  const life = `gelu-worker-${Math.random()}`;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const open = new Map();
  let next = 0;
  let looks = 0;
  let looking = 0;
  let isHeld = false;
  /** @type {Error | null} */
  let death = null;

  const send = (/** @type {Record<string, unknown>} */ message) =>
    new Promise((resolve, reject) => {
      if (death !== null) return reject(death);
      open.set(next, { resolve, reject });
      worker.postMessage({ id: next++, ...message });
      if (looking === 0 && !isHeld) look();
    });

  /** Where no lock tells that a worker has died: one that owes an answer for too long has. */
  function look() {
    looking = 0;
    if (open.size === 0 || isHeld) return;
    if (!document.hidden) looks += 1;
    if (looks > MOST_LOOKS) return die("a worker no longer answers");
    looking = window.setTimeout(look, LOOK);
  }

  function die(/** @type {string} */ reason) {
    death ??= new Error(reason);
    close();
    for (const { reject } of open.values()) reject(death);
    open.clear();
  }

  const awaitDeath = async () => navigator.locks.request(life, () => die("a worker has died"));

  function close() {
    clearTimeout(looking);
    looking = 0;
    worker.terminate();
  }

  worker.onmessage = ({ data: { id, result, error } }) => {
    looks = 0;
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(Object.assign(new Error(error.message), { code: error.code }));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    die(event.message || "a worker did not start");
  };

  const timer = setTimeout(die, START_LIMIT, "a worker did not start");
  try {
    isHeld = await send({ wasm, life });
    if (isHeld)
      awaitDeath().catch(() => {
        isHeld = false;
      });
  } catch (error) {
    close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return {
    call: (object, method, ...args) => send({ object, method, args }),
    isLocal: false,
    end() {
      death ??= new Error("a worker was sent away");
      close();
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
