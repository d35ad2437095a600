/** The readouts of a figure: a table of outputs, with x, or where else its cursor is, as a field at its head. */
import { bilingualText } from "../i18n/labels.js";
import { functionWord } from "./controls.js";
import { bilingual, h, richText } from "./dom.js";
import { fixed, parseNumber } from "./numbers.js";

/**
 * @typedef {import("./figure.js").Context} Context
 * @typedef {import("./figure.js").FigureDefinition} FigureDefinition
 * @typedef {import("./figure.js").Readout} Readout
 */

/**
 * @param {HTMLElement} root
 * @param {FigureDefinition} definition
 * @param {import("./axis.js").CursorAxis} axis
 * @param {(x: number) => void} setX
 * @param {() => void} gestureEnded
 */
export function createReadouts(root, definition, axis, setX, gestureEnded) {
  const body = h("tbody");
  const hero = root.dataset.variant === "compact";
  const element = h("table", { class: hero ? "read read-hero" : "read" }, body);
  const field = h("input", {
    class: "num",
    type: "text",
    name: `${axis.inputName}-typed`,
    autocomplete: "off",
    spellcheck: "false",
  });
  const message = h("p", { class: "help", role: "alert", hidden: true });
  const messageRow = h("tr", { class: "help-row", hidden: true }, h("td", { colspan: 3 }, message));
  const id = `x-of-${definition.name}-${root.closest("section")?.id}`;
  // Where the axis ends, a number beyond it stands for nothing.
  let [min, max] = axis.bounds;
  field.id = id;
  message.id = `${id}-message`;
  const name = [...(definition.isSum ? [bilingual(bilingualText("score")), " "] : []), bilingual(bilingualText(axis.name))];
  const lead = h(
    "tr",
    { class: definition.isSum ? null : "lead" },
    h("th", { scope: "row" }, h("label", { for: id }, name)),
    h("td", null, field),
  );
  if (definition.isSum) element.classList.add("sum");
  /** @type {Map<string, { head: HTMLElement, output: HTMLElement, note: HTMLElement }>} */
  const rows = new Map();
  /** @type {string | null} */
  let shownRows = null;

  let before = "";
  /** What the figure shows, and what the field does once it is left. */
  let shownX = { text: "", value: "" };

  /**
   * Takes what stands in the field, if it is a number that x can be; else puts back what x was.
   * @param {boolean} complete the reader has finished: a number that is none is named
   */
  function commit(complete) {
    const value = parseNumber(field.value);
    const ok = value !== null && value >= min && value <= max;
    const wrong = complete && !ok;
    field.setAttribute("aria-invalid", String(wrong));
    message.hidden = messageRow.hidden = !wrong;
    element.classList.toggle("stale", wrong);
    if (wrong) {
      field.setAttribute("aria-describedby", message.id);
      message.replaceChildren(bilingual(bilingualText("allowedRange", { min: fixed(min, 0), max: fixed(max, 0) })));
    } else {
      field.removeAttribute("aria-describedby");
    }
    if (ok && complete) before = String(value);
    setX(ok ? value : Number(before));
  }

  field.addEventListener("focus", () => {
    before = field.dataset.value ?? "0";
  });
  field.addEventListener("input", () => commit(false));
  field.addEventListener("change", () => {
    commit(true);
    gestureEnded();
  });
  field.addEventListener("blur", () => {
    if (field.getAttribute("aria-invalid") === "true") return;
    field.value = shownX.text;
    field.dataset.value = shownX.value;
  });
  field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    field.value = "";
    setX(Number(before));
    field.blur();
  });

  return {
    plotElements: hero ? [element] : [],
    sideElements: hero ? [] : [element],

    /**
     * @param {Context} now
     * @param {Readout[]} readouts
     * @param {string} x
     */
    show(now, readouts, x) {
      if (!axis.zooms) [min, max] = definition.range(now);
      shownX = { text: x, value: String(now.state[axis.key]) };
      if (document.activeElement !== field) {
        field.value = shownX.text;
        field.dataset.value = shownX.value;
        field.setAttribute("aria-invalid", "false");
        field.removeAttribute("aria-describedby");
        message.hidden = messageRow.hidden = true;
        element.classList.remove("stale");
      }
      const key = readouts.map(({ name, suffix = "", fn, note }) => `${name}${suffix} ${fn} ${note?.name}`).join();
      if (key !== shownRows) {
        shownRows = key;
        rows.clear();
        body.replaceChildren(lead, messageRow, ...readouts.map((readout) => createRow(readout)));
      }
      for (const readout of readouts) fillRow(readout, now);
    },
  };

  /** @param {Readout} readout */
  function createRow({ name, fn, label, suffix, operator, note }) {
    const output = h("output", { "data-readout": name, "aria-live": "off" });
    const noteElement = note?.name === undefined ? h("span") : h("output", { "data-readout": note.name, "aria-live": "off" });
    const head = label === undefined ? functionWord(fn, suffix) : h("span", fn === "" ? null : { class: "fn", "data-fn": fn });
    rows.set(name, { head, output, note: noteElement });
    const cells = hero
      ? [h("td", null, output), h("td", { class: "note" }, noteElement)]
      : [h("td", null, output, h("small", null, noteElement))];
    const sign = operator && h("span", { class: "op" }, operator);
    return h("tr", { class: operator === "=" ? "total" : null }, h("th", { scope: "row" }, sign, head), cells);
  }

  /** @param {Readout} readout @param {Context} now */
  function fillRow({ name, label, value, text, note }, now) {
    const row = rows.get(name);
    if (row === undefined) return;
    if (label !== undefined) row.head.replaceChildren(...richText(label));
    setOutput(row.output, text, value);
    const shown = note === undefined ? "" : typeof note.text === "string" ? note.text : note.text[now.language];
    row.note.replaceChildren(...richText(shown));
    if (note?.value !== undefined) row.note.dataset.value = String(note.value);
  }
}

/**
 * @param {HTMLElement} output
 * @param {string} text
 * @param {number} value
 */
function setOutput(output, text, value) {
  output.textContent = text;
  output.dataset.value = Object.is(value, -0) ? "-0" : String(value);
}
