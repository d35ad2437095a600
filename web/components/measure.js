/** Times contestants against each other: in turns that are shorter than a frame, so that the page lives on meanwhile. */

/**
 * @typedef {{ id: string, run: (passes: number) => number }} Contestant run: milliseconds that so many passes took
 * @typedef {{ passes: number, readings: number[] }} Turns readings: milliseconds of one pass
 * @typedef {{ median: number, low: number, high: number }} Timing low, high: the middle half of the readings
 */

/** Milliseconds of a turn: the least is long beside the overhead of a call, the most is a frame at 60 Hz. */
const TURN = { least: 4, most: 16 };
/** A turn is to be this many steps of the clock, where that fits a frame… */
const STEPS = 20;
/** …and with fewer than this the clock cannot tell. */
const FEWEST_STEPS = 4;

const SLICE = 8;
const LOOKS = { slices: 40, changes: 20, calls: 20_000 };

/**
 * The smallest step that a clock makes, in its unit; infinite where it stands still.
 * @param {() => number} clock
 * @param {() => Promise<void>} pause
 */
export async function clockStep(clock, pause) {
  let step = Number.POSITIVE_INFINITY;
  let last = clock();
  for (let slice = 0, changes = 0; slice < LOOKS.slices && changes < LOOKS.changes; slice++) {
    if (slice > 0) await pause();
    const began = last;
    for (let call = 0; call < LOOKS.calls && changes < LOOKS.changes && last - began < SLICE; call++) {
      const now = clock();
      if (now <= last) continue;
      step = Math.min(step, now - last);
      last = now;
      changes++;
    }
  }
  // Without the last bits of a difference of float64 numbers.
  return Number(step.toPrecision(4));
}

/**
 * How long a turn is to take with such a clock, in milliseconds; null where no turn within a frame tells anything.
 * @param {number} step
 */
export function turnFor(step) {
  if (!(step * FEWEST_STEPS <= TURN.most)) return null;
  return Math.min(TURN.most, Math.max(TURN.least, STEPS * step));
}

/** The first turns, in which engines compile, are not counted. */
const WARM_TURNS = 3;
/** Of a turn, how much must be there for the clock to tell; and how often passes are doubled until it is. */
const ENOUGH = 1 / 4;
const DOUBLINGS = 24;

/**
 * One turn; milliseconds of a pass, or null where it is told to stop. What was too short to be told is taken again with
 * twice the passes: their number may come from a turn in which the machine was busy with something else.
 * @param {Contestant} contestant
 * @param {Turns} turns
 * @param {number} turn
 * @param {() => Promise<boolean>} next pauses; answers whether to go on
 */
async function takeTurn({ run }, turns, turn, next) {
  for (let doublings = 0; ; doublings++) {
    const took = run(turns.passes);
    const reading = took / turns.passes;
    if (!(await next())) return null;
    if (took >= ENOUGH * turn || doublings === DOUBLINGS) return reading;
    turns.passes *= 2;
  }
}

/**
 * Finds how many passes make a turn, and has the engine compile on the way; null where it is told to stop.
 * @param {Contestant} contestant
 * @param {number} turn
 * @param {() => Promise<boolean>} next
 */
async function warmUp(contestant, turn, next) {
  /** @type {Turns} */
  const turns = { passes: 1, readings: [] };
  for (let warm = 0; warm < WARM_TURNS; warm++) {
    const reading = await takeTurn(contestant, turns, turn, next);
    if (reading === null) return null;
    if (reading > 0) turns.passes = Math.max(1, Math.round(turn / reading));
  }
  return turns;
}

/**
 * Rounds in which everybody has one turn, each time somebody else first.
 * @param {{
 *   contestants: readonly Contestant[], rounds: number, turn: number,
 *   next: () => Promise<boolean>, progress: (round: number, turns: Turns[]) => void,
 * }} options next: pauses between two turns and answers whether to go on; progress: after each round, 0 when all are warm
 * @returns {Promise<boolean>} whether all rounds were made; one that was broken off does not count
 */
export async function race({ contestants, rounds, turn, next, progress }) {
  /** @type {Turns[]} */
  const turns = [];
  for (const contestant of contestants) {
    const warm = await warmUp(contestant, turn, next);
    if (warm === null) return false;
    turns.push(warm);
  }
  progress(0, turns);
  for (let round = 1; round <= rounds; round++) {
    /** @type {number[]} */
    const readings = [];
    for (let i = 0; i < contestants.length; i++) {
      const who = (round + i) % contestants.length;
      const reading = await takeTurn(contestants[who], turns[who], turn, next);
      if (reading === null) return false;
      readings[who] = reading;
    }
    turns.forEach((each, i) => {
      each.readings.push(readings[i]);
    });
    progress(round, turns);
  }
  return true;
}

/**
 * A quantile of sorted numbers, between the two nearest.
 * @param {number[]} sorted
 * @param {number} share
 */
function quantile(sorted, share) {
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(sorted.length - 1, below + 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

/**
 * The median of the readings and their middle half, which is never narrower than half a step of the clock to each side.
 * @param {Turns} turns
 * @param {number} step
 * @returns {Timing}
 */
export function timingOf({ readings, passes }, step) {
  const sorted = [...readings].sort((a, b) => a - b);
  const median = quantile(sorted, 1 / 2);
  const unsure = step / 2 / passes;
  return {
    median,
    low: Math.max(0, Math.min(quantile(sorted, 1 / 4), median - unsure)),
    high: Math.max(quantile(sorted, 3 / 4), median + unsure),
  };
}
