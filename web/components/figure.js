/** The frame that all plotted figures share: plot with its x control, readouts, controls, data table, reset. */
import { namesOf } from "../i18n/functions.js";
import { bilingualText, translator } from "../i18n/labels.js";
import { frameOf } from "../scene.js";
import { createControl } from "./controls.js";
import { createTable } from "./datatable.js";
import { bilingual, h } from "./dom.js";
import { decimalsOf, fixed } from "./numbers.js";
import { createReadouts } from "./readouts.js";

/**
 * @typedef {import("../state.js").State} State
 * @typedef {import("../i18n/labels.js").Label} Label
 * @typedef {{
 *   gelu: import("../kernels.js").Gelu, state: State, variant: string, width: number, height: number,
 *   density: number, language: "zh" | "en",
 *   text: (key: Label, values?: Record<string, string | number>) => string, bilingualText: typeof bilingualText,
 *   nameOf: (fn: string) => string, formulaOf: (fn: string) => string,
 * }} Context density: points per pixel
 * @typedef {{ name?: string, value?: number, text: string | { zh: string, en: string } }} Note
 * @typedef {{ name: string, fn: string, suffix?: string, value: number, text: string, note?: Note }} Readout
 * @typedef {{ xs: Float64Array, columns: { name: string, fn?: string, values: Float64Array }[] }} DataTable
 * @typedef {{
 *   name: string,
 *   parameters: ({ name: string } & Record<string, any>)[],
 *   range: (context: Context) => [number, number],
 *   unit?: (context: Context) => { zh: string, en: string },
 *   scene: (context: Context) => import("../scene.js").Scene,
 *   readouts: (context: Context) => Readout[],
 *   table: (context: Context) => DataTable,
 *   cursorPoints: (context: Context) => { fn: string, y: number }[],
 *   controls: (context: Context) => import("./controls.js").ControlSpec[],
 *   resets: (context: Context) => string[],
 *   mount: (root: HTMLElement, deps: Dependencies) => MountedFigure,
 * }} FigureDefinition
 * @typedef {{
 *   gelu: import("../kernels.js").Gelu, store: import("../state.js").Store, createChart: typeof import("../chart.js").createChart,
 *   theme: () => import("../theme.js").Theme, language: () => "zh" | "en", gestureEnded: () => void,
 * }} Dependencies
 * @typedef {{ update(changed: string[]): void, setTheme(): void, highlight(fn: string): void, destroy(): void }} MountedFigure
 */

/**
 * @param {Pick<Context, "gelu" | "state" | "variant" | "width" | "height" | "density" | "language">} own
 * @returns {Context}
 */
export function createContext(own) {
  const { language } = own;
  return {
    ...own,
    text: translator(language),
    bilingualText,
    nameOf: (fn) => namesOf(fn)[language],
    formulaOf: (fn) => namesOf(fn).formula.replace(/\bx\b/g, "*x*"),
  };
}

/**
 * The cursor of a figure at the page's x.
 * @param {FigureDefinition} definition
 * @param {Context} context
 * @param {boolean} hint chevrons that say "this moves"
 * @returns {import("../scene.js").Cursor}
 */
export function cursorOf(definition, context, hint) {
  const { x } = context.state;
  const [from, to] = definition.range(context);
  // The wide hero has x in its readout, on the plot itself.
  const flag = context.variant === "compact" && context.width >= 900 ? "" : `*x* = ${xText(x, from, to)}`;
  return { x, flag, points: definition.cursorPoints(context), hint };
}

/** One key press moves x by this: a round part of the range, 0.01 for ranges of about ten. */
const xStep = (/** @type {number} */ from, /** @type {number} */ to) => 10 ** Math.floor(Math.log10((to - from) / 400));
const xDecimals = (/** @type {number} */ from, /** @type {number} */ to) => Math.max(2, decimalsOf(xStep(from, to)));
/** x as shown: to the step, and further where the reader typed more. */
const xText = (/** @type {number} */ x, /** @type {number} */ from, /** @type {number} */ to) =>
  fixed(x, Math.max(xDecimals(from, to), Math.min(4, decimalsOf(x))));

/**
 * @param {FigureDefinition} definition
 * @param {HTMLElement} root the figure element that the build has made
 * @param {Dependencies} deps
 * @returns {MountedFigure}
 */
export function mountFigure(definition, root, deps) {
  const { store } = deps;
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
  const plot = find(".plot");
  const canvas = h("canvas", { role: "img" });
  const range = h("input", { class: "xaxis", type: "range", name: "x", step: "any" });
  const chart = deps.createChart(canvas, deps.theme());
  const readouts = createReadouts(root, definition, (x) => store.set({ x }), deps.gestureEnded);
  const controls = definition.controls(context()).map((spec) => createControl(spec, store));
  const table = createTable(root);
  let touched = false;
  let drawing = 0;
  let sceneIsOld = true;

  function context() {
    return createContext({
      gelu: deps.gelu,
      state: store.state,
      variant: root.dataset.variant ?? "",
      width: plot.clientWidth,
      height: plot.clientHeight,
      density: Math.min(2, window.devicePixelRatio || 1),
      language: deps.language(),
    });
  }

  /**
   * What the hand sets falls on whole steps; what is typed is taken as it is.
   * @param {number} x
   */
  function moveX(x) {
    const [from, to] = definition.range(context());
    store.set({ x: Number(x.toFixed(xDecimals(from, to))) });
  }

  // ---------- drawing ----------

  function draw() {
    drawing = 0;
    if (plot.clientWidth === 0) return;
    const now = context();
    const cursor = cursorOf(definition, now, !touched);
    if (sceneIsOld) {
      const scene = definition.scene(now);
      chart.draw(scene, cursor);
      placeControl(scene, now);
      sceneIsOld = false;
    } else {
      chart.moveCursor(cursor);
    }
  }

  function requestDraw() {
    if (drawing === 0) drawing = requestAnimationFrame(guard(draw));
  }

  /**
   * Lays the range input over the drawn axis, its knob centred on the values at the ends.
   * @param {import("../scene.js").Scene} scene
   * @param {Context} now
   */
  function placeControl(scene, now) {
    const frame = frameOf(scene, now.width, now.height);
    range.style.left = `${frame.left - KNOB / 2}px`;
    range.style.width = `${frame.right - frame.left + KNOB}px`;
    range.style.top = `${frame.bottom}px`;
  }

  /** Texts and values that must be right at once: readouts, controls, what a screen reader hears. */
  function show() {
    const now = context();
    const [from, to] = definition.range(now);
    range.min = String(from);
    range.max = String(to);
    range.value = String(now.state.x);
    const x = xText(now.state.x, from, to);
    range.setAttribute("aria-label", now.text("moveX"));
    range.setAttribute("aria-valuetext", `x = ${x}`);
    const rows = definition.readouts(now);
    readouts.show(now, rows, x);
    for (const control of controls) control.update();
    if (definition.unit) showUnit(root, definition.unit(now));
    canvas.setAttribute("aria-label", `${titleOf(root, now.language)}. x = ${x}; ${sentence(now, rows)}`);
    if (table.isOpen()) table.show(now, definition.table(now));
    announce(root, `x = ${x}; ${sentence(now, rows)}`);
  }

  // ---------- input ----------

  range.addEventListener("input", () => moveX(Number(range.value)));
  range.addEventListener("change", deps.gestureEnded);
  range.addEventListener("keyup", deps.gestureEnded);
  range.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const [from, to] = definition.range(context());
    const next = keyTarget(event, store.state.x, from, to);
    if (next === null) return;
    event.preventDefault();
    moveX(next);
  });

  /** @param {PointerEvent} event */
  function follow(event) {
    const now = context();
    const frame = frameOf(definition.scene({ ...now, density: 0.01 }), now.width, now.height);
    const [from, to] = definition.range(now);
    const share = (event.clientX - plot.getBoundingClientRect().left - frame.left) / (frame.right - frame.left);
    moveX(from + Math.min(1, Math.max(0, share)) * (to - from));
  }

  canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    range.focus({ preventScroll: true });
    follow(event);
  });
  canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (canvas.hasPointerCapture(event.pointerId)) follow(event);
  });
  canvas.addEventListener("pointerup", deps.gestureEnded);

  // ---------- life ----------

  /**
   * An error in one figure stays in it.
   * @template {any[]} A
   * @param {(...args: A) => void} action
   * @returns {(...args: A) => void}
   */
  function guard(action) {
    return (...args) => {
      try {
        action(...args);
      } catch (error) {
        fail(root, error, () => {
          sceneIsOld = true;
          show();
          draw();
        });
      }
    };
  }

  const refresh = guard((/** @type {string[]} */ changed) => {
    touched ||= changed.includes("x");
    sceneIsOld ||= changed.some((key) => key !== "x");
    show();
    requestDraw();
  });

  const observer = new ResizeObserver(
    guard(() => {
      if (plot.clientWidth === 0) return;
      chart.resize(plot.clientWidth, plot.clientHeight);
      sceneIsOld = true;
      requestDraw();
    }),
  );

  plot.append(canvas, range);
  find(".fig-side").append(
    ...readouts.sideElements,
    h(
      "div",
      { class: "ctls" },
      controls.map((control) => control.element),
    ),
  );
  find(".fig-foot").append(
    toolbar([
      ["dataTable", table.toggle(() => table.show(context(), definition.table(context())))],
      ["reset", () => store.reset(definition.resets(context()))],
    ]),
  );
  guard(() => {
    chart.resize(plot.clientWidth, plot.clientHeight);
    show();
    draw();
    table.close();
    root.dataset.state = "ready";
  })();
  observer.observe(plot);

  return {
    update: refresh,
    setTheme: guard(() => {
      chart.setTheme(deps.theme());
      sceneIsOld = true;
      show();
      requestDraw();
    }),
    highlight: guard((/** @type {string} */ fn) => chart.highlight(fn)),
    destroy() {
      cancelAnimationFrame(drawing);
      observer.disconnect();
      chart.destroy();
    },
  };
}

const KNOB = 24;

/**
 * Where a key takes x: arrows one step, with Shift ten, Page a tenth of the range, Home and End its ends.
 * @param {KeyboardEvent} event
 * @param {number} x
 * @param {number} from
 * @param {number} to
 */
function keyTarget({ key, shiftKey, ctrlKey, metaKey, altKey }, x, from, to) {
  if (ctrlKey || metaKey || altKey) return null;
  const step = xStep(from, to) * (shiftKey ? 10 : 1);
  const inside = (/** @type {number} */ value) => Math.min(to, Math.max(from, value));
  if (key === "ArrowLeft" || key === "ArrowDown") return inside(x - step);
  if (key === "ArrowRight" || key === "ArrowUp") return inside(x + step);
  if (key === "PageDown") return inside(x - (to - from) / 10);
  if (key === "PageUp") return inside(x + (to - from) / 10);
  if (key === "Home") return from;
  return key === "End" ? to : null;
}

/**
 * @param {Context} context
 * @param {Readout[]} rows
 */
const sentence = (context, rows) => rows.map((row) => `${context.nameOf(row.fn)}${row.suffix ?? ""} ${row.text}`).join(", ");

/**
 * @param {HTMLElement} root
 * @param {"zh" | "en"} language
 */
const titleOf = (root, language) => root.querySelector(`.fig-title [lang|="${language}"]`)?.textContent ?? root.dataset.figure;

/**
 * What is drawn and on which scale, beside the title.
 * @param {HTMLElement} root
 * @param {{ zh: string, en: string }} unit
 */
function showUnit(root, unit) {
  for (const [language, text] of Object.entries(unit)) {
    const title = root.querySelector(`.fig-title [lang|="${language}"]`);
    if (title === null) continue;
    const small = title.querySelector("small") ?? title.appendChild(h("small"));
    small.textContent = text;
  }
}

/** @type {WeakMap<Element, number>} */
const spokenAt = new WeakMap();
/** @type {WeakMap<Element, number>} */
const speaking = new WeakMap();

/**
 * Says the readings in the section's status line, at most once a second, and only for the figure that has the focus.
 * @param {HTMLElement} root
 * @param {string} sentence
 */
function announce(root, sentence) {
  const line = root.closest("section")?.querySelector('[role="status"]');
  if (!line || !root.contains(document.activeElement)) return;
  clearTimeout(speaking.get(line));
  const wait = Math.max(0, (spokenAt.get(line) ?? -1000) + 1000 - performance.now());
  speaking.set(
    line,
    window.setTimeout(() => {
      line.textContent = sentence;
      spokenAt.set(line, performance.now());
    }, wait),
  );
}

/** @param {[Label, () => void][]} tools */
function toolbar(tools) {
  return h(
    "ul",
    { class: "tools" },
    tools.map(([label, act]) =>
      h(
        "li",
        null,
        h("button", { class: "tool", type: "button", "data-tool": label, onclick: act }, bilingual(bilingualText(label))),
      ),
    ),
  );
}

/**
 * One readable message in the figure's place; the page lives on.
 * @param {HTMLElement} root
 * @param {unknown} error
 * @param {() => void} again
 */
export function fail(root, error, again) {
  root.dataset.state = "error";
  root.querySelector(".fig-error")?.remove();
  const reason = error instanceof Error ? error.message : String(error);
  const box = h(
    "div",
    { class: "fig-error", role: "alert" },
    h("p", null, bilingual(bilingualText("figureFailed", { reason }))),
    h("button", { class: "btn", type: "button", onclick: retry }, bilingual(bilingualText("tryAgain"))),
  );
  root.querySelector(".plot")?.append(box);

  function retry() {
    box.remove();
    try {
      again();
      root.dataset.state = "ready";
    } catch (repeated) {
      fail(root, repeated, again);
    }
  }
}
