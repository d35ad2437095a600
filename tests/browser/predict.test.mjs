/** The question before the first look at GELU′: drawn, chosen, skipped; when it comes and when it does not; what it gives away. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { figuresReady, settled } from "./browser.mjs";
import { truth } from "./oracle.mjs";
import { assertNear, readouts, typeX } from "./reading.mjs";
import { useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite(["hero", "gradient"]);
const FIGURE = '#gradient figure[data-figure="gradients"]';

/**
 * @param {string} path
 * @param {(page: Page) => Promise<void>} use
 * @param {Parameters<typeof site.visit>[2]} [options]
 */
const visit = (path, use, options) => site.visit(path, use, { asks: true, ...options });

const asks = (/** @type {Page} */ page) => page.$eval(FIGURE, (figure) => figure.querySelector(".predict") !== null);
const result = (/** @type {Page} */ page) =>
  page.$eval(`${FIGURE} .predict-result [lang="en"]`, (element) => element.textContent);
const button = (/** @type {Page} */ page, /** @type {RegExp} */ words) =>
  page.$$eval(
    `${FIGURE} .predict-panel button`,
    (buttons, source) => buttons.find((each) => new RegExp(source).test(each.textContent)).click(),
    words.source,
  );

describe("the question before the first look", () => {
  test("comes on a first visit and whatever other figures show, and not to whoever asks for this one", async () => {
    for (const path of ["", "?x=1", "?errors.kind=relative&admission.crowd=50", "?lang=zh&theme=dark#relu"])
      await visit(path, async (page) => assert.equal(await asks(page), true, path));
    for (const path of [
      "?gradients.ask=0",
      "#gradient",
      "?x=1#gradient-gradients",
      "?gradients.order=2",
      "?fns=gelu",
      "?from=-1&to=1",
    ])
      await visit(path, async (page) => assert.equal(await asks(page), false, path));
  });

  test("gives nothing away until it is answered", () =>
    visit("?x=1", async (page) => {
      const seen = () =>
        page.$$eval(
          `${FIGURE} output, ${FIGURE} .chk`,
          (all) => all.filter((each) => each.checkVisibility({ visibilityProperty: true })).length,
        );
      assert.equal(await seen(), 0);
      await button(page, /Skip/);
      assert.ok((await seen()) > 5);
      assert.equal(await page.$(`${FIGURE} .predict-panel`), null);
    }));

  test("a curve drawn by hand is compared with the true one, and may be drawn again before", () =>
    visit("?x=1", async (page) => {
      await page.$eval(FIGURE, (figure) => figure.scrollIntoView());
      const box = await page.$eval(`${FIGURE} .predict-board`, (board) => {
        const { left, top, width, height } = board.getBoundingClientRect();
        return { left, top, width, height };
      });
      const [low, high] = [-0.43, 1.28];
      const at = (x, y) => [box.left + ((x + 4) / 8) * box.width, box.top + ((high - y) / (high - low)) * box.height];
      const draw = async (f) => {
        await page.mouse.move(...at(-3.9, f(-3.9)));
        await page.mouse.down();
        for (let x = -3.9; x <= 3.9; x += 0.1) await page.mouse.move(...at(x, f(x)));
        await page.mouse.up();
      };
      assert.equal(await page.$eval(`${FIGURE} .predict-panel .btn.main`, (each) => each.disabled), true);
      await draw(() => 1);
      await draw(() => 0.5);
      await button(page, /Show/);
      const xs = Array.from({ length: 79 }, (_, i) => -3.9 + 0.1 * i);
      const mean = xs.reduce((sum, x) => sum + Math.abs(0.5 - truth("gelu", x, 1)), 0) / xs.length;
      const said = Number((await result(page)).match(/\d\.\d\d/)[0]);
      assert.ok(Math.abs(said - mean) <= 0.02, `${await result(page)}; the mean is ${mean}`);
      assertNear({ gelu: (await readouts(page, FIGURE)).gelu }, { gelu: truth("gelu", 1, 1) }, "the true one");
    }));

  test("by keyboard: one of four, right or wrong, then x has the focus", async () => {
    for (const [index, words] of [
      [1, /^Right/],
      [0, /1\.129/],
    ])
      await visit("?x=1", async (page) => {
        await page.focus(`${FIGURE} .predict-choices input`);
        await page.keyboard.press(" ");
        for (let i = 0; i < index; i++) await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        const said = await result(page);
        assert.match(said, words);
        assert.equal(/^Right/.test(said), index === 1);
        assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "x");
      });
  });

  test("a prompt or a setting of the figure answers it, and the page forgets it with a reload", () =>
    visit("?x=1", async (page) => {
      await typeX(page, "#hero figure", "1.5");
      assert.equal(await asks(page), true, "x moves, the question stays");
      await page.$$eval("#gradient button[data-set]", (all) => all.find((each) => each.checkVisibility()).click());
      await settled(page);
      assert.equal(await asks(page), false);
      await page.goto(`${site.address}?x=1`);
      await figuresReady(page, { asks: true });
      assert.equal(await asks(page), true);
    }));

  test("by touch", () =>
    visit(
      "?x=1",
      async (page) => {
        await page.$eval(`${FIGURE} .predict-choices`, (choices) => choices.scrollIntoView({ block: "center" }));
        const labels = await page.$$(`${FIGURE} .predict-choices label`);
        await labels[1].tap();
        await page.$eval(`${FIGURE} .predict-panel .btn.main`, (each) => each.scrollIntoView({ block: "center" }));
        await (await page.$(`${FIGURE} .predict-panel .btn.main`)).tap();
        assert.match(await result(page), /^Right/);
      },
      { width: 360, height: 740, touch: true },
    ));
});
