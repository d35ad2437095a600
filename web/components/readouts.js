/** The readouts of a figure: a table of outputs, with x as a field at its head. */
import { bilingualText } from "../i18n/labels.js";
import { functionWord } from "./controls.js";
import { bilingual, h, richText } from "./dom.js";
import { parseNumber } from "./numbers.js";

/**
 * @typedef {import("./figure.js").Context} Context
 * @typedef {import("./figure.js").FigureDefinition} FigureDefinition
 * @typedef {import("./figure.js").Readout} Readout
 */

/**
 * The readouts of a figure, with x as a field at their head.
 * @param {HTMLElement} root
 * @param {FigureDefinition} definition
 * @param {(x: number) => void} setX
 * @param {() => void} gestureEnded
 */
export function createReadouts(root, definition, setX, gestureEnded) {
  const body = h("tbody");
  const hero = root.dataset.variant === "compact";
  const element = h("table", { class: hero ? "read read-hero" : "read" }, body);
  const field = h("input", {
    class: "num",
    type: "text",
    inputmode: "decimal",
    name: "x-typed",
    autocomplete: "off",
    spellcheck: "false",
  });
  const message = h("p", { class: "help", role: "alert", hidden: true });
  const id = `x-of-${definition.name}-${root.closest("section")?.id}`;
  field.id = id;
  message.id = `${id}-message`;
  const lead = h(
    "tr",
    { class: "lead" },
    h("th", { scope: "row" }, h("label", { for: id }, h("i", null, "x"))),
    h("td", null, field),
  );
  /** @type {Map<string, { row: HTMLElement, output: HTMLElement, note: HTMLElement }>} */
  const rows = new Map();
  /** @type {string | null} */
  let shownRows = null;

  function commit() {
    const value = parseNumber(field.value);
    const ok = value !== null && Math.abs(value) <= 50;
    field.setAttribute("aria-invalid", String(!ok));
    message.hidden = ok;
    if (!ok) {
      field.setAttribute("aria-describedby", message.id);
      message.replaceChildren(bilingual(bilingualText("allowedRange", { min: "−50", max: "50" })));
      return;
    }
    field.removeAttribute("aria-describedby");
    setX(value);
  }

  field.addEventListener("input", commit);
  field.addEventListener("change", () => {
    commit();
    gestureEnded();
  });

  if (hero) root.querySelector(".fig-plot")?.append(element, message);

  return {
    sideElements: hero ? [] : [element, message],

    /**
     * @param {Context} now
     * @param {Readout[]} readouts
     * @param {string} x
     */
    show(now, readouts, x) {
      if (document.activeElement !== field) {
        field.value = x;
        field.setAttribute("aria-invalid", "false");
        message.hidden = true;
      }
      const key = readouts.map((readout) => `${readout.name}${readout.suffix ?? ""}`).join();
      if (key !== shownRows) {
        shownRows = key;
        rows.clear();
        body.replaceChildren(lead, ...readouts.map((readout) => createRow(readout)));
      }
      for (const readout of readouts) fillRow(readout, now);
    },
  };

  /** @param {Readout} readout */
  function createRow({ name, fn, suffix, note }) {
    const output = h("output", { "data-readout": name, "aria-live": "off" });
    const noteElement = note?.name === undefined ? h("span") : h("output", { "data-readout": note.name, "aria-live": "off" });
    const row = hero
      ? h(
          "tr",
          null,
          h("th", { scope: "row" }, functionWord(fn, suffix)),
          h("td", null, output),
          h("td", { class: "note" }, noteElement),
        )
      : h("tr", null, h("th", { scope: "row" }, functionWord(fn, suffix)), h("td", null, output, h("small", null, noteElement)));
    rows.set(name, { row, output, note: noteElement });
    return row;
  }

  /** @param {Readout} readout @param {Context} now */
  function fillRow({ name, value, text, note }, now) {
    const row = rows.get(name);
    if (row === undefined) return;
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
