/** What the address of an embedded figure says beside the state: how much of the figure is shown, and by which name it answers. */

/** @typedef {{ controls: string, title: string, background: string }} Options */

/**
 * The first of each is the default. full: everything; min: the plot, what is read off it, table and reset; none: the plot
 * and its knob. paper: the ground of the theme.
 */
export const CHOICES = { controls: ["full", "min", "none"], title: ["1", "0"], background: ["paper", "transparent"] };

/** Longer names are cut: nobody but the host needs them. */
const LONGEST_ID = 100;

/**
 * @param {string} query
 * @returns {{ options: Options, id: string, kept: string }} kept: of the query what is no state, to be written back with it
 */
export function optionsOf(query) {
  const given = new URLSearchParams(query);
  const kept = new URLSearchParams();
  const options = /** @type {Options} */ ({});
  for (const [name, choices] of Object.entries(CHOICES)) {
    // Of a repeated key the last counts, as in state.js.
    const wanted = given.getAll(name).pop() ?? "";
    const value = choices.includes(wanted) ? wanted : choices[0];
    options[/** @type {keyof Options} */ (name)] = value;
    if (value !== choices[0]) kept.set(name, value);
  }
  const id = (given.getAll("embed_id").pop() ?? "").slice(0, LONGEST_ID);
  if (id !== "") kept.set("embed_id", id);
  return { options, id, kept: String(kept) };
}
