/** A line below a control that says what has become of a press: heard as it comes, gone with the next press. */
import { bilingualText } from "../i18n/labels.js";
import { bilingual, h } from "./dom.js";

/** So long something may load without a word, in milliseconds. */
export const PATIENCE = 300;

export function createMessage() {
  const element = h("p", { class: "help", role: "alert", hidden: true });

  /** @param {{ zh: string, en: string }} words */
  function tell(words) {
    element.hidden = false;
    element.replaceChildren(bilingual(words));
  }

  return {
    element,
    tell,

    /** It can be pressed again. @param {unknown} error */
    failed(error) {
      tell(bilingualText("failedFor", { reason: error instanceof Error ? error.message : String(error) }));
    },

    clear() {
      element.hidden = true;
    },
  };
}
