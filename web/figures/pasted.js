/** Reads what a reader pastes: lines of x and y, a CSV with a head, or values of y alone; names what it cannot read. */
import { isDecimal } from "../components/numbers.js";

/**
 * @typedef {"notANumber" | "noY" | "noX" | "tooMany" | "manyFields"} Reason
 * @typedef {{ line: number, reason: Reason, word: string }} Unread
 * @typedef {{ xs: number[], ys: number[], lines: number[], unread: Unread[] }} Pasted lines: where each row was found
 * @typedef {{ number: number, fields: string[] }} Line
 */

/** More than this is not read, so that the page stays quick. */
export const MOST_ROWS = 100_000;

const X_NAMES = /^(x|xs|in|inputs?|输入|自变量)$/i;
const Y_NAMES = /^(y|ys|out|outputs?|values?|results?|输出|结果|函数值)$/i;
const FUNCTION_NAMES = /gelu|输出|value|output/i;

/**
 * A number as programs print it: decimal, hexadecimal (C's %a), nan, inf; with C's f behind it too.
 * @param {string} word
 * @returns {number | null} null: no number
 */
export function readValue(word) {
  const plain = word.replaceAll("−", "-").replace(/(\d\.?)f$/i, "$1");
  if (isDecimal(plain)) return Number(plain);
  if (/^[+-]?nan$/i.test(plain)) return Number.NaN;
  const infinity = plain.match(/^([+-]?)(inf|infinity|∞)$/i);
  if (infinity) return infinity[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return readHexadecimal(word);
}

/** @param {string} word 0x1.8p-3 is 0.1875 */
function readHexadecimal(word) {
  const match = word.match(/^([+-]?)0x([0-9a-f]+)\.?([0-9a-f]*)p([+-]?\d+)$/i);
  if (match === null) return null;
  const [, sign, whole, fraction, exponent] = match;
  const size = (Number(`0x${whole}${fraction}`) / 16 ** fraction.length) * 2 ** Number(exponent);
  return sign === "-" ? -size : size;
}

/** Where semicolons or tabs part the columns, a comma between digits is a decimal one: a German or French spreadsheet. */
const hasDecimalCommas = (/** @type {string} */ text) =>
  !/\d\.\d/.test(text) && ((/[;\t]/.test(text) && /\d,\d/.test(text)) || isColumnOfDecimals(text));

/** One number a line, each with a comma and some with more digits behind it than a whole number would have. */
const isColumnOfDecimals = (/** @type {string} */ text) =>
  /^(\s*[+\-−]?\d+,\d+\s*(\n|$))+$/u.test(text) && /,(0\d|\d{4})/.test(text);

/**
 * The words of a line, whatever separates them; brackets and quotes of a list in a program do not count.
 * @param {string} line
 * @param {boolean} decimalCommas
 */
function fieldsOf(line, decimalCommas) {
  const bare = line
    .replace(/^\ufeff/, "")
    .replace(/\b(tensor|array)\s*\(/gi, "")
    .replace(/[[\](){}"']/g, "")
    .trim()
    .replace(/[,;]$/, "");
  if (bare === "" || bare.startsWith("#")) return [];
  if (decimalCommas) return bare.split(/[;\t]/).map((field) => field.trim().replace(/(\d),(\d)/, "$1.$2"));
  return /[,;\t]/.test(bare) ? bare.split(/[,;\t]/).map((field) => field.trim()) : bare.split(/\s+/);
}

/**
 * @param {string} text
 * @returns {Line[]} those that hold something, with their numbers
 */
function linesOf(text) {
  const decimalCommas = hasDecimalCommas(text);
  return text
    .normalize("NFKC")
    .split(/\r\n|\r|\n/)
    .map((line, i) => ({ number: i + 1, fields: fieldsOf(line, decimalCommas) }))
    .filter(({ fields }) => fields.length > 0);
}

const isHead = (/** @type {Line} */ { fields }) => fields.every((field) => readValue(field) === null);

/**
 * Which columns a head names; null for x where there is none.
 * @param {string[]} names
 * @returns {{ x: number | null, y: number }}
 */
function columnsNamed(names) {
  const x = names.findIndex((name) => X_NAMES.test(name));
  const named = names.findIndex((name) => Y_NAMES.test(name));
  const y = named >= 0 ? named : names.findIndex((name, i) => i !== x && FUNCTION_NAMES.test(name));
  if (x >= 0) return { x, y: y >= 0 ? y : names.findIndex((_, i) => i !== x) };
  if (y >= 0) return { x: null, y };
  return names.length > 1 ? { x: 0, y: 1 } : { x: null, y: 0 };
}

/** A list in a program, or one line with more than a pair: all of it values of y. */
const isList = (/** @type {string} */ text, /** @type {Line[]} */ lines) =>
  /^\s*(\w+\s*\()?\[(?!\s*\[)/.test(text) || (lines.length === 1 && lines[0].fields.length > 2);

/**
 * @param {string} text
 * @param {readonly number[]} ownXs what values of y alone belong to, in order
 * @returns {Pasted}
 */
export function readPasted(text, ownXs) {
  const lines = linesOf(text);
  /** @type {Pasted} */
  const pasted = { xs: [], ys: [], lines: [], unread: [] };
  if (lines.length === 0) return pasted;
  if (isList(text, lines)) {
    const values = lines.flatMap(({ number, fields }) => fields.map((field) => ({ number, fields: [field] })));
    readRows(pasted, values, { x: null, y: 0 }, ownXs, 1);
    return pasted;
  }
  const headed = isHead(lines[0]) && lines.length > 1;
  const rows = headed ? lines.slice(1) : lines;
  const columns = headed ? columnsNamed(lines[0].fields) : rows[0].fields.length > 1 ? { x: 0, y: 1 } : { x: null, y: 0 };
  // Without a head nobody can tell which of three numbers is meant; a decimal comma makes three of two, too.
  readRows(pasted, rows, columns, ownXs, headed ? lines[0].fields.length : 2);
  return pasted;
}

/**
 * @param {Pasted} pasted is filled
 * @param {Line[]} rows
 * @param {{ x: number | null, y: number }} columns
 * @param {readonly number[]} ownXs
 * @param {number} most fields in a row
 */
function readRows(pasted, rows, columns, ownXs, most) {
  rows.slice(0, MOST_ROWS).forEach(({ number, fields }, i) => {
    const read =
      fields.length > most
        ? { reason: /** @type {Reason} */ ("manyFields"), word: fields.join(" ") }
        : readRow(fields, columns, ownXs[i]);
    if ("reason" in read) {
      pasted.unread.push({ line: number, ...read });
    } else {
      pasted.xs.push(read.x);
      pasted.ys.push(read.y);
      pasted.lines.push(number);
    }
  });
  if (rows.length > MOST_ROWS) pasted.unread.push({ line: rows[MOST_ROWS].number, reason: "tooMany", word: "" });
}

/**
 * @param {string[]} fields
 * @param {{ x: number | null, y: number }} columns
 * @param {number | undefined} ownX where no column holds x
 * @returns {{ x: number, y: number } | { reason: Reason, word: string }}
 */
function readRow(fields, columns, ownX) {
  const wordY = fields[columns.y] ?? "";
  const wordX = columns.x === null ? null : (fields[columns.x] ?? "");
  if (wordX === null && ownX === undefined) return { reason: "noX", word: wordY };
  if (wordY === "") return { reason: "noY", word: "" };
  const x = wordX === null ? ownX : readValue(wordX);
  if (x === null || x === undefined) return { reason: "notANumber", word: wordX ?? "" };
  const y = readValue(wordY);
  return y === null ? { reason: "notANumber", word: wordY } : { x, y };
}
