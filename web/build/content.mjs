/**
 * Reads web/content/LANG/ID.md into sections, and refuses what is wrong with file and line.
 *
 * A file is front matter, then Markdown:
 *
 *   ---
 *   label: Gradient                          the word in the list of sections
 *   title: A slope that overshoots           `||` in title, claim and statement parts phrases, which lines do not break inside
 *   claim: [[gelu]] …
 *   ---
 *   [[gelu]]  [[gelu|own text]]              a function word: its colour, its dash, lights up its curve
 *   [0.0203]{max_error gelu_sigmoid gelu}    a number held to the kernels (numbers.mjs lists the kinds), in TeX too;
 *                                            a decimal, a percentage or a power of ten without such a mark is an error
 *   $…$                                      TeX; `\fn{gelu}{…}` wears the function's colour
 *   $$ … $$                                  a displayed formula: its lines begin and end with $$
 *   | a | b |                                a table; `---:` under a head sets its column to the right
 *   *emphasis*  _k_                          emphasis; a variable in italics (a lone x is one by itself)
 *   > …                                      a note in the margin, beside the paragraph before it
 *   ::: terms                                a formula term by term: `TeX | word under it` a line, `---`, further lines of TeX
 *   ::: figure NAME [compact|full|plain]         `title:`, `unit:`, `note:`, `set: ?query` (the state it starts in)
 *   ::: try                                  `- [action](?x=-4&errors.kind=relative) what to notice` a line
 *   ::: fix                                  `said:`, `is:`, and, for bars to one scale, `gauge: words [NUMBER]{…}` lines,
 *                                            with ` | function` for a bar in its colour; `show:` as below
 *   ::: statement false|true                 `said:`, `is:`, `show: [text](?x=-4#gradient)`: the figure of a section, set;
 *                                            `#code-table` names the figure. The figure `judge` of the section takes them
 *   ::: card basic|derive|design             `q:`, `short:`, `full:` (a paragraph each, or a $$ formula $$), and if wanted
 *                                            `answer: [NUMBER]{…} TOLERANCE WORDS` (`0.01`, or `1%` of it; the number is
 *                                            not what is shown here but what the kernels make it; the words, where the
 *                                            question asks for more than one thing, which is meant) and `show:`; for `cards`
 *   ::: step 10=2 25=3                       a stop of the routes of so many minutes, and its own minutes in each: `show:` a
 *                                            figure, `ask:`, `answer:`; neighbours become one timetable, and their minutes
 *                                            must add up
 *   ::: task read|work|predict LINES         a task of the worksheet and the lines to write on: `show: (?x=0.8#code-table)`,
 *                                            the link gets the figure's number for its text; `do:`, `answer:`
 *   ::: code FILE                            a file of web/content/code, once for both languages; nothing in it; neighbours
 *                                            become tabs
 *   :::                                      ends a block
 *
 * Lines that begin with two spaces continue the one before. Minus signs, the space before % and between thousands, the x in italics, roots,
 * signs that Chinese fonts draw too wide (`.sym`) and "x = −2" that must not break (`.nb`) are put right here, so that the
 * files can be typed plainly.
 */

import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import MarkdownIt from "markdown-it";
import { figures as allFigures } from "../figures/index.js";
import { functionNames } from "../i18n/functions.js";
import { clamp, createTable } from "../state.js";
import { formula } from "./formula.mjs";
import { KIND_NAMES, numberChecker, readShown } from "./numbers.mjs";

/** @typedef {{ zh: string, en: string }} Both */
/**
 * Statements and cards keep what they were made of in `items`, one list a language; a code block is the same in both.
 * @typedef {{ kind: "text" | "try" | "fix" | "code" | "statements" | "cards" | "routes" | "worksheet", html: Both, items?: { zh: Item[], en: Item[] } }} HtmlPart
 * @typedef {{ set: string, section: string, html: string }} Show
 * @typedef {{ truth: boolean, said: string, is: string, show: Show }} Statement
 * @typedef {{ level: string, q: string, short: string, full: string, answer?: { value: number, tolerance: string, words: string }, show?: Show }} Card
 * @typedef {{ minutes: Record<string, number>, show: Show, ask: string, answer: string }} Step minutes: by route
 * @typedef {{ what: string, lines: number, show: Show, task: string, answer: string }} Task
 * @typedef {Statement | Card | Step | Task} Item
 */
/** @typedef {{ kind: "figure", name: string, variant: string, set: string, title: Both, unit: Both, note: Both }} FigurePart */
/** @typedef {{ id: string, label: Both, title: Both, claim: Both, parts: Array<HtmlPart | FigurePart> }} Section */

/**
 * What one file holds; `shape` of a part is what must be the same in the other language.
 * Neighbours of the same `group` become one part.
 * @typedef {{ line: number, kind: "figure" | HtmlPart["kind"], shape: string, html: string, figure?: Record<string, string>,
 *   group?: string, items?: Item[] }} Part
 */
/** @typedef {{ text: string, line: number }} Source */
/**
 * What rendering needs to know; `line` is where the text being rendered begins, `focusable` the functions whose word can
 * still take the keyboard's focus (null: none may, as inside a button).
 * @typedef {{ file: string, line: number, lang: "zh" | "en", check: (shown: string, expression: string) => number | undefined,
 *   figures: readonly string[], table: Map<string, import("../state.js").Parameter>, focusable: Set<string> | null,
 *   sections: readonly string[], code: Map<string, string> }} Context
 */

const LANGUAGES = /** @type {const} */ (["zh", "en"]);
const FUNCTIONS = Object.keys(functionNames);
const VARIANTS = ["", "compact", "full", "plain"];
const HEADINGS = {
  try: { zh: "试一试", en: "Try this" },
  said: { zh: "流传", en: "Often said" },
  is: { zh: "量得", en: "Measured" },
  copy: { zh: "复制", en: "Copy" },
  short: { zh: "简答", en: "In short" },
  false: { zh: "不对。", en: "Not so." },
  true: { zh: "没错。", en: "True." },
  minutes: { zh: "分钟", en: "min" },
  step: { zh: "每一站：一张图，一个问题", en: "Each stop: a figure, a question" },
  figure: { zh: "图", en: "Figure" },
  worksheet: { zh: "练习单", en: "Worksheet" },
  name: { zh: "姓名", en: "Name" },
  date: { zh: "日期", en: "Date" },
  key: { zh: "答案", en: "Answers" },
};
/** Minutes that a lecture has. */
export const ROUTES = ["10", "25", "45"];
const TASKS = {
  read: { zh: "读图", en: "Read off" },
  work: { zh: "计算", en: "Work out" },
  predict: { zh: "先猜", en: "Predict" },
};
/** The headings of groups of statements and cards. */
const GROUPS = {
  false: { zh: "流传很广，却不对", en: "Often said, and wrong" },
  true: { zh: "听来意外，却没错", en: "Surprising, and right" },
  basic: { zh: "基础", en: "Basics" },
  derive: { zh: "推导", en: "Derivations" },
  design: { zh: "设计与工程", en: "Design and engineering" },
};
const CODE_LANGUAGES = { py: "Python", c: "C" };
/** What a program is called above it, where its language does not say all. */
const CODE_NAMES = { "gelu_numpy.py": "NumPy + SciPy", "gelu_torch.py": "PyTorch" };
/** Private characters around the id of a figure whose number is to stand there (page.mjs knows it). */
export const [FIGURE_OPEN, FIGURE_CLOSE] = ["\uE010", "\uE011"];
/** Private characters around a number that has been checked, until the typography has run. */
const [OPEN, CLOSE] = ["\uE000", "\uE001"];
const CJK = "\\p{Script=Han}\u3000-\u303f\uff00-\uffef‘’“”…—";
const UNCHECKED = /\d\.\d|\d\s?%|× ?10/;
const LONGEST_HELD = 24;
/** Held to the mark behind it, in signs; they are wider. */
const LONGEST_FORMULA = 20;
/** What no line may begin with. */
const CLOSING = /^[，。；：、！？）」』”’,.;:!?)]+/;
const ROOT = /([−±]?)√(\d)([，。；：、！？）」』”’,.;:!?)]*)/g;
const RELATION = new RegExp(`[^\\s${CJK}]+(?: [=≈<>≤≥×·+−] [^\\s${CJK}]+)+`, "gu");

/** A fault in a content file. */
export class ContentError extends Error {
  /**
   * @param {string} file
   * @param {number} line
   * @param {string} message
   */
  constructor(file, line, message) {
    super(`${file}:${line}: ${message}`);
    this.name = "ContentError";
  }
}

const escapeHtml = (/** @type {string} */ text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/**
 * @param {string} text plain text without marks of checked numbers
 * @param {"zh" | "en"} lang
 * @returns {string} HTML with the typography of the page
 */
function typeset(text, lang) {
  const signed = text
    .replace(/(?<![\p{L}\p{N})\]])-(?=[\d.])/gu, "−")
    .replace(/(\d)\s?%/g, "$1\u202f%")
    .replace(/(?<=\d) (?=\d{3}(?!\d))/g, "\u202f");
  const letters = (/** @type {string} */ part) =>
    escapeHtml(part)
      .replace(/(?<!\p{Script=Latin})x(?![\p{Script=Latin}\p{N}])/gu, "<i>x</i>")
      .replace(ROOT, (_, sign, number, end) => {
        const root = formula(`\\sqrt{${number}}`);
        return sign + end === "" ? root : `<span class="nb">${sign}${root}${end}</span>`;
      })
      // Chinese fonts draw these a full character wide.
      .replace(lang === "zh" ? /[×·±]/g : /(?!)/g, '<span class="sym">$&</span>');
  const loose = (/** @type {string} */ part) => letters(part.replace(/ ([=≈<>≤≥×]) ?/g, "\u00a0$1\u00a0"));
  let html = "";
  let end = 0;
  for (const match of signed.matchAll(RELATION)) {
    // A relation longer than a phone's line must be able to break.
    const held = match[0].length <= LONGEST_HELD ? `<span class="nb">${letters(match[0])}</span>` : letters(match[0]);
    html += loose(signed.slice(end, match.index)) + held;
    end = match.index + match[0].length;
  }
  return html + loose(signed.slice(end));
}

/**
 * The marks of checked numbers taken off, and an error where a number has none.
 * @param {string} text
 * @param {Context} context
 * @param {number} line
 */
function withoutMarks(text, context, line) {
  const unchecked = text.replace(new RegExp(`${OPEN}[^${CLOSE}]*${CLOSE}`, "g"), "").match(UNCHECKED);
  if (unchecked) {
    const around = unchecked.input?.slice(Math.max(0, (unchecked.index ?? 0) - 15), (unchecked.index ?? 0) + 15);
    throw new ContentError(context.file, line, `a number without a check in ${JSON.stringify(around)}; write [number]{kind …}`);
  }
  return text.replaceAll(OPEN, "").replaceAll(CLOSE, "");
}

/**
 * @param {string} shown
 * @param {string} expression
 * @param {Context} context
 * @param {number} line
 */
function checkNumber(shown, expression, context, line) {
  try {
    return context.check(shown, expression);
  } catch (error) {
    throw new ContentError(context.file, line, /** @type {Error} */ (error).message);
  }
}

/**
 * @param {string} id
 * @param {Context} context
 * @param {number} line
 */
function checkFunction(id, context, line) {
  if (!FUNCTIONS.includes(id)) {
    throw new ContentError(context.file, line, `unknown function ${JSON.stringify(id)}; allowed: ${FUNCTIONS.join(", ")}`);
  }
}

/**
 * @param {string} tex
 * @param {Context} context
 * @param {number} line
 * @param {boolean} [display]
 */
function renderTex(tex, context, line, display = false) {
  const marked = new RegExp(`\\[([^\\[\\]]*)\\]\\{((?:${KIND_NAMES.join("|")})\\b[^{}]*)\\}`, "g");
  const plain = tex.replace(marked, (_, shown, expression) => {
    checkNumber(shown, expression, context, line);
    return OPEN + shown + CLOSE;
  });
  for (const [, id] of tex.matchAll(/\\fn\{([^}]*)\}/g)) checkFunction(id, context, line);
  try {
    return formula(withoutMarks(plain, context, line), display);
  } catch (error) {
    if (error instanceof ContentError) throw error;
    throw new ContentError(context.file, line, /** @type {Error} */ (error).message.replaceAll("\u0332", ""));
  }
}

/**
 * @param {string} query with its question mark
 * @param {Context} context
 * @param {number} line
 */
function checkQuery(query, context, line) {
  const fault = (/** @type {string} */ message) => new ContentError(context.file, line, `${message} in ${JSON.stringify(query)}`);
  if (!/^\?[^\s]+$/.test(query)) throw fault("not a query string such as ?x=-4");
  for (const [key, value] of new URLSearchParams(query)) {
    const parameter = context.table.get(key);
    if (parameter === undefined) throw fault(`unknown key ${JSON.stringify(key)}`);
    const taken = clamp(parameter, value);
    // Nothing after the equals sign gives each figure its own range.
    if (!says(parameter, value, taken)) throw fault(`bad value for ${key}, which would become ${JSON.stringify(taken)},`);
  }
}

/**
 * Whether a value in an address says what the parameter takes from it.
 * @param {import("../state.js").Parameter} parameter
 * @param {string} value
 * @param {any} taken
 */
function says(parameter, value, taken) {
  if (parameter.kind === "list") return taken.length === value.split(",").length;
  if (parameter.kind === "number" && value !== "") return Number(value) === taken;
  return value === String(taken ?? "");
}

/**
 * `[text](?query#section)`: a link to a section that sets its figure; without a query the section alone.
 * @param {Source} source
 * @param {Context} context
 * @returns {Show}
 */
function readShow({ text, line }, context) {
  const match = text.match(/^\[((?:\[\[[^\]]*\]\]|\[[^\]]*\]\{[^}]*\}|[^[\]])+)\]\((\?\S+?)?#(\w+)(?:-(\w+))?\)$/);
  if (!match)
    throw new ContentError(
      context.file,
      line,
      `expected show: [text](?query#section) or [text](#section), got ${JSON.stringify(text)}`,
    );
  const [, words, query, section, figure] = match;
  if (query) checkQuery(query, context, line);
  if (!context.sections.includes(section)) {
    throw new ContentError(
      context.file,
      line,
      `no section ${JSON.stringify(section)}; there are: ${context.sections.join(", ")}`,
    );
  }
  if (figure !== undefined && !context.figures.includes(figure)) {
    throw new ContentError(context.file, line, `no figure ${JSON.stringify(figure)}; there are: ${context.figures.join(", ")}`);
  }
  return {
    set: (query ?? "").slice(1),
    section: figure === undefined ? section : `${section}-${figure}`,
    html: renderInline({ text: words, line }, context),
  };
}

/** @param {Show} show */
const showHtml = ({ set, section, html }) =>
  `<a class="show" href="#${section}"${set ? ` data-set="${escapeHtml(set)}"` : ""}>${html}</a>`;

// ---------- Markdown ----------

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
markdown.disable(["code", "fence", "html_block", "heading", "lheading", "hr", "image", "autolink", "html_inline", "reference"]);

// checkLink decides, and says so; a link that markdown-it refuses would stay in the text as it was typed.
markdown.validateLink = () => true;

/** Where the inline parser stands: the line of the text it began with, and the breaks passed. */
const lineAt = (/** @type {any} */ state, position = state.pos) => {
  const start = state.env.lines?.get(state.src) ?? state.env.line;
  return start + (state.src.slice(0, position).match(/\n/g) ?? []).length;
};

/**
 * An inline rule for what matches `pattern` at the current place.
 * @param {string} name
 * @param {RegExp} pattern sticky
 * @param {(match: RegExpExecArray, state: any, line: number) => void} use
 */
function inlineRule(name, pattern, use) {
  markdown.inline.ruler.before("escape", name, (state, silent) => {
    pattern.lastIndex = state.pos;
    const match = pattern.exec(state.src);
    if (!match) return false;
    if (!silent) use(match, state, lineAt(state));
    state.pos += match[0].length;
    return true;
  });
}

inlineRule("tex", /\$(?![\s$])((?:[^$\\\n]|\\.)+?)\$/y, (match, state, line) => {
  state.push("html_inline", "", 0).content = renderTex(match[1], state.env, line);
});

inlineRule("function", /\[\[([^\]|]*)(?:\|([^\]]*))?\]\]/y, (match, state, line) => {
  const [, id, own] = match;
  checkFunction(id, state.env, line);
  const { lang } = /** @type {Context} */ (state.env);
  const text = typeset(withoutMarks(own ?? functionNames[id][lang], state.env, line), lang);
  const focus = state.env.focusable?.delete(id) ? ' tabindex="0"' : "";
  state.push("html_inline", "", 0).content = `<span class="fn" data-fn="${id}"${focus}>${text}</span>`;
});

inlineRule("number", /\[([^[\]\n]{1,30})\]\{([^{}\n]+)\}/y, (match, state, line) => {
  checkNumber(match[1], match[2], state.env, line);
  state.pending += OPEN + match[1] + CLOSE;
});

// Each inline text is told its line, so that a fault can be named.
markdown.core.ruler.before("inline", "lines", (state) => {
  state.env.lines = new Map();
  for (const token of state.tokens) {
    if (token.type === "inline" && !state.inlineMode) state.env.lines.set(token.content, state.env.line + (token.map?.[0] ?? 0));
  }
});

markdown.core.ruler.after("inline", "typography", (state) => {
  for (const block of state.tokens) {
    if (block.type !== "inline") continue;
    let line = state.env.lines.get(block.content) ?? state.env.line;
    const children = block.children ?? [];
    children.forEach((token, i) => {
      if (token.type === "softbreak") {
        line++;
        // Chinese is written without spaces: a line's end between two of its characters is nothing.
        const edge = (/** @type {any} */ other) => other?.content.replace(/<[^>]*>/g, "") ?? "";
        const [before, after] = [edge(children[i - 1]), edge(children[i + 1])];
        const punctuation = "\u3000-\u303f\uff00-\uffef";
        const joined = new RegExp(`[${CJK}]\n[${CJK}]|[${punctuation}]\n|\n[${punctuation}]`, "u");
        if (joined.test(`${before.slice(-1)}\n${after.slice(0, 1)}`)) Object.assign(token, { type: "html_inline", content: "" });
      }
      if (token.type === "text") {
        const [held] = (i > 0 && children[i - 1].type !== "softbreak" && token.content.match(CLOSING)) || [""];
        const text = typeset(withoutMarks(token.content.slice(held.length), state.env, line), state.env.lang);
        token.type = "html_inline";
        token.content = held + text;
        if (held !== "") holdTogether(children[i - 1], token, held);
      }
      if (token.type === "link_open") checkLink(token.attrGet("href") ?? "", state.env, line);
    });
  }
});

/**
 * No line begins with what closes something. A word joiner holds it, but Chromium breaks between that and a formula.
 * @param {{ content: string }} before
 * @param {{ content: string }} after
 * @param {string} held what it begins with
 */
function holdTogether(before, after, held) {
  // A long one may have to be broken where text is large.
  const isShort = before.content.replace(/<[^>]*>/g, "").length <= LONGEST_FORMULA;
  if (before.content.startsWith("<math") && isShort) {
    before.content = `<span class="nb">${before.content}`;
    after.content = `${held}</span>${after.content.slice(held.length)}`;
  } else {
    after.content = `\u2060${after.content}`;
  }
}

/**
 * @param {string} href
 * @param {Context} context
 * @param {number} line
 */
function checkLink(href, context, line) {
  if (!/^https:\/\/[^\s]+$|^#[a-z]+$/.test(href)) {
    throw new ContentError(context.file, line, `a link goes to https:// or to a #section, not to ${JSON.stringify(href)}`);
  }
}

markdown.renderer.rules.em_open = (tokens, i) => (tokens[i].markup === "_" ? "<i>" : "<em>");
markdown.renderer.rules.em_close = (tokens, i) => (tokens[i].markup === "_" ? "</i>" : "</em>");

// Tables scroll inside their own box; numbers stand at the right by a class, for inline styles are refused.
markdown.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table class="sheet">';
markdown.renderer.rules.table_close = () => "</table></div>";
for (const name of ["th", "td"]) {
  markdown.renderer.rules[`${name}_open`] = (tokens, i) => {
    const right = tokens[i].attrGet("style") === "text-align:right" ? ' class="r"' : "";
    return `<${name}${name === "th" ? ' scope="col"' : ""}${right}>`;
  };
}

/**
 * @param {Source} source
 * @param {Context} context
 * @param {Set<string> | null} [focusable]
 */
function renderInline(source, context, focusable = null) {
  return markdown.renderInline(source.text, { ...context, line: source.line, focusable });
}

/**
 * @param {Source} source
 * @param {Context} context
 */
function renderBlock(source, context) {
  return markdown.render(source.text, { ...context, line: source.line }).trim();
}

/**
 * A title, claim or statement: phrases between `||` become units that a line does not break inside.
 * @param {Source} source
 * @param {Context} context
 * @param {Set<string> | null} [focusable]
 */
function renderPhrases(source, context, focusable = null) {
  const phrases = source.text.split("||");
  const html = phrases.map((text) => renderInline({ text: text.trim(), line: source.line }, context, focusable));
  if (html.length === 1) return html[0];
  // A space before the mark, as behind a Latin word in a Chinese sentence, is none of the phrase's.
  const gaps = phrases.map((text, i) => (i < html.length - 1 && (context.lang === "en" || text.endsWith(" ")) ? " " : ""));
  return html.map((phrase, i) => `<span class="ph">${phrase}</span>${gaps[i]}`).join("");
}

// ---------- blocks ----------

/**
 * `key: value` lines, each value with the lines that continue it; a key may come again.
 * @param {Source[]} lines
 * @param {string[]} allowed
 * @param {Context} context
 * @returns {Map<string, Source[]>}
 */
function readFields(lines, allowed, context) {
  /** @type {Map<string, Source[]>} */
  const fields = new Map();
  /** @type {Source | undefined} */
  let last;
  for (const { text, line } of lines) {
    if (text.trim() === "") continue;
    const match = text.match(/^(\w+):\s*(.*)$/);
    if (match && allowed.includes(match[1])) {
      last = { text: match[2], line };
      fields.set(match[1], [...(fields.get(match[1]) ?? []), last]);
    } else if (last && /^ {2}/.test(text)) {
      last.text += `\n${text.trim()}`;
    } else {
      throw new ContentError(
        context.file,
        line,
        `expected one of ${allowed.join(", ")} and a colon, got ${JSON.stringify(text)}`,
      );
    }
  }
  return fields;
}

/**
 * @param {Map<string, Source[]>} fields
 * @param {string} key
 * @param {number} line of the block
 * @param {Context} context
 */
function needed(fields, key, line, context) {
  const [source] = fields.get(key) ?? [];
  if (!source?.text) throw new ContentError(context.file, line, `${key}: is missing`);
  return source;
}

/** @typedef {(words: string[], lines: Source[], line: number, context: Context) => Omit<Part, "line">} Block */

/** @type {Block} */
function readFigure([name, variant = ""], lines, line, context) {
  if (!context.figures.includes(name)) {
    throw new ContentError(context.file, line, `unknown figure ${JSON.stringify(name)}; allowed: ${context.figures.join(", ")}`);
  }
  if (!VARIANTS.includes(variant)) throw new ContentError(context.file, line, `unknown variant ${JSON.stringify(variant)}`);
  const fields = readFields(lines, ["title", "unit", "note", "set"], context);
  const set = fields.get("set")?.[0];
  if (set) checkQuery(set.text, context, set.line);
  const html = (/** @type {Source | undefined} */ source) => (source ? renderInline(source, context) : "");
  const figure = {
    name,
    variant,
    set: set?.text.slice(1) ?? "",
    title: html(needed(fields, "title", line, context)),
    unit: html(fields.get("unit")?.[0]),
    note: html(needed(fields, "note", line, context)),
  };
  const shape = `figure ${name} ${variant} ${figure.set} ${figure.unit ? "with" : "without"} unit`.replace(/ +/g, " ");
  return { kind: "figure", shape, html: "", figure };
}

/** @type {Block} */
function readTry(_, lines, line, context) {
  /** @type {Source[]} */
  const items = [];
  for (const each of lines) {
    if (each.text.startsWith("- ")) items.push({ text: each.text.slice(2), line: each.line });
    else if (/^ {2}/.test(each.text) && items.length > 0) items[items.length - 1].text += `\n${each.text.trim()}`;
    else if (each.text.trim() !== "")
      throw new ContentError(context.file, each.line, "expected - [action](?query) what to notice");
  }
  if (items.length === 0) throw new ContentError(context.file, line, "nothing to try");
  const queries = [];
  const buttons = items.map((item) => {
    const match = item.text.match(/^\[((?:\[\[[^\]]*\]\]|\[[^\]]*\]\{[^}]*\}|[^[\]])+)\]\((\S+)\)\s*([\s\S]+)$/);
    if (!match) throw new ContentError(context.file, item.line, "expected - [action](?query) what to notice");
    const [, action, query, notice] = match;
    checkQuery(query, context, item.line);
    queries.push(query);
    const [b, rest] = [action, notice].map((text) => renderInline({ text, line: item.line }, context));
    return `<button type="button" data-set="${escapeHtml(query.slice(1))}"><b>${b}</b><span>${rest}</span></button>`;
  });
  const html = `<div class="try"><h3>${HEADINGS.try[context.lang]}</h3>${buttons.join("")}</div>`;
  return { kind: "try", shape: `try ${queries.join(" ")}`, html };
}

/** @type {Block} */
function readFix(_, lines, line, context) {
  const fields = readFields(lines, ["said", "is", "gauge", "show"], context);
  const [showLine] = fields.get("show") ?? [];
  const show = showLine && readShow(showLine, context);
  const said = renderInline(needed(fields, "said", line, context), context);
  const is = renderInline(needed(fields, "is", line, context), context);
  const bars = (fields.get("gauge") ?? []).map((source) => {
    const [words, id = ""] = source.text.split(/ \| (?=\w+$)/);
    if (id) checkFunction(id, context, source.line);
    const shown = words.match(/(?<!\[)\[([^[\]]+)\]\{/)?.[1] ?? "";
    const value = readShown(shown)?.value ?? 0;
    if (!(value > 0)) throw new ContentError(context.file, source.line, "a gauge shows one positive [number]{kind …}");
    return { id, value, label: renderInline({ text: words, line: source.line }, context) };
  });
  if (bars.length === 1) throw new ContentError(context.file, line, "one bar alone compares nothing");
  const largest = Math.max(...bars.map((bar) => bar.value));
  const rows = bars.map(({ id, label, value }) => {
    const width = `${Number(((100 * value) / largest).toFixed(2))}%`;
    const kind = id ? `data-fn="${id}"` : 'class="claimed"';
    return `<span>${label}</span><svg height="10" aria-hidden="true"><rect ${kind} width="${width}" height="10"></rect></svg>`;
  });
  const gauge = rows.length > 0 ? `<span class="gauge">${rows.join("")}</span>` : "";
  const html =
    `<dl class="fix"><dt>${HEADINGS.said[context.lang]}</dt><dd class="said">“${said}”</dd>` +
    `<dt>${HEADINGS.is[context.lang]}</dt><dd><span class="is">${is}</span>${gauge}${show ? showHtml(show) : ""}</dd></dl>`;
  const shape = `fix ${bars.map((bar) => `${bar.value} ${bar.id}`).join(", ")}${show ? ` ${show.set}#${show.section}` : ""}`;
  return { kind: "fix", shape, html };
}

/** @type {Block} */
function readStatement([truth = ""], lines, line, context) {
  if (truth !== "false" && truth !== "true") {
    throw new ContentError(context.file, line, `a statement is false or true, not ${JSON.stringify(truth)}`);
  }
  const fields = readFields(lines, ["said", "is", "show"], context);
  const said = renderPhrases(needed(fields, "said", line, context), context);
  const is = renderInline(needed(fields, "is", line, context), context);
  const show = readShow(needed(fields, "show", line, context), context);
  const html =
    `<li class="statement"><p class="said">${said}</p>` +
    `<p class="is"><b>${HEADINGS[truth][context.lang]}</b> ${is}</p>${showHtml(show)}</li>`;
  return {
    kind: "statements",
    shape: `statement ${truth} ${show.set}#${show.section}`,
    html,
    group: truth,
    items: [{ truth: truth === "true", said, is, show }],
  };
}

/** @type {Block} */
function readCard([level = ""], lines, line, context) {
  if (!["basic", "derive", "design"].includes(level)) {
    throw new ContentError(context.file, line, `a card is basic, derive or design, not ${JSON.stringify(level)}`);
  }
  const fields = readFields(lines, ["q", "short", "full", "answer", "show"], context);
  const [q, short] = ["q", "short"].map((key) => needed(fields, key, line, context));
  needed(fields, "full", line, context);
  const paragraphs = (fields.get("full") ?? []).map((source) => {
    const formulaOnly = source.text.match(/^\$\$([\s\S]+)\$\$$/);
    if (formulaOnly) return `<div class="formula">${renderTex(formulaOnly[1], context, source.line, true)}</div>`;
    return `<p>${renderInline(source, context)}</p>`;
  });
  const [answerLine] = fields.get("answer") ?? [];
  const answer = answerLine && readAnswer(answerLine, context);
  const [showLine] = fields.get("show") ?? [];
  const show = showLine && readShow(showLine, context);
  /** @type {Card} */
  const item = {
    level,
    q: renderInline(q, context),
    short: renderInline(short, context),
    full: paragraphs.join(""),
    answer,
    show,
  };
  const words = answer?.words ? ` data-asked="${escapeHtml(answer.words)}"` : "";
  const asked = answer ? ` data-answer="${answer.value}" data-tolerance="${answer.tolerance}"${words}` : "";
  const html =
    `<details class="card"${asked}><summary>${item.q}</summary>` +
    `<p class="short"><b>${HEADINGS.short[context.lang]}</b> ${item.short}</p><div class="full">${item.full}</div>` +
    `${show ? showHtml(show) : ""}</details>`;
  const shape = `card ${level}${answer ? ` ${answer.value} ± ${answer.tolerance}${words && " with words"}` : ""}${show ? ` ${show.set}#${show.section}` : ""}`;
  return { kind: "cards", shape, html, group: level, items: [item] };
}

/**
 * `[NUMBER]{…} TOLERANCE WORDS`, the tolerance absolute or a percentage of the number; the number as the kernels compute it.
 * @param {Source} source
 * @param {Context} context
 */
function readAnswer({ text, line }, context) {
  const match = text.match(/^\[([^[\]]+)\]\{([^{}]+)\} (\d+(?:\.\d+)?%?)(?: (.+))?$/);
  const shown = match && readShown(match[1])?.value;
  if (!match || shown === undefined || shown === null) {
    throw new ContentError(context.file, line, `expected answer: [NUMBER]{kind …} TOLERANCE WORDS, got ${JSON.stringify(text)}`);
  }
  return { value: checkNumber(match[1], match[2], context, line) ?? shown, tolerance: match[3], words: match[4] ?? "" };
}

/** @type {Block} */
function readStep(words, lines, line, context) {
  const minutes = Object.fromEntries(words.map((word) => [word.split("=")[0], Number(word.split("=")[1])]));
  if (words.length === 0 || !Object.entries(minutes).every(([route, own]) => ROUTES.includes(route) && own > 0)) {
    throw new ContentError(
      context.file,
      line,
      `a step is ROUTE=MINUTES …, the routes ${ROUTES.join(", ")}; got ${JSON.stringify(words.join(" "))}`,
    );
  }
  const fields = readFields(lines, ["show", "ask", "answer"], context);
  const show = readShow(needed(fields, "show", line, context), context);
  if (!show.section.includes("-")) throw new ContentError(context.file, line, "a step shows a figure: #section-figure");
  const [ask, answer] = ["ask", "answer"].map((key) => renderInline(needed(fields, key, line, context), context));
  const shape = `step ${words.join(" ")} ${show.set}#${show.section}`;
  return { kind: "routes", shape, html: "", group: "routes", items: [{ minutes, show, ask, answer }] };
}

/** @type {Block} */
function readTask([what = "", count = ""], lines, line, context) {
  if (!Object.hasOwn(TASKS, what) || !/^[1-9]$/.test(count)) {
    const got = JSON.stringify(`${what} ${count}`);
    throw new ContentError(context.file, line, `a task is ${Object.keys(TASKS).join(", ")} and a number of lines, not ${got}`);
  }
  const fields = readFields(lines, ["show", "do", "answer"], context);
  const source = needed(fields, "show", line, context);
  const show = readShow({ ...source, text: `[.]${source.text}` }, context);
  show.html = `${HEADINGS.figure[context.lang]}\u00a0${FIGURE_OPEN}${show.section}${FIGURE_CLOSE}`;
  const [task, answer] = ["do", "answer"].map((key) => renderInline(needed(fields, key, line, context), context));
  const shape = `task ${what} ${count} ${show.set}#${show.section}`;
  return { kind: "worksheet", shape, html: "", group: "worksheet", items: [{ what, lines: Number(count), show, task, answer }] };
}

/**
 * The stops as a timetable: a column for each route.
 * @param {Step[]} steps
 * @param {Part} part
 * @param {Context} context
 */
function routesHtml(steps, { line }, { file, lang }) {
  for (const route of ROUTES) {
    const sum = steps.reduce((total, { minutes }) => total + (minutes[route] ?? 0), 0);
    if (sum !== Number(route)) throw new ContentError(file, line, `the steps of the route of ${route} minutes take ${sum}`);
  }
  const word = HEADINGS.minutes[lang];
  const head = ROUTES.map((route) => `<th scope="col">${route}<small> ${word}</small></th>`).join("");
  const rows = steps.map(({ minutes, show, ask, answer }) => {
    const cells = ROUTES.map((route) => (minutes[route] ? `<td data-route="${route}">${minutes[route]}</td>` : "<td>–</td>"));
    return `<tr><th scope="row">${showHtml(show)}<p class="ask">${ask}</p><p class="answer">${answer}</p></th>${cells.join("")}</tr>`;
  });
  return (
    `<table class="routes full"><thead><tr><th scope="col">${HEADINGS.step[lang]}</th>${head}</tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table>`
  );
}

/**
 * @param {Task[]} tasks
 * @param {"zh" | "en"} lang
 */
function worksheetHtml(tasks, lang) {
  const items = tasks.map(
    ({ what, lines, show, task }) =>
      `<li><b>${TASKS[/** @type {keyof typeof TASKS} */ (what)][lang]}</b> ${showHtml(show)} ${task}` +
      `${'<span class="line"></span>'.repeat(lines)}</li>`,
  );
  const names = ["name", "date"].map((key) => `<span>${HEADINGS[/** @type {"name" | "date"} */ (key)][lang]}</span>`);
  return (
    `<div class="worksheet full"><h3>${HEADINGS.worksheet[lang]}</h3><p class="names print-only">${names.join("")}</p>` +
    `<ol>${items.join("")}</ol><details class="key"><summary>${HEADINGS.key[lang]}</summary>` +
    `<ol>${tasks.map(({ answer }) => `<li>${answer}</li>`).join("")}</ol></details></div>`
  );
}

/** @type {Block} */
function readCode([file = "", ...more], lines, line, context) {
  const source = context.code.get(file);
  if (source === undefined) {
    const there = [...context.code.keys()].join(", ");
    throw new ContentError(context.file, line, `no program ${JSON.stringify(file)} in web/content/code; there are: ${there}`);
  }
  if (more.length > 0 || lines.some(({ text }) => text.trim() !== "")) {
    throw new ContentError(context.file, line, "::: code FILE has nothing in it");
  }
  const extension = /** @type {keyof typeof CODE_LANGUAGES} */ (file.slice(file.lastIndexOf(".") + 1));
  const name = CODE_NAMES[/** @type {keyof typeof CODE_NAMES} */ (file)] ?? CODE_LANGUAGES[extension];
  const { zh, en } = HEADINGS.copy;
  const html =
    `<div class="code"><div class="code-head"><span><b>${name}</b> ${file}</span>` +
    `<button type="button" class="btn" data-copy><span lang="zh-CN">${zh}</span><span lang="en">${en}</span></button></div>` +
    `<pre tabindex="0"><code>${escapeHtml(source.trimEnd())}\n</code></pre></div>`;
  return { kind: "code", shape: `code ${file}`, html, group: "programs" };
}

/** @type {Block} */
function readTerms(_, lines, line, context) {
  let terms = "";
  let sign = "";
  let further = "";
  let below = false;
  for (const each of lines) {
    const text = each.text.trim();
    if (text === "") continue;
    if (text === "---") {
      below = true;
    } else if (below) {
      further += `<span class="second">${renderTex(text, context, each.line)}</span>`;
    } else {
      const [tex, word = ""] = text.split(" | ");
      const id = tex.match(/^\\fn\{(\w+)\}\{.*\}$/)?.[1];
      const small =
        word && `<small${id ? ` data-fn="${id}"` : ""}>${renderInline({ text: word, line: each.line }, context)}</small>`;
      const term = `<span class="term">${renderTex(tex, context, each.line)}${small}</span>`;
      // A sign stays with the term it leads, wherever the line breaks.
      if (word) terms += sign ? `<span class="signed">${sign}${term}</span>` : term;
      else if (sign) throw new ContentError(context.file, each.line, "two terms in a row without a word");
      sign = word ? "" : term;
    }
  }
  if (terms === "" || sign !== "") throw new ContentError(context.file, line, "the last term needs a word: TeX | word");
  return { kind: "text", shape: "text", html: `<div class="formula terms">${terms}${further}</div>` };
}

/** @type {Record<string, Block>} */
const BLOCKS = {
  figure: readFigure,
  try: readTry,
  fix: readFix,
  terms: readTerms,
  statement: readStatement,
  card: readCard,
  step: readStep,
  task: readTask,
  code: readCode,
};

/**
 * @param {Source[]} lines
 * @param {Context} context
 * @returns {Part[]}
 */
function readBody(lines, context) {
  /** @type {Part[]} */
  const parts = [];
  /** @type {Source[]} */
  let prose = [];
  /** @param {number} line @param {string} html */
  const addText = (line, html) => {
    const last = parts.at(-1);
    if (last?.kind === "text") last.html += `\n${html}`;
    else parts.push({ line, kind: "text", shape: "text", html });
  };
  const addPart = (/** @type {Part} */ part) => {
    const last = parts.at(-1);
    if (!part.group || last?.group !== part.group) return parts.push(part);
    last.html += part.html;
    last.shape += `; ${part.shape}`;
    return last.items?.push(...(part.items ?? []));
  };
  const flush = () => {
    const first = prose.findIndex((each) => each.text.trim() !== "");
    if (first >= 0) {
      const source = { text: prose.map((each) => each.text).join("\n"), line: prose[0].line };
      addText(prose[first].line, `<div class="prose">${renderBlock(source, context)}</div>`);
    }
    prose = [];
  };
  /** Takes lines from i on until `ends` says so; answers them and the place after. */
  const take = (/** @type {number} */ i, /** @type {(text: string) => boolean} */ ends, /** @type {string} */ what) => {
    const end = lines.findIndex((each, j) => j > i && ends(each.text));
    if (end < 0) throw new ContentError(context.file, lines[i].line, `${what} has no end`);
    return { inner: lines.slice(i + 1, end), next: end + 1 };
  };
  for (let i = 0; i < lines.length; ) {
    const { text, line } = lines[i];
    if (text.startsWith(":::")) {
      flush();
      const [name = "", ...words] = text.slice(3).trim().split(/\s+/);
      if (!Object.hasOwn(BLOCKS, name)) {
        const allowed = Object.keys(BLOCKS).join(", ");
        throw new ContentError(context.file, line, `unknown block ${JSON.stringify(name)}; allowed: ${allowed}`);
      }
      const { inner, next } = take(i, (each) => each.trim() === ":::", `::: ${name}`);
      const part = BLOCKS[name](words, inner, line, context);
      if (part.kind === "text") addText(line, part.html);
      else addPart({ line, ...part });
      i = next;
    } else if (text.startsWith("$$")) {
      flush();
      const single = /^\$\$.+\$\$\s*$/.test(text);
      const { inner, next } = single ? { inner: [], next: i + 1 } : take(i, (each) => each.trim() === "$$", "$$");
      const tex = single ? text.trim().slice(2, -2) : inner.map((each) => each.text).join("\n");
      addText(line, `<div class="formula">${renderTex(tex, context, line, true)}</div>`);
      i = next;
    } else if (text.startsWith(">")) {
      flush();
      const note = [];
      while (i < lines.length && lines[i].text.startsWith(">")) note.push(lines[i++].text.replace(/^> ?/, ""));
      const paragraphs = renderBlock({ text: note.join("\n"), line }, context);
      const alone = (paragraphs.match(/<p>/g) ?? []).length === 1;
      addText(line, `<div class="margin" role="note">${alone ? paragraphs.replace(/^<p>|<\/p>$/g, "") : paragraphs}</div>`);
    } else {
      prose.push(lines[i++]);
      continue;
    }
    // In each stretch of text the first word of a function takes the keyboard's focus; more would only be in the way.
    if (parts.at(-1)?.kind !== "text") context.focusable = new Set(FUNCTIONS);
  }
  flush();
  return parts.map((part) => (part.group ? { ...part, html: groupHtml(part, context) } : part));
}

/**
 * @param {Part} part
 * @param {Context} context
 */
function groupHtml(part, context) {
  const { kind, group, html, items } = part;
  const { lang } = context;
  if (kind === "routes") return routesHtml(/** @type {Step[]} */ (items), part, context);
  if (kind === "worksheet") return worksheetHtml(/** @type {Task[]} */ (items), lang);
  if (kind === "code") return `<div class="programs">${html}</div>`;
  const heading = `<h3>${GROUPS[/** @type {keyof typeof GROUPS} */ (group)][lang]}</h3>`;
  const list = kind === "statements" ? `<ol>${html}</ol>` : html;
  return `<div class="${kind}${kind === "statements" ? " full" : ""}" data-group="${group}">${heading}${list}</div>`;
}

/**
 * @param {string} text
 * @param {Context} context
 */
function readSection(text, context) {
  const lines = text.split(/\r?\n/).map((each, i) => ({ text: each, line: i + 1 }));
  const end = lines.findIndex((each, i) => i > 0 && each.text === "---");
  if (lines[0].text !== "---" || end < 0) throw new ContentError(context.file, 1, "no front matter between two lines of ---");
  const fields = readFields(lines.slice(1, end), ["label", "title", "claim"], context);
  const field = (/** @type {string} */ key) => needed(fields, key, 1, context);
  const title = renderPhrases(field("title"), context, null);
  const claim = renderPhrases(field("claim"), context, new Set(FUNCTIONS));
  return { label: escapeHtml(field("label").text), title, claim, parts: readBody(lines.slice(end + 1), context) };
}

/**
 * @param {Context[]} contexts one a language
 * @param {Part[][]} parts one list a language
 */
function compareShapes(contexts, parts) {
  for (let i = 0; i < Math.max(...parts.map((list) => list.length)); i++) {
    const [a, b] = parts.map((list) => list[i]);
    if (a?.shape === b?.shape) continue;
    const here = a ? 0 : 1;
    const [mine, other] = here === 0 ? [a, b] : [b, a];
    throw new ContentError(
      contexts[here].file,
      mine.line,
      `here stands "${mine.shape}", in ${contexts[1 - here].file}${other ? `:${other.line} "${other.shape}"` : " nothing"}`,
    );
  }
}

const CONTENT = new URL("../content/", import.meta.url);

/** The programs that the lesson shows, by file name. */
async function readPrograms() {
  const folder = new URL("code/", CONTENT);
  const names = (await readdir(folder)).filter((name) => /\.(py|c)$/.test(name)).sort();
  return new Map(
    await Promise.all(
      names.map(async (name) => /** @type {[string, string]} */ ([name, await readFile(new URL(name, folder), "utf8")])),
    ),
  );
}

async function sectionNames() {
  return (await readdir(new URL("zh/", CONTENT))).filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -3));
}

/**
 * Reads the sections in the given order and holds their numbers to the kernels.
 * @param {readonly string[]} ids
 * @param {{ gelu: any, folder?: URL }} options
 * @returns {Promise<Section[]>}
 */
export async function loadSections(ids, { gelu, folder = CONTENT }) {
  const table = createTable(gelu.catalogue, allFigures);
  const figures = allFigures.map(({ name }) => name);
  const check = numberChecker(gelu, FUNCTIONS);
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const code = await readPrograms();
  // A section that links to another may stand in a list of its own.
  const sections = [...new Set([...ids, ...(await sectionNames())])];
  return Promise.all(
    ids.map(async (id) => {
      const contexts = LANGUAGES.map((lang) => {
        const file = fileURLToPath(new URL(`${lang}/${id}.md`, folder)).replace(root, "");
        return { file, line: 1, lang, check, figures, table, focusable: new Set(FUNCTIONS), sections, code };
      });
      const files = await Promise.all(
        contexts.map(async (context) => {
          let text;
          try {
            text = await readFile(new URL(`${context.lang}/${id}.md`, folder), "utf8");
          } catch {
            throw new ContentError(context.file, 1, "the file is missing");
          }
          return readSection(text, context);
        }),
      );
      const [zh, en] = files;
      compareShapes(contexts, [zh.parts, en.parts]);
      const parts = zh.parts.map((part, i) => {
        const [a, b] = [part.figure, en.parts[i].figure];
        if (!a || !b) {
          const html = { zh: part.html, en: en.parts[i].html };
          return part.items
            ? { kind: part.kind, html, items: { zh: part.items, en: en.parts[i].items } }
            : { kind: part.kind, html };
        }
        const both = (/** @type {string} */ key) => ({ zh: a[key], en: b[key] });
        const { name, variant, set } = a;
        return { kind: part.kind, name, variant, set, title: both("title"), unit: both("unit"), note: both("note") };
      });
      const both = (/** @type {"label" | "title" | "claim"} */ key) => ({ zh: zh[key], en: en[key] });
      return /** @type {Section} */ ({ id, label: both("label"), title: both("title"), claim: both("claim"), parts });
    }),
  );
}

export { fontStylesheet } from "./formula.mjs";
