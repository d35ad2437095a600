/** Every unit of figure `dead` in numbers: as a table below the plot, and as rows to take away. */
import { h } from "../../components/dom.js";
import { fixed, scientific } from "../../components/numbers.js";
import { inputOf, present } from "./facts.js";
import { isSilent, TRAINING_EXAMPLES, UNITS } from "./run.js";

/** @typedef {import("../../components/figure.js").Context} Context */

/**
 * The units of the cursor's epoch, a row each.
 * @param {Context} context
 * @returns {(string | number)[][]} the first is the head
 */
export function unitRows(context) {
  const { text, nameOf } = context;
  const all = present(context);
  const input = inputOf(context);
  return [
    [
      text("deadUnit"),
      ...all.flatMap(({ fn }) =>
        ["deadLargestPreActivation", "deadLargestSlope", "deadOffForInput"].map(
          (label) => `${nameOf(fn)}${text("deadJoint")}${text(/** @type {any} */ (label))}`,
        ),
      ),
    ],
    ...Array.from({ length: UNITS }, (_, unit) => [
      unit + 1,
      ...all.flatMap(({ moment }) => [
        moment.largest?.[unit] ?? Number.NaN,
        moment.slopes?.[unit] ?? Number.NaN,
        Number(isSilent(moment, input, unit)),
      ]),
    ]),
  ];
}

/** 0 is written as 0, and nothing else is. */
const slopeText = (/** @type {number} */ slope) =>
  slope === 0 || slope >= 0.001 ? fixed(slope, slope === 0 ? 0 : 4) : scientific(slope, 3);

/**
 * @param {number} value
 * @param {number} column of a function's three: pre-activation, slope, off for the input
 */
function cellText(value, column) {
  if (Number.isNaN(value)) return "—";
  if (column === 0) return fixed(value, 3);
  return column === 1 ? slopeText(value) : String(value);
}

/**
 * @param {Context} context
 * @returns {Node[]}
 */
export function unitNumbers(context) {
  const [head, ...rows] = unitRows(context);
  const headCells = head.map((cell) => h("th", { scope: "col" }, cell));
  const bodyRows = rows.map(([unit, ...cells]) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, unit),
      cells.map((cell, i) => h("td", null, cellText(Number(cell), i % 3))),
    ),
  );
  return [
    h("p", null, context.text("deadUnitTable", { count: TRAINING_EXAMPLES })),
    h("table", { class: "data" }, h("thead", null, h("tr", null, headCells)), h("tbody", null, bodyRows)),
  ];
}
