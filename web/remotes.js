/** Where networks are trained: workers, and the page's own thread where none starts. */
import { createHost } from "./host.js";

/** @typedef {import("./networks.js").Remote} Remote */

/** A worker that says nothing for so long after its start is none, in milliseconds. */
const START_LIMIT = 5000;
/** So often a worker that owes an answer is looked at, in milliseconds, and after so many looks it has died. */
const LOOK = 1000;
const MOST_LOOKS = 120;

/**
 * Those that start; an error where none does.
 * @param {number} count
 * @param {string} source
 * @param {ArrayBuffer} wasm
 */
export async function startWorkers(count, source, wasm) {
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
export function localRemote(gelu) {
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
