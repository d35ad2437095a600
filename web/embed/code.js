/** The code that puts a figure into another page. */
import { CHOICES } from "./options.js";

export const KINDS = ["frame", "plain", "element", "link"];

/**
 * @typedef {{
 *   figure: string, controls: string, title: string, background: string, lang: string, theme: string,
 *   query: string, name: string, height: number, site: string,
 * }} Embedding query: the state as in an address; name: what the frame is called; site: the address of its folder
 */

const escaped = (/** @type {string} */ text) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** What a sandboxed frame may: run, save a file, and open the lesson as a page that is not sandboxed itself. */
const SANDBOX = "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox";

/**
 * @param {string} kind one of KINDS
 * @param {Embedding} embedding
 */
export function codeFor(kind, embedding) {
  const { name, height, background, theme } = embedding;
  if (kind === "link") return addressOf(embedding);
  if (kind === "element") return elementFor(embedding);
  const frame = `<iframe src="${escaped(addressOf(embedding))}" title="${escaped(name)}" width="100%" height="${height}"`;
  // Where frame and page are not of one colour scheme the browser puts an opaque ground under a transparent page.
  const scheme = background === "transparent" ? `color-scheme:${theme === "auto" ? "light dark" : theme}` : "";
  if (kind === "plain") return `${frame} frameborder="0"${scheme && ` style="${scheme}"`}></iframe>`;
  return (
    `${frame}\n  style="border:0${scheme && `;${scheme}`}" loading="lazy" sandbox="${SANDBOX}"\n  ` +
    `allow="fullscreen; clipboard-write" referrerpolicy="no-referrer"></iframe>`
  );
}

/** @param {Embedding} embedding */
function addressOf({ site, figure, query, ...rest }) {
  const parts = ownOf(rest).map(([key, value]) => `${key}=${value}`);
  const all = [...parts, ...(query === "" ? [] : [query])].join("&");
  return `${site}embed/${figure}.html${all && `?${all}`}`;
}

/**
 * What is not as it is by itself.
 * @param {Omit<Embedding, "site" | "figure" | "query">} embedding
 * @returns {[string, string][]}
 */
function ownOf({ controls, title, background, lang, theme }) {
  const usual = { controls: CHOICES.controls[0], title: CHOICES.title[0], background: CHOICES.background[0] };
  const given = Object.entries({ lang, theme, controls, title, background });
  return given.filter(([key, value]) => value !== { lang: "auto", theme: "auto", ...usual }[key]);
}

/** @param {Embedding} embedding */
function elementFor({ site, figure, query, ...rest }) {
  const attributes = [["figure", figure], ...ownOf(rest), ...(query === "" ? [] : [["state", query]])];
  const written = attributes.map(([key, value]) => ` ${key}="${escaped(value)}"`).join("");
  return `<script src="${site}gelu-embed.js" defer></script>\n<gelu-figure${written}></gelu-figure>`;
}
