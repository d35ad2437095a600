/** The handout on paper, as each engine prints it that a driver can make print: vectors, words, and figures in one piece. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ENGINES, figuresReady, lackOf, launch, openPage } from "./browser.mjs";
import { poppler } from "./poppler.mjs";

const HANDOUT = new URL("../../dist/handout/gelu-handout.html", import.meta.url).href;
const LONG = { timeout: 240_000 };

/** These are as long as what they list, and break between its entries. */
const MAY_BREAK = ["ffn", "models", "judge", "cards"];

/**
 * Words without their spaces. Firefox on Linux looks up the glyphs of a font collection in its first font: what Chinese has
 * of its own is there written as an unknown letter, and some signs as a radical that looks the same.
 */
const plain = (/** @type {string} */ text) =>
  text
    .normalize("NFKC")
    .replace(/[\s\u2060]/g, "")
    .replace(/[\u2e80-\u2eff]/g, "\ufffd");

/** How many of a sentence's letters the pages have in its place, if all others there are unknown ones. */
function share(/** @type {string} */ text, /** @type {string} */ sentence) {
  const [page, letters] = [plain(text), plain(sentence)];
  let best = 0;
  for (let at = 0; at + letters.length <= page.length; at++) {
    let known = 0;
    for (let i = 0; i < letters.length; i++) {
      if (page[at + i] === letters[i]) known++;
      else if (page[at + i] !== "\ufffd") {
        known = 0;
        break;
      }
    }
    best = Math.max(best, known);
  }
  return best / letters.length;
}

/** Words that lie on one another: a line has the height of its font, of which the next may take some. */
function heaped(/** @type {string} */ pdf) {
  const found = [];
  for (const [i, page] of poppler("pdftotext", "-bbox", pdf, "-").split("<page ").slice(1).entries()) {
    const words = [...page.matchAll(/xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]{4,})</g)]
      .map(([, left, top, right, bottom, word]) => ({ left: +left, top: +top, right: +right, bottom: +bottom, word }))
      .filter(({ word }) => !MARK.test(word));
    const area = (/** @type {(typeof words)[0]} */ { left, top, right, bottom }) => (right - left) * (bottom - top);
    for (const [k, a] of words.entries()) {
      for (const b of words.slice(0, k)) {
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (width > 0 && height > 0 && width * height > 0.75 * Math.min(area(a), area(b)))
          found.push(`page ${i + 1}: ${a.word} on ${b.word}`);
      }
    }
  }
  return found;
}

const MARK = /^q[fl][a-z]{2}$/;

/** Letters before and behind each figure, by which its pages can be told. */
function mark(/** @type {import("puppeteer-core").Page} */ page) {
  return page.$$eval("figure[data-figure]", (figures) =>
    figures.map((figure, i) => {
      const letters = String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26));
      const [first, last] = ["qf", "ql"].map((start) => {
        const sign = document.createElement("p");
        sign.textContent = `${start}${letters}`;
        sign.style.font = "4px / 4px 'DejaVu Sans', sans-serif";
        return sign;
      });
      figure.prepend(first);
      figure.append(last);
      return { name: figure.dataset.figure, first: first.textContent, last: last.textContent };
    }),
  );
}

for (const engine of ENGINES.filter((name) => lackOf("print media", name) === undefined)) {
  describe(engine, () => {
    /** @type {import("puppeteer-core").Browser} */
    let browser;
    let folder = "";
    before(async () => {
      browser = await launch({ engine, patience: 120_000 });
      folder = await mkdtemp(join(tmpdir(), "paper-"));
    });
    after(async () => {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
    });

    for (const language of ["zh", "en"]) {
      test(`in ${language}: vectors, words, no empty page, nothing on anything else, each figure whole`, LONG, async () => {
        const { page, complaints } = await openPage(browser);
        await page.goto(`${HANDOUT}?lang=${language}&theme=light`);
        await figuresReady(page, { asks: true });
        const marks = await mark(page);
        const sentences = await page.$$eval(`.block[lang|="${language}"] > header :is(h1, h2)`, (all) =>
          all.map((one) => one.textContent),
        );
        const path = join(folder, `${engine}.${language}.pdf`);
        await page.pdf({ path, format: "A4", preferCSSPageSize: true, timeout: 120_000 });
        assert.deepEqual(complaints, []);
        await page.close();

        assert.match(poppler("pdfinfo", path), /Page size: .*A4/);
        assert.deepEqual(poppler("pdfimages", "-list", path).trim().split("\n").slice(2), [], "pictures instead of vectors");
        const pages = poppler("pdftotext", path, "-").split("\f").slice(0, -1);
        for (const [i, text] of pages.entries()) assert.ok(plain(text).length > 60, `page ${i + 1} is empty: ${text}`);
        assert.ok(sentences.length > 10, `${sentences.length} sentences`);
        const least = engine === "firefox" ? 0.3 : 1;
        for (const sentence of sentences) {
          const found = share(pages.join(""), sentence);
          assert.ok(found >= least, `${sentence}: ${found.toFixed(2)} of it`);
        }
        assert.deepEqual(heaped(path), []);
        // Firefox may write digits as unknown letters.
        if (engine !== "firefox") assert.match(pages.join(""), /−0\.0833/, "what is hidden on the screen until a guess");
        const sheets = pages.filter((text) => text.trimStart().startsWith(language === "zh" ? "练习单" : "Worksheet"));
        if (engine !== "firefox" || language === "en") assert.equal(sheets.length, 1, "the worksheet begins a page");
        const pageOf = (/** @type {string} */ sign) => pages.findIndex((text) => text.includes(sign)) + 1;
        assert.ok(marks.length > 15);
        for (const { name, first, last } of marks) {
          const [start, end] = [pageOf(first), pageOf(last)];
          assert.ok(start > 0 && end > 0, `${name} is not there`);
          if (!MAY_BREAK.includes(name)) assert.equal(end, start, `${name} is broken`);
        }
      });
    }
  });
}
