/** "Check your own", a part of the figure `table`: where values are pasted. What answers comes with the first of them. */
import { segmented } from "../components/controls.js";
import { bilingual, h } from "../components/dom.js";
import { createMessage, PATIENCE } from "../components/message.js";
import { namesOf } from "../i18n/functions.js";
import { bilingualText } from "../i18n/labels.js";
import { loadPart } from "../parts.js";

/**
 * @typedef {import("./comparison.js").FormatName} FormatName
 * @typedef {import("../i18n/labels.js").Label} Label
 * @typedef {ReturnType<typeof import("./checked.js").createAnswers>} Answers
 */

/** What can be asked for. */
export const CHECKED = {
  functions: ["gelu", "gelu_tanh", "gelu_sigmoid"],
  orders: ["0", "1"],
  formats: /** @type {FormatName[]} */ (["float64", "float32", "float16"]),
};

/**
 * A row of radios bound to a key of the state.
 * @param {string} key
 * @param {Label} label
 * @param {{ value: string, text: { zh: string, en: string } }[]} options
 * @param {import("../components/figure.js").Dependencies} deps
 */
function radios(key, label, options, { store, gestureEnded }) {
  const { element, show } = segmented({
    legend: bilingual(bilingualText(label)),
    name: key,
    options: options.map(({ value, text }) => ({ value, label: bilingual(text) })),
    pick(value) {
      store.set({ [key]: value });
      gestureEnded();
    },
  });
  element.dataset.control = key;
  return { element, update: () => show(store.state[key]) };
}

/** @param {import("../components/figure.js").Dependencies} deps */
function createQuestions(deps) {
  const plain = (/** @type {string} */ text) => ({ zh: text, en: text });
  return [
    radios(
      "table.fn",
      "claimedFunction",
      CHECKED.functions.map((value) => ({ value, text: value === "gelu" ? bilingualText("geluExact") : namesOf(value) })),
      deps,
    ),
    radios(
      "table.order",
      "order",
      [
        { value: "0", text: bilingualText("value") },
        { value: "1", text: bilingualText("firstDerivative") },
      ],
      deps,
    ),
    radios(
      "table.format",
      "claimedFormat",
      CHECKED.formats.map((value) => ({ value, text: plain(value) })),
      deps,
    ),
  ];
}

// ---------- all of it ----------

/**
 * @param {HTMLElement} root
 * @param {import("../components/figure.js").Dependencies} deps
 */
export function createCheck(root, deps) {
  const button = (/** @type {Label} */ label, /** @type {() => void} */ act) =>
    h("button", { class: "btn", type: "button", "data-tool": label, onclick: act }, bilingual(bilingualText(label)));

  const title = h("h3", { class: "part", id: "check-title" }, bilingual(bilingualText("checkYourOwn")));
  const help = h("p", { class: "help", id: "check-help" }, bilingual(bilingualText("checkHelp")));
  const field = h("textarea", {
    class: "well",
    id: "check-text",
    name: "check-text",
    rows: 8,
    wrap: "off",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-describedby": help.id,
    oninput: () => ask((answers) => answers.textChanged()),
  });
  const file = h("input", { class: "vh", type: "file", name: "check-file", accept: ".csv,.tsv,.txt,text/*", onchange: readFile });
  const message = createMessage();
  const questions = createQuestions(deps);
  const results = h("div", { class: "results", hidden: true });
  /** @type {Answers | null} */
  let answers = null;
  let latest = 0;

  /**
   * At once where its script is here; else, once it is, only the last that was asked for counts.
   * @param {(answers: Answers) => void} act
   */
  function ask(act) {
    const own = ++latest;
    if (answers !== null) return act(answers);
    message.clear();
    const slow = setTimeout(() => own === latest && message.tell(bilingualText("loading")), PATIENCE);
    const loaded = loadPart("pressed").finally(() => {
      clearTimeout(slow);
      message.clear();
    });
    loaded.then(
      ({ createAnswers }) => {
        answers ??= createAnswers(root, deps, { field, message: message.element, results, titleId: title.id });
        if (own === latest) act(answers);
      },
      (error) => {
        if (own === latest) message.failed(error);
      },
    );
  }

  function readFile() {
    const [chosen] = file.files ?? [];
    file.value = "";
    if (chosen) ask((now) => now.read(chosen));
  }

  /** What has never been answered needs no script to go away; what is still awaited is not wanted any more. */
  function clear() {
    latest += 1;
    field.value = "";
    message.clear();
    answers?.textChanged();
  }

  return {
    elements: [
      title,
      h(
        "div",
        { class: "check" },
        h(
          "div",
          { class: "check-text" },
          h("label", { class: "k", for: field.id }, bilingual(bilingualText("yourValues"))),
          field,
          help,
          message.element,
        ),
        h(
          "div",
          { class: "ctls" },
          questions.map(({ element }) => element),
          h(
            "div",
            { class: "row" },
            button("pasteExample", () => ask((now) => now.example())),
            h("label", { class: "btn file" }, file, bilingual(bilingualText("chooseFile"))),
            button("clear", clear),
          ),
        ),
      ),
      results,
    ],

    update() {
      for (const { update } of questions) update();
      answers?.show();
    },
    isUsed: () => !results.hidden,
    sentence: () => answers?.sentence() ?? "",
    clear,
  };
}
