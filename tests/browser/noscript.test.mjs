/** With scripts off: both languages in every section, the Chinese first, and each figure as a picture and a table. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { STRICT_CSP } from "../../web/build/policy.mjs";
import { needs, openPage, serveSite } from "./browser.mjs";
import { useSite } from "./visit.mjs";

const site = useSite();

/** Whose policy keeps the page's own scripts away: nothing else tells it from one in a browser that has them off. */
let scriptless = { address: "", close: async () => {} };
before(async () => {
  scriptless = await serveSite({ csp: STRICT_CSP.replace(/script-src[^;]*/, "script-src 'none'") });
});
after(() => scriptless.close());

/**
 * A page whose own scripts do not run, but the tests' do: with scripts off Chromium would not run these either.
 * @param {number} width
 * @param {boolean} [dark]
 */
async function openWithoutScripts(width, dark = false) {
  const { page, complaints } = await openPage(site.browser, { width, height: 900, dark });
  await page.goto(scriptless.address);
  return { page, complaints };
}

test("with scripts off it shows text, pictures and tables", needs("the accessibility tree"), async () => {
  const { page, complaints, requests } = await openPage(site.browser, { scripts: false });
  await page.goto(site.address);
  // All of them, wherever the reader is: who prints the page has them.
  const pictures = new Set(requests.filter((url) => /\/picture-[\w-]+\.svg/.test(url)).map((url) => url.replace(/#.*/, "")));
  assert.equal(pictures.size, 13, [...pictures].join(" "));
  const client = await page.createCDPSession();
  const { nodes } = await client.send("Accessibility.getFullAXTree");
  const shown = nodes.filter(({ ignored }) => !ignored);
  const count = (/** @type {string} */ role) => shown.filter((node) => node.role?.value === role).length;
  assert.ok(count("heading") >= 8, `${count("heading")} headings`);
  assert.ok(count("table") >= 4, `${count("table")} tables`);
  assert.ok(count("figure") >= 4, `${count("figure")} figures`);
  assert.equal(count("slider") + count("textbox"), 0, "a control that nothing answers");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("both languages are visible in every section, the Chinese above the English", async () => {
  const { page } = await openWithoutScripts(1280);
  const sections = await page.$$eval("main > section", (elements) =>
    elements.map((section) => {
      const place = (/** @type {string} */ language) =>
        [...section.querySelectorAll(`.block[lang="${language}"]`)].map((block) => {
          const text = [...block.children].filter((child) => child.checkVisibility() && child.getBoundingClientRect().height > 0);
          return {
            top: text[0]?.getBoundingClientRect().top ?? null,
            words: text.map((child) => child.textContent).join(" ").length,
          };
        });
      return { id: section.id, zh: place("zh-CN"), en: place("en") };
    }),
  );
  assert.ok(sections.length >= 4);
  for (const { id, zh, en } of sections) {
    assert.equal(zh.length, en.length, id);
    zh.forEach(({ top, words }, i) => {
      assert.ok(top !== null && words > 0, `#${id}: Chinese block ${i + 1} is not to be seen`);
      assert.ok(en[i].top !== null && en[i].words > 0, `#${id}: English block ${i + 1} is not to be seen`);
      assert.ok(top < (en[i].top ?? 0), `#${id}: the English stands above the Chinese`);
    });
  }
  await page.close();
});

for (const [width, dark] of /** @type {const} */ ([
  [1280, false],
  [360, true],
])) {
  test(`each figure has one picture, if it is a plot, and its table or list at ${width} px`, async () => {
    const { page } = await openWithoutScripts(width, dark);
    const figures = await page.$$eval("figure[data-figure]", (elements) =>
      elements.map((figure) => ({
        name: `${figure.closest("section")?.id} ${figure.getAttribute("data-figure")}`,
        pictures: [...figure.querySelectorAll(".picture :is(svg, img)")]
          .filter((svg) => svg.getBoundingClientRect().width > 0 && svg.getBoundingClientRect().height > 0)
          .map((svg) => {
            const { width, height, left, right } = svg.getBoundingClientRect();
            // One that is wider than a phone scrolls in its own box.
            const box = /** @type {HTMLElement} */ (svg.closest(".picture"));
            const seen = getComputedStyle(box).overflowX === "auto" ? box.getBoundingClientRect() : { left, right };
            return { width, height, left: seen.left, right: seen.right };
          }),
        curves: figure.querySelectorAll(".picture path.curve").length,
        file: figure.querySelector(".picture img")?.getAttribute("src"),
        rows: [...figure.querySelectorAll("table tbody tr, .statement, .card")].filter(
          (row) => row.checkVisibility() && row.getBoundingClientRect().height > 0,
        ).length,
        state: figure.getAttribute("data-state"),
        isPlot: figure.getAttribute("data-kind") !== "panel",
      })),
    );
    assert.ok(figures.length >= 4);
    for (const { name, pictures, curves, file, rows, state, isPlot } of figures) {
      assert.ok(rows >= 7, `${name}: ${rows} rows`);
      assert.equal(state, "loading", name);
      // A table or a list is a picture of itself.
      if (!isPlot) continue;
      assert.equal(pictures.length, 1, `${name}: ${pictures.length} pictures`);
      const [box] = pictures;
      assert.ok(box.width >= 200 && box.height >= 150, `${name}: ${box.width} × ${box.height}`);
      assert.ok(box.left >= 0 && box.right <= width, `${name} is cut`);
      if (file === undefined) assert.ok(curves > 0, name);
      else assert.match(await (await fetch(scriptless.address + file)).text(), /<svg [^>]*xmlns.*<path class="curve"/s, name);
    }
    await page.close();
  });
}

test("nothing scrolls sideways at 360 and 320 px", async () => {
  for (const width of [360, 320]) {
    const { page } = await openWithoutScripts(width);
    const [scroll, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(scroll <= inner && inner === width, `${scroll} px in ${inner}`);
    await page.close();
  }
});
