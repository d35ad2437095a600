/** What "check your own" answers (check.js): pasted values against the kernels'. Nothing leaves the page. */
import { announce } from "../components/announce.js";
import { bilingual, h, quoted } from "../components/dom.js";
import { saveRows } from "../components/export.js";
import { createGrid } from "../components/grid.js";
import { fixed, percent, scientific } from "../components/numbers.js";
import { bilingualText } from "../i18n/labels.js";
import { compare, FORMATS, summarize, textbookExample } from "./comparison.js";
import { readPasted } from "./pasted.js";

/**
 * @typedef {import("./comparison.js").Row} Row
 * @typedef {import("./comparison.js").FormatName} FormatName
 * @typedef {import("../i18n/labels.js").Label} Label
 */

/** Rows that the page lists; a CSV has all. */
const SHOWN_ROWS = 200;
/** Lines that could not be read and are named one by one. */
const SHOWN_UNREAD = 20;
const WORD_LENGTH = 24;
const LARGEST_FILE = 2e6;
/** Up to this many characters the answer comes at once, beyond it when the typing pauses. */
const SHORT_TEXT = 20_000;
const PAUSE = 150;

/** @type {import("../components/grid.js").Column[]} */
const COLUMNS = [
  { name: "x", head: bilingualText("variableX") },
  { name: "theirs", head: bilingualText("theirs") },
  { name: "ours", head: bilingualText("ours") },
  { name: "ulp", head: "ULP" },
  { name: "absolute", head: bilingualText("absoluteError") },
  { name: "relative", head: bilingualText("relativeError") },
  { name: "line", head: bilingualText("line") },
];

// ---------- numbers as the format tells them apart ----------

/**
 * The fewest digits that name a number of the format.
 * @param {number} value
 * @param {FormatName} name
 */
function exactly(value, name) {
  if (Number.isNaN(value)) return "NaN";
  const { round, shown } = FORMATS[name];
  let digits = 1;
  while (digits < shown && round(Number(value.toPrecision(digits))) !== value) digits++;
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-4 || size >= 1e7)) return scientific(value, digits);
  return fixed(value, Number.isFinite(value) ? Math.max(0, digits - 1 - Math.floor(Math.log10(size || 1))) : 0);
}

/** Whole numbers as a rule; a reference just above a power of two can make halves. */
function ulpText(/** @type {number} */ ulp) {
  if (!Number.isFinite(ulp)) return bilingualText("incomparable");
  const text = ulp >= 1e7 ? scientific(ulp, 3) : fixed(ulp, Number.isInteger(ulp) ? 0 : 1);
  return { zh: text, en: text };
}

/**
 * @param {Row} row
 * @param {FormatName} format
 * @returns {import("../components/grid.js").Cell[]}
 */
function cellsOf({ line, x, theirs, ours, absolute, relative, ulp }, format) {
  return [
    { text: exactly(x, format) },
    { text: exactly(theirs, format) },
    { text: exactly(ours, format) },
    { text: ulpText(ulp) },
    { text: scientific(absolute, 3) },
    { text: percent(relative) },
    { text: String(line) },
  ];
}

// ---------- the parts ----------

/** The numbers that sum it up. */
function createSummary() {
  const names = /** @type {const} */ (["rows", "worst", "within", "same", "unread"]);
  const outputs = Object.fromEntries(
    [...names, "worstAt"].map((name) => [name, h("output", { "data-readout": `check.${name}`, "aria-live": "off" })]),
  );
  const sameLabel = h("dt");
  const cell = (/** @type {Node | string} */ term, /** @type {(Node | string)[]} */ ...content) =>
    h("div", null, term instanceof HTMLElement ? term : h("dt", null, term), h("dd", null, ...content));
  const label = (/** @type {Label} */ key) => bilingual(bilingualText(key));
  const element = h(
    "dl",
    { class: "summary" },
    cell(label("rowsCompared"), outputs.rows),
    cell(label("worstUlp"), outputs.worst, h("small", null, h("i", null, "x"), " = ", outputs.worstAt)),
    cell(label("withinUlp"), outputs.within),
    cell(sameLabel, outputs.same),
    cell(label("notRead"), outputs.unread),
  );

  /**
   * @param {ReturnType<typeof summarize> & { unread: number }} numbers
   * @param {import("./comparison.js").Question} question
   */
  function show(numbers, { format, order }) {
    for (const name of names) outputs[name].replaceChildren(String(numbers[name]));
    const { rows, worst, worstAt } = numbers;
    outputs.worst.replaceChildren(rows > 0 ? bilingual(ulpText(worst)) : "—");
    outputs.worstAt.replaceChildren(rows > 0 ? exactly(worstAt, format) : "—");
    for (const [name, output] of Object.entries(outputs)) {
      output.dataset.value = String(numbers[/** @type {keyof typeof numbers} */ (name)]);
    }
    if (rows === 0) for (const none of [outputs.worst, outputs.worstAt]) delete none.dataset.value;
    // The float32 kernels round correctly at order 0, and so does float16 from float64; float64 itself may be 2 ULP off.
    const best = format === "float16" || (format === "float32" && order === 0);
    sameLabel.replaceChildren(label(best ? "correctlyRounded" : "sameAsOurs"));
  }

  return { element, show };
}

/** The lines that could not be read, each with the reason. */
function createComplaints() {
  const list = h("ul");
  const element = h("div", { class: "unread", hidden: true }, h("p", null, bilingual(bilingualText("linesNotRead"))), list);

  /** @param {import("./pasted.js").Unread[]} unread */
  function show(unread) {
    element.hidden = unread.length === 0;
    const items = unread.slice(0, SHOWN_UNREAD).map(({ line, reason, word }) => {
      return h("li", { "data-line": line }, bilingual(bilingualText(reason, { line, word: quoted(word, WORD_LENGTH) })));
    });
    const rest = unread.length - items.length;
    if (rest > 0) items.push(h("li", null, bilingual(bilingualText("andMore", { rest }))));
    list.replaceChildren(...items);
  }

  return { element, show };
}

// ---------- all of it ----------

/**
 * @param {HTMLElement} root
 * @param {import("../components/figure.js").Dependencies} deps
 * @param {{ field: HTMLTextAreaElement, message: HTMLElement, results: HTMLElement, titleId: string }} place message: why
 *   there is no answer; results: empty, to be filled
 */
export function createAnswers(root, deps, { field, message, results, titleId }) {
  const { gelu, store, language, gestureEnded } = deps;
  const summary = createSummary();
  const complaints = createComplaints();
  const grid = createGrid(COLUMNS, { labelledBy: titleId, empty: bilingualText("nothingCompared"), scrolls: true });
  const rest = h("p", { class: "help" });
  const csv = h(
    "button",
    { class: "btn", type: "button", "data-tool": "comparisonCsv", onclick: save },
    bilingual(bilingualText("comparisonCsv")),
  );
  results.append(
    summary.element,
    complaints.element,
    grid.element,
    h("div", { class: "results-foot" }, rest, h("div", { class: "row" }, csv)),
  );
  /** @type {Row[]} */
  let rows = [];
  let timer = 0;

  /** @returns {import("./comparison.js").Question} */
  function question() {
    const { "table.fn": fn, "table.order": order, "table.format": format } = store.state;
    return { fn, order: /** @type {0 | 1} */ (Number(order)), format };
  }

  function textChanged() {
    clearTimeout(timer);
    message.hidden = true;
    if (field.value.length <= SHORT_TEXT) answer();
    else timer = window.setTimeout(answer, PAUSE);
  }

  function answer() {
    show();
    if (!results.hidden) announce(root, sentence());
  }

  function sentence() {
    const { rows: count, worst, within } = summarize(rows);
    return bilingualText("checkSentence", { rows: count, within, worst: ulpText(worst)[language()] })[language()];
  }

  /** @param {string} text */
  function use(text) {
    field.value = text;
    field.scrollTop = 0;
    textChanged();
  }

  /** @param {{ zh: string, en: string }} text */
  function refuse(text) {
    message.hidden = false;
    message.replaceChildren(bilingual(text));
  }

  function example() {
    store.set({ "table.fn": "gelu", "table.order": "0", "table.format": "float32" });
    gestureEnded();
    use(textbookExample(gelu));
  }

  function show() {
    results.hidden = field.value.trim() === "";
    if (results.hidden) {
      rows = [];
      return;
    }
    const pasted = readPasted(field.value, store.state["table.xs"]);
    const asked = question();
    rows = compare(gelu, asked, pasted);
    summary.show({ ...summarize(rows), unread: pasted.unread.length }, asked);
    complaints.show(pasted.unread);
    grid.show(rows.slice(0, SHOWN_ROWS).map((row) => cellsOf(row, asked.format)));
    const isCut = rows.length > SHOWN_ROWS;
    rest.replaceChildren(bilingual(bilingualText(isCut ? "worstOf" : "worstFirst", { shown: SHOWN_ROWS, all: rows.length })));
  }

  function save() {
    const head = ["line", "x", "theirs", "ours", "absolute", "relative", "ulp"];
    const lines = rows.map(({ line, x, theirs, ours, absolute, relative, ulp }) => [
      line,
      x,
      theirs,
      ours,
      absolute,
      relative,
      ulp,
    ]);
    saveRows(`gelu-check-${question().fn}-${question().format}`, [head, ...lines]);
  }

  return {
    textChanged,
    example,

    /** Its text goes where pasted text goes. @param {File} file */
    async read(file) {
      if (file.size > LARGEST_FILE) refuse(bilingualText("fileTooLarge", { name: quoted(file.name, WORD_LENGTH) }));
      else await file.text().then(use, () => refuse(bilingualText("fileNotRead", { name: quoted(file.name, WORD_LENGTH) })));
    },

    show,
    sentence,
  };
}
