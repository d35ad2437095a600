/** A browser and the site's server for the tests: starts them, opens pages, collects what a page complains about. */
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSiteServer, listen } from "../../web/build/serve.mjs";
import { isRemark } from "./engines.mjs";

export { downloadTo, ENGINE, ENGINES, isGivenUp, lackOf, launch, needs } from "./engines.mjs";

/**
 * dist/site under the strict policy, at an address of its own.
 * @param {Parameters<typeof createSiteServer>[0]} [options]
 */
export async function serveSite(options = {}) {
  const server = createSiteServer(options);
  const port = await listen(server, 0, "127.0.0.1");
  return {
    address: `http://127.0.0.1:${port}${options.prefix ?? "/"}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * A page with what went wrong on it: console messages, uncaught errors, failed and refused requests, policy violations.
 * @param {import("puppeteer-core").Browser} browser
 * @param {{ width?: number, height?: number, scale?: number, dark?: boolean, touch?: boolean, scripts?: boolean,
 *   calm?: boolean, language?: string }} [options] calm: reduced motion
 */
export async function openPage(
  browser,
  { width = 1280, height = 900, scale = 1, dark = false, touch = false, scripts = true, calm = false, language = "" } = {},
) {
  const page = await browser.newPage();
  /** @type {string[]} */
  const complaints = [];
  /** @type {string[]} */
  const requests = [];
  const complain = (/** @type {string} */ words) => isRemark(browser, words) || complaints.push(words);
  page.on("console", (message) => complain(`console: ${message.text()}`));
  page.on("pageerror", (error) => complain(`uncaught: ${error}`));
  page.on("requestfailed", (request) =>
    complaints.push(`failed: ${request.url().slice(0, 200)} ${request.failure()?.errorText}`),
  );
  page.on("response", (response) => response.status() >= 400 && complaints.push(`${response.status()}: ${response.url()}`));
  page.on("request", (request) => requests.push(request.url()));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.evaluateOnNewDocument(() => {
    document.addEventListener("securitypolicyviolation", (event) =>
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  await page.setViewport({ width, height, deviceScaleFactor: scale, isMobile: touch, hasTouch: touch });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
    { name: "prefers-reduced-motion", value: calm ? "reduce" : "no-preference" },
  ]);
  if (language !== "") {
    await page.evaluateOnNewDocument((tag) => {
      Object.defineProperty(navigator, "languages", { get: () => [tag] });
      Object.defineProperty(navigator, "language", { get: () => tag });
    }, language);
  }
  if (!scripts) await page.setJavaScriptEnabled(false);
  return { page, complaints, requests };
}

/**
 * What a page complained of, but for wasm that its policy refuses.
 * @param {string[]} complaints
 */
export const unexpected = (complaints) =>
  complaints.filter(
    (complaint) =>
      !/policy: script-src wasm-eval|violates .*Content Security Policy.*wasm|settings blocked WebAssembly/i.test(complaint),
  );

/**
 * Waits until every figure of the page is drawn, and waves away the question of `gradients`, unless it is wanted.
 * @param {import("puppeteer-core").Page} page
 */
export async function figuresReady(page, { asks = false, patience = 15_000 } = {}) {
  await page.waitForFunction(
    () => {
      const figures = [...document.querySelectorAll("figure[data-figure]")];
      return figures.length > 0 && figures.every((figure) => figure.getAttribute("data-state") === "ready");
    },
    { timeout: patience },
  );
  if (asks) return;
  await page.evaluate(() => document.querySelector("[data-asking]")?.dispatchEvent(new CustomEvent("gelu:prompt")));
}

/**
 * The one file that a page saves, once all of it is there.
 * @param {string} folder
 * @param {RegExp} name
 */
export async function savedFile(folder, name) {
  for (const end = Date.now() + 10_000; ; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const [file, ...others] = await readdir(folder);
    // Until the end Firefox has an empty file of that name, and both have another with what came so far.
    if (others.length === 0 && file?.match(name)) {
      const text = await readFile(join(folder, file), "utf8");
      if (text !== "") return { file, text };
    }
    if (Date.now() > end) throw new Error(`not saved: ${name}; in the folder: ${[file, ...others].join()}`);
  }
}

/** Two frames: what was asked to be drawn is drawn. */
export function settled(/** @type {import("puppeteer-core").Page} */ page) {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  );
}
