/** The state that a page begins with: its host's, its address's, or what a saved copy of the handout was left with. */

/** The block of the handout that holds it; everything else in the file stays as it is, so that its hashes hold. */
const BLOCK = "saved-state";

/** A query, as an address has it. */
export function firstQuery() {
  const text = document.getElementById(BLOCK)?.textContent || '""';
  return document.documentElement.dataset.query ?? (location.search || JSON.parse(text));
}

/**
 * @param {string} source of the handout
 * @param {string} query
 * @returns {string} the same file, beginning with that state
 */
export function withState(source, query) {
  const block = new RegExp(`(<script type="application/json" id="${BLOCK}">)[^<]*`);
  // Inside a script no sign may look like its end.
  const json = JSON.stringify(query && `?${query}`).replaceAll("<", "\\u003c");
  return source.replace(block, (_, tag) => tag + json);
}
