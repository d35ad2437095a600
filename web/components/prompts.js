/** "Try this" buttons and "show me" links: they set a figure to a state, and bring it into view. */
import { bilingualText } from "../i18n/labels.js";
import { announce } from "./announce.js";
import { bilingual, h } from "./dom.js";
import { leaveFullScreen } from "./fullscreen.js";
import { stayAt } from "./place.js";

/** @typedef {import("../state.js").Store} Store */

/** What no figure shows. */
const OF_THE_READER = ["lang", "theme", "presenter", "route", "step"];

/**
 * @param {Store} store
 * @param {() => void} gestureEnded
 * @param {(figure: Element) => void} ensure mounts a figure that still waits for its turn
 */
export function wirePrompts(store, gestureEnded, ensure) {
  // On the document, for a card that shows brings links of its own.
  document.addEventListener("click", (event) => {
    const prompt = /** @type {HTMLElement | null} */ (event.target instanceof Element && event.target.closest("[data-set]"));
    if (!prompt) return;
    const query = prompt.dataset.set ?? "";
    const figure = targetOf(prompt, query);
    store.set({ ...everythingElse(store, figure), ...Object.fromEntries(new URLSearchParams(query)) });
    gestureEnded();
    const same = [...document.querySelectorAll(`button[data-set="${CSS.escape(query)}"]`)];
    for (const button of same) button.setAttribute("aria-pressed", "true");
    if (figure === null) return;
    const panel = prompt.closest(".panel");
    if (prompt instanceof HTMLButtonElement) keepTask(figure, prompt, same);
    else if (panel) keepTask(figure, prompt, [...panel.querySelectorAll(`a[data-set="${CSS.escape(query)}"]`)]);
    if (prompt instanceof HTMLAnchorElement) {
      // Who follows a link has left the task of another figure.
      for (const old of document.querySelectorAll(".fig-task")) if (!figure.contains(old)) old.remove();
      // The address gets the section, the reader the figure in it.
      event.preventDefault();
      try {
        history.pushState(null, "", prompt.hash);
      } catch {
        // A frame without an address of its own.
      }
    }
    ensure(figure);
    // Who asks to be shown something does not want a question first.
    figure.dispatchEvent(new CustomEvent("gelu:prompt"));
    bringIntoView(figure);
    announce(figure, prompt.querySelector("b")?.textContent ?? prompt.textContent ?? "", true);
  });
}

/**
 * The defaults of what a prompt does not name and its figure shows: it shows what it says whatever was moved before.
 * Language and appearance are the reader's, and so are x and what other figures have of their own.
 * @param {Store} store
 * @param {HTMLElement | null} figure
 */
export function everythingElse(store, figure) {
  const names = [...document.querySelectorAll("figure[data-figure]")].map(
    (each) => /** @type {HTMLElement} */ (each).dataset.figure,
  );
  const others = names.filter((name) => name !== figure?.dataset.figure);
  const keys = [...store.table.keys()].filter(
    (key) => ![...OF_THE_READER, "x"].includes(key) && !others.includes(key.split(".")[0]),
  );
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/**
 * The figure that a prompt is about: of a link, one of its section, the one whose own keys it sets before others; of a
 * button, the last before it.
 * @param {HTMLElement} prompt
 * @param {string} query
 */
export function targetOf(prompt, query) {
  const isLink = prompt instanceof HTMLAnchorElement;
  const section = isLink ? document.getElementById(prompt.hash.slice(1)) : prompt.closest("section");
  if (section instanceof HTMLElement && section.matches("figure")) return section;
  const figures = /** @type {HTMLElement[]} */ ([...(section?.querySelectorAll("figure[data-figure]") ?? [])]);
  const named = figures.find((figure) => query.includes(`${figure.dataset.figure}.`));
  const before = figures.filter((figure) => figure.compareDocumentPosition(prompt) & Node.DOCUMENT_POSITION_FOLLOWING);
  return (isLink ? (named ?? figures[0]) : (before[before.length - 1] ?? figures[0])) ?? null;
}

/**
 * What to notice, in the figure itself: the text that says it may be a screen away.
 * @param {HTMLElement} figure
 * @param {HTMLElement} prompt
 * @param {Element[]} buttons or links of the same prompt, one a language
 */
function keepTask(figure, prompt, buttons) {
  const own = buttons.filter((button) => button.closest("section") === prompt.closest("section"));
  const sentences = own.map((button) => {
    const words = [...button.childNodes].flatMap((node) => [node.cloneNode(true), " "]);
    return h("span", { lang: button.closest("[lang]")?.getAttribute("lang") }, words);
  });
  const back = h("button", { class: "tool", type: "button", onclick: goBack }, bilingual(bilingualText("backToText")));
  for (const old of document.querySelectorAll(".fig-task")) old.remove();
  figure.querySelector(".fig-head")?.after(h("p", { class: "fig-task" }, sentences, back));

  async function goBack() {
    await leaveFullScreen();
    stayAt(prompt, "center");
    prompt.focus({ preventScroll: true });
  }
}

/** And holds it there, whatever comes above it meanwhile. @param {HTMLElement} figure */
function bringIntoView(figure) {
  // On a screen of its own it is in view.
  if ("presenter" in document.documentElement.dataset) return;
  const plot = figure.querySelector(".plot") ?? figure;
  const { top, bottom } = plot.getBoundingClientRect();
  const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
  const isHeadSeen = figure.getBoundingClientRect().top >= 0;
  if (!isHeadSeen || seen < 0.8 * Math.min(bottom - top, innerHeight)) stayAt(figure, "start");
}

/**
 * Something has moved: no prompt says any longer what the figures show. While the reader moves x, or a figure's own
 * cursor, the sentence stays, for it may say just that.
 * @param {string[]} changed keys of the state
 */
export function releasePrompts(changed) {
  const moved = changed.filter((key) => !OF_THE_READER.includes(key));
  if (moved.length === 0) return;
  for (const button of document.querySelectorAll('button[data-set][aria-pressed="true"]')) button.removeAttribute("aria-pressed");
  if (moved.every((key) => key === "x" || key.endsWith(".epoch"))) return;
  for (const task of document.querySelectorAll(".fig-task")) task.remove();
}
