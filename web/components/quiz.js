/** What `judge` and `cards` share: their texts, from the list that stands in the page, and how they are laid out. */
import "../i18n/quiz.js";
import { bilingualText } from "../i18n/labels.js";
import { bilingual, h } from "./dom.js";

/**
 * @typedef {import("../i18n/labels.js").Label} Label
 * @typedef {{ zh: HTMLElement, en: HTMLElement }} Item one entry of the list, in both languages
 */

const TAGS = /** @type {const} */ ({ zh: "zh-CN", en: "en" });
const LANGUAGES = /** @type {const} */ (["zh", "en"]);

/**
 * @param {HTMLElement} root the figure
 * @param {string} selector
 * @returns {Item[]}
 */
export function readList(root, selector) {
  const [zh, en] = LANGUAGES.map((language) => [
    .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(`.fig-list > [lang="${TAGS[language]}"] ${selector}`)),
  ]);
  return zh.map((element, i) => ({ zh: element, en: en[i] }));
}

/** The group that an entry stands in. */
export const groupOf = (/** @type {Item} */ { zh }) =>
  /** @type {HTMLElement | null} */ (zh.closest("[data-group]"))?.dataset.group ?? "";

/**
 * Copies of a part of an entry, one a language.
 * @param {Item} item
 * @param {string} selector
 * @returns {{ zh: HTMLElement, en: HTMLElement } | null} null: the entry has no such part
 */
export function copies(item, selector) {
  if (item.zh.querySelector(selector) === null) return null;
  const [zh, en] = LANGUAGES.map((language) => {
    const copy = /** @type {HTMLElement} */ (/** @type {Element} */ (item[language].querySelector(selector)).cloneNode(true));
    copy.lang = TAGS[language];
    return copy;
  });
  return { zh, en };
}

/** What a part says, for a status line or a file. */
export const textOf = (/** @type {Item} */ item, /** @type {string} */ selector, /** @type {"zh" | "en"} */ language) =>
  copies(item, selector)?.[language].textContent?.trim() ?? "";

/**
 * Copies with other words at their head, in their languages.
 * @param {{ zh: HTMLElement, en: HTMLElement }} both
 * @param {{ zh: string, en: string }} words
 */
export function headed(both, words) {
  return LANGUAGES.map((language) => {
    both[language].querySelector(":scope > b:first-child")?.remove();
    both[language].prepend(h("b", null, words[language]));
    return both[language];
  });
}

/**
 * The question itself; it takes the focus when it is a new one, so that a screen reader reads it.
 * @param {Item} item
 * @param {string} selector
 */
export function heading(item, selector) {
  const texts = /** @type {Item} */ (copies(item, selector));
  const spans = LANGUAGES.map((language) => h("span", { lang: TAGS[language] }, ...texts[language].childNodes));
  return h("h3", { class: "q", tabindex: "-1" }, spans);
}

/** The links to the figure that shows it, if there are any. */
export const showLinks = (/** @type {Item} */ item) => Object.values(copies(item, ".show") ?? {});

/**
 * @param {Label} label
 * @param {() => void} act
 * @param {{ main?: boolean, values?: Record<string, string | number>, name?: string }} [options]
 */
export function button(label, act, { main = false, values, name = label } = {}) {
  const words = bilingual(bilingualText(label, values));
  return h("button", { class: main ? "btn main" : "btn", type: "button", "data-act": name, onclick: act }, words);
}

/**
 * Counts beside the question, the first one large.
 * @param {[name: string, label: Label][]} rows
 */
export function createCounts(rows) {
  const outputs = rows.map(([name]) => h("output", { "data-readout": name, "aria-live": "off" }));
  const element = h(
    "table",
    { class: "read" },
    h(
      "tbody",
      null,
      rows.map(([, label], i) =>
        h(
          "tr",
          { class: i === 0 ? "lead" : null },
          h("th", { scope: "row" }, bilingual(bilingualText(label))),
          h("td", null, outputs[i]),
        ),
      ),
    ),
  );
  return {
    element,
    /** @param {number[]} counts */
    show(counts) {
      outputs.forEach((output, i) => {
        output.textContent = output.dataset.value = String(counts[i]);
      });
    },
  };
}

/**
 * @param {Node} top
 * @param {Node} body
 * @param {Node[]} side
 * @param {(key: string) => boolean} press what a digit does; whether it did anything
 */
export function createLayout(top, body, side, press) {
  return h(
    "div",
    {
      class: "quiz",
      tabindex: "-1",
      onkeydown(/** @type {KeyboardEvent} */ event) {
        const { key, target, ctrlKey, metaKey, altKey } = event;
        const isText = target instanceof HTMLInputElement && target.type === "text";
        if (isText || ctrlKey || metaKey || altKey || !/^[1-9]$/.test(key)) return;
        if (press(key)) event.preventDefault();
      },
    },
    h("div", { class: "quiz-main" }, top, body),
    h("div", { class: "fig-side" }, side),
  );
}
