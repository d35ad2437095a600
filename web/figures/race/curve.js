/** What the seeds of a function have come to together: how far, and why no further. */

/**
 * @typedef {{
 *   hidden: number, blocks: number, layerNorm: boolean, residual: boolean, optimizer: "sgd" | "adamw",
 *   learningRate: number, batch: number, initGain: number,
 * }} Network what all share
 * @typedef {{ fn: string, params: Record<string, number> }} Entrant
 * @typedef {{ entrants: Entrant[], seeds: number, limit: number, patience: number }} Plan
 *   limit: epochs; patience: a function stops after so many without a new lowest validation loss, 0: never
 * @typedef {{
 *   trainLoss: number, validationLoss: number, trainAccuracy: number, validationAccuracy: number,
 *   offForBatch: number, offForSet: number, gradientNorm: ArrayLike<number>, stepMs: number,
 * }} Epoch stepMs: NaN for epoch 0, which has no steps
 * @typedef {{ epochs: Epoch[], failedAt: number | null }} SeedRun epochs: from 0, before the first step
 * @typedef {{ kind: "limit" | "patience" } | { kind: "failed", seed: number, step: number, epoch: number }} End
 * @typedef {Entrant & { last: number, seeds: Epoch[][], end: End | null }} Curve
 *   last: the epoch up to which every seed has come; seeds: as far as that
 */

export const stepsPerEpoch = (/** @type {number} */ examples, /** @type {number} */ batch) => Math.ceil(examples / batch);

/** @param {number[]} values an odd number of them */
export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/**
 * What the seeds of a function have come to together, and whether it goes on.
 * @param {Entrant} entrant
 * @param {SeedRun[]} records one for each seed
 * @param {Pick<Plan, "limit" | "patience"> & { steps: number }} rule steps: of an epoch
 * @returns {Curve}
 */
export function curveOf(entrant, records, { limit, patience, steps }) {
  const reached = Math.min(limit, ...records.map(({ epochs }) => epochs.length - 1));
  const impatient = patience === 0 ? -1 : patienceEnds(records, reached, patience);
  const last = impatient >= 0 ? impatient : reached;
  const seeds = records.map(({ epochs }) => epochs.slice(0, last + 1));
  const broken = records.findIndex(({ epochs, failedAt }) => failedAt !== null && epochs.length - 1 === last);
  const at = records[broken]?.failedAt ?? 0;
  /** @type {End | null} */
  let end = null;
  if (impatient >= 0) end = { kind: "patience" };
  else if (last === limit) end = { kind: "limit" };
  else if (broken >= 0) end = { kind: "failed", seed: broken + 1, step: at, epoch: Math.max(1, Math.ceil(at / steps)) };
  return { ...entrant, last, seeds, end };
}

/**
 * The epoch at which the median of the validation loss has had no new low for so long, or −1.
 * @param {SeedRun[]} records
 * @param {number} reached
 * @param {number} patience
 */
function patienceEnds(records, reached, patience) {
  let lowest = Number.POSITIVE_INFINITY;
  let at = 0;
  for (let epoch = 0; epoch <= reached; epoch++) {
    const loss = median(records.map(({ epochs }) => epochs[epoch].validationLoss));
    if (loss < lowest) [lowest, at] = [loss, epoch];
    if (epoch - at >= patience) return epoch;
  }
  return -1;
}
