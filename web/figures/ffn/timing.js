/** Time per token in this browser: the median of several rounds, each long enough for a coarse clock. */
import { inputsOf, optionsOf } from "./run.js";

/**
 * @typedef {import("./run.js").Net} Net
 * @typedef {{ median: number, least: number, most: number }} Timing milliseconds
 */

/** Browsers round their clocks, some to a millisecond. */
const LEAST_IN_WORKER = 30;
/** On the page's own thread a round must not be felt. */
const LEAST_HERE = 6;

/**
 * @param {import("../../networks.js").Remote} remote
 * @param {import("../../kernels.js").Gelu} gelu
 * @param {Net} net
 * @param {number} rounds
 * @param {(round: number) => void} progress from 1
 * @returns {Promise<{ alone: Timing, together: Timing, activation: Timing, least: number }>} per token; least: milliseconds
 *   of a round
 */
export async function measure(remote, gelu, net, rounds, progress) {
  const { d, hidden, tokens, activation, params } = net;
  const { x } = inputsOf(gelu, net);
  const least = remote.isLocal ? LEAST_HERE : LEAST_IN_WORKER;
  const object = await remote.call(0, "createFfn", optionsOf(net));
  const forward = (/** @type {number} */ count) => (/** @type {number} */ times) =>
    remote.call(object, "time:forward", times, x.subarray(0, count * d).slice(), count);
  const alone = { run: forward(1), per: 1, times: 1, rounds: /** @type {number[]} */ ([]) };
  const together = { run: forward(tokens), per: tokens, times: 1, rounds: /** @type {number[]} */ ([]) };
  const activated = {
    // As the network computes it.
    run: (/** @type {number} */ repeats) =>
      remote.call(0, "benchmark", activation, { n: hidden, repeats, params, accuracy: "fast" }),
    per: 1,
    times: 1,
    rounds: /** @type {number[]} */ ([]),
  };
  const all = [alone, together, activated];
  try {
    for (const each of all) {
      // The first calls are slower, as engines compile in steps; and how many fill a round is found on the way.
      for (let ms = await each.run(1); ms < least; ms = await each.run(each.times)) {
        each.times = Math.ceil(each.times * Math.min(8, Math.max(1.2, least / Math.max(ms, 0.1))));
      }
    }
    for (let round = 1; round <= rounds; round++) {
      progress(round);
      // Side by side, so that a disturbance meets them all.
      for (const each of all) each.rounds.push((await each.run(each.times)) / each.times / each.per);
    }
  } finally {
    await remote.call(object, "free");
  }
  return { alone: summary(alone.rounds), together: summary(together.rounds), activation: summary(activated.rounds), least };
}

/** @param {number[]} rounds @returns {Timing} */
function summary(rounds) {
  const sorted = [...rounds].sort((a, b) => a - b);
  return { median: sorted[(sorted.length - 1) / 2], least: sorted[0], most: sorted[sorted.length - 1] };
}
