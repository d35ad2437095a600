/** The runs of the figure `dead`: what is trained, when its biases are pushed, and what is kept of every epoch. */

/**
 * @typedef {import("../../state.js").State} State
 * @typedef {[number, number]} Event an epoch and a number: how far the biases go down, or the learning rate from there on
 * @typedef {{ isOwn: boolean, length: number, pushes: Event[], rates: Event[] }} Schedule
 * @typedef {{
 *   levels: string, silent: string, right: number, loss: number, slopes?: Float32Array, largest?: Float32Array,
 * }} Moment one epoch's units: levels: a digit for each unit, of its largest slope over the training set (levelOf); silent:
 *   for each input and unit whether it is off, packed; right: validation examples; slopes, largest: of each unit, over the set
 * @typedef {{
 *   fn: string, moments: Moment[], before: Record<number, Moment>, failedAt: number | null,
 * }} Run moments: by epoch, after what was pushed there; before: where something was pushed, what was there
 * @typedef {{ digit: number, pixels: string }} Input pixels: a letter each, white "a" to black "q"
 * @typedef {[string, ...unknown[]]} Request a method of the trainer and its arguments
 * @typedef {{ runs: Run[], schedule: Schedule, inputs: Input[], isComputedHere: boolean }} Data
 */

export const UNITS = 32;
export const TRAINING_EXAMPLES = 1437;
export const MOST_EPOCHS = 48;
/** What the build computes: training, a push, more training. */
export const STORY = { at: 4, length: 24 };
/** A unit whose slope is nowhere larger hardly learns. */
export const THRESHOLD = 0.01;
/**
 * Pairs of an epoch and a number, in order of epochs.
 * @param {number[]} numbers
 * @returns {Event[]}
 */
function eventsOf(numbers) {
  /** @type {Event[]} */
  const events = [];
  for (let i = 0; i + 1 < numbers.length; i += 2) events.push([Math.round(numbers[i]), numbers[i + 1]]);
  return events.sort(([a], [b]) => a - b);
}

/**
 * @param {State} state
 * @returns {Schedule}
 */
export function scheduleOf(state) {
  const rate = state["dead.rate"];
  if (state["dead.run"] === "story") {
    const pushes = state["dead.delta"] > 0 ? [/** @type {Event} */ ([STORY.at, state["dead.delta"]])] : [];
    return { isOwn: false, length: STORY.length, pushes, rates: [[0, rate]] };
  }
  const length = state["dead.trained"];
  const pushes = eventsOf(state["dead.pushes"]).filter(([epoch, delta]) => epoch <= length && delta > 0);
  // The slider shows the last of them; the only one is what it shows.
  const later = eventsOf(state["dead.rates"]).filter(([epoch]) => epoch > 0);
  const first = later.length === 0 ? rate : (eventsOf(state["dead.rates"]).find(([epoch]) => epoch === 0)?.[1] ?? rate);
  return { isOwn: true, length, pushes, rates: [[0, first], ...later.filter(([epoch]) => epoch <= length)] };
}

/** Groups of four units as a hexadecimal digit. */
export const GROUP = 4;

/**
 * @param {Moment} moment
 * @param {number} input
 * @param {number} unit
 * @returns {boolean} off for this input
 */
export const isSilent = ({ silent }, input, unit) =>
  silent !== "" && ((Number.parseInt(silent[(UNITS / GROUP) * input + (unit >> 2)], 16) >> (unit & 3)) & 1) === 1;
