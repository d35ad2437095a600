/** Where a visit begins: at what the address points to, or where the reader has been, whatever grows above it meanwhile. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { figuresReady, openPage } from "./browser.mjs";
import { useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite();
const SIZES = [
  { width: 1200, height: 900 },
  { width: 375, height: 700 },
];

const topOf = (/** @type {Page} */ page, /** @type {string} */ selector) =>
  page.$eval(selector, (element) => element.getBoundingClientRect().top);

/** Until the page has had one height for a second. */
const quiet = (/** @type {Page} */ page) =>
  page.evaluate(async () => {
    for (let height = 0, same = 0; same < 10; ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      same = document.body.scrollHeight === height ? same + 1 : 0;
      height = document.body.scrollHeight;
    }
  });

describe("a link to a figure", () => {
  for (const size of SIZES) {
    for (const id of ["ffn-race", "gradient-depth", "playground-curves"]) {
      test(`#${id} at ${size.width} × ${size.height} stays under the bar while figures above come, until the reader goes on`, () =>
        site.visit(
          `?lang=en#${id}`,
          async (page) => {
            await quiet(page);
            const room = await page.evaluate(() =>
              Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop),
            );
            const top = await topOf(page, `#${id}`);
            assert.ok(Math.abs(top - room) <= 2, `its top is at ${top}, want ${room}`);
            await page.mouse.move(size.width / 2, 5);
            const from = await page.evaluate(() => scrollY);
            await page.mouse.wheel({ deltaY: -500 });
            await page.waitForFunction((before) => scrollY < before - 300, { timeout: 3000 }, from);
            await page.evaluate(() => document.querySelector(".foot").append(document.createElement("p"), "higher"));
            await quiet(page);
            assert.ok((await topOf(page, `#${id}`)) > room + 300, "the reader was taken back");
          },
          size,
        ));
    }
  }
});

test("a link that is followed while figures still come leads to its figure, and stays there", async () => {
  for (const size of SIZES) {
    for (const [link, figure] of [
      ["#gradient", "#gradient-depth"],
      ["#applications-models", "#applications-models"],
    ]) {
      const { page, complaints } = await openPage(site.browser, { language: "en", ...size });
      await page.goto(`${site.address}?x=1`);
      await page.waitForSelector('#hero figure[data-state="ready"]');
      await page.evaluate((hash) => {
        const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('[lang="en"] a.show[data-set]'));
        [...links].find((each) => each.hash === hash)?.click();
      }, link);
      await figuresReady(page, { asks: true });
      await quiet(page);
      const room = await page.evaluate(
        () => Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 24,
      );
      const top = await topOf(page, figure);
      assert.ok(Math.abs(top - room) <= 2, `${figure} at ${size.width}: its top is at ${top}, want ${room}`);
      assert.deepEqual(complaints, []);
      await page.close();
    }
  }
});

test("a reload shows what was read before it", async () => {
  for (const size of SIZES) {
    for (const [section, part] of [
      ["gradient", "p"],
      ["interview", "p"],
      // Below buttons that a script has put there.
      ["lecture", ".worksheet"],
    ]) {
      await site.visit(
        "?lang=en",
        async (page) => {
          await quiet(page);
          const heading = `#${section} .block[lang="en"] ${part}`;
          await page.$eval(heading, (element) => element.scrollIntoView({ block: "start" }));
          await quiet(page);
          const before = await topOf(page, heading);
          await page.reload();
          await page.waitForSelector('#playground figure[data-state="ready"]', { timeout: 15_000 });
          await quiet(page);
          const now = await topOf(page, heading);
          assert.ok(Math.abs(now - before) <= 2, `${section} at ${size.width}: from ${before} to ${now}`);
        },
        size,
      );
    }
  }
});
