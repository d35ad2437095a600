/** When figures come to life, what a failure leaves of them, what paper says of their state, and the tabs of the programs. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages stand in the page, and one is shown
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { figuresReady, needs, openPage, settled } from "./browser.mjs";
import { truth } from "./oracle.mjs";
import { assertNear, readouts, setSlider, typeX } from "./reading.mjs";
import { addressSettled, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite();

const states = (/** @type {Page} */ page) =>
  page.$$eval("figure[data-figure]", (figures) => figures.map((figure) => figure.dataset.state));
const ready = (/** @type {Page} */ page, /** @type {string} */ figure) =>
  page.waitForSelector(`${figure}[data-state="ready"]`, { timeout: 10_000 });

describe("figures come to life", () => {
  /** A browser that never has a moment to spare. */
  const neverIdle = (/** @type {Page} */ page) =>
    page.evaluateOnNewDocument(() => {
      window.requestIdleCallback = () => 0;
    });

  async function opened(/** @type {string} */ path) {
    const { page, complaints } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
    await neverIdle(page);
    await page.goto(site.address + path);
    await ready(page, "#hero figure");
    await settled(page);
    return { page, complaints };
  }

  test("when they come near the viewport", async () => {
    const { page, complaints } = await opened("?x=1.5");
    const waiting = (await states(page)).filter((state) => state === "loading").length;
    assert.ok(waiting >= 5, `${waiting} wait`);
    const errors = '#approximation figure[data-figure="errors"]';
    // To below the viewport, again and again: what is above takes its height as it comes near, and pushes the figure away.
    await page.waitForFunction(
      (selector) => {
        const figure = document.querySelector(selector);
        const below = figure.getBoundingClientRect().top - innerHeight;
        if (figure.dataset.state === "ready") return below > 0;
        scrollBy({ top: below - 400, behavior: "instant" });
        return false;
      },
      { timeout: 10_000 },
      errors,
    );
    // What happened before it came, it knows.
    assert.equal(await page.$eval(`${errors} input[name="x"]`, (input) => Number(input.value)), 1.5);
    assert.ok((await states(page)).includes("loading"), "the others still wait");
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("when a prompt or a link asks for them", async () => {
    const { page, complaints } = await opened("?x=1");
    await page.$eval("#misconceptions a.show[href='#gradient'][data-set*='gradients.']", (link) => link.click());
    await ready(page, '#gradient figure[data-figure="gradients"]');
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("all of them before printing, each with its state", async () => {
    const { page, complaints } = await opened("?x=1.25&models.activation=relu&table.xs=4");
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.deepEqual([...new Set(await states(page))], ["ready"]);
    const notes = await page.$$eval(".print-state", (all) => all.map((note) => note.textContent));
    assert.equal(notes.length, (await states(page)).length);
    for (const note of notes) assert.match(note, /http.*[?&]x=1\.25/);
    assert.match(notes.join(" "), /models\.activation=relu/);
    // The others have a cursor of their own.
    const drawn = await page.$$eval('figure:has(input[name="x"]) .picture-wide svg', (all) => all.map((svg) => svg.textContent));
    assert.ok(drawn.length >= 6);
    for (const text of drawn) assert.match(text, /1\.25/);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test("all of them, when the browser has nothing else to do, and the reader's place stays where it is", async () => {
    for (const anchoring of [true, false]) {
      const { page, complaints } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
      await page.evaluateOnNewDocument((supported) => {
        window.waiting = [];
        window.requestIdleCallback = (act) => window.waiting.push(act);
        if (supported) return;
        // As WebKit.
        CSS.supports = () => false;
        addEventListener("DOMContentLoaded", () => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync("html { overflow-anchor: none }");
          document.adoptedStyleSheets = [sheet];
        });
      }, anchoring);
      await page.goto(`${site.address}?x=1`);
      await page.waitForFunction(() => window.waiting.length > 0);
      const top = () => page.$eval("#interview", (section) => section.getBoundingClientRect().top);
      // By hand: at a place that an address leads to it is held anyway. Until what is near is laid out and has come to life.
      for (let calm = 0, tries = 0; calm < 3 && tries < 30; tries++) {
        await page.$eval("#interview", (section) => section.scrollIntoView({ behavior: "instant" }));
        const there = await top();
        await new Promise((resolve) => setTimeout(resolve, 150));
        calm = Math.abs((await top()) - there) < 1 ? calm + 1 : 0;
      }
      const before = await top();
      assert.ok(before > -10 && before < 200, `the section is at ${before}`);
      assert.ok((await states(page)).includes("loading"));
      while (await page.evaluate(() => window.waiting.pop()?.() ?? window.waiting.length > 0));
      await page.waitForFunction(() => !document.querySelector('[data-state="loading"]'));
      assert.deepEqual([...new Set(await states(page))], ["ready"]);
      await settled(page);
      await settled(page);
      assert.ok(Math.abs((await top()) - before) < 3, `${before}, then ${await top()}, anchoring ${anchoring}`);
      assert.deepEqual(complaints, []);
      await page.close();
    }
  });
});

test("figures whose script comes long after the page leave the reader's place where it is", async () => {
  const { page, complaints } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
  /** @type {() => void} */
  let arrive = () => {};
  const arrival = new Promise((resolve) => (arrive = () => resolve(undefined)));
  await page.setRequestInterception(true);
  page.on("request", async (request) => {
    if (/\/later-\w+\.js/.test(request.url())) await arrival;
    await request.continue();
  });
  await page.goto(`${site.address}?x=1`, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => document.querySelectorAll("main > .sec + .sec:not([data-seen])").length === 0);
  await settled(page);
  await page.mouse.move(640, 400);
  await page.mouse.wheel({ deltaY: 10 });
  await page.$eval("#lecture", (section) => section.scrollIntoView({ behavior: "instant" }));
  await settled(page);
  await settled(page);
  const top = () => page.$eval("#lecture", (section) => section.getBoundingClientRect().top);
  const [before, height] = [await top(), await page.evaluate(() => document.body.scrollHeight)];
  arrive();
  await figuresReady(page, { asks: true });
  await settled(page);
  await settled(page);
  assert.notEqual(await page.evaluate(() => document.body.scrollHeight), height, "nothing has grown");
  assert.ok(Math.abs((await top()) - before) < 3, `${before}, then ${await top()}`);
  assert.deepEqual(complaints, []);
  await page.close();
});

describe("plots and what stands beside them", () => {
  test("the knob stands where x is after the width has changed", () =>
    site.visit("?x=2", async (page) => {
      for (const width of [1280, 768, 360, 740, 1280]) {
        await page.setViewport({ width, height: 800 });
        await settled(page);
        await settled(page);
        const { min, max, drawn } = await page.$eval("#hero figure", (figure) => {
          const input = figure.querySelector('input[name="x"]');
          return { min: Number(input.min), max: Number(input.max), drawn: figure.querySelector(".plot").clientWidth };
        });
        const half = drawn >= 900 ? 4.6 : drawn >= 560 ? 3.6 : 2.6;
        assert.deepEqual([min, max], [-half, half], `${width} px`);
      }
    }));

  test("never cover each other, however far one scrolls", () =>
    site.visit("?x=1", async (page) => {
      for (const [width, height] of [
        [1280, 720],
        [1920, 900],
      ]) {
        await page.setViewport({ width, height });
        await settled(page);
        const covered = await page.evaluate(async () => {
          const found = [];
          for (const figure of document.querySelectorAll("figure[data-figure]")) {
            const [plot, side] = [".plot", ".fig-side"].map((part) => figure.querySelector(part));
            if (!plot || !side?.checkVisibility()) continue;
            for (let by = -200; by < figure.offsetHeight; by += 100) {
              scrollTo({ top: figure.getBoundingClientRect().top + scrollY + by, behavior: "instant" });
              const [a, b] = [plot, side].map((part) => part.getBoundingClientRect());
              if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
                found.push(`${figure.id} at ${by}`);
            }
          }
          return found;
        });
        assert.deepEqual(covered, [], `${width} px`);
      }
    }));

  test("a prompt leaves what other figures have of their own", () =>
    site.visit("?models.activation=relu&table.xs=1,2", async (page) => {
      await page.$eval("#definition button[data-set]", (button) => button.click());
      assert.match(await addressSettled(page), /models\.activation=relu&table\.xs=1,2|table\.xs=1,2.*models\.activation=relu/);
    }));
});

describe("the reader's place", () => {
  test("is kept when the language changes, in the text and beside a figure", async () => {
    for (const width of [1280, 360]) {
      const { page, complaints } = await openPage(site.browser, { language: "zh", width, height: 740 });
      await page.goto(`${site.address}?x=1`);
      await figuresReady(page);
      const figure = '#approximation figure[data-figure="errors"]';
      const top = () => page.$eval(figure, (element) => element.getBoundingClientRect().top);
      await page.$eval(figure, (element) => element.scrollIntoView({ behavior: "instant" }));
      const before = await top();
      await page.$eval('.switches input[name="lang"][value="en"]', (input) => input.click());
      await settled(page);
      assert.ok(Math.abs((await top()) - before) < 3, `${width} px: ${before}, then ${await top()}`);
      // Half-way down a long text: half-way down the other.
      await page.$eval("#ffn .block[lang=en]", (block) => {
        const [first, last] = [block.firstElementChild, block.lastElementChild].map((child) => child.getBoundingClientRect());
        scrollBy({ top: (first.top + last.bottom) / 2 - innerHeight / 3, behavior: "instant" });
      });
      await page.$eval('.switches input[name="lang"][value="zh"]', (input) => input.click());
      await settled(page);
      const share = await page.$eval("#ffn .block[lang|=zh]", (block) => {
        const [first, last] = [block.firstElementChild, block.lastElementChild].map((child) => child.getBoundingClientRect());
        return (innerHeight / 3 - first.top) / (last.bottom - first.top);
      });
      assert.ok(Math.abs(share - 0.5) < 0.02, `${width} px: at ${share} of the text`);
      assert.deepEqual(complaints, []);
      await page.close();
    }
  });

  test("a pressed prompt goes with the reader: it stands in the figure, and leads back", () =>
    site.visit(
      "?x=1",
      async (page) => {
        const prompt = '#approximation .block[lang="en"] button[data-set]';
        const words = await page.$eval(`${prompt} b`, (element) => element.textContent);
        await page.$eval(prompt, (button) => button.click());
        await settled(page);
        const task = "#approximation figure .fig-task";
        assert.ok((await page.$eval(task, (element) => element.textContent)).includes(words));
        await page.$eval(`${task} button`, (button) => button.click());
        await settled(page);
        const { top, bottom } = await page.$eval(prompt, (button) => button.getBoundingClientRect().toJSON());
        assert.ok(top >= 0 && bottom <= 740, `the prompt is at ${top}`);
        assert.equal(
          await page.evaluate(() => document.activeElement?.hasAttribute("data-set")),
          true,
          "the prompt has the focus",
        );
        await page.$eval(prompt, (button) => button.click());
        await setSlider(page, '#hero figure input[name="x"]', 0.25);
        await page.$eval('.switches input[name="lang"][value="zh"]', (input) => input.click());
        assert.equal((await page.$$(".fig-task")).length, 1, "x is the reader's to move, and so is the language");
        await page.$eval("#approximation figure [data-tool=reset]", (button) => button.click());
        assert.equal(await page.$(task), null, "what it said no longer holds");
      },
      { width: 360, height: 740 },
    ));

  test("a wrong x is named right under its field, and the old numbers step back", () =>
    site.visit("?x=1", async (page) => {
      for (const figure of ["#hero figure", '#approximation figure[data-figure="errors"]']) {
        const field = `${figure} input[name="x-typed"]`;
        await page.$eval(field, (input) => input.scrollIntoView({ block: "center" }));
        await page.focus(field);
        await page.$eval(field, (input) => input.select());
        await page.keyboard.type("abc");
        await page.keyboard.press("Enter");
        const [input, message] = await page.$eval(figure, (element) =>
          [...element.querySelectorAll('input[name="x-typed"], .help-row .help')].map((each) =>
            each.getBoundingClientRect().toJSON(),
          ),
        );
        assert.ok(message.height > 0 && message.top >= input.bottom - 2 && message.top < input.bottom + 40, figure);
        assert.ok(message.bottom <= 900, "it is on the screen");
        assert.equal(await page.$eval(`${figure} .read`, (table) => table.classList.contains("stale")), true);
        await page.keyboard.press("Escape");
      }
    }));
});

describe("a kernel that fails", () => {
  /** The kernels answer with a status of their own for as long as window.failing holds. */
  const breakable = (/** @type {Page} */ page) =>
    page.evaluateOnNewDocument(() => {
      const instantiate = WebAssembly.instantiate;
      WebAssembly.instantiate = async (...given) => {
        const { instance, module } = await instantiate.apply(WebAssembly, given);
        const exports = { ...instance.exports };
        for (const name of ["gelu_evaluate_f64", "gelu_evaluate_f32", "gelu_max_error"])
          exports[name] = (...args) => (window.failing ? 3 : instance.exports[name](...args));
        return { module, instance: { exports } };
      };
    });

  test("says so once in each figure, and the page lives on", async () => {
    const { page } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
    await breakable(page);
    await page.goto(`${site.address}?x=1`);
    await figuresReady(page);
    await page.evaluate(() => {
      window.failing = true;
    });
    await typeX(page, "#hero figure", "2");
    const failed = await page.$$eval('figure[data-state="error"]', (figures) =>
      figures.map((figure) => [
        figure.dataset.figure,
        figure.querySelectorAll(".fig-error").length,
        figure.querySelector('.fig-error [lang="en"]').textContent,
      ]),
    );
    assert.ok(failed.length >= 5, `${failed.length} figures say so`);
    for (const [name, boxes, message] of failed) {
      assert.equal(boxes, 1, name);
      assert.match(message, /has stopped: \S/);
    }
    // The page still answers: language, sections, text.
    await page.$eval('.switches input[name="lang"][value="zh"]', (input) => input.click());
    assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
    await page.evaluate(() => {
      window.failing = false;
    });
    await page.$$eval(".fig-error button", (buttons) => {
      for (const button of buttons) button.click();
    });
    assert.deepEqual([...new Set(await states(page))], ["ready"]);
    await typeX(page, "#hero figure", "-0.5");
    assertNear({ gelu: (await readouts(page, "#hero figure")).gelu }, { gelu: truth("gelu", -0.5) }, "afterwards");
    await page.close();
  });

  test("that computes wrongly is found before anything is drawn: no curve, the pictures stay, and what is wrong is said", async () => {
    const { page } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
    await page.evaluateOnNewDocument(() => {
      const instantiate = WebAssembly.instantiate;
      WebAssembly.instantiate = async (...given) => {
        const { instance, module } = await instantiate.apply(WebAssembly, given);
        const exports = { ...instance.exports };
        exports.gelu_evaluate_f64 = (...args) => {
          const status = instance.exports.gelu_evaluate_f64(...args);
          const [y, n] = args.slice(-2);
          const results = new Float64Array(instance.exports.memory.buffer, y, n);
          results.set(results.map((value) => value * (1 + 1e-12)));
          return status;
        };
        return { module, instance: { exports } };
      };
    });
    await page.goto(`${site.address}?x=1`);
    await page.waitForSelector('#hero figure[data-state="error"]');
    assert.deepEqual([...new Set(await states(page))], ["error"]);
    assert.equal(await page.$$eval("canvas", (all) => all.length), 0);
    const message = await page.$eval('#hero .fig-error [lang="en"]', (words) => words.textContent);
    assert.match(message, /gelu\(2\) = 1\.954499736105\d+ ≠ 1\.9544997361036416/);
    await page.close();
  });

  test("from the start: each figure can be tried again", async () => {
    const { page } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
    await breakable(page);
    await page.evaluateOnNewDocument(() => {
      window.failing = true;
    });
    await page.goto(`${site.address}?x=1`);
    await page.waitForFunction(
      () => ![...document.querySelectorAll("figure[data-figure]")].some(({ dataset }) => dataset.state === "loading"),
    );
    const failed = await page.$$eval('figure[data-state="error"]', (figures) => figures.map(({ dataset }) => dataset.figure));
    for (const name of ["curves", "errors", "table"]) assert.ok(failed.includes(name), `${name} failed`);
    await page.evaluate(() => {
      window.failing = false;
    });
    await page.$$eval(".fig-error button", (buttons) => {
      for (const button of buttons) button.click();
    });
    assert.deepEqual([...new Set(await states(page))], ["ready"]);
    await typeX(page, "#hero figure", "-0.5");
    for (const figure of ["#hero figure", '#relu figure[data-figure="curves"]'])
      assertNear({ gelu: (await readouts(page, figure)).gelu }, { gelu: truth("gelu", -0.5) }, `${figure} follows x`);
    await page.close();
  });
});

describe("the script of the figures further down", () => {
  test("that did not load is named in each of them, the first figures work, and one other try brings them all", async () => {
    const { page, complaints } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
    let isDown = true;
    await page.setRequestInterception(true);
    page.on("request", (request) => (isDown && /\/later-/.test(request.url()) ? request.abort() : request.continue()));
    await page.goto(`${site.address}?x=1`);
    await page.waitForFunction(
      () => ![...document.querySelectorAll("figure[data-figure]")].some(({ dataset }) => dataset.state === "loading"),
    );
    const all = await page.$$eval("figure[data-figure]", (figures) =>
      figures.map((figure) => [
        figure.dataset.variant === "full" ? "playground" : figure.dataset.figure,
        figure.dataset.state,
        figure.querySelector('.fig-error [lang="en"]')?.textContent ?? "",
      ]),
    );
    for (const [name, state, message] of all) {
      const isEarly = ["curves", "admission"].includes(name);
      assert.equal(state, isEarly ? "ready" : "error", name);
      if (isEarly) continue;
      assert.match(message, /has stopped: a script of this page did not load: assets\/later-\w+\.js/, name);
    }
    assert.ok(complaints.length > 0 && complaints.every((text) => /later-|net::ERR_FAILED/.test(text)), complaints.join("\n"));
    isDown = false;
    await page.$eval(".fig-error button", (button) => button.click());
    await figuresReady(page);
    await typeX(page, "#hero figure", "-0.5");
    const { normal_cdf } = await readouts(page, "#sigmoid figure");
    assertNear({ normal_cdf }, { normal_cdf: truth("normal_cdf", -0.5) }, "a figure that came late follows x");
    await page.close();
  });

  test("that is slow is wired once, however many figures wait for it", async () => {
    const { page, complaints } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
    /** @type {() => void} */
    let arrives = () => {};
    const arrival = new Promise((resolve) => {
      arrives = () => resolve(undefined);
    });
    await page.setRequestInterception(true);
    page.on("request", async (request) => {
      if (/\/later-\w+\.js/.test(request.url())) await arrival;
      request.continue();
    });
    const loading = page.goto(`${site.address}?x=1`);
    await page.waitForSelector('#hero figure[data-state="ready"]');
    // Paper has every figure ask at once.
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    arrives();
    await loading;
    await figuresReady(page);
    assert.equal(await page.$$eval(".bar .switches > .theme > .btn", (buttons) => buttons.length), 1);
    await page.click(".bar .switches > .theme > .btn");
    await page.waitForSelector(".step-line .count");
    const count = () => page.$eval(".step-line .count", (element) => element.textContent);
    assert.match(await count(), /^1 \//);
    await page.keyboard.press("PageDown");
    assert.match(await count(), /^2 \//);
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

describe("the script of what only a press needs", () => {
  test("that did not load is named, on the button and to who listens, and another press brings it", async () => {
    const { page, complaints } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
    let isDown = true;
    await page.setRequestInterception(true);
    page.on("request", (request) => (isDown && /\/tools-/.test(request.url()) ? request.abort() : request.continue()));
    await page.goto(site.address);
    await figuresReady(page);
    const press = (selector) => page.$eval(selector, (button) => button.click());
    const words = (selector) => page.$eval(selector, (button) => button.innerText.trim());
    const heard = (section) =>
      page.waitForFunction(
        (selector) =>
          /^a script of this page did not load: assets\/tools-\w+\.js$/.test(document.querySelector(selector).textContent),
        { timeout: 3000 },
        `${section} [role="status"]`,
      );
    const PRESENT = ".switches > .theme > .btn";
    for (const [selector, section] of [
      [PRESENT, "#hero"],
      ['#sigmoid-gates [data-tool="embed"]', "#sigmoid"],
      ['#gradient-gradients [data-tool="svg"]', "#gradient"],
    ]) {
      const before = await words(selector);
      await press(selector);
      await page.waitForFunction((of) => document.querySelector(of).innerText.trim() === "Failed: try again", {}, selector);
      await heard(section);
      await page.waitForFunction((of, old) => document.querySelector(of).innerText.trim() === old, {}, selector, before);
    }
    assert.ok(complaints.length > 0 && complaints.every((text) => /tools-|net::ERR_FAILED/.test(text)), complaints.join("\n"));
    isDown = false;
    await press('#sigmoid-gates [data-tool="embed"]');
    await page.waitForSelector("#sigmoid-gates .builder", { timeout: 3000 });
    await press(PRESENT);
    await page.waitForSelector(".step-line", { timeout: 3000 });
    await page.close();
  });

  test("that did not load leaves a page asked for with presenter mode to be read, and a press brings the mode", async () => {
    const { page } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
    let isDown = true;
    await page.setRequestInterception(true);
    page.on("request", (request) => (isDown && /\/tools-/.test(request.url()) ? request.abort() : request.continue()));
    await page.goto(`${site.address}?presenter=1`);
    await figuresReady(page);
    await page.waitForFunction(() => document.documentElement.dataset.presenter === undefined, { timeout: 3000 });
    assert.ok(await page.$eval('#hero [lang="en"] h1', (title) => title.checkVisibility({ checkVisibilityCSS: true })));
    isDown = false;
    await page.$eval(".switches > .theme > .btn", (button) => button.click());
    await page.waitForSelector(".step-line", { timeout: 3000 });
    assert.equal(await page.$$eval("main figure", (all) => all.filter((figure) => figure.checkVisibility()).length), 1);
    await page.close();
  });
});

describe("the programs", () => {
  const shown = (/** @type {Page} */ page) =>
    page.$$eval(".programs .code", (all) =>
      all.filter((each) => each.checkVisibility()).map((each) => each.querySelector(".code-head span").textContent),
    );

  test("are tabs, by pointer and by arrow keys", () =>
    site.visit("?x=1", async (page) => {
      const names = await page.$$eval(".programs .tabs label", (labels) => labels.map((label) => label.textContent));
      assert.deepEqual(names, ["Python", "C", "NumPy + SciPy", "PyTorch"]);
      assert.match((await shown(page)).join(), /^Python gelu\.py$/);
      await page.$eval(".programs .tabs label:nth-of-type(3)", (label) => label.click());
      assert.match((await shown(page)).join(), /gelu_numpy\.py$/);
      await page.focus(".programs .tabs input:checked");
      await page.keyboard.press("ArrowRight");
      assert.match((await shown(page)).join(), /gelu_torch\.py$/);
    }));

  test("are all on paper", needs("print media"), () =>
    site.visit("?x=1", async (page) => {
      await page.emulateMediaType("print");
      assert.equal((await shown(page)).length, 4);
    }),
  );

  test("stand one after the other without scripts", async () => {
    const { page } = await openPage(site.browser, { scripts: false });
    await page.goto(site.address);
    assert.equal((await shown(page)).length, 4);
    await page.close();
  });
});
