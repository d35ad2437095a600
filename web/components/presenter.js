/** Presenter mode: one figure a screen, a line below with the question, keys as a clicker sends them. */
import { bilingualText } from "../i18n/labels.js";
import { bilingual, h } from "./dom.js";
import { titleOf } from "./figure.js";
import { everythingElse, targetOf } from "./prompts.js";

/** @typedef {import("../state.js").Store} Store */
/**
 * @typedef {{ figure: HTMLElement, set: string, minutes: string, rows: Element[] }} Step rows: of the timetables, one a
 *   language; none where there is no question
 * @typedef {{
 *   store: Store, language: () => "zh" | "en", gestureEnded: () => void, ensure: (figure: Element) => void,
 *   refreshTheme: () => void,
 * }} Page
 */

/** Between a figure and the line below it. */
const GAP = 14;
const LEAST_PLOT = 220;
/** From here on readouts and controls stand beside the plot. */
const isWide = () => matchMedia("(width >= 56em)").matches;
/** How much larger a plot is drawn where a rem is 16 pixels: ticks of 13 are 18 then. */
const MAGNIFICATION = 1.4;

const root = document.documentElement;

/** What a clicker and a keyboard send. @type {Record<string, "next" | "previous" | "first" | "last" | "blank" | "answer" | "leave">} */
const KEYS = {
  ...{ PageDown: "next", PageUp: "previous", ArrowDown: "next", ArrowUp: "previous", Home: "first", End: "last" },
  ...{ b: "blank", B: "blank", ".": "blank", a: "answer", A: "answer", Escape: "leave" },
};

/**
 * @param {Page} page
 * @returns {{ start: (route: string) => void, resume: (isFromAddress: boolean) => void }} resume: where the state says
 */
export function createPresenter({ store, language, gestureEnded, ensure, refreshTheme }) {
  const figures = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main figure[data-figure]")]);

  const count = h("span", { class: "count" });
  const minutes = h("span", { class: "minutes" });
  const question = h("p", { class: "question" });
  const status = h("p", { class: "vh", role: "status" });
  const [before, after] = [
    iconButton("previousStep", "M9 2 4 7l5 5", () => go(-1)),
    iconButton("nextStep", "M5 2l5 5-5 5", () => go(1)),
  ];
  const reveal = button("answerWord", toggleAnswer);
  const line = h(
    "aside",
    { class: "step-line", "aria-label": [bilingualText("presenterLine").zh, bilingualText("presenterLine").en].join(" · ") },
    h("p", { class: "step-no" }, count, minutes),
    question,
    h("div", { class: "step-keys" }, reveal, before, after, button("leavePresenter", leave)),
    status,
  );
  const blank = h("div", { class: "blank", tabindex: "-1" });
  /** @type {Step[]} */
  let steps = [];
  /** @type {Step | null} the one on the screen */
  let now = null;
  /** @type {Element | null} */
  let focusBefore = null;

  // ---------- steps ----------

  /**
   * @param {string} route
   * @returns {Step[]} of a route what its timetable says, else every figure
   */
  function stepsOf(route) {
    if (route === "all") return figures.map((figure) => ({ figure, set: "", minutes: "", rows: [] }));
    const selector = `table.routes tr:has([data-route="${route}"])`;
    const [zh, en] = ["zh", "en"].map((tag) => [...document.querySelectorAll(`.block[lang|="${tag}"] ${selector}`)]);
    return zh.map((row, i) => {
      const link = /** @type {HTMLAnchorElement} */ (row.querySelector("a.show"));
      return {
        figure: /** @type {HTMLElement} */ (document.getElementById(link.hash.slice(1))),
        set: link.dataset.set ?? "",
        minutes: row.querySelector(`[data-route="${route}"]`)?.textContent ?? "",
        rows: [row, en[i]],
      };
    });
  }

  const isOn = () => store.state.presenter === "1";
  const place = () => Math.min(store.state.step, steps.length) - 1;

  /**
   * Goes to a step in the state that it asks for.
   * @param {number} at
   * @param {string} [route]
   */
  function present(at, route = store.state.route) {
    const all = stepsOf(route);
    const step = Math.max(0, Math.min(all.length - 1, at));
    const { figure, set } = all[step];
    const state = set === "" ? {} : { ...everythingElse(store, figure), ...Object.fromEntries(new URLSearchParams(set)) };
    store.set({ ...state, presenter: "1", route, step: step + 1 });
    gestureEnded();
  }

  /** @param {number} by */
  function go(by) {
    const at = place() + by;
    if (at >= 0 && at < steps.length) present(at);
  }

  function leave() {
    const last = now;
    store.reset(["presenter", "route", "step"]);
    gestureEnded();
    last?.figure.scrollIntoView({ block: "start", behavior: "instant" });
    focusOn(last);
  }

  /** @param {Step | null} step */
  function focusOn(step) {
    const figure = step?.figure;
    const control = figure?.querySelector("input.xaxis");
    if (figure && !control) figure.tabIndex = -1;
    /** @type {HTMLElement | undefined} */ (control ?? figure)?.focus({ preventScroll: true });
  }

  // ---------- the screen ----------

  function show() {
    const step = isOn() ? steps[place()] : null;
    const old = now;
    now = step;
    if (old && old.figure !== step?.figure) clear(old.figure);
    root.toggleAttribute("data-presenter", step !== null);
    if (step === null) {
      line.remove();
      return;
    }
    // With a value the screen is no longer waiting for this script.
    root.dataset.presenter = "on";
    step.figure.closest("section")?.setAttribute("data-presented", "");
    step.figure.dataset.presented = "";
    document.body.append(line);
    ensure(step.figure);
    step.figure.dispatchEvent(new CustomEvent("gelu:prompt"));
    showLine(step);
    scrollTo({ top: 0, behavior: "instant" });
    if (!line.contains(document.activeElement)) focusOn(step);
    try {
      history.replaceState(history.state, "", `${location.pathname}${location.search}#${step.figure.id}`);
    } catch {
      // A frame without an address of its own.
    }
  }

  /** @param {HTMLElement} figure */
  function clear(figure) {
    figure.closest("section")?.removeAttribute("data-presented");
    delete figure.dataset.presented;
    figure.style.removeProperty("--plot-h");
    figure.removeAttribute("data-tight");
    for (const control of figure.querySelectorAll("[data-spare]")) control.removeAttribute("data-spare");
    figure.removeAttribute("tabindex");
  }

  /** @param {Step} step */
  function showLine({ figure, minutes: own, rows }) {
    const at = place();
    count.textContent = `${at + 1} / ${steps.length}`;
    minutes.replaceChildren(own && label("ofMinutes", { minutes: own }));
    line.style.setProperty("--ticks", String(Math.max(1, steps.length - 1)));
    line.style.setProperty("--at", String(steps.length > 1 ? at / (steps.length - 1) : 0));
    showWords("ask");
    reveal.hidden = rows.length === 0;
    before.disabled = at === 0;
    after.disabled = at === steps.length - 1;
    const title = titleOf(figure, language());
    status.textContent = `${bilingualText("stepSaid", { at: at + 1, all: steps.length, title })[language()]} ${spoken()}`;
  }

  const spoken = () => question.querySelector(`[lang|="${language()}"]`)?.textContent ?? "";

  /** @param {"ask" | "answer"} what */
  function showWords(what) {
    reveal.setAttribute("aria-pressed", String(what === "answer"));
    const tags = ["zh-CN", "en"];
    const words = now?.rows.map((row, i) => h("span", { lang: tags[i] }, ...clones(row.querySelector(`.${what}`))));
    question.replaceChildren(...(words ?? []));
  }

  function toggleAnswer() {
    if (!now?.rows.length) return;
    showWords(reveal.getAttribute("aria-pressed") === "true" ? "ask" : "answer");
    status.textContent = spoken();
    fit();
  }

  /**
   * As much as the screen holds: the plot takes what height is left, then come the readouts, the controls that the step
   * names, and the others as long as there is room.
   */
  function fit() {
    if (now === null) return;
    const { figure, set } = now;
    // The question of the step is question enough.
    if (figure.dataset.asking !== undefined) figure.dispatchEvent(new CustomEvent("gelu:prompt"));
    const plot = /** @type {HTMLElement | null} */ (figure.querySelector(".plot"));
    root.style.setProperty("--step-line", `${line.offsetHeight}px`);
    for (const control of figure.querySelectorAll("[data-spare]")) control.removeAttribute("data-spare");
    if (plot === null || !isWide()) {
      figure.style.removeProperty("--plot-h");
      magnify(1);
      return;
    }
    const end = line.getBoundingClientRect().top - GAP;
    const bottom = (/** @type {Element} */ element) => element.getBoundingClientRect().bottom + scrollY;
    const column = /** @type {HTMLElement} */ (plot.parentElement);
    const free = Math.floor(plot.getBoundingClientRect().height + end - bottom(column));
    const height = Math.max(LEAST_PLOT, Math.min(innerHeight, free));
    figure.style.setProperty("--plot-h", `${height}px`);
    magnify(height / (Number(getComputedStyle(figure).getPropertyValue("--least")) || 1));
    const side = figure.querySelector(".fig-side");
    if (side === null) return;
    const controls = /** @type {HTMLElement[]} */ ([
      ...side.querySelectorAll(":scope > .ctls > *, :scope > :not(.read, .reads, .ctls)"),
    ]);
    const isNamed = (/** @type {HTMLElement} */ { dataset }) =>
      dataset.control !== undefined && set.includes(`${dataset.control}=`);
    const named = controls.filter(isNamed);
    const others = controls.filter((control) => !isNamed(control));
    const isFull = () => bottom(side) > end + 1;
    for (const control of others) control.dataset.spare = "";
    figure.removeAttribute("data-tight");
    figure.toggleAttribute("data-tight", isFull());
    if (isFull()) figure.removeAttribute("data-tight");
    for (const control of [...named].reverse()) if (isFull()) control.dataset.spare = "";
    for (const control of others) {
      delete control.dataset.spare;
      if (isFull()) control.dataset.spare = "";
    }
  }

  /**
   * Letters, lines and distances in the plots grow with the screen.
   * @param {number} most what the figure bears
   */
  function magnify(most) {
    const size = Number.parseFloat(getComputedStyle(root).fontSize);
    const wanted = String(Math.min((MAGNIFICATION * size) / 16, most));
    if (root.style.getPropertyValue("--magnification") === wanted) return;
    root.style.setProperty("--magnification", wanted);
    refreshTheme();
  }

  // ---------- keys ----------

  function toggleBlank() {
    if (blank.isConnected) {
      blank.remove();
      /** @type {HTMLElement | null} */ (focusBefore)?.focus({ preventScroll: true });
      return;
    }
    focusBefore = document.activeElement;
    document.body.append(blank);
    blank.focus({ preventScroll: true });
    status.textContent = bilingualText("blanked")[language()];
  }

  /** @param {KeyboardEvent} event */
  function onkeydown(event) {
    if (now === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const taken = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (blank.isConnected) {
      if (key === "Shift") return;
      taken();
      toggleBlank();
      return;
    }
    const target = /** @type {Element} */ (event.target);
    const action = KEYS[key];
    // A figure's own fields and radios keep the keys that they need; a clicker's go through everywhere.
    const isWriting = target.matches(
      "textarea, select, [contenteditable], input:not([type='range'], [type='radio'], [type='checkbox'])",
    );
    const isIdle = target === document.body || target === now.figure || target.matches(".xaxis") || line.contains(target);
    const isFree = key.startsWith("Page")
      ? !target.matches("textarea")
      : key.length === 1
        ? !isWriting
        : isIdle || key === "Escape";
    if (!isFree) return;
    if (key === "ArrowLeft" || key === "ArrowRight") return moveX(event, target, taken);
    if (action === undefined) return;
    taken();
    if (action === "next") go(1);
    else if (action === "previous") go(-1);
    else if (action === "first") present(0);
    else if (action === "last") present(steps.length - 1);
    else if (action === "blank") toggleBlank();
    else if (action === "answer") toggleAnswer();
    else leave();
  }

  /**
   * The arrows move x wherever the focus is.
   * @param {KeyboardEvent} event
   * @param {Element} target
   * @param {() => void} taken
   */
  function moveX({ key, shiftKey }, target, taken) {
    const control = now?.figure.querySelector("input.xaxis");
    if (!control || target === control) return;
    taken();
    control.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey }));
    gestureEnded();
  }

  addEventListener("keydown", onkeydown, true);
  blank.addEventListener("pointerdown", toggleBlank);
  // A link of a quiz leads to a figure: that one then has the screen, in the state that the link has set.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a.show");
    if (now === null || !(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    const figure = targetOf(link, link.dataset.set ?? "");
    if (figure) present(figures.indexOf(figure), "all");
  });

  // ---------- life ----------

  const sizes = new ResizeObserver(() => requestAnimationFrame(fit));
  addEventListener("resize", () => {
    if (now === null) return;
    refreshTheme();
    fit();
  });

  /** The route, the step or the mode has changed. */
  function update() {
    const wasOn = now !== null;
    steps = isOn() ? stepsOf(store.state.route) : [];
    show();
    sizes.disconnect();
    if (now !== null) for (const part of [now.figure, line]) sizes.observe(part);
    if (now === null) root.style.removeProperty("--magnification");
    if (wasOn !== (now !== null)) refreshTheme();
    fit();
  }

  store.subscribe((changed) => {
    if (["presenter", "route", "step"].some((key) => changed.includes(key))) update();
    else if (now !== null && changed.includes("lang")) fit();
  });

  /** @param {string} route */
  function start(route) {
    present(route === "all" ? figureInView() : 0, route);
    // The state may have said so before this script came.
    if (now === null) update();
  }

  /** Who starts in the middle of the text goes on from there. */
  function figureInView() {
    const next = figures.findIndex((figure) => figure.getBoundingClientRect().bottom > innerHeight / 4);
    return Math.max(0, next);
  }

  /** @param {boolean} isFromAddress one that says no more than where to start gets the state of that step, too */
  function resume(isFromAddress) {
    const places = ["presenter", "route", "step", "lang", "theme"];
    const said = [...new URLSearchParams(location.search).keys()].every((key) => places.includes(key));
    steps = stepsOf(store.state.route);
    if (isFromAddress && said) present(place());
    update();
  }

  return { start, resume };
}

/** @typedef {import("../i18n/labels.js").Label} Label */

const label = (/** @type {Label} */ key, values = {}) => bilingual(bilingualText(key, values));

const button = (/** @type {Label} */ key, /** @type {() => void} */ onclick, values = {}) =>
  h("button", { class: "btn", type: "button", onclick }, label(key, values));

/** A chevron with its words for who does not see it. */
const iconButton = (/** @type {Label} */ key, /** @type {string} */ d, /** @type {() => void} */ onclick) =>
  h("button", { class: "btn", type: "button", onclick }, h("span", { class: "vh" }, label(key)), chevron(d));

/** @param {Element | null} element */
const clones = (element) => [...(element?.childNodes ?? [])].map((node) => node.cloneNode(true));

const chevron = (/** @type {string} */ d) =>
  h("svg:svg", { viewBox: "0 0 14 14", width: 16, height: 16, "aria-hidden": "true" }, h("svg:path", { d }));
