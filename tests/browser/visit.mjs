/** One browser and one server for a file of tests, and visits that accept no complaint of the page. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { figuresReady, isGivenUp, launch, openPage, serveSite } from "./browser.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

/** Leaves the other sections out of the page before its script runs: what a test does not look at costs most of its time. */
export function keepOnly(/** @type {string[]} */ sections) {
  document.addEventListener("readystatechange", () => {
    if (document.readyState !== "interactive") return;
    for (const section of document.querySelectorAll("main > section")) if (!sections.includes(section.id)) section.remove();
  });
}

/**
 * To be called at the top of a file of tests: starts before the first test, stops after the last.
 * @param {string[]} [sections] that a visit has, unless it asks for others; an empty list: the whole page
 */
export function useSite(sections = []) {
  const own = {
    /** @type {import("puppeteer-core").Browser} */
    browser: /** @type {any} */ (undefined),
    address: "",

    /**
     * Opens the page, in English unless told otherwise, uses it, and accepts no complaint.
     * @param {string} path
     * @param {(page: Page) => Promise<void>} use
     * @param {Parameters<typeof openPage>[1] & {
     *   before?: (page: Page) => Promise<unknown>, sections?: string[], asks?: boolean,
     * }} [options] before: the page loads; asks: `gradients` its question
     */
    async visit(path, use, { before: prepare, sections: wanted = sections, asks, ...options } = {}) {
      const { page, complaints } = await openPage(own.browser, { language: "en", ...options });
      try {
        if (wanted.length > 0) await page.evaluateOnNewDocument(keepOnly, wanted);
        await prepare?.(page);
        await page.goto(own.address + path);
        await figuresReady(page, { asks });
        await use(page);
        // What the page was still asking for when the test led it elsewhere.
        assert.deepEqual(
          complaints.filter((complaint) => !isGivenUp(complaint)),
          [],
        );
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
