/** Figure `table`: x, exact GELU, the tanh form, their difference and ReLU for any x, and a check of the reader's own values. */
import "../i18n/panel.js";
import { bilingual, h } from "../components/dom.js";
import { saveCsv } from "../components/export.js";
import { createGrid } from "../components/grid.js";
import { createNumberList } from "../components/numberlist.js";
import { exponential, signed } from "../components/numbers.js";
import { mountPanel } from "../components/panel.js";
import { bilingualText } from "../i18n/labels.js";
import { CHECKED, createCheck } from "./check.js";

/** @typedef {import("../kernels.js").Gelu} Gelu */

const DEFAULT_XS = [-3, -1, -0.5, 0, 0.5, 1, 3];
const MOST_DECIMALS = 20;

/** The heads of gelu-table. @type {import("../components/grid.js").Column[]} */
const COLUMNS = [
  { name: "x", head: bilingualText("variableX") },
  { name: "exact", head: bilingualText("geluExact"), fn: "gelu" },
  { name: "tanh", head: bilingualText("columnTanh"), fn: "gelu_tanh" },
  { name: "error", head: bilingualText("absoluteError") },
  { name: "relu", head: "ReLU", fn: "relu" },
];

/**
 * The three functions as they are, whatever the sliders of other figures say: this is the table of the programs.
 * @param {Gelu} gelu
 * @param {readonly number[]} numbers
 */
function columnsAt(gelu, numbers) {
  const xs = Float64Array.from(numbers);
  const exact = gelu.evaluate("gelu", xs);
  const tanh = gelu.evaluate("gelu_tanh", xs);
  return { xs, exact, tanh, error: tanh.map((value, i) => Math.abs(value - exact[i])), relu: gelu.evaluate("relu", xs) };
}

/** As many decimals as x has, at least one. */
function decimalsShown(/** @type {number} */ x) {
  const [, fraction = "", exponent = "0"] = String(x).match(/^[^.e]*(?:\.(\d+))?(?:e(.+))?$/) ?? [];
  return Math.min(MOST_DECIMALS, Math.max(1, fraction.length - Number(exponent)));
}

/**
 * The cells of gelu-table, in its formats.
 * @param {Gelu} gelu
 * @param {readonly number[]} numbers
 * @returns {import("../components/grid.js").Cell[][]}
 */
function rowsAt(gelu, numbers) {
  const { xs, exact, tanh, error, relu } = columnsAt(gelu, numbers);
  return Array.from(xs, (x, i) =>
    [signed(x, decimalsShown(x)), signed(exact[i], 6), signed(tanh[i], 6), exponential(error[i]), signed(relu[i], 2)].map(
      (text) => ({ text }),
    ),
  );
}

/**
 * @param {HTMLElement} root
 * @param {import("../components/figure.js").Dependencies} deps
 * @returns {import("../components/panel.js").PanelContent}
 */
function build(root, deps) {
  const { gelu, store, language } = deps;
  const title = h("h3", { class: "part", id: "table-title" }, bilingual(bilingualText("theTable")));
  const list = createNumberList({ key: "table.xs", label: "listOfX" }, deps);
  const grid = createGrid(COLUMNS, { labelledBy: title.id, empty: "", scrolls: true });
  const check = createCheck(root, deps);

  return {
    elements: [title, list.element, grid.element, ...check.elements],
    update(changed) {
      list.update();
      if (changed.includes("table.xs")) grid.show(rowsAt(gelu, store.state["table.xs"]));
      check.update();
    },
    sentence: () =>
      check.isUsed() ? check.sentence() : bilingualText("rowsShown", { rows: store.state["table.xs"].length })[language()],
    saveCsv() {
      const { xs, exact, tanh, error, relu } = columnsAt(gelu, store.state["table.xs"]);
      const columns = [
        { name: "gelu", values: exact },
        { name: "gelu_tanh", values: tanh },
        { name: "absolute_error", values: error },
        { name: "relu", values: relu },
      ];
      saveCsv("gelu-table", { xs, columns });
    },
    reset: check.clear,
  };
}

/** @type {import("../components/panel.js").PanelDefinition} */
export const table = {
  name: "table",
  parameters: [
    { name: "xs", kind: "numbers", value: DEFAULT_XS, min: -1e6, max: 1e6, most: 60 },
    { name: "fn", kind: "choice", value: "gelu", choices: CHECKED.functions },
    { name: "order", kind: "choice", value: "0", choices: CHECKED.orders },
    { name: "format", kind: "choice", value: "float32", choices: CHECKED.formats },
  ],
  preview: (gelu) => ({ columns: COLUMNS, rows: rowsAt(gelu, DEFAULT_XS) }),
  mount: (root, deps) => mountPanel(table, root, deps, build),
};
