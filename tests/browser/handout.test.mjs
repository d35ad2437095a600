/** The handout is one file that opens from a disk, with everything in it and nothing asked of the network. */
import assert from "node:assert/strict";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { figuresReady, launch, openPage } from "./browser.mjs";
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

test("with scripts off it is a document in both languages", async () => {
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
