/** The runs of figure `dead` that the build makes. */
import { dead } from "../dead.js";
import { createRun, inputsOf, networkOf } from "./going.js";
import { scheduleOf } from "./run.js";

/**
 * @typedef {import("../../kernels.js").Gelu} Gelu
 * @typedef {import("../../data/digits.js").Digits} Digits
 */

/**
 * Drives a run on a trainer that is at hand, as far as a schedule goes.
 * @param {ReturnType<typeof createRun>} going
 * @param {any} trainer
 * @param {ReturnType<typeof scheduleOf>} schedule
 */
export function drive(going, trainer, schedule) {
  while (!going.isDone(schedule)) {
    const calls = going.advance(schedule);
    let next = calls.next();
    while (!next.done) {
      const [method, ...args] = next.value;
      next = calls.next(method.startsWith("get:") ? trainer[method.slice(4)] : trainer[method](...args));
    }
  }
}

/**
 * The whole schedule at once, for the build and for tests.
 * @param {Gelu} gelu
 * @param {Digits} digits
 * @param {import("../../state.js").State} state
 * @param {string[]} fns
 * @returns {import("./run.js").Run[]}
 */
export function computeRuns(gelu, digits, state, fns) {
  const schedule = scheduleOf(state);
  const inputs = inputsOf(digits);
  return fns.map((fn) => {
    const trainer = /** @type {any} */ (gelu.createTrainer({ ...digits, .../** @type {any} */ (networkOf(state, fn)) }));
    const going = createRun(fn, digits, inputs);
    drive(going, trainer, schedule);
    trainer.free();
    return going.run;
  });
}

/**
 * @param {Gelu} gelu
 * @param {Digits} digits
 */
export function computeDead(gelu, digits) {
  const state = Object.fromEntries(dead.parameters.map(({ name, value }) => [`dead.${name}`, value]));
  const kept = (/** @type {import("./run.js").Moment} */ { levels, silent, right, loss }) => ({
    levels,
    silent,
    right,
    loss: Number(loss.toPrecision(3)),
  });
  const runs = computeRuns(gelu, digits, state, state["dead.fns"]).map(({ fn, moments, before, failedAt }) => ({
    fn,
    moments: moments.map(kept),
    before: Object.fromEntries(Object.entries(before).map(([at, moment]) => [at, kept(moment)])),
    failedAt,
  }));
  const inputs = inputsOf(digits).map(({ digit, pixels }) => ({ digit, pixels }));
  return { runs, schedule: scheduleOf(state), inputs };
}
