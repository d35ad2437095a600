/** Searches for the best parameters, called through the library's host: in a worker, or in slices between two frames of the page. */
import { createCrew } from "../../crew.js";
import { createHost } from "../../host.js";

/**
 * @typedef {import("../../gelu.d.ts").FitProgress} FitProgress
 * @typedef {import("../../networks.js").Remote} Remote
 * @typedef {Pick<Remote, "call" | "isLocal">} Place where the steps are taken
 * @typedef {{
 *   id: string, options: import("../../gelu.d.ts").FitOptions, frames: number, isWanted: () => boolean,
 *   show: (result: FitProgress) => void,
 * }} Search frames: over how many its grid is spread, if the machine is fast enough; isWanted: asked before each step and
 *   before each showing
 */

/** Milliseconds of a frame that a search on the page's own thread may take: the page stays at hand. */
const SLICE = 6;
/** A worker that takes longer to come is for the next search; for one that takes longer to answer nobody waits. */
const PATIENCE = 3000;
/** A worker that has nothing to do is ended after this. */
const IDLE = 5000;

/** @param {Pick<import("../../components/figure.js").Dependencies, "gelu" | "networks">} deps */
export function createSearcher({ gelu, networks }) {
  const host = createHost(gelu);
  /** @type {Place} */
  const page = { call: async (object, method, ...args) => /** @type {any} */ (host({ object, method, args })), isLocal: true };
  /** One for all searches. */
  const crew = createCrew(networks, 1);
  let open = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let idle;

  /** @param {Search} search */
  async function inWorker(search) {
    /** @type {Remote} */
    let remote;
    try {
      [remote] = await within(PATIENCE, crew.gather());
    } catch {
      return false;
    }
    if (remote.isLocal) return false;
    try {
      await follow({ call: (...args) => within(PATIENCE, remote.call(...args)), isLocal: false }, search);
      return true;
    } catch {
      // What ails the search and not the worker will be said by the page, which begins it again.
      crew.dismiss();
      return false;
    }
  }

  return {
    /**
     * Ends with the search, or soon after it is no longer wanted.
     * @param {Search} search
     */
    async run(search) {
      clearTimeout(idle);
      open += 1;
      try {
        if (!(await inWorker(search))) await follow(page, search);
      } finally {
        open -= 1;
        if (open === 0) idle = setTimeout(crew.dismiss, IDLE);
      }
    },
  };
}

/**
 * @param {Place} place
 * @param {Search} search
 */
async function follow({ call, isLocal }, { id, options, frames, isWanted, show }) {
  if (!isWanted()) return;
  const object = await call(0, "createFit", id, options);
  const step = isLocal ? stepInSlice : (/** @type {number} */ n) => call(object, "step", n);
  try {
    let n = 1;
    while (isWanted()) {
      const result = await step(n);
      if (!isWanted()) return;
      show(result);
      if (result.done) return;
      n = Math.ceil(result.gridSteps / frames);
      await new Promise(requestAnimationFrame);
    }
  } finally {
    call(object, "free").catch(() => {});
  }

  /** @param {number} most @returns {Promise<FitProgress>} */
  async function stepInSlice(most) {
    const started = performance.now();
    let result = await call(object, "step", 1);
    for (let n = 1; n < most && !result.done && performance.now() - started < SLICE; n++) result = await call(object, "step", 1);
    return result;
  }
}

/**
 * @template T
 * @param {number} limit milliseconds
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function within(limit, promise) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no answer")), limit);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
