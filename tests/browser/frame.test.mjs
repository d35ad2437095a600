/** The frame of every figure: zoom and pan by each gesture, and what a reader takes away: CSV, SVG, PNG, link, full screen. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { downloadTo, figuresReady, needs, savedFile, settled } from "./browser.mjs";
import { catchFiles, fileOf } from "./files.mjs";
import { truth } from "./oracle.mjs";
import { assertNear, clickInput, errorsAt, FIGURES, pressX, readouts, snapshot, typeX, xOf } from "./reading.mjs";
import { addressSettled, rangeOf, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite(["hero", "definition", "relu", "sigmoid", "gradient", "approximation", "playground"]);
const ALL = {
  ...FIGURES,
  gates: '#sigmoid figure[data-figure="gates"]',
  admission: 'figure[data-figure="admission"]',
};
const { gates, admission, errors, gradients, hero, playground } = ALL;

/** Ends within a thousandth of the range that is wanted: gestures round them, so that links stay short. */
function assertRange([from, to], [wantedFrom, wantedTo], label, share = 1e-3) {
  const near = share * (wantedTo - wantedFrom);
  assert.ok(
    Math.abs(from - wantedFrom) <= near && Math.abs(to - wantedTo) <= near,
    `${label}: [${from}, ${to}], want [${wantedFrom}, ${wantedTo}]`,
  );
}

const tool = (figure, name) => `${figure} [data-tool="${name}"]`;

/** A tool by a real click; the row of zoom buttons is opened first. */
async function use(/** @type {Page} */ page, /** @type {string} */ figure, /** @type {string[]} */ ...names) {
  for (const name of names) {
    const inZoom = await page.$eval(tool(figure, name), (button) => button.closest(".tools-zoom") !== null);
    if (inZoom && !(await page.$eval(tool(figure, name), (button) => button.checkVisibility())))
      await page.click(tool(figure, "zoom"));
    await page.click(tool(figure, name));
  }
}

/**
 * The plot's own pixels, by the x control, whose knob is centred on the ends of the axis.
 * @param {Page} page @param {string} figure
 */
async function plotOf(page, figure) {
  await page.$eval(`${figure} canvas`, (canvas) => canvas.scrollIntoView({ block: "center", behavior: "instant" }));
  await settled(page);
  const box = await page.$eval(figure, (root) => {
    const axis = root.querySelector('input[name="x"]').getBoundingClientRect();
    const canvas = root.querySelector("canvas").getBoundingClientRect();
    return { left: axis.left + 12, right: axis.right - 12, top: canvas.top, bottom: axis.top, canvasRight: canvas.right };
  });
  const [from, to] = await rangeOf(page, figure);
  return {
    ...box,
    middle: (box.top + box.bottom) / 2,
    at: (/** @type {number} */ x) => box.left + ((x - from) / (to - from)) * (box.right - box.left),
  };
}

/** @param {Page} page @param {number} fromX @param {number} toX @param {number} y */
async function drag(page, fromX, toX, y) {
  await page.mouse.move(fromX, y);
  await page.mouse.down();
  await page.mouse.move((fromX + toX) / 2, y + 10, { steps: 3 });
  await page.mouse.move(toX, y + 20, { steps: 3 });
  await page.mouse.up();
}

/** Keys on a plot, "+" among them. */
async function pressOnPlot(/** @type {Page} */ page, /** @type {string} */ figure, /** @type {any[]} */ ...keys) {
  await page.focus(`${figure} input[name="x"]`);
  for (const key of keys) await page.keyboard.press(key);
}

/** The texts below the axis and the drawn curves of the figure's SVG file. */
async function drawnOf(/** @type {Page} */ page, /** @type {string} */ figure) {
  const { text } = await fileOf(page, figure, "svg");
  return page.evaluate((source) => {
    const svg = new DOMParser().parseFromString(source, "image/svg+xml");
    // A start, then steps from point to point.
    const curves = [...svg.querySelectorAll("g[clip-path] path")].map((path) => {
      let [x, y] = [0, 0];
      return (path.getAttribute("d").match(/-?[\d.]+ -?[\d.]+/g) ?? []).map((pair) => {
        const [dx, dy] = pair.split(" ").map(Number);
        [x, y] = [x + dx, y + dy];
        return [x, y];
      });
    });
    // Of several plots the lowest has the numbers.
    const plot = [...svg.querySelectorAll("clipPath rect")].at(-1);
    const below = Number(plot.getAttribute("y")) + Number(plot.getAttribute("height")) + 27;
    const ticks = [...svg.querySelectorAll('text[text-anchor="middle"]')].filter(
      (one) => Number(one.getAttribute("y")) === below,
    );
    return { curves, ticks: ticks.map((one) => one.textContent) };
  }, text);
}

describe("zoom", () => {
  test("by buttons: in and out about x, left, right, the whole; one range for the page", () =>
    site.visit("?x=1", async (page) => {
      await use(page, gates, "zoomIn");
      assertRange(await rangeOf(page, gates), [-1.5, 2.5], "in");
      for (const [name, figure] of Object.entries(ALL)) assertRange(await rangeOf(page, figure), [-1.5, 2.5], name);
      await use(page, gates, "panLeft");
      assertRange(await rangeOf(page, gates), [-2.5, 1.5], "left");
      await use(page, gates, "panRight", "panRight");
      assertRange(await rangeOf(page, gates), [-0.5, 3.5], "right");
      await use(page, gates, "zoomOut");
      assertRange(await rangeOf(page, gates), [-2, 6], "out");
      await use(page, gates, "wholeRange");
      assertRange(await rangeOf(page, gates), [-4, 4], "whole");
      assertRange(await rangeOf(page, errors), [-6, 6], "whole, in another figure");
      assert.equal(await xOf(page, gates), 1, "x moved");
      assert.equal(await addressSettled(page), "?x=1");
    }));

  test("stops at ±50 and at the narrowest range, where all is still drawn and finite", () =>
    site.visit(
      "?x=0.3",
      async (page) => {
        for (let i = 0; i < 7; i++) await use(page, gates, "zoomOut");
        assert.deepEqual(await rangeOf(page, gates), [-50, 50]);
        await use(page, gates, "panRight", "panRight", "panLeft", "panLeft", "panLeft");
        assert.deepEqual(await rangeOf(page, gates), [-50, 50]);
        for (let i = 0; i < 40; i++) await use(page, gates, "zoomIn");
        const [from, to] = await rangeOf(page, gates);
        assert.ok(to - from >= 1e-6 && to - from < 1e-5, `${from} to ${to}`);
        assert.ok(from <= 0.3 && to >= 0.3, `${from} to ${to} lost x`);
        for (const [name, figure] of Object.entries(ALL)) {
          for (const [readout, value] of Object.entries(await readouts(page, figure)))
            assert.ok(Number.isFinite(value), `${name}: ${readout} is ${value}`);
        }
        const { ticks } = await drawnOf(page, gates);
        assert.ok(ticks.length >= 3 && new Set(ticks).size === ticks.length, `ticks ${ticks.join(" ")}`);
      },
      { before: catchFiles },
    ));

  test("far in, a key and a drag still move x", () =>
    site.visit("?x=0.3&from=0.29999&to=0.30001", async (page) => {
      const [from, to] = await rangeOf(page, gates);
      await pressX(page, gates, "ArrowRight");
      const moved = await xOf(page, gates);
      assert.ok(moved > 0.3 && moved < to, `ArrowRight to ${moved}`);
      const { left, right, middle } = await plotOf(page, gates);
      await drag(page, left + 40, left + (right - left) / 4, middle);
      const dragged = await xOf(page, gates);
      const want = from + (to - from) / 4;
      assert.ok(Math.abs(dragged - want) < 0.02 * (to - from), `dragged to ${dragged}, want ${want}`);
    }));

  test("by a box: with its button and with Shift; x stays, a short one is none", () =>
    site.visit("?x=3", async (page) => {
      for (const how of ["button", "Shift"]) {
        if (how === "button") await use(page, gates, "boxZoom");
        else await page.keyboard.down("Shift");
        const { at, middle } = await plotOf(page, gates);
        await page.mouse.move(at(-2), middle);
        await page.mouse.down();
        await page.mouse.move(at(1), middle + 20, { steps: 4 });
        assert.ok(
          await page.$eval(`${gates} .zoom-box`, (box) => box.checkVisibility() && box.getBoundingClientRect().width > 50),
        );
        await page.mouse.up();
        assertRange(await rangeOf(page, gates), [-2, 1], how, 0.01);
        assert.equal(await xOf(page, gates), 1, "x control stands at the end that is nearest to x");
        assertNear(await readouts(page, gates), { normal_cdf: truth("normal_cdf", 3) }, "x itself");
        assert.ok(!(await page.$eval(`${gates} .zoom-box`, (box) => box.checkVisibility())));
        await use(page, gates, "wholeRange");
        // From right to left as well; and three pixels are a click.
        const again = await plotOf(page, gates);
        await drag(page, again.at(3.5), again.at(-3), again.middle);
        assertRange(await rangeOf(page, gates), [-3, 3.5], `${how}, leftwards`, 0.01);
        await use(page, gates, "wholeRange");
        await drag(page, again.at(0), again.at(0) + 3, again.middle);
        assertRange(await rangeOf(page, gates), [-4, 4], `${how}, three pixels`);
        if (how === "button") await use(page, gates, "boxZoom");
        else await page.keyboard.up("Shift");
      }
      const { at, middle } = await plotOf(page, gates);
      await drag(page, at(0), at(2), middle);
      assertRange(await rangeOf(page, gates), [-4, 4], "without box mode");
      assert.ok(Math.abs((await xOf(page, gates)) - 2) < 0.03, "a drag moves x again");
    }));

  test("a box drawn past the edge zooms to what it frames", () =>
    site.visit("?x=0", async (page) => {
      await use(page, gates, "boxZoom");
      const { at, right, middle } = await plotOf(page, gates);
      await drag(page, at(1), right + 60, middle);
      assertRange(await rangeOf(page, gates), [1, 4], "past the edge", 0.01);
    }));

  test("by the wheel with Ctrl, about the pointer; a plain wheel scrolls the page", () =>
    site.visit("?x=0", async (page) => {
      const { at, middle } = await plotOf(page, gates);
      const scrolled = () => page.evaluate(() => scrollY);
      const before = await scrolled();
      await page.mouse.move(at(2), middle);
      await page.keyboard.down("Control");
      await page.mouse.wheel({ deltaY: -300 });
      await settled(page);
      const [from, to] = await rangeOf(page, gates);
      assert.ok(to - from < 7.5 && to - from > 1, `${from} to ${to}`);
      // The value under the pointer keeps its place.
      assert.ok(Math.abs((2 - from) / (to - from) - 6 / 8) < 0.01, `${from} to ${to}`);
      await page.mouse.wheel({ deltaY: 600 });
      await settled(page);
      const wider = await rangeOf(page, gates);
      assert.ok(wider[1] - wider[0] > to - from, `${wider}`);
      await page.keyboard.up("Control");
      assert.equal(await scrolled(), before, "the page scrolled");
      assert.equal(await page.evaluate(() => visualViewport.scale), 1, "the page zoomed");
      await page.mouse.wheel({ deltaY: 200 });
      await page.waitForFunction((old) => scrollY > old + 100, { timeout: 3000 }, before);
      assert.deepEqual(await rangeOf(page, gates), wider);
      assert.equal(await xOf(page, gates), 0);
    }));

  test("by the keys + − 0 on the plot, and by no key elsewhere", () =>
    site.visit("?x=1", async (page) => {
      for (const [name, figure] of Object.entries(ALL)) {
        const whole = await rangeOf(page, figure);
        await pressOnPlot(page, figure, "+");
        const [from, to] = await rangeOf(page, figure);
        assertRange([from, to], [(whole[0] + 1) / 2, (whole[1] + 1) / 2], `${name}: +`);
        await pressOnPlot(page, figure, "-");
        assertRange(await rangeOf(page, figure), whole, `${name}: −`);
        await pressOnPlot(page, figure, "=", "=");
        assert.ok((await rangeOf(page, figure))[1] < to);
        await pressOnPlot(page, figure, "0");
        assert.deepEqual(await rangeOf(page, figure), whole, `${name}: 0`);
        await typeX(page, figure, "-0.5");
        assert.deepEqual(await rangeOf(page, figure), whole, `${name}: typed −0.5`);
        await typeX(page, figure, "1");
        // The browser's own zoom keeps its keys.
        await page.focus(`${figure} input[name="x"]`);
        await page.keyboard.down("Control");
        await page.keyboard.press("0");
        await page.keyboard.up("Control");
        assert.deepEqual(await rangeOf(page, figure), whole);
      }
      await page.focus(tool(gates, "reset"));
      await page.keyboard.press("+");
      assertRange(await rangeOf(page, gates), [-4, 4], "+ on a button");
    }));

  test("a double click shows the whole again, the right button does nothing", () =>
    site.visit("?x=1&from=-1&to=2", async (page) => {
      const { at, middle } = await plotOf(page, gates);
      await page.mouse.click(at(0.5), middle, { button: "right" });
      await page.keyboard.press("Escape");
      assert.equal(await xOf(page, gates), 1);
      await page.mouse.click(at(0.5), middle, { count: 2 });
      assertRange(await rangeOf(page, gates), [-4, 4], "double click");
    }));

  test("goes into the address, and a reload brings it back", () =>
    site.visit("?x=1", async (page) => {
      await use(page, errors, "zoomIn", "panRight");
      const range = await rangeOf(page, errors);
      const query = await addressSettled(page);
      const written = new URLSearchParams(query);
      assert.deepEqual([Number(written.get("from")), Number(written.get("to"))], range);
      await page.evaluate(() => document.activeElement?.blur());
      const before = await snapshot(page);
      await page.reload();
      await figuresReady(page);
      await settled(page);
      assert.deepEqual(await rangeOf(page, errors), range);
      assert.deepEqual(await snapshot(page), before);
      await use(page, errors, "wholeRange");
      assert.equal(await addressSettled(page), "?x=1");
    }));
});

describe("two fingers", needs("a CDP session"), () => {
  const phone = { width: 412, height: 800, touch: true };

  /** @param {Page} page @param {"touchStart" | "touchMove" | "touchEnd"} type @param {number[][]} points x, y and
   *  the finger; of an end, the fingers that are lifted, or none for all of them */
  async function touch(page, type, points) {
    page.touches ??= await page.createCDPSession();
    await page.touches.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: points.map(([x, y, id], i) => ({ x, y, id: id ?? i })),
    });
    await settled(page);
  }

  test("keep the values that they were put on; the one that stays moves nothing", () =>
    site.visit(
      "?x=0&from=-4&to=4",
      async (page) => {
        const { at, middle: y } = await plotOf(page, gates);
        const [a, b] = [at(-1), at(1)];
        await touch(page, "touchStart", [[a, y]]);
        await touch(page, "touchStart", [
          [a, y],
          [b, y + 20],
        ]);
        for (const by of [10, 30, (b - a) / 2]) {
          await touch(page, "touchMove", [
            [a - by, y],
            [b + by, y + 20],
          ]);
        }
        // Twice as far apart: half the range, about 0.
        assertRange(await rangeOf(page, gates), [-2, 2], "apart", 0.02);
        const x = await xOf(page, gates);
        await touch(page, "touchEnd", [[b + (b - a) / 2, y + 20, 1]]);
        await touch(page, "touchMove", [[a + 40, y, 0]]);
        assert.equal(await xOf(page, gates), x, "the finger that stays took x along");
        assertRange(await rangeOf(page, gates), [-2, 2], "after one is lifted", 0.02);
        await touch(page, "touchEnd", []);
        assert.equal(await page.evaluate(() => visualViewport.scale), 1, "the page zoomed");
        // Together again, and along: out, and panned.
        const now = await plotOf(page, gates);
        await touch(page, "touchStart", [[now.at(-1), y]]);
        await touch(page, "touchStart", [
          [now.at(-1), y],
          [now.at(1), y],
        ]);
        for (const share of [0.5, 1]) {
          await touch(page, "touchMove", [
            [now.at(-1 + share * 1), y],
            [now.at(1), y],
          ]);
        }
        // [−1, 1] now lies on the pixels of [0, 1].
        assertRange(await rangeOf(page, gates), [-5, 3], "together", 0.03);
        await touch(page, "touchEnd", []);
        // One finger moves x as before.
        const last = await plotOf(page, gates);
        await touch(page, "touchStart", [[last.at(1), y]]);
        await touch(page, "touchEnd", []);
        assert.ok(Math.abs((await xOf(page, gates)) - 1) < 0.1, `a tap on 1 set ${await xOf(page, gates)}`);
      },
      phone,
    ));

  test("do not take x along", () =>
    site.visit(
      "?x=0&from=-4&to=4",
      async (page) => {
        const { at, middle: y } = await plotOf(page, gates);
        await touch(page, "touchStart", [
          [at(-2), y],
          [at(2), y],
        ]);
        await touch(page, "touchMove", [
          [at(-3), y],
          [at(3), y],
        ]);
        await touch(page, "touchEnd", []);
        assert.equal(await xOf(page, gates), 0);
      },
      phone,
    ));

  test("in box mode are a pinch, and a swipe that scrolls is no box", () =>
    site.visit(
      "?x=0&from=-4&to=4",
      async (page) => {
        await page.$eval(`${gates} .more button`, (button) => button.click());
        await page.$eval(tool(gates, "zoom"), (button) => button.click());
        await page.$eval(tool(gates, "boxZoom"), (button) => button.click());
        const { at, middle: y } = await plotOf(page, gates);
        await touch(page, "touchStart", [[at(-1), y]]);
        await touch(page, "touchStart", [
          [at(-1), y],
          [at(1), y],
        ]);
        for (const far of [1.5, 2]) {
          await touch(page, "touchMove", [
            [at(-far), y],
            [at(far), y],
          ]);
        }
        await touch(page, "touchEnd", []);
        assertRange(await rangeOf(page, gates), [-2, 2], "pinch in box mode", 0.03);
        const before = await rangeOf(page, gates);
        const scrolled = await page.evaluate(() => scrollY);
        await touch(page, "touchStart", [[at(0), y]]);
        for (const by of [20, 60, 120, 180]) await touch(page, "touchMove", [[at(0) + by / 10, y - by]]);
        await touch(page, "touchEnd", []);
        assert.ok((await page.evaluate(() => scrollY)) > scrolled, "the page did not scroll");
        assert.deepEqual(await rangeOf(page, gates), before, "the swipe zoomed");
      },
      phone,
    ));
});

test("±0.001 and ±50 are smooth, with ticks that can be told apart", () =>
  site.visit(
    "?x=0.0005&fns=gelu,silu&errors.scale=linear&gates.view=gated",
    async (page) => {
      for (const half of [0.001, 50]) {
        await clickInput(page, `${playground} [data-control="window"] input[value="${half}"]`);
        await settled(page);
        for (const [name, figure] of Object.entries(ALL)) {
          assert.deepEqual(await rangeOf(page, figure), [-half, half], name);
          for (const [readout, value] of Object.entries(await readouts(page, figure)))
            assert.ok(Number.isFinite(value), `${name}: ${readout} is ${value}`);
          const { curves, ticks } = await drawnOf(page, figure);
          assert.ok(curves.length >= 1, name);
          assert.ok(ticks.length >= 3 && new Set(ticks).size === ticks.length, `${name} ±${half}: ticks ${ticks.join(" ")}`);
          for (const points of curves) {
            assert.ok(points.length > 200, `${name} ±${half}: ${points.length} points`);
            assert.ok(points.flat().every(Number.isFinite), name);
            if (half !== 0.001 || figure === errors) continue;
            // Near 0 every smooth function is almost its tangent: no step, no noise. ReLU alone has a corner.
            const bends = points.slice(2).map(([, y], i) => Math.abs(y - 2 * points[i + 1][1] + points[i][1]));
            assert.ok(bends.filter((bend) => bend > 0.35).length <= 1, `${name}: bends by ${Math.max(...bends)} px`);
          }
        }
      }
    },
    { before: catchFiles },
  ));

describe("CSV", () => {
  const NUMBERS = {
    gates: {
      figure: gates,
      query: "?x=1&gelu_sigmoid.k=1.5",
      head: ["x", "Φ(x)", "σ(1.5x)", "step"],
      values: (x) => [truth("normal_cdf", x), 1 / (1 + Math.exp(-1.5 * x)), x > 0 ? 1 : 0],
    },
    admission: {
      figure: admission,
      query: "?x=1",
      head: ["x", "φ(x)", "Φ(x)", "GELU"],
      values: (x) => [truth("normal_cdf", x, 1), truth("normal_cdf", x), truth("gelu", x)],
    },
    gradients: {
      figure: gradients,
      query: "?x=1&fns=gelu,tanh&gradients.order=2",
      head: ["x", "GELU″", "tanh″"],
      values: (x) => [truth("gelu", x, 2), truth("tanh", x, 2)],
    },
    errors: {
      figure: errors,
      query: "?x=1&from=-5&to=5",
      head: ["x", "GELU", "tanh form", "Absolute error, tanh form", "sigmoid form", "Absolute error, sigmoid form"],
      values(x) {
        const want = errorsAt(x);
        const [tanh, sigmoid] = [want["gelu_tanh.error"], want["gelu_sigmoid.error"]].map(Math.abs);
        return [want.gelu, want.gelu_tanh, tanh, want.gelu_sigmoid, sigmoid];
      },
    },
    "the hero": {
      figure: hero,
      query: "?x=1&fns=gelu,silu,elu&silu.beta=2&from=-1&to=2.5",
      head: ["x", "GELU", "SiLU", "ELU"],
      values: (x) => [truth("gelu", x), truth("silu", x, 0, 2), truth("elu", x)],
    },
  };

  for (const [name, { figure, query, head, values }] of Object.entries(NUMBERS)) {
    test(`of ${name}: a head, 401 rows, the right numbers in full`, () =>
      site.visit(
        query,
        async (page) => {
          const [from, to] = await rangeOf(page, figure);
          const { name: file, type, text } = await fileOf(page, figure, "csv");
          assert.match(file, /^gelu-\w+-\w+\.csv$/);
          assert.match(type, /^text\/csv/);
          assert.ok(text.startsWith("\ufeff"), "no mark for spreadsheets");
          assert.ok(text.endsWith("\r\n"));
          const [first, ...lines] = text.slice(1).trimEnd().split("\r\n");
          // A name with a comma stands in quotes.
          const names = (first.match(/"(?:[^"]|"")*"|[^,]+/g) ?? []).map((one) =>
            one.replace(/^"|"$/g, "").replaceAll('""', '"'),
          );
          assert.equal(names.length, head.length, first);
          for (const [i, want] of head.entries()) assert.ok(names[i] === want, `column ${i} is called ${names[i]}, want ${want}`);
          const rows = lines.map((line) => line.split(",").map(Number));
          assert.equal(rows[0][0], from);
          assert.equal(rows.at(-1)[0], to);
          for (const [i, [x, ...got]] of rows.entries()) {
            assert.ok(i === 0 || x > rows[i - 1][0], `row ${i}`);
            const wanted = values(x);
            assert.equal(got.length, wanted.length);
            for (const [k, value] of got.entries()) {
              // The oracle is good to 1e-10; of a difference only what is left of that.
              const tolerance = 1e-9 * Math.abs(wanted[k]) + (/error/.test(names[k + 1]) ? 1e-14 : 1e-16) + 2e-16;
              assert.ok(Math.abs(value - wanted[k]) <= tolerance, `${names[k + 1]} at ${x}: ${value}, want ${wanted[k]}`);
            }
          }
          assert.equal(rows.length, 401);
        },
        { before: catchFiles },
      ));
  }

  test("has its head in the reader's language and is saved under its name", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gelu-csv-"));
    try {
      const { page } = await openDownloading(folder);
      await page.goto(`${site.address}?lang=zh&x=1`);
      await page.waitForSelector(`${errors}[data-state="ready"]`);
      await page.click(tool(errors, "csv"));
      const { text } = await savedFile(folder, /^gelu-approximation-errors\.csv$/);
      assert.match(text.split("\r\n")[0], /[\u4e00-\u9fff]/);
      await page.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  async function openDownloading(folder) {
    const page = await site.browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await downloadTo(site.browser, folder);
    return { page };
  }
});

describe("pictures", () => {
  for (const theme of ["light", "dark"]) {
    test(`SVG, ${theme}: stands alone, with title, curves, note and link`, () =>
      site.visit(
        `?x=1&theme=${theme}&fns=gelu,relu,silu`,
        async (page) => {
          for (const [name, figure] of Object.entries(ALL)) {
            const { name: file, type, text } = await fileOf(page, figure, "svg");
            assert.match(file, /^gelu-\w+-\w+-en\.svg$/);
            assert.match(type, /svg/);
            const found = await page.evaluate(
              (source, selector) => {
                const svg = new DOMParser().parseFromString(source, "image/svg+xml");
                const all = [...svg.querySelectorAll("*")];
                const colours = all
                  .flatMap((element) => ["fill", "stroke"].map((key) => element.getAttribute(key)))
                  .filter(Boolean);
                const clip = svg.querySelector("[clip-path]").getAttribute("clip-path");
                return {
                  broken: svg.querySelector("parsererror")?.textContent ?? "",
                  title: svg.querySelector("title").textContent,
                  wanted: document.querySelector(selector).querySelector('.fig-title [lang="en"]')?.textContent,
                  classes: all.filter((element) => ["class", "style"].some((key) => element.hasAttribute(key))).length,
                  sheets: svg.querySelectorAll("style, link, script, image, foreignObject").length,
                  colours: [...new Set(colours)],
                  curves: [...svg.querySelectorAll("g[clip-path] path")].map((path) => path.getAttribute("stroke")),
                  texts: [...svg.querySelectorAll("text")].map((element) => [element.textContent, element.getAttribute("fill")]),
                  clipped: svg.getElementById(clip.slice(5, -1)) !== null,
                  address: location.origin,
                };
              },
              text,
              figure,
            );
            assert.equal(found.broken, "", name);
            // On the page what is drawn and on which scale follows the title.
            const title = found.title.replace(/ \((.+)\)$/, "$1");
            if (found.wanted !== undefined) assert.ok(found.wanted.startsWith(title), `${name}: ${found.title}`);
            assert.ok(found.title.length > 3, name);
            assert.equal(found.classes + found.sheets, 0, `${name} needs a style sheet`);
            assert.doesNotMatch(text, /var\(|currentColor|NaN|undefined|url\((?!#)/);
            for (const colour of found.colours)
              assert.match(colour, /^(none|#[0-9a-f]{3,8}|rgba?\([^)]*\))$/i, `${name}: ${colour}`);
            const most = { gates: 3, admission: 1, errors: 2, playground: 4 }[name] ?? 3;
            assert.equal(new Set(found.curves).size, most, `${name}: ${found.curves}`);
            assert.ok(found.clipped, name);
            assert.ok(
              found.texts.every(([, fill]) => fill),
              name,
            );
            assert.ok(
              found.texts.some(
                ([content]) => content.startsWith(`${found.address}/?`) && content.includes("x=1") && content.includes("#"),
              ),
              `${name}: no link among ${found.texts.map(([content]) => content).join(" | ")}`,
            );
          }
        },
        { before: catchFiles },
      ));

    test(`PNG, ${theme}: twice the pixels, on the page's ground, with the curves`, () =>
      site.visit(
        `?x=1&theme=${theme}`,
        async (page) => {
          for (const [name, figure] of Object.entries(ALL)) {
            const { text: svg } = await fileOf(page, figure, "svg");
            const [width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(svg).slice(1).map(Number);
            const { name: file, type, size } = await fileOf(page, figure, "png");
            assert.match(file, /^gelu-\w+-\w+-en\.png$/);
            assert.equal(type, "image/png");
            assert.ok(size > 5000, `${name}: ${size} bytes`);
            const picture = await page.evaluate(async (selector) => {
              const bitmap = await createImageBitmap(window.files[0].blob);
              const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
              const drawing = canvas.getContext("2d");
              drawing.drawImage(bitmap, 0, 0);
              const { data } = drawing.getImageData(0, 0, bitmap.width, bitmap.height);
              const counts = new Map();
              for (let i = 0; i < data.length; i += 4) {
                const colour = `rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`;
                counts.set(colour, (counts.get(colour) ?? 0) + 1);
              }
              const probe = document.createElement("i");
              document.body.append(probe);
              const resolved = (name) => {
                probe.style.color = `var(${name})`;
                return getComputedStyle(probe).color;
              };
              const fn = document.querySelector(selector).dataset.figure === "admission" ? "--ink" : "--fn-gelu-sigmoid";
              const named = {
                ground: resolved("--paper"),
                curve: resolved(
                  document.querySelector(selector).dataset.figure === "curves" ||
                    document.querySelector(selector).dataset.figure === "gradients"
                    ? "--fn-gelu"
                    : fn,
                ),
              };
              probe.remove();
              return {
                size: [bitmap.width, bitmap.height],
                colours: counts.size,
                corner: `rgb(${data[0]}, ${data[1]}, ${data[2]})`,
                ground: named.ground,
                curve: counts.get(named.curve) ?? 0,
              };
            }, figure);
            assert.deepEqual(picture.size, [Math.floor(2 * width), Math.floor(2 * height)], name);
            assert.ok(picture.colours > 50, `${name}: ${picture.colours} colours`);
            assert.equal(picture.corner, picture.ground, name);
            assert.ok(picture.curve > 300, `${name}: ${picture.curve} pixels of the curve`);
          }
        },
        { before: catchFiles },
      ));
  }
});

describe("copy link", () => {
  test("puts the state and the place on the clipboard, and says so", () =>
    site.visit("?x=1.25&gelu_sigmoid.k=2&from=-2&to=3", async (page) => {
      const context = site.browser.defaultBrowserContext();
      await context.overridePermissions(site.address, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
      await page.bringToFront();
      await page.click(tool(gates, "copyLink"));
      await page.waitForFunction(
        (selector) => document.querySelector(selector).textContent.includes("Copied"),
        { timeout: 2000 },
        tool(gates, "copyLink"),
      );
      const link = await page.evaluate(() => navigator.clipboard.readText());
      const { origin, search, hash } = new URL(link);
      assert.equal(`${origin}/`, site.address);
      assert.equal(hash, "#sigmoid-gates");
      const given = Object.fromEntries(new URLSearchParams(search));
      assert.deepEqual(given, { x: "1.25", from: "-2", to: "3", "gelu_sigmoid.k": "2" });
      const before = await readouts(page, gates);
      await page.goto(link);
      await page.waitForSelector(`${gates}[data-state="ready"]`);
      assert.deepEqual(await readouts(page, gates), before);
      assert.deepEqual(await rangeOf(page, gates), [-2, 3]);
      await context.clearPermissionOverrides();
    }));

  test("where that is refused shows it selected, until the reader goes on", () =>
    site.visit(
      "?x=1.25",
      async (page) => {
        await page.click(tool(gates, "copyLink"));
        await page.waitForSelector(`${gates} .copy-by-hand`, { timeout: 2000 });
        const field = await page.evaluate(() => {
          const { activeElement: input } = document;
          return {
            value: input.value,
            selected: input.value.slice(input.selectionStart, input.selectionEnd),
            readOnly: input.readOnly,
            name: input.getAttribute("aria-label"),
          };
        });
        assert.equal(field.value, `${site.address}?x=1.25#sigmoid-gates`);
        assert.equal(field.selected, field.value);
        assert.ok(field.readOnly && field.name);
        assert.ok(!(await page.$eval(tool(gates, "copyLink"), (button) => button.textContent.includes("Copied"))));
        await page.click(tool(gates, "copyLink"));
        await settled(page);
        assert.equal((await page.$$(".copy-by-hand")).length, 1);
        await page.focus(`${gates} input[name="x"]`);
        assert.equal((await page.$$(".copy-by-hand")).length, 0);
      },
      {
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            navigator.clipboard.writeText = () => Promise.reject(new DOMException("not here", "NotAllowedError"));
          }),
      },
    ));

  test("pressed twice says what it is called again", () =>
    site.visit("?x=1", async (page) => {
      const context = site.browser.defaultBrowserContext();
      await context.overridePermissions(site.address, ["clipboard-read", "clipboard-write", "clipboard-sanitized-write"]);
      await page.bringToFront();
      const text = () => page.$eval(tool(gates, "copyLink"), (button) => button.querySelector('[lang="en"]').textContent);
      const before = await text();
      await page.click(tool(gates, "copyLink"));
      await new Promise((resolve) => setTimeout(resolve, 600));
      await page.click(tool(gates, "copyLink"));
      await new Promise((resolve) => setTimeout(resolve, 4500));
      assert.equal(await text(), before);
      await context.clearPermissionOverrides();
    }));
});

test("inputs from N(0, 1): each function's mean in the plot, the readouts, the table, the files; one x again after a reset", () =>
  site.visit(
    "?x=-1&fns=gelu,relu",
    async (page) => {
      const relu = '#relu figure[data-figure="curves"]';
      const means = { "mean.gelu": 1 / (2 * Math.sqrt(Math.PI)), "mean.relu": 1 / Math.sqrt(2 * Math.PI) };
      const input = (/** @type {string} */ value) => `${relu} [data-control="curves.input"] input[value="${value}"]`;
      assert.equal((await readouts(page, relu))["mean.gelu"], undefined);
      await clickInput(page, input("normal"));
      assert.match(await addressSettled(page), /curves\.input=normal/);
      assertNear(await readouts(page, relu), { gelu: truth("gelu", -1), ...means }, "one function beside the other");
      assertNear(await readouts(page, playground), means, "the playground");
      assert.equal((await readouts(page, hero))["mean.gelu"], undefined);
      const [head, first] = (await fileOf(page, relu, "csv")).text.slice(1).split("\r\n");
      assert.equal(head, "x,GELU,ReLU,mean of GELU,mean of ReLU,φ(x)");
      const [x, , , gelu, ofRelu, density] = first.split(",").map(Number);
      const close = (/** @type {number} */ got, /** @type {number} */ want) => assert.ok(Math.abs(got / want - 1) < 1e-12);
      close(gelu, means["mean.gelu"]);
      close(ofRelu, means["mean.relu"]);
      close(density, Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI));
      const { text } = await fileOf(page, relu, "svg");
      for (const name of ["mean 0.2821", "mean 0.3989", "N(0, 1)"]) assert.ok(text.includes(`>${name}<`), name);
      await page.click(tool(relu, "reset"));
      assert.ok(await page.$eval(input("one"), (radio) => radio.checked));
      assert.equal((await readouts(page, relu))["mean.gelu"], undefined);
    },
    { before: catchFiles },
  ));

describe("the toolbar", () => {
  test("full screen: the figure fills it, and is left again", () =>
    site.visit("?x=1", async (page) => {
      for (const figure of [gates, hero, admission]) {
        await page.bringToFront();
        await page.click(tool(figure, "fullScreen"));
        await page.waitForFunction(
          (selector) => document.fullscreenElement === document.querySelector(selector),
          { timeout: 3000 },
          figure,
        );
        await settled(page);
        const { box, screen, canvas, plot } = await page.$eval(figure, (root) => ({
          box: root.getBoundingClientRect().toJSON(),
          screen: [innerWidth, innerHeight],
          canvas: root.querySelector("canvas").getBoundingClientRect().toJSON(),
          plot: root.querySelector(".plot").getBoundingClientRect().toJSON(),
        }));
        assert.deepEqual([box.left, box.top, box.width, box.height], [0, 0, ...screen]);
        assert.ok(
          canvas.width > 0.5 * screen[0] && canvas.height > 0.5 * screen[1],
          `${figure}: canvas ${canvas.width} × ${canvas.height}`,
        );
        assert.ok(
          Math.abs(canvas.width - plot.width) < 1 && Math.abs(canvas.height - plot.height) < 1,
          "the canvas kept its size",
        );
        await page.click(tool(figure, "fullScreen"));
        await page.waitForFunction(() => document.fullscreenElement === null, { timeout: 3000 });
        await settled(page);
      }
    }));

  test("every button works by the keyboard", () =>
    site.visit(
      "?x=1",
      async (page) => {
        const press = async (name, key = "Enter") => {
          await page.focus(tool(gates, name));
          await page.keyboard.press(key);
          await settled(page);
        };
        const visible = (selector) => page.$eval(`${gates} ${selector}`, (element) => element.checkVisibility());
        const names = await page.$$eval(`${gates} [data-tool]`, (buttons) => buttons.map((button) => button.dataset.tool));
        assert.deepEqual([...names].sort(), [
          "boxZoom",
          "copyLink",
          "csv",
          "dataTable",
          "embed",
          "fullScreen",
          "panLeft",
          "panRight",
          "png",
          "reset",
          "svg",
          "wholeRange",
          "zoom",
          "zoomIn",
          "zoomOut",
        ]);
        await press("dataTable");
        assert.ok(await visible(".fig-table"));
        await press("dataTable", " ");
        assert.ok(!(await visible(".fig-table")));
        for (const name of ["csv", "svg", "png"]) {
          await page.evaluate(() => {
            window.files.length = 0;
          });
          await press(name);
          await page.waitForFunction((end) => window.files[0]?.name.endsWith(end), { timeout: 3000 }, `.${name}`);
        }
        assert.ok(!(await visible('[data-tool="zoomIn"]')));
        await press("zoom");
        assert.ok(await visible('[data-tool="zoomIn"]'));
        assert.equal(await page.$eval(tool(gates, "zoom"), (button) => button.getAttribute("aria-pressed")), "true");
        for (const [name, want] of [
          ["zoomIn", [-1.5, 2.5]],
          ["panLeft", [-2.5, 1.5]],
          ["panRight", [-1.5, 2.5]],
          ["zoomOut", [-4, 4]],
          ["zoomIn", [-1.5, 2.5]],
          ["wholeRange", [-4, 4]],
        ]) {
          await press(name, " ");
          assertRange(await rangeOf(page, gates), want, name);
        }
        await press("boxZoom");
        assert.equal(await page.$eval(tool(gates, "boxZoom"), (button) => button.getAttribute("aria-pressed")), "true");
        await press("boxZoom");
        await press("copyLink");
        await pressX(page, gates, "ArrowRight");
        await press("reset");
        assert.equal(await xOf(page, gates), -1);
        await page.bringToFront();
        await press("fullScreen");
        await page.waitForFunction(() => document.fullscreenElement !== null, { timeout: 3000 });
        await press("fullScreen");
        await page.waitForFunction(() => document.fullscreenElement === null, { timeout: 3000 });
      },
      { before: catchFiles },
    ));

  test("on a phone “more” opens the rest, in place, and closes it", () =>
    site.visit(
      "?x=1",
      async (page) => {
        const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, visualViewport.width]);
        const [wide, screen] = await widths();
        assert.ok(wide <= screen, `the page is ${wide} px wide on a screen of ${screen}: taps miss`);
        for (const [name, figure] of Object.entries(ALL)) {
          await page.$eval(figure, (root) =>
            root.querySelector(".toolbars").scrollIntoView({ block: "center", behavior: "instant" }),
          );
          const shown = () =>
            page.$$eval(`${figure} .tools:has(.more) [data-tool]`, (buttons) =>
              buttons.filter((button) => button.checkVisibility()).map((button) => button.dataset.tool),
            );
          assert.deepEqual(await shown(), ["dataTable", "fullScreen", "reset"], name);
          // A tap is a click only once the engine knows that it is no double tap.
          const tap = async (selector, done) => {
            await page.tap(selector);
            await page.waitForFunction(done, { timeout: 3000 }, selector);
          };
          const more = `${figure} .more button`;
          await tap(more, (selector) => document.querySelector(selector).getAttribute("aria-expanded") === "true");
          assert.deepEqual(
            [...(await shown())].sort(),
            ["copyLink", "csv", "dataTable", "embed", "fullScreen", "png", "reset", "svg", "zoom"],
            name,
          );
          await tap(tool(figure, "zoom"), (selector) => document.querySelector(selector).ariaPressed === "true");
          const whole = await rangeOf(page, figure);
          await page.tap(tool(figure, "zoomIn"));
          await page.waitForFunction(
            (selector, old) => Number(document.querySelector(selector).max) < old,
            { timeout: 3000 },
            `${figure} input[name="x"]`,
            whole[1],
          );
          await page.tap(tool(figure, "wholeRange"));
          await page.waitForFunction(
            (selector, old) => Number(document.querySelector(selector).max) === old,
            { timeout: 3000 },
            `${figure} input[name="x"]`,
            whole[1],
          );
          assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${name}: wider than the phone`,
          );
          const low = await page.$$eval(
            `${figure} .tool`,
            (buttons) =>
              buttons.filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 44).length,
          );
          assert.equal(low, 0, `${name}: buttons too low for a finger`);
          await tap(more, (selector) => document.querySelector(selector).getAttribute("aria-expanded") === "false");
          assert.equal((await shown()).length, 3, name);
        }
      },
      { width: 360, height: 780, touch: true },
    ));
});
