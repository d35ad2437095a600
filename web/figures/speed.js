/**
 * Figure `speed`: what the forms of GELU cost on the reader's machine, as kernels and as plain JavaScript. Errors stand there
 * from the start; times come when the reader asks for them.
 */
import "../i18n/speed.js";
import { announce } from "../components/announce.js";
import { segmented } from "../components/controls.js";
import { bilingual, h } from "../components/dom.js";
import { savePng, saveRows, saveSvg } from "../components/export.js";
import { titleOf, wrap } from "../components/figure.js";
import { createGrid } from "../components/grid.js";
import { fixed } from "../components/numbers.js";
import { isLink, linkTo } from "../components/pagetools.js";
import { mountPanel } from "../components/panel.js";
import { taking } from "../components/toolbar.js";
import { namesOf } from "../i18n/functions.js";
import { bilingualText, translator } from "../i18n/labels.js";
import { loadPart } from "../parts.js";
import { grouped } from "./coin.js";
import {
  ENTRIES,
  errorsInSteps,
  errorsOf,
  FORMS,
  formError,
  medianOf,
  nanoseconds,
  ratioToExact,
  TIER_LABELS,
  TIERS,
} from "./contestants.js";
import { createBars, createValue, shortError } from "./speedbars.js";

/** @typedef {import("../kernels.js").Gelu} Gelu */
/** @typedef {import("../components/measure.js").Timing} Timing */
/** @typedef {import("./contestants.js").Result} Result */
const SIZES = ["1024", "16384", "65536"];
const ROUNDS = ["11", "31", "101"];
/** What a turn and the pause after it take together, about. */
const SECONDS_A_TURN = 0.014;

const ratioText = (/** @type {number} */ value) => fixed(value, value < 10 ? 2 : 1);

/**
 * A column of the whole in words: an entry each row, the errors computed, the times where there are any.
 * @type {import("../components/grid.js").Column[]}
 */
const COLUMNS = [
  { name: "form", head: bilingualText("formulaColumn"), words: true },
  { name: "tier", head: bilingualText("program"), words: true },
  { name: "error", head: bilingualText("errorColumn") },
  { name: "median", head: bilingualText("nsColumn") },
  { name: "low", head: bilingualText("fromHalf") },
  { name: "high", head: bilingualText("toHalf") },
  { name: "ratio", head: bilingualText("ratioColumn") },
];

/** What needs no measurement, of a row: where there is little room, the errors first. */
const known = (/** @type {any[]} */ [form, tier, error]) => [form, error, tier];

/**
 * @param {Map<string, number>} errors
 * @param {Result | null} result
 * @returns {import("../components/grid.js").Cell[][]}
 */
function rowsOf(errors, result) {
  return ENTRIES.map(({ id, form, tier }) => {
    const timing = result?.timings.get(id);
    const times = timing ? [timing.median, timing.low, timing.high].map(nanoseconds) : ["—", "—", "—"];
    return [
      { text: namesOf(form), fn: form },
      { text: bilingualText(TIER_LABELS[tier]) },
      { text: shortError(errors.get(id) ?? 0) },
      ...[...times, result ? ratioText(ratioToExact(result, form, tier)) : "—"].map((text) => ({ text })),
    ];
  });
}

/** What the measurement comes to: ratios, which tell more than times, and the clock that they were taken with. */
const SUMMARY = [
  ...TIERS.map((tier) => {
    const label = bilingualText(/** @type {const} */ ({ rounded: "tierRounded", fast: "tierFast", plain: "tierPlain" })[tier]);
    return {
      name: `speed.exact_over_tanh.${tier}`,
      label: {
        zh: bilingualText("exactOverTanh", { tier: label.zh }).zh,
        en: bilingualText("exactOverTanh", { tier: label.en }).en,
      },
      value: (/** @type {Result} */ result) => 1 / ratioToExact(result, "gelu_tanh", tier),
      text: (/** @type {number} */ value) => `${ratioText(value)}\u202f×`,
    };
  }),
  {
    name: "speed.plain_over_kernel",
    label: bilingualText("plainOverKernel"),
    value: ({ timings }) => medianOf(timings, "gelu.plain") / medianOf(timings, "gelu.rounded"),
    text: (value) => `${ratioText(value)}\u202f×`,
  },
  {
    name: "speed.clock",
    label: bilingualText("clockStep"),
    value: ({ step }) => step,
    text: (value) =>
      value < 0.001 ? "< 1 µs" : value < 1 ? `${Number((1000 * value).toPrecision(2))} µs` : `${Number(value.toPrecision(2))} ms`,
  },
];

const BACKENDS = { "wasm-simd": "WebAssembly SIMD", js: "JavaScript (wasm2js)" };

/** The browser by its own word: name and version. */
function browserName() {
  const { userAgent } = navigator;
  const [, name = "", version = ""] =
    userAgent.match(/(Edg|Firefox|OPR|Chrome)\/(\d+)/) ?? userAgent.match(/()Version\/(\d+).*Safari/) ?? [];
  return version === "" ? userAgent : `${name || "Safari"} ${version}`;
}

/**
 * @param {HTMLElement} root
 * @param {import("../components/figure.js").Dependencies} deps
 * @param {Map<string, number>} errors
 * @returns {import("../components/panel.js").PanelContent}
 */
function build(root, deps, errors) {
  const { gelu, store, language, gestureEnded, networks } = deps;
  const title = /** @type {HTMLElement} */ (root.querySelector(".fig-title"));
  title.id = "speed-title";
  /** @type {Result | null} */
  let result = null;
  /** Which run may go on: another number ends it. */
  let running = 0;
  let runs = 0;
  let isTooCoarse = 0;
  let wasStopped = false;

  const start = h("button", { class: "btn main", type: "button", "data-act": "measure", onclick: press });
  const bar = h("progress", { max: 1, value: 0, "aria-labelledby": "speed-round" });
  const round = h("span", { id: "speed-round" });
  const controls = h("div", { class: "run" }, round, h("div", { class: "row" }, start), bar);
  const said = h("p", { class: "measured" });
  const sizes = choice("speed.n", "numbersAPass", SIZES);
  const rounds = choice("speed.rounds", "rounds", ROUNDS);
  const bars = createBars(FORMS.map((form) => ({ form, error: formError(gelu, form) })));
  const sums = SUMMARY.map(({ name }) => createValue(name));
  const summary = h(
    "dl",
    { class: "summary" },
    SUMMARY.map(({ label }, i) => h("div", null, h("dt", null, bilingual(label)), h("dd", null, sums[i].elements))),
  );
  const details = createGrid(COLUMNS, { labelledBy: title.id, empty: "", scrolls: true });
  details.element.hidden = true;

  /**
   * @param {string} key
   * @param {import("../i18n/labels.js").Label} label
   * @param {string[]} values
   */
  function choice(key, label, values) {
    const control = segmented({
      legend: bilingual(bilingualText(label)),
      name: key,
      options: values.map((value) => {
        const count = Number(value);
        return { value, label: bilingual({ zh: grouped(count, "zh"), en: grouped(count, "en") }) };
      }),
      pick(value) {
        store.set({ [key]: value });
        gestureEnded();
      },
    });
    control.element.dataset.control = key;
    return control;
  }

  // ---------- measuring ----------

  function press() {
    if (running !== 0) stop();
    else measure().catch(failed);
  }

  function stop() {
    running = 0;
    wasStopped = true;
    show();
  }

  async function measure() {
    const own = ++runs;
    running = own;
    result = null;
    isTooCoarse = 0;
    wasStopped = false;
    const [n, wanted] = ["speed.n", "speed.rounds"].map((key) => Number(store.state[key]));
    showProgress(0, wanted);
    show();
    // The page's first kernels have the same bits in float32, but are made for size.
    const [{ gelu: fast }, { contestants, clockStep, race, timingOf, turnFor }] = await Promise.all([
      networks(),
      loadPart("pressed"),
    ]);
    if (running !== own) return;
    await pause();
    const step = await clockStep(() => performance.now(), pause);
    const turn = turnFor(step);
    if (running !== own) return;
    if (turn === null) {
      running = 0;
      isTooCoarse = step;
      show();
      announce(root, said.textContent ?? "", true);
      return;
    }
    const isDone = await race({
      contestants: contestants(fast, n),
      rounds: wanted,
      turn,
      async next() {
        if (running === own) await pause();
        return running === own;
      },
      progress(done, turns) {
        showProgress(done, wanted);
        if (done === 0) return;
        const toNanoseconds = 1e6 / n;
        const timings = turns.map((each, i) => {
          const { median, low, high } = timingOf(each, step);
          const timing = { median: median * toNanoseconds, low: low * toNanoseconds, high: high * toNanoseconds };
          return /** @type {[string, Timing]} */ ([ENTRIES[i].id, timing]);
        });
        result = { n, rounds: wanted, done, turn, step, backend: fast.backend, timings: new Map(timings) };
        showTimes();
      },
    });
    if (running === own) running = 0;
    show();
    if (isDone) announce(root, sentence(), true);
  }

  /** @param {unknown} error */
  function failed(error) {
    running = 0;
    show();
    const reason = error instanceof Error ? error.message : String(error);
    said.replaceChildren(bilingual(bilingualText("figureFailed", { reason })));
    announce(root, reason, true);
  }

  // ---------- showing ----------

  /**
   * @param {number} done
   * @param {number} of
   */
  function showProgress(done, of) {
    bar.value = done / of;
    round.replaceChildren(
      bilingual(done === 0 ? bilingualText("warmingUp") : bilingualText("roundOf", { round: done, rounds: of })),
    );
  }

  function showState() {
    const done = result?.done ?? 0;
    round.replaceChildren(bilingual(bilingualText(done === 0 ? "noTimesYet" : "roundsDone", { rounds: done })));
  }

  function showTimes() {
    bars.show(result);
    SUMMARY.forEach(({ value, text }, i) => {
      const number = result === null ? Number.NaN : value(result);
      sums[i].show(number, text(number));
    });
    if (!details.element.hidden) details.show(rowsOf(errors, result));
  }

  function words() {
    if (isTooCoarse > 0)
      return bilingualText("clockTooCoarse", { step: Number.isFinite(isTooCoarse) ? fixed(isTooCoarse, 0) : "∞" });
    if (running !== 0) return bilingualText("measuring", { entries: ENTRIES.length });
    if (result === null) return wasStopped ? bilingualText("measureStopped") : notMeasured();
    const { n, done, rounds: of, turn, backend } = result;
    const inLanguage = (/** @type {"zh" | "en"} */ tag) => {
      const text = translator(tag);
      const partly = done < of ? ` ${text("measuredPartly", { done, rounds: of })}` : "";
      const values = {
        n: grouped(n, tag),
        entries: ENTRIES.length,
        done,
        turn: fixed(turn, 0),
        backend: BACKENDS[backend],
        browser: browserName(),
      };
      return text("measuredHow", values) + partly;
    };
    return { zh: inLanguage("zh"), en: inLanguage("en") };
  }

  function notMeasured() {
    const turns = ENTRIES.length * (Number(store.state["speed.rounds"]) + 5);
    return bilingualText("notMeasured", { seconds: Math.ceil(turns * SECONDS_A_TURN) });
  }

  function show() {
    const isRunning = running !== 0;
    start.replaceChildren(bilingual(bilingualText(isRunning ? "stop" : result === null ? "measure" : "measureAgain")));
    bar.hidden = !isRunning;
    if (!isRunning) showState();
    sizes.show(store.state["speed.n"]);
    rounds.show(store.state["speed.rounds"]);
    said.replaceChildren(bilingual(words()));
    showTimes();
  }

  function sentence() {
    if (result === null) return words()[language()];
    const values = TIERS.map((tier) => [tier, ratioText(1 / ratioToExact(/** @type {Result} */ (result), "gelu_tanh", tier))]);
    return bilingualText("speedSentence", Object.fromEntries(values))[language()];
  }

  // ---------- taking away ----------

  /** @returns {Promise<import("../components/export.js").Drawing>} */
  async function drawing() {
    const { paintBars } = await loadPart("pressed");
    const tag = language();
    const width = 900;
    const note = root.querySelector(`.fig-foot [lang|="${tag}"]`)?.textContent ?? "";
    const lines = [note, words()[tag]].flatMap((text) => wrap(text, width / 7));
    if (isLink()) lines.push(linkTo(store, root));
    const { height, scene } = paintBars({ result, forms: bars.forms, language: tag, width });
    return [scene, null, { width, height, title: titleOf(root, tag), lines, theme: deps.theme() }];
  }

  const pictureName = () => `gelu-speed-${language()}`;

  return {
    elements: [
      h("div", { class: "filters" }, controls, sizes.element, rounds.element),
      said,
      bars.element,
      summary,
      details.element,
    ],
    tools: [
      {
        label: "dataTable",
        act(button) {
          details.element.hidden = !details.element.hidden;
          button.setAttribute("aria-expanded", String(!details.element.hidden));
          showTimes();
        },
      },
      {
        label: "csv",
        extra: true,
        act: () => saveRows("gelu-speed", csvOf(errors, result)),
      },
      {
        label: "png",
        extra: true,
        act: taking(root, () => drawing().then((now) => savePng(pictureName(), now))),
      },
      { label: "svg", extra: true, act: taking(root, () => drawing().then((now) => saveSvg(pictureName(), now))) },
    ],
    update(changed) {
      // Times belong to the settings that they were taken with.
      if (running !== 0 && changed.some((key) => key.startsWith("speed."))) stop();
      show();
    },
    sentence,
    reset() {
      running = 0;
      result = null;
      isTooCoarse = 0;
      wasStopped = false;
      show();
    },
  };
}

/**
 * Everything in full, and with it what was measured where.
 * @param {Map<string, number>} errors
 * @param {Result | null} result
 */
function csvOf(errors, result) {
  const head = ["function", "program", "largest_error", "ns_median", "ns_quarter", "ns_three_quarters", "ratio_to_exact"];
  const where = ["n", "rounds", "clock_step_ms", "backend", "browser"];
  const rows = ENTRIES.map(({ id, form, tier }) => {
    const timing = result?.timings.get(id);
    const times =
      result && timing ? [timing.median, timing.low, timing.high, ratioToExact(result, form, tier)] : ["", "", "", ""];
    const told = result ? [result.n, result.done, result.step, result.backend, browserName()] : ["", "", "", "", ""];
    return [form, tier, errors.get(id) ?? 0, ...times, ...told];
  });
  return [[...head, ...where], ...rows];
}

/** Lets the page draw and answer; while nobody looks, browsers slow it down, and nothing is measured. */
async function pause() {
  await new Promise((resolve) => setTimeout(resolve, 0));
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  }
}

/** @type {import("../components/panel.js").PanelDefinition} */
export const speed = {
  name: "speed",
  parameters: [
    { name: "n", kind: "choice", value: "65536", choices: SIZES },
    { name: "rounds", kind: "choice", value: "31", choices: ROUNDS },
  ],
  // Times there are only once somebody has measured.
  preview: (gelu) => ({ columns: known(COLUMNS), rows: rowsOf(errorsOf(gelu), null).map(known) }),
  *mount(root, deps) {
    const errors = yield* errorsInSteps(deps.gelu);
    return yield* mountPanel(speed, root, deps, () => build(root, deps, errors));
  },
};
