/** What figure `depth` draws: random networks, computed by the build for the first state, in workers for every other. */
import { bilingual, h } from "../../components/dom.js";
import { createCrew } from "../../crew.js";
import { parametersOf } from "../sampling.js";
import { computing, sentenceNodes, sentences, tooLarge } from "./text.js";

/**
 * @typedef {"signal" | "gradient"} Quantity
 * @typedef {{ layers: number, width: number, gain: number | "unit", layerNorm: boolean, residual: boolean, seeds: number }} Settings
 *   seeds: 1 … so many, a network each
 * @typedef {{ from: number, networks: number, becomes: number }} Loss
 *   so many networks have no size that a log axis could show, the first of them once so many layers are passed
 * @typedef {{ low: number[], middle: number[], high: number[], lost?: Loss }} Band
 *   of the networks, by the number of layers passed; NaN where one of them has NaN
 * @typedef {Record<Quantity, Band>} Bands
 * @typedef {{ settings: Settings, bands: Record<string, Bands> }} Drawn bands: by function
 * @typedef {Record<Quantity, Float64Array>} Run one network, by layers from the input
 */

export const QUANTITIES = /** @type {const} */ (["gradient", "signal"]);

/** @type {Record<string, number | "unit">} */
const GAINS = { one: 1, he: Math.SQRT2, unit: "unit" };

/**
 * @param {import("../../state.js").State} state
 * @returns {Settings}
 */
export function settingsOf(state) {
  return {
    layers: state["depth.layers"],
    width: Number(state["depth.width"]),
    gain: GAINS[state["depth.gain"]] ?? state["depth.factor"],
    layerNorm: state["depth.norm"] === "1",
    residual: state["depth.residual"] === "1",
    seeds: Number(state["depth.seeds"]),
  };
}

/** @param {string} fn @param {Settings} settings @param {Record<string, number>} params */
const keyOf = (fn, settings, params) => JSON.stringify([fn, params, ...Object.values(settings)]);

/**
 * @param {Run[]} runs
 * @returns {Bands}
 */
export const bandsOf = (runs) => ({
  gradient: bandOf(runs.map(({ gradient }) => gradient.slice().reverse())),
  signal: bandOf(runs.map(({ signal }) => signal)),
});

/**
 * @param {Float64Array[]} sizes of each network, by layers passed
 * @returns {Band}
 */
function bandOf(sizes) {
  const sorted = Array.from(sizes[0], (_, i) => {
    const values = sizes.map((size) => size[i]).sort((a, b) => a - b);
    return values.some(Number.isNaN) ? [Number.NaN] : values;
  });
  const lost = lossOf(sizes);
  return {
    low: sorted.map((values) => values[0]),
    middle: sorted.map((values) => values[values.length >> 1]),
    high: sorted.map((values) => values[values.length - 1]),
    ...(lost === null ? {} : { lost }),
  };
}

/**
 * @param {Float64Array[]} sizes
 * @returns {Loss | null}
 */
function lossOf(sizes) {
  const ends = sizes.map((size) => size.findIndex((value) => !(value > 0 && value < Number.POSITIVE_INFINITY)));
  const lost = ends.filter((end) => end >= 0);
  if (lost.length === 0) return null;
  const from = Math.min(...lost);
  return { from, networks: lost.length, becomes: sizes[ends.indexOf(from)][from] };
}

// ---------- live ----------

/** A slider that is being dragged asks for nothing yet. */
const PATIENCE = 150;
/** What comes sooner needs no announcement. */
const UNNOTICED = 300;
/** Workers that have nothing to do for so long give their memory back. */
const IDLE = 5000;
const WORKERS = 2;
/** Width squared times layers of a network that takes the page's own thread less than a frame. */
const LOCAL_LIMIT = 100_000;
/** Networks that are kept, so that going back costs nothing. */
const MOST_KEPT = 1000;

/**
 * @param {import("../../components/figure.js").Dependencies} deps
 * @param {import("../../components/figure.js").Host} host
 * @returns {import("../../components/figure.js").Model}
 */
export function createModel({ gelu, store, computed, networks, language }, host) {
  /** @type {Drawn} */
  const first = computed.depth;
  /** @type {Map<string, Run>} */
  const known = new Map();
  const plot = /** @type {HTMLElement} */ (host.root.querySelector(".plot"));
  const text = /** @type {HTMLElement} */ (host.root.querySelector(".fig-says"));
  const status = h("p", { class: "plot-status", hidden: true });
  const crew = createCrew(networks, WORKERS);
  /** @typedef {{ key: string, all: number, open: number, isTooLarge: boolean }} Task open: calls that have not come back */
  /** @type {Task | null} what is being computed, or waits for its turn */
  let task = null;
  let layers = store.state["depth.layers"];
  let isSeen = false;
  let hasFailed = false;
  let timer = 0;
  let idleTimer = 0;
  let noticeTimer = 0;

  /** @type {import("../../components/figure.js").Model} */
  const model = {
    data: first,
    update(changed) {
      if (changed.includes("depth.layers") && !changed.includes("depth.layer")) keepEnd();
      if (changed.some((key) => key.includes("."))) follow();
    },
    show(context) {
      const { zh, en } = sentences(context);
      text.replaceChildren(h("span", { lang: "zh-CN" }, sentenceNodes(zh)), h("span", { lang: "en" }, sentenceNodes(en)));
      // The reader wants it tried again.
      if (hasFailed) resume();
      hasFailed = false;
    },
    destroy() {
      task = null;
      clearTimeout(timer);
      clearTimeout(noticeTimer);
      document.removeEventListener("visibilitychange", resume);
      views.disconnect();
      crew.dismiss();
      status.remove();
    },
  };

  /** What the state asks for: every network by its key. */
  function wanted() {
    const settings = settingsOf(store.state);
    const { seeds, ...network } = settings;
    const fns = store.state["depth.fns"].map((/** @type {string} */ fn) => {
      const params = parametersOf(gelu, store.state, fn);
      const jobs = Array.from({ length: seeds }, (_, i) => ({
        key: keyOf(fn, { ...settings, seeds: i + 1 }, params),
        options: { ...network, activation: fn, params, seed: i + 1 },
      }));
      const isFirst =
        fn in first.bands &&
        JSON.stringify(settings) === JSON.stringify(first.settings) &&
        gelu.catalogue.find(({ id }) => id === fn)?.parameters.every(({ name, value }) => params[name] === value);
      return { fn, jobs, isFirst };
    });
    const missing = fns.flatMap(({ jobs, isFirst }) => (isFirst ? [] : jobs.filter(({ key }) => !known.has(key))));
    return { settings, fns, missing };
  }

  /** A cursor at the end of the networks stays there when they grow, and none lies beyond it. */
  function keepEnd() {
    const { "depth.layer": layer, "depth.layers": next } = store.state;
    if (layer >= layers || layer > next) store.set({ "depth.layer": next });
    layers = next;
  }

  /** Draws what is known; what is not, it sends for. */
  function follow() {
    const { settings, fns, missing } = wanted();
    const key = missing.map((job) => job.key).join();
    if (missing.length > 0 && key === task?.key) return;
    // What is being computed is of no use any more.
    if (task !== null && task.open > 0) crew.dismiss();
    clearTimeout(timer);
    task = null;
    if (missing.length === 0) {
      const bands = fns.map(({ fn, jobs, isFirst }) => [
        fn,
        isFirst ? first.bands[fn] : bandsOf(jobs.map(({ key: each }) => /** @type {Run} */ (known.get(each)))),
      ]);
      model.data = { settings, bands: Object.fromEntries(bands) };
      settle();
    } else {
      task = { key, all: missing.length, open: 0, isTooLarge: false };
      if (known.size > MOST_KEPT) known.clear();
      timer = window.setTimeout(start, PATIENCE);
      clearTimeout(noticeTimer);
      noticeTimer = window.setTimeout(notice, UNNOTICED);
    }
  }

  function settle() {
    clearTimeout(noticeTimer);
    notice();
    clearTimeout(idleTimer);
    idleTimer = window.setTimeout(() => task === null && crew.dismiss(), IDLE);
  }

  /** Greys what stands there and says what is being computed. */
  function notice() {
    const isLate = task !== null;
    host.root.toggleAttribute("data-late", isLate);
    status.hidden = !isLate;
    if (task === null) return status.replaceChildren();
    const sentence = task.isTooLarge ? tooLarge(LOCAL_LIMIT) : computing(task.all - wanted().missing.length, task.all);
    if (status.textContent === "") host.say(sentence[language()]);
    status.replaceChildren(bilingual(sentence));
  }

  async function start() {
    const own = task;
    if (own === null || own.open > 0 || !isSeen || document.hidden) return;
    try {
      const remotes = await crew.gather();
      if (own !== task || own.open > 0) return;
      const { missing, settings } = wanted();
      own.isTooLarge = remotes[0].isLocal && settings.width ** 2 * settings.layers > LOCAL_LIMIT;
      if (own.isTooLarge) notice();
      else await Promise.all(remotes.map((remote) => work(remote, missing, own)));
    } catch (error) {
      if (own !== task) return;
      // What was asked for with it never comes back.
      own.open = 0;
      crew.dismiss();
      hasFailed = true;
      host.fail(error);
    }
  }

  /**
   * @param {import("../../networks.js").Remote} remote
   * @param {{ key: string, options: object }[]} jobs that the workers take one after the other
   * @param {Task} own
   */
  async function work(remote, jobs, own) {
    while (own === task && isSeen && !document.hidden) {
      const job = jobs.shift();
      if (job === undefined) return;
      own.open += 1;
      known.set(job.key, await remote.call(0, "propagate", job.options));
      own.open -= 1;
      if (own !== task) return;
      if (!status.hidden) notice();
      if (wanted().missing.length === 0) finish();
    }
  }

  function finish() {
    follow();
    host.redraw();
  }

  function resume() {
    if (task !== null && isSeen && !document.hidden) start();
  }

  // Of the whole figure: on a phone its controls are far from its plot.
  const views = new IntersectionObserver((entries) => {
    isSeen = entries[entries.length - 1].isIntersecting;
    resume();
  });

  plot.append(status);
  views.observe(host.root);
  document.addEventListener("visibilitychange", resume);
  if (store.state["depth.layer"] > layers) store.set({ "depth.layer": layers });
  follow();
  return model;
}
