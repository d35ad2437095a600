/** Controls bound to the store: segmented choices, sliders, check boxes for functions. Each kind once, for all figures. */
import { namesOf, parameterNames } from "../i18n/functions.js";
import { bilingualText } from "../i18n/labels.js";
import { bilingual, h } from "./dom.js";
import { decimalsOf, fixed } from "./numbers.js";
import { createSlider } from "./slider.js";

/**
 * @typedef {import("../state.js").Store} Store
 * @typedef {import("../i18n/labels.js").Label} Label
 * @typedef {{ element: HTMLElement, below?: HTMLElement, update(): void, reset?(): void }} Control below: what stands under
 *   the plot; reset: before the state is
 *
 * @typedef {{ kind: "choice", key: string, label: Label, options: [string, Label | number][] }} ChoiceSpec
 * @typedef {{ kind: "functions", key: string, label: Label, only?: string[] }} FunctionsSpec
 * @typedef {{ kind: "window", label: Label, options: number[], own: number }} WindowSpec own: the figure's default
 * @typedef {{ kind: "points", key: string, label: Label, options: number[] }} PointsSpec set a number to one of these
 * @typedef {{ kind: "next", key: string, label: Label }} NextSpec a button that goes to the next whole number
 * @typedef {{ kind: "slider", key: string, label?: Label, when?: (state: import("../state.js").State) => boolean }} SliderSpec
 *   label: of what is no parameter of a function; when: else it is not there
 * @typedef {{ kind: "stops", key: string, label: Label, stops: number[] }} StopsSpec a slider whose stops rise by factors
 * @typedef {{ kind: "more", label: Label, controls: ControlSpec[] }} MoreSpec behind a word that opens
 * @typedef {{ kind: "own", create: (store: Store, refresh: () => void) => Control }} OwnSpec what only one figure has;
 *   refresh: shows the figure's readouts anew, where something has changed that is no state
 * @typedef {(ChoiceSpec | FunctionsSpec | WindowSpec | PointsSpec | NextSpec | SliderSpec | StopsSpec | MoreSpec | OwnSpec)
 *   & { when?: (state: import("../state.js").State) => boolean }} ControlSpec when: shown only then
 */

let nextId = 0;
const uniqueId = () => `control-${nextId++}`;

/**
 * @param {ControlSpec} spec
 * @param {Store} store
 * @param {() => void} [refresh]
 * @returns {Control}
 */
export function createControl(spec, store, refresh = () => {}) {
  const { when } = spec;
  const control = create(spec, store, refresh);
  if (when === undefined) return control;
  return {
    ...control,
    update() {
      control.element.hidden = !when(store.state);
      control.update();
    },
  };
}

/**
 * @param {ControlSpec} spec
 * @param {Store} store
 * @param {() => void} refresh
 * @returns {Control}
 */
function create(spec, store, refresh) {
  if (spec.kind === "choice") return choice(spec, store);
  if (spec.kind === "functions") return functions(spec, store);
  if (spec.kind === "window") return windowChoice(spec, store);
  if (spec.kind === "points") return points(spec, store);
  if (spec.kind === "next") return next(spec, store);
  if (spec.kind === "slider") return slider(spec, store);
  if (spec.kind === "stops") return stops(spec, store);
  if (spec.kind === "more") return more(spec, store);
  return spec.create(store, refresh);
}

/** A function's name in its colour, with its dash below. */
export function functionWord(/** @type {string} */ fn, suffix = "") {
  const { zh, en } = namesOf(fn);
  return h("span", { class: "fn", "data-fn": fn }, bilingual({ zh: `${zh}${suffix}`, en: `${en}${suffix}` }));
}

/**
 * A row of native radios.
 * @param {{ legend: Node, options: { value: string, label: Node }[], name: string, fill?: boolean, pick: (value: string) => void }} spec
 */
export function segmented({ legend, options, name, fill = true, pick }) {
  const inputs = options.map(({ value }) => h("input", { type: "radio", name, value, onchange: () => pick(value) }));
  const element = h(
    "fieldset",
    { class: fill ? "ctl" : "seg" },
    h("legend", { class: fill ? null : "vh" }, legend),
    fill ? h("div", { class: "seg fill" }, wrap()) : wrap(),
  );

  function wrap() {
    return options.map(({ label }, i) => h("label", null, inputs[i], label));
  }

  return {
    element,
    /** @param {string | null} value */
    show(value) {
      for (const input of inputs) input.checked = input.value === value;
    },
  };
}

/**
 * @param {ChoiceSpec} spec
 * @param {Store} store
 */
function choice({ key, label, options }, store) {
  const { element, show } = segmented({
    legend: bilingual(bilingualText(label)),
    name: uniqueId(),
    options: options.map(([value, text]) => ({
      value,
      label: typeof text === "number" ? document.createTextNode(String(text)) : bilingual(bilingualText(text)),
    })),
    pick: (value) => store.set({ [key]: value }),
  });
  element.dataset.control = key;
  return { element, update: () => show(store.state[key]) };
}

/**
 * The same as words with a line below, for the head of a figure: one panel, other numbers.
 * @param {ChoiceSpec} spec
 * @param {Store} store
 * @returns {Control}
 */
export function createHeadTabs({ key, label, options }, store) {
  const name = uniqueId();
  const inputs = options.map(([value]) =>
    h("input", { type: "radio", name, value, onchange: () => store.set({ [key]: value }) }),
  );
  const words = options.map(([value], i) => h("label", null, inputs[i], h("span", null, value)));
  return {
    element: h(
      "fieldset",
      { class: "tabs", "data-control": key },
      h("legend", { class: "vh" }, bilingual(bilingualText(label))),
      words,
    ),
    update() {
      for (const input of inputs) input.checked = input.value === store.state[key];
    },
  };
}

/**
 * @param {WindowSpec} spec
 * @param {Store} store
 */
function windowChoice({ label, options, own }, store) {
  const { element, show } = segmented({
    legend: bilingual(bilingualText(label)),
    name: uniqueId(),
    options: options.map((half) => ({ value: String(half), label: document.createTextNode(`±${half}`) })),
    pick: (value) => store.set({ from: -Number(value), to: Number(value), x: clampInto(store.state.x, Number(value)) }),
  });
  element.dataset.control = "window";
  return {
    element,
    update() {
      const { from, to } = store.state;
      const half = to ?? own;
      show((from ?? -own) === -half ? String(half) : null);
    },
  };
}

/**
 * x goes along into a narrower window, so that the knob stays in sight.
 * @param {number} x
 * @param {number} half
 */
const clampInto = (x, half) => (Math.abs(x) <= half ? x : Math.sign(x) * half * 0.5);

/**
 * @param {PointsSpec} spec
 * @param {Store} store
 */
function points({ key, label, options }, store) {
  const { element, show } = segmented({
    legend: bilingual(bilingualText(label)),
    name: uniqueId(),
    options: options.map((value) => ({ value: String(value), label: document.createTextNode(fixed(value, decimalsOf(value))) })),
    pick: (value) => store.set({ [key]: Number(value) }),
  });
  element.dataset.control = `${key}-points`;
  return { element, update: () => show(String(store.state[key])) };
}

/**
 * @param {NextSpec} spec
 * @param {Store} store
 */
function next({ key, label }, store) {
  const { min, max } = /** @type {import("../state.js").NumberParameter} */ (store.table.get(key));
  const button = h("button", { class: "btn", type: "button", "data-control": key }, bilingual(bilingualText(label)));
  button.addEventListener("click", () => {
    const value = Math.floor(store.state[key]) + 1;
    store.set({ [key]: value > max ? min : value });
  });
  return { element: h("div", { class: "row" }, button), update() {} };
}

/**
 * @param {FunctionsSpec} spec
 * @param {Store} store
 */
function functions({ key, label, only }, store) {
  const parameter = /** @type {import("../state.js").ListParameter} */ (store.table.get(key));
  const ids = parameter.choices.filter((id) => only === undefined || only.includes(id));
  const boxes = ids.map((id) => h("input", { type: "checkbox", value: id, onchange: toggle }));
  const element = h(
    "fieldset",
    { class: "ctl ctl-functions", "data-control": key },
    h("legend", null, bilingual(bilingualText(label))),
    h(
      "div",
      { class: "chks" },
      ids.map((id, i) => h("label", { class: "chk", "data-fn": id }, boxes[i], lineSample(id), bilingual(namesOf(id)))),
    ),
  );

  function toggle() {
    const others = store.state[key].filter((/** @type {string} */ id) => !ids.includes(id));
    store.set({ [key]: [...others, ...boxes.filter((box) => box.checked).map((box) => box.value)] });
  }

  return {
    element,
    update() {
      const chosen = store.state[key];
      for (const box of boxes) {
        box.checked = chosen.includes(box.value);
        box.disabled = !box.checked && chosen.length >= (parameter.most ?? Number.POSITIVE_INFINITY);
      }
    },
  };
}

/** A short piece of a function's line. */
function lineSample(/** @type {string} */ fn) {
  return h(
    "svg:svg",
    { class: "smp", width: 28, height: 6, viewBox: "0 0 28 6", "aria-hidden": "true" },
    h("svg:line", { class: "curve", "data-fn": fn, x1: 1, x2: 27, y1: 3, y2: 3 }),
  );
}

/** Steps of a slider from end to end. */
const SLIDER_STEPS = 400;

/**
 * @param {SliderSpec} spec
 * @param {Store} store
 */
function slider({ key, label, when }, store) {
  const { min, max, whole } = /** @type {import("../state.js").NumberParameter} */ (store.table.get(key));
  const step = whole ? 1 : roundStep((max - min) / SLIDER_STEPS);
  const { element, show } = createSlider({
    key,
    label: label === undefined ? parameterLabel(key) : bilingual(bilingualText(label)),
    ends: { min, max, step },
    place: () => store.state[key],
    move: (value) => store.set({ [key]: Number((Math.round(value / step) * step).toFixed(decimalsOf(step))) }),
  });
  return {
    element,
    update() {
      const value = store.state[key];
      element.hidden = when?.(store.state) === false;
      show(value, fixed(value, whole ? 0 : Math.max(3, decimalsOf(Number(value.toPrecision(6))))));
    },
  };
}

/**
 * A parameter of a function.
 * @param {string} key
 */
function parameterLabel(key) {
  const [fn, name] = key.split(".");
  return [functionWord(fn), " ", bilingual(parameterNames[name] ?? { zh: `*${name}*`, en: `*${name}*` })];
}

/**
 * @param {StopsSpec} spec
 * @param {Store} store
 */
function stops({ key, label, stops: values }, store) {
  const last = values.length - 1;
  const { element, input, show } = createSlider({
    key,
    label: bilingual(bilingualText(label)),
    ends: { min: 0, max: last, step: 1 },
    place: () => placeOf(store.state[key]),
    move: (place) => store.set({ [key]: values[Math.round(place)] }),
  });
  // Of many stops the powers of ten have ticks.
  input.style.setProperty("--ticks", String(last > 10 ? Math.round(Math.log10(values[last] / values[0])) : last));

  /** Where a value is among the stops, that of a link perhaps between two. @param {number} value */
  function placeOf(value) {
    const above = values.findIndex((stop) => stop >= value);
    if (above <= 0) return above === 0 ? 0 : last;
    return above - Math.log(values[above] / value) / Math.log(values[above] / values[above - 1]);
  }

  return {
    element,
    update() {
      const value = store.state[key];
      show(value, fixed(value, decimalsOf(Number(value.toPrecision(6)))));
    },
  };
}

/**
 * @param {MoreSpec} spec
 * @param {Store} store
 */
function more({ label, controls: specs }, store) {
  const own = specs.map((spec) => createControl(spec, store));
  const inside = h(
    "div",
    { class: "ctls" },
    own.map(({ element }) => element),
  );
  const element = h("details", { class: "more-ctls" }, h("summary", null, bilingual(bilingualText(label))), inside);
  return {
    element,
    update() {
      for (const control of own) control.update();
    },
  };
}

/** @param {number} rough */
function roundStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return Number(power.toPrecision(1));
}
