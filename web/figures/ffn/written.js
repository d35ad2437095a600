/** The sum of one number, written out with the numbers plugged in. */
import { bilingual, h, richText } from "../../components/dom.js";
import { both } from "../../i18n/ffn.js";
import { namesOf } from "../../i18n/functions.js";
import { sumOf, unitOf, written } from "./sums.js";
import { cellText, factor, shortName } from "./writing.js";

/** @param {string} name @param {number} value @param {string} [text] */
const output = (name, value, text = cellText(value, 4)) =>
  h("output", { "data-readout": name, "data-value": Object.is(value, -0) ? "-0" : value, "aria-live": "off" }, text);

/** A number behind what was there: its sign is the operator. */
const signed = (/** @type {number} */ value, /** @type {boolean} */ isFirst) => {
  const size = cellText(Math.abs(value), 4);
  if (isFirst) return value < 0 ? `−${size}` : size;
  return `${value < 0 ? "−" : "+"} ${size}`;
};

export function createWritten() {
  const element = h("div", { class: "written" });

  /**
   * @param {import("./run.js").Run} run
   * @param {import("./sums.js").Cell} cell
   */
  function show(run, cell) {
    const sum = sumOf(run, cell);
    if (sum === null) return;
    const { first, between, last } = written(sum.terms);
    const all = [...first, ...last];
    const gap = between && h("span", { class: "summand between" }, bilingual(both("between", { count: between.count })));
    const place = (/** @type {HTMLElement[]} */ items, /** @type {Node | null} */ middle) => [
      ...items.slice(0, first.length).flatMap((item) => [item, " "]),
      ...(middle ? [middle, " "] : []),
      ...items.slice(first.length).flatMap((item) => [item, " "]),
    ];
    const factors = all.map(([a, b], i) => h("span", { class: "summand" }, i > 0 && "+ ", `${factor(a)} × ${factor(b)}`));
    const products = all.map(([a, b], i) => h("span", { class: "summand" }, output(`term-${i}`, a * b, signed(a * b, i === 0))));
    const rest =
      between &&
      h(
        "span",
        { class: "summand" },
        output("terms-between", between.value, signed(between.value, false)),
        " (",
        gap?.cloneNode(true),
        ")",
      );
    const bias = sum.bias !== null && h("span", { class: "summand" }, output("bias", sum.bias, signed(sum.bias, false)));
    element.replaceChildren(
      h("p", { class: "sum-name" }, unitName(run, cell)),
      h("p", { class: "sum-formula" }, richText(sum.symbol)),
      h(
        "p",
        null,
        h("span", { class: "eq" }, "= "),
        place(factors, gap && h("span", { class: "summand" }, "+ ", gap)),
        bias && [bias.cloneNode(true)],
      ),
      h("p", null, h("span", { class: "eq" }, "= "), place(products, rest), bias),
      h("p", { class: "sum-total" }, h("span", { class: "eq" }, "= "), output("sum", sum.value)),
      ...(sum.after ? passed(run, cell, sum) : []),
    );
    // What is given twice has one name.
    for (const copy of element.querySelectorAll("p:nth-child(3) output")) copy.replaceWith(copy.textContent ?? "");
  }

  return { element, show };
}

/**
 * Through the activation, or on the way back times its slope; and what ReLU would make of it.
 * @param {import("./run.js").Run} run
 * @param {import("./sums.js").Cell} cell
 * @param {import("./sums.js").Sum} sum
 */
function passed(run, { row, column }, { value, after }) {
  const { activation, hidden, isBackward } = run.net;
  const at = row * hidden + column;
  const result = /** @type {NonNullable<typeof after>} */ (after).value;
  const name = namesOf(activation);
  const prime = isBackward ? "′" : "";
  const word = h(
    "span",
    { class: "fn", "data-fn": activation },
    bilingual({ zh: `${name.zh}${prime}`, en: `${name.en}${prime}` }),
  );
  const argument = `(${cellText(run.z[at], 4)}) = `;
  const own = isBackward
    ? [
        `${factor(value)} × `,
        word,
        argument.replace(" = ", ""),
        ` = ${factor(value)} × `,
        output("slope", run.slope[at], factor(run.slope[at])),
        " = ",
      ]
    : [word, argument];
  const relu = isBackward ? Math.fround(value) * run.rectifiedSlope[at] : run.rectified[at];
  return [
    h("p", { class: "sum-formula" }, richText(/** @type {NonNullable<typeof after>} */ (after).symbol)),
    h("p", { class: "sum-total" }, h("span", { class: "eq" }, "= "), own, output("passed", result)),
    activation !== "relu" && h("p", { class: "help" }, bilingual(both("reluWould")), output("passed.relu", relu)),
  ].filter(Boolean);
}

/**
 * @param {import("./run.js").Run} run
 * @param {import("./sums.js").Cell} cell
 */
function unitName({ net }, cell) {
  const token = both("tokenShort", { token: cell.row + 1 });
  const unit = unitOf(net, cell);
  if (unit === null) return richText(`${shortName(cell.matrix)}[${cell.row + 1}, ${cell.column + 1}]`);
  const name = unitText(net, unit);
  return bilingual({ zh: `${token.zh}，${name.zh}`, en: `${token.en}, ${name.en}` });
}

/**
 * @param {import("./run.js").Net} net
 * @param {number} unit from 1
 */
export function unitText({ hidden, isBackward }, unit) {
  if (unit <= hidden) return both("hiddenUnit", { unit });
  return both(isBackward ? "inputUnit" : "outputUnit", { unit: unit - hidden });
}
