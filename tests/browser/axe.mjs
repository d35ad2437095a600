/** axe-core on a page, or on some sections of it. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];

/**
 * What axe finds, by rule and section, with the first elements of each. Contrast takes by far the longest, so it goes
 * section by section: one call over everything would outlast what a slow machine waits for.
 * @param {import("puppeteer-core").Page} page
 * @param {string[]} [only] sections, where not all of the page has changed
 */
export async function findings(page, only) {
  // Not by a function of the page: its policy would refuse to make one of a text.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(`${AXE};0`);
  const run = (/** @type {string} */ where, /** @type {object} */ options) =>
    page.evaluate(
      async (selector, given) => {
        const root = selector === "" ? document : document.querySelector(selector);
        const { violations } = await window.axe.run(root, { ...given, resultTypes: ["violations"] });
        return violations.map(({ id, help, nodes }) => {
          const places = nodes.map(({ target }) => {
            const element = document.querySelector(String(target));
            return `${element?.closest("section")?.id ?? "frame"} ${target}`;
          });
          const why = nodes[0].failureSummary.split("\n")[1]?.trim();
          return `${id} (${help}): ${nodes.length} × ${places.slice(0, 3).join(", ")}; ${why}`;
        });
      },
      where,
      options,
    );
  const found = [];
  for (const place of only ?? [""])
    found.push(...(await run(place, { runOnly: TAGS, rules: { "color-contrast": { enabled: false } } })));
  const parts = await page.$$eval("main > section", (sections) => sections.map(({ id }) => `#${id}`));
  for (const part of only ?? ["header.bar", ".rail", "footer", ...parts]) {
    if (await page.$eval(part, (element) => element.checkVisibility()))
      found.push(...(await run(part, { runOnly: ["color-contrast"] })));
  }
  return found;
}
