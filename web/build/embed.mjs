/** The pages that show one figure in somebody else's: embed/NAME.html, and embed.html, which leads to the one that is asked for. */
import { embedNames } from "../embed/names.js";
import { figures } from "../figures/index.js";
import { figureHtml, span } from "./page.mjs";

/** @typedef {import("./content.mjs").Section} Section */
/** @typedef {Extract<Section["parts"][number], { kind: "figure" }>} FigurePart */
/**
 * @typedef {{
 *   styles: string, page: string, parts: Record<string, string>, sheets: string[],
 *   head: string, script: string, choose: string, sheet: string,
 * }} Assets addresses below the site's root
 */

/**
 * @param {Section[]} sections
 * @param {Parameters<typeof figureHtml>[3]} deps
 * @param {Assets} assets
 * @returns {Record<string, string>} by path
 */
export function embedPages(sections, deps, assets) {
  const placed = placesIn(sections);
  return {
    "embed.html": choicePage(placed, assets),
    ...Object.fromEntries(placed.map((place) => [`embed/${place.name}.html`, figurePage(place, deps, assets)])),
  };
}

/** @typedef {{ name: string, section: Section, part: FigurePart }} Place name: by which it is embedded */

/**
 * Every figure in every form, in the order of the figures' table.
 * @param {Section[]} sections
 * @returns {Place[]}
 */
function placesIn(sections) {
  const shown = sections.flatMap((section) =>
    section.parts.flatMap((part) => (part.kind === "figure" ? [{ section, part }] : [])),
  );
  const names = embedNames(shown.map(({ part: { name, variant } }) => ({ name, variant: variant ?? "" })));
  const places = shown.map(({ section, part }, i) => ({ name: names[i], section, part }));
  return [...new Set(figures.map(({ name }) => name))].flatMap((name) => {
    const own = places.filter(({ part }) => part.name === name);
    if (own.length === 0) throw new Error(`no section shows the figure "${name}"`);
    return own.sort((a, b) => Number(b.name === name) - Number(a.name === name));
  });
}

/**
 * @param {string} root the way to the site's root
 * @param {string[]} paths
 */
const links = (root, ...paths) => paths.map((path) => `<link rel="stylesheet" href="${root}${path}">\n`).join("");

/**
 * @param {{ title: string, root: string, head: string, late?: string }} page late: at the end, so that no text waits for it
 * @param {string} body
 */
function shell({ title, root, head, late = "" }, body) {
  return `<!doctype html>
<html lang="zh-CN" data-embed data-lesson="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="GELU 讲义的一张图，可以动手试 · A figure of the GELU lesson, to try things in: ${title}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
${late}</body>
</html>
`;
}

/**
 * @param {Place} place
 * @param {Parameters<typeof figureHtml>[3]} deps
 * @param {Assets} assets
 */
function figurePage({ part, section }, deps, assets) {
  const root = "../";
  const place = `${section.id}-${part.name}`;
  const addresses = Object.entries(assets.parts).map(([name, path]) => ` data-${name}="${root}${path}"`);
  const link = `<a class="to-lesson" href="${root}#${place}">${span({ zh: "在讲义中打开", en: "Open in the lesson" })}</a>`;
  const figure = figureHtml(part, section, "", deps)
    // The foot begins with the note, which exports take along.
    .replace(/(<div class="fig-foot">[\s\S]*?)(<\/div>)/, (_, foot, end) => `${foot}${link}${end}`);
  return shell(
    {
      title: `${plain(part.title.zh)} · ${plain(part.title.en)}`,
      root,
      head:
        `<script src="${root}${assets.head}"></script>\n${links(root, assets.styles, assets.sheet)}` +
        `<script src="${root}${assets.script}" defer></script>\n<script src="${root}${assets.page}" defer${addresses.join("")}></script>`,
      late: links(root, ...assets.sheets),
    },
    `<main><section id="${section.id}">\n${outward(figure, root, place)}\n<p class="vh" role="status"></p>\n</section></main>`,
  );
}

/** @param {string} html */
const plain = (html) => html.replace(/<[^>]*>/g, "");

/**
 * Links to other places of the lesson, with the state that they show.
 * @param {string} html
 * @param {string} root
 * @param {string} place
 */
const outward = (html, root, place) =>
  html.replace(/<a ([^>]*)href="#([\w-]+)"(?: data-set="([^"]*)")?/g, (whole, before, id, set) =>
    id === place ? whole : `<a ${before}href="${root}${set ? `?${set}` : ""}#${id}"${set ? ` data-set="${set}"` : ""}`,
  );

/**
 * @param {Place[]} places
 * @param {Assets} assets
 */
function choicePage(places, assets) {
  const own = [assets.styles, assets.sheet];
  const names = places.map(({ name }) => name);
  const items = places.map(
    ({ name, part: { title } }) => `<li><a href="embed/${name}.html"><code>${name}</code></a> ${span(title)}</li>`,
  );
  const sentence = (/** @type {string} */ said, /** @type {{ zh: string, en: string }} */ text) =>
    `<p data-said="${said}">${span(text)}</p>`;
  return shell(
    {
      title: "GELU",
      root: "",
      // With scripts on, this page mostly gives way at once: the script fetches the sheets when it does not.
      head:
        `<script src="${assets.choose}" data-figures="${names.join(" ")}" data-sheets="${own.join(" ")}"></script>\n` +
        `<noscript>${links("", ...own).trimEnd()}</noscript>`,
    },
    `<main class="choice">
${sentence("unknown", {
  zh: '没有叫“<b class="bad-name"></b>”的图。<code>figure=</code> 后面可以是：',
  en: 'There is no figure “<b class="bad-name"></b>”. After <code>figure=</code> these are allowed:',
})}
${sentence("missing", {
  zh: "网址里没有说要哪张图。<code>figure=</code> 后面可以是：",
  en: "The address does not say which figure. After <code>figure=</code> these are allowed:",
})}
<ul>
${items.join("\n")}
</ul>
</main>`,
  );
}
