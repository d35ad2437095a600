/** The design tokens as charts need them, read from the style sheet once per theme. */

/**
 * @typedef {{ color: string, dash: number[], round: boolean }} FunctionLine
 * @typedef {{
 *   token(name: string): string, faded(color: string): string, tint(color: string, name: string): string,
 *   functions: Record<string, FunctionLine>, curve: number, curveStrong: number, tick: number, small: number, big: number,
 *   ui: string, math: string, magnification: number,
 * }} Theme magnification: of whole plots, by the style sheet
 */

/** The name of the line that is drawn in ink. */
export const INK = "ink";

/** Of a function that has no tokens yet. */
const UNNAMED_DASH = "4 4";

/**
 * @param {readonly string[]} ids
 * @returns {Theme}
 */
export function readTheme(ids) {
  const style = getComputedStyle(document.documentElement);
  /** @type {Map<string, string>} */
  const known = new Map();
  const token = (/** @type {string} */ name) => {
    if (!known.has(name)) known.set(name, style.getPropertyValue(name).trim());
    return /** @type {string} */ (known.get(name));
  };
  const root = Number.parseFloat(style.fontSize);
  const magnification = Number(token("--magnification")) || 1;
  const rem = (/** @type {string} */ name) => (Number.parseFloat(token(name)) * root) / magnification;
  const kebab = (/** @type {string} */ id) => id.replaceAll("_", "-");
  return {
    token,
    faded: (color) => `color-mix(in oklab, ${color} 35%, transparent)`,
    tint: (color, name) => `color-mix(in oklab, ${color} ${token(name)}, transparent)`,
    functions: Object.fromEntries([
      // Lines that are no function's.
      [INK, { color: token("--ink"), dash: [], round: false }],
      ...ids.map((id) => {
        const dash = token(`--dash-${kebab(id)}`) || UNNAMED_DASH;
        const color = token(`--fn-${kebab(id)}`) || token("--ink-2");
        return [id, { color, dash: dash === "none" ? [] : dash.split(" ").map(Number), round: id === "sigmoid" }];
      }),
    ]),
    curve: Number.parseFloat(token("--curve")),
    curveStrong: Number.parseFloat(token("--curve-strong")),
    tick: rem("--fs-tick"),
    small: rem("--fs-small"),
    big: rem("--fs-claim"),
    magnification,
    ui: token("--font-ui"),
    math: token("--font-math"),
  };
}
