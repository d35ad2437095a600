/** Figure `coin` in a browser: drawing one, drawing on, stopping, starting over; links, reload, reset, keyboard, prompts. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { figuresReady, settled } from "./browser.mjs";
import { truth } from "./oracle.mjs";
import { assertNear, clickInput, pressX, readouts, typeX, xOf } from "./reading.mjs";
import { addressSettled, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const COIN = '#definition figure[data-figure="coin"]';
const ADMISSION = '#definition figure[data-figure="admission"]';
const MOST = 10_000;
const MEAN = `${COIN} output[data-readout="coin.mean"]`;

const site = useSite(["definition"]);
const gelu = await loadGelu();

const act = (/** @type {string} */ name) => `${COIN} button[data-act="${name}"]`;

/** What the figure shows at x; who comes in is what the library draws from the same seed. */
function coinAt(x, { draws = 200, seed = 1 } = {}) {
  const source = gelu.random(seed);
  const share = truth("normal_cdf", x);
  const kept = source.uniform(draws).filter((lot) => lot < share).length;
  source.free();
  const error = Math.abs(x) * Math.sqrt((share * (1 - share)) / draws);
  const mean = (x * kept) / draws;
  const exact = truth("gelu", x);
  return { normal_cdf: share, "coin.kept": kept, "coin.mean": mean, "coin.error": error, gelu: exact };
}

async function assertCoin(/** @type {Page} */ page, x, options, label) {
  const { "coin.off": off, ...got } = await readouts(page, COIN);
  const want = coinAt(x, options);
  assert.deepEqual(Object.keys(got).sort(), Object.keys(want).sort(), label);
  assertNear(got, want, label);
  const offWanted = want["coin.error"] === 0 ? 0 : Math.abs(want["coin.mean"] - want.gelu) / want["coin.error"];
  assert.ok(Math.abs(off - offWanted) < 1e-6 * (1 + offWanted), `${label}: ${off} standard errors off, want ${offWanted}`);
}

/** How many have been drawn, as the figure says. */
const drawsOf = (page) =>
  page.$eval(`${COIN} output[data-readout="coin.kept"]`, (output) =>
    Number(output.textContent.split("/")[1].replace(/[^\d]/g, "")),
  );
const click = (page, selector) => page.$eval(selector, (button) => button.click());
const isRunning = (page) => page.$eval(act("run"), (button) => /Stop/.test(button.textContent));

describe("drawing", () => {
  test("by link: any x, number of draws and seed", async () => {
    for (const [x, draws, seed] of [
      [-1, 24, 1],
      [0.5, 1, 3],
      [2, MOST, 9999],
      [0, 12, 2],
      [-3, 1000, 1],
    ]) {
      await site.visit(`?x=${x}&coin.draws=${draws}&coin.seed=${seed}`, (page) =>
        assertCoin(page, x, { draws, seed }, `x = ${x}, ${draws} of seed ${seed}`),
      );
    }
  });

  test("one at a time, by mouse and by keyboard, and the address keeps them", () =>
    site.visit("?x=-1&coin.draws=24", async (page) => {
      await assertCoin(page, -1, { draws: 24 }, "at first");
      await click(page, act("drawOnce"));
      await assertCoin(page, -1, { draws: 25 }, "once more");
      await page.focus(act("drawOnce"));
      await page.keyboard.press("Enter");
      await page.keyboard.press(" ");
      await assertCoin(page, -1, { draws: 27 }, "by keys");
      assert.equal(await addressSettled(page), "?coin.draws=27");
      await page.reload();
      await figuresReady(page);
      await assertCoin(page, -1, { draws: 27 }, "after a reload");
      await click(page, act("drawAnew"));
      await assertCoin(page, -1, { draws: 1 }, "from the start");
    }));

  test("the same lots serve another x", () =>
    site.visit("?x=-1&coin.draws=100", async (page) => {
      await typeX(page, COIN, "0.3");
      await assertCoin(page, 0.3, { draws: 100 }, "typed");
      await pressX(page, COIN, "Shift+ArrowLeft", "ArrowRight");
      const x = await xOf(page, COIN);
      assert.ok(x < 0.3);
      await assertCoin(page, x, { draws: 100 }, "by keys");
      await clickInput(page, `${COIN} [data-control="x-points"] input[value="2"]`);
      await assertCoin(page, 2, { draws: 100 }, "a worked point");
    }));

  test("new lots are the next seed’s, as many of them", () =>
    site.visit("?x=-1&coin.draws=60&coin.seed=9999", async (page) => {
      await click(page, `${COIN} button[data-control="coin.seed"]`);
      await assertCoin(page, -1, { draws: 60, seed: 1 }, "after 9999");
      await click(page, `${COIN} button[data-control="coin.seed"]`);
      await assertCoin(page, -1, { draws: 60, seed: 2 }, "the second");
    }));

  test("ends at ten thousand", () =>
    site.visit(`?coin.draws=${MOST - 1}`, async (page) => {
      await click(page, act("drawOnce"));
      assert.equal(await drawsOf(page), MOST);
      assert.equal(await page.$eval(act("drawOnce"), (button) => button.disabled), true);
      await click(page, act("drawAnew"));
      assert.equal(await page.$eval(act("drawOnce"), (button) => button.disabled), false);
    }));
});

describe("a run", () => {
  test("draws on until it is stopped, and what it shows is right", () =>
    site.visit("?x=-1&coin.draws=1", async (page) => {
      await click(page, act("run"));
      assert.equal(await isRunning(page), true);
      const seen = [];
      for (let i = 0; i < 6; i++) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        seen.push(await drawsOf(page));
      }
      assert.ok(seen.every((draws, i) => i === 0 || draws > seen[i - 1]) && seen[0] > 1, seen.join());
      await click(page, act("run"));
      assert.equal(await isRunning(page), false);
      const draws = await drawsOf(page);
      await assertCoin(page, -1, { draws }, `stopped at ${draws}`);
      assert.equal(await addressSettled(page), `?coin.draws=${draws}`);
      assert.equal(await drawsOf(page), draws, "still drawing");
    }));

  test("goes to the end, then starts over", () =>
    site.visit("?x=0.5&coin.draws=8000", async (page) => {
      await click(page, act("run"));
      await page.waitForFunction((most) => location.search.includes(`coin.draws=${most}`), { timeout: 10_000 }, MOST);
      assert.equal(await isRunning(page), false);
      await assertCoin(page, 0.5, { draws: MOST }, "at the end");
      await click(page, act("run"));
      await settled(page);
      assert.ok((await drawsOf(page)) < 100);
      assert.equal(await isRunning(page), true);
    }));

  test("goes on while x moves, and ends where anything else sets the draws", () =>
    site.visit("?x=-1&coin.draws=30", async (page) => {
      await click(page, act("run"));
      await typeX(page, ADMISSION, "0.7");
      assert.equal(await isRunning(page), true);
      await click(page, `${COIN} [data-tool="reset"]`);
      await settled(page);
      assert.equal(await isRunning(page), false);
      await assertCoin(page, -1, {}, "after the reset");
      await click(page, act("run"));
      await click(page, '#definition button[data-set="x=-1&coin.draws=10000"]');
      await settled(page);
      assert.equal(await isRunning(page), false);
      assert.equal(await drawsOf(page), MOST);
    }));

  test("with reduced motion is a jump to the next power of ten", () =>
    site.visit(
      "?x=-1&coin.draws=24",
      async (page) => {
        for (const want of [100, 1000, MOST, 10]) {
          await click(page, act("run"));
          await settled(page);
          assert.equal(await isRunning(page), false);
          assert.equal(await drawsOf(page), want);
        }
        await assertCoin(page, -1, { draws: 10 }, "jumped");
      },
      { calm: true },
    ));

  test("leaves other figures alone, and tells a screen reader no more than once a second", () =>
    site.visit("?x=-1&coin.draws=24", async (page) => {
      await page.evaluate(() => {
        window.spoken = [];
        const line = document.querySelector('#definition [role="status"]');
        new MutationObserver(() => window.spoken.push(performance.now())).observe(line, { childList: true });
      });
      const before = await readouts(page, ADMISSION);
      await page.focus(act("run"));
      await page.keyboard.press("Enter");
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await page.keyboard.press("Enter");
      assert.equal(await isRunning(page), false);
      assert.deepEqual(await readouts(page, ADMISSION), before);
      const spoken = await page.evaluate(() => window.spoken);
      assert.ok(spoken.length <= 4, `${spoken.length} sentences in 2.5 s`);
      assert.ok(spoken.every((at, i) => i === 0 || at - spoken[i - 1] > 950));
    }));
});

test("every prompt sets what it says, and the numbers are right", () =>
  site.visit("", async (page) => {
    for (const [query, x, draws] of [
      ["x=-1&coin.draws=1", -1, 1],
      ["x=-1&coin.draws=10000", -1, MOST],
      ["x=-3&coin.draws=1000", -3, 1000],
    ]) {
      const prompts = await page.$$(`#definition button[data-set="${query}"]`);
      assert.equal(prompts.length, 2, `${query}: one a language`);
      await page.$$eval(`#definition button[data-set="${query}"]`, (all) => all.find((one) => one.checkVisibility()).click());
      await settled(page);
      await assertCoin(page, x, { draws }, query);
    }
  }));

test("it says that GELU does not draw, in both languages", () =>
  site.visit("", async (page) => {
    const notes = await page.$$eval(`${COIN} .fig-foot p:first-child > span`, (spans) =>
      Object.fromEntries(spans.map((span) => [span.lang, span.textContent])),
    );
    assert.match(notes.en, /GELU never does/);
    assert.match(notes["zh-CN"], /GELU 自己不抽/);
  }));

test("on a phone its buttons are 44 px high, nothing is cut, and both languages fit", async () => {
  for (const language of ["zh", "en"]) {
    await site.visit(
      `?lang=${language}&x=-1&coin.draws=10000`,
      async (page) => {
        const found = await page.$eval(COIN, (root) => ({
          heights: [...root.querySelectorAll(".row button")].map((button) => button.getBoundingClientRect().height),
          wide: [...root.querySelectorAll("*")].filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
            .length,
          scroll: document.documentElement.scrollWidth - innerWidth,
        }));
        assert.ok(found.heights.length === 4 && found.heights.every((height) => height >= 44), found.heights.join());
        assert.equal(found.wide + found.scroll, 0, language);
        assert.ok(await page.$(MEAN));
      },
      { width: 360, height: 800, touch: true },
    );
  }
});
