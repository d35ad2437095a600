/** Figure `cards`: interview questions in three levels; a number is checked, everything else the reader rates. */
import { announce } from "../components/announce.js";
import { segmented } from "../components/controls.js";
import { bilingual, h, quoted } from "../components/dom.js";
import { saveRows } from "../components/export.js";
import { parseNumber } from "../components/numbers.js";
import { mountPanel } from "../components/panel.js";
import { printList } from "../components/printing.js";
import { keep, takeUp } from "../components/progress.js";
import { button, copies, createCounts, createLayout, groupOf, heading, readList, showLinks, textOf } from "../components/quiz.js";
import { bilingualText } from "../i18n/labels.js";
import { withMark } from "./judge.js";

const LEVELS = /** @type {const} */ ({ basic: "levelBasic", derive: "levelDerive", design: "levelDesign" });
/** What a reader says of an answer; a mark is a place in this list. */
const RATINGS = /** @type {const} */ (["repeat", "almost", "known"]);
const KNOWN = "2";

/** @typedef {import("../i18n/labels.js").Label} Label */

/**
 * What a reader may have meant: a comma can stand before decimals or between thousands; powers of ten and percentages.
 * @param {string} text
 * @returns {number[]}
 */
export function readings(text) {
  const plain = text
    .replace(/[⁺⁻⁰¹²³⁴-⁹]+/g, "^$&")
    .normalize("NFKC")
    .replace(/[\s'’]/g, "")
    .replace(/[−–‐]/g, "-")
    .replace("⁄", "/")
    .replace(/^[=≈~]/, "")
    .replace(/^([+-]?)(?:(.+)[×*·∙⋅x])?10\^([+-]?\d+)$/i, (_, sign, factor = "1", power) => `${sign}${factor}e${power}`);
  if (plain.endsWith("%")) return readings(plain.slice(0, -1)).map((number) => number / 100);
  const [top, bottom, ...more] = plain.split("/").map(parseNumber);
  if (bottom !== undefined) return top === null || bottom === null || more.length > 0 ? [] : [top / bottom];
  const grouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/.test(plain) ? parseNumber(plain.replaceAll(",", "")) : null;
  return [grouped, top].filter((number) => number !== null);
}

/**
 * @param {string} text
 * @param {{ value: number, tolerance: string }} answer tolerance: absolute, or a percentage of the value
 * @returns {"answerEmpty" | "answerNotNumber" | "answerRight" | "answerSign" | "answerLow" | "answerHigh"}
 */
export function checkAnswer(text, { value, tolerance }) {
  if (text.trim() === "") return "answerEmpty";
  const numbers = readings(text);
  if (numbers.length === 0 || !numbers.every(Number.isFinite)) return "answerNotNumber";
  const exactly = tolerance.endsWith("%") ? (Number.parseFloat(tolerance) / 100) * Math.abs(value) : Number(tolerance);
  // The bound itself is inside, whichever way these products round.
  const most = exactly * (1 + 1e-12) + Number.EPSILON * Math.abs(value);
  if (numbers.some((number) => Math.abs(number - value) <= most)) return "answerRight";
  if (numbers.some((number) => Math.abs(number + value) <= most)) return "answerSign";
  return numbers[0] < value ? "answerLow" : "answerHigh";
}

/** As many digits as a reader can use; whole numbers in full. */
function shownValue(/** @type {number} */ value) {
  const digits = String(Math.abs(Number.isInteger(value) ? value : Number(value.toPrecision(6))));
  return (value < 0 ? "−" : "") + (Number.isInteger(value) ? digits.replace(/\B(?=(\d{3})+$)/g, ",") : digits);
}

/**
 * @param {HTMLElement} root
 * @param {import("../components/figure.js").Dependencies} deps
 * @returns {import("../components/panel.js").PanelContent}
 */
function build(root, deps) {
  const { store, language, gestureEnded } = deps;
  const cards = readList(root, ".card");
  const levels = cards.map(groupOf);
  takeUp(store, "cards");
  /** By card: what was typed, and what was said of it, lasts as long as the visit. */
  const forms = cards.map(createForm);
  const count = h("span");
  const kind = h("span");
  const body = h("div", { class: "quiz-body" });
  const counts = createCounts([
    ["cards.known", "known"],
    ["cards.almost", "almost"],
    ["cards.repeat", "repeat"],
    ["cards.unrated", "unrated"],
  ]);
  const rating = segmented({
    legend: bilingual(bilingualText("howWell")),
    name: "cards.rating",
    fill: false,
    options: RATINGS.map((label, i) => ({ value: String(i), label: bilingual(bilingualText(label)) })),
    pick: rate,
  });
  const level = choice("cards.level", "level", [["all", "all"], ...Object.entries(LEVELS)], (value) => {
    const first = levels.findIndex((each) => value === "all" || each === value);
    return { "cards.level": value, "cards.at": first + 1, "cards.shown": "question" };
  });
  const due = choice(
    "cards.due",
    "questions",
    [
      ["all", "all"],
      ["due", "dueOnly"],
    ],
    (value) => ({ "cards.due": value }),
  );
  const progress = createProgress(cards.length, (ratings) => change({ "cards.ratings": ratings }, ""));
  const side = [counts.element, h("div", { class: "ctls" }, level.element, due.element, progress.element)];
  const layout = createLayout(h("div", { class: "quiz-top" }, count, kind), body, side, (key) => {
    if (now().shown === "question" || !"123".includes(key)) return false;
    rate(String(Number(key) - 1));
    return true;
  });
  /** @type {HTMLDetailsElement | null} */
  let full = null;
  let wanted = "";
  let drawn = "";

  function now() {
    const { state } = store;
    const pool = cards.map((_, i) => i).filter((i) => state["cards.level"] === "all" || levels[i] === state["cards.level"]);
    const asked = Math.floor(state["cards.at"]) - 1;
    const index = pool.includes(asked) ? asked : pool[0];
    const marks = [...state["cards.ratings"].padEnd(cards.length, "-")].slice(0, cards.length);
    const due = pool.filter((i) => state["cards.due"] === "all" || marks[i] !== KNOWN);
    return { pool, index, marks, due, shown: state["cards.shown"] };
  }

  /**
   * @param {Record<string, unknown>} changes
   * @param {string} focus
   */
  function change(changes, focus) {
    wanted = focus;
    store.set(changes);
    keep(store, "cards");
    gestureEnded();
  }

  /**
   * @param {string} key
   * @param {Label} label
   * @param {[string, Label][]} options
   * @param {(value: string) => Record<string, unknown>} changes
   */
  function choice(key, label, options, changes) {
    const { element, show } = segmented({
      legend: bilingual(bilingualText(label)),
      name: key,
      options: options.map(([value, text]) => ({ value, label: bilingual(bilingualText(text)) })),
      pick: (value) => change(changes(value), ""),
    });
    element.dataset.control = key;
    return { element, show };
  }

  function rate(/** @type {string} */ mark) {
    change({ "cards.ratings": withMark(store.state["cards.ratings"], now().index, mark) }, "");
  }

  /** @param {1 | -1} step the next card that is due, round the end */
  function go(step) {
    const { due, index } = now();
    const further = due.filter((i) => (i - index) * step > 0);
    const next = step > 0 ? (further[0] ?? due[0]) : (further.at(-1) ?? due.at(-1));
    if (next !== undefined) change({ "cards.at": next + 1, "cards.shown": "question" }, ".q");
  }

  /** @param {import("../components/quiz.js").Item} card */
  function createForm({ zh, en }) {
    const { answer: value, tolerance = "", asked } = zh.dataset;
    if (value === undefined) return null;
    const said = h("span", { class: "answer-said", id: "cards-said" });
    const field = h("input", {
      class: "num",
      type: "text",
      name: "cards.answer",
      id: "cards-answer",
      autocomplete: "off",
      spellcheck: "false",
      "aria-describedby": "cards-said",
      oninput: unsay,
    });

    function unsay() {
      said.replaceChildren();
      field.setAttribute("aria-invalid", "false");
    }

    /** @param {SubmitEvent} event */
    function check(event) {
      event.preventDefault();
      const verdict = checkAnswer(field.value, { value: Number(value), tolerance });
      const isRight = verdict === "answerRight";
      const words = bilingualText(verdict, { word: quoted(field.value.trim(), 20), value: shownValue(Number(value)) });
      // A number that has not been found is not given away.
      const readout = { "data-readout": "cards.answer", "data-value": value, "aria-live": "off" };
      said.replaceChildren(isRight ? h("output", readout, bilingual(words)) : bilingual(words));
      field.setAttribute("aria-invalid", String(!isRight));
      announce(root, words[language()], true);
    }

    return h(
      "form",
      { class: "answer-row", onsubmit: check, onreset: unsay },
      h(
        "label",
        { for: "cards-answer" },
        bilingual(asked === undefined ? bilingualText("yourAnswer") : { zh: asked, en: en.dataset.asked ?? "" }),
      ),
      field,
      h("button", { class: "btn", type: "submit", "data-act": "check" }, bilingual(bilingualText("checkAnswer"))),
      said,
    );
  }

  /** @param {boolean} main */
  const steps = (main) => [button("previous", () => go(-1)), button("next", () => go(1), { main })];

  /** @param {ReturnType<typeof now>} state */
  function questionElements({ index, shown }) {
    const item = cards[index];
    const form = forms[index];
    full = null;
    if (shown === "question") {
      const help = h("span", { class: "help" }, bilingual(bilingualText(form ? "tryFirst" : "sayFirst")));
      const open = button("showShort", () => change({ "cards.shown": "short" }, ".short-box"), { main: true });
      return [
        heading(item, "summary"),
        form,
        h("div", { class: "quiz-foot" }, help, h("span", { class: "row" }, steps(false), open)),
      ];
    }
    const own = h(
      "details",
      // The event comes late: by then it may be about a card that is gone.
      { ontoggle: () => own.isConnected && change({ "cards.shown": own.open ? "full" : "short" }, "") },
      h("summary", null, bilingual(bilingualText("fullText"))),
      Object.values(copies(item, ".full") ?? {}),
    );
    full = own;
    return [
      heading(item, "summary"),
      form,
      h("div", { class: "short-box", tabindex: "-1" }, Object.values(copies(item, ".short") ?? {})),
      own,
      h("p", null, showLinks(item)),
      h("div", { class: "quiz-foot" }, rating.element, h("span", { class: "row" }, steps(true))),
    ];
  }

  return {
    elements: [layout],
    update() {
      const { pool, index, marks, due: left, shown } = now();
      const label = bilingualText(LEVELS[/** @type {keyof typeof LEVELS} */ (levels[index])]);
      const place = { at: pool.indexOf(index) + 1, all: pool.length };
      const words = (/** @type {"zh" | "en"} */ tag) => bilingualText("cardOf", { level: label[tag], ...place })[tag];
      count.replaceChildren(bilingual({ zh: words("zh"), en: words("en") }));
      const { tolerance } = cards[index].zh.dataset;
      const within = tolerance?.endsWith("%") ? tolerance.replace("%", "\u202f%") : `±${tolerance}`;
      kind.replaceChildren(tolerance === undefined ? "" : bilingual(bilingualText("toleranceIs", { tolerance: within })));
      const number = (/** @type {string} */ mark) => pool.filter((i) => marks[i] === mark).length;
      counts.show([number(KNOWN), number("1"), number("0"), number("-")]);
      level.show(store.state["cards.level"]);
      due.show(store.state["cards.due"]);
      progress.show(marks.join(""));
      const what = `${index} ${shown === "question"}`;
      if (what !== drawn) {
        drawn = what;
        body.replaceChildren(...questionElements(now()).filter((each) => each !== null));
      }
      rating.show(marks[index]);
      if (full !== null) full.open = shown === "full";
      for (const step of body.querySelectorAll('[data-act="next"], [data-act="previous"]'))
        step.disabled = left.every((i) => i === index);
      if (wanted) body.querySelector(wanted)?.focus({ preventScroll: true });
      wanted = "";
    },
    sentence() {
      const { index, shown, due: left } = now();
      if (left.length === 0) return bilingualText("cardsDone")[language()];
      return shown === "question" ? (count.textContent ?? "") : textOf(cards[index], ".short", language());
    },
    saveCsv() {
      const { marks } = now();
      const rows = cards.map((item, i) => [
        i + 1,
        levels[i],
        ...["summary", ".short"].map((part) => textOf(item, part, language())),
        RATINGS[Number(marks[i])] ?? "",
      ]);
      saveRows("gelu-cards", [["number", "level", "question", "answer", "rating"], ...rows]);
    },
    tools: [
      { label: "printQuestions", extra: true, gap: true, act: () => printList(root, "questions") },
      { label: "printAnswers", extra: true, act: () => printList(root, "answers") },
    ],
    reset() {
      for (const form of forms) form?.reset();
      queueMicrotask(() => keep(store, "cards"));
    },
  };
}

/**
 * The ratings as a line to copy and to paste back.
 * @param {number} all
 * @param {(ratings: string) => void} use
 */
function createProgress(all, use) {
  const message = h(
    "p",
    { class: "help", id: "cards-progress-help", "aria-live": "polite" },
    bilingual(bilingualText("progressHelp")),
  );
  const lineOf = (/** @type {string} */ marks) => `gelu-cards ${all} ${marks.replace(/-+$/, "") || "-"}`;
  const field = h("input", {
    class: "num",
    type: "text",
    id: "cards-progress",
    name: "cards.progress",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": message.id,
    onfocus: () => field.select(),
    onchange() {
      const [, number, marks] = field.value.trim().match(/^gelu-cards\s+(\d+)\s+([012-]+)$/i) ?? [];
      const ok = Number(number) === all && marks.length <= all;
      field.setAttribute("aria-invalid", String(!ok));
      const fault = { word: quoted(field.value.trim(), 30), all, example: lineOf("2-10") };
      message.replaceChildren(bilingual(ok ? bilingualText("progressHelp") : bilingualText("progressWrong", fault)));
      if (ok) use(marks);
    },
  });
  return {
    element: h(
      "div",
      { class: "ctl ctl-progress" },
      h("label", { class: "k", for: "cards-progress" }, bilingual(bilingualText("progress"))),
      field,
      message,
    ),
    /** @param {string} marks */
    show(marks) {
      if (document.activeElement !== field || field.getAttribute("aria-invalid") !== "true") field.value = lineOf(marks);
    },
  };
}

/** @type {import("../components/panel.js").ListDefinition} */
export const cards = {
  name: "cards",
  takes: "cards",
  parameters: [
    { name: "level", kind: "choice", value: "all", choices: ["all", ...Object.keys(LEVELS)] },
    { name: "due", kind: "choice", value: "all", choices: ["all", "due"] },
    { name: "at", kind: "number", value: 1, min: 1, max: 99 },
    { name: "shown", kind: "choice", value: "question", choices: ["question", "short", "full"] },
    { name: "ratings", kind: "marks", value: "", choices: "012-", most: 99 },
  ],
  mount: (root, deps) => mountPanel(cards, root, deps, build),
};
