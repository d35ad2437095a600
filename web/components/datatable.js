/** The data table of a figure: closed once the figure is drawn, opened from its toolbar, always in step with the plot. */
import { h, richText } from "./dom.js";
import { decimalsOf, fixed, readable, scientific } from "./numbers.js";

/**
 * @typedef {import("./figure.js").Context} Context
 * @typedef {import("./figure.js").DataTable} DataTable
 */

/** @param {HTMLElement} root */
export function createTable(root) {
  const box = /** @type {HTMLElement} */ (root.querySelector(".fig-table"));
  let open = false;

  /** In a frame of a fixed height it opens out of sight: the frame scrolls there, and the page around it stays. */
  function showBelow() {
    if (!("embed" in document.documentElement.dataset)) return;
    const { top, bottom } = box.getBoundingClientRect();
    if (bottom > innerHeight) scrollBy({ top: Math.min(top, bottom - innerHeight), behavior: "instant" });
  }

  return {
    isOpen: () => open,

    /** Until the script has the figure its table stands open. */
    close() {
      box.hidden = true;
    },

    /** @param {() => void} render */
    toggle: (render) => () => {
      open = !open;
      box.hidden = !open;
      root.querySelector('[data-tool="dataTable"]')?.setAttribute("aria-expanded", String(open));
      if (!open) return;
      render();
      showBelow();
    },

    /**
     * @param {Context} now
     * @param {DataTable} data
     */
    show(now, data) {
      const head = h(
        "tr",
        null,
        h("th", { scope: "col" }, richText(data.axis ?? "*x*")),
        data.columns.map(({ name, fn }) => h("th", { scope: "col", class: fn ? "fn plain" : null, "data-fn": fn }, name)),
      );
      const rows = Array.from(data.xs, (x, i) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, tableNumber(x)),
          data.columns.map(({ values }) => h("td", null, tableNumber(values[i]))),
        ),
      );
      box.replaceChildren(h("table", { class: "data" }, h("thead", null, head), h("tbody", null, rows)));
      // It scrolls in its own box, which the keyboard must be able to reach.
      box.setAttribute("role", "group");
      box.setAttribute("tabindex", "0");
      box.setAttribute("aria-label", now.text("dataTable"));
    },
  };
}

/** A number in a data table: as it is where six digits say it, else six significant digits. */
export function tableNumber(/** @type {number} */ value) {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return readable(value);
  const short = Number(value.toPrecision(6));
  if (value !== 0 && (size < 1e-4 || size >= 1e6)) return scientific(value, short === value ? digitsOf(value) : 6);
  if (short === value) return fixed(value, decimalsOf(value));
  return fixed(value, Math.max(0, 5 - Math.floor(Math.log10(size))));
}

const digitsOf = (/** @type {number} */ value) => value.toExponential().split("e")[0].replace(/\D/g, "").length;
