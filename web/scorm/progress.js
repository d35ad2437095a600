/** What the platform is told, and what it keeps for the next visit, as text. No browser in here. */

/** SCORM 1.2 promises room for so many characters. */
export const LONGEST_SUSPEND_DATA = 4096;

/**
 * What is kept: the sections visited, and the page's state as its address says it.
 * @typedef {{ visited: string[], query: string }} Kept
 */

/**
 * @param {Kept} kept
 * @returns {string} the state without all but the answers where it would be too long
 */
export function packKept({ visited, query }) {
  const text = (/** @type {string} */ state) => JSON.stringify({ v: 1, visited, query: state });
  if (text(query).length <= LONGEST_SUSPEND_DATA) return text(query);
  const answers = [...new URLSearchParams(query)].filter(([key]) => /^(judge|cards|lang)\b/.test(key));
  const short = text(`?${new URLSearchParams(answers)}`);
  return short.length <= LONGEST_SUSPEND_DATA ? short : text("");
}

/**
 * @param {string} text as the platform gives it back
 * @param {string[]} sections those that exist
 * @returns {Kept} nothing visited where the text is not ours
 */
export function readKept(text, sections) {
  try {
    const { v, visited, query } = JSON.parse(text);
    if (v === 1 && Array.isArray(visited) && typeof query === "string") {
      return { visited: sections.filter((id) => visited.includes(id)), query: query.startsWith("?") ? query : "" };
    }
  } catch {
    // Empty at the first visit, or another package's.
  }
  return { visited: [], query: "" };
}

/** HHHH:MM:SS.SS, as SCORM 1.2 writes a span of time. */
export function timespan(/** @type {number} */ milliseconds) {
  const hundredths = Math.max(0, Math.round(milliseconds / 10));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const seconds = Math.floor(hundredths / 100);
  const hours = Math.min(9999, Math.floor(seconds / 3600));
  return `${String(hours).padStart(4, "0")}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${two(hundredths % 100)}`;
}

/**
 * The quiz as a score of 100, once every statement has been judged; null before that.
 * @param {{ right: number, wrong: number, open: number }} counts
 */
export function scoreOf({ right, wrong, open }) {
  return open === 0 && right + wrong > 0 ? Math.round((10000 * right) / (right + wrong)) / 100 : null;
}
