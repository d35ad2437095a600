/** Fills the skeleton index.html: texts in both languages, figures as drawn pictures with their tables, lists of sections. */
import { tableNumber } from "../components/datatable.js";
import { createContext, cursorOf } from "../components/figure.js";
import { gridHtml } from "../components/grid.js";
import { isDefinitionOf } from "../components/mounting.js";
import { figures } from "../figures/index.js";
import { namesOf } from "../i18n/functions.js";
import { labels } from "../i18n/labels.js";
import { defaults } from "../state.js";
import { sceneToSvg } from "../svg.js";
import { FIGURE_CLOSE, FIGURE_OPEN } from "./content.mjs";

/** @typedef {{ zh: string, en: string }} Both */
/** @typedef {import("./content.mjs").Section} Section */

/** In pixels: a phone. */
const NARROW = 320;

/**
 * Sizes of the drawn pictures, as the style sheet sets the plots: the wide one, and where a phone shows it before its
 * script has come, a narrow one.
 */
const SIZES = {
  compact: [
    [984, 440],
    [320, 300],
  ],
  full: [[984, 500]],
  "": [[664, 400]],
  plain: [[664, 400]],
};
/** @type {Record<string, number[][]>} figures with a size of their own */
const OWN_SIZES = {
  dead: [[664, 360]],
  admission: [
    [664, 520],
    [320, 470],
  ],
  race: [[664, 500]],
  coin: [[664, 566]],
};

export const span = (/** @type {Both} */ { zh, en }) =>
  zh === en ? zh : `<span lang="zh-CN">${zh}</span><span lang="en">${en}</span>`;
const block = (/** @type {Both} */ { zh, en }) =>
  `<div class="block" lang="zh-CN">${zh}</div>\n<div class="block" lang="en">${en}</div>`;
const labelOf = (/** @type {keyof typeof labels} */ key) => ({ zh: labels[key][0], en: labels[key][1] });

/**
 * @param {string} skeleton index.html
 * @param {Section[]} sections
 * @param {{ gelu: any, table: Map<string, any>, stamp: { version: string, commit: string }, computed: Record<string, any> }} deps
 */
export function fillPage(skeleton, sections, deps) {
  const list = sections.map(({ id, label }) => `<li><a href="#${id}">${span(label)}</a></li>`).join("");
  const rail = `<nav class="rail" aria-label="${labels.sections.join(" · ")}"><ol>${list}</ol></nav>`;
  const contents = `<details class="toc bar-n"><summary>${MENU_ICON}${span(labelOf("contents"))}</summary><ol>${list}</ol></details>`;
  let html = skeleton
    .replace(/<!-- source -->[\s\S]*?<!-- \/source -->\n/, "")
    .replace("<!-- build: rail -->", rail)
    .replace("<!-- build: contents -->", contents)
    .replaceAll("<!-- build: stamp -->", `${deps.stamp.version} (${deps.stamp.commit})`);
  sections.forEach((section, i) => {
    const empty = `<section class="sec" id="${section.id}"></section>`;
    if (!html.includes(empty)) throw new Error(`index.html has no empty section "${section.id}"`);
    html = html.replace(
      empty,
      () => `<section class="sec" id="${section.id}">\n${sectionHtml(section, i + 1, deps)}\n</section>`,
    );
  });
  return html.replace(new RegExp(`${FIGURE_OPEN}([^${FIGURE_CLOSE}]+)${FIGURE_CLOSE}`, "g"), (_, id) => numberOf(id, sections));
}

/**
 * The number of a figure, as its caption has it.
 * @param {string} id of the figure
 * @param {Section[]} sections
 */
function numberOf(id, sections) {
  const [section, name] = id.split("-");
  const at = sections.findIndex((each) => each.id === section);
  const figure = sections[at]?.parts.flatMap((part) => (part.kind === "figure" ? part.name : [])).indexOf(name) ?? -1;
  if (figure < 0) throw new Error(`there is no figure ${id} in the page`);
  return `${at + 1}.${figure + 1}`;
}

const MENU_ICON = '<svg viewBox="0 0 14 14" aria-hidden="true"><path d="M1 3h12M1 7h12M1 11h8"/></svg>';

/**
 * @param {Section} section
 * @param {number} number
 * @param {any} deps
 */
function sectionHtml(section, number, deps) {
  const heading = (/** @type {"zh" | "en"} */ language) => {
    const tag = section.id === "hero" ? "h1" : "h2";
    const count = section.id === "hero" ? "" : `<span class="sec-no">${number} ${section.label[language]}</span>`;
    return `<header>${count}<${tag}>${section.title[language]}</${tag}><p class="claim">${section.claim[language]}</p></header>`;
  };
  let figureNumber = 0;
  let pending = { zh: heading("zh"), en: heading("en") };
  const out = [];
  const flush = () => {
    if (pending.zh !== "" || pending.en !== "") out.push(block(pending));
    pending = { zh: "", en: "" };
  };
  const takenKinds = section.parts.map((part) => part.kind === "figure" && takenKind(part.name));
  for (const part of section.parts.filter(({ kind }) => !takenKinds.includes(kind))) {
    if (part.kind === "text") {
      pending = { zh: pending.zh + part.html.zh, en: pending.en + part.html.en };
      continue;
    }
    flush();
    if (part.kind === "figure") out.push(figureHtml(part, section, `${number}.${++figureNumber}`, deps));
    // What is the same in both languages stands once.
    else out.push(part.html.zh === part.html.en ? part.html.zh : block(part.html));
  }
  flush();
  out.push('<p class="vh" role="status"></p>');
  return out.join("\n");
}

/**
 * The kind of parts that a figure takes into itself: they stand in it as a list until its script has made more of them.
 * @param {string} name
 * @returns {string | undefined}
 */
function takenKind(name) {
  const definition = figures.find((figure) => figure.name === name);
  return definition && "takes" in definition ? definition.takes : undefined;
}

/**
 * @param {FigurePart} part
 * @param {Section} section
 * @param {string} number
 * @param {any} deps
 */
export function figureHtml(part, { id: sectionId, parts }, number, { gelu, table, computed }) {
  const definition = figures.find((figure) => isDefinitionOf(figure, part.name, part.variant));
  if (definition === undefined) throw new Error(`section ${sectionId}: no figure "${part.name}"`);
  if ("takes" in definition) {
    const lists = parts.flatMap((each) => (each.kind === definition.takes && "html" in each ? [block(each.html)] : []));
    if (lists.length === 0) throw new Error(`section ${sectionId}: "${part.name}" finds no ${definition.takes}`);
    return panelHtml(part, sectionId, number, "", `<div class="fig-list">${lists.join("\n")}</div>`);
  }
  if ("preview" in definition) return panelHtml(part, sectionId, number, gridHtml(definition.preview(gelu)));
  const variant = /** @type {keyof typeof SIZES} */ (part.variant ?? "");
  const state = defaults(table);
  const contextOf = (/** @type {number} */ width, /** @type {number} */ height, /** @type {"zh" | "en"} */ language) =>
    createContext({ gelu, state, variant, width, height, density: 1 / 4, language, data: computed[part.name] });
  const usual = OWN_SIZES[part.name] ?? SIZES[variant];
  // Alone in somebody's column it has room for both.
  const sizes = number === "" && usual.length === 1 ? [...usual, [NARROW, Math.round(0.9 * usual[0][1])]] : usual;
  const pictures = sizes.map(([width, height], i) => {
    const context = inBoth(contextOf(width, height, "en"), contextOf(width, height, "zh"));
    const id = `clip-${sectionId}-${part.name}${i === 0 ? "" : "-narrow"}`;
    const svg = sceneToSvg(definition.scene(context), cursorOf(definition, context, false), {
      width,
      height,
      id,
      title: `${part.title.zh} · ${part.title.en}`,
      thin,
    });
    return `<div class="picture-${i === 0 ? "wide" : "narrow"}">${apart(svg)}</div>`;
  });
  const [width, height] = sizes[0];
  const tables = {
    zh: thinned(definition.table(contextOf(width, height, "zh"))),
    en: thinned(definition.table(contextOf(width, height, "en"))),
  };
  return (
    `<figure class="fig" id="${sectionId}-${part.name}" data-figure="${part.name}" data-variant="${variant}" data-state="loading">${captionHtml(part, sectionId, number)}` +
    `<div class="fig-body"><div class="fig-plot"><div class="plot"><div class="picture">${pictures.join("")}</div></div>` +
    `${saysHtml(definition.says?.(contextOf(width, height, "en")))}</div><div class="fig-side"></div></div>` +
    footHtml(part) +
    `<div class="fig-table">${tableHtml(tables)}</div></figure>`
  );
}

/** @typedef {Extract<Section["parts"][number], { kind: "figure" }>} FigurePart */

/**
 * @param {FigurePart} part
 * @param {string} sectionId
 * @param {string} number
 */
function captionHtml(part, sectionId, number) {
  // The lesson's title says it already, where the figure stands below it.
  if (sectionId === "hero" && number !== "")
    return `<figcaption class="vh"><span class="fig-title">${span(part.title)}</span></figcaption>`;
  return (
    `<figcaption class="fig-head"><span class="fig-no">${span({ zh: `图 ${number}`, en: `Figure ${number}` })}</span>` +
    `<span class="fig-title">${span({ zh: part.title.zh + unit(part.unit.zh), en: part.title.en + unit(part.unit.en) })}</span></figcaption>`
  );
}

/** @param {FigurePart} part */
const footHtml = ({ note }) => `<div class="fig-foot"><p>${span(note)}</p></div>`;

/**
 * A figure that is not a plot: what stands in its panel at first, and what below it.
 * @param {FigurePart} part
 * @param {string} sectionId
 * @param {string} number
 * @param {string} inside
 * @param {string} [below]
 */
function panelHtml(part, sectionId, number, inside, below = "") {
  return (
    `<figure class="fig" id="${sectionId}-${part.name}" data-figure="${part.name}" data-kind="panel" data-state="loading">` +
    `${captionHtml(part, sectionId, number)}<div class="fig-body"><div class="panel">${inside}</div></div>${below}` +
    `${footHtml(part)}</figure>`
  );
}

const unit = (/** @type {string} */ text) => (text ? `<small>${text}</small>` : "");

/** Around what differs between the languages, while a picture is drawn: no text has these signs. */
const [BEGIN, BETWEEN, END] = ["\u0001", "\u0002", "\u0003"];
const DIFFERENT = new RegExp(`${BEGIN}(.*?)${BETWEEN}(.*?)${END}`, "g");

/** Sentences for which a picture has no room in both; their numbers are a point. */
const EXTREMES = ["lowestAt", "highestAt"];

/** @param {string} zh @param {string} en */
const both = (zh, en) => (zh === en ? en : `${BEGIN}${zh}${BETWEEN}${en}${END}`);

/**
 * A picture stands once for both languages, so its words are those of both.
 * @param {import("../components/figure.js").Context} en
 * @param {import("../components/figure.js").Context} zh
 * @returns {import("../components/figure.js").Context}
 */
const inBoth = (en, zh) => ({
  ...en,
  text: (key, values = {}) =>
    EXTREMES.includes(key)
      ? `(${values.x}, ${values.y})`
      : both(zh.text(key, inLanguage(values, "$1")), en.text(key, inLanguage(values, "$2"))),
  nameOf: (fn) => both(zh.nameOf(fn), en.nameOf(fn)),
});

/**
 * @param {Record<string, string | number>} values
 * @param {"$1" | "$2"} side
 */
const inLanguage = (values, side) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, typeof value === "string" ? value.replace(DIFFERENT, side) : value]),
  );

/**
 * The words of a picture as those of one language and those of the other.
 * @param {string} svg
 */
const apart = (svg) =>
  svg.replace(/(<text[^>]*>)(.*?)<\/text>/g, (whole, tag, content) =>
    content.includes(BEGIN)
      ? `${tag}<tspan lang="zh-CN">${content.replace(DIFFERENT, "$1")}</tspan><tspan lang="en"> ${content.replace(DIFFERENT, "$2")}</tspan></text>`
      : whole,
  );

/** @param {import("../figures/depth/text.js").Sentences | undefined} sentences */
function saysHtml(sentences) {
  if (sentences === undefined) return "";
  const html = (/** @type {"zh" | "en"} */ language) =>
    sentences[language]
      .map((part) => {
        if (typeof part === "string") return part;
        if ("fn" in part) return `<span class="fn" data-fn="${part.fn}">${namesOf(part.fn)[language]}</span>`;
        return `<output data-readout="${part.name}" data-value="${part.value}" aria-live="off">${part.text}</output>`;
      })
      .join("");
  return `<p class="fig-says">${span({ zh: html("zh"), en: html("en") })}</p>`;
}

/** How far a line may pass by a point that is left out, in pixels. */
const UNSEEN = 0.15;

/**
 * A line through fewer points that nobody tells from the whole one: of a stretch stay the ends and, where the chord passes too
 * far by it, the farthest point, and so on in both halves.
 * @param {number[][]} points
 * @returns {number[][]}
 */
function thin(points) {
  if (points.length < 3) return points;
  const [[x0, y0], [x1, y1]] = [points[0], points[points.length - 1]];
  const length = Math.hypot(x1 - x0, y1 - y0);
  const away = (/** @type {number[]} */ [x, y]) =>
    length === 0 ? Math.hypot(x - x0, y - y0) : Math.abs((x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)) / length;
  let farthest = 1;
  for (let i = 2; i < points.length - 1; i++) if (away(points[i]) > away(points[farthest])) farthest = i;
  if (away(points[farthest]) <= UNSEEN) return [points[0], points[points.length - 1]];
  return [...thin(points.slice(0, farthest + 1)).slice(0, -1), ...thin(points.slice(farthest))];
}

/** About so many rows of a table stand in the page; the script has them all. */
const MOST_ROWS = 9;

/**
 * @param {import("../components/figure.js").DataTable} table
 * @returns {import("../components/figure.js").DataTable}
 */
function thinned({ axis, xs, columns }) {
  const every = Math.ceil((xs.length - 1) / (MOST_ROWS - 1));
  const isKept = (/** @type {unknown} */ _, /** @type {number} */ i) => i % every === 0 || i === xs.length - 1;
  return { axis, xs: xs.filter(isKept), columns: columns.map((column) => ({ ...column, values: column.values.filter(isKept) })) };
}

/** "*x*" is a variable, set in italics. */
const richHtml = (/** @type {string} */ text) => text.replace(/\*(.+?)\*/g, "<i>$1</i>");

/** @param {Record<"zh" | "en", import("../components/figure.js").DataTable>} tables the same numbers under two heads */
function tableHtml({ zh, en }) {
  const { xs, columns } = en;
  const axis = span({ zh: richHtml(zh.axis ?? "*x*"), en: richHtml(en.axis ?? "*x*") });
  const head = columns
    .map(({ name, fn }, i) => {
      const text = span({ zh: zh.columns[i].name, en: name });
      return `<th scope="col"${fn ? ` class="fn plain" data-fn="${fn}"` : ""}>${text}</th>`;
    })
    .join("");
  const rows = Array.from(
    xs,
    (x, i) =>
      `<tr><th scope="row">${tableNumber(x)}</th>${columns.map(({ values }) => `<td>${tableNumber(values[i])}</td>`).join("")}</tr>`,
  );
  return `<table class="data"><thead><tr><th scope="col">${axis}</th>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}
