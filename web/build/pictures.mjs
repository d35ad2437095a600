/** Drawn pictures as files of their own: who has scripts sees the figures instead, and loads no picture of those further down. */
import { widthOf } from "../svg.js";
import { rulesOf } from "./sheets.mjs";

/** The figures of the first screens, whose pictures stand there before anything else could have come. */
const FIRST = ["hero-curves", "definition-admission"];

/**
 * The pictures of the figures further down.
 * @param {string} page
 * @returns {{ name: string, svg: string }[]} name: the figure's id; svg: as it stands in the page
 */
export const laterPictures = (page) =>
  [...page.matchAll(/<figure [^>]*\bid="([\w-]+)"[^>]*>([\s\S]*?)<\/figure>/g)]
    .filter(([, name]) => !FIRST.includes(name))
    .flatMap(([, name, content]) =>
      [...content.matchAll(/<div class="picture-wide">(<svg [\s\S]*?<\/svg>)/g)].map(([, svg]) => ({ name, svg })),
    );

/**
 * What stands in the page in its place.
 * @param {string} svg
 * @param {string} address
 */
export function imageOf(svg, address) {
  const [, width, height, title] = svg.match(/ width="(\d+)" height="(\d+)" role="img" aria-label="([^"]*)"/) ?? [];
  if (title === undefined) throw new Error(`a picture without a size or a title: ${svg.slice(0, 200)}`);
  // Without scripts a browser takes no account of "lazy".
  const img = `<img src="${address}" alt="${title}" width="${width}" height="${height}" loading="lazy" decoding="async">`;
  return `<picture><source media="(prefers-color-scheme:dark)" srcset="${address}#${DARK}">${img}</picture>`;
}

/** The place in a picture that a dark page asks for: in WebKit pictures know nothing of light and dark. */
const DARK = "dark";
const IN_WEBKIT = "@supports (hanging-punctuation:allow-end)";

/**
 * @param {string} svg as in the page
 * @param {string} css for all pictures (web/styles/picture-file.css), minified
 */
export const pictureFile = (svg, css) =>
  stacked(svg)
    .replace(/^<svg/, `<svg xmlns="http://www.w3.org/2000/svg" id="${DARK}"`)
    .replace(/^<svg [^>]*>/, (tag) => `${tag}<style>${styleFor(svg, css)}</style>`)
    // XML has no attributes without a value.
    .replace(/ data-halo(?=[ >])/g, '$&=""')
    // Letters of mathematics are in few fonts; its style makes plain ones italic.
    .replace(/(?<=<tspan class="mx">)[^<]*/g, (letters) => letters.normalize("NFKC"));

/**
 * An img is cut at its edge, where a picture in the page may reach beyond it: what is too long in both languages stands in two
 * lines, the first above its place, or the second below it where something else is above.
 * @param {string} svg
 */
function stacked(svg) {
  const width = Number(svg.match(/ width="(\d+)"/)?.[1]);
  const places = [...svg.matchAll(/<text [^>]*x="([\d.]+)" y="([\d.]+)"/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
  return svg.replace(
    /(<text [^>]*x="([\d.]+)" y="([\d.]+)" text-anchor="start">)<tspan lang="zh-CN">(.*?)<\/tspan><tspan lang="en"> (.*?)<\/tspan><\/text>/g,
    (whole, tag, x, y, zh, en) => {
      if (Number(x) + widthOf(`${zh} ${en}`.replace(/<[^>]*>/g, "")) <= width) return whole;
      const isTaken = places.some((place) => Math.abs(place.x - x) < 10 && place.y < y && place.y > y - 2 * LINE);
      const line = (/** @type {string} */ lang, /** @type {number} */ dy, /** @type {string} */ words) =>
        `<tspan lang="${lang}" x="${x}" dy="${dy}">${words}</tspan>`;
      return `${tag}${line("zh-CN", isTaken ? 0 : -LINE, zh)}${line("en", LINE, en)}</text>`;
    },
  );
}

/** In pixels. */
const LINE = 17;

/** @typedef {{ condition: string, selector: string, declarations: string[] }} Rule condition: "" or an at-rule */

/**
 * Of a sheet what a picture needs.
 * @param {string} svg
 * @param {string} css
 */
function styleFor(svg, css) {
  const names = namesIn(svg);
  let rules = readRules(css).filter(({ selector }) => selector.split(/,(?![^(]*\))/).some((each) => mayMean(each, names)));
  for (let count = -1; count !== rules.length; ) {
    count = rules.length;
    rules = withoutUnused(rules);
  }
  return rules
    .map(({ condition, selector, declarations }) => {
      const rule = `${selector}{${declarations.join(";")}}`;
      return condition === "" ? rule : `${condition}{${rule}}`;
    })
    .join("");
}

/**
 * A picture has no width of its own and goes on no paper: of what a sheet asks, only the reader's wishes and the engine matter.
 * @param {string} css
 * @param {string} [condition]
 * @returns {Rule[]}
 */
const readRules = (css, condition = "") =>
  rulesOf(css).flatMap((rule) => {
    const [, head, inside] = rule.match(/^([^{]*)\{([\s\S]*)\}$/) ?? [];
    if (/^@media.*prefers-color-scheme/.test(head)) return readRules(inside, head).flatMap(alsoAtPlace);
    if (/^@media.*prefers-contrast|^@supports/.test(head)) return readRules(inside, head);
    return head.startsWith("@") ? [] : { condition, selector: head, declarations: inside.split(";").filter(Boolean) };
  });

/** @param {Rule} rule of a dark picture */
const alsoAtPlace = (rule) => [rule, { ...rule, condition: IN_WEBKIT, selector: ":root:target" }];

/** Elements, classes and attributes, as selectors write them. @param {string} svg */
function namesIn(svg) {
  const names = new Set([":root", ":target"]);
  for (const [, tag, attributes] of svg.matchAll(/<([a-z]\w*)([^>]*)/gi)) {
    names.add(tag);
    for (const [, name, value] of attributes.matchAll(/ ([\w-]+)(?:="([^"]*)")?/g)) {
      names.add(`[${name}]`).add(`[${name}=${value}]`);
      if (name === "class") for (const each of value.split(" ")) names.add(`.${each}`);
    }
  }
  return names;
}

/**
 * Whether a selector may mean something in a picture. What it leaves out is not looked at.
 * @param {string} selector
 * @param {Set<string>} names in the picture
 * @returns {boolean}
 */
function mayMean(selector, names) {
  const asked = selector.replace(/:not\([^()]*\)/g, "").replaceAll('"', "");
  const lists = [...asked.matchAll(/:is\(([^()]*)\)/g)].map(([, list]) => list.split(","));
  const others = asked.replace(/:is\([^()]*\)/g, "").match(/\[[^\]]*\]|[.:]?[a-z][\w-]*(\([^)]*\))?/gi) ?? [];
  return others.every((name) => names.has(name)) && lists.every((list) => list.some((each) => mayMean(each, names)));
}

/**
 * Without custom properties that no rule uses, and then without what is left empty.
 * @param {Rule[]} rules
 * @returns {Rule[]}
 */
function withoutUnused(rules) {
  const all = rules.flatMap(({ declarations }) => declarations);
  const used = new Set(all.flatMap((declaration) => declaration.match(/(?<=var\()--[\w-]+/g) ?? []));
  const isKept = (/** @type {string} */ declaration) => !declaration.startsWith("--") || used.has(declaration.split(":")[0]);
  return rules
    .map((rule) => ({ ...rule, declarations: rule.declarations.filter(isKept) }))
    .filter(({ declarations }) => declarations.length > 0);
}
