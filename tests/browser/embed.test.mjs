/** One figure in somebody else's page: every figure, every host, what hosts may say, the element, and the code that is handed out. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages are in the page, and one of them is hidden
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { listen } from "../../web/build/serve.mjs";
import { figures } from "../../web/figures/index.js";
import { findings } from "./axe.mjs";
import { figuresReady, isGivenUp, launch, openPage, serveSite, settled } from "./browser.mjs";
import { truth } from "./oracle.mjs";

/** @typedef {import("puppeteer-core").Page} Page */
/** @typedef {import("puppeteer-core").Frame} Frame */

const NAMES = figures.map(({ name }) => name);
/** The other forms in which the lesson shows a figure, with their place in it. */
const FORMS = { "curves-compact": "hero-curves", "curves-simple": "relu-curves", "gates-plain": "relu-gates" };
/** Plots of more than one panel, tables that cannot be shorter, and the longest of judge's statements, in pixels. */
const TALL = { judge: 605, race: 630, admission: 770, coin: 950, precision: 690, speed: 740 };
const PLOTS = figures.filter((figure) => "scene" in figure).map(({ name }) => name);

/** @type {import("puppeteer-core").Browser} */
let browser;
/** The site below a path with the policies of its pages; the same with no policy at all. */
let site;
let bare;
/** Somebody else's pages, from another origin. */
let host;

before(async () => {
  // In one process a sandboxed frame's console can be heard.
  browser = await launch({ scrollbars: true, flags: ["--disable-features=IsolateSandboxedIframes"] });
  site = await serveSite({ prefix: "/a/b/" });
  bare = await serveSite({ csp: "" });
  host = await serveHost();
});
after(async () => {
  await browser?.close();
  for (const server of [site, bare, host]) await server?.close();
});

/** Answers with what was put on it. */
async function serveHost() {
  const pages = new Map();
  const server = createServer((request, response) => {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(pages.get(request.url) ?? "");
  });
  const port = await listen(server, 0, "127.0.0.1");
  return {
    /** @param {string} body @param {string} [attributes] of html */
    put(body, attributes = 'lang="en"') {
      const path = `/${pages.size}`;
      pages.set(
        path,
        `<!doctype html><html ${attributes}><head><title>host</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`,
      );
      return `http://127.0.0.1:${port}${path}`;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * Opens an address, uses the page, and accepts no complaint, of its frames neither.
 * @param {string} address
 * @param {(page: Page, complaints: string[]) => Promise<void>} use
 * @param {Parameters<typeof openPage>[1] & { before?: (page: Page) => Promise<unknown>, replaced?: boolean }} [options]
 *   replaced: a frame that gives way to another while it loads ends its requests
 */
async function visit(address, use, { before: prepare, replaced = false, ...options } = {}) {
  const { page, complaints } = await openPage(browser, { language: "en", width: 900, height: 700, ...options });
  try {
    await prepare?.(page);
    await page.goto(address);
    await use(page, complaints);
    assert.deepEqual(
      complaints.filter((complaint) => !(replaced && isGivenUp(complaint))),
      [],
    );
  } finally {
    await page.close();
  }
}

/** @param {string} name @param {string} [query] */
const embed = (name, query = "") => `embed.html?figure=${name}${query && `&${query}`}`;

const SANDBOX = 'sandbox="allow-scripts"';

/** @param {string} address @param {string} [attributes] */
const frameOf = (address, attributes = SANDBOX) =>
  `<iframe id="frame" src="${address.replaceAll("&", "&amp;")}" width="480" height="420" style="border:0" ${attributes}></iframe>`;

/** The frame with a figure, once it is drawn. */
async function figureFrame(/** @type {Page} */ page, index = 0) {
  const frame = await eventually(() => page.frames().filter((each) => /embed\/\w+\.html/.test(each.url()))[index], "no frame");
  await frame.waitForSelector('figure[data-state="ready"]', { timeout: 15_000 });
  return frame;
}

async function eventually(look, message, limit = 8000) {
  const end = Date.now() + limit;
  for (;;) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < end, message);
    await pause(50);
  }
}

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const knob = (/** @type {Page | Frame} */ where) => where.$eval('input[name="x"]', (input) => Number(input.value));

/** What the tests' hosts write down. */
const LISTENER = `<script>
  window.heard = [];
  addEventListener("message", (event) => heard.push({ data: event.data, at: performance.now() }));
</script>`;

const heard = (/** @type {Page} */ page) => page.evaluate(() => window.heard.map(({ data }) => data));

describe("every figure", () => {
  test("is drawn by embed.html under a sub-path, with nothing to complain of, and nothing from elsewhere", async () => {
    for (const name of NAMES) {
      const { page, complaints, requests } = await openPage(browser, { language: "en" });
      await page.goto(site.address + embed(name));
      await figuresReady(page);
      assert.equal(await page.$$eval("figure[data-figure]", (all) => all.map((one) => one.dataset.figure).join()), name);
      assert.equal(await page.$eval("html", ({ dataset }) => dataset.backend), "wasm-simd", name);
      assert.deepEqual(complaints, [], name);
      for (const url of requests) assert.ok(url.startsWith(site.address) || /^(data|blob):/.test(url), `${name}: ${url}`);
      await page.close();
    }
  });

  for (const [label, server] of /** @type {[string, () => any][]} */ ([
    ["the embed's policy", () => site],
    ["no policy", () => bare],
  ])) {
    test(`is drawn in a sandboxed frame, under ${label}`, async () => {
      for (const name of NAMES) {
        await visit(host.put(frameOf(server().address + embed(name))), async (page) => {
          const frame = await figureFrame(page);
          assert.equal(await frame.evaluate(() => origin), "null", name);
          await settled(page);
        });
      }
    });
  }

  test("a frame's complaint is heard by these tests", async () => {
    const strict = await serveSite({ csp: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'" });
    try {
      await assert.rejects(
        visit(host.put(frameOf(strict.address + embed("gates"))), () => pause(1500)),
        /policy: style-src|Content Security Policy/,
      );
    } finally {
      await strict.close();
    }
  });

  test("has its picture and its table, in both languages, and the way to the lesson, where no script runs", async () => {
    for (const name of NAMES) {
      await visit(
        `${site.address}embed/${name}.html`,
        async (page) => {
          const found = await page.evaluate(() => {
            const seen = (/** @type {Element} */ element) =>
              element.checkVisibility() && element.getBoundingClientRect().height > 0;
            return {
              pictures: [...document.querySelectorAll("figure svg")].filter(seen).length,
              rows: [...document.querySelectorAll("figure tr, figure .statement, figure details")].filter(seen).length,
              zh: [...document.querySelectorAll('.fig-title [lang|="zh"]')].filter(seen).length,
              en: [...document.querySelectorAll('.fig-title [lang="en"]')].filter(seen).length,
              link: document.querySelector("a.to-lesson").href,
              wide: document.documentElement.scrollWidth - innerWidth,
            };
          });
          if (PLOTS.includes(name)) assert.ok(found.pictures > 0, `${name}: no picture`);
          assert.ok(found.rows > 6, `${name}: ${found.rows} rows`);
          assert.ok(found.zh > 0 && found.en > 0, `${name}: ${JSON.stringify(found)}`);
          assert.match(found.link, /\/a\/b\/#\w+-\w+$/);
          assert.ok(found.wide <= 0, `${name}: ${found.wide} px too wide`);
        },
        { scripts: false, width: 480 },
      );
    }
  });

  test("fits 320 × 360 without a sideways scroll, whatever is left of it; with no controls it keeps its knob", async () => {
    for (const controls of ["full", "min", "none"]) {
      for (const name of NAMES) {
        await visit(
          site.address + embed(name, `controls=${controls}`),
          async (page) => {
            await figuresReady(page);
            await settled(page);
            const found = await page.evaluate(() => {
              const seen = (/** @type {string} */ selector) =>
                [...document.querySelectorAll(selector)].some((element) => element.checkVisibility());
              return {
                wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
                knob: seen("input.xaxis[name]"),
                controls: seen("figure:not([data-kind]) .ctls .ctl"),
                readouts: seen(".fig-side output"),
                table: seen('[data-tool="dataTable"]'),
                reset: seen('[data-tool="reset"]'),
                lesson: seen("a.to-lesson"),
              };
            });
            const label = `${name}, ${controls}`;
            assert.ok(found.wide <= 0, `${label}: ${found.wide} px too wide`);
            assert.ok(found.lesson, `${label}: no way to the lesson`);
            if (PLOTS.includes(name)) {
              assert.ok(found.knob, `${label}: no knob`);
              assert.equal(found.readouts, controls !== "none", `${label}: readouts`);
              assert.equal(found.table, controls !== "none", `${label}: table`);
              if (controls !== "full") assert.ok(!found.controls, `${label}: controls`);
            }
            assert.equal(found.reset, controls !== "none", `${label}: reset`);
          },
          { width: 320, height: 360 },
        );
      }
    }
  });

  for (const [name, place] of Object.entries(FORMS)) {
    test(`${name} is the figure in the form that it has in the lesson, and leads back to it`, async () => {
      const readouts = async (/** @type {Page} */ page, /** @type {string} */ selector) =>
        page.$$eval(`${selector} output[data-readout]`, (all) => all.map(({ dataset }) => `${dataset.readout} ${dataset.value}`));
      /** @type {string[]} */
      let lesson = [];
      await visit(`${site.address}?x=-1.25`, async (page) => {
        await figuresReady(page);
        lesson = await readouts(page, `#${place}`);
      });
      assert.ok(lesson.length > 1, `${lesson}`);
      for (const width of [320, 720]) {
        await visit(
          site.address + embed(name, "x=-1.25"),
          async (page) => {
            await figuresReady(page);
            assert.deepEqual(await readouts(page, "figure"), lesson);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
            assert.ok(await page.$eval(".fig-title", (title) => title.getBoundingClientRect().height > 10), "no title");
            assert.equal(new URL(await page.$eval("a.to-lesson", ({ href }) => href)).hash, `#${place}`);
          },
          { width, height: 500 },
        );
      }
    });
  }

  test("with controls=min fits what course pages give a frame: the plot whole and its knob in the first screen, little below", async () => {
    for (const [width, height, most] of [
      [320, 360, 600],
      [480, 420, 600],
      [520, 520, 600],
    ]) {
      for (const name of NAMES) {
        await visit(
          site.address + embed(name, "controls=min"),
          async (page) => {
            await figuresReady(page);
            await settled(page);
            const found = await page.evaluate(() => ({
              whole: Math.ceil(document.documentElement.getBoundingClientRect().height),
              // Around the knob there is room for a finger.
              knob: (document.querySelector("input.xaxis")?.getBoundingClientRect().bottom ?? 0) - 10,
              first: document.querySelector(".panel :is(button, textarea, td)")?.getBoundingClientRect().bottom ?? 0,
            }));
            const label = `${name} at ${width} × ${height}: ${JSON.stringify(found)}`;
            assert.ok(found.whole <= (TALL[name] ?? most), label);
            // The plot ends where its knob does.
            assert.ok(found.knob <= height && found.first <= height, label);
            assert.ok(found.knob > 0 || found.first > 0, label);
          },
          { width, height },
        );
      }
    }
  });

  test("with controls=min the values in a row stand at one height", async () => {
    for (const name of NAMES) {
      await visit(
        site.address + embed(name, "controls=min"),
        async (page) => {
          await figuresReady(page);
          await settled(page);
          const places = await page.$$eval(".fig-side .read tr", (rows) =>
            rows
              .filter((row) => row.querySelector("td output")?.checkVisibility())
              .map((row) => [row.getBoundingClientRect().top, row.querySelector("td output").getBoundingClientRect().top]),
          );
          for (const [row, value] of places) {
            const others = places.filter(([top]) => top === row).map(([, top]) => top);
            assert.ok(
              others.every((top) => Math.abs(top - value) < 0.5),
              `${name}: ${others}`,
            );
          }
        },
        { width: 640 },
      );
    }
  });

  test("has nothing that axe objects to", async () => {
    for (const [i, name] of NAMES.entries()) {
      await visit(
        site.address + embed(name, i % 2 === 0 ? "theme=light" : "theme=dark&lang=zh"),
        async (page) => {
          await figuresReady(page);
          assert.deepEqual(await findings(page, ["main"]), [], name);
        },
        { width: 480, height: 600 },
      );
    }
  });
});

describe("the address", () => {
  test("a figure that there is not: a sentence with its name as text and those that are allowed", async () => {
    for (const bad of ["gatez", "<img src=x onerror=alert(1)>", "../index", "constructor", "x".repeat(5000)]) {
      await visit(`${site.address}embed.html?figure=${encodeURIComponent(bad)}`, async (page) => {
        const text = await page.$eval("main", (main) => main.innerText);
        assert.ok(text.includes(bad.slice(0, 40)), text.slice(0, 200));
        for (const name of NAMES) assert.match(text, new RegExp(`\\b${name}\\b`));
        assert.equal(await page.$$eval("img", (all) => all.length), 0);
      });
    }
    await visit(`${site.address}embed.html`, async (page) => {
      assert.match(await page.$eval("main", (main) => main.innerText), /does not say which figure[\s\S]*gates/);
    });
    await visit(`${site.address}embed.html?figure=x&lang=zh`, async (page) => {
      assert.match(await page.$eval("main", (main) => main.innerText), /没有叫“x”的图/);
    });
  });

  test("state, language, theme, title and ground", () =>
    visit(
      site.address +
        embed("gates", "x=0.5&gates.view=gated&gelu_sigmoid.k=1.5&lang=zh&theme=dark&title=0&background=transparent"),
      async (page) => {
        await figuresReady(page);
        assert.equal(await knob(page), 0.5);
        const found = await page.evaluate(() => ({
          lang: document.documentElement.lang,
          ground: getComputedStyle(document.documentElement).backgroundColor,
          ink: getComputedStyle(document.documentElement).color,
          title: document.querySelector(".fig-title").checkVisibility(),
        }));
        assert.deepEqual([found.lang, found.title, found.ground], ["zh-CN", false, "rgba(0, 0, 0, 0)"]);
        assert.ok(Number(found.ink.match(/\d+/)[0]) > 180, `ink ${found.ink} on dark`);
      },
    ));

  test("keeps how much is shown when the state is written back, so that a reload shows the same", () =>
    visit(site.address + embed("gates", "controls=min&embed_id=a%26b&title=0"), async (page) => {
      await figuresReady(page);
      await page.focus('input[name="x"]');
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(() => location.search.includes("x="), { timeout: 3000 });
      const x = await knob(page);
      await page.reload();
      await figuresReady(page);
      assert.equal(await knob(page), x);
      const kept = await page.evaluate(() => Object.fromEntries(new URLSearchParams(location.search)));
      assert.deepEqual([kept.controls, kept.title, kept.embed_id], ["min", "0", "a&b"]);
    }));

  test("the way to the lesson holds the state, and opens it beside the host", async () => {
    await visit(
      host.put(
        frameOf(site.address + embed("gates", "x=1.5"), 'sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"'),
      ),
      async (page) => {
        const frame = await figureFrame(page);
        assert.equal(await frame.$eval("a.to-lesson", (link) => link.href), `${site.address}?x=1.5#sigmoid-gates`);
        const opened = browser.waitForTarget((target) => target.url().includes("#sigmoid-gates"), { timeout: 8000 });
        await frame.click("a.to-lesson");
        const lesson = await (await opened).page();
        await figuresReady(lesson);
        assert.equal(await lesson.$eval('#sigmoid-gates input[name="x"]', (input) => Number(input.value)), 1.5);
        await lesson.close();
        assert.match(frame.url(), /embed\/gates/);
      },
    );
  });

  test("where the host allows no windows, the address is shown to be copied", async () => {
    const { page } = await openPage(browser, { language: "en" });
    await page.goto(host.put(frameOf(site.address + embed("gates"))));
    const frame = await figureFrame(page);
    await frame.click("a.to-lesson");
    await frame.waitForSelector(".copy-by-hand", { timeout: 3000 });
    assert.equal(await frame.$eval(".copy-by-hand", (input) => input.value), `${site.address}#sigmoid-gates`);
    assert.match(frame.url(), /embed\/gates/);
    await page.close();
  });
});

/** How the hosts take in a height; each knows its own dialect only. */
const HOSTS = {
  own: `if (data && data.type === "gelu:resize" && data.v === 1 && data.id === "one") set(data.height);`,
  LTI: `if (typeof data === "string") { const m = JSON.parse(data); if (m.subject === "lti.frameResize") set(m.height); }`,
  // As h5p-resizer.js does, without its answers.
  H5P: `if (data && data.context === "h5p") { if (data.action === "resize") set(data.scrollHeight); }`,
  "Open edX": `if (data && data.type === "plugin.resize") set(data.payload.height);`,
};

/** @param {string} rule @param {string} frame */
const adopting = (rule, frame) => `<script>
  window.sets = 0;
  addEventListener("message", ({ source, data }) => {
    const frame = document.getElementById("frame");
    if (source !== frame.contentWindow) return;
    const set = (height) => { sets++; frame.style.height = height + "px"; };
    ${rule}
  });
</script><div id="box">${frame}</div>`;

/** The frame is as high as its content, within two pixels, and has nothing to scroll. */
async function assertFits(/** @type {Page} */ page, /** @type {Frame} */ frame, /** @type {string} */ label) {
  const measure = async () => {
    const outside = await page.$eval("#frame", (element) => element.getBoundingClientRect().height);
    const [content, scroll, bar] = await frame.evaluate(() => [
      document.documentElement.getBoundingClientRect().height,
      document.documentElement.scrollHeight - innerHeight,
      innerWidth - document.documentElement.clientWidth,
    ]);
    return { outside, content, scroll, bar, fits: Math.abs(outside - content) <= 2 && scroll <= 0 && bar === 0 };
  };
  await eventually(async () => (await measure()).fits, "").catch(async () =>
    assert.fail(`${label}: ${JSON.stringify(await measure())}`),
  );
}

/** Nothing more is said while nothing happens. */
async function assertQuiet(/** @type {Page} */ page, /** @type {string} */ label) {
  await pause(300);
  const earlier = await page.evaluate(() => window.sets);
  await pause(700);
  assert.equal(await page.evaluate(() => window.sets), earlier, `${label}: heights go on and on`);
}

describe("height", () => {
  for (const [name, rule] of Object.entries(HOSTS)) {
    test(`in a host that knows the messages of ${name}: grows and shrinks, then is quiet`, () =>
      visit(host.put(adopting(rule, frameOf(site.address + embed("gates", "embed_id=one")))), async (page) => {
        const frame = await figureFrame(page);
        await assertFits(page, frame, "at first");
        const height = () => page.$eval("#frame", (element) => element.offsetHeight);
        const small = await height();
        await frame.$eval('[data-tool="dataTable"]', (button) => button.click());
        await eventually(async () => (await height()) > small + 100, "did not grow");
        await assertFits(page, frame, "with the table");
        await assertQuiet(page, "with the table");
        await frame.$eval('[data-tool="dataTable"]', (button) => button.click());
        await eventually(async () => (await height()) === small, "did not shrink back");
        await assertFits(page, frame, "without the table");
        await assertQuiet(page, "without the table");
      }));
  }

  test("at every width around those where the page changes, with bars that take room", () =>
    visit(host.put(adopting(HOSTS.own, frameOf(site.address + embed("gates", "embed_id=one")))), async (page) => {
      const frame = await figureFrame(page);
      for (const width of [320, 383, 384, 390, 465, 479, 480, 481, 494, 495, 600, 705, 719, 720, 735, 800]) {
        await page.$eval("#frame", (element, px) => element.setAttribute("width", String(px)), width);
        await assertFits(page, frame, `${width} px`);
      }
      await assertQuiet(page, "at 800 px");
    }));

  test("of every figure", async () => {
    for (const name of NAMES) {
      await visit(host.put(adopting(HOSTS.own, frameOf(site.address + embed(name, "embed_id=one")))), async (page) => {
        const frame = await figureFrame(page);
        await assertFits(page, frame, name);
        await assertQuiet(page, name);
      });
    }
  });

  test("content whose height depends on whether there is a bar does not make host and frame chase each other", () =>
    visit(host.put(adopting(HOSTS.own, frameOf(site.address + embed("gates", "embed_id=one")))), async (page) => {
      const frame = await figureFrame(page);
      await frame.evaluate(() => {
        const block = document.createElement("div");
        // Narrower is lower: without a guard this never ends.
        block.style.aspectRatio = "1";
        document.querySelector("main").append(block);
      });
      await pause(1500);
      await assertQuiet(page, "chased");
    }));

  test("created hidden and shown later", () =>
    visit(
      host.put(
        adopting(HOSTS.own, frameOf(site.address + embed("curves", "embed_id=one&controls=min"))).replace(
          'id="box"',
          'id="box" hidden',
        ),
      ),
      async (page) => {
        const frame = await eventually(() => page.frames().find((each) => each.url().includes("embed/curves")), "no frame");
        await pause(1500);
        assert.equal(await page.evaluate(() => window.sets), 0, "a height of what has none");
        await page.$eval("#box", (box) => {
          box.hidden = false;
        });
        await frame.waitForSelector('figure[data-state="ready"]', { timeout: 8000 });
        await assertFits(page, frame, "shown");
        // Until the host had its height there was a bar beside it.
        await frame.waitForFunction(
          () => document.querySelector("canvas")?.clientWidth === document.querySelector(".plot")?.clientWidth,
          { timeout: 3000 },
        );
        await settled(page);
        const inked = await frame.evaluate(() => {
          const element = document.querySelector("canvas");
          const { data } = element.getContext("2d").getImageData(0, 0, element.width, element.height);
          return data.filter((value, i) => i % 4 === 3 && value > 0).length;
        });
        assert.ok(inked > 1000, `${inked} pixels drawn`);
      },
    ));
});

/** Numbers from a seed (mulberry32). */
function randomFrom(/** @type {number} */ seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Sends `count` messages that no honest host would; runs in the host's page. */
function sendHostile(count, makeRandom) {
  const random = new Function(`return ${makeRandom}`)()(20261130);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const deep = (n) => (n === 0 ? 1 : [deep(n - 1)]);
  const values = () =>
    pick([
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      "",
      " ",
      "1e999",
      "0x10",
      "abc",
      "<img src=x onerror=alert(1)>",
      {},
      { valueOf: 1 },
      { length: 3 },
      [],
      [[]],
      [null],
      [{}],
      deep(50),
      true,
      false,
      new Date(),
      /x/,
      new Map([["x", 1]]),
      10n,
      new Uint8Array(4),
      new Error("no"),
      "gelu,evil",
      ["gelu", "evil"],
      "__proto__",
      "javascript:alert(1)",
      "9".repeat(5000),
      "１",
      undefined,
    ]);
  const keys = [
    "x",
    "from",
    "to",
    "fns",
    "order",
    "lang",
    "theme",
    "gates.view",
    "gelu_sigmoid.k",
    "__proto__",
    "constructor",
    "toString",
    "race.seed",
    "judge.votes",
    "hash",
    "href",
    "x ",
    "X",
    "",
    "innerHTML",
    "data-state",
  ];
  const stateOf = () => {
    const state = {};
    for (let i = 0; i < 4; i++)
      Object.defineProperty(state, pick(keys), { value: values(), enumerable: true, configurable: true });
    return state;
  };
  const target = document.getElementById("frame").contentWindow;
  for (let i = 0; i < count; i++) {
    const message = pick([
      () => values(),
      () => ({ type: "gelu:set", v: 1, state: stateOf() }),
      () => ({ type: "gelu:set", v: 1, state: values() }),
      () => ({ type: "gelu:set", v: pick([0, 2, "1", null, true, [1]]), state: { x: 3, order: "1" } }),
      () => ({
        type: pick(["gelu:SET", "set", "gelu:get ", "gelu:state", "gelu:ready", "eval", ["gelu:set"], 1]),
        v: 1,
        state: { x: 3 },
      }),
      () => JSON.stringify({ type: "gelu:set", v: 1, state: { x: 3 } }),
      () => ({ v: 1, state: { x: 3 }, x: 3, ...stateOf() }),
      () => [{ type: "gelu:set", v: 1, state: { x: 3 } }],
      () => ({ context: "h5p", action: pick(["resize", "prepareResize", "hello"]), height: values() }),
      () => ({ subject: "lti.frameResize", height: values() }),
    ])();
    target.postMessage(message, "*");
  }
}

describe("messages", () => {
  const framed = (query = "") => host.put(LISTENER + frameOf(site.address + embed("gates", `embed_id=seven${query}`)));
  const post = (/** @type {Page} */ page, message) =>
    page.evaluate((data) => document.getElementById("frame").contentWindow.postMessage(data, "*"), message);
  const last = async (/** @type {Page} */ page, type) => (await heard(page)).filter((data) => data?.type === type).at(-1);

  /** Asks for the state and waits for the answer. */
  async function stateOf(/** @type {Page} */ page) {
    const before = (await heard(page)).filter((data) => data?.type === "gelu:state").length;
    await post(page, { type: "gelu:get", v: 1 });
    await eventually(async () => (await heard(page)).filter((data) => data?.type === "gelu:state").length > before, "no answer");
    const { id, v, state } = await last(page, "gelu:state");
    assert.deepEqual([id, v], ["seven", 1]);
    return state;
  }

  test("a figure says that it is ready, takes a state, tells it, and answers", () =>
    visit(framed(), async (page) => {
      const frame = await figureFrame(page);
      await eventually(() => last(page, "gelu:ready"), "not ready");
      assert.deepEqual(await last(page, "gelu:ready"), { type: "gelu:ready", v: 1, id: "seven", figure: "gates" });
      await post(page, {
        type: "gelu:set",
        v: 1,
        state: { x: 2.5, "gates.view": "gated", "gelu_sigmoid.k": "1.5", from: -5, to: 5 },
      });
      await eventually(async () => (await knob(frame)) === 2.5, "x was not taken");
      const state = await eventually(async () => {
        const told = (await last(page, "gelu:state"))?.state;
        return told?.x === 2.5 && told;
      }, "the change was not told");
      assert.deepEqual([state["gates.view"], state["gelu_sigmoid.k"], state.from, state.to], ["gated", 1.5, -5, 5]);
      assert.ok(!("race.seed" in state), "another figure's own");
      const shown = await frame.$eval(
        'output[data-readout="gelu_sigmoid"], output[data-readout="sigmoid"], .read output',
        (output) => Number(output.dataset.value),
      );
      assert.ok(Number.isFinite(shown));
      // Clamped, and back to what it was by what was told.
      await post(page, { type: "gelu:set", v: 1, state: { x: 1e9 } });
      assert.equal((await stateOf(page)).x, 50);
      await post(page, { type: "gelu:set", v: 1, state });
      assert.deepEqual(await stateOf(page), state);
      // What the reader moves is told as well.
      await frame.focus('input[name="x"]');
      await page.keyboard.press("ArrowRight");
      await eventually(async () => (await last(page, "gelu:state")).state.x > 2.5, "a key was not told");
    }));

  test("10,000 hostile ones change nothing and log nothing", () =>
    visit(framed("&x=0.5&gelu_sigmoid.k=1.5&fns=gelu&from=-3&to=3&lang=en&theme=light"), async (page) => {
      const frame = await figureFrame(page);
      const before = await stateOf(page);
      const html = () => frame.evaluate(() => [document.documentElement.outerHTML, location.href].join());
      const page0 = await html();
      await page.evaluate(() => {
        window.heard.length = 0;
      });
      await page.evaluate(sendHostile, 10_000, String(randomFrom));
      await pause(1000);
      assert.deepEqual(await stateOf(page), before);
      assert.equal(await html(), page0);
      assert.deepEqual(
        (await heard(page)).filter((data) => data?.type !== "gelu:state"),
        [],
      );
      assert.equal((await heard(page)).length, 1, "only the answer to our own question");
      // It still listens.
      await post(page, { type: "gelu:set", v: 1, state: { x: 1.25 } });
      await eventually(async () => (await knob(frame)) === 1.25, "deaf");
    }));

  test("nobody but the parent is heard", () =>
    visit(framed("&x=0.5"), async (page) => {
      const frame = await figureFrame(page);
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const other = document.createElement("iframe");
            other.srcdoc = `<script>
              for (const frame of [parent.document.getElementById("frame")])
                frame.contentWindow.postMessage({ type: "gelu:set", v: 1, state: { x: 3 } }, "*");
            </script>`;
            other.onload = resolve;
            document.body.append(other);
          }),
      );
      await frame.evaluate(() => postMessage({ type: "gelu:set", v: 1, state: { x: 3 } }, "*"));
      await pause(400);
      assert.equal(await knob(frame), 0.5);
    }));

  test("a page that is no frame says and hears nothing", () =>
    visit(site.address + embed("gates", "x=0.5"), async (page) => {
      await figuresReady(page);
      await page.evaluate(() => {
        window.got = [];
        addEventListener("message", ({ data }) => window.got.push(data));
        postMessage({ type: "gelu:set", v: 1, state: { x: 3 } }, "*");
      });
      await page.click('[data-tool="dataTable"]');
      await pause(400);
      assert.equal(await knob(page), 0.5);
      assert.equal(await page.evaluate(() => window.got.length), 1);
    }));
});

describe("manners", () => {
  test("takes no focus, and the wheel scrolls the page around it", () =>
    visit(
      host.put(`<input id="mine">${adopting(HOSTS.own, frameOf(site.address + embed("gates", "embed_id=one")))}<div style="height:3000px"></div>
        <script>document.getElementById("mine").focus()</script>`),
      async (page) => {
        const frame = await figureFrame(page);
        await assertFits(page, frame, "at first");
        assert.equal(await page.evaluate(() => document.activeElement.id), "mine");
        const box = await page.$eval("#frame", (element) => element.getBoundingClientRect().toJSON());
        const range = () => frame.$eval('input[name="x"]', ({ min, max }) => [min, max]);
        const before = await range();
        await page.mouse.move(box.x + 200, box.y + 150);
        await page.mouse.wheel({ deltaY: 300 });
        await eventually(() => page.evaluate(() => scrollY > 200), "the page did not scroll");
        assert.deepEqual(await range(), before, "the wheel zoomed");
      },
    ));
});

describe("the wheel over a table", () => {
  const TABLE = '[data-figure="table"] .grid-box';
  const WHEEL = { deltaY: 400 };

  test("scrolls the page around the frame, whether or not the table has more rows than are shown", () =>
    visit(
      host.put(`${adopting(HOSTS.own, frameOf(site.address + embed("table", "embed_id=one")))}<div style="height:3000px"></div>`),
      async (page) => {
        const frame = await figureFrame(page);
        await assertFits(page, frame, "at first");
        const { x, y } = await page.$eval("#frame", (element) => element.getBoundingClientRect().toJSON());
        const inside = await frame.$eval(TABLE, (element) => element.getBoundingClientRect().toJSON());
        await page.mouse.move(x + inside.x + 50, y + inside.y + 60);
        await page.mouse.wheel(WHEEL);
        await eventually(() => page.evaluate(() => scrollY > 200), "the page did not scroll");
      },
    ));

  test("scrolls the lesson: over a table in a panel, and over a figure's numbers once they are at their end", () =>
    visit(site.address, async (page) => {
      await figuresReady(page);
      const gates = '[data-figure="gates"]';
      await page.$eval(`${gates} [data-tool="dataTable"]`, (button) => button.click());
      await page.$eval(`${gates} .fig-table`, (box) => box.scrollTo(0, box.scrollHeight));
      for (const selector of [TABLE, `${gates} .fig-table`]) {
        await page.$eval(selector, (element) => element.scrollIntoView({ block: "center" }));
        await settled(page);
        const { x, y } = await page.$eval(selector, (element) => element.getBoundingClientRect().toJSON());
        await page.mouse.move(x + 50, y + 60);
        const before = await page.evaluate(() => scrollY);
        await page.mouse.wheel(WHEEL);
        await eventually(() => page.evaluate((from) => scrollY > from + 200, before), `${selector}: the page did not scroll`);
      }
    }));
});

describe("<gelu-figure>", () => {
  const script = () => `<script src="${site.address}gelu-embed.js" defer></script>`;

  test("makes a sandboxed frame as high as the figure, forwards attributes, and tells what the reader moves", () =>
    visit(
      host.put(`${script()}<gelu-figure figure="gates" controls="min" x="0.5" theme="light" title="Doors"></gelu-figure>`),
      async (page) => {
        const frame = await figureFrame(page);
        const inside = (read) =>
          page.evaluate(`(${read})(document.querySelector("gelu-figure").shadowRoot.querySelector("iframe"))`);
        assert.deepEqual(
          await inside(
            "(frame) => [frame.title, frame.sandbox.contains('allow-scripts'), frame.sandbox.contains('allow-same-origin')]",
          ),
          ["Doors", true, false],
        );
        assert.equal(await knob(frame), 0.5);
        await eventually(
          async () =>
            Math.abs(
              (await inside("(frame) => frame.getBoundingClientRect().height")) -
                (await frame.evaluate(() => document.documentElement.getBoundingClientRect().height)),
            ) <= 2,
          "not as high as its content",
        );
        await eventually(() => page.evaluate(() => document.querySelector("gelu-figure").state?.x === 0.5), "no state");
        await page.evaluate(() => {
          window.changes = [];
          const element = document.querySelector("gelu-figure");
          element.addEventListener("change", ({ detail }) => window.changes.push(detail.state));
          element.x = 1.5;
          element.setAttribute("theme", "dark");
        });
        await eventually(async () => (await knob(frame)) === 1.5, "the attribute was not forwarded");
        await eventually(() => frame.evaluate(() => document.documentElement.dataset.theme === "dark"), "theme");
        await page.evaluate(() => {
          document.querySelector("gelu-figure").state = { "gates.view": "gated" };
        });
        await eventually(
          () => page.evaluate(() => window.changes.some((state) => state["gates.view"] === "gated" && state.x === 1.5)),
          "no change event",
        );
        await frame.focus('input[name="x"]');
        await page.keyboard.press("ArrowLeft");
        await eventually(() => page.evaluate(() => window.changes.at(-1).x < 1.5), "the reader's move was not told");
        await page.evaluate(() => document.querySelector("gelu-figure").setAttribute("figure", "curves"));
        await eventually(() => page.frames().some((each) => each.url().includes("embed/curves")), "the figure did not change");
      },
    ));

  test("two on a page; in a host that reads from right to left, whose Object.prototype is full of things", () =>
    visit(
      host.put(
        `<script>
          for (const [name, value] of Object.entries({ type: "gelu:resize", height: 9000, v: 1, id: "x", once: true, passive: true,
            get: 1, set: 2, value: 3, mode: "closed", detail: 5, state: { x: 9 }, extends: "p", cancelable: "yes", toJSON: 0, length: 7 }))
            Object.prototype[name] = value;
        </script>${script()}
        <gelu-figure id="one" figure="gates" x="1"></gelu-figure><gelu-figure id="two" figure="curves" controls="min" x="2" lang="zh"></gelu-figure>`,
        'lang="ar" dir="rtl"',
      ),
      async (page) => {
        const frames = [await figureFrame(page, 0), await figureFrame(page, 1)];
        const gates = frames.find((frame) => frame.url().includes("gates"));
        const curves = frames.find((frame) => frame.url().includes("curves"));
        assert.deepEqual([await knob(gates), await knob(curves)], [1, 2]);
        assert.equal(await curves.evaluate(() => document.documentElement.lang), "zh-CN");
        await eventually(() => page.evaluate(() => document.querySelector("#two").ready), "not ready");
        await page.evaluate(() => document.querySelector("#two").setAttribute("x", "3"));
        await eventually(async () => (await knob(curves)) === 3, "not forwarded");
        assert.equal(await knob(gates), 1, "the other one moved");
        for (const [i, frame] of [gates, curves].entries()) {
          const heights = async () => [
            await page.$$eval("gelu-figure", (all, index) => all[index].shadowRoot.querySelector("iframe").offsetHeight, i),
            await frame.evaluate(() => document.documentElement.getBoundingClientRect().height),
          ];
          await eventually(
            async () => {
              const [outside, content] = await heights();
              return Math.abs(outside - content) <= 2;
            },
            `${i}: ${await heights()}`,
          );
        }
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the page");
      },
    ));

  test("taken out and put back it goes on where it was", () =>
    visit(host.put(`${script()}<div id="a"><gelu-figure figure="gates"></gelu-figure></div><div id="b"></div>`), async (page) => {
      const frame = await figureFrame(page);
      await frame.focus('input[name="x"]');
      await page.keyboard.press("Home");
      await eventually(() => page.evaluate(() => document.querySelector("gelu-figure").state?.x === -4), "not told");
      await page.evaluate(() => {
        window.kept = document.querySelector("gelu-figure");
        window.kept.remove();
      });
      await eventually(() => page.frames().length === 1, "the frame stayed");
      await page.evaluate(() => document.querySelector("#b").append(window.kept));
      const again = await figureFrame(page);
      assert.equal(await knob(again), -4);
      await page.evaluate(() => window.kept.setAttribute("x", "2"));
      await eventually(async () => {
        const now = page.frames().find((each) => each.url().includes("embed/gates"));
        return now && (await knob(now).catch(() => 0)) === 2;
      }, "deaf after its return");
    }));
});

describe("<gelu-figure> before its figure is there", () => {
  const script = () => `<script src="${site.address}gelu-embed.js" defer></script>`;

  test("of what is set the last counts, attribute or state", () =>
    visit(host.put(script()), async (page) => {
      const shown = (set) =>
        page.evaluate(async (body) => {
          const element = document.createElement("gelu-figure");
          element.setAttribute("figure", "gates");
          new Function("element", body)(element);
          document.body.replaceChildren(element);
          await new Promise((resolve) => element.addEventListener("ready", resolve));
          while (element.state === null) await new Promise((resolve) => setTimeout(resolve, 20));
          return [element.state.x, element.state["gates.view"], element.state.from];
        }, set);
      assert.deepEqual(await shown('element.setAttribute("x", "1"); element.state = { x: -1.5 };'), [-1.5, "gate", null]);
      assert.deepEqual(await shown('element.state = { x: -1.5, "gates.view": "gated" }; element.x = 1;'), [1, "gated", null]);
      assert.deepEqual(
        await shown('element.setAttribute("state", "x=3&from=-2&to=2"); element.state = "x=2&gates.view=gated";'),
        [2, "gated", -2],
      );
    }));

  test("its frame is called what the figure is, in the figure's language, unless it has a title of its own", () =>
    visit(
      host.put(`${script()}<gelu-figure figure="gates"></gelu-figure><gelu-figure figure="gates" title="Doors"></gelu-figure>`),
      async (page) => {
        const titles = () =>
          page.$$eval("gelu-figure", (all) => all.map((each) => each.shadowRoot.querySelector("iframe").title));
        await eventually(async () => (await titles())[0] === "Two S-curves and a step", "not in English");
        await page.$eval("gelu-figure", (element) => element.setAttribute("lang", "zh"));
        await eventually(async () => (await titles())[0] === "两条 S，一级台阶", "not in Chinese");
        assert.equal((await titles())[1], "Doors");
      },
    ));
});

test("a table that opens below the edge of a frame of a fixed height is scrolled to, and the page around it stays", () =>
  visit(host.put(`${frameOf(site.address + embed("gates", "controls=min"))}<p style="height:3000px">`), async (page) => {
    const frame = await figureFrame(page);
    await frame.$eval('[data-tool="dataTable"]', (button) => button.click());
    await settled(frame);
    const { top, inside } = await frame.evaluate(() => {
      const { top } = document.querySelector(".data").getBoundingClientRect();
      return { top, inside: innerHeight };
    });
    assert.ok(top >= 0 && top < inside - 40, `at ${top} of ${inside}`);
    assert.equal(await page.evaluate(() => scrollY), 0);
  }));

describe("a transparent figure", () => {
  /** The colour of the page at a place, as the browser paints it. */
  async function colourAt(/** @type {Page} */ page, x, y) {
    const picture = await page.screenshot({ clip: { x, y, width: 1, height: 1 }, encoding: "base64" });
    return page.evaluate(async (png) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const context = document.createElement("canvas").getContext("2d");
      context.drawImage(image, 0, 0);
      return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)].join();
    }, picture);
  }

  test("lets the host's ground through in every theme, by the code that is handed out and by the element", async () => {
    const { codeFor } = await import("../../web/embed/code.js");
    for (const dark of [false, true]) {
      for (const theme of ["auto", "light", "dark"]) {
        for (const kind of ["frame", "plain", "element"]) {
          const own = { figure: "gates", controls: "min", title: "1", background: "transparent", lang: "en", query: "" };
          const code = codeFor(kind, { ...own, theme, name: "gates", height: 600, site: site.address });
          const address = host.put(`<style>body{margin:0;background:rgb(20,90,160)}</style>${code}`);
          await visit(
            address,
            async (page) => {
              const frame = await figureFrame(page);
              await settled(page);
              await settled(frame);
              // A page that says nothing of dark is light, whatever the reader's system is.
              if (kind === "element" && theme === "auto")
                assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), "light");
              await eventually(
                async () => (await colourAt(page, 3, 3)) === "20,90,160",
                `${kind}, ${theme}, ${dark ? "dark" : "light"}: ${await colourAt(page, 3, 3)}`,
                3000,
              );
            },
            { dark },
          );
        }
      }
    }
  });
});

test("the README's frame is as high as its figure needs, in a narrow column and in a wide one", async () => {
  const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
  const [code] = /<iframe src="https:\/\/SITE[\s\S]*?<\/iframe>/.exec(readme);
  const given = Number(/height="(\d+)"/.exec(code)?.[1]);
  const needed = [];
  for (const width of [320, 480, 720, 1000]) {
    await visit(host.put(`<div style="width:${width}px">${code.replace("https://SITE/", site.address)}</div>`), async (page) => {
      const frame = await figureFrame(page);
      await settled(frame);
      needed.push(await frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height)));
    });
  }
  const most = Math.max(...needed);
  assert.ok(given >= most && given <= most + 10, `${given} px for ${needed}`);
});

describe("the embed builder", () => {
  const GATES = "#sigmoid-gates";
  const open = async (/** @type {Page} */ page) => {
    await figuresReady(page);
    await page.$eval(`${GATES} [data-tool="embed"]`, (button) => button.click());
    await page.waitForSelector(`${GATES} .builder`, { timeout: 5000 });
    const preview = await eventually(() => page.frames().find((each) => each.url() === "about:srcdoc"), "no preview");
    await preview.waitForSelector('figure[data-state="ready"]', { timeout: 10_000 });
  };
  const choose = (/** @type {Page} */ page, name, value) =>
    page.$eval(`${GATES} .builder input[name="builder-${name}"][value="${value}"]`, (input) => input.click());
  const code = (/** @type {Page} */ page) => page.$eval(`${GATES} .builder-code`, (area) => area.value);
  const preview = async (/** @type {Page} */ page) => {
    await pause(300);
    const frame = page.frames().find((each) => each.url() === "about:srcdoc");
    await frame.waitForSelector('figure[data-state="ready"]', { timeout: 10_000 });
    return frame;
  };

  test("what it hands out works in a plain page: frame, plain frame, element, link", async () => {
    /** @type {Record<string, string>} */
    const codes = {};
    await visit(
      `${site.address}?x=1.5&gates.view=gated`,
      async (page) => {
        await open(page);
        await choose(page, "controls", "min");
        await choose(page, "lang", "zh");
        await choose(page, "theme", "dark");
        const shown = await preview(page);
        assert.equal(await shown.evaluate(() => document.documentElement.lang), "zh-CN");
        assert.equal(await shown.evaluate(() => document.documentElement.dataset.theme), "dark");
        assert.equal(await knob(shown), 1.5);
        for (const kind of ["frame", "plain", "element", "link"]) {
          await choose(page, "kind", kind);
          codes[kind] = await code(page);
        }
        await browser
          .defaultBrowserContext()
          .overridePermissions(new URL(site.address).origin, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
        await page.bringToFront();
        await page.click(`${GATES} .builder .btn.main`);
        await page.waitForFunction(
          (selector) => document.querySelector(selector).textContent.includes("Copied"),
          { timeout: 3000 },
          `${GATES} .builder .btn.main`,
        );
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), codes.link);
      },
      { replaced: true },
    );
    assert.match(codes.frame, /sandbox="allow-scripts [^"]*"[\s\S]*allow="[^"]*"|loading="lazy"/);
    assert.doesNotMatch(codes.frame, /allow-same-origin/);
    assert.doesNotMatch(codes.plain, /sandbox|allow=|loading/);
    for (const [kind, text] of Object.entries(codes)) {
      await visit(kind === "link" ? text : host.put(text), async (page) => {
        const frame = await figureFrame(page);
        assert.equal(await knob(frame), 1.5, kind);
        const [language, theme, controls] = await frame.evaluate(() => {
          const { lang, dataset } = document.documentElement;
          return [lang, dataset.theme, dataset.controls];
        });
        assert.deepEqual([language, theme, controls], ["zh-CN", "dark", "min"], kind);
        const value = await frame.$eval('output[data-readout="gelu"]', (output) => Number(output.dataset.value));
        assert.ok(Math.abs(value - truth("gelu", 1.5)) < 1e-12, `${kind}: ${value} is not gated`);
      });
    }
  });

  test("the height is that of the figure in a column as wide as was chosen, and all of the code is seen", async () => {
    for (const width of ["360", "720", "1000"]) {
      let written = "";
      await visit(
        `${site.address}?x=-1.5&gates.view=gated&fns=gelu,relu,sigmoid,silu,mish`,
        async (page) => {
          await open(page);
          assert.equal(await page.$eval(`${GATES} [name="builder-width"]:checked`, ({ value }) => value), "720");
          await choose(page, "width", width);
          await pause(800);
          written = await code(page);
          const note = await page.$eval(`${GATES} .builder-out .help`, (element) => element.textContent);
          assert.ok(note.includes(`${width} px wide`), note);
          const [inner, box] = await page.$eval(`${GATES} .builder-code`, (area) => [area.scrollHeight, area.clientHeight]);
          assert.ok(inner <= box, `${inner} px of code in ${box}`);
        },
        { width: 1200 },
      );
      await visit(host.put(`<div style="width:${width}px">${written}</div>`), async (page) => {
        const frame = await figureFrame(page);
        await settled(frame);
        const needed = await frame.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height));
        const given = Number(/height="(\d+)"/.exec(written)?.[1]);
        assert.ok(Math.abs(given - needed) <= 2, `${given} px for ${needed} at ${width}`);
      });
    }
  });

  test("what grows when it is answered gets room for it, a figure of several forms the form that it is opened from", () =>
    visit(
      site.address,
      async (page) => {
        for (const [place, wanted] of [
          ...Object.entries(FORMS).map(([name, id]) => [id, name]),
          ["misconceptions-judge", "judge"],
        ]) {
          await figuresReady(page);
          await page.$eval(`#${place} [data-tool="embed"]`, (button) => button.click());
          await page.waitForSelector(`#${place} .builder`, { timeout: 5000 });
          const written = () => page.$eval(`#${place} .builder-code`, (area) => area.value);
          await eventually(async () => (await written()).includes(`/embed/${wanted}.html`), `${place} is not ${wanted}`);
        }
        const shown = await preview(page);
        await settled(shown);
        const needed = () => shown.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height));
        const given = await page.$eval("#misconceptions-judge .builder-code", ({ value }) =>
          Number(/height="(\d+)"/.exec(value)?.[1]),
        );
        assert.ok(Math.abs(given - 1.5 * (await needed())) <= 2, `${given} px for ${await needed()}`);
        await shown.evaluate(() => {
          const answer = [...document.querySelectorAll("button")].find((button) => /^对/.test(button.textContent.trim()));
          answer.click();
        });
        await pause(500);
        assert.ok((await needed()) <= given, `${given} px for ${await needed()} when answered`);
      },
      { width: 1280, replaced: true },
    ));

  test("a preview that is wider than its box is shown smaller, down to seven tenths, and keeps no blank", () =>
    visit(
      site.address,
      async (page) => {
        await open(page);
        for (const [width, least] of [
          ["1000", 0.7],
          ["720", 0.7],
          ["360", 1],
        ]) {
          await choose(page, "width", width);
          await preview(page);
          const found = await page.$eval(`${GATES} .builder-stage`, (stage) => {
            const frame = stage.querySelector("iframe").getBoundingClientRect();
            return {
              frame: frame.width,
              box: stage.clientWidth,
              inner: stage.scrollWidth,
              below: stage.clientHeight - frame.height,
            };
          });
          const wanted = Math.max(least * Number(width), Math.min(Number(width), found.box));
          assert.ok(Math.abs(found.frame - wanted) < 1, `${width}: ${JSON.stringify(found)}`);
          assert.ok(found.inner <= Math.max(found.box, Math.ceil(wanted)), `${width}: scrolls ${found.inner} px`);
          assert.ok(Math.abs(found.below) < 20, `${width}: ${found.below} px below`);
        }
      },
      { width: 1280 },
    ));

  test("what is set in the preview goes into the code; a prompt of the text, another figure and the start do too", () =>
    visit(
      site.address,
      async (page) => {
        await open(page);
        const shown = await preview(page);
        await shown.focus('input[name="x"]');
        await page.keyboard.press("End");
        await eventually(async () => /gates\.html\?x=4"/.test(await code(page)), "the preview's state is not in the code");
        const pick = (index, value) =>
          page.$$eval(
            `${GATES} .builder select`,
            (all, i, wanted) => {
              all[i].value = wanted;
              all[i].dispatchEvent(new Event("change"));
            },
            index,
            value,
          );
        await pick(1, "start");
        await eventually(async () => /gates\.html"/.test(await code(page)), "the start");
        await pick(1, "1");
        await eventually(async () => /x=2\.27/.test(await code(page)), "the second prompt");
        await pick(0, "errors");
        await eventually(async () => /errors\.html"/.test(await code(page)), "another figure");
        assert.equal(await (await preview(page)).$eval("figure", (figure) => figure.dataset.figure), "errors");
        await page.$eval(`${GATES} [data-tool="embed"]`, (button) => button.click());
        assert.equal(await page.$(`${GATES} .builder`), null);
      },
      { replaced: true },
    ));

  test("has nothing that axe objects to, and is no wider than a phone", () =>
    visit(
      site.address,
      async (page) => {
        await open(page);
        assert.deepEqual(await findings(page, [`${GATES} .builder`]), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      },
      { width: 360, height: 780 },
    ));

  test("is not there in a frame, sandboxed or an embed, nor in a file", async () => {
    const count = (/** @type {Page | Frame} */ where) => where.$$eval('[data-tool="embed"]', (all) => all.length);
    await visit(host.put(frameOf(site.address + embed("gates"))), async (page) =>
      assert.equal(await count(await figureFrame(page)), 0),
    );
    await visit(new URL("../../dist/handout/gelu-handout.html", import.meta.url).href, async (page) => {
      await figuresReady(page);
      assert.equal(await count(page), 0);
    });
    const { page } = await openPage(browser, { language: "en" });
    await page.goto(host.put(frameOf(bare.address)));
    const frame = await eventually(() => page.frames()[1], "no frame");
    await frame.waitForSelector('#hero figure[data-state="ready"]', { timeout: 10_000 });
    assert.equal(await count(frame), 0);
    await page.close();
  });
});
