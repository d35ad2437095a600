/** What a page begins with: its host's state, its address's, or state and place that a saved copy of the handout was left with. */

/** The block of the handout that holds it; everything else in the file stays as it is, so that its hashes hold. */
const BLOCK = "saved-state";

/** @typedef {import("./components/place.js").Place} Place */

/** @returns {[string?, Place?]} */
const saved = () => JSON.parse(document.getElementById(BLOCK)?.textContent || "[]");

/** A query, as an address has it. */
export const firstQuery = () => document.documentElement.dataset.query ?? (location.search || (saved()[0] ?? ""));

/** Where a saved copy was left. */
export const firstPlace = () => saved()[1] ?? [];

/**
 * @param {string} source of the handout
 * @param {string} query
 * @param {Place} place
 * @returns {string} the same file, beginning with that state at that place
 */
export function withState(source, query, place) {
  const block = new RegExp(`(<script type="application/json" id="${BLOCK}">)[^<]*`);
  // Inside a script no sign may look like its end.
  const json = JSON.stringify([query && `?${query}`, place]).replaceAll("<", "\\u003c");
  return source.replace(block, (_, tag) => tag + json);
}
