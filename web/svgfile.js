/** A scene as an SVG file to take away, with every colour written out. */
import { STROKES, TEXTS, TINTS } from "./looks.js";
import { drawing, escapeText } from "./svg.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./scene.js").Cursor} Cursor
 * @typedef {import("./theme.js").Theme} Theme
 */

/**
 * @param {Theme} theme
 * @returns {import("./svg.js").Attributes}
 */
function byTheme(theme) {
  const colorOf = (/** @type {string} */ fn) => theme.functions[fn].color;
  const paper = theme.token("--paper");
  const dashes = (/** @type {number[]} */ dash) => (dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : "");
  return {
    line(style, fn) {
      const [token, width, dash = []] = STROKES[style];
      return `stroke="${fn === undefined ? theme.token(token) : colorOf(fn)}" stroke-width="${width}"${dashes(dash)}`;
    },
    area(style, fn) {
      const opacity = TINTS[style] === "" ? "" : ` fill-opacity="${Number.parseFloat(theme.token(TINTS[style])) / 100}"`;
      return `fill="${colorOf(fn)}"${opacity}`;
    },
    curve(fn) {
      const { color, dash, round: isRound } = theme.functions[fn];
      const cap = isRound ? ' stroke-linecap="round"' : "";
      return `stroke="${color}" stroke-width="${theme.curve + (isRound ? 0.5 : 0)}" stroke-linejoin="round"${cap}${dashes(dash)}`;
    },
    circle(style, fn) {
      if (style === "p-in") return `fill="${colorOf(fn)}"`;
      if (style === "p-out") return `fill="${paper}" stroke="${theme.token("--rule-strong")}"`;
      if (style === "pt") return `fill="${colorOf(fn)}" stroke="${paper}" stroke-width="2"`;
      return `fill="${style === "mark" ? paper : colorOf(fn)}" stroke="${colorOf(fn)}" stroke-width="1.75"`;
    },
    text(style, fn) {
      const { color, weight, size, halo } = TEXTS[style];
      const fill = fn === undefined ? theme.token(color) : colorOf(fn);
      const around = halo ? ` paint-order="stroke" stroke="${paper}" stroke-width="4" stroke-linejoin="round"` : "";
      return `fill="${fill}" font-size="${theme[size]}" font-weight="${weight}"${around}`;
    },
    variable: `font-family="${escapeText(theme.math)}"`,
  };
}

const PADDING = 20;
const LINE = 22;

/** @typedef {{ scene: Scene, cursor: Cursor, height: number, caption: string } | undefined} Below a second, as wide as the first */

/**
 * A file to take away: on paper, with title, note and address.
 * @param {Scene} scene
 * @param {Cursor | null} cursor
 * @param {{ width: number, height: number, title: string, heading?: string[], lines: string[], theme: Theme, below?: Below }} options
 *   heading: the title in lines; lines: below the plot
 */
export function sceneToFile(scene, cursor, { width, height: plotHeight, title, heading = [title], lines, theme, below }) {
  const attributes = byTheme(theme);
  const top = PADDING + LINE * heading.length;
  const height = plotHeight + (below === undefined ? 0 : below.height + LINE);
  const outerWidth = width + 2 * PADDING;
  const outerHeight = height + 2 * PADDING + LINE * (lines.length + heading.length + 0.5);
  const text = (
    /** @type {number} */ y,
    /** @type {string} */ content,
    /** @type {string} */ style,
    /** @type {string} */ more,
  ) =>
    `<text x="${PADDING}" y="${y}" font-size="${theme.small}" ${style === "" ? "" : `fill="${theme.token(style)}"`} ${more}>${escapeText(content)}</text>`;
  const foot = lines.map((line, i) => text(PADDING + LINE * (heading.length + 0.5 + i) + height + 10, line, "--ink-2", ""));
  const second =
    below === undefined
      ? ""
      : `${text(top + plotHeight + 12, below.caption, "--ink-2", "")}<g transform="translate(${PADDING} ${top + plotHeight + LINE})">` +
        `${drawing(below.scene, below.cursor, { width, height: below.height, id: "below", attributes })}</g>`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${outerWidth}" height="${outerHeight}" ` +
    `viewBox="0 0 ${outerWidth} ${outerHeight}" font-family="${escapeText(theme.ui)}">` +
    `<title>${escapeText(title)}</title><rect width="100%" height="100%" fill="${theme.token("--paper")}"/>` +
    `${heading.map((line, i) => text(PADDING + 14 + LINE * i, line, "--ink", 'font-weight="600"')).join("")}` +
    `<g transform="translate(${PADDING} ${top})">${drawing(scene, cursor, { width, height: plotHeight, id: "plot", attributes })}</g>` +
    second +
    `${foot.join("")}</svg>\n`
  );
}
