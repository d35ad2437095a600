/** A table of words and numbers from one description: elements on the page, the same as HTML at build time. */
import { bilingual, h } from "./dom.js";

/**
 * @typedef {string | { zh: string, en: string }} Words
 * @typedef {{ text: Words, fn?: string, tag?: Words, href?: string }} Cell fn: a function's word; tag: a small word after it
 * @typedef {{ name: string, head: Words, fn?: string, words?: boolean, wide?: boolean, sorts?: boolean }} Column
 *   words: set to the left; wide: a sentence; sorts: its head is a button
 * @typedef {{ columns: readonly Column[], rows: Cell[][] }} Grid the first cell of a row is its head
 * @typedef {{ by: string, falling: boolean }} Sorting
 */

const both = (/** @type {Words} */ words) => (typeof words === "string" ? { zh: words, en: words } : words);
const classOf = (/** @type {Column} */ { words, wide }) => [words && "words", wide && "wide"].filter(Boolean).join(" ") || null;

/**
 * @param {readonly Column[]} columns
 * @param {{ labelledBy: string, empty: Words, sort?: (name: string) => void, scrolls?: boolean }} options
 *   labelledBy: id of the heading; empty: instead of rows; scrolls: more than twelve rows scroll inside their box
 */
export function createGrid(columns, { labelledBy, empty, sort, scrolls }) {
  const heads = columns.map((column) => createHead(column, sort));
  const body = h("tbody");
  const element = h(
    "div",
    { class: scrolls ? "grid-box scrolls" : "grid-box", tabindex: 0, role: "region", "aria-labelledby": labelledBy },
    h("table", { class: "data grid" }, h("thead", null, h("tr", null, heads)), body),
  );

  return {
    element,

    /**
     * @param {Cell[][]} rows
     * @param {Sorting} [sorting]
     */
    show(rows, sorting) {
      body.replaceChildren(...(rows.length > 0 ? rows.map((cells) => createRow(columns, cells)) : [emptyRow()]));
      columns.forEach(({ name, sorts }, i) => {
        if (sorts && sorting) heads[i].setAttribute("aria-sort", directionOf(name, sorting));
      });
    },
  };

  function emptyRow() {
    return h("tr", null, h("td", { class: "words", colspan: columns.length }, bilingual(both(empty))));
  }
}

/**
 * @param {string} name
 * @param {Sorting} sorting
 */
function directionOf(name, { by, falling }) {
  if (by !== name) return "none";
  return falling ? "descending" : "ascending";
}

/**
 * @param {Column} column
 * @param {((name: string) => void) | undefined} sort
 */
function createHead(column, sort) {
  const { name, head, fn, sorts } = column;
  const words = fn === undefined ? bilingual(both(head)) : h("span", { class: "fn plain", "data-fn": fn }, bilingual(both(head)));
  const content = sorts && sort ? h("button", { type: "button", class: "sort", onclick: () => sort(name) }, words) : words;
  return h("th", { scope: "col", class: classOf(column), "data-column": name }, content);
}

/**
 * @param {readonly Column[]} columns
 * @param {Cell[]} cells
 */
function createRow(columns, cells) {
  return h(
    "tr",
    null,
    cells.map((cell, i) =>
      i === 0
        ? h("th", { scope: "row", class: classOf(columns[i]) }, createCell(cell))
        : h("td", { class: classOf(columns[i]) }, createCell(cell)),
    ),
  );
}

/** @param {Cell} cell */
function createCell({ text, fn, tag, href }) {
  const words = bilingual(both(text));
  const content =
    fn !== undefined ? h("span", { class: "fn", "data-fn": fn }, words) : href !== undefined ? h("a", { href }, words) : words;
  return tag === undefined ? [content] : [content, " ", h("small", null, bilingual(both(tag)))];
}

// ---------- the same, as HTML ----------

const ENTITIES = /** @type {Record<string, string>} */ ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" });
const escaped = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]);
const italics = (/** @type {string} */ text) => escaped(text).replace(/\*([^*]+)\*/g, "<i>$1</i>");

/** @param {Words} words */
function wordsHtml(words) {
  const { zh, en } = both(words);
  return zh === en ? italics(en) : `<span lang="zh-CN">${italics(zh)}</span><span lang="en">${italics(en)}</span>`;
}

/** @param {Cell} cell */
function cellHtml({ text, fn, tag, href }) {
  const words = wordsHtml(text);
  const content =
    fn !== undefined
      ? `<span class="fn" data-fn="${fn}">${words}</span>`
      : href !== undefined
        ? `<a href="${escaped(href)}">${words}</a>`
        : words;
  return tag === undefined ? content : `${content} <small>${wordsHtml(tag)}</small>`;
}

/** @param {Grid} grid */
export function gridHtml({ columns, rows }) {
  const attribute = (/** @type {Column} */ column) => (classOf(column) ? ` class="${classOf(column)}"` : "");
  const heads = columns.map((column) => {
    const words = wordsHtml(column.head);
    const content = column.fn === undefined ? words : `<span class="fn plain" data-fn="${column.fn}">${words}</span>`;
    return `<th scope="col"${attribute(column)}>${content}</th>`;
  });
  const lines = rows.map((cells) => {
    const [first, ...others] = cells.map(cellHtml);
    const rest = others.map((cell, i) => `<td${attribute(columns[i + 1])}>${cell}</td>`);
    return `<tr><th scope="row"${attribute(columns[0])}>${first}</th>${rest.join("")}</tr>`;
  });
  return (
    `<div class="grid-box"><table class="data grid"><thead><tr>${heads.join("")}</tr></thead>` +
    `<tbody>${lines.join("")}</tbody></table></div>`
  );
}
