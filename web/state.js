/** The table of parameters and the store of their values: default, bounds, label and URL key of all that can be set. */

/**
 * @typedef {{ key: string, kind: "number", value: number | null, min: number, max: number, whole?: boolean }} NumberParameter
 *   value null: each figure has a default of its own; whole: without fractions
 * @typedef {{ key: string, kind: "choice", value: string, choices: string[] }} ChoiceParameter
 * @typedef {{ key: string, kind: "list", value: string[], choices: string[], most?: number }} ListParameter
 *   most: so many of them, the first in the order of the choices
 * @typedef {{ key: string, kind: "numbers", value: number[], min: number, max: number, most: number }} NumbersParameter
 *   at most so many, in the order in which they are given
 * @typedef {{ key: string, kind: "marks", value: string, choices: string, most: number }} MarksParameter
 *   a character for each of a list of things, all of them from `choices`
 * @typedef {NumberParameter | ChoiceParameter | ListParameter | NumbersParameter | MarksParameter} Parameter
 * @typedef {Record<string, any>} State values by key
 */

/** The page-wide rows; functions add theirs as id.name, figures as figure.name. */
export const X_LIMIT = 50;

/**
 * Every parameter of the page, by key.
 * @param {readonly { id: string, parameters: readonly { name: string, value: number, min: number, max: number }[] }[]} catalogue
 * @param {readonly { name: string, parameters: readonly ({ name: string } & Record<string, any>)[] }[]} figures
 * @returns {Map<string, Parameter>}
 */
export function createTable(catalogue, figures) {
  /** @type {Parameter[]} */
  const rows = [
    { key: "lang", kind: "choice", value: "auto", choices: ["auto", "zh", "en"] },
    { key: "theme", kind: "choice", value: "auto", choices: ["auto", "light", "dark"] },
    { key: "presenter", kind: "choice", value: "0", choices: ["0", "1"] },
    { key: "route", kind: "choice", value: "all", choices: ["all", "10", "25", "45"] },
    { key: "step", kind: "number", value: 1, min: 1, max: 99, whole: true },
    { key: "fns", kind: "list", value: ["gelu", "relu", "sigmoid"], choices: catalogue.map((row) => row.id) },
    { key: "order", kind: "choice", value: "0", choices: ["0", "1", "2"] },
    { key: "x", kind: "number", value: -1, min: -X_LIMIT, max: X_LIMIT },
    { key: "from", kind: "number", value: null, min: -X_LIMIT, max: X_LIMIT },
    { key: "to", kind: "number", value: null, min: -X_LIMIT, max: X_LIMIT },
  ];
  for (const { id, parameters } of catalogue) {
    for (const { name, value, min, max } of parameters) rows.push({ key: `${id}.${name}`, kind: "number", value, min, max });
  }
  const ids = catalogue.map((row) => row.id);
  for (const figure of figures) {
    // A choice that does not say of what is one of a function.
    for (const { name, ...rest } of figure.parameters)
      rows.push(
        /** @type {Parameter} */ ({ ...(rest.kind === "choice" && { choices: ids }), ...rest, key: `${figure.name}.${name}` }),
      );
  }
  return new Map(rows.map((row) => [row.key, row]));
}

/** @param {Map<string, Parameter>} table */
export function defaults(table) {
  return Object.fromEntries([...table].map(([key, parameter]) => [key, parameter.value]));
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * What a value becomes: inside its bounds, or the default where it is nothing that the parameter can be.
 * @param {Parameter} parameter
 * @param {unknown} value a number, a string as in a URL, or a list
 */
export function clamp(parameter, value) {
  if (parameter.kind === "number") {
    const number = typeof value === "string" && DECIMAL.test(value) ? Number(value) : value;
    if (typeof number !== "number" || Number.isNaN(number)) return parameter.value;
    const inside = Math.min(parameter.max, Math.max(parameter.min, number)) + 0;
    return parameter.whole ? Math.round(inside) + 0 : inside;
  }
  if (parameter.kind === "choice") return parameter.choices.includes(String(value)) ? String(value) : parameter.value;
  if (parameter.kind === "numbers") return clampNumbers(parameter, value);
  if (parameter.kind === "marks") {
    const marks = String(value);
    return [...marks].every((mark) => parameter.choices.includes(mark)) ? marks.slice(0, parameter.most) : parameter.value;
  }
  const wanted = Array.isArray(value) ? value : String(value).split(",");
  const known = parameter.choices.filter((choice) => wanted.includes(choice)).slice(0, parameter.most);
  return known.length > 0 || wanted.every((item) => item === "") ? known : parameter.value;
}

/**
 * Of a list what are numbers, inside the bounds; the default where nothing is.
 * @param {NumbersParameter} parameter
 * @param {unknown} value
 */
function clampNumbers({ value: usual, min, max, most }, value) {
  const items = Array.isArray(value) ? value : String(value).split(",");
  const numbers = items
    .map((item) => (typeof item === "string" && DECIMAL.test(item) ? Number(item) : item))
    .filter((item) => typeof item === "number" && !Number.isNaN(item))
    .slice(0, most);
  return numbers.length > 0 ? numbers.map((number) => Math.min(max, Math.max(min, number)) + 0) : usual;
}

/**
 * The state that a query string describes. Unknown keys are ignored, of a repeated key the last counts.
 * @param {Map<string, Parameter>} table
 * @param {string} query
 */
export function parse(table, query) {
  const state = defaults(table);
  for (const [key, value] of new URLSearchParams(query)) {
    const parameter = table.get(key);
    if (parameter !== undefined) state[key] = clamp(parameter, value);
  }
  return orderRange(state);
}

/**
 * An interval that is none gives way to the figures' own.
 * @param {State} state
 */
function orderRange(state) {
  if (state.from !== null && state.to !== null && state.from >= state.to) state.from = state.to = null;
  return state;
}

/**
 * The query string of a state: what differs from the defaults, in the table's order.
 * @param {Map<string, Parameter>} table
 * @param {State} state
 */
export function serialize(table, state) {
  const parts = [];
  for (const [key, { value }] of table) {
    if (String(state[key]) !== String(value)) parts.push(`${key}=${state[key] ?? ""}`);
  }
  return parts.join("&");
}

/** Holds the state, applies changes through the table, tells who listens. */
export class Store {
  #listeners = new Set();

  /**
   * @param {Map<string, Parameter>} table
   * @param {State} state
   */
  constructor(table, state) {
    this.table = table;
    this.state = state;
  }

  /** @param {Record<string, unknown>} changes */
  set(changes) {
    const next = { ...this.state };
    for (const [key, value] of Object.entries(changes)) {
      const parameter = this.table.get(key);
      if (parameter !== undefined) next[key] = value === null ? parameter.value : clamp(parameter, value);
    }
    orderRange(next);
    const changed = [...this.table.keys()].filter((key) => String(next[key]) !== String(this.state[key]));
    if (changed.length === 0) return;
    this.state = next;
    for (const listener of [...this.#listeners]) listener(changed);
  }

  /** @param {string[]} keys */
  reset(keys) {
    this.set(Object.fromEntries(keys.map((key) => [key, null])));
  }

  /**
   * @param {(changed: string[]) => void} listener
   * @returns {() => void} stops listening
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** WebKit throws after 100 calls of replaceState in ten seconds; this leaves room. */
const WRITE_INTERVAL = 500;
const GESTURE_END_INTERVAL = 150;

/**
 * Keeps the address in step with the state, so that a reload or a copied link shows the same.
 * @param {Store} store
 * @param {string} [kept] what else the address says
 * @returns {() => void} to be called when a gesture ends: writes soon
 */
export function writeToAddress(store, kept = "") {
  let timer = 0;
  let due = Number.POSITIVE_INFINITY;
  let written = Number.NEGATIVE_INFINITY;
  let pending = false;

  function write() {
    timer = 0;
    due = Number.POSITIVE_INFINITY;
    pending = false;
    written = performance.now();
    const query = [kept, serialize(store.table, store.state)].filter(Boolean).join("&");
    try {
      history.replaceState(history.state, "", (query === "" ? location.pathname : `?${query}`) + location.hash);
    } catch {
      // A frame without an address of its own, or an engine that has had enough: the page works without.
    }
  }

  /** @param {number} interval since the last write */
  function schedule(interval) {
    const at = Math.max(performance.now(), written + interval);
    if (at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = window.setTimeout(write, at - performance.now());
  }

  store.subscribe(() => {
    pending = true;
    schedule(WRITE_INTERVAL);
  });
  // Going back brings the address of an older state; the page still shows the newer one.
  addEventListener("popstate", write);
  addEventListener("pagehide", () => pending && write());
  return () => pending && schedule(GESTURE_END_INTERVAL);
}
