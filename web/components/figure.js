/** The frame that all plotted figures share: plot with its x control, readouts, controls, data table, reset. */

import { namesOf } from "../i18n/functions.js";
import { bilingualText, translator } from "../i18n/labels.js";
import { frameOf } from "../scene.js";
import { sceneToSvg } from "../svg.js";
import { announce } from "./announce.js";
import { PAGE_X, readingOf } from "./axis.js";
import { createControl, createHeadTabs } from "./controls.js";
import { createTable } from "./datatable.js";
import { bilingual, h, richText } from "./dom.js";
import { saveCsv, savePng, saveRows, saveSvg } from "./export.js";
import { mayFillScreen } from "./fullscreen.js";
import { attachGestures, panned, zoomed } from "./gestures.js";
import { fullScreenTool, isLink, linkTo, linkTool } from "./pagetools.js";
import { createReadouts } from "./readouts.js";
import { createToolbar, taking } from "./toolbar.js";
import { createXControl } from "./xcontrol.js";

/**
 * @typedef {import("../state.js").State} State
 * @typedef {import("../i18n/labels.js").Label} Label
 * @typedef {{
 *   gelu: import("../kernels.js").Gelu, state: State, variant: string, width: number, height: number,
 *   density: number, language: "zh" | "en",
 *   text: (key: Label, values?: Record<string, string | number>) => string, bilingualText: typeof bilingualText,
 *   nameOf: (fn: string) => string, formulaOf: (fn: string) => string, data: any,
 * }} Context density: points per pixel; data: what the figure's model has computed
 * @typedef {{ name?: string, value?: number, text: string | { zh: string, en: string } }} Note
 * @typedef {{
 *   name: string, fn: string, label?: string, suffix?: string, operator?: "×" | "=", value: number, text: string, note?: Note,
 * }} Readout fn "": none; label: instead of the function's own name; operator: of a sum that the rows make
 * @typedef {{ axis?: string, xs: Float64Array, columns: { name: string, fn?: string, values: Float64Array }[] }} DataTable
 *   axis: what xs are, "*x*" if nothing else
 * @typedef {{
 *   data: any, update: (changed: string[]) => void, controls?: Node[], parts?: Node[], reset?: () => void,
 *   show?: (context: Context) => void, rest?: (isSeen: boolean) => void, setTheme?: () => void,
 *   highlight?: (fn: string) => void, destroy: () => void,
 * }} Model what a figure shows beyond the state: it computes, and tells the frame when `data` is new. controls: above the
 *   figure's own; parts: below the plot; show: fills them; rest: the figure has left the viewport, or is back
 * @typedef {{ redraw: () => void, fail: (error: unknown) => void, say: (message: string) => void, root: HTMLElement }} Host
 * @typedef {{
 *   name: string, variant?: "full",
 *   parameters: ({ name: string } & Record<string, any>)[],
 *   axis?: import("./axis.js").CursorAxis,
 *   model?: (deps: Dependencies, host: Host) => Model,
 *   isPressed?: import("./mounting.js").Mountable["isPressed"],
 *   isAtHand?: (state: State, computed: any, table: import("../state.js").Store["table"]) => boolean,
 *   range: (context: Context) => [number, number],
 *   isSum?: boolean, least?: number,
 *   unit?: (context: Context) => { zh: string, en: string },
 *   says?: (context: Context) => import("../figures/depth/text.js").Sentences,
 *   scene: (context: Context) => import("../scene.js").Scene,
 *   readouts: (context: Context) => Readout[],
 *   table: (context: Context, xs?: Float64Array) => DataTable,
 *   rows?: (context: Context) => (string | number)[][],
 *   below?: (context: Context) => Omit<NonNullable<import("../svgfile.js").Below>, "caption"> & { caption: { zh: string, en: string } },
 *   cursorPoints: (context: Context) => import("../scene.js").Cursor["points"],
 *   tabs?: import("./controls.js").ChoiceSpec,
 *   controls: (context: Context, deps: Dependencies) => import("./controls.js").ControlSpec[],
 *   resets: (context: Context) => string[],
 *   mount: (root: HTMLElement, deps: Dependencies) => Mounting,
 * }} FigureDefinition variant: the one that it is for, where the others have a definition of their own; least: the height below which there is no room for what it draws; axis: where it is not the page's x; rows: of the CSV file, where it holds more than the table; below: a second plot, for a picture to take away; says:
 *   what came out, below the plot, for the build; a model keeps it right; isAtHand: whether its scene can be drawn from what the build has computed
 *   alone, where that is not so in every state
 * @typedef {{
 *   gelu: import("../kernels.js").Gelu, store: import("../state.js").Store, createChart: typeof import("../chart.js").createChart,
 *   theme: () => import("../theme.js").Theme, language: () => "zh" | "en", gestureEnded: () => void,
 *   place: string, computed: Record<string, any>, figures: readonly { name: string }[],
 *   networks: () => Promise<import("../networks.js").Networks>, digits: () => Promise<import("../data/digits.js").Digits>,
 * }} Dependencies place: where the address led when the page was opened, an id or ""; computed: by the build, for each
 *   figure by its name; networks, digits: loaded when they are first asked for; figures: all
 *   that are here
 * @typedef {{ update(changed: string[]): void, setTheme(): void, highlight(fn: string): void, destroy(): void }} MountedFigure
 * @typedef {Generator<void, MountedFigure, void>} Mounting in steps, between which the browser may answer the reader; what is
 *   seen changes in the last one alone
 */

/**
 * @param {Pick<Context, "gelu" | "state" | "variant" | "width" | "height" | "density" | "language"> & { data?: any }} own
 * @returns {Context}
 */
export function createContext(own) {
  const { language } = own;
  return {
    data: null,
    ...own,
    text: translator(language),
    bilingualText,
    nameOf: (fn) => namesOf(fn)[language],
    formulaOf: (fn) => namesOf(fn).formula.replace(/\bx\b/g, "*x*"),
  };
}

/**
 * The cursor of a figure.
 * @param {FigureDefinition} definition
 * @param {Context} context
 * @param {boolean} hint chevrons that say "this moves"
 * @returns {import("../scene.js").Cursor}
 */
export function cursorOf(definition, context, hint) {
  const axis = definition.axis ?? PAGE_X;
  // The wide hero has x in its readout, on the plot itself.
  const isSaid = context.variant === "compact" && context.width >= 900;
  const flag = isSaid ? "" : readingOf(axis, context, definition.range(context));
  return { x: context.state[axis.key], flag, points: definition.cursorPoints(context), hint };
}

/**
 * @param {FigureDefinition} definition
 * @param {HTMLElement} root the figure element that the build has made
 * @param {Dependencies} deps
 * @returns {Mounting}
 */
export function* mountFigure(definition, root, deps) {
  const { store } = deps;
  const axis = definition.axis ?? PAGE_X;
  const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (root.querySelector(selector));
  const plot = find(".plot");
  // On paper there is no canvas; a drawing in its place is to be as high as it was on the screen.
  const measure = () =>
    matchMedia("print").matches ? { width: 0, height: 0 } : { width: plot.clientWidth, height: plot.clientHeight };
  // Kept, for measuring after every change would lay the page out anew for every figure.
  let size = measure();
  const canvas = h("canvas", { role: "img", width: 0, height: 0 });
  const chart = deps.createChart(canvas, deps.theme());
  const rangeNow = () => definition.range(context());
  const pointer = {
    range: rangeNow,
    frame: () => frame,
    x: () => store.state[axis.key],
    set: (/** @type {number} */ x) => store.set({ [axis.key]: x }),
    gestureEnded: deps.gestureEnded,
    zooms: axis.zooms,
  };
  const xControl = createXControl(canvas, axis, pointer);
  const gestures = attachGestures(plot, canvas, {
    ...pointer,
    setRange,
    follow: xControl.follow,
    pressed: xControl.focus,
  });
  const readouts = createReadouts(root, definition, axis, pointer.set, deps.gestureEnded);
  const model = definition.model?.(deps, {
    redraw: () => redraw(),
    fail: (error) => report(error),
    say: (message) => say(message),
    root,
  });
  const controls = definition.controls(context(), deps).map((spec) => createControl(spec, store, guard(show)));
  const tabs = definition.tabs && createHeadTabs(definition.tabs, store);
  const table = createTable(root);
  /** @type {import("../scene.js").Frame | null} */
  let frame = null;
  /** Made in a step of its own. @type {import("../scene.js").Scene | null} */
  let firstScene = null;
  let hasFailed = false;
  let touched = false;
  let drawing = 0;
  let sceneIsOld = true;
  let isDrawn = false;
  let inView = true;

  function context() {
    return createContext({
      gelu: deps.gelu,
      state: store.state,
      variant: root.dataset.variant ?? "",
      ...size,
      density: Math.min(2, window.devicePixelRatio || 1),
      language: deps.language(),
      data: model === undefined ? deps.computed[definition.name] : model.data,
    });
  }

  /** @param {[number, number] | null} range null: the figure's own */
  function setRange(range) {
    store.set({ from: range?.[0] ?? null, to: range?.[1] ?? null });
  }

  // ---------- drawing ----------

  function draw() {
    drawing = 0;
    if (size.width === 0 || !inView) return;
    isDrawn = true;
    const now = context();
    const cursor = cursorOf(definition, now, !touched);
    if (sceneIsOld) {
      const scene = firstScene ?? definition.scene(now);
      firstScene = null;
      chart.draw(scene, cursor);
      frame = frameOf(scene, now.width, now.height);
      xControl.place(frame, now.width);
      sceneIsOld = false;
    } else {
      chart.moveCursor(cursor);
    }
  }

  function requestDraw() {
    isDrawn = false;
    if (drawing === 0) drawing = requestAnimationFrame(guard(draw));
  }

  /** Texts and values that must be right at once: readouts, controls, what a screen reader hears. */
  function show() {
    const now = context();
    const range = definition.range(now);
    const rows = definition.readouts(now);
    const place = readingOf(axis, now, range).replaceAll("*", "");
    const reading = `${place}; ${sentence(now, rows)}`;
    xControl.show(`${now.text(axis.move)}: ${titleOf(root, now.language)}`, now.state[axis.key], place);
    readouts.show(now, rows, axis.text(now.state[axis.key], range));
    model?.show?.(now);
    for (const control of controls) control.update();
    tabs?.update();
    if (definition.unit) showUnit(root, definition.unit(now));
    canvas.setAttribute("aria-label", `${titleOf(root, now.language)}. ${reading}`);
    if (table.isOpen()) table.show(now, definition.table(now));
    announce(root, reading);
  }

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
        report(error);
      }
    };
  }

  /** @param {unknown} error */
  function report(error) {
    hasFailed = true;
    fail(root, error, () => {
      sceneIsOld = true;
      show();
      draw();
    });
  }

  // ---------- tools ----------

  /** The hero's title says all. */
  const isCompact = root.dataset.variant === "compact";
  const fileName = () => `gelu-${root.closest("section")?.id}-${definition.name}`;
  const pictureName = () => `${fileName()}-${deps.language()}`;

  /** @returns {import("./export.js").Drawing} what stands on the screen, with its title, note and address */
  function drawingNow() {
    const now = context();
    const note = root.querySelector(`.fig-foot [lang|="${now.language}"]`)?.textContent ?? "";
    const characters = Math.floor(now.width / 7);
    // An address has no spaces to break at.
    const link = isLink() ? (linkTo(store, root).match(new RegExp(`.{1,${characters}}`, "g")) ?? []) : [];
    const lines = [...wrap(note, characters), ...link];
    const unit = isCompact ? undefined : definition.unit?.(now)[now.language].replaceAll("*", "");
    const title = titleOf(root, now.language) + (unit === undefined ? "" : now.language === "zh" ? `（${unit}）` : ` (${unit})`);
    const heading = wrap(title, now.width / 7.6);
    const second = definition.below?.(now);
    const below = second && { ...second, caption: second.caption[now.language].replaceAll("*", "") };
    const options = { width: now.width, height: now.height, title, heading, lines, theme: deps.theme(), below };
    return [definition.scene(now), cursorOf(definition, now, false), options];
  }

  function downloadCsv() {
    if (definition.rows) saveRows(fileName(), definition.rows(context()));
    else saveCsv(fileName(), csvNow());
  }

  function csvNow() {
    const now = context();
    if (!axis.zooms) return definition.table(now);
    const [from, to] = definition.range(now);
    return definition.table(
      now,
      Float64Array.from({ length: CSV_POINTS }, (_, i) => rounded(from + ((to - from) * i) / (CSV_POINTS - 1))),
    );
  }

  /** @param {number} factor */
  function zoom(factor) {
    const [from, to] = rangeNow();
    setRange(zoomed([from, to], factor, Math.min(to, Math.max(from, store.state.x))));
    deps.gestureEnded();
  }

  /** @param {number} share */
  function pan(share) {
    setRange(panned(rangeNow(), share));
    deps.gestureEnded();
  }

  const zoomTools = createToolbar([
    { label: "zoomIn", act: () => zoom(1 / 2) },
    { label: "zoomOut", act: () => zoom(2) },
    { label: "panLeft", act: () => pan(-1 / 4) },
    { label: "panRight", act: () => pan(1 / 4) },
    {
      label: "boxZoom",
      toggles: true,
      act: (button) => gestures.setBoxMode(button.getAttribute("aria-pressed") === "true"),
    },
    { label: "wholeRange", act: () => setRange(null) },
  ]);
  zoomTools.classList.add("tools-zoom");
  zoomTools.hidden = true;

  /** @type {import("./toolbar.js").Tool[]} */
  const tools = [
    { label: "dataTable", act: table.toggle(() => table.show(context(), definition.table(context()))) },
    { label: "csv", extra: true, act: downloadCsv },
    { label: "png", extra: true, act: taking(root, () => savePng(pictureName(), drawingNow())) },
    { label: "svg", extra: true, act: taking(root, () => saveSvg(pictureName(), drawingNow())) },
  ];
  tools.push(...linkTool(store, root));
  if (axis.zooms)
    tools.push({
      label: "zoom",
      extra: true,
      gap: true,
      toggles: true,
      act: (button) => {
        zoomTools.hidden = button.getAttribute("aria-pressed") !== "true";
      },
    });
  tools.push(...fullScreenTool(root));
  tools.push({ label: "reset", gap: !mayFillScreen(), act: reset });

  /** The figure as it was, and every parameter of a function: another figure may have moved it. */
  function reset() {
    const parameters = deps.gelu.catalogue.flatMap(({ id, parameters: own }) => own.map(({ name }) => `${id}.${name}`));
    model?.reset?.();
    for (const control of controls) control.reset?.();
    store.reset([...definition.resets(context()), "fns", ...parameters]);
    show();
  }

  /** @param {string} message */
  function say(message) {
    announce(root, message, true);
  }

  // ---------- life ----------

  /** What only another figure shows is no concern of this one: a run changes it at every frame. */
  const owners = new Set([definition.name, ...deps.gelu.catalogue.map(({ id }) => id)]);
  const concerns = (/** @type {string} */ key) => !key.includes(".") || owners.has(key.split(".")[0]);

  const refresh = guard((/** @type {string[]} */ changed) => {
    if (!changed.some(concerns)) return;
    touched ||= changed.includes(axis.key);
    sceneIsOld ||= changed.some((key) => key !== axis.key);
    model?.update(changed);
    show();
    requestDraw();
  });

  /** The model has something new. */
  const redraw = guard(() => {
    sceneIsOld = true;
    show();
    requestDraw();
  });

  const sizes = new ResizeObserver(
    guard(() => {
      const now = measure();
      // It tells of the first size, too, which is known.
      if (now.width === 0 || (now.width === size.width && now.height === size.height)) return;
      size = now;
      chart.resize(size.width, size.height);
      sceneIsOld = true;
      // The range may go with the width, and with it where the knob is.
      show();
      requestDraw();
    }),
  );
  // A figure that nobody sees rests; its readouts stay right. On a busy page it may have left and come back in one go:
  // the last entry tells where it is.
  const views = new IntersectionObserver(
    (entries) => {
      inView = entries[entries.length - 1].isIntersecting;
      model?.rest?.(inView);
      if (inView && !isDrawn) requestDraw();
    },
    { rootMargin: "200px" },
  );

  /** On paper the canvas gives way to a drawing of the same state, and the note says which state that is. */
  function prepareForPrint() {
    const picture = /** @type {HTMLElement} */ (root.querySelector(".picture-wide"));
    // Where another figure has the screen this one has no size; then it is as high as its picture.
    const height = size.height || Number(picture.querySelector("[height]")?.getAttribute("height")) || PRINT_HEIGHT;
    const now = { ...context(), width: PRINT_WIDTH, height, density: 1 / 2 };
    const id = `clip-${root.id}`;
    const options = { width: now.width, height: now.height, id, title: titleOf(root, now.language) };
    picture.innerHTML = sceneToSvg(definition.scene(now), cursorOf(definition, now, false), options);
    printedState.textContent = [
      readingOf(axis, now, definition.range(now)).replaceAll("*", ""),
      ...(isLink() ? [linkTo(store, root)] : []),
    ].join(" · ");
  }

  const printedState = h("p", { class: "print-only print-state" });
  const beforePrint = guard(prepareForPrint);
  const toolbars = h("div", { class: "toolbars" }, createToolbar(tools), zoomTools);
  // Not seen before the figure is ready. Outside the page a canvas would not know the language, and so not the letters.
  plot.append(canvas, xControl.input);
  yield;
  guard(() => {
    size = measure();
    chart.resize(size.width, size.height);
  })();
  yield;
  guard(() => {
    if (size.width > 0) firstScene = definition.scene(context());
  })();
  yield;
  guard(draw)();
  yield;
  guard(() => {
    for (const control of controls) control.update();
  })();
  yield;
  addEventListener("beforeprint", beforePrint);
  find(".fig-foot").append(printedState, toolbars);
  if (tabs) find(".fig-head").append(tabs.element);
  find(".fig-plot").append(...readouts.plotElements, ...controls.flatMap(({ below }) => below ?? []));
  find(".fig-side").append(
    ...readouts.sideElements,
    h(
      "div",
      { class: "ctls" },
      model?.controls,
      controls.map((control) => control.element),
    ),
  );
  if (model?.parts) find(".fig-body").after(...model.parts);
  guard(() => {
    if (hasFailed) return;
    show();
    table.close();
    root.dataset.state = "ready";
  })();
  sizes.observe(plot);
  views.observe(root);

  return {
    update: refresh,
    setTheme: guard(() => {
      chart.setTheme(deps.theme());
      model?.setTheme?.();
      sceneIsOld = true;
      show();
      requestDraw();
    }),
    highlight: guard((/** @type {string} */ fn) => {
      chart.highlight(fn);
      model?.highlight?.(fn);
    }),
    destroy() {
      cancelAnimationFrame(drawing);
      tabs?.element.remove();
      removeEventListener("beforeprint", beforePrint);
      sizes.disconnect();
      views.disconnect();
      model?.destroy();
      chart.destroy();
    },
  };
}

/**
 * All steps at once.
 * @template T
 * @param {Iterator<void, T>} steps
 */
export function finish(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** As wide as the text column of a printed page. */
const PRINT_WIDTH = 664;
/** Of what has never stood on a screen. */
const PRINT_HEIGHT = 360;

/** Rows of a CSV file. */
const CSV_POINTS = 401;

/** Without the last bits of a division, which nobody wants to read in a column of x. */
const rounded = (/** @type {number} */ x) => Number(x.toPrecision(13));

/**
 * Lines of about so many characters; a Chinese one counts for two.
 * @param {string} text
 * @param {number} characters
 */
export function wrap(text, characters) {
  const lines = [""];
  let used = 0;
  for (const word of spaced(text).match(/[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*/gu) ?? []) {
    const size = word > "\u2e80" ? 2 : word.length;
    if (used + size > characters && used > 0) {
      lines.push("");
      used = 0;
    }
    lines[lines.length - 1] += word;
    used += size;
  }
  return lines.filter(Boolean);
}

/** On the page the style sheet sets Chinese and other characters apart; in a file a space does. */
const spaced = (/** @type {string} */ text) =>
  text
    .replace(/(\p{Script=Han})(?=[\p{Script=Latin}\p{Script=Greek}\p{N}−√])/gu, "$1 ")
    .replace(/([\p{Script=Latin}\p{Script=Greek}\p{N}%)])(?=\p{Script=Han})/gu, "$1 ");

/**
 * @param {Context} context
 * @param {Readout[]} rows
 */
const sentence = (context, rows) =>
  rows.map((row) => `${(row.label ?? context.nameOf(row.fn)).replaceAll("*", "")}${row.suffix ?? ""} ${row.text}`).join(", ");

/**
 * @param {HTMLElement} root
 * @param {"zh" | "en"} language
 */
export function titleOf(root, language) {
  const title = root.querySelector(`.fig-title [lang|="${language}"]`) ?? root.querySelector(".fig-title");
  // Without the unit, which stands in an element of its own.
  return [...(title?.childNodes ?? [])]
    .filter((node) => node.nodeName !== "SMALL")
    .map((node) => node.textContent)
    .join("")
    .trim();
}

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
    small.replaceChildren(...richText(text));
  }
}

/**
 * One readable message in the figure's place; the page lives on.
 * @param {HTMLElement} root
 * @param {unknown} error
 * @param {() => unknown} again
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
  root.querySelector(".plot, .panel")?.append(box);

  function retry() {
    box.remove();
    try {
      // What comes later says itself how it went.
      if (!(again() instanceof Promise)) root.dataset.state = "ready";
    } catch (repeated) {
      fail(root, repeated, again);
    }
  }
}
