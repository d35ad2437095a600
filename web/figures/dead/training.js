/** Trains the networks of the figure `dead` in the page: in workers, an epoch of each at a time, as far as the state says. */
import { createRun, inputsOf, networkOf, scheduleOf } from "./run.js";

/**
 * @typedef {import("../../state.js").State} State
 * @typedef {import("./run.js").Run} Run
 * @typedef {import("../../networks.js").Remote} Remote
 * @typedef {{ going: ReturnType<typeof createRun>, remote: Remote, trainer: Promise<number>, network: string }} Training
 */

/**
 * @param {Pick<import("../../components/figure.js").Dependencies, "networks" | "digits">} deps
 */
export function createTraining(deps) {
  /** @type {Promise<{ remotes: Remote[], digits: import("../../data/digits.js").Digits, inputs: ReturnType<typeof inputsOf> }> | null} */
  let loading = null;
  /** @type {Map<string, Training>} by function */
  const trainings = new Map();
  let started = 0;
  let ended = false;

  function load() {
    loading ??= (async () => {
      const [networks, digits] = await Promise.all([deps.networks(), deps.digits()]);
      return { remotes: await networks.remotes(WORKERS), digits, inputs: inputsOf(digits) };
    })();
    loading.catch(() => {
      loading = null;
    });
    return loading;
  }

  /** @param {string} fn */
  function drop(fn) {
    const training = trainings.get(fn);
    trainings.delete(fn);
    training?.trainer.then((trainer) => training.remote.call(trainer, "free")).catch(() => {});
  }

  /**
   * @param {Training} training
   * @param {import("./run.js").Schedule} schedule
   */
  async function advance({ going, remote, trainer }, schedule) {
    const object = await trainer;
    const calls = going.advance(schedule);
    let next = calls.next();
    while (!next.done && !ended) next = calls.next(await remote.call(object, ...next.value));
  }

  return {
    /**
     * One push, or one epoch, of every network that is not yet where the state wants it.
     * @param {State} state
     * @returns {Promise<{ runs: Run[], inputs: import("./run.js").Input[], isDone: boolean }>}
     */
    async round(state) {
      const { remotes, digits, inputs } = await load();
      /** @type {string[]} */
      const fns = state["dead.fns"];
      const schedule = scheduleOf(state);
      for (const fn of [...trainings.keys()]) if (!fns.includes(fn)) drop(fn);
      for (const fn of fns) {
        const options = networkOf(state, fn);
        const network = JSON.stringify(options);
        const old = trainings.get(fn);
        if (old !== undefined && old.network === network && old.going.isPartOf(schedule)) continue;
        drop(fn);
        const remote = remotes[started++ % remotes.length];
        const trainer = remote.call(0, "createTrainer", { ...digits, ...options });
        trainings.set(fn, { going: createRun(fn, digits, inputs), remote, trainer, network });
      }
      const all = fns.map((fn) => /** @type {Training} */ (trainings.get(fn)));
      await Promise.all(all.filter(({ going }) => !going.isDone(schedule)).map((training) => advance(training, schedule)));
      return { runs: all.map(({ going }) => going.run), inputs, isDone: all.every(({ going }) => going.isDone(schedule)) };
    },

    end() {
      ended = true;
      loading?.then(({ remotes }) => {
        for (const remote of remotes) remote.end();
      });
    },
  };
}

/** More would not be faster: a network takes milliseconds an epoch. */
const WORKERS = 4;
