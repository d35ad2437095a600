/** The pictures of the figures further down, in files of their own: who has scripts loads none of them, all others see them. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { ENGINE, figuresReady, openPage, serveSite, settled } from "./browser.mjs";
import { useSite } from "./visit.mjs";

const site = useSite();
const LONG = { timeout: 120_000 };

/** How many bytes a file of the site has when it travels. @param {string} url */
async function sentBytes(url) {
  const path = new URL(url).pathname.replace(/\/$/, "/index.html");
  return (await readFile(new URL(`../../dist/site${path}.br`, import.meta.url))).length;
}

const isPicture = (/** @type {string} */ url) => /\/assets\/picture-[\w-]+\.svg/.test(url);

/** @param {import("puppeteer-core").Page} page */
async function scrollThrough(page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.documentElement.scrollHeight; y += 500) {
      scrollTo({ top: y, behavior: "instant" });
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
  });
}

/**
 * The page while the script of the figures further down is still on its way.
 * @param {Parameters<typeof openPage>[1]} options
 */
async function withoutLater(options) {
  const { page } = await openPage(site.browser, { language: "en", ...options });
  await page.setRequestInterception(true);
  page.on("request", (request) => /\/later-\w+\.js/.test(request.url()) || request.continue());
  await page.goto(site.address, { waitUntil: "domcontentloaded" });
  await page.waitForSelector('#relu-curves[data-state="ready"]');
  return page;
}

for (const [width, height] of [
  [1280, 900],
  [360, 640],
]) {
  test(
    `with scripts none of them is loaded, and all that is, from top to end at ${width} px, is at most 250 kB`,
    LONG,
    async () => {
      const { page, complaints, requests } = await openPage(site.browser, { language: "en", width, height });
      await page.goto(site.address, { waitUntil: "networkidle0" });
      await figuresReady(page, { asks: true });
      await scrollThrough(page);
      await settled(page);
      const urls = [...new Set(requests.filter((url) => url.startsWith("http")).map((url) => url.replace(/#.*/, "")))];
      const sizes = await Promise.all(urls.map(sentBytes));
      for (const [i, url] of urls.entries()) console.log(`${url.slice(site.address.length) || "index.html"}: ${sizes[i]} bytes`);
      const total = sizes.reduce((sum, size) => sum + size, 0);
      console.log(`all that loads without a click at ${width} px: ${total} bytes`);
      assert.deepEqual(urls.filter(isPicture), []);
      assert.ok(urls.length >= 7, urls.join(" "));
      assert.ok(total <= 250_000, String(total));
      assert.deepEqual(complaints, []);
      await page.close();
    },
  );
}

for (const [width, dark] of /** @type {const} */ ([
  [1280, false],
  [360, true],
])) {
  test(`until the script of a figure has come its picture stands in its place, at ${width} px`, LONG, async () => {
    const page = await withoutLater({ width, dark });
    const pictures = await page.$$eval(".fig:not([data-state=ready]) .picture img", async (all) => {
      const found = [];
      for (const img of /** @type {HTMLImageElement[]} */ (all)) {
        img.scrollIntoView({ block: "center", behavior: "instant" });
        const { width, height } = img.getBoundingClientRect();
        // Firefox decodes nothing that it has not begun to load.
        if (!img.complete) await new Promise((resolve) => img.addEventListener("load", resolve, { once: true }));
        await img.decode();
        const plot = /** @type {HTMLElement} */ (img.closest(".plot"));
        found.push({
          name: img.closest("figure")?.id,
          file: new URL(img.currentSrc).pathname,
          natural: [img.naturalWidth, img.naturalHeight],
          size: [width, height],
          after: [img.getBoundingClientRect().width, img.getBoundingClientRect().height],
          plot: [plot.clientWidth, plot.clientHeight],
          alt: img.alt,
        });
      }
      return found;
    });
    assert.equal(pictures.length, 12);
    for (const { name, file, natural, size, after, plot, alt } of pictures) {
      assert.match(file, new RegExp(`/assets/picture-${name}-\\w{10}\\.svg$`));
      assert.ok(natural[0] >= 600 && natural[1] >= 300, `${name}: ${natural}`);
      assert.deepEqual(after, size, `${name} moves as it comes`);
      assert.equal(size[1], plot[1], `${name}: its height`);
      // On a phone it scrolls in its own box.
      if (width > 720) assert.equal(size[0], plot[0], `${name}: its width`);
      else assert.ok(size[0] >= 560, `${name}: ${size}`);
      assert.match(alt, /[\u4e00-\u9fff].* · .*[a-z]/, name);
    }
    await page.close();
  });
}

test("in none of them is a word cut at the edge, or on another", LONG, async (t) => {
  // The page's policy would leave one that is opened by itself without its style.
  const free = await serveSite({ csp: "" });
  t.after(() => free.close());
  const { page } = await openPage(site.browser);
  await page.goto(free.address);
  const sources = await page.$$eval(".picture img", (all) => all.map((img) => /** @type {HTMLImageElement} */ (img).src));
  assert.equal(sources.length, 13);
  for (const source of sources) {
    await page.goto(source);
    const { cut, heaped, count } = await page.evaluate(() => {
      const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (document.documentElement));
      const { width, height } = svg.viewBox.baseVal;
      const lines = [...svg.querySelectorAll("text")].flatMap((text) => {
        const parts = [...text.querySelectorAll("tspan[lang]")];
        return /** @type {SVGTextContentElement[]} */ (parts.length > 0 ? parts : [text]);
      });
      const boxes = lines.map((line) => {
        const { x, y, width, height } = line.getBoundingClientRect();
        // A line is as high as its font, within which the next may begin; words of two languages touch.
        return {
          words: line.textContent ?? "",
          left: x,
          right: x + width - 1,
          top: y + 0.25 * height,
          bottom: y + 0.75 * height,
        };
      });
      const seen = boxes.filter(({ words }) => words.trim() !== "");
      return {
        count: seen.length,
        cut: seen.filter(({ left, right, top, bottom }) => left < 0 || right > width || top < 0 || bottom > height),
        heaped: seen.filter((a, i) =>
          seen.slice(0, i).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
        ),
      };
    });
    assert.ok(count > 8, source);
    assert.deepEqual(cut, [], source);
    assert.deepEqual(heaped, [], source);
  }
  await page.close();
});

/** Themes against the system's: in WebKit pictures know nothing of them, and stand on a ground of their own. */
const FORCED =
  ENGINE === "webkit"
    ? []
    : [
        [true, "light"],
        [false, "dark"],
      ];

test("the colours are those of the page, in the light and in the dark, and the ground is the page's", async () => {
  for (const [dark, theme] of /** @type {[boolean, string][]} */ ([[false, "auto"], [true, "auto"], ...FORCED])) {
    const page = await withoutLater({ dark });
    await page.evaluate((name) => {
      if (name !== "auto") document.documentElement.dataset.theme = name;
    }, theme);
    await page.$eval("#relu-gates .picture img", async (element) => {
      const img = /** @type {HTMLImageElement} */ (element);
      img.scrollIntoView({ block: "center", behavior: "instant" });
      if (!img.complete) await new Promise((resolve) => img.addEventListener("load", resolve, { once: true }));
      await img.decode();
    });
    await settled(page);
    const box = await (await page.$("#relu-gates .picture img"))?.boundingBox();
    assert.ok(box);
    const shot = await page.screenshot({ clip: box, encoding: "base64" });
    const found = await page.evaluate(async (data) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (one) => one.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
      const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
      context.drawImage(bitmap, 0, 0);
      const pixels = context.getImageData(0, 0, bitmap.width, bitmap.height).data;
      const style = getComputedStyle(document.documentElement);
      const rgb = (/** @type {string} */ token) =>
        [1, 3, 5].map((at) =>
          Number.parseInt(
            style
              .getPropertyValue(token)
              .trim()
              .slice(at, at + 2),
            16,
          ),
        );
      const countOf = (/** @type {string} */ token) => {
        const [r, g, b] = rgb(token);
        let count = 0;
        for (let i = 0; i < pixels.length; i += 4) if (pixels[i] === r && pixels[i + 1] === g && pixels[i + 2] === b) count++;
        return count;
      };
      return { all: pixels.length / 4, paper: countOf("--paper"), curve: countOf("--fn-relu") };
    }, shot);
    const label = `${dark ? "dark" : "light"} system, ${theme}: ${JSON.stringify(found)}`;
    assert.ok(found.paper > 0.8 * found.all, label);
    assert.ok(found.curve > 100, label);
    await page.close();
  }
});

test("paper has a drawing in the place of each, as high as it was, as often as it is printed", LONG, async () => {
  await site.visit("", async (page) => {
    const print = () =>
      page.evaluate(() => {
        dispatchEvent(new Event("beforeprint"));
        return [...document.querySelectorAll(".picture-wide")].map((picture) =>
          [...picture.children].map((each) => each.outerHTML),
        );
      });
    const first = await print();
    assert.equal(first.length, 15);
    for (const [drawing, ...others] of first) {
      assert.match(drawing, /^<svg [^>]*height="\d+".*<path class="curve"/s);
      assert.deepEqual(others, []);
    }
    assert.deepEqual(await print(), first);
    const ids = await page.$$eval("[id]", (all) => all.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length, "an id twice");
  });
});
