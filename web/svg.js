/** A scene as SVG: with classes that the style sheet colours, as the picture that stands before and without scripts. */
import { TEXTS } from "./looks.js";
import { italic, paintAbove, paintBelow, paintCursor, plotsOf } from "./scene.js";

/**
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {import("./scene.js").Cursor} Cursor
 * @typedef {{
 *   line(style: string, fn?: string): string, area(style: string, fn: string): string, curve(fn: string): string,
 *   circle(style: string, fn: string): string, text(style: string, fn?: string): string, variable: string,
 * }} Attributes what makes an element look as it should
 */

export const escapeText = (/** @type {string} */ text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const round = (/** @type {number} */ value) => String(Math.round(value * 10) / 10);

/**
 * A path through points, each as its step from the last: steps repeat, so that a page full of curves stays small.
 * @param {number[][]} points
 */
function path(points) {
  // Tenths of a pixel, as whole numbers: what is rounded once cannot add up.
  const tenths = points.map(([x, y]) => [Math.round(x * 10), Math.round(y * 10)]);
  const steps = tenths.slice(1).map(([x, y], i) => `${(x - tenths[i][0]) / 10} ${(y - tenths[i][1]) / 10}`);
  return `M${round(points[0][0])} ${round(points[0][1])}${steps.length > 0 ? `l${steps.join(" ")}` : ""}`;
}

const classed = (/** @type {string} */ style, /** @type {string | undefined} */ fn) =>
  fn === undefined ? `class="${style}"` : `class="${style}" data-fn="${fn}"`;

/** @type {Attributes} */
const BY_CLASS = {
  line: classed,
  area: classed,
  curve: (fn) => classed("curve", fn),
  circle: classed,
  text: (style, fn) => classed(style, fn) + (TEXTS[style].halo ? " data-halo" : ""),
  variable: 'class="mx"',
};

/** About how wide a text is, rather too much. @param {string} text */
export const widthOf = (text) => [...text].reduce((sum, character) => sum + (character > "\u2e80" ? 14.5 : 8.4), 0);

/** A painter that writes; widths are estimates, since nothing measures text here. */
class SvgPainter {
  /** @type {string[]} */
  parts = [];

  /**
   * @param {Attributes} attributes
   * @param {(points: number[][]) => number[][]} thin
   */
  constructor(attributes, thin) {
    this.attributes = attributes;
    this.thin = thin;
  }

  line(points, style, fn) {
    this.parts.push(`<path ${this.attributes.line(style, fn)} d="${path(points)}" fill="none"/>`);
  }

  area(points, style, fn) {
    this.parts.push(`<path ${this.attributes.area(style, fn)} d="${path(this.thin(points))}Z"/>`);
  }

  circle(x, y, radius, style, fn) {
    this.parts.push(`<circle ${this.attributes.circle(style, fn)} cx="${round(x)}" cy="${round(y)}" r="${round(radius)}"/>`);
  }

  text(x, y, text, style, anchor, fn) {
    const content = text
      .split("*")
      .map((part, i) => (i % 2 === 1 ? `<tspan ${this.attributes.variable}>${italic(part)}</tspan>` : escapeText(part)));
    const place = `x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"`;
    this.parts.push(`<text ${this.attributes.text(style, fn)} ${place}>${content.join("")}</text>`);
  }

  width(text) {
    return widthOf(text.replaceAll("*", ""));
  }
}

/**
 * Runs of a curve without gaps, in pixels, cut a little outside the plot.
 * @param {import("./scene.js").Curve} curve
 * @param {import("./scene.js").Frame} frame
 */
function runs(curve, frame) {
  const low = frame.top - 40;
  const high = frame.bottom + 40;
  /** @type {number[][][]} */
  const result = [[]];
  for (let i = 0; i < curve.x.length; i++) {
    const y = frame.y(curve.y[i]);
    if (Number.isFinite(y)) result[result.length - 1].push([frame.x(curve.x[i]), Math.min(high, Math.max(low, y))]);
    else if (result[result.length - 1].length > 0) result.push([]);
  }
  return result.filter((run) => run.length > 1);
}

/**
 * What stands inside the svg element.
 * @param {Scene} scene
 * @param {Cursor | null} cursor
 * @param {{
 *   width: number, height: number, id: string, attributes: Attributes, thin?: (points: number[][]) => number[][],
 * }} options id: of the clip path; thin: leaves out points that nobody misses
 */
export function drawing(scene, cursor, { width, height, id, attributes, thin = (points) => points }) {
  const still = cursor && { ...cursor, hint: false };
  const plots = plotsOf(scene, still, width, height);
  return plots.map((plot, i) => plotDrawing(plot, i === 0 ? id : `${id}-${i}`, attributes, thin)).join("");
}

/**
 * @param {ReturnType<typeof plotsOf>[number]} plot
 * @param {string} id
 * @param {Attributes} attributes
 * @param {(points: number[][]) => number[][]} thin
 */
function plotDrawing({ scene, frame, cursor }, id, attributes, thin) {
  const below = new SvgPainter(attributes, thin);
  paintBelow(below, scene, frame, cursor);
  if (cursor !== null) paintCursor(below, cursor, frame);
  // Drawn in reverse, so that the first named, GELU, lies on top, as on canvas.
  const curves = [...scene.curves]
    .reverse()
    .flatMap((curve) =>
      runs(curve, frame).map((run) => `<path ${attributes.curve(curve.fn)} d="${path(thin(run))}" fill="none"/>`),
    );
  const above = new SvgPainter(attributes, thin);
  paintAbove(above, scene, frame, cursor);
  const size = `width="${round(frame.right - frame.left)}" height="${round(frame.bottom - frame.top)}"`;
  const clip = `<clipPath id="${id}"><rect x="${frame.left}" y="${frame.top}" ${size}/></clipPath>`;
  return `${clip}${dotted(below.parts)}<g clip-path="url(#${id})">${curves.join("")}</g>${dotted(above.parts)}`;
}

/**
 * Many dots that look the same, one after the other, say it once.
 * @param {string[]} parts
 */
const dotted = (parts) =>
  parts
    .join("")
    .replace(
      /<circle ([^>]*?) cx=[^>]*>(<circle \1 cx=[^>]*>)+/g,
      (run, look) => `<g ${look}>${run.replaceAll(` ${look}`, "")}</g>`,
    );

/**
 * The picture in the page.
 * @param {Scene} scene
 * @param {Cursor | null} cursor
 * @param {{ width: number, height: number, id: string, title: string, thin?: (points: number[][]) => number[][] }} options
 */
export function sceneToSvg(scene, cursor, { width, height, id, title, thin }) {
  const inner = drawing(scene, cursor, { width, height, id, attributes: BY_CLASS, thin });
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `<svg ${size} role="img" aria-label="${escapeText(title)}">${inner}</svg>`;
}
