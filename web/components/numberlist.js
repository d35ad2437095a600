/** A field for a list of numbers: what can be read counts at once, what cannot is named beside it. */
import { bilingualText } from "../i18n/labels.js";
import { bilingual, h, quoted } from "./dom.js";
import { isDecimal } from "./numbers.js";

/** Words named in a message. */
const NAMED = 5;
const WORD_LENGTH = 20;

/**
 * @param {string} text numbers with a decimal point; spaces, commas, semicolons or lines between them
 * @param {{ min: number, max: number, most: number }} bounds
 * @returns {{ values: number[], wrong: string[], outside: string[], extra: number }}
 *   wrong: words that are no numbers; outside: numbers beyond the bounds; extra: how many too many
 */
export function readNumbers(text, { min, max, most }) {
  // Chinese input methods type full-width digits and points.
  const plain = text.normalize("NFKC");
  // Between semicolons a comma is a decimal one, unless there is a point.
  const words = (/;/.test(plain) && !/\d\.\d/.test(plain) ? plain.replace(/(\d),(?=\d)/g, "$1.") : plain)
    .split(/[\s,;、]+/)
    .filter((word) => word !== "");
  const wrong = words.filter((word) => !isDecimal(word));
  const numbers = words.filter(isDecimal).map((word) => ({ word, value: Number(word.replaceAll("−", "-")) }));
  const inside = numbers.filter(({ value }) => value >= min && value <= max).map(({ value }) => value + 0);
  const outside = numbers.filter(({ value }) => !(value >= min && value <= max)).map(({ word }) => word);
  return { values: inside.slice(0, most), wrong, outside, extra: Math.max(0, inside.length - most) };
}

/** @param {string[]} words */
function named(words) {
  const list = [...words.slice(0, NAMED).map((word) => quoted(word, WORD_LENGTH)), ...(words.length > NAMED ? ["…"] : [])];
  return { zh: list.join("、"), en: list.join(", ") };
}

/**
 * @param {{ key: string, label: import("../i18n/labels.js").Label }} spec
 * @param {import("./figure.js").Dependencies} deps
 */
export function createNumberList({ key, label }, { store, gestureEnded }) {
  const bounds = /** @type {import("../state.js").NumbersParameter} */ (store.table.get(key));
  const id = `list-${key.replace(".", "-")}`;
  const field = h("textarea", {
    class: "well",
    id,
    name: key,
    rows: 1,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
  });
  const message = h("p", { class: "help", id: `${id}-message`, role: "alert", hidden: true });

  function commit() {
    const read = readNumbers(field.value, bounds);
    complain(messagesFor(read));
    if (read.values.length > 0) store.set({ [key]: read.values });
  }

  /** @param {ReturnType<typeof readNumbers>} read */
  function messagesFor({ values, wrong, outside, extra }) {
    const { min, max, most } = bounds;
    const say = (/** @type {import("../i18n/labels.js").Label} */ text, /** @type {string[]} */ words) => {
      const { zh, en } = named(words);
      return { zh: bilingualText(text, { words: zh, most }).zh, en: bilingualText(text, { words: en, most }).en };
    };
    return [
      wrong.length > 0 && say("notNumbers", wrong),
      outside.length > 0 && say("numbersOutside", outside),
      extra > 0 && bilingualText("numbersTooMany", { most, extra }),
      values.length === 0 && bilingualText("numbersNone", { min, max }),
    ].filter((text) => text !== false);
  }

  /** @param {{ zh: string, en: string }[]} texts */
  function complain(texts) {
    message.hidden = texts.length === 0;
    field.setAttribute("aria-invalid", String(texts.length > 0));
    if (texts.length > 0) field.setAttribute("aria-describedby", message.id);
    else field.removeAttribute("aria-describedby");
    message.replaceChildren(bilingual({ zh: texts.map(({ zh }) => zh).join(""), en: texts.map(({ en }) => en).join(" ") }));
  }

  field.addEventListener("input", commit);
  field.addEventListener("change", gestureEnded);

  return {
    element: h(
      "div",
      { class: "ctl ctl-list", "data-control": key },
      h("label", { class: "k", for: id }, bilingual(bilingualText(label))),
      field,
      message,
    ),

    /** What the state holds; a field that is being typed in is left alone. */
    update() {
      if (document.activeElement === field) return;
      field.value = store.state[key].map((/** @type {number} */ x) => String(x).replaceAll("-", "−")).join("  ");
      complain([]);
    },
  };
}
