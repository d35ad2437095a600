/** What figure `ffn` has around its plot: controls, the network or its matrices, the sum written out, what it costs. */
import { createControl, segmented } from "../../components/controls.js";
import { bilingual, h } from "../../components/dom.js";
import { saveRows } from "../../components/export.js";
import { createSelect } from "../../components/select.js";
import { createWhole } from "../../components/whole.js";
import { both } from "../../i18n/ffn.js";
import { namesOf } from "../../i18n/functions.js";
import { bilingualText } from "../../i18n/labels.js";
import { loadPart } from "../../parts.js";
import { createAccount } from "./account.js";
import { createNetwork } from "./network.js";
import { keyOf, modelOf, netOf, runOf } from "./run.js";
import { BACKWARD, chosenCell, FORWARD, matrixOf, sumOf, unitOf } from "./sums.js";
import { grouped } from "./writing.js";
import { createWritten, unitText } from "./written.js";

/**
 * @typedef {import("./run.js").Net} Net
 * @typedef {import("./run.js").Run} Run
 * @typedef {import("./sums.js").Cell} Cell
 * @typedef {{
 *   tables: ReturnType<typeof import("./matrices.js").createTables>,
 *   maps: ReturnType<typeof import("./matrices.js").createHeatMaps>, large: ReturnType<typeof import("./large.js").createLarge>,
 * }} Pressed
 */

/** Below this nobody needs to be told that something is being computed. */
const PATIENCE = 300;

/**
 * @param {import("../../components/figure.js").Dependencies} deps
 * @param {import("../../components/figure.js").Host} host
 * @returns {import("../../components/figure.js").Model}
 */
export function createLaboratory(deps, host) {
  const { store, gestureEnded } = deps;
  const controls = createChoices(deps);
  const sizes = createSizes(deps, () => net());
  const hands = { choose, point };
  const network = createNetwork(hands);
  /** The matrices in full, and what computes a large network: no more than a press away. @type {Pressed | null} */
  let pressed = null;
  const written = createWritten();
  const account = createAccount(deps, {
    worker: async () => (await press()).large.worker(),
    release: () => pressed?.large.release(),
    say: host.say,
    fail: host.fail,
  });
  const waiting = h("p", { class: "help", hidden: true });
  const csv = h("button", { class: "tool", type: "button", "data-tool": "ffn.csv", onclick: saveMatrices });
  const stage = h("div", { class: "stage" }, network.element);
  const inspector = h("div", { class: "inspect" }, h("div", { class: "ctls" }, sizes.pick), written.element);
  const notes = h(
    "p",
    { class: "help" },
    ["invented", "rounded"].map((key) => h("span", null, bilingual(both(/** @type {"invented" | "rounded"} */ (key))), " ")),
  );
  const part = h(
    "div",
    { class: "ffn" },
    h("div", { class: "ctls ffn-row" }, sizes.shape),
    waiting,
    stage,
    h("ul", { class: "tools" }, h("li", null, csv)),
    inspector,
    notes,
    account.element,
  );

  /** @type {{ key: string, run: Run } | null} */
  let data = null;
  /** @type {Cell | null} under the pointer, or one that is no unit's */
  let pointed = null;
  let shown = "";
  let timer = 0;
  let isEnded = false;

  const net = () => netOf(deps.gelu, store.state);
  const isTables = (/** @type {Net} */ now) => !now.isLarge && store.state["ffn.view"] === "matrices";
  const runNow = () => runOf(/** @type {any} */ ({ gelu: deps.gelu, state: store.state, data }));

  // ---------- what is looked at ----------

  /** @param {Cell} cell */
  function choose(cell) {
    const unit = unitOf(net(), cell);
    pointed = unit === null ? cell : null;
    if (unit !== null) store.set({ "ffn.unit": unit, "ffn.token": cell.row + 1 });
    inspect();
  }

  /** @param {Cell | null} cell */
  function point(cell) {
    if (JSON.stringify(cell) === JSON.stringify(pointed)) return;
    pointed = cell;
    inspect();
  }

  function inspect() {
    const run = runNow();
    inspector.hidden = run === null;
    if (run === null) return;
    const cell = pointed ?? chosenCell(run.net);
    // The drawn network shows one token.
    written.show(run, cell);
    viewOf(run.net).mark(cell, sumOf(run, cell)?.sources ?? []);
  }

  /** Until it is here, the network as it was. @param {Net} now */
  function viewOf(now) {
    if (pressed === null || !(now.isLarge || isTables(now))) return network;
    return now.isLarge ? pressed.maps : pressed.tables;
  }

  // ---------- what comes with a press ----------

  /** @returns {Promise<Pressed>} */
  async function press() {
    const { createTables, createHeatMaps, createLarge } = await loadPart("pressed");
    if (pressed === null) {
      pressed = {
        tables: createTables(hands),
        maps: createHeatMaps(hands, deps.theme),
        large: createLarge(deps, { arrived, fail: host.fail }),
      };
      for (const { element } of [pressed.tables, pressed.maps]) {
        // Until it is shown: somebody may only have wanted to measure.
        element.hidden = true;
        stage.append(element);
      }
    }
    return pressed;
  }

  let isComing = false;

  function summon() {
    if (isComing) return;
    isComing = true;
    press()
      .then(() => !isEnded && host.redraw(), host.fail)
      .finally(() => {
        isComing = false;
      });
  }

  // ---------- large networks ----------

  /** @param {string} key @param {Run} run */
  function arrived(key, run) {
    data = { key, run };
    host.redraw();
  }

  /** @param {Net} now */
  function order(now) {
    if (pressed === null && (now.isLarge || isTables(now))) summon();
    if (!now.isLarge) {
      pressed?.large.forget();
      return wait(pressed === null && isTables(now) ? bilingualText("loading") : null);
    }
    const isHere = data?.key === keyOf(now) && (!now.isBackward || data.run.dw1 !== null);
    if (isHere) pressed?.large.forget();
    else pressed?.large.want(now);
    wait(isHere ? null : computing(now));
  }

  /** @param {Net} now */
  function computing({ d, hidden, tokens }) {
    const text = (/** @type {"zh" | "en"} */ language) =>
      both("computing", { weights: grouped(2 * d * hidden, language), tokens })[language];
    return { zh: text("zh"), en: text("en") };
  }

  /** @param {{ zh: string, en: string } | null} words of what is waited for */
  function wait(words) {
    if (words === null) {
      clearTimeout(timer);
      timer = 0;
      waiting.hidden = true;
      return;
    }
    waiting.replaceChildren(bilingual(words));
    if (timer === 0 && waiting.hidden)
      timer = window.setTimeout(() => {
        timer = 0;
        waiting.hidden = false;
        host.say(words[deps.language()]);
      }, PATIENCE);
  }

  // ---------- showing ----------

  function show() {
    const now = net();
    order(now);
    controls.update(now);
    sizes.update(now);
    account.show(now);
    part.dataset.fn = now.activation;
    const run = runNow();
    const view = viewOf(now);
    // Tables hold every token.
    const token = view === pressed?.tables ? 0 : now.token;
    const next = JSON.stringify([
      keyOf(now),
      token,
      now.isBackward,
      now.isLarge,
      view === pressed?.tables,
      run?.dw1 === null,
      run === null,
    ]);
    for (const each of [network, pressed?.tables, pressed?.maps]) if (each) each.element.hidden = view !== each;
    csv.disabled = run === null;
    if (next !== shown) {
      shown = next;
      pointed = null;
      csv.replaceChildren(bilingual(both(now.isLarge ? "csvVectors" : "csv")));
      stage.classList.toggle("stale", run === null);
      if (run !== null) {
        if (view === pressed?.maps) pressed.maps.show(run, namesOf(now.activation));
        else if (view === pressed?.tables) pressed.tables.show(run);
        else network.show(run);
      }
      inspect();
      return;
    }
    if (chosen !== `${now.unit} ${now.token}`) inspect();
    chosen = `${now.unit} ${now.token}`;
  }
  let chosen = "";

  /** Every matrix of both passes, a number a row; of a large network those that are not weights. */
  function saveMatrices() {
    const run = runNow();
    if (run === null) return;
    /** @type {(string | number)[][]} */
    const rows = [["matrix", "row", "column", "value"]];
    for (const name of new Set([...FORWARD, ...BACKWARD])) {
      if (run.net.isLarge && name.includes("w")) continue;
      const matrix = matrixOf(run, name);
      for (let row = 0; row < (matrix?.rows ?? 0); row++) {
        for (let column = 0; column < (matrix?.columns ?? 0); column++) {
          rows.push([name, row + 1, column + 1, matrix?.at(row, column) ?? Number.NaN]);
        }
      }
    }
    saveRows(`gelu-ffn-${run.net.preset}-${run.net.activation}`, rows);
    gestureEnded();
  }

  return {
    get data() {
      return data;
    },
    update() {},
    controls: controls.elements,
    parts: [part],
    show,
    setTheme() {
      shown = "";
      show();
    },
    reset() {
      pointed = null;
    },
    destroy() {
      clearTimeout(timer);
      isEnded = true;
      pressed?.maps.destroy();
      pressed?.large.end();
    },
  };
}

/**
 * Size, activation with its parameters, direction: beside the plot.
 * @param {import("../../components/figure.js").Dependencies} deps
 */
function createChoices(deps) {
  const { store, gelu, language } = deps;
  const presets = /** @type {const} */ ([
    ["tiny", "presetTiny"],
    ["bert", "presetBert"],
    ["gpt2", "presetGpt2"],
    ["vit", "presetVit"],
  ]);
  const preset = createSelect(
    {
      key: "ffn.preset",
      label: both("preset"),
      options: presets.map(([value, word]) => ({ value, text: both(word) })),
      // A model comes with the activation that it was published with, and what is looked at begins anew.
      more: (value) => ({
        "ffn.activation": modelOf(value)?.activation ?? store.state["ffn.activation"],
        "ffn.unit": 1,
        "ffn.token": 1,
      }),
    },
    deps,
  );
  const activation = createSelect(
    {
      key: "ffn.activation",
      label: both("activation"),
      options: gelu.catalogue.map(({ id }) => ({ value: id, text: namesOf(id) })),
    },
    deps,
  );
  const pass = createChoice(deps, "pass", ["forward", "backward"]);
  const box = h("div", { class: "ctls ctls-parameters" });
  /** @type {import("../../components/controls.js").Control[]} */
  let sliders = [];
  let slidersFor = "";

  return {
    elements: [preset.element, activation.element, box, pass.element],

    /** @param {Net} net */
    update(net) {
      preset.update(language());
      const own = both("presetTinyOwn", { d: Math.floor(store.state["ffn.d"]), hidden: Math.floor(store.state["ffn.hidden"]) });
      const tiny = preset.element.querySelector("option");
      if (tiny !== null) tiny.textContent = own[language()];
      activation.update(language());
      pass.show(store.state["ffn.pass"]);
      if (slidersFor !== net.activation) {
        slidersFor = net.activation;
        sliders = Object.keys(net.params).map((name) =>
          createControl({ kind: "slider", key: `${net.activation}.${name}` }, store),
        );
        box.replaceChildren(...sliders.map(({ element }) => element));
      }
      for (const slider of sliders) slider.update();
    },
  };
}

/**
 * @param {import("../../components/figure.js").Dependencies} deps
 * @param {"pass" | "view"} name
 * @param {("forward" | "backward" | "network" | "matrices")[]} values
 */
function createChoice({ store, gestureEnded }, name, values) {
  const { element, show } = segmented({
    legend: bilingual(both(name)),
    name: `ffn.${name}`,
    options: values.map((value) => ({ value, label: bilingual(both(value)) })),
    pick(value) {
      store.set({ [`ffn.${name}`]: value });
      gestureEnded();
    },
  });
  element.dataset.control = `ffn.${name}`;
  return { element, show };
}

/**
 * Sizes and seed above the network; which of its numbers is looked at below it.
 * @param {import("../../components/figure.js").Dependencies} deps
 * @param {() => Net} net
 */
function createSizes(deps, net) {
  const view = createChoice(deps, "view", ["network", "matrices"]);
  const d = createWhole({ key: "ffn.d", label: both("width") }, deps);
  const hidden = createWhole({ key: "ffn.hidden", label: both("hiddenWidth") }, deps);
  const tokens = createWhole({ key: "ffn.tokens", label: both("tokens") }, deps);
  const seed = createWhole({ key: "ffn.seed", label: both("seed") }, deps);
  const token = createWhole({ key: "ffn.token", label: both("token"), most: () => net().tokens }, deps);
  const unit = createWhole({ key: "ffn.unit", label: both("unit"), most: () => net().hidden + net().d }, deps);
  return {
    shape: [view, d, hidden, tokens, seed].map(({ element }) => element),
    pick: [token, unit].map(({ element }) => element),

    /** @param {Net} now */
    update(now) {
      view.show(deps.store.state["ffn.view"]);
      for (const each of [view, d, hidden]) each.element.hidden = now.isLarge;
      for (const each of [d, hidden, tokens, seed, token]) each.update();
      unit.update(unitText(now, now.unit + 1));
    },
  };
}
