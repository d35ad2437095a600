/** A small network drawn: units with their numbers, edges as strong as their weights, negative ones dashed. */
import { bilingual, h, richText } from "../../components/dom.js";
import { both } from "../../i18n/ffn.js";
import { matrixOf } from "./sums.js";
import { cellText } from "./writing.js";

/**
 * @typedef {import("./run.js").Run} Run
 * @typedef {import("./sums.js").Cell} Cell
 * @typedef {import("./sums.js").MatrixName} MatrixName
 * @typedef {{ choose: (cell: Cell) => void, point: (cell: Cell | null) => void }} Hands
 */

/** Weights by size, in three strengths. */
const STRENGTHS = 3;

/** @param {Hands} hands */
export function createNetwork({ choose, point }) {
  const element = h("div", { class: "net", role: "group" });
  const edges = /** @type {const} */ (["w1", "w2"]).map(() =>
    h("svg:svg", { class: "net-edges", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }),
  );
  const hot = edges.map(() => h("svg:g", { class: "hot" }));
  /** @type {Column[]} */
  let columns = [];
  let shape = "";

  /** @param {Event} event */
  function cellOf({ target }) {
    const unit = /** @type {HTMLElement | null} */ (target instanceof Element ? target.closest("button.unit") : null);
    if (unit === null || run === null) return null;
    const { matrix, index } = unit.dataset;
    return { matrix: /** @type {MatrixName} */ (matrix), row: run.net.token, column: Number(index) };
  }
  /** @type {Run | null} */
  let run = null;
  element.addEventListener("mouseover", (/** @type {Event} */ event) => point(cellOf(event)));
  element.addEventListener("mouseleave", () => point(null));
  // Passing through by Tab only points; a press and the arrows choose.
  element.addEventListener("focusin", (/** @type {Event} */ event) => point(cellOf(event)));
  element.addEventListener("focusout", () => point(null));
  element.addEventListener("click", (/** @type {Event} */ event) => {
    const cell = cellOf(event);
    if (cell !== null) choose(cell);
  });
  element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const unit = /** @type {HTMLElement} */ (event.target);
    const sameColumn = [...(unit.parentElement?.querySelectorAll("button.unit") ?? [])];
    const others = [...element.querySelectorAll(".net-col")].filter(
      (column) => column.querySelector("button.unit") !== null && column !== unit.parentElement,
    );
    const at = sameColumn.indexOf(unit);
    const next =
      event.key === "ArrowDown"
        ? sameColumn[at + 1]
        : event.key === "ArrowUp"
          ? sameColumn[at - 1]
          : event.key === "Home"
            ? sameColumn[0]
            : event.key === "End"
              ? sameColumn.at(-1)
              : ["ArrowLeft", "ArrowRight"].includes(event.key)
                ? others[0]?.querySelector("button.unit")
                : undefined;
    if (!(next instanceof HTMLElement)) return;
    event.preventDefault();
    next.focus();
    next.click();
  });

  /** @param {Run} now */
  function build({ net: { d, hidden, isBackward } }) {
    element.style.setProperty("--units", String(Math.max(d, hidden)));
    columns = isBackward
      ? [
          createColumn("dx", ["dx"], d, true),
          createColumn("dz", ["da", "dz"], hidden, true),
          createColumn("dy", ["dy"], d, false),
        ]
      : [createColumn("x", ["x"], d, false), createColumn("a", ["z", "a"], hidden, true), createColumn("y", ["y"], d, true)];
    const [left, middle, right] = columns;
    element.replaceChildren(...columns.map(({ head }) => head), left.body, edges[0], middle.body, edges[1], right.body);
  }

  /** Edges of a layer, and those of one unit drawn over them. */
  function drawEdges() {
    if (run === null) return;
    const { d, hidden } = run.net;
    const most = [run.w1, run.w2].map((weights) => weights.reduce((size, w) => Math.max(size, Math.abs(w)), 0));
    const layers = [
      { from: d, to: hidden, weights: run.w1 },
      { from: hidden, to: d, weights: run.w2 },
    ];
    layers.forEach(({ from, to, weights }, layer) => {
      const paths = Array.from({ length: 2 * STRENGTHS }, () => "");
      for (let i = 0; i < from; i++) {
        for (let j = 0; j < to; j++) {
          const weight = weights[i * to + j];
          const strength = Math.min(STRENGTHS - 1, Math.floor((Math.abs(weight) / most[layer]) * STRENGTHS));
          paths[2 * strength + (weight < 0 ? 1 : 0)] += segment(i, from, j, to);
        }
      }
      edges[layer].replaceChildren(
        ...paths.map((path, k) =>
          h("svg:path", { d: path || "M0 0", class: k % 2 === 1 ? "minus" : null, "data-strength": Math.floor(k / 2) }),
        ),
        hot[layer],
      );
    });
  }

  return {
    element,

    /** @param {Run} now */
    show(now) {
      run = now;
      const { d, hidden, isBackward, token } = now.net;
      const next = `${d} ${hidden} ${isBackward}`;
      if (next !== shape) {
        shape = next;
        build(now);
      }
      for (const column of columns) column.show(now, token);
      drawEdges();
    },

    /** @param {Cell} cell the number whose sum is written out */
    mark(cell) {
      if (run === null) return;
      const { d, hidden, isBackward } = run.net;
      const isInner = ["z", "a", "da", "dz"].includes(cell.matrix);
      for (const column of columns) column.mark(column.isInner === isInner && column.isComputed ? cell.column : -1);
      // Forward from the left, backward from the right.
      const layer = isInner === isBackward ? 1 : 0;
      const weights = layer === 0 ? run.w1 : run.w2;
      const [from, to] = layer === 0 ? [d, hidden] : [hidden, d];
      const fixesEnd = !isBackward;
      const most = weights.reduce((size, w) => Math.max(size, Math.abs(w)), 0);
      hot[1 - layer].replaceChildren();
      hot[layer].replaceChildren(
        ...Array.from({ length: fixesEnd ? from : to }, (_, other) => {
          const [i, j] = fixesEnd ? [other, cell.column] : [cell.column, other];
          const weight = weights[i * to + j];
          const path = h("svg:path", { d: segment(i, from, j, to), class: weight < 0 ? "minus" : null });
          path.style.setProperty("stroke-width", String(0.75 + (2.75 * Math.abs(weight)) / most));
          return path;
        }),
      );
    },
  };
}

const height = (/** @type {number} */ index, /** @type {number} */ count) => ((index + 0.5) / count).toFixed(4);

const segment = (/** @type {number} */ i, /** @type {number} */ from, /** @type {number} */ j, /** @type {number} */ to) =>
  `M0 ${height(i, from)}L1 ${height(j, to)}`;

/** @typedef {ReturnType<typeof createColumn>} Column */

/**
 * @param {MatrixName} matrix that its units stand for
 * @param {MatrixName[]} shown the numbers of a unit, from left to right
 * @param {number} count
 * @param {boolean} isComputed its units can be asked how they come about
 */
function createColumn(matrix, shown, count, isComputed) {
  const isInner = shown.length > 1;
  const numbers = Array.from({ length: count }, () => shown.map(() => h("span", { class: "n" })));
  const label = (/** @type {number} */ index) => {
    if (isInner) return both("hiddenUnit", { unit: index + 1 });
    return both(matrix === "dx" || matrix === "x" ? "inputUnit" : "outputUnit", { unit: index + 1 });
  };
  const units = numbers.map((spans, index) => {
    const content = spans.flatMap((span, i) =>
      i === 0 ? [span] : [h("span", { class: "to", "aria-hidden": "true" }, "→"), span],
    );
    const words = h("span", { class: "vh" }, bilingual(label(index)));
    return isComputed
      ? h("button", { type: "button", class: "unit", "data-matrix": matrix, "data-index": index, tabindex: -1 }, words, content)
      : h("span", { class: "unit" }, words, content);
  });
  if (isComputed) units[0].tabIndex = 0;

  return {
    isInner,
    isComputed,
    head: h("span", { class: "net-head" }, richText(shown.map((name) => `*${name}*`).join(" → "))),
    body: h("div", { class: "net-col" }, units),

    /**
     * @param {Run} run
     * @param {number} token
     */
    show(run, token) {
      shown.forEach((name, i) => {
        const { at } = /** @type {import("./sums.js").Matrix} */ (matrixOf(run, name));
        numbers.forEach((spans, index) => {
          const value = at(token, index);
          spans[i].textContent = cellText(value);
          spans[i].dataset.value = String(value);
          if (i > 0) units[index].classList.toggle("is-zero", value === 0);
        });
      });
    },

    /** @param {number} chosen */
    mark(chosen) {
      if (!isComputed) return;
      units.forEach((unit, index) => {
        unit.setAttribute("aria-pressed", String(index === chosen));
        if (chosen >= 0) unit.tabIndex = index === chosen ? 0 : -1;
      });
    },
  };
}
