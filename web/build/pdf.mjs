/** The handout on paper: one PDF a language, printed by headless Chromium. */
import { pathToFileURL } from "node:url";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const READY = 60_000;

const footer =
  '<div style="width:100%;font:8pt sans-serif;text-align:center;color:#555">' +
  '<span class="pageNumber"></span> / <span class="totalPages"></span></div>';

/**
 * @param {string} handout path of the file
 * @param {{ language: "zh" | "en", path: string }[]} copies what to write where
 */
export async function printHandout(handout, copies) {
  // Only here: the build alone is installed without what the tests need.
  const { default: puppeteer } = await import("puppeteer-core");
  const executablePath = process.env.CHROME_PATH || "/usr/bin/chromium";
  const browser = await puppeteer.launch({ executablePath, headless: true, args: FLAGS });
  try {
    for (const { language, path } of copies) {
      const page = await browser.newPage();
      await page.setViewport({ width: 1280, height: 900 });
      await page.goto(`${pathToFileURL(handout).href}?lang=${language}&theme=light`);
      await page.waitForFunction(
        () => [...document.querySelectorAll("figure[data-figure]")].every((figure) => figure.matches('[data-state="ready"]')),
        { timeout: READY },
      );
      await page.pdf({
        ...{ path, format: "A4", preferCSSPageSize: true, displayHeaderFooter: true },
        ...{ headerTemplate: "<span></span>", footerTemplate: footer, tagged: true, outline: true, timeout: READY },
      });
      await page.close();
    }
  } finally {
    await browser.close();
  }
}
