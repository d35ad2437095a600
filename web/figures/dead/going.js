/** A run of the figure `dead` under way: which network it trains, the calls that it takes, what it keeps of every epoch. */
import { GROUP, THRESHOLD, UNITS } from "./run.js";

/**
 * @typedef {import("../../state.js").State} State
 * @typedef {import("../../data/digits.js").Digits} Digits
 * @typedef {import("./run.js").Event} Event
 * @typedef {import("./run.js").Schedule} Schedule
 * @typedef {import("./run.js").Moment} Moment
 * @typedef {import("./run.js").Run} Run
 * @typedef {import("./run.js").Request} Request
 */

const BATCH = 32;
/** Steps that are asked for at once: on the page's own thread they take a few milliseconds. */
const STEPS = 9;

/**
 * @param {State} state
 * @param {string} fn
 */
export function networkOf(state, fn) {
  const isBlock = state["dead.network"] === "block";
  return {
    d: UNITS,
    hidden: UNITS,
    blocks: 1,
    batch: BATCH,
    activation: fn,
    layerNorm: isBlock,
    residual: isBlock,
    optimizer: state["dead.optimizer"],
    seed: state["dead.seed"],
  };
}

/**
 * @param {Schedule} schedule
 * @param {number} epoch
 */
const rateAt = ({ rates }, epoch) => /** @type {Event} */ (rates.findLast(([from]) => from <= epoch))[1];

/** 0: exactly 0; 9: above the threshold; between them a decade each. */
export function levelOf(/** @type {number} */ slope) {
  if (slope === 0) return 0;
  return slope > THRESHOLD ? 9 : Math.max(1, 10 - Math.floor(-Math.log10(slope)));
}

/** @param {Uint8Array} off */
const packed = (off) =>
  Array.from({ length: UNITS / GROUP }, (_, i) =>
    (off[GROUP * i] + 2 * off[GROUP * i + 1] + 4 * off[GROUP * i + 2] + 8 * off[GROUP * i + 3]).toString(16),
  ).join("");

/** The first example of each digit. */
export function inputsOf(/** @type {Digits} */ { x, y, classes }) {
  return Array.from({ length: classes }, (_, digit) => {
    const example = y.indexOf(digit);
    const pixels = Array.from(x.subarray(64 * example, 64 * (example + 1)), (value) => String.fromCharCode(97 + 16 * value));
    return { digit, example, pixels: pixels.join("") };
  });
}

/**
 * A run that goes on: whoever drives it makes the calls that it yields and hands their answers back.
 * @param {string} fn
 * @param {Digits} digits
 * @param {{ example: number }[]} inputs
 */
export function createRun(fn, digits, inputs) {
  /** @type {Run} */
  const run = { fn, moments: [], before: {}, failedAt: null };
  /** @type {Event[]} */
  const pushed = [];
  /** @type {number[]} the rate of each epoch */
  const rates = [];
  const stepsPerEpoch = Math.ceil(digits.y.length / BATCH);
  const epoch = () => run.moments.length - 1;

  /** @param {Schedule} schedule */
  const due = ({ pushes }) => pushes.filter(([at]) => at <= epoch()).slice(pushed.length);

  /** @returns {Generator<Request, Moment | null, any>} null: the run has stopped */
  function* look() {
    // First: it finds a network that is no longer finite, and then there are no units either.
    const { trainLoss, validationAccuracy } = (yield ["evaluate"]) ?? {};
    const seen = [];
    for (const { example } of inputs) {
      const units = yield ["units", { example }];
      if (units === null) return null;
      seen.push(units);
    }
    const [{ slope, largest, offForSet }] = seen;
    // What counts as off is what the kernels call off.
    const levels = Array.from(slope, (value, i) => (offForSet[i] === 1 ? 0 : levelOf(value))).join("");
    const silent = seen.map(({ offForExample }) => packed(offForExample)).join("");
    return {
      levels,
      silent: /[^0]/.test(silent) ? silent : "",
      right: Math.round(validationAccuracy * digits.validation.y.length),
      loss: trainLoss,
      slopes: slope,
      largest,
    };
  }

  /**
   * @param {number} at epoch
   * @returns {Generator<Request, void, any>}
   */
  function* keep(at) {
    const moment = yield* look();
    if (moment === null) run.failedAt = (yield ["get:failedAt"]) ?? 0;
    else run.moments[at] = moment;
  }

  return {
    run,

    /** What has been done so far is the beginning of this schedule. */
    isPartOf(/** @type {Schedule} */ schedule) {
      const wanted = schedule.pushes.filter(([at]) => at <= epoch());
      return (
        epoch() <= schedule.length &&
        pushed.every(([at, by], i) => wanted[i]?.[0] === at && wanted[i][1] === by) &&
        wanted.slice(pushed.length).every(([at]) => at === epoch()) &&
        rates.every((rate, at) => rate === rateAt(schedule, at))
      );
    },

    isDone: (/** @type {Schedule} */ schedule) =>
      run.failedAt !== null || (epoch() >= schedule.length && due(schedule).length === 0),

    /**
     * What is to be pushed now, or else one epoch.
     * @param {Schedule} schedule
     * @returns {Generator<Request, void, any>}
     */
    *advance(schedule) {
      if (epoch() < 0) return yield* keep(0);
      const at = epoch();
      const pushes = due(schedule);
      if (pushes.length > 0) {
        run.before[at] ??= run.moments[at];
        for (const push of pushes) {
          yield ["shiftBiases", -push[1]];
          pushed.push(push);
        }
        return yield* keep(at);
      }
      yield ["setLearningRate", rateAt(schedule, at)];
      rates[at] = rateAt(schedule, at);
      for (let left = stepsPerEpoch; left > 0; left -= STEPS) yield ["step", Math.min(STEPS, left)];
      yield* keep(at + 1);
    },
  };
}
