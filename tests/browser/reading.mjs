/** What the tests read from a figure and do to it, through the contract of the DOM alone. */
import assert from "node:assert/strict";
import { settled } from "./browser.mjs";
import { truth } from "./oracle.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

/** The figures of the page, each where the reader meets it. */
export const FIGURES = {
  hero: '#hero figure[data-figure="curves"]',
  gradients: 'figure[data-figure="gradients"]',
  errors: 'figure[data-figure="errors"]',
  playground: '#playground figure[data-figure="curves"]',
};

/**
 * The computed numbers of a figure, by name.
 * @param {Page} page @param {string} figure
 * @returns {Promise<Record<string, number>>}
 */
export async function readouts(page, figure) {
  const pairs = await page.$eval(figure, (root) =>
    [...root.querySelectorAll("output[data-readout]")].map((output) => [
      output.getAttribute("data-readout"),
      output.getAttribute("data-value"),
      output.getAttribute("aria-live"),
    ]),
  );
  for (const [name, , live] of pairs) assert.equal(live, "off", `${figure}: ${name} is live`);
  return Object.fromEntries(pairs.map(([name, value]) => [name, value === null ? Number.NaN : Number(value)]));
}

/** @param {Page} page @param {string} figure */
export const xOf = (page, figure) => page.$eval(`${figure} input[name="x"]`, (input) => Number(input.value));

/**
 * Readouts that must be there, each within a hair of an independent value.
 * @param {Record<string, number>} got @param {Record<string, number>} want
 * @param {string} label
 */
export function assertNear(got, want, label) {
  for (const [name, value] of Object.entries(want)) {
    const tolerance = name.endsWith(".error") ? 1e-7 * Math.abs(value) + 1e-12 : 1e-9 * Math.abs(value) + 1e-15;
    assert.ok(Math.abs(got[name] - value) <= tolerance, `${label}: ${name} is ${got[name]}, want ${value}`);
  }
}

/**
 * What the figures show at x in their first state.
 * @type {Record<keyof typeof FIGURES, (x: number) => Record<string, number>>}
 */
export const EXPECTED = {
  hero: (x) => ({ gelu: truth("gelu", x), relu: truth("relu", x), sigmoid: truth("sigmoid", x), share: truth("normal_cdf", x) }),
  gradients: (x) => ({ gelu: truth("gelu", x, 1), relu: truth("relu", x, 1), sigmoid: truth("sigmoid", x, 1) }),
  errors: (x) => errorsAt(x),
  playground: (x) => ({ gelu: truth("gelu", x), relu: truth("relu", x), sigmoid: truth("sigmoid", x) }),
};

/** @param {number} x */
export function errorsAt(x, { order = 0, relative = false, k = 1.702, cubic = 0.044715 } = {}) {
  const exact = truth("gelu", x, order);
  const tanh = truth("gelu_tanh", x, order, cubic);
  const sigmoid = truth("gelu_sigmoid", x, order, k);
  const error = (/** @type {number} */ value) => (relative ? Math.abs((value - exact) / exact) : value - exact);
  return {
    gelu: exact,
    gelu_tanh: tanh,
    gelu_sigmoid: sigmoid,
    "gelu_tanh.error": error(tanh),
    "gelu_sigmoid.error": error(sigmoid),
  };
}

/** All figures show the same x, and the right numbers for it. */
export async function assertAllAt(/** @type {Page} */ page, /** @type {number} */ x, /** @type {string} */ label) {
  for (const [name, figure] of Object.entries(FIGURES)) {
    // A control whose range ends before x stands at its end; its readouts are those of x all the same.
    const [shown, min, max] = await page.$eval(`${figure} input[name="x"]`, ({ value, min, max }) =>
      [value, min, max].map(Number),
    );
    const inside = Math.min(max, Math.max(min, x));
    assert.ok(Math.abs(shown - inside) < 1e-9, `${label}: x of ${name} is ${shown}, want ${inside}`);
    assertNear(await readouts(page, figure), EXPECTED[/** @type {keyof typeof FIGURES} */ (name)](x), `${label}, ${name}`);
  }
}

/** @param {Page} page @param {string} figure @param {string} text */
export async function typeX(page, figure, text) {
  await page.click(`${figure} input[name="x-typed"]`, { count: 3 });
  await page.keyboard.press("Backspace");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** @param {Page} page @param {string} figure @param {...string} keys "Shift+ArrowRight" holds Shift */
export async function pressX(page, figure, ...keys) {
  await page.focus(`${figure} input[name="x"]`);
  for (const key of keys) {
    const [last, ...held] = key.split("+").reverse();
    for (const modifier of held) await page.keyboard.down(/** @type {any} */ (modifier));
    await page.keyboard.press(/** @type {any} */ (last));
    for (const modifier of held) await page.keyboard.up(/** @type {any} */ (modifier));
  }
}

/**
 * Where x = 0 lies on the plot, by the control that is laid over its axis, and a height in the middle of the canvas.
 * @param {Page} page @param {string} figure
 */
export async function plotGeometry(page, figure) {
  await page.$eval(`${figure} canvas`, (canvas) => canvas.scrollIntoView({ block: "center" }));
  await settled(page);
  return page.$eval(figure, (root) => {
    const axis = root.querySelector('input[name="x"]').getBoundingClientRect();
    const canvas = root.querySelector("canvas").getBoundingClientRect();
    return { zero: axis.left + axis.width / 2, reach: axis.width / 2, middle: canvas.top + canvas.height / 3 };
  });
}

/** Clicks a radio or check box by the label that wraps it. */
export async function clickInput(/** @type {Page} */ page, /** @type {string} */ selector) {
  const input = await page.waitForSelector(selector);
  const label = await input?.evaluateHandle((element) => element.closest("label") ?? element);
  await /** @type {import("puppeteer-core").ElementHandle<Element>} */ (label).click();
}

/** Moves a native slider to a value as dragging would: its step applies. */
export function setSlider(/** @type {Page} */ page, /** @type {string} */ selector, /** @type {number} */ value) {
  return page.$eval(
    selector,
    (input, number) => {
      input.value = String(number);
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.dispatchEvent(new Event("change", { bubbles: true }));
      return Number(input.value);
    },
    value,
  );
}

/** All that a reload must bring back: numbers, choices, boxes, sliders. */
export function snapshot(/** @type {Page} */ page) {
  return page.evaluate(() => ({
    language: document.documentElement.lang,
    theme: document.documentElement.dataset.theme ?? "auto",
    outputs: [...document.querySelectorAll("output[data-readout]")].map(
      (output) => `${output.closest("section").id} ${output.dataset.readout} ${output.dataset.value} ${output.textContent}`,
    ),
    inputs: [...document.querySelectorAll("input")].map((input) =>
      input.type === "radio" || input.type === "checkbox" ? `${input.value} ${input.checked}` : `${input.name} ${input.value}`,
    ),
  }));
}
