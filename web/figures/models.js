/** Figure `models`: which model uses which activation, in which form; to filter, to sort, to take away. */
import "../i18n/panel.js";
import { functionWord, segmented } from "../components/controls.js";
import { bilingual, h } from "../components/dom.js";
import { saveRows } from "../components/export.js";
import { createGrid } from "../components/grid.js";
import { mountPanel } from "../components/panel.js";
import { createSelect } from "../components/select.js";
import { models as all } from "../content/models.js";
import { namesOf } from "../i18n/functions.js";
import { bilingualText } from "../i18n/labels.js";

/**
 * @typedef {import("../content/models.js").Model} Model
 * @typedef {import("../state.js").State} State
 */

const KINDS = /** @type {const} */ ({
  encoder: "kindEncoder",
  decoder: "kindDecoder",
  "encoder-decoder": "kindBoth",
  vision: "kindVision",
  "vision-language": "kindVisionLanguage",
  other: "kindOther",
});
const kinds = Object.keys(KINDS).filter((kind) => all.some((model) => model.kind === kind));
/** The forms in which they occur, the exact one first. */
const forms = ["gelu", "gelu_tanh", "gelu_sigmoid", "relu", "silu"].filter((id) =>
  all.some(({ activation }) => activation === id),
);

const kindText = (/** @type {string} */ kind) => bilingualText(KINDS[/** @type {keyof typeof KINDS} */ (kind)]);

/** @type {import("../components/grid.js").Column[]} */
const COLUMNS = [
  { name: "name", head: bilingualText("model"), words: true, sorts: true },
  { name: "activation", head: bilingualText("activation"), words: true },
  { name: "year", head: bilingualText("year"), sorts: true },
  { name: "kind", head: bilingualText("kind"), words: true },
  { name: "note", head: bilingualText("note"), words: true, wide: true },
  { name: "source", head: bilingualText("source"), words: true },
];

/**
 * @param {Model} model
 * @returns {import("../components/grid.js").Cell[]}
 */
function cellsOf({ name, year, kind, activation, gated, note, source }) {
  const tag = gated ? bilingualText("gatedTag") : activation === "gelu" ? bilingualText("exactForm") : undefined;
  return [
    { text: name },
    { text: namesOf(activation), fn: activation, tag },
    { text: String(year) },
    { text: kindText(kind) },
    { text: note },
    { text: source.text, href: source.url },
  ];
}

/** @param {State} state */
function sortingOf(state) {
  const [by, direction] = state["models.sort"].split("-");
  return { by, falling: direction === "down" };
}

/**
 * The rows that a state shows, in its order. Sorting is stable, so one year keeps the order of the list.
 * @param {State} state
 * @returns {Model[]}
 */
export function shownModels(state) {
  const fits = (/** @type {string} */ key, /** @type {string} */ value) => state[key] === "all" || state[key] === value;
  const { by, falling } = sortingOf(state);
  const compare = (/** @type {Model} */ a, /** @type {Model} */ b) =>
    by === "year" ? a.year - b.year : a.name.localeCompare(b.name, "en");
  return all
    .filter(({ kind }) => fits("models.kind", kind))
    .filter(({ activation }) => fits("models.activation", activation))
    .filter(({ gated }) => fits("models.gate", gated ? "gated" : "plain"))
    .sort((a, b) => (falling ? compare(b, a) : compare(a, b)));
}

/**
 * @param {Model[]} shown
 * @param {"zh" | "en"} language
 */
function csvOf(shown, language) {
  const head = ["model", "year", "kind", "activation", "gated", "note", "source", "url"];
  const rows = shown.map(({ name, year, kind, activation, gated, note, source }) => [
    name,
    year,
    kind,
    activation,
    gated ? "yes" : "no",
    note[language],
    source.text,
    source.url,
  ]);
  return [head, ...rows];
}

/** How many rows there are, and of each form how many: that GELU is three functions can be counted. */
function createTally() {
  const count = h("output", { "data-readout": "models.shown", "aria-live": "off" });
  const outputs = forms.map((id) => h("output", { "data-readout": `models.${id}`, "aria-live": "off" }));
  const element = h(
    "ul",
    { class: "tally" },
    h("li", null, count),
    forms.map((id, i) => h("li", null, functionWord(id), " ", outputs[i])),
  );

  /** @param {Model[]} shown */
  function show(shown) {
    count.replaceChildren(bilingual(bilingualText("rowsOf", { shown: shown.length, all: all.length })));
    count.dataset.value = String(shown.length);
    forms.forEach((id, i) => {
      const of = String(shown.filter(({ activation }) => activation === id).length);
      outputs[i].textContent = of;
      outputs[i].dataset.value = of;
    });
  }

  return { element, show };
}

/** @param {import("../components/figure.js").Dependencies} deps */
function createFilters(deps) {
  const { store, gestureEnded, language } = deps;
  const every = { value: "all", text: bilingualText("all") };
  const kind = createSelect(
    { key: "models.kind", label: "kind", options: [every, ...kinds.map((value) => ({ value, text: kindText(value) }))] },
    deps,
  );
  const activation = createSelect(
    {
      key: "models.activation",
      label: "activation",
      options: [
        every,
        ...forms.map((value) => ({ value, text: value === "gelu" ? bilingualText("geluExact") : namesOf(value) })),
      ],
    },
    deps,
  );
  const gate = segmented({
    legend: bilingual(bilingualText("gate")),
    name: "models.gate",
    options: /** @type {const} */ (["all", "gated", "plain"]).map((value) => ({ value, label: bilingual(bilingualText(value)) })),
    pick(value) {
      store.set({ "models.gate": value });
      gestureEnded();
    },
  });
  gate.element.dataset.control = "models.gate";
  return {
    element: h("div", { class: "filters" }, activation.element, kind.element, gate.element),
    update() {
      kind.update(language());
      activation.update(language());
      gate.show(store.state["models.gate"]);
    },
  };
}

/**
 * @param {HTMLElement} root
 * @param {import("../components/figure.js").Dependencies} deps
 * @returns {import("../components/panel.js").PanelContent}
 */
function build(root, deps) {
  const { store, language, gestureEnded } = deps;
  const title = /** @type {HTMLElement} */ (root.querySelector(".fig-title"));
  title.id = "models-title";
  const filters = createFilters(deps);
  const tally = createTally();
  const grid = createGrid(COLUMNS, { labelledBy: title.id, empty: bilingualText("noModels"), sort });

  /** @param {string} name a second press turns the order round */
  function sort(name) {
    const { by, falling } = sortingOf(store.state);
    store.set({ "models.sort": by === name && !falling ? `${name}-down` : name });
    gestureEnded();
  }

  return {
    elements: [filters.element, tally.element, grid.element],
    update() {
      const shown = shownModels(store.state);
      filters.update();
      tally.show(shown);
      grid.show(shown.map(cellsOf), sortingOf(store.state));
    },
    sentence: () => bilingualText("rowsOf", { shown: shownModels(store.state).length, all: all.length })[language()],
    saveCsv: () => saveRows("gelu-models", csvOf(shownModels(store.state), language())),
  };
}

/** @type {import("../components/panel.js").PanelDefinition} */
export const models = {
  name: "models",
  parameters: [
    { name: "kind", kind: "choice", value: "all", choices: ["all", ...kinds] },
    { name: "activation", kind: "choice", value: "all", choices: ["all", ...forms] },
    { name: "gate", kind: "choice", value: "all", choices: ["all", "gated", "plain"] },
    { name: "sort", kind: "choice", value: "year", choices: ["year", "year-down", "name", "name-down"] },
  ],
  preview: () => ({ columns: COLUMNS, rows: all.map(cellsOf) }),
  mount: (root, deps) => mountPanel(models, root, deps, build),
};
