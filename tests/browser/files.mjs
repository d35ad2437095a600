/** What the page would save: kept in the page instead, and read from there. */

/** @typedef {import("puppeteer-core").Page} Page */

/** To be called before the page loads. Links that save nothing stay as they are. */
export const catchFiles = (/** @type {Page} */ page) =>
  page.evaluateOnNewDocument(() => {
    window.files = [];
    const { click } = HTMLAnchorElement.prototype;
    const made = new Map();
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      const url = create.call(URL, blob);
      made.set(url, blob);
      return url;
    };
    HTMLAnchorElement.prototype.click = function () {
      if (this.download) window.files.push({ name: this.download, blob: made.get(this.href) });
      else click.call(this);
    };
  });

/**
 * The file that a press saves: its name, its type and its text.
 * @param {Page} page
 * @param {() => Promise<unknown>} press
 */
export async function fileBy(page, press) {
  await page.evaluate(() => {
    window.files.length = 0;
  });
  await press();
  await page.waitForFunction(() => window.files.length > 0, { timeout: 5000 });
  return page.evaluate(async () => {
    const [{ name, blob }, ...more] = window.files;
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return {
      name,
      type: blob.type,
      text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
      size: bytes.length,
      more: more.length,
    };
  });
}

/**
 * The same of a figure's tool.
 * @param {Page} page
 * @param {string} figure
 * @param {string} name of the tool
 * @param {(selector: string) => Promise<unknown>} [press] where a real click would not do
 */
export const fileOf = (page, figure, name, press = (selector) => page.click(selector)) =>
  fileBy(page, () => press(`${figure} [data-tool="${name}"]`));

/** A click that asks for no place on the screen. @param {Page} page */
export const clickIn = (page) => (/** @type {string} */ selector) =>
  page.$eval(selector, (button) => /** @type {HTMLElement} */ (button).click());
