/** The embed builder: a panel below a figure that makes the code with which another page shows it. */
import { segmented } from "../components/controls.js";
import { bilingual, h } from "../components/dom.js";
import { copyText } from "../components/export.js";
import { titleOf } from "../components/figure.js";
import { targetOf } from "../components/prompts.js";
import { confirmOn } from "../components/toolbar.js";
import { embedLabels } from "../i18n/embed.js";
import { bilingualText } from "../i18n/labels.js";
import { defaults, parse, serialize } from "../state.js";
import { codeFor, KINDS } from "./code.js";
import { embedNames } from "./names.js";
import { CHOICES } from "./options.js";

/**
 * @typedef {import("../state.js").Store} Store
 * @typedef {keyof typeof embedLabels} EmbedLabel
 */

/** Of columns in which figures are shown. */
const WIDTHS = ["360", "480", "720", "1000"];
/** What is wider than its box is shown smaller, but not smaller than that: then it scrolls. */
const LEAST_SCALE = 0.7;
/** Of what the height is at first, where a figure grows when it is answered. */
const GROWTH = 3 / 2;
/** Where the state comes from; a number is one of the figure's prompts. */
const START = "start";
const NOW = "now";
const PREVIEW = "preview";

/** @type {Record<string, EmbedLabel>} */
const NOTES = { frame: "codeFrameNote", plain: "codePlainNote", element: "codeElementNote", link: "codeLinkNote" };

/** @type {{ button: HTMLElement, close: () => void } | null} one at a time: its preview is a page of its own */
let open = null;

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} root the figure
 * @param {Store} store
 */
export function toggleBuilder(button, root, store) {
  const wasOpen = open?.button === button;
  open?.close();
  if (wasOpen) return;
  const builder = createBuilder(root, store);
  root.append(builder.element);
  builder.fit();
  button.setAttribute("aria-expanded", "true");
  open = {
    button,
    close() {
      builder.destroy();
      button.setAttribute("aria-expanded", "false");
      open = null;
    },
  };
}

const label = (/** @type {EmbedLabel} */ key) => bilingual(bilingualText(key));
const language = () => (document.documentElement.lang === "en" ? "en" : "zh");

/** @returns {Map<string, HTMLElement>} the figures of the lesson by the names under which they are embedded */
function figuresByName() {
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main figure[data-figure]")]);
  const names = embedNames(all.map(({ dataset }) => ({ name: dataset.figure ?? "", variant: dataset.variant ?? "" })));
  return new Map(names.map((name, i) => [name, all[i]]));
}

/**
 * @param {HTMLElement} root
 * @param {Store} store
 */
function createBuilder(root, store) {
  const byName = figuresByName();
  const names = [...byName.keys()];
  const figureOf = (/** @type {string} */ name) => /** @type {HTMLElement} */ (byName.get(name));
  const chosen = {
    figure: /** @type {string} */ (names.find((name) => byName.get(name) === root)),
    controls: CHOICES.controls[0],
    title: CHOICES.title[0],
    background: CHOICES.background[0],
    lang: "auto",
    theme: "auto",
    from: NOW,
    kind: KINDS[0],
    width: "720",
  };
  /** The state that goes with it, as in an address. */
  let query = "";
  let height = 420;

  // ---------- what can be chosen ----------

  const figures = select("theFigure", (value) => change({ figure: value, from: START }));
  const states = select("stateOf", (value) => change({ from: value }));
  const radios = {
    controls: row("shownParts", "controls", [
      ["full", label("controlsFull")],
      ["min", label("controlsMin")],
      ["none", label("controlsNone")],
    ]),
    lang: row("language", "lang", [
      ["auto", bilingual(bilingualText("themeAuto"))],
      ["zh", h("span", { class: "keep-lang", lang: "zh-CN" }, "中文")],
      ["en", h("span", { class: "keep-lang", lang: "en" }, "English")],
    ]),
    theme: row("theme", "theme", [
      ["auto", bilingual(bilingualText("themeAuto"))],
      ["light", bilingual(bilingualText("themeLight"))],
      ["dark", bilingual(bilingualText("themeDark"))],
    ]),
    width: row(
      "widthOf",
      "width",
      WIDTHS.map((width) => [width, width]),
    ),
    kind: row("theCode", "kind", [
      ["frame", label("codeFrame")],
      ["plain", label("codePlain")],
      ["element", label("codeElement")],
      ["link", label("codeLink")],
    ]),
  };
  const onTransparent = h("p", { class: "help", hidden: true }, label("transparentNote"));
  const checks = h(
    "div",
    { class: "builder-checks" },
    check("figureTitle", true, (on) => change({ title: on ? "1" : "0" })),
    check("transparent", false, (on) => change({ background: on ? "transparent" : "paper" })),
    onTransparent,
  );

  // ---------- preview and code ----------

  const frame = h("iframe", { class: "builder-frame" });
  const fitting = h("div", { class: "builder-fit" }, frame);
  // It may be wider than its box, which the keyboard must be able to scroll.
  const stage = h("div", { class: "builder-stage", role: "group", tabindex: 0, "aria-labelledby": "builder-preview" }, fitting);
  const problem = h("p", { class: "help", role: "alert", hidden: true });
  const code = h("textarea", { class: "builder-code", readonly: true, rows: 5, spellcheck: "false" });
  const note = h("p", { class: "help" });
  const copy = h("button", { class: "btn main", type: "button" }, label("copyCode"));
  copy.addEventListener("click", async () => {
    if (await copyText(code.value, /** @type {HTMLElement} */ (code.parentElement))) confirmOn(copy, "copied");
  });
  const element = h(
    "div",
    { class: "builder", role: "group" },
    h("h3", null, label("embedding")),
    h("div", { class: "builder-form ctls" }, [
      figures.element,
      states.element,
      radios.controls.element,
      checks,
      radios.lang.element,
      radios.theme.element,
      radios.width.element,
    ]),
    h("div", { class: "builder-out" }, radios.kind.element, note, code, copy),
    h("div", { class: "builder-preview" }, h("p", { class: "help", id: "builder-preview" }, label("previewOf")), problem, stage),
  );

  /**
   * @param {EmbedLabel | "language" | "theme"} legend
   * @param {keyof typeof chosen} key
   * @param {[string, Node | string][]} options
   */
  function row(legend, key, options) {
    return segmented({
      legend: bilingual(bilingualText(legend)),
      name: `builder-${key}`,
      options: options.map(([value, text]) => ({
        value,
        label: typeof text === "string" ? document.createTextNode(text) : text,
      })),
      pick: (value) => change({ [key]: value }),
    });
  }

  /** @param {Partial<typeof chosen>} changes */
  function change(changes) {
    Object.assign(chosen, changes);
    // It stands on the ground of the page around it, which does not go by the reader's system.
    if (chosen.background === "transparent" && chosen.theme === "auto") chosen.theme = "light";
    if ("figure" in changes || "from" in changes) query = queryFrom(chosen.from);
    show();
    if (!("kind" in changes || "width" in changes)) loadPreview();
  }

  /** The figure's own state, without what is chosen here. */
  function short(/** @type {import("../state.js").State} */ state) {
    const figure = nameOf(figureOf(chosen.figure));
    const others = [...byName.values()].map(nameOf).filter((name) => name !== figure);
    const own = Object.entries(state).filter(([key]) => key !== "lang" && key !== "theme" && !others.includes(key.split(".")[0]));
    return serialize(store.table, { ...defaults(store.table), ...Object.fromEntries(own) });
  }

  /** @param {string} from */
  function queryFrom(from) {
    if (from === START) return "";
    if (from === NOW) return short(store.state);
    if (from === PREVIEW) return query;
    return short(parse(store.table, promptsOf(figureOf(chosen.figure))[Number(from)].query));
  }

  function show() {
    const words = language();
    element.setAttribute("aria-label", bilingualText("embedding")[words]);
    figures.fill(
      names.map((name) => [name, titleOf(figureOf(name), words)]),
      chosen.figure,
    );
    const own = promptsOf(figureOf(chosen.figure)).map(({ text }, i) => /** @type {[string, string]} */ ([String(i), text]));
    states.fill(
      [
        [START, bilingualText("asInLesson")[words]],
        [NOW, bilingualText("asItStands")[words]],
        ...(chosen.from === PREVIEW ? [/** @type {[string, string]} */ ([PREVIEW, bilingualText("asPreviewed")[words]])] : []),
        ...own,
      ],
      chosen.from,
    );
    onTransparent.hidden = chosen.background !== "transparent";
    for (const [key, { show: mark }] of Object.entries(radios)) mark(chosen[/** @type {keyof typeof radios} */ (key)]);
    fitPreview();
    showCode();
  }

  function fitPreview() {
    const width = Number(chosen.width);
    const scale = Math.max(LEAST_SCALE, Math.min(1, (stage.clientWidth || width) / width));
    Object.assign(frame.style, { width: `${width}px`, height: `${height}px`, transform: scale < 1 ? `scale(${scale})` : "" });
    Object.assign(fitting.style, { width: `${scale * width}px`, height: `${scale * height}px` });
  }

  const grows = () => figureOf(chosen.figure).querySelector(".fig-list") !== null;
  /** With room for the answers: a frame keeps the height that is written. */
  const heightToWrite = () => (grows() ? Math.ceil(GROWTH * height) : height);

  function showCode() {
    const title = titleOf(figureOf(chosen.figure), chosen.lang === "auto" ? language() : chosen.lang === "zh" ? "zh" : "en");
    frame.title = title;
    const own = { query, height: heightToWrite(), name: title, site: new URL(".", location.href).href };
    code.value = codeFor(chosen.kind, { ...chosen, ...own });
    code.setAttribute("aria-label", bilingualText("theCode")[language()]);
    const measured = { height: own.height, width: chosen.width };
    const isFixed = chosen.kind === "frame" || chosen.kind === "plain";
    const said = isFixed ? bilingual(bilingualText(grows() ? "growingNote" : "heightNote", measured)) : "";
    note.replaceChildren(label(NOTES[chosen.kind]), said);
    fitCode();
  }

  /** All of the code is seen. */
  function fitCode() {
    code.style.height = "auto";
    code.style.height = `${code.scrollHeight + code.offsetHeight - code.clientHeight}px`;
  }

  /** The last one asked for is shown, whatever comes first. */
  let asked = 0;

  /**
   * The page of the figure itself. It comes as text, for the lesson's policy lets in no frame with an address.
   */
  async function loadPreview() {
    const mine = ++asked;
    const own = new URLSearchParams({ controls: chosen.controls, title: chosen.title, background: chosen.background });
    const given = `${own}&lang=${chosen.lang === "auto" ? language() : chosen.lang}&theme=${chosen.theme}&${query}`;
    try {
      const answer = await fetch(`embed/${chosen.figure}.html`);
      if (!answer.ok) throw new Error(`embed/${chosen.figure}.html: ${answer.status}`);
      const text = await answer.text();
      if (mine !== asked) return;
      const page = text
        .replaceAll('"../', '"./')
        .replace("<html", `<html data-query="${given.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`);
      frame.srcdoc = page;
      problem.hidden = true;
    } catch (error) {
      problem.hidden = false;
      problem.replaceChildren(bilingual(bilingualText("previewFailed", { reason: /** @type {Error} */ (error).message })));
    }
  }

  /** @param {MessageEvent} event */
  function hear({ source, data }) {
    if (source !== frame.contentWindow || typeof data !== "object" || data === null) return;
    if (data.type === "gelu:resize") {
      height = data.height;
      fitPreview();
      showCode();
    } else if (data.type === "gelu:state") {
      const now = short(data.state);
      if (now === query) return;
      query = now;
      chosen.from = PREVIEW;
      show();
    }
  }

  const languages = new MutationObserver(() => {
    show();
    if (chosen.lang === "auto") loadPreview();
  });

  addEventListener("message", hear);
  languages.observe(document.documentElement, { attributeFilter: ["lang"] });
  const fit = () => {
    fitCode();
    fitPreview();
  };
  addEventListener("resize", fit);
  change({ from: NOW });

  return {
    element,
    fit,
    destroy() {
      removeEventListener("message", hear);
      languages.disconnect();
      removeEventListener("resize", fit);
      element.remove();
    },
  };
}

const nameOf = (/** @type {Element} */ figure) => /** @type {HTMLElement} */ (figure).dataset.figure ?? "";

/**
 * What the text invites to try with a figure, in the language of the page.
 * @param {HTMLElement} figure
 */
function promptsOf(figure) {
  const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(`.try:lang(${language()}) button[data-set]`)]);
  return buttons
    .map((button) => ({ button, query: button.dataset.set ?? "" }))
    .filter(({ button, query }) => targetOf(button, query) === figure)
    .map(({ button, query }) => ({ query, text: button.querySelector("b")?.textContent?.trim() ?? query }));
}

let nextId = 0;

/**
 * @param {EmbedLabel} key
 * @param {(value: string) => void} pick
 */
function select(key, pick) {
  const id = `builder-${nextId++}`;
  const list = h("select", { class: "sel", id, onchange: () => pick(list.value) });
  return {
    element: h("div", { class: "ctl" }, h("label", { class: "k", for: id }, label(key)), list),
    /**
     * @param {[string, string][]} options
     * @param {string} value
     */
    fill(options, value) {
      list.replaceChildren(...options.map(([each, text]) => h("option", { value: each }, text)));
      list.value = value;
    },
  };
}

/**
 * @param {EmbedLabel} key
 * @param {boolean} on
 * @param {(on: boolean) => void} pick
 */
function check(key, on, pick) {
  const box = h("input", { type: "checkbox", checked: on, onchange: () => pick(box.checked) });
  return h("label", { class: "chk" }, box, label(key));
}
