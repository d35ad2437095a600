/** "Try this" buttons and "show me" links: they set a figure to a state, and bring it into view. */
import { announce } from "./announce.js";

/** @typedef {import("../state.js").Store} Store */

/**
 * @param {Store} store
 * @param {() => void} gestureEnded
 */
export function wirePrompts(store, gestureEnded) {
  for (const element of document.querySelectorAll("[data-set]")) {
    const prompt = /** @type {HTMLElement} */ (element);
    prompt.addEventListener("click", (event) => {
      const query = prompt.dataset.set ?? "";
      store.set({ ...everythingElse(store), ...Object.fromEntries(new URLSearchParams(query)) });
      gestureEnded();
      for (const same of document.querySelectorAll(`button[data-set="${CSS.escape(query)}"]`))
        same.setAttribute("aria-pressed", "true");
      const figure = targetOf(prompt, query);
      if (figure === null) return;
      if (prompt instanceof HTMLAnchorElement) {
        // The address gets the section, the reader the figure in it.
        event.preventDefault();
        history.pushState(null, "", prompt.hash);
      }
      // Who asks to be shown something does not want a question first.
      figure.dispatchEvent(new CustomEvent("gelu:prompt"));
      bringIntoView(figure);
      announce(figure, prompt.querySelector("b")?.textContent ?? prompt.textContent ?? "", true);
    });
  }
}

/**
 * The defaults of all that a prompt does not name: it shows what it says whatever was moved before. Language and
 * appearance are the reader's, and so is x.
 * @param {Store} store
 */
function everythingElse(store) {
  const keys = [...store.table.keys()].filter((key) => !["lang", "theme", "x"].includes(key));
  return Object.fromEntries(keys.map((key) => [key, null]));
}

/**
 * The figure that a prompt is about: of a link, one of its section, the one whose own keys it sets before others; of a
 * button, the last before it.
 * @param {HTMLElement} prompt
 * @param {string} query
 */
function targetOf(prompt, query) {
  const isLink = prompt instanceof HTMLAnchorElement;
  const section = isLink ? document.getElementById(prompt.hash.slice(1)) : prompt.closest("section");
  const figures = /** @type {HTMLElement[]} */ ([...(section?.querySelectorAll("figure[data-figure]") ?? [])]);
  const named = figures.find((figure) => query.includes(`${figure.dataset.figure}.`));
  const before = figures.filter((figure) => figure.compareDocumentPosition(prompt) & Node.DOCUMENT_POSITION_FOLLOWING);
  return (isLink ? (named ?? figures[0]) : (before[before.length - 1] ?? figures[0])) ?? null;
}

/** @param {HTMLElement} figure */
function bringIntoView(figure) {
  const plot = figure.querySelector(".plot") ?? figure;
  const { top, bottom } = plot.getBoundingClientRect();
  const seen = Math.min(bottom, innerHeight) - Math.max(top, 0);
  if (seen < 0.8 * Math.min(bottom - top, innerHeight)) figure.scrollIntoView({ block: "start" });
}

/** Something has moved: no prompt says any longer what the figures show. */
export function releasePrompts() {
  for (const button of document.querySelectorAll('button[data-set][aria-pressed="true"]')) button.removeAttribute("aria-pressed");
}
