/** One browser and one server for a file of tests, and visits that accept no complaint of the page. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { figuresReady, launch, openPage, serveSite } from "./browser.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

/** To be called at the top of a file of tests: starts before the first test, stops after the last. */
export function useSite() {
  const own = {
    /** @type {import("puppeteer-core").Browser} */
    browser: /** @type {any} */ (undefined),
    address: "",

    /**
     * Opens the page, in English unless told otherwise, uses it, and accepts no complaint.
     * @param {string} path
     * @param {(page: Page) => Promise<void>} use
     * @param {Parameters<typeof openPage>[1] & { before?: (page: Page) => Promise<unknown> }} [options] before: the page loads
     */
    async visit(path, use, { before: prepare, ...options } = {}) {
      const { page, complaints } = await openPage(own.browser, { language: "en", ...options });
      try {
        await prepare?.(page);
        await page.goto(own.address + path);
        await figuresReady(page);
        await use(page);
        assert.deepEqual(complaints, []);
      } finally {
        await page.close();
      }
    },
  };
  /** @type {{ address: string, close(): Promise<void> }} */
  let site;
  before(async () => {
    own.browser = await launch();
    site = await serveSite();
    own.address = site.address;
  });
  after(async () => {
    await own.browser?.close();
    await site?.close();
  });
  return own;
}

/** The state as the address holds it, once it has settled: nothing is written later than this. */
export async function addressSettled(/** @type {Page} */ page) {
  await new Promise((resolve) => setTimeout(resolve, 700));
  return page.evaluate(() => location.search);
}

/** The range that a figure shows. */
export function rangeOf(/** @type {Page} */ page, /** @type {string} */ figure) {
  return page.$eval(`${figure} input[name="x"]`, (input) => [Number(input.min), Number(input.max)]);
}
