/** Figure `race` at work: its buttons, its runs, the small plots and the words below them. */
import { createControl, functionWord } from "../../components/controls.js";
import { bilingual, h } from "../../components/dom.js";
import { createMessage, PATIENCE } from "../../components/message.js";
import { fixed, percent } from "../../components/numbers.js";
import { createCrew } from "../../crew.js";
import { namesOf } from "../../i18n/functions.js";
import { bilingualText } from "../../i18n/labels.js";
import { loadPart } from "../../parts.js";
import { sceneToSvg } from "../../svg.js";
import { median } from "./curve.js";
import { bandOf, curvesOf, frontOf, isSameRun, NETWORK_KEYS, networkOf, planOf, shownOf } from "./numbers.js";
import { MORE_SETTINGS } from "./settings.js";
import { smallScene } from "./small.js";
import { outcomeSentences } from "./words.js";

/**
 * @typedef {import("../../components/figure.js").Context} Context
 * @typedef {import("../../components/figure.js").Model} Model
 * @typedef {import("../../i18n/labels.js").Label} Label
 * @typedef {import("./numbers.js").Curve} Curve
 */

/** Between two drawings, in milliseconds. */
const PAUSE = 100;
/** Of an epoch, where the reader wants to watch. */
const SLOW = 500;
/** After a setting was moved, before a run that was under way starts anew with it. */
const SETTLED = 400;

/** Four functions with five seeds each. */
const MOST_JOBS = 4 * 5;

const NETWORK = NETWORK_KEYS.map((key) => `race.${key}`);
const ICONS = {
  play: "M2 1l9 5-9 5z",
  pause: "M2 1h3v10H2zM7 1h3v10H7z",
  step: "M1 1l7 5-7 5zM9 1h2v10H9z",
  back: "M11 1L4 6l7 5zM1 1h2v10H1z",
};

/** @param {keyof typeof ICONS} name */
const icon = (name) =>
  h("svg:svg", { class: "g", viewBox: "0 0 12 12", "aria-hidden": "true" }, h("svg:path", { d: ICONS[name] }));

/**
 * @param {import("../../components/figure.js").Dependencies} deps
 * @param {import("../../components/figure.js").Host} host
 * @returns {Model}
 */
export function createRaceModel(deps, host) {
  const { store, gelu } = deps;
  const before = deps.computed.race;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  /** @type {ReturnType<typeof import("./training.js").createRun> | null} */
  let run = null;
  const crew = createCrew(deps.networks, MOST_JOBS);
  /** @type {import("../../networks.js").Remote[]} */
  let remotes = [];
  /** What the reader wants: all of it, to the end of an epoch, nothing more. @type {"all" | "epoch" | "none"} */
  let wanted = "none";
  let goal = 0;
  let isLoading = false;
  let isSeen = true;
  let isFollowing = false;
  let isMoving = false;
  /** Every change of the network is another time: what was begun in an earlier one is dropped. */
  let era = 0;
  let drawing = 0;
  let clock = 0;
  let restart = 0;
  /** Since when this run goes without a pause, and what was done by then. */
  let pace = { since: 0, done: 0 };
  let drawnFront = -1;

  const plan = () => planOf(gelu, store.state);
  const curves = () => curvesOf({ gelu, state: store.state, data: model.data });
  const isOver = () => curves().every(({ end }) => end !== null);
  const isGoing = () => wanted !== "none";

  // ---------- the run ----------

  /** @param {"all" | "epoch"} wish */
  async function start(wish) {
    clearTimeout(restart);
    // Without a function there would be nothing that ends.
    if (store.state["race.fns"].length === 0) return;
    trouble.clear();
    wanted = wish;
    const isNew = run === null || isOver();
    if (isNew) {
      drop();
      if (!(await begin())) return;
      isFollowing = true;
      moveTo(0);
      host.redraw();
    } else {
      isFollowing ||= store.state["race.epoch"] >= frontOf(curves());
    }
    goal = Math.max(0, frontOf(curves())) + 1;
    pace = { since: performance.now(), done: run?.progress().done ?? 0 };
    go();
    drawSoon();
  }

  /** @returns {Promise<boolean>} whether it may go on: the reader may have thought better of it */
  async function begin() {
    const now = era;
    isLoading = true;
    const timer = setTimeout(() => host.redraw(), PATIENCE);
    try {
      const [gathered, digits, { createRun }] = await Promise.all([crew.gather(), deps.digits(), loadPart("pressed")]);
      if (now !== era) return false;
      remotes = gathered;
      const network = networkOf(store.state);
      run = createRun({ network, digits, remotes, changed, fail: failed }, plan());
      model.data = { own: run };
      return true;
    } catch (error) {
      if (now === era) refused(error);
      return false;
    } finally {
      clearTimeout(timer);
      if (now === era) isLoading = false;
    }
  }

  /** What is shown is no longer what the settings say. */
  function drop() {
    era += 1;
    run?.end();
    run = null;
    isLoading = false;
    drawnFront = -1;
    model.data = before;
  }

  function go() {
    clearInterval(clock);
    if (!isSeen || document.hidden || wanted === "none") return run?.go(-1);
    if (wanted === "epoch") return run?.go(goal);
    if (store.state["race.speed"] === "full") return run?.go(Number.POSITIVE_INFINITY);
    run?.go(goal);
    clock = window.setInterval(() => {
      if (frontOf(curves()) >= goal) goal += 1;
      run?.go(goal);
    }, SLOW);
  }

  function pause() {
    clearTimeout(restart);
    wanted = "none";
    // A run that still loads is not begun.
    if (run === null) drop();
    go();
    host.redraw();
  }

  function startOver() {
    clearTimeout(restart);
    trouble.clear();
    wanted = "none";
    clearInterval(clock);
    drop();
    isFollowing = false;
    moveTo(Math.max(0, frontOf(curves())));
    host.redraw();
  }

  function giveUp() {
    wanted = "none";
    drop();
    crew.dismiss();
  }

  /** @param {unknown} error in a run */
  function failed(error) {
    giveUp();
    host.fail(error);
  }

  /** @param {unknown} error before a run: what is shown was computed before and stays */
  function refused(error) {
    giveUp();
    trouble.failed(error);
    host.redraw();
  }

  function changed() {
    const all = curves();
    if (isOver()) {
      wanted = "none";
      clearInterval(clock);
      const language = deps.language();
      const [first = []] = sentencesNow(language, frontOf(all));
      host.say(plainText(first, language));
    } else if (wanted === "epoch" && frontOf(all) >= goal) {
      wanted = "none";
    }
    drawSoon();
  }

  // ---------- drawing ----------

  function drawSoon() {
    if (drawing === 0) drawing = window.setTimeout(drawNow, PAUSE);
  }

  function drawNow() {
    drawing = 0;
    if (run === null) return host.redraw();
    const front = frontOf(curves());
    // Who wants calm sees every fifth epoch.
    if (calm.matches && isGoing() && front % 5 !== 0 && front !== drawnFront) return;
    drawnFront = front;
    if (isFollowing && front >= 0) moveTo(front);
    host.redraw();
  }

  /** The cursor, by us and not by the reader. @param {number} epoch */
  function moveTo(epoch) {
    isMoving = true;
    store.set({ "race.epoch": epoch });
    isMoving = false;
  }

  // ---------- buttons and progress ----------

  const progress = h("progress", { max: 1, value: 0, "aria-hidden": "true" });
  const counted = h("output", { "data-readout": "progress", "aria-live": "off" });
  const left = h("output", { "data-readout": "timeLeft", "aria-live": "off" });
  const main = h("button", { class: "btn main", type: "button", "data-run": "main", onclick: press });
  const one = button("step", "oneEpoch", () => void start("epoch"));
  const over = button("back", "startOver", startOver);
  const source = h("p", { class: "help" });
  /** Why the last press came to nothing. */
  const trouble = createMessage();
  const controls = h(
    "div",
    { class: "run" },
    h("div", { class: "prog" }, h("span", { class: "k" }, bilingual(bilingualText("epoch"))), counted, progress),
    h("div", { class: "row" }, main, one, over),
    source,
    trouble.element,
  );

  /** @param {keyof typeof ICONS} name @param {Label} label @param {() => void} act */
  function button(name, label, act) {
    return h(
      "button",
      { class: "btn", type: "button", "data-run": label, onclick: act },
      icon(name),
      bilingual(bilingualText(label)),
    );
  }

  function press() {
    if (isGoing()) pause();
    else void start("all");
  }

  /** @param {Label} label @param {keyof typeof ICONS} name */
  function nameMain(label, name) {
    if (main.dataset.says === label) return;
    main.dataset.says = label;
    main.replaceChildren(icon(name), bilingual(bilingualText(label)));
  }

  /** @param {Curve[]} all */
  function showRun(all) {
    const limit = store.state["race.limit"];
    const front = Math.max(0, frontOf(all));
    counted.textContent = `${front} / ${limit}`;
    counted.dataset.value = String(front);
    const { done, most } = run?.progress() ?? { done: front, most: limit };
    progress.max = Math.max(1, most);
    progress.value = done;
    if (isGoing()) nameMain("pause", "pause");
    else if (run !== null) nameMain(isOver() ? "runAgain" : "continueRun", "play");
    else nameMain("train", "play");
    main.disabled = !isGoing() && store.state["race.fns"].length === 0;
    one.disabled = main.disabled || isGoing() || (run !== null && isOver());
    over.disabled = run === null && !isGoing();
    source.replaceChildren(...sourceText(all, done, most));
  }

  /** Where what is shown comes from. @param {Curve[]} all @param {number} done @param {number} most @returns {Node[]} */
  function sourceText(all, done, most) {
    const say = (/** @type {Label} */ key, /** @type {Record<string, string | number>} */ values = {}) =>
      bilingual(bilingualText(key, values));
    if (isLoading) return [say("loadingNetworks")];
    if (run === null) return [say(all.some(({ last }) => last >= 0) ? "computedBefore" : "press")];
    if (wanted === "all" && done - pace.done >= 8) {
      const seconds = Math.ceil(((performance.now() - pace.since) / (done - pace.done) / 1000) * (most - done));
      left.dataset.value = String(seconds);
      left.replaceChildren(say("timeLeft", { seconds }));
      return [left];
    }
    const isLocal = remotes.some((remote) => remote.isLocal);
    const parts = [isLocal ? say("computedHereLocal") : say("computedHere", { workers: remotes.length })];
    const isSame = before === undefined || !isOver() ? null : isSameRun(before, all, { gelu, state: store.state });
    if (isSame !== null) parts.push(say(isSame ? "computedSame" : "computedOther"));
    return parts;
  }

  // ---------- small plots ----------

  const smalls = h("div", { class: "mults" });
  const more = createControl(MORE_SETTINGS, store);
  const words = h("div", { class: "outcome" });
  host.root.querySelector(".fig-plot")?.append(words);
  let width = 220;
  // Asked for at every state, it would have the browser lay out the whole page each time.
  const widths = new ResizeObserver(([entry]) => {
    const own = Math.max(140, Math.round(entry.contentRect.width));
    if (own === width || entry.contentRect.width === 0) return;
    width = own;
    host.redraw();
  });
  /** @type {{ fn: string, cells: Record<string, { value: HTMLElement, of: HTMLElement, plot: HTMLElement, row: HTMLElement }> }[]} */
  let multiples = [];

  /** @param {string[]} fns */
  function buildSmalls(fns) {
    if (multiples.map(({ fn }) => fn).join() === fns.join()) return;
    multiples = fns.map((fn) => ({ fn, cells: {} }));
    smalls.replaceChildren(
      ...multiples.map(({ fn, cells }) =>
        h(
          "div",
          { class: "mult" },
          h("p", { class: "mult-name" }, functionWord(fn)),
          /** @type {const} */ (["validationAccuracy", "unitsOff", "timePerStep"]).flatMap((label) => {
            const value = h("output", { "data-readout": `${label}.${fn}`, "aria-live": "off" });
            const of = h("small");
            const plot = h("div", { class: "mult-plot" });
            const row = h(
              "p",
              { class: "mult-row" },
              h("span", null, bilingual(bilingualText(label))),
              h("span", null, value, of),
            );
            cells[label] = { value, of, plot, row };
            return [row, plot];
          }),
        ),
      ),
    );
    widths.disconnect();
    if (smalls.firstElementChild !== null) widths.observe(smalls.firstElementChild);
  }

  /** @param {Context} now @param {Curve[]} all */
  function showSmalls(now, all) {
    buildSmalls(all.map(({ fn }) => fn));
    const units = now.state["race.hidden"] * now.state["race.blocks"];
    const look = { limit: now.state["race.limit"], width, units };
    all.forEach((curve, i) => {
      const { cells } = multiples[i];
      const epoch = Math.min(curve.last, now.state["race.epoch"]);
      const at = (/** @type {import("./numbers.js").Quantity} */ quantity) => bandOf(curve, quantity, epoch).middle;
      const isThere = epoch >= 0;
      fill(cells.validationAccuracy.value, isThere ? at("validationAccuracy") : null, percent);
      fill(cells.unitsOff.value, isThere ? Math.round(at("offForSet") * units) : null, String);
      cells.unitsOff.of.textContent = ` / ${units}`;
      const times = curve.seeds.flatMap((epochs) => epochs.map(({ stepMs }) => stepMs).filter((ms) => ms >= 0));
      cells.timePerStep.row.hidden = run === null;
      fill(cells.timePerStep.value, times.length > 0 ? median(times) : null, (ms) => `${fixed(ms, 2)} ms`);
      draw(cells.validationAccuracy.plot, smallScene(all, i, "validationAccuracy", look), `${curve.fn}-accuracy`);
      draw(cells.unitsOff.plot, smallScene(all, i, "offForSet", look), `${curve.fn}-off`);
    });
  }

  /** @param {HTMLElement} output @param {number | null} value @param {(value: number) => string} write */
  function fill(output, value, write) {
    output.textContent = value === null ? "—" : write(value);
    if (value === null) delete output.dataset.value;
    else output.dataset.value = String(value);
  }

  /** @param {HTMLElement} place @param {ReturnType<typeof smallScene>} small @param {string} id */
  function draw(place, { scene, width, height }, id) {
    // The numbers beside it and the table say the same.
    place.setAttribute("aria-hidden", "true");
    place.innerHTML = sceneToSvg(scene, null, { width, height, id: `small-${id}`, title: "" });
  }

  // ---------- words ----------

  /** @param {"zh" | "en"} language @param {number} epoch */
  const sentencesNow = (language, epoch) =>
    outcomeSentences(curves(), shownOf(store), epoch, { patience: Number(store.state["race.patience"]), language });

  /** @param {import("./words.js").Part[]} parts @param {"zh" | "en"} language */
  const plainText = (parts, language) =>
    parts.map((part) => (typeof part === "string" ? part : "fn" in part ? namesOf(part.fn)[language] : part.text)).join("");

  /** @param {import("./words.js").Part} part */
  function node(part) {
    if (typeof part === "string") return part;
    if ("fn" in part) return functionWord(part.fn);
    return h("output", { "data-readout": part.name, "data-value": part.value, "aria-live": "off" }, part.text);
  }

  let written = "";

  /** @param {Context} now */
  function showWords({ state, language }) {
    const sentences = sentencesNow(language, state["race.epoch"]);
    const text = JSON.stringify([language, sentences]);
    if (text === written) return;
    written = text;
    const joint = language === "zh" ? "" : " ";
    words.lang = language === "zh" ? "zh-CN" : "en";
    words.replaceChildren(
      h(
        "p",
        null,
        sentences.flatMap((parts) => [...parts.map(node), joint]),
      ),
    );
  }

  // ---------- life ----------

  const seen = () => {
    pace = { since: performance.now(), done: run?.progress().done ?? 0 };
    go();
  };
  document.addEventListener("visibilitychange", seen);

  /** @type {Model} */
  const model = {
    data: before,
    controls: [controls],
    parts: [more.element, smalls],
    update(changedKeys) {
      if (changedKeys.includes("race.epoch") && !isMoving) isFollowing = store.state["race.epoch"] === frontOf(curves());
      if (changedKeys.some((key) => NETWORK.includes(key))) {
        const wasGoing = wanted === "all";
        wanted = "none";
        clearInterval(clock);
        drop();
        clearTimeout(restart);
        if (wasGoing) restart = window.setTimeout(() => void start("all"), SETTLED);
      } else if (run !== null) {
        run.setPlan(plan());
      }
      if (changedKeys.includes("race.speed")) go();
      if (store.state["race.epoch"] > store.state["race.limit"]) queueMicrotask(() => moveTo(store.state["race.limit"]));
    },
    show(now) {
      // What moves the cursor has everything drawn afterwards.
      if (isMoving) return;
      const all = curves();
      showRun(all);
      more.update();
      showSmalls(now, all);
      showWords(now);
    },
    reset: startOver,
    rest(isInView) {
      if (isInView === isSeen) return;
      isSeen = isInView;
      seen();
    },
    destroy() {
      clearTimeout(restart);
      clearTimeout(drawing);
      clearInterval(clock);
      document.removeEventListener("visibilitychange", seen);
      widths.disconnect();
      run?.end();
      crew.dismiss();
    },
  };
  return model;
}
