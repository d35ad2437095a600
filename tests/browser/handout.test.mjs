/** The handout is one file that opens from a disk, with everything in it and nothing asked of the network. */
import assert from "node:assert/strict";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findings } from "./axe.mjs";
import { figuresReady, launch, needs, openPage } from "./browser.mjs";
import { catchFiles, fileBy } from "./files.mjs";
import { poppler } from "./poppler.mjs";
import { assertAllAt, assertNear, errorsAt, FIGURES, pressX, readouts, typeX } from "./reading.mjs";

/** @type {import("puppeteer-core").Browser} */
let browser;
let folder = "";
let address = "";

before(async () => {
  browser = await launch();
  // Alone in a folder of its own, with a name that has to be encoded: that is how it reaches a reader.
  folder = await mkdtemp(join(tmpdir(), "handout-"));
  await copyFile(fileURLToPath(new URL("../../dist/handout/gelu-handout.html", import.meta.url)), join(folder, "讲义 1.html"));
  address = pathToFileURL(join(folder, "讲义 1.html")).href;
});

after(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

for (const [label, options] of /** @type {const} */ ([
  ["English, light", { language: "en" }],
  ["Chinese, dark, on a phone", { language: "zh-CN", dark: true, width: 360, height: 740, touch: true }],
])) {
  test(`opens from a file: ${label}`, async () => {
    const { page, complaints, requests } = await openPage(browser, options);
    await page.goto(address);
    await figuresReady(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.backend), "wasm-simd");
    assert.equal(await page.evaluate(() => document.documentElement.lang), options.language === "en" ? "en" : "zh-CN");
    await assertAllAt(page, -1, "at first");
    await typeX(page, FIGURES.errors, "-4");
    assertNear(await readouts(page, FIGURES.errors), errorsAt(-4), "typed");
    await pressX(page, FIGURES.gradients, "Shift+ArrowRight");
    await assertAllAt(page, -3.9, "by key");
    assert.deepEqual(complaints, []);
    assert.deepEqual(
      requests.filter((url) => url !== address && !/^(data|blob):/.test(url)),
      [],
    );
    await page.close();
  });
}

test("has nothing that axe objects to where it is more than the page: its bar with the menu open", async () => {
  for (const [language, dark, width] of /** @type {const} */ ([
    ["zh", false, 1280],
    ["en", true, 1280],
    ["zh", true, 360],
    ["en", false, 360],
  ])) {
    const { page } = await openPage(browser, { dark, width });
    await page.goto(`${address}?lang=${language}`);
    await figuresReady(page);
    await page.click(".file-menu > summary");
    assert.deepEqual(await findings(page, ["header.bar"]), [], `${language}, ${dark ? "dark" : "light"}, ${width} px`);
    await page.close();
  }
});

for (const [language, dark] of /** @type {const} */ ([
  ["zh", false],
  ["en", true],
])) {
  test(`all of it, in ${language} and ${dark ? "dark" : "light"}, has nothing that axe objects to`, {
    timeout: 240_000,
  }, async () => {
    const { page } = await openPage(browser, { dark });
    await page.goto(`${address}?lang=${language}`);
    await figuresReady(page);
    assert.deepEqual(await findings(page), []);
    await page.close();
  });
}

test("keeps its state in the address, over a reload", async () => {
  const { page, complaints } = await openPage(browser, { language: "en" });
  await page.goto(`${address}?x=2&theme=dark#gradient`);
  await figuresReady(page);
  await assertAllAt(page, 2, "from the address");
  await typeX(page, FIGURES.hero, "1.5");
  await page.waitForFunction(() => location.search.includes("x=1.5"), { timeout: 2000 });
  await page.reload();
  await figuresReady(page);
  await assertAllAt(page, 1.5, "after the reload");
  assert.equal(await page.evaluate(() => location.hash), "#gradient");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("with scripts off it is a document in both languages", needs("the accessibility tree"), async () => {
  const { page, complaints } = await openPage(browser, { scripts: false });
  await page.goto(address);
  const client = await page.createCDPSession();
  const { nodes } = await client.send("Accessibility.getFullAXTree");
  const headings = nodes.filter(({ role, ignored }) => role?.value === "heading" && !ignored).map(({ name }) => name?.value);
  assert.ok(headings.length >= 8, headings.join("; "));
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes("script")),
    [],
  );
  await page.close();
});

/** The handout, ready, with what it would save kept. */
async function openSaving(url) {
  const opened = await openPage(browser, { language: "en" });
  await catchFiles(opened.page);
  await opened.page.goto(url);
  await figuresReady(opened.page);
  return opened;
}

/** Under a name of its own in the folder. @returns {Promise<{ name: string, text: string }>} its name by itself, and its text */
async function saveCopy(page, name) {
  await page.click(".file-menu > summary");
  const saved = await fileBy(page, () => page.click('[data-act="saveCopy"]'));
  assert.match(saved.name, /^gelu-handout-[a-z]+-20\d\d(-\d\d){4}\.html$/);
  await writeFile(join(folder, name), saved.text);
  return saved;
}

test("a copy holds the present state, language and answers included, and its hashes; so does a copy of the copy", async () => {
  const { page, complaints } = await openSaving(address);
  await typeX(page, FIGURES.hero, "1.25");
  await page.click('[data-figure="judge"] [data-vote="t"]');
  await page.click('.switches [name="lang"][value="zh"]');
  const { text: saved } = await saveCopy(page, "copy.html");
  const original = await readFile(join(folder, "讲义 1.html"), "utf8");
  const policyOf = (text) => text.match(/http-equiv="Content-Security-Policy" content="([^"]+)"/)[1];
  assert.equal(policyOf(saved), policyOf(original));
  assert.ok(Math.abs(saved.length - original.length) < 0.02 * original.length);
  assert.deepEqual(complaints, []);

  const second = await openSaving(pathToFileURL(join(folder, "copy.html")).href);
  await assertAllAt(second.page, 1.25, "in the copy");
  assert.equal(await second.page.evaluate(() => document.documentElement.lang), "zh-CN");
  assert.equal(await second.page.$$eval('[data-figure="judge"] .vote.mine', (votes) => votes.length), 1);
  await typeX(second.page, FIGURES.hero, "-2");
  await saveCopy(second.page, "copy of the copy.html");
  assert.deepEqual(second.complaints, []);
  const third = await openSaving(pathToFileURL(join(folder, "copy of the copy.html")).href);
  await assertAllAt(third.page, -2, "in the copy of the copy");
  assert.deepEqual(third.complaints, []);
  for (const { page } of [third, second]) await page.close();
  await page.close();
});

for (const width of [1200, 375]) {
  test(`at ${width} px a copy opens where it was saved, with the section in its name`, async () => {
    const { page } = await openSaving(address);
    const size = { width, height: 700 };
    const top = (/** @type {Page} */ where) =>
      where.$eval('#ffn .block[lang="en"] .try', (element) => element.getBoundingClientRect().top);
    await page.setViewport(size);
    await page.$eval('#ffn .block[lang="en"] .try', (element) => element.scrollIntoView({ block: "center" }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { name } = await saveCopy(page, "left.html");
    assert.match(name, /-ffn-/);
    const before = await top(page);
    await page.close();
    const copy = await openPage(browser, { language: "en", ...size });
    await copy.page.goto(pathToFileURL(join(folder, "left.html")).href);
    await figuresReady(copy.page);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = await top(copy.page);
    assert.ok(Math.abs(now - before) <= 2, `from ${before} to ${now}`);
    await copy.page.close();
  });
}

test("a copy that was left in the other language opens at its section", async () => {
  const size = { width: 375, height: 700 };
  const { page } = await openSaving(address);
  await page.setViewport(size);
  await page.$eval('#code .block[lang="en"] > :nth-last-child(2)', (element) => element.scrollIntoView({ block: "start" }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  await saveCopy(page, "left in English.html");
  await page.close();
  const copy = await openPage(browser, { language: "zh", ...size });
  await copy.page.goto(pathToFileURL(join(folder, "left in English.html")).href);
  await figuresReady(copy.page);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  assert.equal(await copy.page.evaluate(() => document.documentElement.lang), "zh-CN");
  const { top, room } = await copy.page.$eval("#code", (section) => ({
    top: section.getBoundingClientRect().top,
    room: Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop),
  }));
  assert.ok(Math.abs(top - room) <= 2, `its top is at ${top}, want ${room}`);
  await copy.page.close();
});

test("at 375 px its bar is one line, and what the menu leads to is below the bar, also when the bar takes two", async () => {
  for (const language of ["en", "zh"]) {
    const { page } = await openPage(browser, { language, width: 375, height: 700 });
    await page.goto(`${address}?lang=${language}`);
    await figuresReady(page);
    const bottom = () => page.$eval(".bar", (bar) => bar.getBoundingClientRect().bottom);
    assert.ok((await page.$eval(".bar", (bar) => bar.offsetHeight)) < 60, "two lines");
    for (const words of ["", " — a name of two lines"]) {
      await page.$eval(".brand", (brand, more) => brand.append(more), words);
      const tag = language === "en" ? "en" : "zh-CN";
      for (const index of [2, 7]) {
        await page.click(".file-menu > summary");
        await page.$$eval(`.starts[lang="${tag}"] button`, (buttons, i) => buttons[i].click(), index);
        await new Promise((resolve) => setTimeout(resolve, 600));
        const top = await page.evaluate(() =>
          Math.min(
            ...[...document.querySelectorAll("main figure")]
              .map((figure) => figure.getBoundingClientRect())
              .filter(({ top, bottom }) => bottom > 120 && top < innerHeight)
              .map(({ top }) => top),
          ),
        );
        assert.ok(top >= (await bottom()), `${language}: figure at ${top} under a bar of ${await bottom()}`);
      }
    }
    await page.close();
  }
});

test("its menu leads to what the text offers to try, and closes", async () => {
  const { page, complaints } = await openSaving(address);
  const offered = await page.$$eval('.block[lang="en"] .try > [data-set]', (prompts) => prompts.length);
  assert.equal(await page.$$eval('.starts[lang="en"] button', (buttons) => buttons.length), offered);
  await page.click(".file-menu > summary");
  await page.click('.starts[lang="en"] button');
  await assertAllAt(page, 2, "after the first one");
  assert.equal(await page.$eval(".file-menu", (menu) => menu.open), false);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("on paper the answers are printed or left out, as chosen", needs("print media"), async () => {
  const { page } = await openSaving(address);
  const shown = () =>
    page.$$eval(
      '.block[lang="en"] :is(.card > .short, .statement > .is)',
      (answers) => answers.filter((a) => a.checkVisibility()).length,
    );
  const choose = (value) => page.$eval(`[name="printed-answers"][value="${value}"]`, (radio) => radio.click());
  const print = async () => {
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMediaType("print");
    const number = await shown();
    await page.emulateMediaType("screen");
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    return number;
  };
  const all = await page.$$eval('.block[lang="en"] :is(.card > .short, .statement > .is)', (answers) => answers.length);
  assert.ok(all > 50);
  assert.equal(await print(), all);
  await choose("blank");
  assert.equal(await print(), 0);
  await choose("printed");
  assert.equal(await print(), all);
  await page.close();
});

for (const [language, words] of [
  ["zh", /面试[\s\S]*第|GELU/],
  ["en", /Interview[\s\S]*GELU/],
]) {
  test(`the PDF in ${language}: text, vectors, A4, numbered, no empty page`, async () => {
    const pdf = fileURLToPath(new URL(`../../dist/handout/gelu-handout.${language}.pdf`, import.meta.url));
    const info = poppler("pdfinfo", pdf);
    assert.match(info, /Page size: .*A4/);
    const pages = poppler("pdftotext", "-layout", pdf, "-").split("\f").slice(0, -1);
    assert.equal(pages.length, Number(info.match(/Pages:\s+(\d+)/)[1]));
    pages.forEach((text, i) => {
      assert.match(text, new RegExp(`\\b${i + 1} / ${pages.length}\\b`), `page ${i + 1} is not numbered`);
      assert.ok(text.replace(/\s/g, "").length > 40, `page ${i + 1} is empty`);
    });
    assert.match(pages.join(""), words);
    assert.doesNotMatch(pages.join(""), /file:|\/tmp\//);
    assert.deepEqual(pictures(poppler("pdfimages", "-list", pdf)), [], "pictures instead of vectors");
    // pdfimages does not look into patterns, of which those that tile the lines under words would be as large as the page.
    assert.doesNotMatch((await readFile(pdf)).toString("latin1"), /\/Subtype \/Image/, "a picture in a pattern");
  });

  test(
    `heat maps on paper, in ${language}, have 200 dots an inch, dark on light in every theme`,
    needs("print media"),
    async () => {
      const { page, complaints } = await openPage(browser, { dark: true });
      await page.goto(`${address}?lang=${language}&ffn.preset=bert`);
      await figuresReady(page);
      await page.waitForFunction(() => document.querySelector('[data-map="y"] canvas[aria-label]'), { timeout: 30_000 });
      const tone = () =>
        page.$eval('[data-map="w1"] canvas', (canvas) => {
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
          copy.drawImage(canvas, 0, 0);
          const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
          return { width: canvas.width, darkest: data.reduce((least, byte) => Math.min(least, byte), 255), mean: data[0] };
        });
      const before = await tone();
      const path = join(folder, `heat-${language}.pdf`);
      await page.pdf({ path, format: "A4", preferCSSPageSize: true, timeout: 60_000 });
      const found = pictures(poppler("pdfimages", "-list", path));
      assert.ok(found.length >= 5, `${found.length} heat maps`);
      for (const { width, xPpi, yPpi } of found) assert.ok(Math.min(xPpi, yPpi) >= 200, `${width} px at ${xPpi} × ${yPpi} ppi`);
      // They are drawn one after the other.
      await page.waitForFunction(
        (width) => document.querySelector('[data-map="w1"] canvas').width === width,
        { timeout: 5000 },
        before.width,
      );
      assert.deepEqual(await tone(), before, "as on the screen again");
      assert.deepEqual(complaints, []);
      await page.close();
    },
  );
}

/** What `pdfimages -list` says of each. @param {string} list */
function pictures(list) {
  const [head, , ...rows] = list.trimEnd().split("\n");
  const at = (/** @type {string} */ name) => head.trim().split(/\s+/).indexOf(name);
  return rows.map((row) => {
    const cells = row.trim().split(/\s+/);
    const number = (/** @type {string} */ name) => Number(cells[at(name)]);
    return { width: number("width"), xPpi: number("x-ppi"), yPpi: number("y-ppi") };
  });
}
