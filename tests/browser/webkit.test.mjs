/** The driver of WebKitGTK itself: what the other tests rely on must be seen to be seen. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { openPage } from "./browser.mjs";
import { launchWebKit } from "./webkit.mjs";

/** @type {Record<string, string>} */
const PAGES = {
  "/": `<!doctype html><meta charset=utf-8><link rel=icon href="data:,"><title>Page</title><script src=first.js></script>
    <input value=12><button>press</button><select><option>a<option>b</select><a download=saved.txt href=text>save</a>
    <div id=box style="width:100px;height:100px"></div><p style="height:3000px">`,
  "/first.js": "window.atFirst = window.planted;",
  "/frames": `<!doctype html><link rel=icon href="data:,"><iframe sandbox=allow-scripts src=/inner></iframe>`,
  "/inner": `<!doctype html><button onclick="document.title = 'pressed'">inner</button><iframe srcdoc="<p>deep"></iframe>`,
  "/text": "saved text",
};

/** @type {any} */
let browser;
let address = "";
let folder = "";
const server = createServer((request, response) => {
  const text = PAGES[request.url ?? ""];
  const type = request.url?.endsWith(".js") ? "text/javascript" : "text/html; charset=utf-8";
  if (request.url === "/") response.setHeader("Content-Security-Policy", "script-src 'self'");
  response.writeHead(text === undefined ? 404 : 200, { "Content-Type": type }).end(text);
});

before(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  address = `http://127.0.0.1:${/** @type {any} */ (server.address()).port}/`;
  folder = await mkdtemp(join(tmpdir(), "webkit-test-"));
  browser = await launchWebKit();
  browser.downloads = folder;
});

after(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** @param {string} url @param {(page: any, opened: any) => Promise<void>} use @param {object} [options] */
async function visit(url, use, options) {
  const opened = await openPage(browser, options);
  try {
    await opened.page.goto(url.startsWith("file:") ? url : address + url);
    await use(opened.page, opened);
  } finally {
    await opened.page.close();
  }
}

/** All events that arrive from now on. */
const listen = (/** @type {any} */ page, /** @type {string[]} */ types) =>
  page.evaluate((names) => {
    window.events = [];
    for (const name of names) {
      addEventListener(name, ({ type, key, clientX, clientY, deltaX, deltaY, detail, button, ctrlKey, shiftKey, isTrusted }) =>
        window.events.push({ type, key, clientX, clientY, deltaX, deltaY, detail, button, ctrlKey, shiftKey, isTrusted }),
      );
    }
  }, types);
const heard = (/** @type {any} */ page) => page.evaluate(() => window.events);

describe("a page complains", () => {
  /** @type {[string, () => void, RegExp][]} */
  const FAULTS = [
    ["by console.error", () => console.error("bad\nworse"), /^console: bad\nworse$/],
    ["by an uncaught error", () => void setTimeout(() => null.x), /^uncaught: TypeError: null/],
    ["by a rejection that none handles", () => void Promise.reject(new RangeError("far")), /^uncaught: .*RangeError: far/],
    [
      "by breaking its policy",
      () => {
        const script = document.createElement("script");
        script.textContent = "window.injected = true";
        document.body.append(script);
      },
      /^console: policy: script-src/,
    ],
    ["by asking for what is not there", () => void fetch("none"), /^404: .*\/none$/],
    ["by a dialog", () => void setTimeout(() => alert("stop")), /^dialog: stop$/],
  ];
  for (const [how, fault, wanted] of FAULTS) {
    test(how, () =>
      visit("", async (page, { complaints }) => {
        assert.deepEqual(complaints, []);
        await page.evaluate(fault);
        for (const end = Date.now() + 3000; !complaints.some((one) => wanted.test(one)); ) {
          assert.ok(Date.now() < end, `not among ${JSON.stringify(complaints)}`);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }),
    );
  }

  test("in a file, and in a frame", async () => {
    const file = join(folder, "page.html");
    await writeFile(
      file,
      `<!doctype html><title>file</title><iframe srcdoc="<script>throw new Error('inner')</script>"></iframe>`,
    );
    await visit(pathToFileURL(file).href, async (page, { complaints, requests }) => {
      assert.equal(await page.evaluate(() => `${location.protocol} ${origin}`), "file: null");
      assert.match(complaints.join(), /^uncaught: Error: inner/);
      assert.equal(requests[0], pathToFileURL(file).href);
      assert.match(await page.evaluate(() => fetch(location.href).then(String, String)), /Error/);
    });
  });
});

test("what is planted runs before a page's first script, in frames and after a reload too", () =>
  visit("", async (page) => {
    await page.evaluateOnNewDocument((value) => (window.planted = value), "early");
    await page.reload();
    assert.equal(await page.evaluate(() => window.atFirst), "early");
    await page.goto(`${address}frames`);
    const frames = await page.findFrames();
    assert.deepEqual(
      frames.map((frame) => frame.url()),
      [`${address}inner`, "about:srcdoc"],
    );
    for (const frame of frames) assert.equal(await frame.evaluate(() => window.planted), "early");
    assert.equal(await frames[0].evaluate(() => origin), "null");
    await frames[0].click("button");
    assert.equal(await frames[0].evaluate(() => document.title), "pressed");
    assert.equal(await frames[1].$eval("p", (element) => element.textContent), "deep");
  }));

test("values come through as they are", () =>
  visit("", async (page) => {
    for (const value of [undefined, null, 0, -0, Number.NaN, Number.NEGATIVE_INFINITY, "中\u2212", [1, { a: [true] }]]) {
      assert.deepEqual(await page.evaluate((one) => one, value), value);
      assert.deepEqual(await page.evaluate(async (one) => one, value), value);
    }
    await assert.rejects(
      page.evaluate(() => {
        throw new Error("mine");
      }),
      /mine/,
    );
    await assert.rejects(
      page.waitForFunction(() => false, { timeout: 50 }),
      { name: "TimeoutError" },
    );
    const waiting = page.evaluate(() => new Promise((resolve) => addEventListener("keydown", (event) => resolve(event.key))));
    await page.keyboard.press("k");
    assert.equal(await waiting, "k");
  }));

test("keys are pressed, held and typed", () =>
  visit("", async (page) => {
    await page.click("input", { count: 3 });
    await page.keyboard.type("a中");
    assert.equal(await page.$eval("input", (input) => input.value), "a中");
    await listen(page, ["keydown", "click"]);
    await page.keyboard.down("Shift");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.up("Shift");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    const events = await heard(page);
    assert.deepEqual(
      events.map(({ type, key, shiftKey }) => `${type} ${key ?? ""} ${shiftKey}`),
      ["keydown Shift true", "keydown ArrowLeft true", "keydown Tab false", "keydown   false", "click  false"],
    );
    assert.ok(events.every(({ isTrusted }) => isTrusted));
  }));

test("the mouse moves, drags, clicks and turns its wheel", () =>
  visit("", async (page) => {
    await listen(page, ["pointermove", "pointerdown", "pointerup", "dblclick", "contextmenu"]);
    await page.mouse.move(20, 300);
    await page.mouse.down();
    await page.mouse.move(60, 320, { steps: 2 });
    await page.mouse.up();
    await page.mouse.click(30, 310, { count: 2 });
    await page.mouse.click(40, 310, { button: "right" });
    const events = (await heard(page)).filter(({ type }, i, all) => type !== "pointermove" || all[i - 1]?.type !== type || i < 4);
    assert.deepEqual(
      events.slice(0, 5).map(({ type, clientX, clientY }) => `${type} ${clientX} ${clientY}`),
      ["pointermove 20 300", "pointerdown 20 300", "pointermove 40 310", "pointermove 60 320", "pointerup 60 320"],
    );
    assert.ok(events.some(({ type }) => type === "dblclick"));
    assert.deepEqual(
      events.filter(({ type }) => type === "contextmenu").map(({ button }) => button),
      [2],
    );
    await page.mouse.wheel({ deltaY: 240 });
    await page.waitForFunction(() => scrollY > 0, { timeout: 2000 });
    await listen(page, ["wheel"]);
    await page.keyboard.down("Control");
    // Twice by the same, too.
    for (let i = 0; i < 2; i++) await page.mouse.wheel({ deltaY: -120 });
    await page.keyboard.up("Control");
    await page.mouse.wheel({ deltaX: 30 });
    await page.waitForFunction(() => window.events.length === 3, { timeout: 2000 });
    assert.deepEqual(
      (await heard(page)).map(({ deltaX, deltaY, ctrlKey }) => [Math.round(deltaX), Math.round(deltaY), ctrlKey]),
      [
        [0, -120, true],
        [0, -120, true],
        [30, 0, false],
      ],
    );
  }));

test("it is shown as was asked: size, scale, theme, calm, and focused", () =>
  visit(
    "",
    async (page) => {
      const shown = () =>
        page.evaluate(() => ({
          size: [innerWidth, innerHeight, devicePixelRatio],
          dark: matchMedia("(prefers-color-scheme: dark)").matches,
          calm: matchMedia("(prefers-reduced-motion: reduce)").matches,
          hasFocus: document.hasFocus(),
        }));
      assert.deepEqual(await shown(), { size: [320, 480, 2], dark: true, calm: true, hasFocus: true });
      await page.setViewport({ width: 1280, height: 900, deviceScaleFactor: 2 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
      assert.deepEqual(await shown(), { size: [1280, 900, 2], dark: false, calm: false, hasFocus: true });
      const clip = { x: 0, y: 0, width: 60, height: 40 };
      const image = await page.screenshot({ clip });
      assert.deepEqual([image.readUInt32BE(16), image.readUInt32BE(20)], [120, 80]);
    },
    { width: 320, height: 480, scale: 2, dark: true, calm: true },
  ));

test("with scripts off what stands in noscript is shown, and questions are answered all the same", async () => {
  PAGES["/plain"] = `<!doctype html><noscript><p>plain</p></noscript><script>document.title = "ran"</script>`;
  await visit("plain", async (page) => assert.equal(await page.$eval("p", (p) => p.textContent + document.title), "plain"), {
    scripts: false,
  });
  await visit("plain", async (page) => assert.equal(await page.evaluate(() => document.title), "ran"));
});

test("requests are refused, answered by others and let through", () =>
  visit("", async (page, { complaints }) => {
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (request.url().endsWith("first.js"))
        request.respond({ contentType: "text/javascript", body: "window.atFirst = 'other'" });
      else if (request.url().endsWith("/inner")) request.abort();
      else request.continue();
    });
    await page.reload();
    assert.equal(await page.evaluate(() => window.atFirst), "other");
    assert.match(await page.evaluate(() => fetch("inner").then(String, String)), /Error/);
    assert.ok(
      complaints.some((one) => /^failed: .*\/inner/.test(one)),
      complaints.join(),
    );
    assert.equal(await page.evaluate(() => fetch("text").then((answer) => answer.text())), "saved text");
  }));

test("a file is saved where it should be", () =>
  visit("", async (page) => {
    await page.click("a");
    for (const end = Date.now() + 3000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const text = await readFile(join(folder, "saved.txt"), "utf8").catch(() => "");
      if (text === PAGES["/text"]) break;
      assert.ok(Date.now() < end, "not saved");
    }
  }));
