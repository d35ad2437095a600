/**
 * Training runs of several functions with several seeds, side by side: the only place that orders steps and epochs.
 * It does not know where the library is: a remote may be a worker or the page itself (networks.js).
 */
import { curveOf, stepsPerEpoch } from "./curve.js";

/**
 * @typedef {import("./curve.js").Network} Network
 * @typedef {import("./curve.js").Entrant} Entrant
 * @typedef {import("./curve.js").Plan} Plan
 * @typedef {import("./curve.js").SeedRun} SeedRun
 * @typedef {import("../../networks.js").Remote} Remote
 * @typedef {import("../../data/digits.js").Digits} Digits
 */

/** The width of the network. */
export const WIDTH = 64;

/** Where the page's own thread computes, a call may take so long, in milliseconds. */
const SLICE = 5;

/**
 * What createTrainer takes.
 * @param {Network} network
 * @param {Entrant} entrant
 * @param {number} seed
 * @param {Digits} digits
 */
export const trainerOptions = (network, { fn, params }, seed, digits) => ({
  ...digits,
  ...network,
  d: WIDTH,
  activation: /** @type {import("../../gelu.d.ts").FunctionId} */ (fn),
  params,
  seed,
});

/**
 * @typedef {SeedRun & {
 *   entrant: Entrant, seed: number, remote: Remote, object: number | null, step: number, stepMs: number, pace: number,
 * }} Job object: the trainer there; step: done; stepMs: spent on the steps of this epoch; pace: milliseconds a step, 0: unknown
 */

/**
 * Starts nothing until `go`.
 * @param {{ network: Network, digits: Digits, remotes: Remote[], changed: () => void, fail: (error: unknown) => void }} deps
 *   changed: a seed has come an epoch further, or stops here
 * @param {Plan} firstPlan
 */
export function createRun({ network, digits, remotes, changed, fail }, firstPlan) {
  const steps = stepsPerEpoch(digits.y.length, network.batch);
  /** @type {Map<string, Job>} */
  const jobs = new Map();
  /** @type {Set<Remote>} */
  const busy = new Set();
  let plan = firstPlan;
  let target = -1;
  let ended = false;

  /** @param {Entrant} entrant @param {number} seed @returns {Job} */
  function jobOf({ fn, params }, seed) {
    const key = JSON.stringify([fn, params, seed]);
    const job = jobs.get(key) ?? {
      ...{ entrant: { fn, params }, seed, remote: remotes[jobs.size % remotes.length] },
      ...{ object: null, step: 0, stepMs: 0, pace: 0, epochs: [], failedAt: null },
    };
    jobs.set(key, job);
    return job;
  }

  /** @param {Entrant} entrant */
  const jobsOf = (entrant) => Array.from({ length: plan.seeds }, (_, i) => jobOf(entrant, i + 1));
  const curves = () => plan.entrants.map((entrant) => curveOf(entrant, jobsOf(entrant), { ...plan, steps }));

  /** Who is furthest behind; no seed is more than an epoch ahead of the others of its function. @param {Remote} remote */
  function nextJob(remote) {
    const open = curves().filter(({ end, last }) => end === null && last < target);
    const waiting = open.flatMap((curve) =>
      jobsOf(curve).filter((job) => job.remote === remote && job.failedAt === null && job.epochs.length - 1 === curve.last),
    );
    return waiting.reduce((best, job) => (job.epochs.length < best.epochs.length ? job : best), waiting[0]);
  }

  function pump() {
    for (const remote of remotes) {
      const job = ended || busy.has(remote) ? undefined : nextJob(remote);
      if (job !== undefined) void work(remote, job);
    }
  }

  /** @param {Remote} remote @param {Job} job */
  async function work(remote, job) {
    busy.add(remote);
    try {
      await advance(job);
    } catch (error) {
      if (ended) return;
      target = -1;
      fail(error);
    }
    busy.delete(remote);
    if (ended) return;
    changed();
    pump();
  }

  /** To the end of its epoch, or as far as it gets before a pause. @param {Job} job */
  async function advance(job) {
    const { call } = job.remote;
    job.object ??= await call(0, "createTrainer", trainerOptions(network, job.entrant, job.seed, digits));
    const trainer = /** @type {number} */ (job.object);
    if (ended) return call(trainer, "free");
    const epoch = job.epochs.length;
    while (job.step < epoch * steps) {
      await takeSteps(job, epoch * steps - job.step);
      if (ended || target < epoch) return;
    }
    const statistics = await call(trainer, "evaluate");
    // After a stop these are the last finite ones.
    if (statistics?.epoch !== epoch) job.failedAt = await call(trainer, "get:failedAt");
    else job.epochs.push({ ...statistics, stepMs: job.stepMs / (epoch === 0 ? 0 : steps) });
    job.stepMs = 0;
  }

  /** On the page's own thread only as many at once as nobody notices. @param {Job} job @param {number} most */
  async function takeSteps(job, most) {
    const { call, isLocal } = job.remote;
    const fitting = job.pace === 0 ? 1 : Math.max(1, Math.floor(SLICE / job.pace));
    const count = isLocal ? Math.min(most, fitting) : most;
    const { ms } = await call(/** @type {number} */ (job.object), "timed:step", count);
    job.step += count;
    job.stepMs += ms;
    job.pace = ms / count;
  }

  return {
    curves,

    /** @param {Plan} next what has been computed and still counts stays */
    setPlan(next) {
      plan = next;
      pump();
    },

    /** @param {number} epoch up to which to go, from now on; −1: nowhere */
    go(epoch) {
      target = epoch;
      pump();
    },

    /** Epochs of single seeds, done and in all. */
    progress() {
      const all = curves();
      const done = all.flatMap(({ seeds }) => seeds).reduce((sum, { length }) => sum + Math.max(0, length - 1), 0);
      const most = all.reduce((sum, { end, last }) => sum + plan.seeds * (end === null ? plan.limit : last), 0);
      return { done, most };
    },

    isIdle: () => busy.size === 0,

    end() {
      ended = true;
      for (const { remote, object } of jobs.values()) if (object !== null) remote.call(object, "free").catch(() => {});
    },
  };
}
