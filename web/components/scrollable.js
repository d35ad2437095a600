/** Boxes that scroll sideways on a narrow screen can be reached by the keyboard; those that fit are no stop on its way. */
import { bilingualText } from "../i18n/labels.js";

const BOXES = ".formula, .scroll, .margin, main pre, .card p, .card .full, .quiz :is(p, .full)";

/** @param {() => "zh" | "en"} language */
export function wireScrollables(language) {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) mark(/** @type {HTMLElement} */ (target));
  });
  const watch = () => {
    for (const box of document.querySelectorAll(BOXES)) observer.observe(box);
  };
  watch();
  // Another card has other texts.
  for (const panel of document.querySelectorAll(".panel"))
    new MutationObserver(watch).observe(panel, { childList: true, subtree: true });

  /** @param {HTMLElement} box */
  function mark(box) {
    if (box.scrollWidth <= box.clientWidth + 1) {
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
