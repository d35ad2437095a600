/** Turns TeX into MathML that needs no inline style, and serves the math font as a style sheet. */

import { readFile } from "node:fs/promises";
import temml from "temml";

/** `\fn{gelu}{…}` wears the colour of a function. */
const MACROS = {
  "\\fn": "\\data{fn=#1}{#2}",
  "\\GELU": "\\operatorname{GELU}",
  "\\ReLU": "\\operatorname{ReLU}",
  "\\erf": "\\operatorname{erf}",
  "\\erfc": "\\operatorname{erfc}",
};

/** What Temml writes as inline styles, which the strict CSP refuses, and the class that stands for it in web/fonts/math.css. */
const CLASSES = new Map([
  ["display:block math;", ""],
  ["padding-left:0em;padding-right:0em;", "tml-flush"],
  ["padding-left:1em;padding-right:0em;", "tml-quad"],
  ["math-depth:0;", "tml-shallow"],
]);

/** A prime as a superscript: the font's prime stands high already and would float away. */
const BASE = String.raw`<mi[^>]*>[^<]*<\/mi>|<mrow><mi[^>]*>[^<]*<\/mi><mspace><\/mspace><\/mrow>`;
const PRIME = String.raw`<mo [^>]*class="tml-prime[^"]*">′+<\/mo>`;
/** What every engine knows of a bracket, its dictionary having one form of it alone. */
const BRACKET = /<mo fence="true" form="(?:prefix|postfix)"([^>]*)>([()[\]{}⟨⟩])/g;
const PRIMED = new RegExp(`<msup>(${BASE})(?:<mrow>)?((?:${PRIME})+)(?:</mrow>)?</msup>`, "g");

/**
 * @param {string} tag an opening tag
 * @returns {string} the same with its style as a class
 */
function withoutStyle(tag) {
  const style = tag.match(/ style="([^"]*)"/);
  if (!style) return tag;
  const name = CLASSES.get(style[1]);
  if (name === undefined) throw new Error(`no class stands for Temml's style="${style[1]}"`);
  const bare = tag.replace(style[0], "");
  if (name === "") return bare;
  return / class="/.test(bare) ? bare.replace(' class="', ` class="${name} `) : bare.replace(/(\/?>)$/, ` class="${name}"$1`);
}

/**
 * @param {string} tex
 * @param {boolean} [display]
 */
export function formula(tex, display = false) {
  const html = temml.renderToString(tex, { displayMode: display, throwOnError: true, trust: true, macros: { ...MACROS } });
  return html
    .replace(/<[a-z][^>]*>/g, withoutStyle)
    .replace(PRIMED, "<mrow>$1$2</mrow>")
    .replace(BRACKET, "<mo$1>$2");
}

/**
 * The characters that a browser draws for the formulas in `html`: a single letter in `<mi>` becomes a mathematical italic.
 * @param {string} html
 * @returns {Set<string>}
 */
export function formulaCharacters(html) {
  const characters = new Set();
  for (const [math] of html.matchAll(/<math[^>]*>.*?<\/math>/gs)) {
    // The sign that these elements draw.
    if (/<m(?:sqrt|root)\b/.test(math)) characters.add("√");
    for (const [, name, attributes, content] of math.matchAll(/<(m\w+)([^>]*)>([^<]+)</g)) {
      if (name === "mtext") continue; // words of the language, in the page's font
      const text = content.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&").replace(INVISIBLE, "");
      const single = name === "mi" && !attributes.includes('mathvariant="normal"') && [...text].length === 1;
      for (const character of text) characters.add(single ? mathItalic(character) : character);
    }
  }
  return characters;
}

/** Function application and its like, and variation selectors: nothing is drawn for them. */
const INVISIBLE = /[\u2061-\u2064]|\ufe00|\ufe01/g;

/** The italic that CSS text-transform: math-auto puts in a letter's place. */
function mathItalic(/** @type {string} */ character) {
  const code = character.charCodeAt(0);
  if (character === "h") return "\u210e";
  if (/[A-Z]/.test(character)) return String.fromCodePoint(0x1d434 + code - 65);
  if (/[a-z]/.test(character)) return String.fromCodePoint(0x1d44e + code - 97);
  if (/[Α-Ω]/.test(character)) return String.fromCodePoint(0x1d6e2 + code - 0x391);
  if (/[α-ω]/.test(character)) return String.fromCodePoint(0x1d6fc + code - 0x3b1);
  const other = "∂ϵϑϰϕϱϖ".indexOf(character);
  return other < 0 ? character : String.fromCodePoint(0x1d715 + other);
}

/** A style sheet of its own, to be loaded without blocking: the math font of web/fonts as a data: URI. */
export async function fontStylesheet() {
  const font = await readFile(new URL("../fonts/latinmodern-math-subset.woff2", import.meta.url));
  const source = `url(data:font/woff2;base64,${font.toString("base64")}) format("woff2")`;
  return `@font-face{font-family:"Latin Modern Math";font-display:swap;src:${source}}\n`;
}
