/** Figure `speed` in a browser: nothing before the button, then numbers that fit each other; stop, reset, coarse clocks, files. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages are in the page, and one of them is hidden
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ENGINE, figuresReady, openPage, settled } from "./browser.mjs";
import { catchFiles, clickIn, fileOf } from "./files.mjs";
import { holdLine } from "./line.mjs";
import { truth } from "./oracle.mjs";
import { clickInput, readouts, typeX } from "./reading.mjs";
import { addressSettled, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const SPEED = '#approximation figure[data-figure="speed"]';
const BUTTON = `${SPEED} button[data-act="measure"]`;
const TIMED = ["gelu", "gelu_tanh", "gelu_sigmoid"]
  .flatMap((form) => ["rounded", "fast", "plain"].map((tier) => `speed.${form}.${tier}`))
  .concat("speed.relu.rounded", "speed.relu.plain");
const SUMMARY = [
  ...["rounded", "fast", "plain"].map((tier) => `speed.exact_over_tanh.${tier}`),
  "speed.plain_over_kernel",
  "speed.clock",
];
const BRAND = { chromium: "Chrome", firefox: "Firefox", webkit: "Safari" }[ENGINE];
/** The least work: short passes, few rounds. */
const QUICK = "?speed.n=1024&speed.rounds=11";

const site = useSite(["approximation"]);

const press = (page) => page.$eval(BUTTON, (button) => button.click());
const label = (page) => page.$eval(BUTTON, (button) => button.innerText.trim());
const words = (page) => page.$eval(`${SPEED} .measured`, (line) => line.innerText);
const ended = (page) =>
  page.waitForFunction(
    (selector) => !/Stop|停/.test(document.querySelector(selector).innerText),
    { timeout: 19_000, polling: 200 },
    BUTTON,
  );
const rounds = (page, least) =>
  page.waitForFunction(
    (selector, wanted) => Number(/\d+/.exec(document.querySelector(selector).innerText)?.[0] ?? 0) >= wanted,
    { timeout: 19_000, polling: 50 },
    "#speed-round",
    least,
  );

/** The times, and what is not measured is not there. */
async function times(/** @type {Page} */ page) {
  const all = await readouts(page, SPEED);
  return Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith("speed.error")));
}

async function assertNothing(/** @type {Page} */ page, what) {
  for (const [name, value] of Object.entries(await times(page))) assert.ok(Number.isNaN(value), `${what}: ${name} is ${value}`);
}

/**
 * All times are there, and what is said about them follows from them.
 * @param {Page} page
 * @param {{ isWasm?: boolean }} [kernels]
 */
async function assertMeasured(page, { isWasm = true } = {}) {
  const got = await times(page);
  assert.deepEqual(Object.keys(got).sort(), [...TIMED, ...SUMMARY].sort());
  for (const name of TIMED) assert.ok(got[name] > 0.001 && got[name] < 10_000, `${name}: ${got[name]} ns`);
  const quotient = (a, b) => got[`speed.${a}`] / got[`speed.${b}`];
  for (const tier of ["rounded", "fast", "plain"])
    assert.equal(got[`speed.exact_over_tanh.${tier}`], 1 / quotient(`gelu_tanh.${tier}`, `gelu.${tier}`));
  assert.equal(got["speed.plain_over_kernel"], quotient("gelu.plain", "gelu.rounded"));
  // However busy the machine: ReLU is one instruction in the kernel, Math.tanh dozens. Kernels in JavaScript are none of both.
  if (isWasm) assert.ok(got["speed.relu.rounded"] < got["speed.gelu_tanh.plain"]);
  return got;
}

/** Shares of the width: bar, and both ends of the spread under it. */
const drawn = (page) =>
  page.$$eval(`${SPEED} table.speed td`, (cells) =>
    cells.flatMap((cell) => {
      const name = cell.querySelector("output")?.dataset.readout;
      const lines = [...cell.querySelectorAll("line")].map((line) => Number.parseFloat(line.getAttribute("x1")));
      if (lines.length === 0) return [];
      return [[name, Number.parseFloat(cell.querySelector(".fillbar").getAttribute("width")), lines[0], lines[1]]];
    }),
  );

describe("before anything is pressed", () => {
  test("errors stand there, and they are right; no time does, and nothing is being measured", () =>
    site.visit(
      "",
      async (page) => {
        const all = await readouts(page, SPEED);
        for (const [form, from, to] of [
          ["relu", -8, 0],
          ["gelu_sigmoid", -4, 0],
          ["gelu_tanh", -4, 0],
        ]) {
          let most = 0;
          for (let x = from; x <= to; x += 1e-3) most = Math.max(most, Math.abs(truth(form, x) - truth("gelu", x)));
          const got = all[`speed.error.${form}`];
          assert.ok(Math.abs(got - most) < 1e-5 * most + 1e-9, `${form}: ${got}, want ${most}`);
        }
        assert.equal(all["speed.error.gelu"], 0);
        await new Promise((resolve) => setTimeout(resolve, 1200));
        await assertNothing(page, "at first");
        assert.equal(await page.evaluate(() => window.looks), 0, "somebody looks at the clock in a tight loop");
        assert.match(await words(page), /have to be measured.*press Measure.*about \d+ seconds/);
        assert.equal(await label(page), "Measure");
      },
      {
        // Calls of the clock inside one task, hundreds of them: that is measuring.
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            window.looks = 0;
            const now = performance.now.bind(performance);
            let calls = 0;
            performance.now = () => {
              if (calls++ === 0) setTimeout(() => (calls = 0));
              if (calls > 500) window.looks++;
              return now();
            };
          }),
      },
    ));
});

describe("measuring", () => {
  test("gives every time, and ratios and bars that follow from them; says what was measured", () =>
    site.visit(QUICK, async (page) => {
      await press(page);
      assert.equal(await label(page), "Stop");
      assert.equal(await page.$eval(`${SPEED} progress`, (bar) => bar.checkVisibility({ visibilityProperty: true })), true);
      await ended(page);
      const got = await assertMeasured(page);
      assert.equal(await label(page), "Measure again");
      const text = await words(page);
      assert.match(text, new RegExp(`1,024 float32.*11 contestants.*11 in all.*WebAssembly SIMD, ${BRAND} \\d+`));
      assert.doesNotMatch(text, /Stopped/);
      // Both tiers of C have one scale, JavaScript its own; the spread holds the median.
      const bars = await drawn(page);
      assert.equal(bars.length, TIMED.length);
      for (const isPlain of [true, false]) {
        const own = bars.filter(([name]) => name.endsWith("plain") === isPlain);
        const scales = own.map(([name, width]) => width / got[name]);
        for (const [i, [name, width, from, to]] of own.entries()) {
          assert.ok(Math.abs(scales[i] / scales[0] - 1) < 0.02 + 0.011 / width, `${name}: ${width} % for ${got[name]} ns`);
          assert.ok(from <= width + 0.02 && width <= to + 0.02 && to <= 96.01, `${name}: ${from} … ${width} … ${to}`);
        }
        assert.ok(Math.max(...own.map(([, , , to]) => to)) > 95.9);
      }
    }));

  test("says which kernels were timed, where those of the page are others", () =>
    site.visit(
      QUICK,
      async (page) => {
        assert.equal(await page.evaluate(() => document.documentElement.dataset.backend), "wasm-simd");
        await press(page);
        await ended(page);
        await assertMeasured(page, { isWasm: false });
        assert.match(await words(page), new RegExp(`JavaScript \\(wasm2js\\), ${BRAND}`));
      },
      {
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            const { instantiate } = WebAssembly;
            WebAssembly.instantiate = async (...given) => {
              const answer = await instantiate.apply(WebAssembly, given);
              if (Object.keys(answer.instance.exports).some((name) => name.startsWith("gelu_train")))
                throw new RangeError("WebAssembly.Memory(): could not allocate memory");
              return answer;
            };
          }),
      },
    ));

  test("the page lives on: frames come, x moves, the language changes", () =>
    site.visit("?speed.n=65536&speed.rounds=11", async (page) => {
      await page.evaluate(() => {
        window.frames = 0;
        const count = () => {
          window.frames++;
          requestAnimationFrame(count);
        };
        requestAnimationFrame(count);
      });
      await press(page);
      await rounds(page, 1);
      const frames = await page.evaluate(() => window.frames);
      await typeX(page, '#approximation figure[data-figure="errors"]', "1.25");
      await clickInput(page, 'input[name="lang"][value="zh"]');
      assert.match(await label(page), /停/);
      await ended(page);
      const after = await page.evaluate(() => window.frames);
      // Of the ten rounds that were left, each has eleven turns; a page that waits for a whole round has ten frames.
      assert.ok(after - frames > 27, `${after - frames} frames in 110 turns`);
      await assertMeasured(page);
      assert.match(await words(page), /11 样轮流上/);
    }));

  test("can be stopped at once, and half-way with what there is until then", () =>
    site.visit("?speed.n=1024&speed.rounds=101", async (page) => {
      await press(page);
      await press(page);
      await ended(page);
      await assertNothing(page, "stopped at once");
      assert.match(await words(page), /Stopped before/);
      await press(page);
      await rounds(page, 3);
      await page.focus(BUTTON);
      await page.keyboard.press("Enter");
      await ended(page);
      const [, done, of] = /Stopped after (\d+) of (\d+) rounds/.exec(await words(page)) ?? [];
      assert.ok(Number(done) >= 3 && Number(done) < 101 && of === "101", await words(page));
      const first = await assertMeasured(page);
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.deepEqual(await times(page), first, "still measuring");
    }));

  test("ends where a setting changes or everything is reset", () =>
    site.visit("?speed.n=1024&speed.rounds=101", async (page) => {
      await press(page);
      await rounds(page, 2);
      await clickInput(page, `${SPEED} input[name="speed.rounds"][value="11"]`);
      await ended(page);
      assert.match(await words(page), /Stopped after \d+ of 101 rounds/);
      assert.equal(await addressSettled(page), "?speed.n=1024&speed.rounds=11");
      await press(page);
      await ended(page);
      await assertMeasured(page);
      await press(page);
      await page.$eval(`${SPEED} [data-tool="reset"]`, (button) => button.click());
      await ended(page);
      await settled(page);
      await assertNothing(page, "after the reset");
      assert.equal(await addressSettled(page), "");
      assert.equal(await label(page), "Measure");
    }));

  test("prompts set what is measured, and measure nothing", () =>
    site.visit("", async (page) => {
      for (const [query, n, wanted] of [
        ["speed.n=1024", "1024", "31"],
        ["speed.rounds=11", "65536", "11"],
        ["speed.rounds=101", "65536", "101"],
      ]) {
        await page.$$eval(`#approximation button[data-set="${query}"]`, (all) =>
          all.find((one) => one.checkVisibility()).click(),
        );
        const chosen = await page.$$eval(`${SPEED} input:checked`, (inputs) => inputs.map(({ value }) => value));
        assert.deepEqual(chosen, [n, wanted], query);
        await assertNothing(page, query);
      }
    }));
});

describe("a coarse clock", () => {
  /** A clock of whole steps. */
  const coarse = (step) => (page) =>
    page.evaluateOnNewDocument((size) => {
      const now = performance.now.bind(performance);
      performance.now = () => Math.floor(now() / size) * size;
    }, step);

  test("of 1 ms is found, and the spread is no narrower than it allows", () =>
    site.visit(
      QUICK,
      async (page) => {
        await press(page);
        await ended(page);
        const got = await assertMeasured(page);
        assert.equal(got["speed.clock"], 1);
        assert.match(await words(page), /about 16 ms/);
        // A turn of about 16 ms is known to half a millisecond, 3 %, in either direction at best.
        for (const [name, width, from, to] of await drawn(page))
          assert.ok(to - from > 0.04 * width - 0.03, `${name}: ${from} … ${to} around ${width}`);
      },
      { before: coarse(1) },
    ));

  test("of 100 ms gives no numbers, but says why", () =>
    site.visit(
      QUICK,
      async (page) => {
        await press(page);
        await ended(page);
        await assertNothing(page, "coarse");
        assert.match(await words(page), /steps of 100 ms, too coarse/);
        await clickInput(page, 'input[name="lang"][value="zh"]');
        assert.match(await words(page), /一步走 100 ms/);
      },
      { before: coarse(100) },
    ));
});

describe("what can be taken away", () => {
  const savedBy = (page, name) => fileOf(page, SPEED, name, clickIn(page));

  test("CSV, data table, SVG and PNG hold what the figure shows, before and after", () =>
    site.visit(
      QUICK,
      async (page) => {
        const { name, text: before } = await savedBy(page, "csv");
        assert.equal(name, "gelu-speed.csv");
        const lines = (text) =>
          text
            .slice(1)
            .trimEnd()
            .split("\r\n")
            .map((line) => line.split(","));
        assert.equal(lines(before).length, 1 + TIMED.length);
        assert.ok(
          lines(before)
            .slice(1)
            .every((row) => Number(row[2]) > 0 || row[0] === "relu"),
        );
        assert.ok(
          lines(before)
            .slice(1)
            .every((row) => row.slice(3).every((field) => field === "")),
        );
        await press(page);
        await ended(page);
        const got = await assertMeasured(page);
        const { text: after } = await savedBy(page, "csv");
        const [head, ...rows] = lines(after);
        assert.deepEqual(rows.map(([form, tier]) => `speed.${form}.${tier}`).sort(), [...TIMED].sort());
        for (const row of rows) {
          const of = (column) => row[head.indexOf(column)];
          assert.equal(Number(of("ns_median")), got[`speed.${row[0]}.${row[1]}`]);
          assert.ok(
            Number(of("ns_quarter")) <= Number(of("ns_median")) && Number(of("ns_median")) <= Number(of("ns_three_quarters")),
          );
          assert.deepEqual([of("n"), of("rounds"), of("backend")], ["1024", "11", "wasm-simd"]);
        }
        await page.$eval(`${SPEED} [data-tool="dataTable"]`, (button) => button.click());
        const cells = await page.$$eval(`${SPEED} .grid tbody tr`, (all) =>
          all.filter((row) => row.checkVisibility()).map((row) => [...row.children].map((cell) => cell.innerText.trim())),
        );
        assert.equal(cells.length, TIMED.length);
        assert.ok(cells.every((row) => row.every((text) => text !== "" && !/NaN|undefined/.test(text))));
        const { name: svgName, text: svg } = await savedBy(page, "svg");
        assert.equal(svgName, "gelu-speed-en.svg");
        assert.doesNotMatch(svg, /NaN|undefined|class=/);
        const broken = await page.evaluate(
          (source) => new DOMParser().parseFromString(source, "image/svg+xml").querySelector("parsererror")?.textContent ?? "",
          svg,
        );
        assert.equal(broken, "");
        for (const text of ["What exactness costs", "ns each", BRAND, "sigmoid form", `${site.address}?speed.n=1024`])
          assert.ok(svg.includes(text.replaceAll("&", "&#38;")), text);
        const png = await savedBy(page, "png");
        assert.equal(png.name, "gelu-speed-en.png");
        assert.equal(png.type, "image/png");
        assert.ok(png.size >= 1000, `${png.size} bytes`);
      },
      { before: catchFiles },
    ));
});

test("where the script that measures does not load the figure says so, and the next press, once it comes, measures once", async () => {
  const { page } = await openPage(site.browser, { language: "en" });
  const line = await holdLine(page, /\/pressed-/);
  line.isDown = true;
  await page.goto(site.address + QUICK);
  await figuresReady(page);
  await press(page);
  await page.waitForFunction(
    (selector) => /assets\/pressed-\w+\.js/.test(document.querySelector(selector).innerText),
    { timeout: 5000 },
    `${SPEED} .measured`,
  );
  assert.equal(await label(page), "Measure");
  Object.assign(line, { isDown: false, isHeld: true });
  await press(page);
  assert.equal(await label(page), "Stop");
  await line.asked();
  line.release();
  await ended(page);
  assert.match(await words(page), /round by round \(11 in all\)/);
  await page.close();
});

test("on a phone nothing is cut, targets are 44 px high, every cell says what it is", async () => {
  for (const language of ["zh", "en"]) {
    await site.visit(
      `${QUICK}&lang=${language}`,
      async (page) => {
        await press(page);
        await ended(page);
        const found = await page.$eval(SPEED, (root) => ({
          wide: [...root.querySelectorAll("*")].filter(
            (element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5,
          ).length,
          scroll: document.documentElement.scrollWidth - innerWidth,
          heights: [...root.querySelectorAll(".filters :is(button, label)")].map((one) => one.getBoundingClientRect().height),
          unnamed: [...root.querySelectorAll("table.speed td")].filter((cell) => !cell.querySelector(".of").checkVisibility())
            .length,
          roles: [...root.querySelectorAll("table.speed :is(tr, td, th)")].filter((cell) => !cell.hasAttribute("role")).length,
        }));
        assert.deepEqual([found.wide, found.scroll, found.unnamed, found.roles], [0, 0, 0, 0], language);
        assert.ok(
          found.heights.every((height) => height >= 44),
          found.heights.join(),
        );
      },
      { width: 360, height: 800, touch: true },
    );
  }
});
