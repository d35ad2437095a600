/** Controls that only the playground has: several orders, two functions to subtract, parameters of all that is drawn. */
import { announce } from "../../components/announce.js";
import { createControl } from "../../components/controls.js";
import { bilingual, h } from "../../components/dom.js";
import { createSelect } from "../../components/select.js";
import { functionNames } from "../../i18n/functions.js";
import { bilingualText } from "../../i18n/labels.js";
import { ORDER_NAMES } from "../orders.js";
import { isComparing, NONE } from "./difference.js";

/**
 * @typedef {import("../../state.js").Store} Store
 * @typedef {import("../../components/controls.js").Control} Control
 */

const language = () => (document.documentElement.lang === "en" ? "en" : "zh");

/** The orders that are drawn: the playground's own, or the page's. @param {import("../../state.js").State} state */
export const ordersOf = (state) =>
  /** @type {string[]} */ (state["curves.orders"].length > 0 ? state["curves.orders"] : [state.order]).map(Number);

/**
 * Check boxes in a row; one stays.
 * @param {Store} store
 * @returns {Control}
 */
export function createOrders(store) {
  const boxes = ORDER_NAMES.map((_, order) => h("input", { type: "checkbox", value: order, onchange: toggle }));
  const element = h(
    "fieldset",
    { class: "ctl", "data-control": "curves.orders" },
    h("legend", null, bilingual(bilingualText("ordersShown"))),
    h(
      "div",
      { class: "seg fill" },
      ORDER_NAMES.map((name, order) => h("label", null, boxes[order], bilingual(bilingualText(name)))),
    ),
  );

  function toggle() {
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    if (chosen.length === 0) {
      update();
      const figure = /** @type {HTMLElement} */ (element.closest("figure"));
      announce(figure, bilingualText("oneOrderStays")[language()], true);
      return;
    }
    // What the page shows anyway is no state of its own.
    store.set({ "curves.orders": chosen.join() === store.state.order ? [] : chosen });
  }

  function update() {
    const orders = ordersOf(store.state);
    boxes.forEach((box, order) => {
      box.checked = orders.includes(order);
    });
  }

  return { element, update };
}

/**
 * @param {Store} store
 * @returns {Control}
 */
export function createComparison(store) {
  const deps = { store, gestureEnded() {} };
  const names = Object.entries(functionNames).map(([value, text]) => ({ value, text }));
  const none = { value: NONE, text: bilingualText("noComparison") };
  const selects = [
    createSelect({ key: "curves.a", label: "compared", options: names }, deps),
    createSelect({ key: "curves.b", label: "comparedWith", options: [none, ...names] }, deps),
  ];
  return {
    element: h(
      "div",
      { class: "ctls ctls-pair" },
      selects.map((select) => select.element),
    ),
    update() {
      for (const select of selects) select.update(language());
    },
  };
}

/** The functions that are drawn or subtracted. @param {import("../../state.js").State} state @returns {string[]} */
const present = (state) => [...state.fns, ...(isComparing(state) ? [state["curves.a"], state["curves.b"]] : [])];

/**
 * @param {Store} store
 * @returns {Control}
 */
export function createParameters(store) {
  const element = h("div", { class: "ctls ctls-parameters" });
  /** @type {Control[]} */
  let sliders = [];
  let shownFor = "";
  return {
    element,
    update() {
      const fns = present(store.state);
      const keys = [...store.table.keys()].filter((key) => key.includes(".") && fns.includes(key.split(".")[0]));
      if (keys.join() !== shownFor) {
        shownFor = keys.join();
        sliders = keys.map((key) => createControl({ kind: "slider", key }, store));
        element.replaceChildren(...sliders.map((control) => control.element));
      }
      for (const control of sliders) control.update();
    },
  };
}
