/** The runs of the figure `dead`: what is trained, when its biases are pushed, and what is kept of every epoch. */

/**
 * @typedef {import("../../state.js").State} State
 * @typedef {import("../../data/digits.js").Digits} Digits
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
export const MOST_EPOCHS = 48;
/** What the build computes: training, a push, more training. */
export const STORY = { at: 4, length: 24 };
/** A unit whose slope is nowhere larger hardly learns. */
export const THRESHOLD = 0.01;
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

/** Groups of four units as a hexadecimal digit. */
const GROUP = 4;

/** @param {Uint8Array} off */
const packed = (off) =>
  Array.from({ length: UNITS / GROUP }, (_, i) =>
    (off[GROUP * i] + 2 * off[GROUP * i + 1] + 4 * off[GROUP * i + 2] + 8 * off[GROUP * i + 3]).toString(16),
  ).join("");

/**
 * @param {Moment} moment
 * @param {number} input
 * @param {number} unit
 * @returns {boolean} off for this input
 */
export const isSilent = ({ silent }, input, unit) =>
  silent !== "" && ((Number.parseInt(silent[(UNITS / GROUP) * input + (unit >> 2)], 16) >> (unit & 3)) & 1) === 1;

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
 * @param {import("../../kernels.js").Gelu} gelu
 * @param {Digits} digits
 * @param {State} state
 * @param {string[]} fns
 * @returns {Run[]}
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
