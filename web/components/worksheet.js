/** The buttons of the worksheet, which print it alone, without and with its answers. */
import { bilingualText } from "../i18n/labels.js";
import "../i18n/presenter.js";
import { bilingual, h } from "./dom.js";
import { isLink } from "./pagetools.js";
import { printList } from "./printing.js";

export function wireWorksheet() {
  const blocks = [...document.querySelectorAll(".block:has(> .worksheet)")];
  const keys = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(".worksheet > .key")]);

  /** @param {boolean} withAnswers */
  function print(withAnswers) {
    for (const key of keys) key.open = withAnswers;
    printList(blocks[0], "worksheet");
    for (const key of keys) key.open = false;
  }

  const button = (/** @type {"printWorksheet" | "printWithKey"} */ key) =>
    h("button", { class: "btn", type: "button", onclick: () => print(key === "printWithKey") }, bilingual(bilingualText(key)));
  blocks[0]?.before(h("div", { class: "row full sheet-keys" }, button("printWorksheet"), button("printWithKey")));
  if (!isLink()) return;
  const address = location.href.split(/[?#]/)[0];
  for (const list of document.querySelectorAll(".worksheet > ol")) {
    list.before(h("p", { class: "print-only" }, bilingual(bilingualText("lessonAddress", { address }))));
  }
}
