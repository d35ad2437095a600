/** Every figure as data, without a browser: 10,000 seeded states through parse, clamp and apply, each drawn and read out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { computeFigures } from "../../web/build/compute.mjs";
import { PAGE_X } from "../../web/components/axis.js";
import { createContext, cursorOf } from "../../web/components/figure.js";
import { figures as allFigures } from "../../web/figures/index.js";
import { evenly } from "../../web/figures/sampling.js";
import { frameOf, paintAbove, paintBelow } from "../../web/scene.js";
import { createTable, parse, Store, serialize } from "../../web/state.js";
import { sceneToSvg } from "../../web/svg.js";
import { randomQuery } from "./queries.mjs";
import { randomFrom } from "./vectors.mjs";

/** Those that are plots; a panel has no scene. */
const figures = allFigures.filter((figure) => "scene" in figure);

const STATES = 10_000;
/** As the style sheet sets the plots: on a phone, beside readouts, over the whole width. */
const SIZES = [
  [320, 300],
  [664, 400],
  [984, 440],
];
const MOST_TICKS = 40;
/** Kinds of trouble that are told; one of a kind is as good as a thousand. */
const TOLD = 25;
/** What a number that went wrong looks like once it is written. */
const WRONG = /NaN|undefined|null|Infinity|\[object/;

const gelu = await loadGelu();
const computed = await computeFigures(gelu);
const table = createTable(gelu.catalogue, figures);

/**
 * A scene that can be drawn.
 * @param {import("../../web/scene.js").Scene} scene
 * @param {(what: string, detail: unknown) => void} trouble
 */
function checkScene(scene, trouble) {
  for (const [name, margin] of Object.entries(scene.margins))
    if (!(margin >= 0 && margin < 1e4)) trouble(`margin ${name}`, margin);
  for (const name of /** @type {const} */ (["x", "y"])) {
    const { min, max, ticks } = scene[name];
    if (!(Number.isFinite(min) && Number.isFinite(max) && min < max)) trouble(`${name} axis`, [min, max]);
    if (ticks.length > MOST_TICKS) trouble(`${name} axis has too many ticks`, ticks.length);
    const texts = ticks.map(({ text }) => text);
    if (new Set(texts).size !== texts.length) trouble(`${name} ticks cannot be told apart`, texts.join(" "));
    for (const { value, text } of ticks) {
      if (!Number.isFinite(value) || WRONG.test(text) || text === "") trouble(`${name} tick`, [value, text]);
      // A label says what stands at the tick.
      const shown = Number(text.replace("−", "-"));
      if (!Number.isNaN(shown) && name === "x" && Math.abs(shown - value) > 1e-3 * (max - min)) trouble("x label", [value, text]);
    }
  }
  for (const { fn, x, y, name } of scene.curves) {
    if (x.length !== y.length || x.length < 2) trouble(`curve ${fn} has no points`, [x.length, y.length]);
    if (WRONG.test(name)) trouble(`curve ${fn} is called`, name);
    for (let i = 0; i < x.length; i++) {
      if (!Number.isFinite(x[i]) || x[i] < x[i - 1]) {
        trouble(`curve ${fn} goes back`, [x[i - 1], x[i]]);
        break;
      }
    }
  }
  for (const { fn, x, y, text = "" } of scene.marks) {
    if (!Number.isFinite(x) || !Number.isFinite(y) || WRONG.test(text)) trouble(`mark of ${fn}`, [x, y, text]);
  }
  for (const { value } of scene.lines) if (!Number.isFinite(value)) trouble("line", value);
}

/**
 * @param {import("../../web/components/figure.js").Readout[]} readouts
 * @param {import("../../web/components/figure.js").Context} context
 * @param {(what: string, detail: unknown) => void} trouble
 */
function checkReadouts(readouts, { language }, trouble) {
  const names = readouts.flatMap(({ name, note }) => (note?.name === undefined ? [name] : [name, note.name]));
  if (new Set(names).size !== names.length) trouble("readouts of one name", names.join());
  for (const { name, text, value, label = "", note } of readouts) {
    const noteText = note === undefined ? "" : typeof note.text === "string" ? note.text : note.text[language];
    for (const written of [text, label, noteText]) {
      if (WRONG.test(written)) trouble(`readout ${name}`, written);
      if (language === "en" && /[\u4e00-\u9fff]/.test(written)) trouble(`readout ${name} is Chinese`, written);
    }
    if (text === "") trouble(`readout ${name} is empty`, value);
    if (typeof value !== "number" || Number.isNaN(value)) trouble(`readout ${name} has the value`, value);
  }
}

/**
 * @param {import("../../web/components/figure.js").DataTable} data
 * @param {(what: string, detail: unknown) => void} trouble
 */
function checkTable({ xs, columns }, trouble) {
  for (const { name, values } of columns) {
    if (values.length !== xs.length) trouble(`column ${name}`, [values.length, xs.length]);
    if (name === "" || WRONG.test(name)) trouble("a column is called", name);
  }
  if (!xs.every((x, i) => Number.isFinite(x) && !(x <= xs[i - 1]))) trouble("rows of the table", xs.join().slice(0, 80));
}

/**
 * Draws and reads out one figure in one state.
 * @param {import("../../web/components/figure.js").FigureDefinition} definition
 * @param {import("../../web/components/figure.js").Context} context
 * @param {(what: string, detail: unknown) => void} trouble
 */
function checkFigure(definition, context, trouble) {
  const { width, height } = context;
  const [from, to] = definition.range(context);
  if (!(from < to && from >= -51 && to <= 51)) trouble("range", [from, to]);
  const scene = definition.scene(context);
  for (const plot of [scene, ...(scene.above ?? [])]) checkScene(plot, trouble);
  checkReadouts(definition.readouts(context), context, trouble);
  checkTable(definition.table(context), trouble);
  const most = definition.axis === undefined ? MOST_TICKS : definition.axis.bounds[1] + 1;
  if (definition.table(context).xs.length > most) trouble("the table is too long", definition.table(context).xs.length);
  checkTable(definition.table(context, evenly(from, to, 401)), trouble);
  const cursor = cursorOf(definition, context, true);
  if (WRONG.test(cursor.flag)) trouble("flag", cursor.flag);
  // Where the cursor can be seen, its flag tells it from its neighbours.
  const x = context.state[(definition.axis ?? PAGE_X).key];
  const flagged = Number(/-?[\d.]+$/.exec(cursor.flag.replace("−", "-"))?.[0]);
  if (x >= from && x <= to && Math.abs(flagged - x) > 0.01 * (to - from)) trouble("flag of x", [x, cursor.flag]);
  for (const { fn, y } of cursor.points) if (typeof y !== "number") trouble(`cursor on ${fn}`, y);
  const svg = sceneToSvg(scene, cursor, { width, height, id: "clip", title: "" });
  const wrong = WRONG.exec(svg);
  if (wrong !== null) trouble("drawn", svg.slice(Math.max(0, wrong.index - 120), wrong.index + 40));
  for (const text of Object.values(definition.unit?.(context) ?? {})) if (WRONG.test(text) || text === "") trouble("unit", text);
  for (const key of definition.resets(context)) if (!table.has(key)) trouble("resets what is not there", key);
  for (const control of definition.controls(context)) {
    if ("key" in control && !table.has(control.key)) trouble("a control sets what is not there", control.key);
  }
}

/** Figures with more than one look. */
const VARIANTS = { curves: ["compact", ""] };

test(`${STATES} states: nothing throws, nothing is written as NaN, every axis can be read`, { timeout: 60_000 }, () => {
  const random = randomFrom(2026);
  const store = new Store(table, parse(table, ""));
  /** @type {Map<string, string>} first case of each kind */
  const found = new Map();
  const counts = new Map();
  const started = Date.now();
  for (let i = 0; i < STATES; i++) {
    const definition = figures[i % figures.length];
    const query = randomQuery(random, table);
    // The first visit, a reload, and a link followed inside the page come to the same state.
    const state = parse(table, query);
    const [width, height] = SIZES[Math.floor(random() * SIZES.length)];
    const language = random() < 0.5 ? "zh" : "en";
    const variants = definition.variant ? [definition.variant] : (VARIANTS[definition.name] ?? [""]);
    const variant = variants[Math.floor(random() * variants.length)];
    const density = random() < 0.5 ? 1 : 2;
    const trouble = (/** @type {string} */ what, /** @type {unknown} */ detail) => {
      const kind = `${definition.name}: ${what}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      if (!found.has(kind)) found.set(kind, `${kind} ${detail} at ?${serialize(table, state)} (${variant} ${width} ${language})`);
    };
    const again = parse(table, serialize(table, state));
    if (serialize(table, again) !== serialize(table, state)) trouble("a reload gives", serialize(table, again));
    store.reset([...table.keys()]);
    store.set(Object.fromEntries(new URLSearchParams(query)));
    if (serialize(table, store.state) !== serialize(table, state)) trouble("set gives", serialize(table, store.state));
    try {
      checkFigure(
        definition,
        createContext({ gelu, state, variant, width, height, density, language, data: computed[definition.name] }),
        trouble,
      );
    } catch (error) {
      trouble(`throws ${error instanceof Error ? error.message.slice(0, 60) : error}`, error?.stack?.split("\n")[1]);
    }
  }
  console.log(`${STATES} states of ${figures.length} figures in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  const told = [...found].slice(0, TOLD).map(([kind, first]) => `${counts.get(kind)} × ${first}`);
  assert.deepEqual(told, []);
});

/**
 * Where the words of a figure stand, by an estimate of their widths, and the frame.
 * @param {string} name
 * @param {string} query
 * @param {number} width
 * @param {"zh" | "en"} language
 */
function wordsOf(name, query, width, language) {
  const definition = figures.find((figure) => figure.name === name);
  const state = parse(table, query);
  const height = 400;
  const context = createContext({ gelu, state, variant: "", width, height, density: 1, language, data: computed[name] });
  const scene = definition.scene(context);
  const frame = frameOf(scene, width, height);
  const widthOf = (/** @type {string} */ text) =>
    [...text.replaceAll("*", "")].reduce((sum, sign) => sum + (sign > "\u2e80" ? 14.5 : 8), 0);
  /** @type {{ text: string, from: number, to: number, style: string }[]} */
  const words = [];
  const nothing = () => {};
  const painter = {
    ...{ line: nothing, area: nothing, circle: nothing, width: widthOf },
    text(x, _y, text, style, anchor) {
      const from = x - { start: 0, middle: 0.5, end: 1 }[anchor] * widthOf(text);
      words.push({ text, from, to: from + widthOf(text), style });
    },
  };
  const cursor = cursorOf(definition, context, true);
  paintBelow(painter, scene, frame, cursor);
  paintAbove(painter, scene, frame, cursor);
  return { words, frame, cursor: frame.x(state.x) };
}

test("admission: the line of x strikes neither share, wherever there is room beside it", () => {
  for (const language of /** @type {const} */ (["zh", "en"])) {
    for (let x = -4; x <= 4; x += 0.05) {
      const { words, cursor } = wordsOf("admission", `?x=${x.toFixed(2)}`, 664, language);
      const shares = words.filter(({ text }) => /below|above|低的人|高$/.test(text));
      assert.equal(shares.length, 2);
      for (const { text, from, to } of shares) {
        assert.ok(cursor < from || cursor > to, `x = ${x.toFixed(2)} at ${cursor} strikes "${text}" from ${from} to ${to}`);
      }
    }
  }
});

test("gates on a phone: the names stand on the right, clear of the zero line and of x = −1", () => {
  for (const language of /** @type {const} */ (["zh", "en"])) {
    const { words, frame, cursor } = wordsOf("gates", "?x=-1", 288, language);
    const names = words.filter(({ style }) => style === "lbl-fn");
    assert.equal(names.length, 3);
    for (const { text, from } of names) assert.ok(from > Math.max(cursor, frame.x(0)) + 2, `"${text}" begins at ${from}`);
  }
});
