/** A question before the answer: the reader draws a curve on the empty plot, or picks one of several, then sees the true one. */
import { bilingualText } from "../i18n/labels.js";
import { announce } from "./announce.js";
import { bilingual, h } from "./dom.js";
import { fixed } from "./numbers.js";

const SAMPLE = { width: 112, height: 56, pad: 6 };

/**
 * @typedef {import("../i18n/labels.js").Label} Label
 * @typedef {{ id: string, label: Label, x: Float64Array, y: Float64Array }} Choice
 * @typedef {{ kind: "choice", id: string } | { kind: "sketch", points: [number, number][] }} Answer points: x and y, from
 *   left to right
 */

/**
 * @param {HTMLElement} root the figure
 * @param {{
 *   question: Label, choices: Choice[], bounds: { x: [number, number], y: [number, number] },
 *   answered: (answer: Answer | null) => { zh: string, en: string } | null,
 * }} options answered: null is "skipped"; what it returns is said under the plot
 */
export function askFirst(root, { question, choices, bounds, answered }) {
  const plot = /** @type {HTMLElement} */ (root.querySelector(".plot"));
  /** @type {[number, number][]} */
  let points = [];
  const trace = h("svg:path", { class: "sketch", fill: "none" });
  const board = h("svg:svg", { class: "predict-board", "aria-hidden": "true" }, boardLines(bounds), trace);
  const prompt = h("p", { class: "predict-question" }, bilingual(bilingualText(question)));
  const cover = h("div", { class: "predict" }, board, prompt);
  const radios = choices.map(({ id }) => h("input", { type: "radio", name: `predict-${root.dataset.figure}`, value: id }));
  const show = h("button", { class: "btn main", type: "button", disabled: true }, bilingual(bilingualText("showTruth")));
  const skip = h("button", { class: "btn", type: "button" }, bilingual(bilingualText("skip")));
  const panel = h(
    "div",
    { class: "predict-panel" },
    h(
      "fieldset",
      { class: "predict-choices" },
      h("legend", null, bilingual(bilingualText("drawOrChoose"))),
      choices.map((choice, i) => h("label", null, radios[i], sample(choice, bounds), named(choice.label))),
    ),
    h("div", { class: "row" }, show, skip),
  );

  function pointAt(/** @type {PointerEvent} */ event) {
    const box = board.getBoundingClientRect();
    const [left, right] = bounds.x;
    const [low, high] = bounds.y;
    const share = (/** @type {number} */ part) => Math.min(1, Math.max(0, part));
    const x = left + share((event.clientX - box.left) / box.width) * (right - left);
    const y = high - share((event.clientY - box.top) / box.height) * (high - low);
    return /** @type {[number, number]} */ ([x, y]);
  }

  function drawSketch() {
    const { width, height } = board.getBoundingClientRect();
    trace.setAttribute("d", pathOf(points, bounds, width, height));
  }

  board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    board.setPointerCapture(event.pointerId);
    points = [pointAt(event)];
    for (const radio of radios) radio.checked = false;
  });
  board.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (!board.hasPointerCapture(event.pointerId)) return;
    points.push(pointAt(event));
    show.disabled = points.length < 3;
    drawSketch();
  });
  for (const radio of radios) {
    radio.addEventListener("change", () => {
      points = [];
      drawSketch();
      show.disabled = false;
    });
  }
  show.addEventListener("click", () => {
    const chosen = radios.find((radio) => radio.checked);
    finish(chosen ? { kind: "choice", id: chosen.value } : { kind: "sketch", points: fromLeftToRight(points) });
  });
  skip.addEventListener("click", () => finish(null));

  /** @param {Answer | null} answer */
  function finish(answer) {
    if (!cover.isConnected) return;
    const hadFocus = panel.contains(document.activeElement);
    cover.remove();
    delete root.dataset.asking;
    const said = answered(answer);
    if (said === null) {
      panel.remove();
    } else {
      panel.replaceChildren(h("p", { class: "predict-result" }, bilingual(said)));
      announce(root, root.ownerDocument.documentElement.lang.startsWith("zh") ? said.zh : said.en, true);
    }
    if (hadFocus) /** @type {HTMLElement} */ (root.querySelector("input.xaxis")).focus({ preventScroll: true });
  }

  root.dataset.asking = "";
  plot.append(cover);
  plot.after(panel);
  return { skip: () => finish(null) };
}

/**
 * The axes of the board, in parts of its size: it is as large as the plot happens to be.
 * @param {{ x: [number, number], y: [number, number] }} bounds
 */
function boardLines({ x: [left, right], y: [low, high] }) {
  const across = (/** @type {number} */ x) => `${((x - left) / (right - left)) * 100}%`;
  const down = (/** @type {number} */ y) => `${((high - y) / (high - low)) * 100}%`;
  const text = (/** @type {number} */ value, /** @type {Record<string, string>} */ place) =>
    h("svg:text", { class: "tick", ...place }, fixed(value, 0));
  const whole = Array.from({ length: Math.floor(right) - Math.ceil(left) - 1 }, (_, i) => Math.ceil(left) + 1 + i);
  return [
    h("svg:line", { class: "asym", x1: "0", x2: "100%", y1: down(1), y2: down(1) }),
    h("svg:line", { class: "zero", x1: "0", x2: "100%", y1: down(0), y2: down(0) }),
    h("svg:line", { class: "zero", x1: across(0), x2: across(0), y1: "0", y2: "100%" }),
    ...[0, 1].map((value) => text(value, { x: "6", y: down(value), dy: "-6" })),
    ...whole.map((value) => text(value, { x: across(value), y: down(0), dy: "18", "text-anchor": "middle" })),
  ];
}

/** Words that a screen reader reads beside the picture of a choice. */
const named = (/** @type {Label} */ label) => h("span", { class: "vh" }, bilingual(bilingualText(label)));

/**
 * @param {readonly (readonly [number, number])[]} points
 * @param {{ x: [number, number], y: [number, number] }} bounds
 * @param {number} width
 * @param {number} height
 */
function pathOf(points, { x: [left, right], y: [low, high] }, width, height) {
  return points
    .map(([x, y], i) => {
      const across = ((x - left) / (right - left)) * width;
      const down = ((high - y) / (high - low)) * height;
      return `${i === 0 ? "M" : "L"}${across.toFixed(1)} ${down.toFixed(1)}`;
    })
    .join("");
}

/**
 * @param {Choice} choice
 * @param {{ x: [number, number], y: [number, number] }} bounds
 */
function sample({ x, y }, bounds) {
  const { width, height, pad } = SAMPLE;
  const points = Array.from(x, (value, i) => /** @type {[number, number]} */ ([value, y[i]]));
  const level = (/** @type {string} */ style, /** @type {number} */ at) => {
    const ends = bounds.x.map((end) => /** @type {[number, number]} */ ([end, at]));
    return h("svg:path", { class: style, d: pathOf(ends, bounds, width, height), fill: "none" });
  };
  return h(
    "svg:svg",
    { viewBox: `0 ${-pad} ${width} ${height + 2 * pad}`, width, height: height + 2 * pad, "aria-hidden": "true" },
    level("zero", 0),
    level("asym", 1),
    h("svg:path", { class: "sketch", d: pathOf(points, bounds, width, height), fill: "none" }),
  );
}

/**
 * Of a hand that went back the later stroke counts.
 * @param {[number, number][]} points
 */
function fromLeftToRight(points) {
  /** @type {[number, number][]} */
  const kept = [];
  for (const point of [...points].reverse()) {
    if (kept.length === 0 || point[0] < kept[kept.length - 1][0]) kept.push(point);
  }
  /** @type {[number, number][]} */
  const forward = [];
  for (const point of points) {
    if (forward.length === 0 || point[0] > forward[forward.length - 1][0]) forward.push(point);
  }
  return kept.length > forward.length ? kept.reverse() : forward;
}
