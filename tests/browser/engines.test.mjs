/** The three ways out in every engine, in one run: the hosted site, the figure in somebody else's page, the file from a disk. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages stand in the page, and one is shown
import assert from "node:assert/strict";
import { once } from "node:events";
import { copyFile, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { EMBED_CSP, STRICT_CSP } from "../../web/build/policy.mjs";
import { listen } from "../../web/build/serve.mjs";
import { figures } from "../../web/figures/index.js";
import {
  downloadTo,
  ENGINES,
  figuresReady,
  lackOf,
  launch,
  openPage,
  savedFile,
  serveSite,
  settled,
  unexpected,
} from "./browser.mjs";
import { assertAllAt, FIGURES, pressX, typeX } from "./reading.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const NAMES = figures.map(({ name }) => name);
const dist = (/** @type {string} */ path) => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));
const LONG = { timeout: 180_000 };
/** A slow machine may need it for a page of many frames. */
const PATIENCE = 60_000;

/** Everything that is served, by what is special about it. @type {Record<string, Awaited<ReturnType<typeof serveSite>>>} */
const served = {};
/** Somebody else's page, from another origin: a frame for each of the names in its address. */
let host = "";
/** @type {import("node:http").Server} */
let hostServer;
/** The library beside a page that uses it, and the handout under a name that has to be encoded. */
let folder = "";

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "engines-"));
  await cp(dist("lib"), join(folder, "lib"), { recursive: true });
  await writeFile(join(folder, "lib/index.html"), LIBRARY_PAGE);
  await writeFile(join(folder, "lib/page.js"), LIBRARY_SCRIPT);
  await copyFile(dist("handout/gelu-handout.html"), join(folder, "讲义 1.html"));
  const sites = {
    site: { prefix: "/a/b/" },
    octets: { prefix: "/a/b/", octets: true },
    library: { root: join(folder, "lib"), octets: true },
    "no policy": { csp: "" },
    "'self' alone": { csp: STRICT_CSP },
    "a policy without wasm": { csp: (/** @type {string} */ origin) => EMBED_CSP(origin).replace(" 'wasm-unsafe-eval'", "") },
  };
  for (const [name, options] of Object.entries(sites)) served[name] = await serveSite(options);
  served["the embed's policy"] = served.site;
  hostServer = createServer((request, response) => {
    const asked = new URL(request.url ?? "/", "http://localhost").searchParams;
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(hostPage(asked.getAll("frame"), asked.get("attributes") ?? ""));
  });
  host = `http://127.0.0.1:${await listen(hostServer, 0, "127.0.0.1")}/`;
});

after(async () => {
  for (const server of new Set(Object.values(served))) await server.close();
  hostServer.closeAllConnections();
  hostServer.close();
  await once(hostServer, "close");
  await rm(folder, { recursive: true, force: true });
});

const LIBRARY_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>library</title>
<link rel="icon" href="data:,"><script type="module" src="page.js"></script></head><body><output></output></body></html>`;
const LIBRARY_SCRIPT = `import { loadGelu } from "./gelu.js";
const gelu = await loadGelu();
document.querySelector("output").value = gelu.backend + " " + gelu.evaluate("gelu", Float64Array.of(2))[0];`;

const hostPage = (/** @type {string[]} */ frames, /** @type {string} */ attributes) =>
  `<!doctype html><html lang="en"><head><title>host</title><link rel="icon" href="data:,"></head><body>${frames
    .map((address) => `<iframe src="${address.replaceAll("&", "&amp;")}" width="480" height="420" ${attributes}></iframe>`)
    .join("")}</body></html>`;

/**
 * @param {string} site
 * @param {string} attributes of the frames
 * @param {string[]} [names] the figures in them
 */
function hostOf(site, attributes, names = NAMES) {
  const query = new URLSearchParams([["attributes", attributes]]);
  for (const name of names) query.append("frame", `${served[site].address}embed/${name}.html?lang=en`);
  return `${host}?${query}`;
}

const framesOf = (/** @type {Page} */ page) => page.frames().filter((frame) => /embed\/\w+\.html/.test(frame.url()));

/** What each frame shows, once as many as are wanted show what they have come to. */
async function figuresIn(/** @type {Page} */ page, /** @type {number} */ wanted) {
  const look = () =>
    Promise.all(
      framesOf(page).map((frame) =>
        frame.evaluate(() => {
          const { dataset } = /** @type {HTMLElement} */ (document.querySelector("figure[data-figure]"));
          const { backend } = document.documentElement.dataset;
          return { name: dataset.figure, state: dataset.state, backend, origin };
        }),
      ),
    );
  return eventually(async () => {
    // A frame that is not there yet has no figure.
    const found = await look().catch(() => []);
    return found.filter(({ state }) => state === "ready" || state === "error").length === wanted && found;
  }, `not ${wanted} figures`);
}

/** @template T @param {() => T} look @param {string} message @returns {Promise<Exclude<Awaited<T>, false | undefined>>} */
async function eventually(look, message) {
  for (const end = Date.now() + PATIENCE; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    const found = await look();
    if (found) return /** @type {any} */ (found);
    assert.ok(Date.now() < end, message);
  }
}

/** Whom the page has asked for something, files and itself left out. */
const hostsAsked = async (/** @type {Page} */ page, /** @type {string[]} */ requests) => {
  const resources = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  return [...new Set([...requests, ...resources].filter((url) => /^(https?|wss?):/.test(url)).map((url) => new URL(url).host))];
};

for (const engine of ENGINES) {
  describe(engine, () => {
    /** @type {import("puppeteer-core").Browser} */
    let browser;
    before(async () => {
      // In one process a sandboxed frame's console can be heard.
      browser = await launch({ engine, flags: ["--disable-features=IsolateSandboxedIframes"] });
    });
    after(() => browser?.close());

    for (const [label, site] of /** @type {const} */ ([
      ["under a path and the strict policy", "site"],
      ["where what fetch() asks for comes without its type", "octets"],
    ])) {
      test(`the site ${label}: all figures, no complaint, no other host; the preview of an embed too`, LONG, async () => {
        const { address } = served[site];
        const size = site === "octets" ? { width: 360, height: 780 } : {};
        const { page, complaints, requests } = await openPage(browser, { language: "en", ...size });
        await page.goto(address);
        await figuresReady(page, { patience: PATIENCE });
        assert.equal(await page.evaluate(() => document.documentElement.dataset.backend), "wasm-simd");
        await assertAllAt(page, -1, "at first");
        assert.deepEqual(await looks(page), { plain: 0, tight: [], blank: [], begun: [] });
        await page.$eval('[data-figure="gates"] [data-tool="embed"]', (button) => button.click());
        await page.waitForSelector('[data-figure="gates"] .builder', { timeout: PATIENCE });
        const preview = await eventually(() => page.frames().find((frame) => frame.url() === "about:srcdoc"), "no preview");
        await preview.waitForSelector('figure[data-state="ready"]', { timeout: PATIENCE });
        if (site === "octets") {
          const type = await page.evaluate(async () => (await fetch("embed/gates.html")).headers.get("content-type"));
          assert.equal(type, "application/octet-stream");
        }
        assert.deepEqual(complaints, []);
        assert.deepEqual(await hostsAsked(page, requests), [new URL(address).host]);
        await page.close();
      });
    }

    test("what a test says of the reader's machine holds as the tab goes on", LONG, async () => {
      const touch = lackOf("touch", engine) === undefined;
      for (const [wanted, is] of /** @type {const} */ ([
        [{ dark: true, calm: true, touch, width: 360 }, true],
        [{ width: 1280 }, false],
      ])) {
        const { page } = await openPage(browser, wanted);
        for (const path of ["", "embed.html?figure=gates", "gelu-embed.js", ""]) {
          await page.goto(served.site.address + path);
          const found = await page.evaluate(() =>
            ["(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "(pointer: coarse)"].map(
              (query) => matchMedia(query).matches,
            ),
          );
          assert.deepEqual(found, [is, is, is && touch], path);
        }
        await page.close();
      }
    });

    /** Links that look like words, names of controls that touch them, blank below controls, lines that begin with what closes a formula. */
    function looks(/** @type {Page} */ page) {
      return page.evaluate(() => {
        const seen = (/** @type {string} */ selector) =>
          [...document.querySelectorAll(selector)].filter((one) => one.getBoundingClientRect().height > 0);
        const top = (/** @type {Element | Range | null} */ box) => box?.getBoundingClientRect().top ?? Number.NaN;
        const begun = seen("math").filter((formula) => {
          const { nextSibling: text } = formula;
          if (!(text instanceof Text) || !/^\u2060?[，。；：、,.;:]/.test(text.data)) return false;
          const range = document.createRange();
          range.setStart(text, text.data.startsWith("\u2060") ? 1 : 0);
          range.setEnd(text, range.startOffset + 1);
          return range.getBoundingClientRect().left < formula.getBoundingClientRect().left;
        });
        const tight = seen(".ctl > legend:not(.vh)").filter((legend) => {
          const range = document.createRange();
          range.selectNodeContents(legend);
          return top(legend.nextElementSibling) - range.getBoundingClientRect().bottom < 2;
        });
        const bottom = (/** @type {Element} */ box) => box.getBoundingClientRect().bottom;
        // On a wide page controls that share a row are of one height.
        const blank = seen(innerWidth < 400 ? "fieldset" : ".none").filter(
          (set) => bottom(set) - Math.max(...[...set.children].map(bottom)) > 8,
        );
        return {
          plain: seen(".margin a").filter((link) => getComputedStyle(link).textDecorationLine !== "underline").length,
          tight: tight.map(({ textContent }) => textContent),
          blank: blank.map((set) => `${set.closest("figure")?.id} ${set.className}`),
          begun: begun.map(({ parentElement }) => parentElement?.textContent),
        };
      });
    }

    test("the library, whose wasm comes without its type", LONG, async () => {
      const { page, complaints } = await openPage(browser);
      await page.goto(served.library.address);
      await page.waitForFunction(() => document.querySelector("output").value !== "", { timeout: PATIENCE });
      assert.equal(await page.$eval("output", (output) => output.value), "wasm-simd 1.9544997361036416");
      const type = await page.evaluate(async () => (await fetch("gelu.wasm")).headers.get("content-type"));
      assert.equal(type, "application/octet-stream");
      assert.deepEqual(complaints, []);
      await page.close();
    });

    for (const [site, backend] of /** @type {const} */ ([
      ["no policy", "wasm-simd"],
      ["the embed's policy", "wasm-simd"],
      ["'self' alone", "wasm-simd"],
      ["a policy without wasm", "js"],
    ])) {
      const isShut = site === "'self' alone" && lackOf("'self' in a sandboxed frame", engine) !== undefined;
      test(`every figure in a sandboxed frame, under ${site}${isShut ? ": its picture or list" : ""}`, LONG, async () => {
        const { page, complaints } = await openPage(browser, { language: "en", width: 1100 });
        await page.goto(hostOf(site, 'sandbox="allow-scripts"'));
        if (isShut) await assertReadable(page);
        else await assertDrawn(page, backend);
        if (!isShut) assert.deepEqual(backend === "js" ? unexpected(complaints) : complaints, []);
        await page.close();
      });
    }

    async function assertDrawn(/** @type {Page} */ page, /** @type {string} */ backend) {
      for (const found of await figuresIn(page, NAMES.length)) {
        const { name, ...rest } = found;
        assert.deepEqual(rest, { state: "ready", backend, origin: "null" }, name);
      }
      for (const frame of framesOf(page)) {
        const { storage, note } = await frame.evaluate(() => {
          let storage = "is there";
          try {
            localStorage.getItem("x");
          } catch (error) {
            storage = /** @type {Error} */ (error).name;
          }
          const element = /** @type {HTMLElement | null} */ (document.querySelector(".backend"));
          return { storage, note: element?.checkVisibility() ? element.innerText : "" };
        });
        assert.equal(storage, "SecurityError");
        assert.equal(note, backend === "js" ? "Computed in JavaScript: same numbers, slower" : "", frame.url());
      }
    }

    /** Without its scripts a figure is a picture with a table, or a list. */
    async function assertReadable(/** @type {Page} */ page) {
      for (const name of NAMES) {
        await page.waitForFunction((count) => frames.length === count, { timeout: PATIENCE }, NAMES.length);
        const find = () => framesOf(page).find((each) => each.url().includes(`/${name}.html`));
        const frame = await eventually(find, `no frame with ${name}`);
        await frame.waitForSelector("figure[data-figure]", { timeout: PATIENCE });
        const { rows, words, pictures } = await frame.evaluate(() => {
          const seen = (/** @type {string} */ selector) =>
            [...document.querySelectorAll(selector)].filter((one) => one.getBoundingClientRect().height > 0).length;
          return {
            rows: seen("figure tr, figure .statement, figure details"),
            words: document.body.innerText.length,
            pictures: seen("figure svg"),
          };
        });
        assert.ok(rows > 6 && words > 200, `${name}: ${rows} rows, ${words} letters`);
        if (figures.some((figure) => figure.name === name && "scene" in figure)) assert.ok(pictures > 0, `${name}: no picture`);
      }
    }

    test("a frame's complaint is heard by these tests", LONG, async () => {
      const strict = await serveSite({ csp: "default-src 'none'; script-src * 'wasm-unsafe-eval'" });
      const { page, complaints } = await openPage(browser);
      const query = new URLSearchParams({ attributes: 'sandbox="allow-scripts"', frame: `${strict.address}embed/gates.html` });
      await page.goto(`${host}?${query}`);
      await eventually(
        () => complaints.some((complaint) => /style-src|Content Security Policy/.test(complaint)),
        "nothing heard",
      );
      await page.close();
      await strict.close();
    });

    test("a figure in a frame whose storage is blocked takes a new x and keeps its state", LONG, async () => {
      const { page, complaints } = await openPage(browser, { language: "en" });
      await page.evaluateOnNewDocument(() => {
        for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
          Object.defineProperty(window, name, {
            get() {
              throw new DOMException("Access is denied for this document.", "SecurityError");
            },
          });
        }
      });
      await page.goto(hostOf("the embed's policy", "", ["gates"]));
      const [{ origin }] = await figuresIn(page, 1);
      assert.equal(origin, new URL(served.site.address).origin);
      const [frame] = framesOf(page);
      assert.ok(await frame.evaluate(() => !Object.getOwnPropertyDescriptor(window, "localStorage")?.writable));
      const before = await frame.$eval('output[data-readout="normal_cdf"]', (output) => output.getAttribute("data-value"));
      // By a click: a script may not move the focus into another site's frame everywhere.
      await frame.click('input[name="x"]');
      await page.keyboard.press("End");
      await frame.waitForFunction(
        (was) => document.querySelector('output[data-readout="normal_cdf"]')?.getAttribute("data-value") !== was,
        { timeout: 5000 },
        before,
      );
      await frame.waitForFunction(() => location.search.includes("x="), { timeout: 5000 });
      assert.deepEqual(complaints, []);
      await page.close();
    });

    test("the handout from a file: all figures, and a moved x is right in each", LONG, async () => {
      const { page, complaints, requests } = await openPage(browser, { language: "en" });
      await page.goto(pathToFileURL(join(folder, "讲义 1.html")).href);
      await figuresReady(page, { patience: PATIENCE });
      assert.equal(await page.evaluate(() => document.documentElement.dataset.backend), "wasm-simd");
      await assertAllAt(page, -1, "at first");
      await pressX(page, FIGURES.gradients, "Shift+ArrowRight");
      await assertAllAt(page, -0.9, "by key");
      assert.deepEqual(complaints, []);
      assert.deepEqual(await hostsAsked(page, requests), []);
      await page.close();
    });

    test("a file asks nothing of the files beside it, whatever the driver's profile says", LONG, async () => {
      const { page } = await openPage(browser);
      await page.goto(pathToFileURL(join(folder, "lib/index.html")).href);
      const answer = await page.evaluate(() =>
        fetch("page.js")
          .then(() => "came")
          .catch(() => "refused"),
      );
      assert.equal(answer, "refused");
      await page.close();
    });

    test("a copy with the present state, saved by the reader, opens from a file in that state", LONG, async () => {
      const place = await mkdtemp(join(folder, "saved-"));
      const { page, complaints } = await openPage(browser, { language: "en" });
      await downloadTo(browser, place);
      await page.goto(pathToFileURL(join(folder, "讲义 1.html")).href);
      await figuresReady(page, { patience: PATIENCE });
      await typeX(page, FIGURES.hero, "1.25");
      await page.click(".file-menu > summary");
      await page.click('[data-act="saveCopy"]');
      const { file } = await savedFile(place, /^gelu-handout-[\w-]+\.html$/);
      assert.deepEqual(complaints, []);
      await page.close();
      const copy = await openPage(browser, { language: "en" });
      await copy.page.goto(pathToFileURL(join(place, file)).href);
      await figuresReady(copy.page, { patience: PATIENCE });
      await assertAllAt(copy.page, 1.25, "in the copy");
      await settled(copy.page);
      assert.deepEqual(copy.complaints, []);
      await copy.page.close();
    });
  });
}
