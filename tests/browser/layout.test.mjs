/** Nothing is cut, nothing scrolls sideways, and plots keep their size: at every width, in both languages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresReady, lackOf, openPage, settled } from "./browser.mjs";
import { useSite } from "./visit.mjs";

const site = useSite();

/** @param {Parameters<typeof openPage>[1]} options @param {string} query */
async function open(options, query) {
  const opened = await openPage(site.browser, options);
  await opened.page.goto(site.address + query);
  await figuresReady(opened.page);
  await settled(opened.page);
  return opened;
}

/**
 * What sticks out: the page's own width, and text outside the viewport that no scrolling box of its own holds.
 * @param {import("puppeteer-core").Page} page
 */
function overflow(page) {
  return page.evaluate(() => {
    const inner = document.documentElement.clientWidth;
    const scrolls = (/** @type {Element | null} */ element) => {
      for (let at = element; at !== null && at !== document.body; at = at.parentElement) {
        const { overflowX } = getComputedStyle(at);
        if (overflowX === "auto" || overflowX === "scroll") return true;
        // Hidden from sight and kept for screen readers.
        if (at.getBoundingClientRect().width <= 1) return true;
        if (at.matches(".vh, .skip")) return true;
      }
      return false;
    };
    const cut = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = /** @type {Text} */ (walker.currentNode);
      const parent = text.parentElement;
      if (text.data.trim() === "" || parent === null || !parent.checkVisibility({ visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) {
        if (box.width > 0 && (box.left < -0.5 || box.right > inner + 0.5) && !scrolls(parent)) {
          cut.push(`${text.data.trim().slice(0, 40)} (${Math.round(box.left)} to ${Math.round(box.right)})`);
          break;
        }
      }
    }
    // What makes the page wide, for the message: the deepest elements that reach beyond its edge.
    const wide = [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > inner + 0.5 && !scrolls(element) && element.checkVisibility())
      .slice(-3)
      .map(
        (element) =>
          `${element.tagName.toLowerCase()}.${element.className} to ${Math.round(element.getBoundingClientRect().right)}`,
      );
    return { scroll: document.documentElement.scrollWidth, inner, window: innerWidth, cut, wide };
  });
}

/** @param {import("puppeteer-core").Page} page */
const plots = (page) =>
  page.$$eval("figure[data-figure] canvas", (canvases) =>
    canvases.map((canvas) => {
      const { width, height } = canvas.getBoundingClientRect();
      return { width, height, pixels: `${canvas.width} × ${canvas.height}` };
    }),
  );

/** @param {import("puppeteer-core").Page} page @param {string} label */
async function assertFits(page, label) {
  const { scroll, inner, window, cut, wide } = await overflow(page);
  assert.ok(scroll <= window && scroll <= inner, `${label}: the page is ${scroll} px wide in ${inner}: ${wide}`);
  assert.deepEqual(cut, [], label);
}

for (const width of [1280, 768, 360, 320]) {
  for (const language of ["zh", "en"]) {
    test(`${width} px, ${language}: all of it is in view`, async () => {
      const { page, complaints } = await open({ width, height: 800, touch: width < 720 }, `?lang=${language}`);
      await assertFits(page, "as it opens");
      for (const { width: own, height } of await plots(page))
        assert.ok(own >= 200 && own <= width && height >= 150, `a plot of ${own} × ${height}`);
      // With everything that can be opened open, and the longest labels.
      await page.$$eval('[data-tool="dataTable"]', (buttons) => buttons.forEach((button) => void button.click()));
      await page.$$eval('section#playground [data-control="fns"] input', (boxes) =>
        boxes.forEach((box) => void (box.checked || box.click())),
      );
      await page.$$eval("details", (elements) => elements.forEach((element) => void element.setAttribute("open", "")));
      await settled(page);
      await assertFits(page, "with everything open");
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }
}

test("plots keep their size while nothing happens, and get it back after 20 resizes", async () => {
  // Neither a whole number of pixels nor one that divides evenly; other ratios are in faults.test.mjs.
  const scale = lackOf("a scale between whole numbers") === undefined ? 1.25 : 3;
  const { page, complaints } = await open({ width: 1000, height: 800, scale }, "?lang=en");
  const first = await plots(page);
  assert.ok(first.length >= 4);
  for (const { width, height } of first) assert.ok(width > 0 && height > 0);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual(await plots(page), first, "grows by itself");
  for (let i = 0; i < 20; i++) {
    await page.setViewport({ width: 400 + ((i * 337) % 900), height: 600 + i * 10, deviceScaleFactor: scale });
    await settled(page);
  }
  await page.setViewport({ width: 1000, height: 800, deviceScaleFactor: scale });
  await settled(page);
  await settled(page);
  assert.deepEqual(await plots(page), first, `after 20 resizes at ${scale}`);
  await assertFits(page, "after 20 resizes");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("the axis control lies on the plot at every width", async () => {
  for (const width of [1280, 768, 360]) {
    const { page } = await open({ width, height: 800 }, "?lang=en");
    const boxes = await page.$$eval('figure[data-figure]:has(input[name="x"])', (figures) =>
      figures.map((figure) => {
        const box = (/** @type {string} */ selector) =>
          /** @type {Element} */ (figure.querySelector(selector)).getBoundingClientRect();
        const plot = box(".plot");
        const axis = box('input[name="x"]');
        return {
          inside: axis.left >= plot.left - 13 && axis.right <= plot.right + 13 && axis.top > plot.top && axis.top < plot.bottom,
          wide: axis.width > plot.width / 2,
        };
      }),
    );
    for (const { inside, wide } of boxes) assert.ok(inside && wide, `${width} px`);
    await page.close();
  }
});

test("text at twice its size does not scroll sideways", async () => {
  for (const [width, language] of /** @type {const} */ ([
    [1280, "zh"],
    [1280, "en"],
    [768, "en"],
    [640, "zh"],
  ])) {
    const { page } = await openPage(site.browser, { width, height: 800 });
    await page.evaluateOnNewDocument(() => {
      const grow = () => document.documentElement?.style.setProperty("font-size", "200%");
      if (document.documentElement) grow();
      document.addEventListener("DOMContentLoaded", grow);
    });
    await page.goto(`${site.address}?lang=${language}`);
    await figuresReady(page);
    await settled(page);
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), "32px");
    await assertFits(page, `${width} px, ${language}`);
    await page.close();
  }
});

test("at 400 % zoom, which is 320 px, controls are large enough to touch", async () => {
  const { page } = await open({ width: 320, height: 640, touch: true }, "?lang=en");
  const small = await page.$$eval("button, label.chk, .seg label, summary, input.num, input.rng", (elements) =>
    elements
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 0)
      .map((element) => ({
        name: element.textContent?.trim().slice(0, 20) || element.getAttribute("name"),
        box: element.getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width < 24 || box.height < 24)
      .map(({ name, box }) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`),
  );
  assert.deepEqual(small, []);
  await page.close();
});

test("reduced motion: nothing moves by itself or on demand", async () => {
  const { page, complaints } = await open({ calm: true }, "?lang=en");
  const moving = () =>
    page.evaluate(() => document.getAnimations().filter((animation) => animation.playState === "running").length);
  const durations = await page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .map((element) => getComputedStyle(element))
      .filter(
        ({ transitionDuration, animationName }) =>
          animationName !== "none" || /[1-9]/.test(transitionDuration.replace(/\b0s/g, "")),
      )
      .map(({ transitionDuration, animationName }) => `${animationName} ${transitionDuration}`),
  );
  assert.deepEqual([...new Set(durations)], []);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "auto");
  const words = await page.$$("section#gradient p .fn[data-fn]");
  const shown = await Promise.all(words.map((word) => word.isVisible()));
  await words[shown.indexOf(true)].hover();
  assert.equal(await moving(), 0);
  assert.deepEqual(complaints, []);
  await page.close();
});
