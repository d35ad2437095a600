/** What the figure `dead` shows beside its plot: the run and its buttons, the units, the input, what came out. */
import { functionWord } from "../../components/controls.js";
import { bilingual, h } from "../../components/dom.js";
import { saveRows } from "../../components/export.js";
import { createMessage, PATIENCE } from "../../components/message.js";
import { createRange } from "../../components/range.js";
import { taking } from "../../components/toolbar.js";
import { bilingualText } from "../../i18n/labels.js";
import { loadPart } from "../../parts.js";
import { findings, hardlyIn, inputOf, lastEpoch, offIn, present, short, silentIn, unitState } from "./facts.js";
import { MOST_EPOCHS, STORY, scheduleOf, THRESHOLD, TRAINING_EXAMPLES, UNITS } from "./run.js";

/**
 * @typedef {import("../../components/figure.js").Context} Context
 * @typedef {import("./facts.js").UnitState} UnitState
 * @typedef {import("./run.js").Data} Data
 * @typedef {import("./run.js").Moment} Moment
 */

/** A slider that still moves does not start anything. */
const SETTLED = 250;
/** A push more would not be kept in the address. */
const MOST_PUSHES = 16;
const STORY_KEYS = ["network", "optimizer", "seed", "delta", "rate", "run"].map((name) => `dead.${name}`);
/** What a press changes on its way into a run of the reader's own. */
const OWN_KEYS = ["dead.run", "dead.trained", "dead.pushes", "dead.rates", "dead.epoch"];
/** What a run depends on. */
const RUN_KEYS = [...STORY_KEYS, "dead.fns", "dead.trained", "dead.pushes", "dead.rates"];
const SLIDER_KEYS = ["dead.delta", "dead.rate"];
/** Who wants less motion sees every fifth epoch. */
const REDUCED = 5;

/**
 * Whether a state shows the run that the build has made.
 * @param {import("../../state.js").State} state
 * @param {Pick<Data, "runs">} story
 * @param {import("../../state.js").Store["table"]} table
 */
export function isStory(state, { runs }, table) {
  const known = runs.map(({ fn }) => fn);
  return (
    STORY_KEYS.every((key) => state[key] === table.get(key)?.value) &&
    state["dead.fns"].every((/** @type {string} */ fn) => known.includes(fn))
  );
}

/**
 * @param {import("../../components/figure.js").Dependencies} deps
 * @param {import("../../components/figure.js").Host} host
 * @returns {import("../../components/figure.js").Model}
 */
export function createDeadModel(deps, host) {
  const { store } = deps;
  /** @type {Data} */
  const story = deps.computed.dead;
  /** @type {import("../../parts.js").Parts["pressed"] | null} */
  let pressed = null;
  /** @type {ReturnType<typeof import("./training.js").createTraining> | null} */
  let training = null;
  /** @type {Data} */
  let data = isStory(store.state, story, store.table)
    ? storyData()
    : { runs: [], schedule: scheduleOf(store.state), inputs: story.inputs, isComputedHere: true };
  /** Of what is shown. */
  let shownSettings = settingsOf(store.state);
  /** The state that is trained for: the store's, once sliders rest. */
  let target = store.state;
  let isPlaying = false;
  let isWorking = false;
  let isSeen = false;
  let isDestroyed = false;
  let isLoading = false;
  let hasFailed = false;
  /** What a run of the reader's own has taken the place of, until it is computed. @type {Record<string, unknown> | null} */
  let left = null;
  /** The cursor goes with the run until the reader moves it. */
  let isFollowing = false;
  let isMoving = false;
  let settling = 0;
  const isReduced = matchMedia("(prefers-reduced-motion: reduce)");

  // ---------- what is computed ----------

  function storyData() {
    const runs = story.runs.filter(({ fn }) => store.state["dead.fns"].includes(fn));
    return { ...story, runs, isComputedHere: false };
  }

  const needsTraining = () => !isStory(target, story, store.table) || details.open;

  /** Until everything is where the state wants it, or nobody looks. */
  async function work() {
    if (isWorking || isDestroyed || !needsTraining()) return;
    isWorking = true;
    trouble.clear();
    let slow = 0;
    try {
      while (isSeen && !document.hidden && !isDestroyed && needsTraining()) {
        const state = target;
        slow = window.setTimeout(sayLoading, PATIENCE);
        pressed ??= await loadPart("pressed");
        training ??= pressed.createTraining(deps);
        const { runs, inputs, isDone } = await training.round(state);
        clearTimeout(slow);
        isLoading = false;
        if (isDestroyed) return;
        if (state !== target) continue;
        // The run from the build stays until the same has been computed here.
        if (isDone || !isStory(state, story, store.table))
          publish({ runs, inputs, schedule: scheduleOf(state), isComputedHere: true }, state, isDone);
        if (isDone && !goOn()) break;
      }
    } catch (error) {
      isPlaying = false;
      refused(error);
    } finally {
      clearTimeout(slow);
      isWorking = false;
      isLoading = false;
    }
    if (!isDestroyed && !hasFailed) host.redraw();
  }

  /** @param {unknown} error */
  function refused(error) {
    if (data.runs.length > 0) {
      if (left !== null && isOwn()) move(left);
      left = null;
      trouble.failed(error);
    } else {
      hasFailed = true;
      host.fail(error);
    }
  }

  function sayLoading() {
    isLoading = data.isComputedHere === false || data.runs.length === 0;
    if (isLoading) host.redraw();
  }

  /**
   * @param {Data} next
   * @param {import("../../state.js").State} state
   * @param {boolean} isDone
   */
  function publish(next, state, isDone) {
    data = next;
    left = null;
    shownSettings = settingsOf(state);
    const last = lastEpoch(next.runs);
    if (isFollowing && next.runs.length > 0 && last !== store.state["dead.epoch"]) move({ "dead.epoch": last });
    if (isDone || !isReduced.matches || last % REDUCED === 0) host.redraw();
  }

  /** The next epoch of a run that is not paused. */
  function goOn() {
    const { "dead.trained": trained, "dead.fns": fns } = store.state;
    isPlaying &&= trained < MOST_EPOCHS && fns.length > 0 && data.runs.some(({ failedAt }) => failedAt === null);
    if (!isPlaying) return false;
    move({ "dead.trained": trained + 1 });
    return true;
  }

  /** @param {Record<string, unknown>} changes of the state, by this figure */
  function move(changes) {
    isMoving = true;
    store.set(changes);
    isMoving = false;
  }

  // ---------- the reader's own run ----------

  const isOwn = () => store.state["dead.run"] === "own";
  const trained = () => (isOwn() ? store.state["dead.trained"] : 0);
  const fresh = () => ({
    "dead.run": "own",
    "dead.trained": 0,
    "dead.pushes": null,
    "dead.rates": [0, store.state["dead.rate"]],
    "dead.epoch": 0,
  });

  /** @param {Record<string, unknown>} changes in a run of the reader's own */
  function act(changes) {
    isFollowing = true;
    if (!isOwn()) left = Object.fromEntries(OWN_KEYS.map((key) => [key, store.state[key]]));
    move({ ...(isOwn() ? {} : fresh()), ...changes });
    deps.gestureEnded();
    work();
  }

  function play() {
    isPlaying = !isPlaying;
    if (isPlaying && isOwn() && trained() >= MOST_EPOCHS) move(fresh());
    act(isPlaying ? { "dead.trained": Math.min(MOST_EPOCHS, trained() + 1) } : {});
    host.redraw();
  }

  function push() {
    const earlier = isOwn() ? scheduleOf(store.state).pushes.flat() : [];
    act({ "dead.pushes": [...earlier, trained(), store.state["dead.delta"]], "dead.epoch": trained() });
  }

  /** From the present epoch on; what was set for later is gone. @param {number} rate */
  function setRate(rate) {
    if (!isOwn()) return store.set({ "dead.rate": rate });
    const { rates } = scheduleOf(store.state);
    const earlier = rates.filter(([epoch]) => epoch < trained()).flat();
    store.set({ "dead.rate": rate, "dead.rates": [...earlier, trained(), rate] });
  }

  // ---------- controls ----------

  const button = (/** @type {import("../../i18n/labels.js").Label} */ label, /** @type {() => void} */ act, main = false) =>
    h(
      "button",
      { class: main ? "btn main" : "btn", type: "button", "data-action": label, onclick: act },
      bilingual(bilingualText(label)),
    );
  const playButton = button("train", play, true);
  const stepButton = button("oneEpoch", () => act({ "dead.trained": Math.min(MOST_EPOCHS, trained() + 1) }));
  const pushButton = button("deadPushNow", push);
  const overButton = button("startOver", () => {
    isPlaying = false;
    act(fresh());
  });
  const progress = h("progress", { max: MOST_EPOCHS });
  const count = h("output", { "data-readout": "dead.progress", "aria-live": "off" });
  const label = h("span", { class: "k" });
  const about = h("p", { class: "help" });
  const trouble = createMessage();
  const sliders = [
    createRange({ key: "dead.delta", label: "deadPushBy", step: 0.1, set: (delta) => store.set({ "dead.delta": delta }) }, store),
    createRange({ key: "dead.rate", label: "learningRate", step: 0.01, isLogarithmic: true, set: setRate }, store),
  ];
  const bar = h(
    "div",
    { class: "dead-bar" },
    h(
      "div",
      { class: "ctl dead-run" },
      label,
      count,
      progress,
      about,
      trouble.element,
      h("div", { class: "row" }, playButton, stepButton, overButton),
    ),
    h("div", { class: "ctls" }, sliders[0].element, h("div", { class: "row" }, pushButton)),
  );

  // ---------- below the plot ----------

  const turn = (/** @type {number} */ by) => store.set({ "dead.input": (store.state["dead.input"] + by + 10) % 10 });
  const digit = h("svg:svg", { viewBox: "0 0 8 8", role: "img", class: "dead-digit" });
  const digitName = h("p");
  const arrows = /** @type {const} */ ([
    ["deadPreviousInput", -1, "M8 2L3 7l5 5"],
    ["deadNextInput", 1, "M6 2l5 5-5 5"],
  ]).map(([name, by, path]) =>
    h(
      "button",
      { class: "btn", type: "button", "data-action": name, onclick: () => turn(by) },
      h("span", { class: "vh" }, bilingual(bilingualText(name))),
      h("svg:svg", { class: "dead-arrow", viewBox: "0 0 14 14", "aria-hidden": "true" }, h("svg:path", { d: path })),
    ),
  );
  const grids = h("div", { class: "dead-grids" });
  const text = h("p", { class: "dead-text" });
  const numbers = h("div", { class: "dead-numbers", tabindex: 0, role: "group" });
  const summary = h("summary");
  const csv = h("button", { class: "tool", type: "button" }, bilingual(bilingualText("deadUnitsCsv")));
  const saveUnits = taking(host.root, async () => saveRows("gelu-ffn-dead-units", (await loadPart("pressed")).unitRows(shown)));
  csv.addEventListener("click", () => saveUnits(csv));
  const details = h("details", { class: "dead-details", ontoggle: () => work() }, summary, numbers, csv);
  host.root
    .querySelector(".fig-plot")
    ?.append(
      h(
        "div",
        { class: "dead-parts" },
        bar,
        h("div", { class: "dead-input" }, digit, h("div", null, digitName, h("div", { class: "row" }, arrows))),
        h("ul", { class: "dead-key" }, keyRows()),
        grids,
        text,
        details,
      ),
    );
  /** @type {Context} */
  let shown;

  function show(/** @type {Context} */ context) {
    shown = context;
    const { schedule, isComputedHere, runs } = /** @type {Data} */ (context.data);
    const { text: words } = context;
    const last = lastEpoch(runs);
    const most = schedule.isOwn ? MOST_EPOCHS : STORY.length;
    progress.max = most;
    progress.value = last;
    progress.setAttribute("aria-label", words("deadRunLength"));
    label.textContent = `${words("deadRunLength")} · ${words("deadSeed", { seed: String(context.state["dead.seed"]) })}`;
    count.textContent = `${last} / ${most}`;
    count.dataset.value = String(last);
    about.textContent = aboutRun(context, schedule, isComputedHere);
    playButton.replaceChildren(bilingual(bilingualText(isPlaying ? "pause" : "train")));
    stepButton.disabled = isPlaying || trained() >= MOST_EPOCHS;
    pushButton.replaceChildren(bilingual(bilingualText("deadPushNow", { delta: short(context.state["dead.delta"]) })));
    pushButton.disabled = context.state["dead.delta"] === 0 || (isOwn() && scheduleOf(store.state).pushes.length >= MOST_PUSHES);
    for (const slider of sliders) slider.update();
    showInput(context);
    grids.replaceChildren(...present(context).map(({ fn, moment }) => gridOf(context, fn, moment)));
    text.replaceChildren(...findings(context).map((part) => (typeof part === "string" ? part : outputOf(part))));
    summary.textContent = words("deadUnitsInNumbers", { epoch: context.state["dead.epoch"] });
    if (details.open) showNumbers(context);
    // The reader wants it tried again.
    if (hasFailed) {
      hasFailed = false;
      work();
    }
  }

  /**
   * @param {Context} context
   * @param {Data["schedule"]} schedule
   * @param {boolean} isComputedHere
   */
  function aboutRun({ text: words }, schedule, isComputedHere) {
    if (store.state["dead.fns"].length === 0) return "";
    if (isLoading || data.runs.length === 0) return words("deadLoadingTraining");
    if (settingsOf(store.state) !== shownSettings) return words("deadComputing");
    const origin = words(isComputedHere ? "deadComputedHere" : "deadExampleRun");
    if (schedule.isOwn) return origin;
    const { length } = STORY;
    if (schedule.pushes.length === 0) return words("deadNoPushRun", { origin, length });
    return words("deadExampleRunIs", { origin, at: STORY.at, delta: short(schedule.pushes[0][1]), length });
  }

  /** @param {Context} context */
  function showInput(context) {
    const { inputs } = /** @type {Data} */ (context.data);
    const at = inputOf(context);
    const { digit: shownDigit, pixels } = inputs[at];
    const name = context.text("deadDigitShown", { digit: shownDigit, at: at + 1, all: inputs.length });
    digit.setAttribute("aria-label", name);
    digitName.textContent = name;
    digit.replaceChildren(
      ...[...pixels].map((letter, i) =>
        h("svg:rect", { x: i % 8, y: i >> 3, width: 1.02, height: 1.02, "fill-opacity": (letter.charCodeAt(0) - 97) / 16 }),
      ),
    );
  }

  /** @param {Context} context */
  function showNumbers(context) {
    numbers.setAttribute("aria-label", summary.textContent ?? "");
    // They need a run of the page's own, and come with what makes it.
    if (pressed) numbers.replaceChildren(...pressed.unitNumbers(context));
  }

  document.addEventListener("visibilitychange", work);

  return {
    get data() {
      return data;
    },
    controls: [sliders[1].element],
    show,
    update(changed) {
      if (!isMoving && changed.includes("dead.epoch")) isFollowing = false;
      // A prompt or a reset leads away from the reader's run.
      if (!isOwn()) isPlaying = false;
      if (!changed.some((key) => RUN_KEYS.includes(key))) return;
      clearTimeout(settling);
      if (isMoving || !changed.some((key) => SLIDER_KEYS.includes(key))) settle();
      else settling = window.setTimeout(settle, SETTLED);
    },
    reset() {
      isPlaying = false;
      isFollowing = false;
      details.open = false;
    },
    rest(seen) {
      isSeen = seen;
      work();
    },
    destroy() {
      isDestroyed = true;
      clearTimeout(settling);
      document.removeEventListener("visibilitychange", work);
      training?.end();
    },
  };

  function settle() {
    target = store.state;
    if (!needsTraining()) {
      data = storyData();
      shownSettings = settingsOf(target);
      host.redraw();
    }
    work();
  }
}

/**
 * What makes another run of it, and not the same one longer.
 * @param {import("../../state.js").State} state
 */
function settingsOf(state) {
  const keys = state["dead.run"] === "story" ? STORY_KEYS : STORY_KEYS.filter((key) => !SLIDER_KEYS.includes(key));
  return JSON.stringify([...keys, "dead.fns"].map((key) => state[key]));
}

// ---------- marks ----------

/** Units in a row of the grid, and the side of a cell. */
const COLUMNS = 8;
const CELL = 10;

/**
 * The mark of a unit about a point: a full square is on, an empty one off for this input, a dot hardly learns and a cross
 * is off for the whole set.
 * @param {UnitState} state
 * @param {number} x
 * @param {number} y
 * @param {number} level of its largest slope
 */
function mark(state, x, y, level) {
  if (state === "off") return `M${x - 3} ${y - 3}l6 6m0-6l-6 6`;
  if (state !== "hardly") return `M${x - 3} ${y - 3}h6v6h-6z`;
  const radius = 0.7 + 0.2 * level;
  return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
}

/** @type {readonly UnitState[]} */
const STATES = ["on", "silent", "hardly", "off"];

/**
 * @param {Context} context
 * @param {string} fn
 * @param {Moment} moment
 */
function gridOf(context, fn, moment) {
  const { text, nameOf } = context;
  const input = inputOf(context);
  const states = Array.from({ length: UNITS }, (_, unit) => unitState(moment, input, unit));
  const paths = STATES.map((state) =>
    states.map((own, unit) =>
      own === state
        ? mark(state, CELL * ((unit % COLUMNS) + 0.5), CELL * (Math.floor(unit / COLUMNS) + 0.5), Number(moment.levels[unit]))
        : "",
    ),
  );
  // What is off for the whole set is off for this input.
  const counts = /** @type {const} */ ([
    ["silent", "deadSilentHere", silentIn(moment, input)],
    ["off", "deadOfThem", offIn(moment)],
    ["hardly", "deadHardlyHere", hardlyIn(moment)],
  ]);
  const said = STATES.map((state) => [state, states.flatMap((own, unit) => (own === state ? [unit + 1] : []))]);
  const sentence = said
    .filter(([, units]) => units.length > 0)
    .map(
      ([state, units]) =>
        `${text(LABELS[/** @type {UnitState} */ (state)])}${text("deadJoint")}${/** @type {number[]} */ (units).join(" ")}`,
    )
    .join("; ");
  return h(
    "div",
    { class: "dead-grid" },
    functionWord(fn),
    h(
      "svg:svg",
      { viewBox: `0 0 ${CELL * COLUMNS} ${(CELL * UNITS) / COLUMNS}`, role: "img", "aria-label": `${nameOf(fn)}. ${sentence}` },
      STATES.map((state, i) => h("svg:path", { class: `unit-${state}`, "data-fn": fn, d: paths[i].join("") })),
    ),
    h(
      "dl",
      null,
      counts.map(([state, label, count]) =>
        h(
          "div",
          null,
          h("dt", null, text(label)),
          h("dd", null, outputOf({ name: `${fn}-${state}`, value: count, text: String(count) })),
        ),
      ),
    ),
  );
}

/** @type {Record<UnitState, import("../../i18n/labels.js").Label>} */
const LABELS = { on: "deadOn", silent: "deadOffForInput", hardly: "deadHardly", off: "deadOff" };

/** What each mark means. */
function keyRows() {
  const meanings = /** @type {const} */ ([
    ["on", "deadOnMeans"],
    ["silent", "deadOffForInputMeans"],
    ["hardly", "deadHardlyMeans"],
    ["off", "deadOffMeans"],
  ]);
  const values = { threshold: THRESHOLD, count: TRAINING_EXAMPLES };
  return meanings.map(([state, meaning]) =>
    h(
      "li",
      null,
      h(
        "svg:svg",
        { viewBox: `0 0 ${CELL} ${CELL}`, "aria-hidden": "true" },
        h("svg:path", { class: `unit-${state}`, "data-fn": "ink", d: mark(state, CELL / 2, CELL / 2, 8) }),
      ),
      h("span", null, h("b", null, bilingual(bilingualText(LABELS[state]))), " ", bilingual(bilingualText(meaning, values))),
    ),
  );
}

// ---------- numbers ----------

/** @param {import("./facts.js").Told} told */
const outputOf = ({ name, value, text }) =>
  h("output", { "data-readout": `dead.${name}`, "data-value": value, "aria-live": "off" }, text);
