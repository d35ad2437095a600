/** What an embedded figure and its host say to each other about the state. Accepted from the parent only. */
import { tell } from "./height.js";

/**
 * @typedef {import("../state.js").Store} Store
 * @typedef {import("../state.js").Parameter} Parameter
 */

/** What changes within this time is told as one. */
const PAUSE = 100;

/** A value that is longer is none of ours. */
const LONGEST = 2000;

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const isNumber = (/** @type {unknown} */ value) =>
  Number.isFinite(typeof value === "string" && DECIMAL.test(value) ? Number(value) : value);

/**
 * Whether a value from outside is one that the parameter can have, bounds apart: the store keeps those. An address may hold
 * nonsense, which stands for the default; a message with nonsense must not move anything.
 * @param {Parameter} parameter
 * @param {unknown} value
 */
export function isValueOf(parameter, value) {
  if (typeof value === "string" && value.length > LONGEST) return false;
  if (value === parameter.value) return true;
  if (parameter.kind === "number") return isNumber(value);
  if (parameter.kind === "choice") return typeof value === "string" && parameter.choices.includes(value);
  if (parameter.kind === "marks") {
    const { choices, most } = parameter;
    return typeof value === "string" && value.length <= most && [...value].every((mark) => choices.includes(mark));
  }
  const items = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(items) || items.length === 0 || items.length > LONGEST) return false;
  return items.every(parameter.kind === "numbers" ? isNumber : (item) => parameter.choices.includes(item));
}

/**
 * The keys that a figure shows something of: the page's own, those of the functions, and its own.
 * @param {Store} store
 * @param {string} name of the figure
 */
function keysOf({ table }, name) {
  const { choices } = /** @type {import("../state.js").ListParameter} */ (table.get("fns"));
  const owners = [name, ...choices];
  return [...table.keys()].filter((key) => !key.includes(".") || owners.includes(key.split(".")[0]));
}

/**
 * @param {{ figure: HTMLElement, id: string } & Pick<import("./embed.js").Page, "store" | "gestureEnded" | "titleOf">} own
 */
export function connect({ figure, id, store, gestureEnded, titleOf }) {
  const name = figure.dataset.figure ?? "";
  const keys = keysOf(store, name);
  let timer = 0;

  /** In the language that the page is in by then. */
  const title = () => titleOf(figure, document.documentElement.lang === "en" ? "en" : "zh");
  const tellState = () =>
    tell({ type: "gelu:state", v: 1, id, title: title(), state: Object.fromEntries(keys.map((key) => [key, store.state[key]])) });

  /** @param {unknown} state */
  function take(state) {
    if (typeof state !== "object" || state === null) return;
    /** @type {Record<string, unknown>} */
    const changes = {};
    for (const key of keys) {
      if (!Object.hasOwn(state, key)) continue;
      const value = /** @type {any} */ (state)[key];
      if (isValueOf(/** @type {Parameter} */ (store.table.get(key)), value)) changes[key] = value;
    }
    store.set(changes);
    gestureEnded();
  }

  addEventListener("message", ({ source, data }) => {
    if (source !== parent || source === window || typeof data !== "object" || data === null || data.v !== 1) return;
    if (data.type === "gelu:set") take(data.state);
    else if (data.type === "gelu:get") tellState();
  });
  store.subscribe((changed) => {
    if (timer !== 0 || !changed.some((key) => keys.includes(key))) return;
    timer = window.setTimeout(() => {
      timer = 0;
      tellState();
    }, PAUSE);
  });

  whenReady(figure, () => {
    tell({ type: "gelu:ready", v: 1, id, figure: name });
    tellState();
  });
}

/**
 * @param {HTMLElement} figure
 * @param {() => void} act
 */
export function whenReady(figure, act) {
  const isReady = () => figure.dataset.state === "ready";
  if (isReady()) {
    act();
    return;
  }
  const states = new MutationObserver(() => {
    if (!isReady()) return;
    states.disconnect();
    act();
  });
  states.observe(figure, { attributeFilter: ["data-state"] });
}
