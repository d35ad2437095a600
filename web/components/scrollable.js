/** Boxes that scroll sideways on a narrow screen can be reached by the keyboard; those that fit are no stop on its way. */
import { bilingualText } from "../i18n/labels.js";

const BOXES = ".formula, .scroll, .margin, main pre, .card p, .card .full, .quiz :is(p, .full)";

/** @param {() => "zh" | "en"} language */
export function wireScrollables(language) {
  // With the next frame: in this one the page has been laid out.
  const observer = new ResizeObserver((entries) =>
    requestAnimationFrame(() => {
      const boxes = entries.map(({ target }) => /** @type {HTMLElement} */ (target));
      // All are measured before one is changed: else each would have the page laid out anew.
      const fits = boxes.map((box) => box.scrollWidth <= box.clientWidth + 1);
      boxes.forEach((box, i) => {
        mark(box, fits[i]);
      });
    }),
  );
  /** @param {ParentNode} part of the page */
  const watch = (part) => {
    for (const box of part.querySelectorAll(BOXES)) observer.observe(box);
  };
  watch(document);
  // Another card has other texts.
  for (const panel of document.querySelectorAll(".panel"))
    new MutationObserver(() => watch(panel)).observe(panel, { childList: true, subtree: true });

  /** @param {HTMLElement} box @param {boolean} fits */
  function mark(box, fits) {
    if (fits) {
      box.removeAttribute("tabindex");
      if (box.getAttribute("role") === "group") box.removeAttribute("role");
      box.removeAttribute("aria-label");
      return;
    }
    box.tabIndex = 0;
    if (!box.hasAttribute("role")) box.setAttribute("role", "group");
    box.setAttribute("aria-label", bilingualText("scrollsSideways")[language()]);
  }
}
