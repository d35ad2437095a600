/** Trains the networks of the figure `dead` in the page: in workers, an epoch of each at a time, as far as the state says. */
import { createCrew } from "../../crew.js";
import { createRun, inputsOf, networkOf } from "./going.js";
import { scheduleOf } from "./run.js";

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
  const crew = createCrew(deps.networks, WORKERS);
  /** @type {Map<string, Training>} by function */
  const trainings = new Map();
  let started = 0;
  let ended = false;

  /** @type {ReturnType<typeof inputsOf> | null} */
  let inputs = null;

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

  /** @param {State} state */
  async function round(state) {
    const [remotes, digits] = await Promise.all([crew.gather(), deps.digits()]);
    inputs ??= inputsOf(digits);
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
  }

  return {
    /**
     * One push, or one epoch, of every network that is not yet where the state wants it. After a failure it begins anew.
     * @param {State} state
     * @returns {Promise<{ runs: Run[], inputs: import("./run.js").Input[], isDone: boolean }>}
     */
    round: (state) =>
      round(state).catch((error) => {
        trainings.clear();
        crew.dismiss();
        throw error;
      }),

    end() {
      ended = true;
      crew.dismiss();
    },
  };
}

/** More would not be faster: a network takes milliseconds an epoch. */
const WORKERS = 4;
