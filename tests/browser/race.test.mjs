/** Figure `race` as a reader uses it: seen before anything is pressed, trained here, paused, changed, broken, taken away. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages stand in the page, and one is shown
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { STRICT_CSP } from "../../web/build/policy.mjs";
import { figuresReady, openPage, serveSite, settled } from "./browser.mjs";
import { holdLine } from "./line.mjs";
import { addressSettled, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite(["ffn"]);
const FIGURE = 'figure[data-figure="race"]';
/** A run of a moment. */
const SHORT = "race.seeds=1&race.limit=5&race.hidden=32";
/** All functions and seeds, on a machine that does other things too. */
const LONG = { timeout: 240_000 };

/** What the figure says: outputs by name, the main button, where the run comes from, the words about it. */
const seen = (/** @type {Page} */ page) =>
  page.$eval(FIGURE, (figure) => {
    const text = (/** @type {string} */ selector) =>
      /** @type {HTMLElement | null} */ (figure.querySelector(selector))?.innerText ?? "";
    const outputs = [...figure.querySelectorAll("output[data-readout]")].map((output) => [
      /** @type {HTMLElement} */ (output).dataset.readout,
      Number(/** @type {HTMLElement} */ (output).dataset.value),
    ]);
    // As text: on its way out of Chromium NaN becomes null.
    const values = [...figure.querySelectorAll("output")].map((output) => [output.textContent, output.dataset.value ?? ""]);
    return {
      state: /** @type {HTMLElement} */ (figure).dataset.state,
      outputs: Object.fromEntries(outputs),
      values,
      losses: [...figure.querySelectorAll(".read output[data-readout]")].map((output) => output.textContent),
      main: text('[data-run="main"]').trim(),
      source: text(".run .help"),
      words: text(".outcome"),
    };
  });

const press = (/** @type {Page} */ page, name = "main") =>
  page.$eval(`${FIGURE} [data-run="${name}"]`, (button) => /** @type {HTMLElement} */ (button).click());

async function goThere(/** @type {Page} */ page) {
  await page.$eval(FIGURE, (figure) => figure.scrollIntoView({ block: "start", behavior: "instant" }));
  await settled(page);
}

/** Asks again and again: one long question would be too long for the browser's protocol. */
async function until(/** @type {() => Promise<boolean>} */ isSo, /** @type {string} */ what, timeout = 60_000) {
  const end = Date.now() + timeout;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `not in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The button shows both languages' words, of which the style sheet shows one. */
const says = (/** @type {Page} */ page, /** @type {string} */ word, timeout = 60_000) =>
  until(async () => (await seen(page)).main === word, `the button says ${word}`, timeout);

const epochIs = (/** @type {Page} */ page, /** @type {number} */ least) =>
  until(async () => (await seen(page)).outputs.progress >= least, `epoch ${least}`);

/** The rows of the file that the toolbar offers. */
async function fileRows(/** @type {Page} */ page) {
  const text = await page.$eval(FIGURE, async (figure) => {
    const create = URL.createObjectURL;
    /** @type {Promise<string>} */
    const text = new Promise((resolve) => {
      URL.createObjectURL = (blob) => {
        void (/** @type {Blob} */ (blob).text().then(resolve));
        return "data:,";
      };
    });
    addEventListener("click", (event) => event.preventDefault(), { once: true, capture: false });
    /** @type {HTMLElement} */ (figure.querySelector('[data-tool="csv"]')).click();
    URL.createObjectURL = create;
    return text;
  });
  return text
    .trim()
    .split("\r\n")
    .map((line) => line.split(","));
}

describe("the figure", () => {
  test("shows a run before anything is pressed, and loads neither kernels nor data for it", async () => {
    const { page, complaints, requests } = await openPage(site.browser, { language: "en" });
    await page.goto(site.address);
    await figuresReady(page);
    await goThere(page);
    const { losses, source, main, words, outputs } = await seen(page);
    assert.equal(losses.length, 4);
    assert.ok(losses.every((loss) => /^0\.\d{4}$/.test(loss ?? "")));
    assert.match(source, /computed beforehand/);
    assert.equal(main, "Train");
    assert.match(words, /^Epoch 20, medians of 5 seeds/);
    assert.equal(outputs.progress, 20);
    assert.deepEqual(
      requests.filter((url) => /networks-|digits-/.test(url)),
      [],
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("trained here gives the same numbers, bit for bit, and says so", LONG, () =>
    site.visit("", async (page) => {
      await goThere(page);
      const before = await seen(page);
      await press(page);
      await says(page, "Train again", 220_000);
      const after = await seen(page);
      assert.deepEqual(after.losses, before.losses);
      assert.equal(after.words, before.words);
      assert.match(after.source, /Computed here/);
      assert.match(after.source, /Bit for bit the same/);
      assert.ok(after.outputs["timePerStep.gelu"] > 0);
      const rows = await fileRows(page);
      assert.equal(rows.length, 1 + 4 * 5 * 21);
      assert.ok(rows.every((row) => row.length === rows[0].length));
    }),
  );

  test("a setting that the run did not have clears it; going back brings it again", () =>
    site.visit("", async (page) => {
      await goThere(page);
      await page.focus(`${FIGURE} input[name="race.learningRate"]`);
      await page.keyboard.press("ArrowRight");
      await settled(page);
      const changed = await seen(page);
      assert.deepEqual([changed.losses, changed.words], [[], ""]);
      assert.match(changed.source, /Not computed yet/);
      assert.match(await addressSettled(page), /race\.learningRate=0\.005/);
      await page.keyboard.press("ArrowLeft");
      await settled(page);
      assert.equal((await seen(page)).losses.length, 4);
    }));

  test("one epoch, on, pause, start over", () =>
    site.visit(`?${SHORT}&race.limit=50`, async (page) => {
      await goThere(page);
      await press(page, "oneEpoch");
      await says(page, "Continue");
      assert.equal((await seen(page)).outputs.progress, 1);
      await press(page);
      await epochIs(page, 3);
      await press(page);
      await says(page, "Continue");
      await new Promise((resolve) => setTimeout(resolve, 500));
      const paused = (await seen(page)).outputs.progress;
      await new Promise((resolve) => setTimeout(resolve, 700));
      assert.equal((await seen(page)).outputs.progress, paused);
      await press(page, "startOver");
      await says(page, "Train");
      assert.deepEqual((await seen(page)).losses, []);
    }));

  test("out of sight it rests, and goes on when it is back", () =>
    site.visit(`?${SHORT}&race.limit=50&race.hidden=512`, async (page) => {
      await goThere(page);
      await press(page);
      await epochIs(page, 1);
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const resting = (await seen(page)).outputs.progress;
      await new Promise((resolve) => setTimeout(resolve, 1500));
      assert.equal((await seen(page)).outputs.progress, resting);
      await goThere(page);
      await epochIs(page, resting + 1);
    }));

  test("an overflow is told with its step, and the page lives on", () =>
    site.visit(`?${SHORT}&race.hidden=256&race.optimizer=sgd&race.learningRate=0.3`, async (page) => {
      await goThere(page);
      await press(page);
      await says(page, "Train again");
      const { state, words, outputs, values } = await seen(page);
      assert.equal(state, "ready");
      assert.match(words, /ReLU overflowed at step \d+, in epoch 1/);
      assert.ok(outputs["failed.relu"] >= 1);
      // The time of a step needs a whole epoch, which three of the four never had.
      assert.equal(values.filter(([text]) => text === "—").length, 3);
      for (const [text, value] of values) {
        if (text === "—") assert.equal(value, "");
        else assert.ok(value !== "" && Number.isFinite(Number(value)), `${text}: ${value}`);
      }
    }));

  test("at most four functions; the fifth cannot be chosen", () =>
    site.visit("", async (page) => {
      await goThere(page);
      await page.$eval(`${FIGURE} .more-ctls`, (details) => details.setAttribute("open", ""));
      const box = (/** @type {string} */ fn) => `${FIGURE} [data-control="race.fns"] input[value="${fn}"]`;
      assert.equal(await page.$eval(box("tanh"), (input) => /** @type {HTMLInputElement} */ (input).disabled), true);
      await page.$eval(box("silu"), (input) => /** @type {HTMLElement} */ (input).click());
      await page.$eval(box("tanh"), (input) => /** @type {HTMLElement} */ (input).click());
      await settled(page);
      // Three are known from the build; the fourth is not, and nothing is said of it.
      assert.equal((await seen(page)).losses.length, 3);
      assert.match(await addressSettled(page), /race\.fns=gelu%2Crelu%2Csigmoid%2Ctanh|race\.fns=gelu,relu,sigmoid,tanh/);
    }));

  test("the keys move the epoch, and a link brings it back", () =>
    site.visit("?race.epoch=7", async (page) => {
      await goThere(page);
      assert.match((await seen(page)).words, /^Epoch 7,/);
      await page.focus(`${FIGURE} input[name="race.epoch"]`);
      await page.keyboard.press("ArrowLeft");
      assert.match((await seen(page)).words, /^Epoch 6,/);
      assert.match(await addressSettled(page), /race\.epoch=6/);
    }));

  test("the words are there in Chinese, too", () =>
    site.visit(
      "?race.seeds=1",
      async (page) => {
        const { words, source, main } = await seen(page);
        assert.match(words, /^第 20 轮，只有一个种子：验证损失最低的是/);
        assert.match(source, /事先算好/);
        assert.equal(main, "训练");
      },
      { language: "zh-CN" },
    ));
});

test("a field of whole epochs that is left shows the epoch that the plot shows", () =>
  site.visit("", async (page) => {
    await goThere(page);
    const field = await page.$(`${FIGURE} input[name="race.epoch-typed"]`);
    await field?.click({ count: 3 });
    await page.keyboard.type("3.7");
    await page.keyboard.press("Tab");
    const shown = () =>
      page.$eval(FIGURE, (figure) => [
        figure.querySelector("input.num").value,
        figure.querySelector('input[name="race.epoch"]').value,
      ]);
    assert.deepEqual(await shown(), ["4", "4"]);
  }));

describe("the script that trains", () => {
  test("that does not load is named below the buttons, the computed run stays, and the next press trains", async () => {
    const { page } = await openPage(site.browser, { language: "en" });
    const line = await holdLine(page, /\/pressed-/);
    line.isDown = true;
    await page.goto(`${site.address}?${SHORT}`);
    await figuresReady(page);
    await goThere(page);
    const before = await seen(page);
    await press(page);
    await page.waitForFunction(
      (selector) => /Failed: try again \(.*assets\/pressed-\w+\.js\)/.test(document.querySelector(selector).innerText),
      {},
      `${FIGURE} .run [role="alert"]`,
    );
    assert.deepEqual(await seen(page), before);
    assert.equal(await page.$eval(FIGURE, (figure) => figure.dataset.state), "ready");
    line.isDown = false;
    await press(page);
    await says(page, "Train again");
    assert.match((await seen(page)).source, /Computed here/);
    await page.close();
  });

  test("over a slow line trains once it is there, once, unless the press was taken back", async () => {
    const { page } = await openPage(site.browser, { language: "en" });
    const line = await holdLine(page, /\/pressed-/);
    line.isHeld = true;
    await page.goto(`${site.address}?${SHORT}`);
    await figuresReady(page);
    await goThere(page);
    await press(page);
    await says(page, "Pause");
    await press(page);
    await says(page, "Train");
    await press(page);
    await line.asked();
    assert.equal(line.held.length, 1);
    line.release();
    await says(page, "Train again");
    const { outputs } = await seen(page);
    assert.equal(outputs.progress, 5);
    await page.close();
  });
});

describe("where no worker may start", () => {
  test("the page trains in small slices, says so, and keeps drawing", LONG, async () => {
    const strict = await serveSite({ csp: STRICT_CSP.replace(/worker-src[^;]*/, "worker-src 'none'") });
    const { page } = await openPage(site.browser, { language: "en" });
    await page.goto(`${strict.address}?race.limit=5&race.seeds=1`);
    await figuresReady(page);
    await goThere(page);
    const long = await page.evaluate(async (selector) => {
      /** @type {number[]} */
      const gaps = [];
      let last = performance.now();
      const figure = /** @type {HTMLElement} */ (document.querySelector(selector));
      const main = /** @type {HTMLElement} */ (figure.querySelector('[data-run="main"]'));
      main.click();
      await new Promise((resolve) => {
        const frame = (/** @type {number} */ now) => {
          gaps.push(now - last);
          last = now;
          if (main.innerText.trim() === "Train again") resolve(undefined);
          else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      });
      return gaps.sort((a, b) => a - b);
    }, FIGURE);
    console.log(
      `frames while training on the page: ${long.length}, median ${long[long.length >> 1].toFixed(1)} ms, ` +
        `95 % within ${long[Math.floor(long.length * 0.95)].toFixed(1)} ms`,
    );
    const { source, losses } = await seen(page);
    assert.match(source, /slices of the page/);
    assert.equal(losses.length, 4);
    assert.ok(long[long.length >> 1] < 40);
    await page.close();
    await strict.close();
  });
});
