/** What the one-file handout has beside the page: starting points, a copy with the present state, and what is printed. */
import { segmented } from "./components/controls.js";
import { bilingual, h } from "./components/dom.js";
import { download } from "./components/export.js";
import "./i18n/handout.js";
import { placeNow } from "./components/place.js";
import { bilingualText } from "./i18n/labels.js";
import { withState } from "./saved.js";
import { serialize } from "./state.js";

const TAGS = /** @type {const} */ (["zh-CN", "en"]);

/** @param {import("./state.js").Store} store */
export function wireHandout(store) {
  const menu = h(
    "details",
    { class: "file-menu" },
    h("summary", null, bilingual(bilingualText("thisFile"))),
    h("div", { class: "menu" }, copyPart(store), printPart(), startsPart()),
  );
  document.querySelector(".bar .switches")?.before(menu);
}

/** @param {import("./state.js").Store} store */
function copyPart(store) {
  const save = () => {
    // unfold.js has kept it before anything in the page was changed.
    const { geluSource } = /** @type {any} */ (globalThis);
    const { place, section } = placeNow();
    const copy = withState(geluSource, serialize(store.table, store.state), place);
    // Swedes write a date as files like it: year, month, day, hour, minute.
    const now = new Date().toLocaleString("sv").replace(/\D+/g, "-").slice(0, 16);
    download(`gelu-handout-${section}-${now}.html`, new Blob([copy], { type: "text/html;charset=utf-8" }));
  };
  return h(
    "div",
    null,
    h("button", { class: "btn", type: "button", "data-act": "saveCopy", onclick: save }, bilingual(bilingualText("saveCopy"))),
    h("p", { class: "help" }, bilingual(bilingualText("saveCopyHelp"))),
  );
}

function printPart() {
  const answers = segmented({
    legend: bilingual(bilingualText("printedAnswers")),
    name: "printed-answers",
    options: /** @type {const} */ (["printed", "blank"]).map((value) => ({ value, label: bilingual(bilingualText(value)) })),
    fill: false,
    pick(value) {
      answers.show(value);
      document.documentElement.toggleAttribute("data-blank", value === "blank");
    },
  });
  answers.show("printed");
  const start = () => print();
  return h(
    "div",
    null,
    h("p", { class: "help", "aria-hidden": "true" }, bilingual(bilingualText("printedAnswers"))),
    answers.element,
    h("button", { class: "btn", type: "button", "data-act": "printFile", onclick: start }, bilingual(bilingualText("printFile"))),
  );
}

/** What the text offers to try: an address cannot be passed on with a file. */
const startsPart = () =>
  h("div", null, h("p", { class: "help" }, bilingual(bilingualText("startingPoints"))), TAGS.map(startingPoints));

/**
 * What the text offers to try, by section.
 * @param {string} tag of a language
 */
function startingPoints(tag) {
  const sections = [...document.querySelectorAll("main > section[id]")];
  const groups = sections.flatMap((section) => {
    const prompts = [
      .../** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll(`.block[lang="${tag}"] .try > [data-set]`)),
    ];
    if (prompts.length === 0) return [];
    const name = document.querySelector(`.toc a[href="#${section.id}"] [lang="${tag}"]`)?.textContent ?? section.id;
    return [h("h3", null, name), h("ul", null, prompts.map(startingPoint))];
  });
  return h("div", { lang: tag, class: "starts" }, groups);
}

/** @param {HTMLElement} prompt */
function startingPoint(prompt) {
  const go = () => {
    prompt.closest("details")?.removeAttribute("open");
    document.querySelector(".file-menu")?.removeAttribute("open");
    prompt.scrollIntoView({ block: "end" });
    prompt.focus({ preventScroll: true });
    prompt.click();
  };
  const words = /** @type {Element} */ (prompt.querySelector("b")).cloneNode(true).childNodes;
  return h("li", null, h("button", { type: "button", class: "tool", onclick: go }, [...words]));
}
