/** Figure `depth`: pre-computed at first, live in workers, cancelled by newer settings, never drawn under others than its own. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages are in the page, and one of them is hidden
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { figuresReady, openPage, settled } from "./browser.mjs";
import { catchFiles, fileOf } from "./files.mjs";
import { clickInput, readouts, setSlider } from "./reading.mjs";
import { addressSettled, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite(["gradient"]);
const gelu = await loadGelu();
const FIGURE = "#gradient-depth";
const LAYER = `${FIGURE} input[name="depth.layer"]`;
const control = (/** @type {string} */ name, /** @type {string} */ value) =>
  `${FIGURE} [data-control="depth.${name}"] input[value="${value}"]`;

/** What the figure must show: medians of the library's own networks. */
function expected({ seeds = 5, fns = ["gelu", "relu", "sigmoid"], layers = 24, layer = layers, quantity = "gradient", ...rest }) {
  return Object.fromEntries(
    fns.map((activation) => {
      const sizes = Array.from({ length: seeds }, (_, i) => {
        const run = gelu.propagate({ layers, width: 128, gain: Math.SQRT2, ...rest, activation, seed: i + 1 });
        return quantity === "gradient" ? run.gradient[layers - layer] : run.signal[layer];
      });
      return [activation, sizes.sort((a, b) => a - b)[seeds >> 1]];
    }),
  );
}

/** @param {Page} page @param {Record<string, number>} want */
async function assertShown(page, want, within = 0, label = "") {
  // The head says nothing of the functions: what it says may have been drawn without the last one.
  await page.waitForFunction(
    (figure, names) => names.every((fn) => document.querySelector(`${figure} [data-readout="${fn}"]`)),
    { timeout: 10_000 },
    FIGURE,
    Object.keys(want),
  );
  const got = await readouts(page, FIGURE);
  for (const [fn, value] of Object.entries(want))
    assert.ok(Math.abs(got[fn] - value) <= within * Math.abs(value), `${label} ${fn} is ${got[fn]}, want ${value}`);
}

const isLate = (/** @type {Page} */ page) => page.$eval(FIGURE, (figure) => figure.hasAttribute("data-late"));
const text = (/** @type {Page} */ page, /** @type {string} */ selector) =>
  page.$eval(`${FIGURE} ${selector}`, (element) => /** @type {HTMLElement} */ (element).innerText.replace(/\s+/g, " ").trim());
const unit = (/** @type {Page} */ page) => text(page, ".fig-title");
const said = (/** @type {Page} */ page) => text(page, ".fig-says");

/** Waits until the head says what is drawn. */
async function drawn(/** @type {Page} */ page, /** @type {string} */ words) {
  await page.waitForFunction(
    (selector, wanted) => {
      const figure = document.querySelector(selector);
      return figure?.querySelector(".fig-title")?.textContent?.includes(wanted) && !figure.hasAttribute("data-late");
    },
    { timeout: 30_000 },
    FIGURE,
    words,
  );
  await settled(page);
}

const see = (/** @type {Page} */ page) => page.$eval(FIGURE, (figure) => figure.scrollIntoView());

/**
 * @param {string} query
 * @param {(page: Page) => Promise<void>} use
 * @param {Parameters<typeof site.visit>[2]} [options]
 */
const visit = (query, use, options) =>
  site.visit(
    query,
    async (page) => {
      await see(page);
      await use(page);
    },
    options,
  );

describe("before anything is touched", () => {
  test("what the build has computed is there, with its words, and no script for networks is loaded", async () => {
    const { page, complaints, requests } = await openPage(site.browser, { language: "en" });
    await page.goto(site.address);
    await figuresReady(page);
    await see(page);
    await assertShown(page, expected({}), 5.1e-4);
    assert.match(await unit(page), /rms of the gradient, 24 layers × 128, gain √2, 5 networks/);
    assert.match(await said(page), /No two bands overlap.*ReLU stays closest to 1\.$/);
    await clickInput(page, control("view", "signal"));
    await assertShown(page, expected({ quantity: "signal" }), 5.1e-4);
    await clickInput(page, control("fns", "relu"));
    assert.deepEqual(Object.keys(await readouts(page, `${FIGURE} .read`)), [
      "gelu",
      "gelu.gradient",
      "sigmoid",
      "sigmoid.gradient",
    ]);
    assert.deepEqual(
      requests.filter((url) => /networks/.test(url)),
      [],
    );
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("in the page without scripts: the picture, the words in both languages, a short table", async () => {
    const { page } = await openPage(site.browser, { scripts: false });
    await page.goto(site.address);
    const { zh, en, picture, rows } = await page.$eval(FIGURE, (figure) => ({
      zh: figure.querySelector('.fig-says [lang="zh-CN"]').textContent,
      en: figure.querySelector('.fig-says > [lang="en"]').textContent,
      picture: figure.querySelector(".picture-wide img").src,
      rows: [...figure.querySelectorAll("tbody tr")].map((row) => row.children[0].textContent),
    }));
    assert.match(zh, /梯度的均方根在 5 个网络里的中位数是：ReLU 0\.99、GELU 0\.0042/);
    assert.match(en, /0\.99 with ReLU, 0\.0042 with GELU/);
    assert.equal((await (await fetch(picture)).text()).match(/<path class="band"/g).length, 3);
    assert.deepEqual(rows, ["0", "3", "6", "9", "12", "15", "18", "21", "24"]);
    await page.close();
  });
});

describe("live", () => {
  test("each setting gives the networks of the library, bit for bit", () =>
    visit("", async (page) => {
      await clickInput(page, control("norm", "1"));
      await clickInput(page, control("residual", "1"));
      await drawn(page, "LayerNorm, residual path");
      await assertShown(page, expected({ layerNorm: true, residual: true }));
      assert.match(await said(page), /The bands of ReLU and GELU overlap/);
      await clickInput(page, control("width", "32"));
      await clickInput(page, control("seeds", "9"));
      await clickInput(page, control("gain", "unit"));
      await clickInput(page, control("fns", "silu"));
      await drawn(page, "24 layers × 32, matched gains, LayerNorm, residual path, 9 networks");
      const settings = { layerNorm: true, residual: true, width: 32, seeds: 9, gain: "unit" };
      await assertShown(page, expected({ ...settings, fns: ["gelu", "relu", "sigmoid", "silu"] }));
      await clickInput(page, control("gain", "custom"));
      await setSlider(page, `${FIGURE} input[name="depth.factor"]`, 1.25);
      await setSlider(page, `${FIGURE} input[name="depth.layers"]`, 40);
      await drawn(page, "40 layers × 32, gain 1.25,");
      await assertShown(page, expected({ ...settings, gain: 1.25, layers: 40 }));
      assert.match(await said(page), /after 40 layers back/);
      assert.equal(await page.$eval(LAYER, (input) => input.value), "40", "the cursor stays at the end");
      await page.click(`${FIGURE} [data-tool="reset"]`);
      await drawn(page, "24 layers × 128, gain √2, 5 networks");
      await assertShown(page, expected({}), 5.1e-4);
      assert.equal(await addressSettled(page), "");
    }));

  test("the parameters of a function are those of the page", () =>
    visit("?silu.beta=3&depth.fns=silu&depth.width=32#gradient", async (page) => {
      await drawn(page, "× 32");
      await assertShown(page, expected({ fns: ["silu"], width: 32, params: { beta: 3 } }));
    }));

  test("until the new networks are there the old drawing stands under its own settings, greyed and labelled", () =>
    visit("", async (page) => {
      const before = await readouts(page, FIGURE);
      await clickInput(page, control("width", "512"));
      await page.waitForFunction((selector) => document.querySelector(selector).hasAttribute("data-late"), {}, FIGURE);
      assert.match(await unit(page), /24 layers × 128/);
      assert.match(await text(page, ".plot-status"), /^Still the earlier settings\. Computing the new ones: \d+ of 15$/);
      assert.deepEqual(await readouts(page, FIGURE), before);
      // A newer setting cancels what nobody wants any more: it would take far longer than this.
      const started = Date.now();
      await clickInput(page, control("width", "32"));
      await drawn(page, "24 layers × 32");
      assert.ok(Date.now() - started < 6000, `${Date.now() - started} ms`);
      await assertShown(page, expected({ width: 32 }));
      await new Promise((resolve) => setTimeout(resolve, 1000));
      assert.match(await unit(page), /24 layers × 32/);
      // Back to the first state there is nothing to wait for.
      await clickInput(page, control("width", "512"));
      await clickInput(page, control("width", "128"));
      assert.equal(await isLate(page), false);
      assert.match(await unit(page), /24 layers × 128/);
    }));

  test("the last of many settings is the one that is drawn", () =>
    visit("?depth.width=32#gradient", async (page) => {
      for (let layers = 1; layers <= 48; layers += 3) await setSlider(page, `${FIGURE} input[name="depth.layers"]`, layers);
      await drawn(page, "46 layers × 32");
      const { "said.relu": relu } = await readouts(page, FIGURE);
      assert.equal(relu, expected({ layers: 46, width: 32 }).relu);
    }));

  test("the page goes on while it computes", () =>
    visit("", async (page) => {
      await clickInput(page, control("width", "512"));
      await page.waitForFunction((selector) => document.querySelector(selector).hasAttribute("data-late"), {}, FIGURE);
      const slowest = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const gaps = [];
            let last = performance.now();
            const tick = () => {
              const now = performance.now();
              gaps.push(now - last);
              last = now;
              if (gaps.length < 200) setTimeout(tick, 5);
              else resolve(gaps.sort((a, b) => a - b)[180]);
            };
            setTimeout(tick, 5);
          }),
      );
      // A network of this size takes hundreds of milliseconds; nine turns in ten come within a few frames.
      assert.ok(slowest < 60, `${slowest} ms`);
    }));

  test("what overflows ends in a gap and a sentence, and the page lives", () =>
    visit("?depth.gain=custom&depth.factor=12&depth.layers=48&depth.width=32&depth.view=signal#gradient", async (page) => {
      await drawn(page, "48 layers × 32, gain 12");
      assert.match(await said(page), /GELU and ReLU: after 4\d layers it is out of the range of float32, and the line ends\./);
      await page.focus(LAYER);
      await page.keyboard.press("End");
      assert.match(await text(page, ".read"), /GELU (—|∞)/);
      await clickInput(page, control("view", "gradient"));
      assert.match(await said(page), /GELU and ReLU: there is no gradient to compute/);
      await clickInput(page, control("gain", "he"));
      await drawn(page, "gain √2");
      assert.match(await said(page), /ReLU stays closest to 1/);
    }));
});

describe("the cursor", () => {
  test("moves along the layers by key, by hand and by typing, and the address has it", () =>
    visit("", async (page) => {
      await page.focus(LAYER);
      await page.keyboard.press("ArrowLeft");
      await assertShown(page, expected({ layer: 23 }), 5.1e-4);
      await page.keyboard.press("Home");
      await assertShown(page, expected({ layer: 0 }), 5.1e-4);
      const typed = `${FIGURE} input[name="depth.layer-typed"]`;
      await page.click(typed, { count: 3 });
      await page.keyboard.type("12");
      await page.keyboard.press("Enter");
      await assertShown(page, expected({ layer: 12 }), 5.1e-4);
      assert.equal(await addressSettled(page), "?depth.layer=12");
      const axis = await page.$eval(LAYER, (input) => {
        input.scrollIntoView({ block: "center" });
        const { left, width, top } = input.getBoundingClientRect();
        return { left: left + 12, width: width - 24, top };
      });
      await page.mouse.click(axis.left + axis.width / 4 + 1, axis.top - 100);
      await assertShown(page, expected({ layer: 6 }), 5.1e-4);
    }));

  test("a link brings back what it says, and what is none of the allowed gives way", async () => {
    await visit(
      "?depth.view=signal&depth.fns=tanh,gelu&depth.layers=6&depth.layer=4&depth.width=64&depth.seeds=3#gradient",
      async (page) => {
        await drawn(page, "rms of the signal, 6 layers × 64, gain √2, 3 networks");
        await assertShown(
          page,
          expected({ fns: ["gelu", "tanh"], layers: 6, layer: 4, width: 64, seeds: 3, quantity: "signal" }),
        );
      },
    );
    await visit(
      "?depth.layers=9999&depth.layer=1e9&depth.width=7&depth.gain=<b>&depth.fns=&depth.seeds=0#gradient",
      async (page) => {
        await drawn(page, "48 layers × 128, gain √2, 5 networks");
        assert.match(await said(page), /no number to draw/);
        assert.equal(await page.$eval(LAYER, (input) => input.value), "48");
      },
    );
    await visit("?depth.layers=3&depth.width=32&depth.layer=20#gradient", async (page) => {
      await drawn(page, "3 layers × 32");
      await assertShown(page, expected({ layers: 3, width: 32 }));
    });
  });
});

test("table and CSV have every layer: median, least and greatest of what is drawn", () =>
  visit(
    "?depth.width=32&depth.layers=30&depth.fns=relu#gradient",
    async (page) => {
      await drawn(page, "30 layers × 32");
      await page.click(`${FIGURE} [data-tool="dataTable"]`);
      assert.equal(await page.$$eval(`${FIGURE} .fig-table tbody tr`, (rows) => rows.length), 31);
      const { text: csv } = await fileOf(page, FIGURE, "csv");
      const [head, ...rows] = csv.replace("\ufeff", "").trim().split("\r\n");
      assert.equal(head, 'Layers passed,"ReLU, median","ReLU, least","ReLU, greatest"');
      const sizes = [1, 2, 3, 4, 5].map(
        (seed) => gelu.propagate({ layers: 30, width: 32, gain: Math.SQRT2, activation: "relu", seed }).gradient,
      );
      rows.forEach((row, layer) => {
        const sorted = sizes.map((size) => size[30 - layer]).sort((a, b) => a - b);
        assert.deepEqual(row.split(",").map(Number), [layer, sorted[2], sorted[0], sorted[4]]);
      });
    },
    { before: catchFiles },
  ));

test("prompts and links of other sections lead here and set it", () =>
  visit(
    "?depth.width=32&depth.fns=tanh",
    async (page) => {
      await page.$$eval('button[data-set="depth.norm=1&depth.residual=1"]', (all) =>
        all.find((each) => each.checkVisibility()).click(),
      );
      await drawn(page, "24 layers × 128, gain √2, LayerNorm, residual path");
      assert.match(await page.$eval(`${FIGURE} .fig-task`, (task) => task.innerText), /Compare the factor/);
      for (const [place, query, words] of [
        ["#misconceptions", "depth.view=gradient", "rms of the gradient, 24 layers × 128, gain √2, 5"],
        ["#misconceptions", "depth.view=signal", "rms of the signal, 24 layers × 128, gain √2, 5"],
        ["#interview", "depth.gain=unit", "rms of the signal, 24 layers × 128, matched gains, 5"],
      ]) {
        await page.$$eval(`${place} a[data-set*="${query}"]`, (all) => all[0].click());
        await drawn(page, words);
      }
    },
    { sections: [] },
  ));

test("on a phone: by touch, in Chinese, nothing wider than the screen, every control of 44", () =>
  visit(
    "?lang=zh",
    async (page) => {
      const small = await page.$$eval(`${FIGURE} .ctls label`, (labels) =>
        labels
          .filter(
            (label) => label.checkVisibility() && label.matches(".seg label") && label.getBoundingClientRect().height < 43.5,
          )
          .map((label) => label.textContent),
      );
      assert.deepEqual(small, []);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
      await page.$eval(control("residual", "1"), (input) => input.closest("label").scrollIntoView({ block: "center" }));
      await (await page.$(`${FIGURE} [data-control="depth.residual"] label:last-of-type`)).tap();
      await drawn(page, "残差");
      assert.match(await said(page), /^从 1 出发，往回走过 24 层，梯度的均方根在 5 个网络里的中位数是：/);
      await assertShown(page, expected({ residual: true }));
    },
    { width: 360, height: 740, touch: true, language: "zh-CN" },
  ));

describe("where something is missing", () => {
  test("no worker starts: small networks on the page’s own thread, for large ones a sentence", () =>
    visit(
      "?depth.width=256#gradient",
      async (page) => {
        await page.waitForFunction(
          (selector) => /no second thread/.test(document.querySelector(selector)?.innerText),
          {},
          `${FIGURE} .plot-status`,
        );
        assert.match(await unit(page), /24 layers × 128/);
        await clickInput(page, control("width", "32"));
        await drawn(page, "24 layers × 32");
        await assertShown(page, expected({ width: 32 }));
      },
      {
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            window.Worker = class {
              constructor() {
                throw new Error("not here");
              }
            };
          }),
      },
    ));

  test("the script does not load: a sentence, a button, and then it works", async () => {
    const { page } = await openPage(site.browser, { language: "en" });
    let isDown = true;
    await page.setRequestInterception(true);
    page.on("request", (request) => (isDown && /networks-/.test(request.url()) ? request.abort() : request.continue()));
    await page.goto(`${site.address}#gradient`);
    await figuresReady(page);
    await see(page);
    await clickInput(page, control("width", "32"));
    await page.waitForSelector(`${FIGURE} .fig-error button`);
    isDown = false;
    await page.click(`${FIGURE} .fig-error button`);
    await drawn(page, "24 layers × 32");
    await assertShown(page, expected({ width: 32 }));
    await page.close();
  });
});
