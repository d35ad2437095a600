/** Pages where wasm or its SIMD is refused: the same numbers from JavaScript, which is loaded only there, and a note. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages stand in the page, and one is shown
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { STRICT_CSP } from "../../web/build/policy.mjs";
import { listen } from "../../web/build/serve.mjs";
import { figuresReady, launch, openPage, serveSite, settled, unexpected } from "./browser.mjs";
import { pressX, typeX } from "./reading.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const HANDOUT = fileURLToPath(new URL("../../dist/handout/gelu-handout.html", import.meta.url));
const WITHOUT_WASM = STRICT_CSP.replace(" 'wasm-unsafe-eval'", "");
const RACE = 'figure[data-figure="race"]';
/** A run of a moment. */
const SHORT = "race.seeds=1&race.limit=2&race.hidden=16";
const LONG = { timeout: 120_000 };

/** @type {import("puppeteer-core").Browser} */
let browser;
/** @type {{ address: string, close(): Promise<void> }} */
let open;
/** @type {{ address: string, close(): Promise<void> }} */
let closed;
/** The handout as a course page may send it: what it has inside may run, but no wasm. @type {import("node:http").Server} */
let course;
let courseAddress = "";
/** What the pages show with wasm, by address. @type {Map<string, string[]>} */
const wanted = new Map();

before(async () => {
  browser = await launch();
  open = await serveSite();
  closed = await serveSite({ csp: WITHOUT_WASM });
  const text = await readFile(HANDOUT);
  course = createServer((_, response) => {
    response.setHeader("Content-Security-Policy", "script-src 'unsafe-inline'; worker-src blob:");
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(text);
  });
  courseAddress = `http://127.0.0.1:${await listen(course, 0, "127.0.0.1")}/`;
});

after(async () => {
  await browser?.close();
  await open?.close();
  await closed?.close();
  course?.closeAllConnections();
  course?.close();
});

const withoutWebAssembly = (/** @type {Page} */ page) =>
  page.evaluateOnNewDocument(() => {
    delete (/** @type {any} */ (globalThis).WebAssembly);
  });

/** An engine from before SIMD: every module with its opcodes is invalid. */
const withoutSimd = (/** @type {Page} */ page) =>
  page.evaluateOnNewDocument(() => {
    const { validate, Module, CompileError } = WebAssembly;
    const refuse = () => {
      throw new CompileError("invalid opcode 0xfd");
    };
    WebAssembly.validate = (bytes) => ![.../** @type {Uint8Array} */ (bytes)].includes(0xfd) && validate(bytes);
    WebAssembly.Module = /** @type {any} */ ((bytes) => (WebAssembly.validate(bytes) ? new Module(bytes) : refuse()));
    WebAssembly.instantiate = async () => refuse();
    WebAssembly.compile = async () => refuse();
  });

/** Every computed number of the page in full, but for times; an x is typed and keys are pressed first. */
async function numbersOf(/** @type {Page} */ page) {
  await typeX(page, "#hero figure", "-0.75");
  await pressX(page, '#playground figure[data-figure="curves"]', "ArrowRight", "ArrowRight");
  await settled(page);
  return page.$$eval("output[data-readout]", (outputs) =>
    outputs
      .filter((output) => !/^(time|ms|spread)/.test(output.getAttribute("data-readout") ?? ""))
      .map((output) => {
        const figure = output.closest("figure")?.id ?? "";
        return `${figure} ${output.getAttribute("data-readout")} = ${output.getAttribute("data-value")}`;
      }),
  );
}

const backendOf = (/** @type {Page} */ page) => page.evaluate(() => document.documentElement.dataset.backend);

/** The words at the end of the settings, once those are open. */
async function noteOf(/** @type {Page} */ page) {
  if (!(await page.$eval(".gear > summary", (summary) => summary.checkVisibility()))) return null;
  await page.$eval(".gear > summary", (summary) => /** @type {HTMLElement} */ (summary).click());
  const words = await page.$$eval(".gear > .menu > :last-child", ([last]) => /** @type {HTMLElement} */ (last).innerText.trim());
  await page.keyboard.press("Escape");
  return words;
}

/** What a page shows where wasm runs. */
async function withWasm(/** @type {string} */ address) {
  const kept = wanted.get(address);
  if (kept !== undefined) return kept;
  const { page, complaints, requests } = await openPage(browser, { language: "en", width: 1000 });
  await page.goto(address);
  await figuresReady(page);
  assert.equal(await backendOf(page), "wasm-simd");
  assert.doesNotMatch((await noteOf(page)) ?? "", /JavaScript/);
  const numbers = await numbersOf(page);
  assert.ok(numbers.length > 50, `${numbers.length} numbers`);
  assert.deepEqual(complaints, []);
  assert.deepEqual(
    requests.filter((url) => /\/fallback-/.test(url)),
    [],
    "loaded where nothing refuses wasm",
  );
  wanted.set(address, numbers);
  await page.close();
  return numbers;
}

const handout = pathToFileURL(HANDOUT).href;
const nothing = async () => {};

for (const [label, where, normal, prepare] of /** @type {const} */ ([
  ["the site under a policy without wasm", () => closed.address, () => open.address, nothing],
  ["the site in an engine without WebAssembly", () => open.address, () => open.address, withoutWebAssembly],
  ["the site in an engine without SIMD", () => open.address, () => open.address, withoutSimd],
  ["the handout in a course page whose policy is without wasm", () => courseAddress, () => handout, nothing],
  ["the handout from a file, without WebAssembly", () => handout, () => handout, withoutWebAssembly],
  ["the handout from a file, without SIMD", () => handout, () => handout, withoutSimd],
])) {
  test(`${label}: every figure is ready, with the same numbers, and a note says what computes`, LONG, async () => {
    const want = await withWasm(normal());
    const { page, complaints, requests } = await openPage(browser, { language: "en", width: 1000 });
    await prepare(page);
    await page.goto(where());
    await figuresReady(page);
    assert.equal(await backendOf(page), "js");
    assert.equal(await noteOf(page), "Computed in JavaScript: same numbers, slower");
    assert.deepEqual(await numbersOf(page), want);
    assert.deepEqual(unexpected(complaints), []);
    const own = where().startsWith("http") && where() !== courseAddress ? 1 : 0;
    assert.equal(requests.filter((url) => /\/fallback-/.test(url)).length, own);
    await page.close();
  });
}

for (const [language, width, words] of /** @type {const} */ ([
  ["zh-CN", 1280, "由 JavaScript 计算：数字相同，慢一些"],
  ["en", 360, "Computed in JavaScript: same numbers, slower"],
])) {
  test(`the note in ${language}, ${width} pixels wide, is one line inside the page`, async () => {
    const { page } = await openPage(browser, { language, width, height: 740 });
    await page.goto(closed.address);
    await figuresReady(page);
    assert.equal(await noteOf(page), words);
    await page.$eval(".gear > summary", (summary) => /** @type {HTMLElement} */ (summary).click());
    const { lines, left, right } = await page.$eval(".gear > .menu > :last-child", (note) => {
      const { left, right, height } = note.getBoundingClientRect();
      return { lines: height / Number.parseFloat(getComputedStyle(note).lineHeight), left, right };
    });
    assert.ok(lines < 1.5, `${lines} lines`);
    assert.ok(left >= 0 && right <= width, `from ${left} to ${right}`);
    await page.close();
  });
}

describe("training", () => {
  /** The losses of a short race, and where it ran. */
  async function raced(/** @type {Page} */ page) {
    await page.$eval(RACE, (figure) => figure.scrollIntoView({ block: "start", behavior: "instant" }));
    await page.$eval(`${RACE} [data-run="main"]`, (button) => /** @type {HTMLElement} */ (button).click());
    const words = () => page.$eval(`${RACE} [data-run="main"]`, (button) => /** @type {HTMLElement} */ (button).innerText.trim());
    // Again and again: one long question would be too long for the browser's protocol.
    for (const end = Date.now() + 100_000; (await words()) !== "Train again"; ) {
      assert.ok(Date.now() < end, "the run does not end");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return page.$eval(RACE, (figure) => ({
      losses: [...figure.querySelectorAll(".read output[data-readout]")].map((output) => output.getAttribute("data-value")),
      source: /** @type {HTMLElement} */ (figure.querySelector(".run .help")).innerText,
    }));
  }

  /** @type {Awaited<ReturnType<typeof raced>> | null} */
  let want = null;
  const visit = async (/** @type {string} */ address, /** @type {(page: Page) => Promise<unknown>} */ prepare) => {
    const { page, complaints, requests } = await openPage(browser, { language: "en" });
    await prepare(page);
    await page.goto(`${address}?${SHORT}`);
    await figuresReady(page);
    const result = await raced(page);
    const backend = await backendOf(page);
    await page.close();
    return { ...result, backend, complaints, requests };
  };
  const own = async () => {
    want ??= await visit(open.address, nothing);
    assert.equal(want.losses.length, 4);
    assert.ok(want.losses.every((loss) => Number(loss) > 0));
    return want;
  };

  for (const [label, where, prepare] of /** @type {const} */ ([
    ["the site under a policy without wasm", () => closed.address, nothing],
    ["the site without WebAssembly", () => open.address, withoutWebAssembly],
    ["the handout in a course page whose policy is without wasm", () => courseAddress, nothing],
  ])) {
    test(`${label}: in workers, with the same losses`, LONG, async () => {
      const { losses } = await own();
      const got = await visit(where(), prepare);
      assert.equal(got.backend, "js");
      assert.deepEqual(got.losses, losses);
      assert.doesNotMatch(got.source, /slices of the page/, "no worker started");
      assert.deepEqual(unexpected(got.complaints), []);
    });
  }

  test("workers alone without wasm are sent the fallback", LONG, async () => {
    const { losses } = await own();
    const got = await visit(open.address, (page) =>
      page.evaluateOnNewDocument(() => {
        const { Blob } = globalThis;
        globalThis.Blob = class extends Blob {
          constructor(/** @type {BlobPart[]} */ parts, /** @type {BlobPropertyBag} */ options) {
            super(options?.type === "text/javascript" ? ["delete globalThis.WebAssembly;", ...parts] : parts, options);
          }
        };
      }),
    );
    assert.equal(got.backend, "wasm-simd");
    assert.deepEqual(got.losses, losses);
    assert.doesNotMatch(got.source, /slices of the page/, "no worker started");
    assert.equal(got.requests.filter((url) => /\/fallback-/.test(url)).length, 1);
    assert.deepEqual(got.complaints, []);
  });
});

test("where the fallback does not load either, each figure says so and keeps its picture", async () => {
  const { page } = await openPage(browser, { language: "en" });
  await page.setRequestInterception(true);
  page.on("request", (request) => (/\/fallback-/.test(request.url()) ? request.abort() : request.continue()));
  await page.goto(closed.address);
  await page.waitForFunction(() =>
    [...document.querySelectorAll("figure[data-figure]")].every((figure) => figure.getAttribute("data-state") === "error"),
  );
  const words = await page.$eval("#hero figure", (figure) => /** @type {HTMLElement} */ (figure).innerText);
  assert.match(words, /did not load.*fallback-/);
  await page.close();
});
