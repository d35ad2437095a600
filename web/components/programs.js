/** Programs that stand next to each other become tabs, named as in their heads. */
import { bilingualText } from "../i18n/labels.js";
import { bilingual } from "./dom.js";
import { createTabs } from "./tabs.js";

export function wireProgramTabs() {
  for (const group of document.querySelectorAll(".programs")) {
    const panels = [...group.querySelectorAll(".code")].map((element) => {
      const name = element.querySelector(".code-head b");
      // From now on the tab says it, but for paper.
      name?.classList.add("print-only");
      return { label: document.createTextNode(name?.textContent ?? ""), element: /** @type {HTMLElement} */ (element) };
    });
    if (panels.length > 1) group.prepend(createTabs({ legend: bilingual(bilingualText("program")), panels }));
  }
}
