/** Figure `judge`: statements to judge before the answer shows, in an order that a seed decides once for each reader. */
import { bilingual, h } from "../components/dom.js";
import { evidenceOf } from "../components/evidence.js";
import { saveRows } from "../components/export.js";
import { mountPanel } from "../components/panel.js";
import { keep, takeUp } from "../components/progress.js";
import {
  button,
  copies,
  createCounts,
  createLayout,
  groupOf,
  headed,
  heading,
  readList,
  showLinks,
  textOf,
} from "../components/quiz.js";
import { bilingualText } from "../i18n/labels.js";

const SEEDS = 9999;
const NARROWEST = 280;

/**
 * An order of n things that the seed decides (Fisher and Yates).
 * @param {import("../kernels.js").Gelu} gelu
 * @param {number} seed
 * @param {number} n
 */
export function shuffled(gelu, seed, n) {
  const source = gelu.random(seed);
  const draws = source.uniform(n);
  source.free();
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(draws[i] * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Marks with one of them changed. */
export function withMark(/** @type {string} */ marks, /** @type {number} */ i, /** @type {string} */ mark) {
  const all = [...marks.padEnd(i + 1, "-")];
  all[i] = mark;
  return all.join("");
}

/**
 * Dots in the order of the statements: filled is right, a cross is wrong, the ring is here.
 * @param {string[]} results
 * @param {number} here
 */
const dots = (results, here) =>
  results.map((result, i) => h("i", { class: [result, i === here && "now"].filter(Boolean).join(" ") || null }));

/**
 * @param {HTMLElement} root
 * @param {import("../components/figure.js").Dependencies} deps
 * @returns {import("../components/panel.js").PanelContent}
 */
function build(root, deps) {
  const { gelu, store, language, gestureEnded } = deps;
  const statements = readList(root, ".statement");
  const truths = statements.map((item) => groupOf(item) === "true");
  const all = statements.length;
  takeUp(store, "judge");
  let ownSeed = store.state["judge.seed"] ?? 1 + Math.floor(SEEDS * Math.random());
  const count = h("span");
  const ticks = h("span", { class: "ticks", role: "img" });
  const body = h("div", { class: "quiz-body" });
  const evidence = h("div");
  const counts = createCounts([
    ["judge.right", "judgedRight"],
    ["judge.wrong", "judgedWrong"],
    ["judge.open", "notJudged"],
  ]);
  const layout = createLayout(h("div", { class: "quiz-top" }, count, ticks), body, [counts.element], (key) => {
    const { vote, at } = now();
    if (at >= all || vote !== "" || !"12".includes(key)) return false;
    judge(key === "1");
    return true;
  });
  /** What is to have the focus after the next change. */
  let wanted = "";
  let shown = "";
  let width = 0;

  function now() {
    const { state } = store;
    const seed = Math.floor(state["judge.seed"] ?? ownSeed);
    const order = shuffled(gelu, seed, all);
    const at = Math.min(all, Math.floor(state["judge.at"]) - 1);
    const marks = [...state["judge.votes"].padEnd(all, "-")];
    const results = order.map((i) => (marks[i] === "-" ? "" : (marks[i] === "t") === truths[i] ? "ok" : "no"));
    const index = order[at];
    const vote = marks[index] === "-" ? "" : (marks[index] ?? "");
    const number = (/** @type {string} */ result) => results.filter((each) => each === result).length;
    return { seed, order, at, results, index, vote, right: number("ok"), wrong: number("no"), open: number("") };
  }

  /**
   * @param {Record<string, unknown>} changes
   * @param {string} focus
   */
  function change(changes, focus) {
    wanted = focus;
    store.set({ "judge.seed": now().seed, ...changes });
    keep(store, "judge");
    gestureEnded();
  }

  const go = (/** @type {number} */ at) => change({ "judge.at": at + 1 }, ".q");

  /** @param {boolean} isTrue */
  function judge(isTrue) {
    change({ "judge.votes": withMark(store.state["judge.votes"], now().index, isTrue ? "t" : "f") }, '[data-act="next"]');
  }

  /** @param {"t" | "f"} mark @param {string} vote */
  function voteButton(mark, vote) {
    const words = bilingual(bilingualText(mark === "t" ? "saidTrue" : "saidFalse"));
    const isMine = vote === mark;
    const note = vote === "" ? (mark === "t" ? "1" : "2") : isMine ? bilingual(bilingualText("yourVote")) : "";
    return h(
      "button",
      {
        class: isMine ? "vote mine" : "vote",
        type: "button",
        "data-vote": mark,
        disabled: vote !== "",
        "aria-keyshortcuts": vote === "" ? note : null,
        onclick: () => judge(mark === "t"),
      },
      h("span", null, words),
      note !== "" && h("kbd", { "aria-hidden": vote === "" ? "true" : null }, note),
    );
  }

  /** @param {ReturnType<typeof now>} state */
  function verdict({ index, vote, results, at }) {
    const truth = truths[index] ? "True" : "False";
    return vote === "" ? null : bilingualText(`verdict${results[at] === "ok" ? "Right" : "Wrong"}${truth}`);
  }

  /** @param {ReturnType<typeof now>} state */
  function questionElements(state) {
    const { index, at, vote } = state;
    const item = statements[index];
    const words = verdict(state);
    const explained = copies(item, ".is");
    evidence.replaceChildren();
    return [
      heading(item, ".said"),
      h("div", { class: "votes" }, voteButton("t", vote), voteButton("f", vote)),
      words && explained && h("div", { class: "verdict" }, headed(explained, words)),
      words && evidence,
      h(
        "div",
        { class: "quiz-foot" },
        words ? h("span", null, showLinks(item)) : h("span", { class: "help" }, bilingual(bilingualText("voteFirst"))),
        h(
          "span",
          { class: "row" },
          at > 0 && button("previous", () => go(at - 1)),
          words
            ? button(at === all - 1 ? "result" : "next", () => go(at + 1), { main: true, name: "next" })
            : button("skip", () => go(at + 1)),
        ),
      ),
    ];
  }

  /** @param {ReturnType<typeof now>} state */
  function resultElements({ order, results, right, wrong, open }) {
    const judged = right + wrong;
    const sentence = bilingualText(judged === 0 ? "noResult" : "judgeResult", { judged, right });
    const constant = truths.filter((truth) => !truth).length;
    const missed = order.flatMap((index, place) => (results[place] === "no" ? [{ index, place }] : []));
    return [
      h(
        "h3",
        { class: "q", tabindex: "-1" },
        h("output", { "data-readout": "judge.result", "data-value": String(right), "aria-live": "off" }, bilingual(sentence)),
      ),
      judged > 0 && h("p", { class: "help" }, bilingual(bilingualText("alwaysFalse", { right: constant }))),
      judged > 0 && h("p", { class: "part" }, bilingual(bilingualText(missed.length > 0 ? "misjudged" : "noneMisjudged"))),
      h(
        "ol",
        { class: "missed" },
        missed.map(({ index, place }) =>
          h(
            "li",
            null,
            Object.values(copies(statements[index], ".said") ?? {}),
            h("button", { class: "tool", type: "button", onclick: () => go(place) }, bilingual(bilingualText("lookAgain"))),
          ),
        ),
      ),
      h(
        "div",
        { class: "quiz-foot" },
        h("span"),
        h(
          "span",
          { class: "row" },
          open > 0 && judged > 0 && button("judgeSkipped", () => go(results.indexOf("")), { values: { open } }),
          button("oncemore", () => change({ "judge.votes": "", "judge.at": 1 }, ".q"), { main: true }),
        ),
      ),
    ];
  }

  /** @param {ReturnType<typeof now>} state */
  function showEvidence({ index, vote, at }) {
    if (at === all || vote === "") return;
    const link = statements[index][language()].querySelector(".show");
    width = body.clientWidth;
    const picture = evidenceOf(/** @type {HTMLAnchorElement} */ (link), Math.max(NARROWEST, width), deps);
    evidence.replaceChildren(...(picture === null ? [] : [picture]));
  }

  // The width is known once the panel stands in the page, and changes with it.
  new ResizeObserver(() => body.clientWidth !== width && showEvidence(now())).observe(body);

  return {
    elements: [layout],
    update() {
      const state = now();
      const { seed, at, vote, results, right, wrong, open } = state;
      const isResult = at === all;
      count.replaceChildren(bilingual(isResult ? { zh: "", en: "" } : bilingualText("judgeOf", { at: at + 1, all })));
      ticks.replaceChildren(...dots(results, at));
      ticks.setAttribute("aria-label", bilingualText("judgeTicks", { all, right, wrong, open })[language()]);
      counts.show([right, wrong, open]);
      const what = [seed, at, vote, isResult && results].join();
      if (what !== shown) {
        shown = what;
        body.replaceChildren(...[isResult ? resultElements(state) : questionElements(state)].flat().filter(isNode));
      }
      showEvidence(state);
      if (wanted) body.querySelector(wanted)?.focus({ preventScroll: true });
      wanted = "";
    },
    sentence() {
      const state = now();
      if (state.at === all) return body.querySelector(`.q [lang|="${language()}"]`)?.textContent ?? "";
      if (state.vote === "") return bilingualText("judgeOf", { at: state.at + 1, all })[language()];
      return body.querySelector(`.verdict [lang|="${language()}"]`)?.textContent ?? "";
    },
    saveCsv() {
      const { order, results } = now();
      const rows = order.map((i, place) => [
        place + 1,
        textOf(statements[i], ".said", language()),
        results[place] && String(truths[i]),
        { ok: "right", no: "wrong", "": "" }[results[place]] ?? "",
      ]);
      saveRows("gelu-judge", [["place", "statement", "truth", "judged"], ...rows]);
    },
    reset() {
      // The order is the reader's, whatever else begins anew.
      const { seed } = now();
      ownSeed = seed;
      queueMicrotask(() => keep(store, "judge", { "judge.seed": seed }));
    },
  };
}

/** @returns {node is Node} */
const isNode = (/** @type {unknown} */ node) => node instanceof Node;

/** @type {import("../components/panel.js").ListDefinition} */
export const judge = {
  name: "judge",
  takes: "statements",
  parameters: [
    { name: "seed", kind: "number", value: null, min: 1, max: SEEDS },
    { name: "at", kind: "number", value: 1, min: 1, max: 99 },
    { name: "votes", kind: "marks", value: "", choices: "tf-", most: 99 },
  ],
  mount: (root, deps) => mountPanel(judge, root, deps, build),
};
