/** What a reader takes away from a figure: CSV, SVG, PNG, a link. */
import { loadPart } from "../parts.js";
import { h } from "./dom.js";

const PNG_SCALE = 2;

/**
 * @param {string} name
 * @param {Blob} blob
 */
export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  // Engines read the URL after the click; a minute is ample and no leak to speak of.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A CSV field: quoted where it must be (RFC 4180). */
const field = (/** @type {string} */ text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const number = (/** @type {number} */ value) => (Object.is(value, -0) ? "-0" : String(value));

/** @param {(string | number)[][]} rows */
export function rowsToCsv(rows) {
  const cell = (/** @type {string | number} */ value) => field(typeof value === "number" ? number(value) : value);
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/**
 * Full-precision numbers, one row for each x.
 * @param {import("./figure.js").DataTable} table
 */
export function tableToCsv({ axis = "x", xs, columns }) {
  const head = [axis.replaceAll("*", ""), ...columns.map(({ name }) => name)];
  return rowsToCsv([head, ...Array.from(xs, (x, i) => [x, ...columns.map(({ values }) => values[i])])]);
}

/**
 * @param {string} name
 * @param {import("./figure.js").DataTable} table
 */
export const saveCsv = (name, table) => downloadCsv(name, tableToCsv(table));

/**
 * @param {string} name
 * @param {(string | number)[][]} rows the first one is the head
 */
export const saveRows = (name, rows) => downloadCsv(name, rowsToCsv(rows));

/**
 * @param {string} name
 * @param {string} text
 */
function downloadCsv(name, text) {
  // The mark tells spreadsheets that this is UTF-8.
  download(`${name}.csv`, new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
}

/** @typedef {Parameters<import("../parts.js").Parts["tools"]["sceneToFile"]>} Drawing */

/** @param {Drawing} drawing */
const fileOf = async (drawing) => (await loadPart("tools")).sceneToFile(...drawing);

/**
 * @param {string} name
 * @param {Drawing} drawing
 */
export async function saveSvg(name, drawing) {
  download(`${name}.svg`, new Blob([await fileOf(drawing)], { type: "image/svg+xml" }));
}

/**
 * @param {string} name
 * @param {Drawing} drawing
 */
export async function savePng(name, drawing) {
  const image = new Image();
  // A data URL, since an SVG from a blob taints the canvas in some engines.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await fileOf(drawing))}`;
  await image.decode();
  const canvas = h("canvas", { width: image.width * PNG_SCALE, height: image.height * PNG_SCALE });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob === null) throw new Error("this browser could not make a PNG");
  download(`${name}.png`, /** @type {Blob} */ (blob));
}

/**
 * Puts text on the clipboard; where the host does not allow it, shows it selected, to be copied by hand.
 * @param {string} text
 * @param {HTMLElement} beside
 * @returns {Promise<boolean>} whether it is on the clipboard
 */
export async function copyText(text, beside) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showToCopy(text, beside);
    return false;
  }
}

/**
 * Text in a field, selected, until the reader goes on.
 * @param {string} text
 * @param {HTMLElement} beside
 */
export function showToCopy(text, beside) {
  beside.querySelector(".copy-by-hand")?.remove();
  const input = h("input", { class: "num copy-by-hand", type: "text", readonly: true, value: text, "aria-label": text });
  input.addEventListener("blur", () => input.remove());
  beside.append(input);
  input.focus();
  input.select();
}
