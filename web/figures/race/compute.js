/** The run of figure `race` that the build makes. */
import { checkOf, DEFAULTS, LOSS_PARTS, network } from "./numbers.js";
import { trainerOptions } from "./training.js";

/**
 * In parts of LOSS_PARTS, so that four decimals of it are those of the loss itself.
 * @param {number} loss
 */
export function packLoss(loss) {
  const near = Math.round(loss * LOSS_PARTS);
  const shown = loss.toFixed(4);
  return [near, near - 1, near + 1].find((units) => (units / LOSS_PARTS).toFixed(4) === shown) ?? near;
}

/**
 * @param {import("../../kernels.js").Gelu} gelu
 * @param {import("../../data/digits.js").Digits} digits
 * @returns {import("./numbers.js").Packed}
 */
export function computeRace(gelu, digits) {
  const { fns, seeds, limit, hidden, blocks } = DEFAULTS;
  const entrants = fns.map((fn) => ({ fn, params: {} }));
  const runs = entrants.map((entrant) => Array.from({ length: seeds }, (_, i) => runOf(gelu, digits, entrant, i + 1, limit)));
  const sizes = [digits.y.length, digits.validation.y.length];
  const pack = (/** @type {ReturnType<typeof runOf>} */ { epochs }) => [
    epochs.map(({ trainLoss }) => packLoss(trainLoss)),
    epochs.map(({ validationLoss }) => packLoss(validationLoss)),
    epochs.map(({ trainAccuracy }) => Math.round(trainAccuracy * sizes[0])),
    epochs.map(({ validationAccuracy }) => Math.round(validationAccuracy * sizes[1])),
    epochs.map(({ offForSet }) => Math.round(offForSet * hidden * blocks)),
  ];
  return { fns: [...fns], sizes, check: checkOf(runs.flat()), records: runs.map((seedRuns) => seedRuns.map(pack)) };
}

/**
 * @param {import("../../kernels.js").Gelu} gelu
 * @param {import("../../data/digits.js").Digits} digits
 * @param {import("./curve.js").Entrant} entrant
 * @param {number} seed
 * @param {number} limit
 */
function runOf(gelu, digits, entrant, seed, limit) {
  const trainer = gelu.createTrainer(trainerOptions(network(DEFAULTS), entrant, seed, digits));
  const epochs = [trainer.evaluate(), ...Array.from({ length: limit }, () => trainer.epoch())];
  trainer.free();
  return { epochs: /** @type {any[]} */ (epochs) };
}
