/**
 * One picture of the page in every size, theme and language, to be looked at: node tests/browser/contact-sheet.mjs
 * [folder]. Writes each screenshot and contact-sheet.png.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { figuresReady, launch, openPage, serveSite, settled } from "./browser.mjs";

const folder = process.argv[2] ?? "build/contact-sheet";
const WIDTHS = [1280, 768, 360];
/** On the sheet: of its own size the browser would not take a picture of so long a page. */
const SMALLER = 6;

await mkdir(folder, { recursive: true });
const site = await serveSite();
const browser = await launch();
const shots = [];
for (const language of ["zh", "en"]) {
  for (const theme of ["light", "dark"]) {
    for (const width of WIDTHS) {
      const { page, complaints } = await openPage(browser, { width, height: 900, touch: width < 720 });
      await page.goto(`${site.address}?lang=${language}&theme=${theme}`);
      await figuresReady(page);
      await page.evaluate(() => document.fonts.ready);
      await settled(page);
      const name = `${language}-${theme}-${width}.png`;
      await page.screenshot({ path: `${folder}/${name}`, fullPage: true });
      shots.push({ name, width });
      for (const complaint of complaints) console.error(`${name}: ${complaint}`);
      await page.close();
    }
  }
}

const images = await Promise.all(
  shots.map(async ({ name, width }) => {
    const data = (await readFile(`${folder}/${name}`)).toString("base64");
    return `<figure><img width="${width / SMALLER}" src="data:image/png;base64,${data}" alt=""><figcaption>${name}</figcaption></figure>`;
  }),
);
const style =
  "body{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start;background:#888;font:14px sans-serif}figure{margin:0}";
// From a file: a page this large does not pass through the browser's protocol.
await writeFile(`${folder}/contact-sheet.html`, `<!doctype html><meta charset="utf-8"><style>${style}</style>${images.join("")}`);
const { page } = await openPage(browser, { width: 1900, height: 900 });
await page.goto(pathToFileURL(`${folder}/contact-sheet.html`).href);
await page.screenshot({ path: `${folder}/contact-sheet.png`, fullPage: true });
await browser.close();
await site.close();
console.log(`${folder}/contact-sheet.png`);
