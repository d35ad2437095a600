/** The page under faults of its host, its engine and its machine: it stays whole, says what is reduced, and is right in the rest. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages stand in the page, and one is shown
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { listen } from "../../web/build/serve.mjs";
import { figuresReady, isGivenUp, lackOf, needs, openPage, settled } from "./browser.mjs";
import { truth } from "./oracle.mjs";
import { assertAllAt, assertNear, FIGURES, readouts, typeX } from "./reading.mjs";
import { useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite();
const HANDOUT = fileURLToPath(new URL("../../dist/handout/gelu-handout.html", import.meta.url));
const RACE = 'figure[data-figure="race"]';
/** A run of a moment. */
const SHORT = "race.seeds=1&race.limit=5&race.hidden=32";

/** Pages that the tests put there, at an address of their own. @type {Map<string, string>} */
const pages = new Map();
/** @type {import("node:http").Server} */
let server;
let serverAddress = "";

before(async () => {
  server = createServer((request, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(pages.get(request.url ?? "") ?? "");
  });
  serverAddress = `http://127.0.0.1:${await listen(server, 0, "127.0.0.1")}`;
});
after(() => {
  server?.closeAllConnections();
  server?.close();
});

/** @param {string} html */
function put(html) {
  const path = `/${pages.size}`;
  pages.set(path, html);
  return serverAddress + path;
}

/**
 * Opens a page in which something is wrong from the beginning.
 * @param {((...given: any[]) => void) | null} fault runs in the page before all else
 * @param {(page: Page, complaints: string[]) => Promise<unknown>} use
 * @param {Parameters<typeof openPage>[1] & {
 *   address?: string, query?: string, given?: unknown, allowed?: RegExp, before?: (page: Page) => Promise<unknown>, waits?: boolean,
 * }} [options] given: for the fault; allowed: complaints that the fault itself makes; waits: until all figures are ready
 */
async function faulty(fault, use, { address, query = "?x=1", given, allowed, before: prepare, waits = true, ...options } = {}) {
  const { page, complaints } = await openPage(site.browser, { language: "en", ...options });
  try {
    if (fault !== null) await page.evaluateOnNewDocument(fault, given);
    await prepare?.(page);
    await page.goto((address ?? site.address) + query);
    if (waits) await figuresReady(page);
    await use(page, complaints);
    // Aborted is what the preview of an embed was still asking for when something else took its place.
    assert.deepEqual(
      complaints.filter((complaint) => !allowed?.test(complaint) && !isGivenUp(complaint)),
      [],
    );
  } finally {
    await page.close();
  }
}

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(/** @type {() => Promise<unknown>} */ isSo, /** @type {string} */ what, timeout = 20_000) {
  for (const end = Date.now() + timeout; !(await isSo()); await pause(40)) assert.ok(Date.now() < end, `not in time: ${what}`);
}

/** Figures that are not ready, with what they say in English. */
const failures = (/** @type {Page} */ page) =>
  page.$$eval('figure[data-figure]:not([data-state="ready"])', (figures) =>
    figures.map(
      (figure) =>
        `${figure.id} ${/** @type {HTMLElement} */ (figure).dataset.state}: ${figure.querySelector('.fig-error [lang="en"]')?.textContent}`,
    ),
  );

const retryAll = (/** @type {Page} */ page) =>
  page.$$eval(".fig-error button", (buttons) => {
    for (const button of buttons) /** @type {HTMLElement} */ (button).click();
  });

/** Scrolled to, every section shows its text, in the reader's language. */
async function readable(/** @type {Page} */ page) {
  const letters = await page.$$eval("main > .sec", async (sections) => {
    const counts = [];
    for (const section of sections) {
      section.scrollIntoView({ behavior: "instant" });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      counts.push([section.id, section.innerText.length]);
    }
    return counts;
  });
  assert.ok(letters.length >= 10, `${letters.length} sections`);
  for (const [section, count] of letters) assert.ok(count > 200, `${section}: ${count} letters`);
}

/** x by hand, in every figure the right numbers; no plot is blank. */
async function lives(/** @type {Page} */ page, /** @type {string} */ label) {
  await typeX(page, FIGURES.hero, "-0.5");
  await settled(page);
  await assertAllAt(page, -0.5, label);
  const blank = await page.$$eval("figure canvas", (canvases) =>
    canvases
      .filter((canvas) => canvas.checkVisibility() && canvas.clientHeight < 100)
      .map((canvas) => canvas.closest("figure")?.id),
  );
  assert.deepEqual(blank, [], `${label}: plots without a height`);
  assert.deepEqual(await failures(page), [], label);
}

/** The reader's round: after that every tool, a listing copied, a prompt and the way back, the other language. */
async function isUsable(/** @type {Page} */ page, /** @type {string} */ label) {
  await lives(page, label);
  await page.$$eval(`${FIGURES.gradients} [data-tool]`, (tools) => {
    for (const tool of tools) /** @type {HTMLElement} */ (tool).click();
  });
  await page.$eval("[data-copy]", (button) => /** @type {HTMLElement} */ (button).click());
  await page.$eval('#definition .block[lang="en"] button[data-set]', (button) => /** @type {HTMLElement} */ (button).click());
  await settled(page);
  await page.$eval(".fig-task button", (button) => /** @type {HTMLElement} */ (button).click());
  await page.$eval('.switches input[name="lang"][value="zh"]', (input) => /** @type {HTMLElement} */ (input).click());
  await settled(page);
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN", label);
  assert.deepEqual(await failures(page), [], label);
}

// ---------- kernels ----------

/** What the settings say below their switches. */
const noteOf = (/** @type {Page} */ page) =>
  page.$$eval(".gear .backend", (notes) => notes.map((note) => note.querySelector('[lang="en"]')?.textContent).join());

const OUT_OF_MEMORY = "WebAssembly.Memory(): could not allocate memory";

/** The wasm in the page's scripts with another version after its magic word: no engine takes it. */
async function damageWasm(/** @type {Page} */ page) {
  await page.setRequestInterception(true);
  page.on("request", async (request) => {
    if (!/assets\/(page|networks)-\w+\.js/.test(request.url())) return request.continue();
    const text = await (await fetch(request.url())).text();
    const damaged = text.replace("\x88\x9a\x94(", "\x88\x9a\x94)");
    assert.notEqual(damaged, text, `no wasm in ${request.url()}`);
    return request.respond({ body: damaged, contentType: "text/javascript; charset=utf-8" });
  });
}

describe("kernels that do not start as wasm start as JavaScript, with the same numbers and a note", () => {
  for (const [label, fault, prepare] of /** @type {const} */ ([
    [
      "no memory for them",
      (/** @type {string} */ message) => {
        WebAssembly.instantiate = async () => {
          throw new RangeError(message);
        };
      },
      undefined,
    ],
    ["bytes that came damaged", null, damageWasm],
  ])) {
    test(label, () =>
      faulty(
        fault,
        async (page) => {
          assert.equal(await page.evaluate(() => document.documentElement.dataset.backend), "js");
          assert.equal(await noteOf(page), "Computed in JavaScript: same numbers, slower");
          assert.deepEqual((await raced(page)).losses, (await plainRace()).losses);
          await lives(page, label);
        },
        { given: OUT_OF_MEMORY, before: prepare, query: `?x=1&${SHORT}` },
      ),
    );
  }

  test("where JavaScript does not load either, each figure says both and keeps its picture or its text", () =>
    faulty(
      (message) => {
        WebAssembly.instantiate = async () => {
          throw new RangeError(message);
        };
      },
      async (page) => {
        await page.waitForFunction(() =>
          [...document.querySelectorAll("figure[data-figure]")].every((figure) => figure.getAttribute("data-state") === "error"),
        );
        for (const failure of await failures(page)) assert.match(failure, /could not allocate memory; .*fallback-/);
        await readable(page);
      },
      {
        given: OUT_OF_MEMORY,
        waits: false,
        allowed: /fallback-|ERR_FAILED/,
        async before(page) {
          await page.setRequestInterception(true);
          page.on("request", (request) => (/\/fallback-/.test(request.url()) ? request.abort() : request.continue()));
        },
      },
    ));

  test("kernels for networks that compute wrongly train nothing; the figure says what is wrong, the others live", () =>
    faulty(
      () => {
        const { instantiate } = WebAssembly;
        WebAssembly.instantiate = /** @type {any} */ (
          async (/** @type {any[]} */ ...given) => {
            const { instance, module } = await /** @type {any} */ (instantiate).apply(WebAssembly, given);
            if (!Object.keys(instance.exports).some((name) => name.startsWith("gelu_train"))) return { instance, module };
            const exports = { ...instance.exports };
            exports.gelu_evaluate_f64 = (/** @type {any[]} */ ...args) => {
              const status = instance.exports.gelu_evaluate_f64(...args);
              const [y, n] = args.slice(-2);
              new Float64Array(instance.exports.memory.buffer, y, n).fill(0.25);
              return status;
            };
            return { module, instance: { exports } };
          }
        );
      },
      async (page) => {
        await press(page);
        const words = () => page.$eval(`${RACE} .run [role="alert"]`, (help) => help.innerText);
        await until(
          async () => /^Failed: try again \(gelu\(2\) = 0\.25 ≠ 1\.9544997361036416\)$/.test(await words()),
          "the reason",
        );
        assert.deepEqual(await failures(page), []);
        await lives(page, "after wrong networks");
      },
    ));
});

// ---------- workers ----------

const press = async (/** @type {Page} */ page) => {
  await page.$eval(RACE, (figure) => figure.scrollIntoView({ block: "start", behavior: "instant" }));
  await settled(page);
  await page.$eval(`${RACE} [data-run="main"]`, (button) => /** @type {HTMLElement} */ (button).click());
};

const progressOf = (/** @type {Page} */ page) =>
  page.$eval(`${RACE} output[data-readout="progress"]`, (output) => Number(/** @type {HTMLElement} */ (output).dataset.value));

/** The losses at the end of a run that has been started, and where it ran. */
async function ended(/** @type {Page} */ page) {
  const words = () => page.$eval(`${RACE} [data-run="main"]`, (button) => /** @type {HTMLElement} */ (button).innerText.trim());
  await until(async () => (await words()) === "Train again", "the end of the run", 60_000);
  return page.$eval(RACE, (figure) => ({
    losses: [...figure.querySelectorAll(".read output[data-readout]")].map((output) => output.getAttribute("data-value")),
    source: /** @type {HTMLElement} */ (figure.querySelector(".run .help")).innerText,
  }));
}

/** On at full speed, where a test has gone slowly to be there in time. */
const hurry = (/** @type {Page} */ page) =>
  page.$eval(`${RACE} [data-control="race.speed"] input[value="full"]`, (input) => /** @type {HTMLElement} */ (input).click());

async function raced(/** @type {Page} */ page) {
  await press(page);
  return ended(page);
}

/** @type {Promise<Awaited<ReturnType<typeof raced>>> | null} */
let plain = null;

/** What a short race comes to where nothing is wrong. */
function plainRace() {
  plain ??= new Promise((resolve, reject) => {
    faulty(null, async (page) => resolve(await raced(page)), { query: `?${SHORT}` }).catch(reject);
  });
  return plain;
}

describe("workers", () => {
  test("do a short race, where nothing is wrong", async () => {
    const { losses, source } = await plainRace();
    assert.equal(new Set(losses).size, 4);
    assert.match(source, /workers: \d/);
  });

  for (const [label, fault] of /** @type {const} */ ([
    [
      "that the host refuses to construct",
      () => {
        window.Worker = /** @type {any} */ (
          class {
            constructor() {
              throw new DOMException("refused by the host", "SecurityError");
            }
          }
        );
      },
    ],
    [
      "that never answer",
      () => {
        const { Worker, setTimeout: wait } = window;
        const mute = URL.createObjectURL(new Blob([""]));
        window.Worker = class extends Worker {
          constructor() {
            super(mute);
          }
        };
        window.setTimeout = /** @type {any} */ (
          (/** @type {() => void} */ act, /** @type {number} */ ms, /** @type {any[]} */ ...rest) =>
            wait(act, ms >= 5000 ? 200 : ms, ...rest)
        );
      },
    ],
    [
      "that throw at once",
      () => {
        const { Worker } = window;
        const broken = URL.createObjectURL(new Blob(["throw new Error('broken')"]));
        window.Worker = class extends Worker {
          constructor() {
            super(broken);
          }
        };
      },
    ],
  ])) {
    test(`${label}: the page trains in slices, says so, and comes to the same`, () =>
      faulty(
        fault,
        async (page) => {
          const { losses, source } = await raced(page);
          assert.deepEqual(losses, (await plainRace()).losses);
          assert.match(source, /slices of the page/);
        },
        { query: `?${SHORT}` },
      ));
  }

  test("of which one does not start: the others do the work, and none is left behind", () =>
    faulty(
      () => {
        const { Worker } = window;
        Object.defineProperty(navigator, "hardwareConcurrency", { get: () => 3 });
        let made = 0;
        window.living = new Set();
        window.Worker = class extends Worker {
          constructor(/** @type {string} */ address) {
            super(made++ === 1 ? URL.createObjectURL(new Blob(["throw new Error('broken')"])) : address);
            window.living.add(this);
          }
          terminate() {
            window.living.delete(this);
            super.terminate();
          }
        };
      },
      async (page) => {
        const { losses, source } = await raced(page);
        assert.deepEqual(losses, (await plainRace()).losses);
        assert.match(source, /workers: 2/);
        assert.equal(await page.evaluate(() => window.living.size), 2);
      },
      { query: `?${SHORT}` },
    ));

  /** Workers die when they are next asked for something. */
  const deadly = (/** @type {boolean} */ withoutLocks) => {
    const { Worker, setTimeout: wait } = window;
    window.Worker = class extends Worker {
      /** @param {any} message */
      postMessage(message) {
        if (window.deadly && "method" in message) this.terminate();
        else super.postMessage(message);
      }
    };
    if (!withoutLocks) return;
    // Workers get no lock, as where the host has no address of its own. Then time alone tells: here a second is a moment.
    const { Blob } = window;
    const refusing = "LockManager.prototype.request = () => Promise.reject(new Error('refused'));";
    window.Blob = class extends Blob {
      /** @param {any[]} parts @param {any} [options] */
      constructor(parts, options) {
        super(options?.type === "text/javascript" ? [refusing, ...parts] : parts, options);
      }
    };
    window.setTimeout = /** @type {any} */ (
      (/** @type {() => void} */ act, /** @type {number} */ ms, /** @type {any[]} */ ...rest) =>
        wait(act, ms === 1000 ? 4 : ms, ...rest)
    );
  };

  for (const withoutLocks of [false, true]) {
    test(`killed in mid-run${withoutLocks ? ", where no lock tells of it" : ""}: said, and another try comes to the same`, () =>
      faulty(
        deadly,
        async (page) => {
          await press(page);
          await until(async () => (await progressOf(page)) >= 1, "an epoch");
          await page.evaluate(() => {
            window.deadly = true;
          });
          await page.waitForSelector(`${RACE}[data-state="error"]`);
          assert.match((await failures(page)).join(), /^ffn-race error: .*a worker (has died|no longer answers)$/);
          await page.evaluate(() => {
            window.deadly = false;
          });
          await retryAll(page);
          await hurry(page);
          const { losses, source } = await raced(page);
          assert.match(source, /workers: \d/);
          assert.deepEqual(losses, (await plainRace()).losses);
          assert.deepEqual(await failures(page), []);
          await assertAllAt(page, 1, "after the death of a worker");
        },
        // At a pace at which nothing is over before its time.
        { query: `?x=1&${SHORT}&race.speed=slow`, given: withoutLocks },
      ));
  }

  test("that take long are waited for, where a lock tells that they live", () =>
    faulty(
      () => {
        const { Worker, setTimeout: wait } = window;
        window.Worker = class extends Worker {
          isFirst = true;
          /** @param {any} message */
          postMessage(message) {
            const isSlow = this.isFirst && "method" in message;
            if (isSlow) this.isFirst = false;
            wait(() => super.postMessage(message), isSlow ? 1500 : 0);
          }
        };
        // Of the time that is not enough where no lock tells a second is a moment.
        window.setTimeout = /** @type {any} */ (
          (/** @type {() => void} */ act, /** @type {number} */ ms, /** @type {any[]} */ ...rest) =>
            wait(act, ms === 1000 ? 4 : ms, ...rest)
        );
      },
      async (page) => {
        assert.deepEqual((await raced(page)).losses, (await plainRace()).losses);
      },
      { query: `?${SHORT}` },
    ));

  test("that die under a measurement of the feed-forward network: said, and the next one measures", () =>
    faulty(
      deadly,
      async (page) => {
        const measure = () =>
          page.$eval('#ffn-ffn [data-control="ffn.measure"]', (button) => {
            button.scrollIntoView();
            /** @type {HTMLElement} */ (button).click();
          });
        await page.evaluate(() => {
          window.deadly = true;
        });
        await measure();
        await page.waitForSelector('#ffn-ffn[data-state="error"]');
        assert.match((await failures(page)).join(), /^ffn-ffn error: .*a worker has died$/);
        await page.evaluate(() => {
          window.deadly = false;
        });
        await retryAll(page);
        await measure();
        await page.waitForSelector('#ffn-ffn output[data-readout="time.alone"]');
        assert.deepEqual(await failures(page), []);
      },
      { query: "?x=1" },
    ));

  test("that die under any figure that computes in them: each says so, and each comes back", () =>
    faulty(
      deadly,
      async (page) => {
        const ids = ["gradient-depth", "ffn-ffn", "ffn-dead"];
        for (const id of ids) {
          await page.$eval(`#${id}`, (figure) => figure.scrollIntoView({ block: "start", behavior: "instant" }));
          await page
            .waitForSelector(`#${id}[data-state="error"]`, { timeout: 20_000 })
            .catch(() => assert.fail(`${id} says nothing`));
        }
        await until(() => page.evaluate(() => !document.querySelector('[data-state="loading"]')), "all figures are there");
        for (const failure of await failures(page)) assert.match(failure, /a worker has died/);
        await page.evaluate(() => {
          window.deadly = false;
        });
        for (const id of ids) {
          await page.$eval(`#${id}`, (figure) => figure.scrollIntoView({ block: "start", behavior: "instant" }));
          await page.$eval(`#${id} .fig-error button`, (button) => /** @type {HTMLElement} */ (button).click());
          await until(
            () =>
              page.$eval(
                `#${id}`,
                (figure) => !figure.matches("[data-late], :has(.stale)") && !/Computing/i.test(figure.innerText),
              ),
            `${id} is computed`,
          );
          assert.deepEqual(
            (await failures(page)).filter((failure) => failure.startsWith(id)),
            [],
          );
        }
      },
      {
        query: "?depth.width=64&depth.seeds=1&ffn.preset=bert&dead.run=own&dead.trained=2",
        waits: false,
        // One of them computes as soon as it is there.
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            window.deadly = true;
          }),
      },
    ));
});

// ---------- one figure ----------

test("a chart that throws, or that gets no canvas, costs its own figure alone, and can be tried again", () =>
  faulty(
    () => {
      window.failing = true;
      const { getContext } = HTMLCanvasElement.prototype;
      let canvases = 0;
      HTMLCanvasElement.prototype.getContext = /** @type {any} */ (
        function (/** @type {any[]} */ ...given) {
          return window.failing && ++canvases === 1 ? null : /** @type {any} */ (getContext).apply(this, given);
        }
      );
      const { stroke } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.stroke = function (/** @type {any[]} */ ...given) {
        if (window.failing && this.canvas.closest("#gradient-gradients")) throw new Error("the canvas is lost");
        /** @type {any} */ (stroke).apply(this, given);
      };
    },
    async (page) => {
      await page.waitForFunction(
        () =>
          ![...document.querySelectorAll("figure[data-figure]")].some(
            (figure) => figure.getAttribute("data-state") === "loading",
          ),
      );
      await page.$eval("#gradient-gradients", (figure) => figure.scrollIntoView());
      await page.waitForSelector('#gradient-gradients[data-state="error"]');
      const failed = await failures(page);
      assert.deepEqual(failed.map((failure) => failure.split(" ")[0]).sort(), ["gradient-gradients", "hero-curves"]);
      assert.match(failed.join(), /has stopped: the canvas is lost/);
      await typeX(page, FIGURES.playground, "2");
      assertNear(await readouts(page, FIGURES.playground), { gelu: truth("gelu", 2) }, "another figure");
      await page.evaluate(() => {
        window.failing = false;
      });
      await retryAll(page);
      await figuresReady(page);
      await isUsable(page, "after the chart");
    },
    { waits: false, allowed: /Failed to create chart/ },
  ));

// ---------- what a host refuses, what an engine lacks ----------

describe("what throws or is missing costs no figure", () => {
  test("storage, clipboard, full screen, history, service worker, fonts, crypto: getters that throw", () =>
    faulty(() => {
      const refuse = {
        configurable: true,
        get() {
          throw new DOMException("refused by the host", "SecurityError");
        },
      };
      for (const [owner, names] of /** @type {[any, string[]][]} */ ([
        [window, ["localStorage", "sessionStorage", "indexedDB", "crypto", "caches"]],
        [Navigator.prototype, ["clipboard", "serviceWorker", "languages", "locks"]],
        [Document.prototype, ["fullscreenEnabled", "fullscreenElement"]],
        [document, ["fonts"]],
        [History.prototype, ["state"]],
      ]))
        for (const name of names) if (name !== "languages") Object.defineProperty(owner, name, refuse);
    }, saysWhereRefused));

  test("the same: methods that throw, asked and not asked", () =>
    faulty(() => {
      const refuse = () => {
        throw new DOMException("refused by the host", "SecurityError");
      };
      for (const [owner, names] of /** @type {[any, string[]][]} */ ([
        [Storage.prototype, ["getItem", "setItem", "removeItem"]],
        [Clipboard.prototype, ["writeText"]],
        [Element.prototype, ["requestFullscreen"]],
        [Document.prototype, ["exitFullscreen"]],
        [History.prototype, ["replaceState", "pushState"]],
        [Crypto.prototype, ["getRandomValues", "randomUUID"]],
        [LockManager.prototype, ["request"]],
      ]))
        for (const name of names) owner[name] = refuse;
      // As if a figure already had the screen, which cannot be left.
      Object.defineProperty(Document.prototype, "fullscreenElement", { get: () => document.documentElement });
    }, saysWhereRefused));

  /** Copying by hand is offered in words; full screen is not offered, or its refusal is heard. */
  async function saysWhereRefused(/** @type {Page} */ page) {
    await isUsable(page, "refused");
    await page.$eval(`${FIGURES.gradients} [data-tool="copyLink"]`, (button) => /** @type {HTMLElement} */ (button).click());
    await page.waitForSelector(`${FIGURES.gradients} .copy-by-hand`);
    const fullScreen = await page.$(`${FIGURES.gradients} [data-tool="fullScreen"]`);
    assert.match(
      await page.$eval(`${FIGURES.gradients} .copy-by-hand`, (input) => /** @type {HTMLInputElement} */ (input).value),
      /x=/,
    );
    await page.$eval("[data-copy]", (button) => /** @type {HTMLElement} */ (button).click());
    await settled(page);
    assert.equal(await page.$eval('[data-copy] [lang="en"]', (words) => words.textContent), "Selected, to be copied by hand");
    assert.ok(await page.evaluate(() => String(getSelection()).length > 200), "the program is selected");
    // What is to be kept when the page is left.
    await page.evaluate(() => dispatchEvent(new Event("pagehide")));
    if (fullScreen === null) return;
    await fullScreen.evaluate((button) => /** @type {HTMLElement} */ (button).click());
    await until(
      () => page.$eval('#gradient [role="status"]', (line) => line.textContent?.includes("refused by the host")),
      "the refusal of the full screen is heard",
    );
  }

  test("no idle callback, clipboard, crypto, locks, Intl, DecompressionStream, fromBase64, languages", () =>
    faulty(
      () => {
        for (const [owner, names] of /** @type {[any, string[]][]} */ ([
          [
            window,
            ["requestIdleCallback", "cancelIdleCallback", "DecompressionStream", "Intl", "structuredClone", "OffscreenCanvas"],
          ],
          [Navigator.prototype, ["clipboard", "locks", "serviceWorker", "hardwareConcurrency"]],
          [Uint8Array, ["fromBase64"]],
          [Document.prototype, ["fonts", "fullscreenEnabled"]],
        ]))
          for (const name of names) delete owner[name];
        Object.defineProperty(window, "crypto", { value: undefined });
        Object.defineProperty(Navigator.prototype, "languages", { get: () => undefined });
        Number.prototype.toLocaleString = () => "?";
        String.prototype.localeCompare = () => Number.NaN;
      },
      async (page) => {
        assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
        const { losses, source } = await raced(page);
        assert.deepEqual(losses, (await plainRace()).losses);
        assert.match(source, /workers: 1/);
        await isUsable(page, "missing");
      },
      { language: "", query: `?x=1&${SHORT}` },
    ));

  test("no observers: figures are drawn all the same, and follow the window", () =>
    faulty(
      () => {
        delete (/** @type {any} */ (window).ResizeObserver);
        delete (/** @type {any} */ (window).IntersectionObserver);
      },
      async (page) => {
        await lives(page, "no observers");
        await page.setViewport({ width: 500, height: 800 });
        await settled(page);
        await settled(page);
        await sharp(page, 1);
      },
    ));

  test("fonts that do not come", () =>
    faulty(
      () => {
        FontFace.prototype.load = () => Promise.reject(new DOMException("refused", "NetworkError"));
        Object.defineProperty(FontFaceSet.prototype, "ready", { get: () => Promise.reject(new Error("no fonts")) });
      },
      (page) => lives(page, "no fonts"),
      {
        allowed: /math-font|ERR_(FAILED|BLOCKED)/,
        async before(page) {
          await page.setRequestInterception(true);
          page.on("request", (request) =>
            /font/.test(request.url().slice(0, 300)) && !request.url().endsWith(".html") ? request.abort() : request.continue(),
          );
        },
      },
    ));

  test("a page script that does not come is told in words, beside text, pictures and tables", () =>
    faulty(
      null,
      async (page) => {
        const words = await page.$eval("main > .still", (box) => /** @type {HTMLElement} */ (box).innerText);
        assert.match(words, /^The scripts of this page did not run[^\u4e00-\u9fff]*$/);
        const seen = await page.$$eval(
          "figure :is(svg, img, table)",
          (all) => all.filter((each) => each.checkVisibility()).length,
        );
        assert.ok(seen >= 15, `${seen} pictures and tables`);
      },
      {
        waits: false,
        allowed: /page-|ERR_FAILED/,
        async before(page) {
          await page.setRequestInterception(true);
          page.on("request", (request) => (/\/page-\w+\.js/.test(request.url()) ? request.abort() : request.continue()));
        },
      },
    ));
});

describe("a handout that cannot unfold its scripts says so", () => {
  for (const [label, fault, allowed] of /** @type {const} */ ([
    ["in a browser that lacks what it needs", () => delete (/** @type {any} */ (window).TextDecoder), /TextDecoder/],
    ["in one that lacks what its scripts need", () => delete (/** @type {any} */ (window).Map), /Map/],
    ["where the file came damaged", null, /this file came damaged/],
  ])) {
    test(label, label === "in one that lacks what its scripts need" ? needs("a page without Map") : {}, async () => {
      const text = await readFile(HANDOUT, "utf8");
      const at = text.indexOf('id="folded"') + 1000;
      const address = put(label.endsWith("damaged") ? `${text.slice(0, at)}AAAAAAAA${text.slice(at + 8)}` : text);
      await faulty(
        fault,
        async (page) => {
          await page.waitForSelector("main > .still");
          await pause(500);
          assert.equal((await page.$$("main > .still")).length, 1);
          assert.match(await page.$eval("main > .still", (box) => /** @type {HTMLElement} */ (box).innerText), /a newer browser/);
          await readable(page);
        },
        { address, query: "", waits: false, allowed },
      );
    });
  }
});

// ---------- pixels ----------

/** Every plot that is seen has the pixels of the screen, and its curves. */
async function sharp(/** @type {Page} */ page, /** @type {number} */ ratio) {
  const plots = await page.$$eval("figure canvas[role=img]", (canvases) =>
    canvases
      .filter((canvas) => canvas.checkVisibility())
      .map((canvas) => {
        const { width, height } = /** @type {HTMLCanvasElement} */ (canvas);
        return { id: canvas.closest("figure")?.id, off: [width, height], css: [canvas.clientWidth, canvas.clientHeight] };
      }),
  );
  assert.ok(plots.length >= 10, `${plots.length} plots`);
  for (const { id, off, css } of plots)
    for (const side of [0, 1])
      assert.ok(Math.abs(off[side] - css[side] * ratio) <= 1, `${id} at ${ratio}: ${off} pixels for ${css} CSS pixels`);
}

const allReadouts = (/** @type {Page} */ page) =>
  page.$$eval("output[data-readout][data-value]", (outputs) =>
    outputs
      .map((output) => {
        const { readout, value } = /** @type {HTMLElement} */ (output).dataset;
        return `${output.closest("figure")?.id} ${readout} ${value} ${output.textContent}`;
      })
      .filter((line) => !/ (time|ms)/.test(line)),
  );

test(
  "zoomed to 200 and 50 %, on screens of 1.25 and 3 pixels, changed while it is open: sharp, the same numbers, nothing cut",
  needs("a scale between whole numbers"),
  () =>
    faulty(null, async (page) => {
      const want = await allReadouts(page);
      assert.ok(want.length > 60);
      for (const [width, scale] of [
        [1280, 1.25],
        [1280, 3],
        [640, 2],
        [2560, 0.5],
        [1280, 1],
      ]) {
        // An emulated screen tells of other pixels when its size is another, too.
        await page.setViewport({ width, height: 800 + 8 * scale, deviceScaleFactor: scale });
        await settled(page);
        await settled(page);
        assert.equal(await page.evaluate(() => devicePixelRatio), scale);
        await sharp(page, scale);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px scroll sideways`);
        // The range of a plot goes with its width, the numbers do not.
        if (width === 1280) assert.deepEqual(await allReadouts(page), want, `${scale} pixels`);
        await assertAllAt(page, 1, `${width} px, ${scale} pixels`);
      }
    }),
);

describe("resized", () => {
  /** What must be as in a page that was opened at this size. */
  const layout = (/** @type {Page | import("puppeteer-core").Frame} */ page) =>
    page.evaluate(() =>
      [...document.querySelectorAll("section > *, figure *")]
        // A knob out of sight is put in its place when it comes near.
        .filter((element) => element.checkVisibility() && !element.matches("svg *, .xaxis"))
        .map((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          const box = [left, top + scrollY, width, height].map(Math.round);
          const canvas = element instanceof HTMLCanvasElement ? [element.width, element.height] : [];
          return `${element.tagName} ${element.className} ${[...box, ...canvas]}`;
        }),
    );

  const counts = async (/** @type {Page} */ page) => {
    const [canvases, elements] = await page.evaluate(() => ["canvas", "*"].map((one) => document.querySelectorAll(one).length));
    // Of listeners, and of what is no longer in the document, Chromium alone tells.
    if (lackOf("a CDP session") !== undefined) return { canvases, Nodes: elements, JSEventListeners: 0 };
    const session = await page.createCDPSession();
    await session.send("HeapProfiler.collectGarbage");
    await session.detach();
    const { Nodes = 0, JSEventListeners = 0 } = await page.metrics();
    return { canvases, Nodes, JSEventListeners };
  };

  const resting = async (/** @type {Page} */ page) => {
    await settled(page);
    await settled(page);
  };

  /** @param {Awaited<ReturnType<typeof counts>>} first @param {Awaited<ReturnType<typeof counts>>} last */
  function assertFlat(first, last) {
    assert.equal(last.canvases, first.canvases);
    assert.ok(last.Nodes <= first.Nodes * 1.02 + 20, `${first.Nodes} nodes, then ${last.Nodes}`);
    assert.ok(
      last.JSEventListeners <= first.JSEventListeners * 1.02,
      `${first.JSEventListeners} listeners, then ${last.JSEventListeners}`,
    );
  }

  test("the lesson, six times: nothing grows, and it ends as if opened at its last size", () =>
    faulty(
      null,
      async (page) => {
        const to = async (/** @type {number} */ width, height = 800) => {
          await page.setViewport({ width, height });
          await settled(page);
        };
        // Once through what a width may call for.
        for (const width of [360, 700, 1100]) await to(width);
        const first = await counts(page);
        for (let i = 1; i < 6; i++) await to(320 + ((i * 271) % 1100), 500 + ((i * 97) % 500));
        await to(1100);
        await resting(page);
        assertFlat(first, await counts(page));
        const got = await layout(page);
        await page.reload();
        await figuresReady(page);
        await resting(page);
        assert.deepEqual(got, await layout(page));
      },
      { query: "?x=1&judge.seed=1&cards.seed=1" },
    ));

  test(
    "four figures in frames, 1,000 times: nothing grows, and each ends as if opened at its last size",
    { timeout: 60_000 },
    () =>
      faulty(
        null,
        async (page) => {
          const ready = async () => {
            await until(async () => page.frames().length === 5, "four frames");
            for (const frame of page.frames().slice(1)) await frame.waitForSelector('figure[data-state="ready"]');
            await resting(page);
            await pause(300);
          };
          const resize = (/** @type {number} */ from, /** @type {number} */ to) =>
            page.evaluate(
              async (begin, end) => {
                for (let i = begin; i < end; i++) {
                  for (const [k, frame] of [...document.querySelectorAll("iframe")].entries()) {
                    frame.width = String(i === end - 1 ? 700 : 300 + (((i + k) * 271) % 700));
                    frame.height = String(i === end - 1 ? 600 : 300 + (((i + k) * 97) % 400));
                  }
                  // Of sizes that come faster than frames a browser draws the last.
                  if (i % 4 === 0 || i === end - 1) await new Promise((resolve) => requestAnimationFrame(resolve));
                }
              },
              from,
              to,
            );
          const layouts = async () => {
            await resting(page);
            await pause(300);
            const all = await Promise.all(
              page
                .frames()
                .slice(1)
                .map(async (frame) => [frame.url(), await layout(frame)]),
            );
            return Object.fromEntries(all);
          };
          await ready();
          await resize(0, 30);
          await resting(page);
          const first = await counts(page);
          for (const begin of [30, 140]) await resize(begin, begin + 110);
          const got = await layouts();
          assertFlat(first, await counts(page));
          assert.ok(Object.values(got).every((lines) => lines.length > 50));
          await page.reload();
          await ready();
          assert.deepEqual(got, await layouts());
        },
        {
          waits: false,
          query: "",
          height: 1300,
          width: 1500,
          address: put(
            `<!doctype html><html lang="en"><title>host</title><link rel="icon" href="data:,"><body>${[
              "gates",
              "errors",
              "race",
              "depth",
            ]
              .map((name) => `<iframe width="700" height="600" src="${site.address}embed/${name}.html?x=1"></iframe>`)
              .join("")}`,
          ),
        },
      ),
  );
});

// ---------- the reader's settings ----------

test("hidden while it trains, the page waits; back again it goes on without a burst, to the same losses", () =>
  faulty(
    () => {
      window.isAway = false;
      Object.defineProperty(Document.prototype, "hidden", { get: () => window.isAway });
    },
    async (page) => {
      const hide = (/** @type {boolean} */ isAway) =>
        page.evaluate((value) => {
          window.isAway = value;
          document.dispatchEvent(new Event("visibilitychange"));
        }, isAway);
      await press(page);
      await until(async () => (await progressOf(page)) >= 1, "an epoch");
      await hide(true);
      await pause(200);
      const before = await progressOf(page);
      assert.ok(before < 5, `${before} epochs: nothing is left to wait with`);
      // As long as two epochs at this pace.
      await pause(1100);
      assert.equal(await progressOf(page), before);
      await hide(false);
      await pause(250);
      assert.ok((await progressOf(page)) <= before + 1, "no burst");
      await hurry(page);
      const { losses } = await ended(page);
      assert.deepEqual(losses, (await plainRace()).losses);
    },
    { query: `?${SHORT}&race.speed=slow` },
  ));

test("reduced motion: draws, a search and a race are usable, and nothing moves by itself", () =>
  faulty(
    null,
    async (page) => {
      const draws = () => page.evaluate(() => Number(new URLSearchParams(location.search).get("coin.draws") ?? 1));
      await page.$eval("#definition-coin [data-control='coin.draws'] button:nth-of-type(2)", (button) => {
        button.scrollIntoView();
        /** @type {HTMLElement} */ (button).click();
      });
      await until(
        async () => (await draws()) === 10_000 || (await draws()) === 10 || (await draws()) === 1000,
        "the draws at a stroke",
      );
      await page.$eval('[data-control="fit.search"]', (button) => {
        button.scrollIntoView();
        /** @type {HTMLElement} */ (button).click();
      });
      await until(
        () => page.$eval("#sigmoid-fit", (figure) => /** @type {HTMLElement} */ (figure.querySelector(".progress")).hidden),
        "the search",
      );
      assert.deepEqual((await raced(page)).losses, (await plainRace()).losses);
      assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
      assertNear(await readouts(page, FIGURES.hero), { gelu: truth("gelu", 1) }, "reduced motion");
    },
    { calm: true, query: `?x=1&${SHORT}` },
  ));

test("more contrast: everything that is read has 7 : 1, in both themes, and works", needs("a CDP session"), () =>
  faulty(null, async (page) => {
    const session = await page.createCDPSession();
    for (const scheme of ["light", "dark"]) {
      await session.send("Emulation.setEmulatedMedia", {
        features: [
          { name: "prefers-contrast", value: "more" },
          { name: "prefers-color-scheme", value: scheme },
        ],
      });
      await settled(page);
      const ratios = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement("i"));
        const luminance = (/** @type {string} */ token) => {
          probe.style.color = `var(${token})`;
          const parts = (getComputedStyle(probe).color.match(/\d+/g) ?? []).slice(0, 3).map((part) => Number(part) / 255);
          const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = luminance("--paper");
        const found = ["--ink", "--ink-2", "--ink-3"].map((token) => {
          const own = luminance(token);
          return (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
        });
        probe.remove();
        return found;
      });
      for (const ratio of ratios) assert.ok(ratio >= 7, `${scheme}: ${ratios}`);
    }
    await lives(page, "more contrast");
  }),
);

test(
  "forced colours: the curves of every figure are told apart by their dashes, and every control has an outline",
  needs("a CDP session"),
  () =>
    faulty(null, async (page) => {
      const session = await page.createCDPSession();
      await session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value: "active" }] });
      await settled(page);
      const dashes = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        return [...document.querySelectorAll("[data-control=fns] input")].map((input) => {
          const name = `--dash-${/** @type {HTMLInputElement} */ (input).value.replaceAll("_", "-")}`;
          return style.getPropertyValue(name).trim();
        });
      });
      const own = new Set(dashes);
      assert.ok(own.size >= 11 && !own.has(""), [...own].join());
      const bare = await page.$$eval("main :is(button, .btn, input:not([type=range]), select, textarea, summary)", (controls) =>
        controls
          .filter((control) => control.checkVisibility())
          .filter((control) => {
            const shown = control.closest("label") ?? control;
            return [control, shown].every((each) => {
              const { borderTopStyle, borderBottomStyle, textDecorationLine, color, appearance, opacity } =
                getComputedStyle(each);
              const isDrawn =
                [borderTopStyle, borderBottomStyle].some((line) => line !== "none") || textDecorationLine !== "none";
              const isText = (each.textContent ?? "").trim() !== "" && color !== getComputedStyle(document.body).backgroundColor;
              return !isDrawn && !isText && (appearance === "none" || opacity === "0") && each.querySelector("svg") === null;
            });
          })
          .map((control) => `${control.closest("figure")?.id} ${control.outerHTML.slice(0, 80)}`),
      );
      assert.deepEqual(bare, []);
      await lives(page, "forced colours");
    }),
);

// ---------- other people's scripts ----------

/** Names that the page and its host use, and some that nobody does. */
const NAMES =
  "x from to order fns color label state key fn data width height lang theme kind text min max type id v once value get set";

/** @param {{ names: string, how: string }} given */
function pollute({ names, how }) {
  for (const [i, name] of ["extend", "polluted", ...names.split(" ")].filter(Boolean).entries()) {
    const swallowing = { get: () => undefined, set: () => {}, configurable: true };
    const throwing = {
      ...swallowing,
      set() {
        throw new Error(`the setter of ${name}`);
      },
    };
    const value = { value: name === "extend" ? () => {} : "polluted", enumerable: true, writable: true, configurable: true };
    const property = { value, setter: i % 2 === 0 ? swallowing : throwing }[how];
    Object.setPrototypeOf(property, null);
    Object.defineProperty(Object.prototype, name, /** @type {any} */ (property));
  }
}

describe("Object.prototype", () => {
  for (const how of ["value", "setter"]) {
    test(`that an extension has filled with ${how} properties before the page begins`, () =>
      faulty(
        pollute,
        async (page) => {
          if (how === "value") assert.deepEqual((await raced(page)).losses, (await plainRace()).losses);
          await isUsable(page, how);
        },
        { given: { names: NAMES, how }, query: `?x=1&${SHORT}` },
      ));
  }

  test("that one fills while the page is read", needs("answers beside a filled Object.prototype"), () =>
    faulty(null, async (page) => {
      await page.evaluate(pollute, { names: "", how: "value" });
      await isUsable(page, "filled later");
    }),
  );

  test("of a host that reads from right to left, around two of the same figure: each its own state, drawn from left to right", () =>
    faulty(
      pollute,
      async (page) => {
        const frames = async () => page.frames().filter((frame) => frame.url().includes("embed/gates"));
        await until(async () => (await frames()).length === 2, "two frames");
        const [one, two] = await frames();
        for (const frame of [one, two]) await frame.waitForSelector('figure[data-state="ready"]');
        const knob = (/** @type {import("puppeteer-core").Frame} */ frame) =>
          frame.$eval('input[name="x"]', (input) => Number(/** @type {HTMLInputElement} */ (input).value));
        const byX = async (/** @type {number} */ x) => ((await knob(one)) === x ? [one, two] : [two, one]);
        const [first, second] = await byX(1);
        assert.deepEqual([await knob(first), await knob(second)], [1, -2]);
        await until(() => page.evaluate(() => window.told.ready === 2), "both are ready");
        // A frame of another origin has the focus once it is pressed.
        await first.click(".fig-foot");
        await first.focus('input[name="x"]');
        await page.keyboard.press("End");
        await until(() => page.evaluate(() => window.told.one > 0), "the first tells");
        assert.equal(await page.evaluate(() => window.told.two), 0);
        assert.equal(await knob(second), -2);
        assert.equal(await page.evaluate(() => document.querySelector("#one").state.x), 4);
        const ids = await page.$$eval("gelu-figure", (all) =>
          all.map((each) =>
            new URL(/** @type {any} */ (each.shadowRoot).querySelector("iframe").src).searchParams.get("embed_id"),
          ),
        );
        assert.equal(new Set(ids).size, 2);
        for (const frame of [first, second])
          assert.equal(await frame.evaluate(() => getComputedStyle(document.documentElement).direction), "ltr");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the page");
        assertNear(
          Object.fromEntries([
            ["normal_cdf", await second.$eval('output[data-readout="normal_cdf"]', (o) => Number(o.dataset.value))],
          ]),
          { normal_cdf: truth("normal_cdf", -2) },
          "the second",
        );
      },
      {
        // What hosts of its own kind fill it with: setters, which embed.test.mjs leaves out.
        given: { names: "x from to order fns state data height lang theme type id v", how: "setter" },
        waits: false,
        address: put(`<!doctype html><html lang="ar" dir="rtl"><title>host</title><link rel="icon" href="data:,">
          <script src="${site.address}gelu-embed.js"></script>
          <gelu-figure id="one" figure="gates" x="1" lang="en"></gelu-figure><gelu-figure id="two" figure="gates" x="-2"></gelu-figure>
          <script>
            window.told = { ready: 0, one: 0, two: 0 };
            for (const each of document.querySelectorAll("gelu-figure")) {
              each.addEventListener("ready", () => told.ready++);
              each.addEventListener("change", () => told[each.id]++);
            }
          </script>`),
        query: "",
      },
    ));
});
