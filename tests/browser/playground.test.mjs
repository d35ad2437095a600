/** The full figure `curves` in a browser: several orders, presets, the difference of two functions, and what is saved of them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findings } from "./axe.mjs";
import { figuresReady, settled } from "./browser.mjs";
import { catchFiles, fileOf } from "./files.mjs";
import { truth } from "./oracle.mjs";
import { assertNear, clickInput, FIGURES, pressX, readouts, setSlider, snapshot } from "./reading.mjs";
import { addressSettled, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite(["relu", "playground"]);
const { playground } = FIGURES;
const ALL = "gelu,gelu_tanh,gelu_sigmoid,relu,sigmoid,tanh,silu,softplus,elu,leaky_relu,mish,normal_cdf";

const order = (/** @type {number} */ n) => `${playground} [data-control="curves.orders"] input[value="${n}"]`;
const select = (/** @type {"a" | "b"} */ which) => `${playground} select[name="curves.${which}"]`;
const preset = (/** @type {number} */ i) => `${playground} .presets input[value="${i}"]`;
const isChecked = (page, selector) => page.$eval(selector, (input) => input.checked);
const heightOf = (page) => page.$eval(`${playground} canvas`, (canvas) => canvas.getBoundingClientRect().height);
const choose = async (page, selector, value) => {
  await page.select(selector, value);
  await settled(page);
};
const said = (page) => page.$eval('#playground [role="status"]', (line) => line.textContent);

/** The presets that are marked as shown. */
const shownPresets = (page) =>
  page.$$eval(`${playground} .presets input`, (inputs) => inputs.filter((input) => input.checked).map(({ value }) => value));

/** Values, derivatives and differences at x, as an independent program has them. */
function expected(x, { fns = ["gelu", "relu", "sigmoid"], orders = [0], a = "gelu", b = "relu" } = {}) {
  const name = (text, n) => (orders.length > 1 && n > 0 ? `${text}.${n}` : text);
  return Object.fromEntries(
    orders.flatMap((n) => [
      ...fns.map((fn) => [name(fn, n), truth(fn, x, n)]),
      [name("difference", n), truth(a, x, n) - truth(b, x, n)],
    ]),
  );
}

/** What a tool of the figure saves, as text; on a phone the tool is behind a word. */
const saved = async (/** @type {Page} */ page, /** @type {string} */ tool) => {
  const press = (/** @type {string} */ selector) => page.$eval(selector, (button) => button.click());
  return (await fileOf(page, playground, tool, press)).text;
};

/** The plots of a drawing: where each is, how many curves it has; and all that is written in it. */
const plotsIn = (/** @type {Page} */ page, /** @type {string} */ source) =>
  page.evaluate((text) => {
    const svg = new DOMParser().parseFromString(text, "image/svg+xml");
    const number = (element, name) => Number(element.getAttribute(name));
    return {
      height: number(svg.documentElement, "height"),
      plots: [...svg.querySelectorAll("clipPath")].map((clip) => {
        const rect = clip.firstElementChild;
        return {
          top: number(rect, "y"),
          bottom: number(rect, "y") + number(rect, "height"),
          left: number(rect, "x"),
          right: number(rect, "x") + number(rect, "width"),
          curves: svg.querySelectorAll(`g[clip-path="url(#${clip.id})"] path`).length,
        };
      }),
      texts: [...svg.querySelectorAll("text")].map((one) => ({
        text: one.textContent.replaceAll("\u00a0", " "),
        x: number(one, "x"),
        y: number(one, "y"),
        weight: one.getAttribute("font-weight"),
      })),
    };
  }, source);

describe("several orders", () => {
  test("by mouse: a plot for each, their numbers, the address, and a reload brings them back", () =>
    site.visit("?x=-0.5", async (page) => {
      const alone = await heightOf(page);
      assertNear(await readouts(page, playground), expected(-0.5), "at first");
      await clickInput(page, order(1));
      await settled(page);
      assert.ok((await heightOf(page)) > alone + 50, "no room for another plot");
      assertNear(await readouts(page, playground), expected(-0.5, { orders: [0, 1] }), "value and slope");
      assert.equal(await addressSettled(page), "?x=-0.5&curves.orders=0,1");
      await clickInput(page, order(2));
      await clickInput(page, order(0));
      const got = await readouts(page, playground);
      assertNear(got, expected(-0.5, { orders: [1, 2] }), "both derivatives");
      assert.ok(!("gelu" in got));
      assert.equal(await addressSettled(page), "?x=-0.5&curves.orders=1,2");
      const before = await snapshot(page);
      await page.reload();
      await figuresReady(page);
      assert.deepEqual(await snapshot(page), before);
      // The page's own order is that of the other figures.
      assertNear(await readouts(page, '#relu figure[data-figure="curves"]'), { gelu: truth("gelu", -0.5) }, "the other figure");
    }));

  test("by keyboard; the last one stays, and the page says so", () =>
    site.visit("?x=1", async (page) => {
      await page.focus(order(0));
      await page.keyboard.press(" ");
      assert.equal(await isChecked(page, order(0)), true);
      await page.waitForFunction(() => /has to stay/.test(document.querySelector('#playground [role="status"]').textContent), {
        timeout: 3000,
      });
      assert.equal(await addressSettled(page), "?x=1");
      await page.keyboard.press("Tab");
      await page.keyboard.press(" ");
      assertNear(await readouts(page, playground), expected(1, { orders: [0, 1] }), "by Space");
      await pressX(page, playground, "ArrowLeft", "Shift+ArrowLeft");
      assertNear(await readouts(page, playground), expected(0.89, { orders: [0, 1] }), "x by keys");
    }));

  test("the page's order is shown where the figure has none of its own, and a single one is taken back to it", () =>
    site.visit("?order=1&x=2", async (page) => {
      assertNear(await readouts(page, playground), expected(2, { orders: [1] }), "by link");
      await clickInput(page, order(0));
      await clickInput(page, order(0));
      assert.equal(await addressSettled(page), "?order=1&x=2");
      await page.click(`${playground} [data-tool="reset"]`);
      assertNear(await readouts(page, playground), expected(-1), "after a reset");
      assert.equal(await addressSettled(page), "");
    }));

  test("the curves of each are on the canvas, and the cursor goes through all", () =>
    site.visit("?x=0.8&curves.orders=0,1&curves.b=none&fns=gelu&theme=light", async (page) => {
      await page.$eval(`${playground} canvas`, (canvas) => canvas.scrollIntoView());
      await settled(page);
      const { red, line, height } = await page.$eval(`${playground} canvas`, (canvas) => {
        const { width, height } = canvas;
        const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
        const probe = document.createElement("i");
        probe.style.color = "var(--fn-gelu)";
        document.body.append(probe);
        const [r, g, b] = getComputedStyle(probe).color.match(/\d+/g).map(Number);
        probe.remove();
        const rows = new Set();
        const dark = Array.from({ length: width }, () => 0);
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const i = 4 * (y * width + x);
            if (data[i] === r && data[i + 1] === g && data[i + 2] === b && x < 0.85 * width) rows.add(y);
            if (data[i] + data[i + 1] + data[i + 2] < 150) dark[x] += 1;
          }
        }
        return { red: [...rows], line: Math.max(...dark), height };
      });
      assert.ok(red.filter((y) => y < height / 2).length > 60, "no curve in the upper plot");
      assert.ok(red.filter((y) => y > height / 2).length > 60, "no curve in the lower plot");
      assert.ok(line > 0.8 * (height - 44), `the longest vertical line has ${line} of ${height} px`);
    }));
});

describe("the difference of two functions", () => {
  test("is there before anything is touched, and follows x and both choices", () =>
    site.visit("", async (page) => {
      const lowest = 0.7517915246935645;
      const first = await readouts(page, playground);
      assertNear(first, { ...expected(-1), largest: -truth("gelu", -lowest) }, "at first");
      assert.ok(Math.abs(first["largest.at"] - lowest) < 1e-9);
      await choose(page, select("a"), "gelu_sigmoid");
      await choose(page, select("b"), "gelu");
      const second = await readouts(page, playground);
      assertNear(second, expected(-1, { a: "gelu_sigmoid", b: "gelu" }), "the sigmoid form");
      assert.ok(Math.abs(second.largest - 0.0203) < 5e-5, `${second.largest}`);
      assert.equal(await addressSettled(page), "?curves.a=gelu_sigmoid&curves.b=gelu");
      await page.reload();
      await figuresReady(page);
      assert.deepEqual(await readouts(page, playground), second);
    }));

  test("has the parameters of both, drawn or not", () =>
    site.visit("?curves.a=gelu_sigmoid&curves.b=gelu&x=2", async (page) => {
      const k = await setSlider(page, `${playground} input[name="gelu_sigmoid.k"]`, 1.4);
      const difference = truth("gelu_sigmoid", 2, 0, k) - truth("gelu", 2);
      assertNear(await readouts(page, playground), { difference }, `k = ${k}`);
    }));

  test("of a function and itself is nothing, in words; and there may be none", () =>
    site.visit("?curves.a=mish&curves.b=mish", async (page) => {
      const { difference, largest, ...rest } = await readouts(page, playground);
      assert.deepEqual([difference, largest, "largest.at" in rest], [0, 0, false]);
      assert.match(await page.$eval(`${playground} .read`, (table) => table.textContent), /equal everywhere in view/);
      const before = await heightOf(page);
      await choose(page, select("b"), "none");
      assert.deepEqual(Object.keys(await readouts(page, playground)), ["gelu", "relu", "sigmoid", "sigmoid.k"]);
      assert.ok((await heightOf(page)) < before);
    }));

  test("its choices are in the page's language", () =>
    site.visit("?lang=zh", async (page) => {
      const options = () => page.$$eval(`${select("b")} option`, (all) => all.map((option) => option.textContent));
      assert.ok((await options()).includes("（不比较）"));
      await clickInput(page, '.switches input[name="lang"][value="en"]');
      assert.ok((await options()).includes("(no comparison)"));
    }));
});

describe("presets", () => {
  test("one click sets ordinary keys, another brings back the start, and what is moved is no preset", () =>
    site.visit("", async (page) => {
      assert.deepEqual(await shownPresets(page), ["0"]);
      const count = (await page.$$(`${playground} .presets input`)).length;
      assert.ok(count >= 5, `${count} presets`);
      const seen = new Set();
      for (let i = 1; i < count; i++) {
        await clickInput(page, preset(i));
        assert.deepEqual(await shownPresets(page), [String(i)]);
        const query = await addressSettled(page);
        assert.doesNotMatch(query, /preset/);
        seen.add(query);
        const numbers = await readouts(page, playground);
        await page.reload();
        await figuresReady(page);
        assert.deepEqual(await readouts(page, playground), numbers, query);
        assert.deepEqual(await shownPresets(page), [String(i)], query);
      }
      assert.equal(seen.size, count - 1);
      // To look around is still to look at it; to change what is drawn is not.
      await pressX(page, playground, "ArrowRight");
      assert.equal((await shownPresets(page)).length, 1);
      await clickInput(page, order(2));
      assert.deepEqual(await shownPresets(page), []);
      await clickInput(page, preset(0));
      assertNear(await readouts(page, playground), expected(-1), "the start");
      assert.equal(await addressSettled(page), "");
    }));

  test("by keyboard: arrows go from one to the next", () =>
    site.visit("", async (page) => {
      await page.focus(preset(0));
      await page.keyboard.press("ArrowRight");
      await settled(page);
      assert.deepEqual(await shownPresets(page), ["1"]);
      const { largest, "largest.1": slope } = await readouts(page, playground);
      assert.ok(Math.abs(largest - 0.0203) < 5e-5 && Math.abs(slope - 0.0291) < 5e-5, `${largest} ${slope}`);
    }));
});

describe("what is saved", () => {
  const QUERY = "x=1&fns=gelu,silu&curves.orders=0,1&curves.b=silu&from=-3&to=3";

  test("CSV: a column for each line of each plot, to full precision", () =>
    site.visit(
      `?${QUERY}`,
      async (page) => {
        const [head, ...rows] = (await saved(page, "csv"))
          .replace("\ufeff", "")
          .trim()
          .split("\r\n")
          .map((row) => row.split(","));
        const names = head.map((name) => name.replaceAll("\u00a0", " "));
        assert.deepEqual(names, ["x", "GELU", "SiLU", "GELU − SiLU", "GELU′", "SiLU′", "GELU′ − SiLU′"]);
        assert.equal(rows.length, 401);
        for (const row of rows) {
          const [x, ...got] = row.map(Number);
          const want = [0, 1].flatMap((n) => [
            truth("gelu", x, n),
            truth("silu", x, n),
            truth("gelu", x, n) - truth("silu", x, n),
          ]);
          got.forEach((value, i) => {
            assert.ok(Math.abs(value - want[i]) < 1e-9, `${names[i + 1]} at ${x}: ${value}, want ${want[i]}`);
          });
        }
        await page.click(`${playground} [data-tool="dataTable"]`);
        const columns = await page.$$eval(`${playground} .fig-table thead th`, (cells) => cells.map((cell) => cell.textContent));
        assert.deepEqual(
          columns.map((name) => name.replaceAll("\u00a0", " ")),
          names,
        );
      },
      { before: catchFiles },
    ));

  test("SVG and PNG: every plot, with its name and the address", () =>
    site.visit(
      `?${QUERY}`,
      async (page) => {
        const { height, plots, texts } = await plotsIn(page, await saved(page, "svg"));
        assert.deepEqual(
          plots.map(({ curves }) => curves),
          [2, 1, 2, 1],
        );
        for (const [i, { top, left, right }] of plots.entries()) {
          assert.ok(i === 0 || top > plots[i - 1].bottom, "plots on each other");
          assert.deepEqual([left, right], [plots[0].left, plots[0].right]);
        }
        const words = texts.map(({ text }) => text);
        for (const name of ["Value", "First derivative", "GELU − SiLU", "GELU′ − SiLU′", "GELU", "SiLU′"])
          assert.ok(words.includes(name), `${name} is not among ${words.join(" | ")}`);
        assert.ok(words.some((text) => text.includes("curves.orders=0,1") && text.includes("#playground-curves")));
        assert.ok(words.some((text) => text.includes("(Value, first derivative)")));
        await saved(page, "png");
        const size = await page.evaluate(async () => {
          const { width, height } = await createImageBitmap(window.files[0].blob);
          return [width, height];
        });
        assert.ok(Math.abs(size[1] - 2 * height) <= 2, `${size} for ${height}`);
      },
      { before: catchFiles },
    ));

  test("paper: every plot", () =>
    site.visit(`?${QUERY}`, async (page) => {
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      const clips = await page.$$eval(`${playground} .picture-wide g[clip-path]`, (groups) =>
        groups.map((group) => group.querySelectorAll(".curve").length),
      );
      assert.deepEqual(clips, [2, 1, 2, 1]);
      const ids = await page.$$eval("[id]", (all) => all.map(({ id }) => id));
      assert.equal(new Set(ids).size, ids.length, "an id twice");
    }));
});

describe("on a phone", () => {
  for (const language of ["zh", "en"]) {
    test(`${language}: twelve functions at all orders fit, with names that do not lie on each other`, () =>
      site.visit(
        `?lang=${language}&fns=${ALL}&curves.orders=0,1,2&from=-4&to=4`,
        async (page) => {
          const { scroll, inner } = await page.evaluate(() => ({
            scroll: document.documentElement.scrollWidth,
            inner: innerWidth,
          }));
          assert.ok(scroll <= inner, `${scroll} px in ${inner}`);
          const { plots, texts } = await plotsIn(page, await saved(page, "svg"));
          assert.equal(plots.length, 6);
          for (const { top, bottom, right, curves } of plots.filter((plot) => plot.curves > 3)) {
            assert.ok(curves >= 12);
            const names = texts.filter(({ x, y, weight }) => weight === "600" && x > right && y > top - 10 && y < bottom + 10);
            assert.equal(names.length, 12);
            const heights = names.map(({ y }) => y).sort((one, other) => one - other);
            for (const [i, y] of heights.entries()) assert.ok(i === 0 || y - heights[i - 1] >= 15, `${heights}`);
          }
          const small = await page.$$eval(
            `${playground} :is(.presets label, [data-control="curves.orders"] label, select)`,
            (targets) => targets.map((target) => target.getBoundingClientRect().height).filter((height) => height < 43.5),
          );
          assert.deepEqual(small, []);
        },
        { width: 360, height: 800, touch: true, before: catchFiles },
      ));
  }
});

for (const [language, width, dark] of /** @type {[string, number, boolean][]} */ ([
  ["en", 1280, false],
  ["zh", 360, true],
])) {
  test(`axe finds nothing: ${language}, ${width} px, ${dark ? "dark" : "light"}`, () =>
    site.visit(
      `?lang=${language}&curves.orders=0,1,2&fns=gelu,silu,elu`,
      async (page) => {
        await page.click(`${playground} [data-tool="dataTable"]`);
        assert.deepEqual(await findings(page, ["#playground"]), []);
        assert.notEqual(await said(page), null);
      },
      { width, dark, touch: width < 720 },
    ));
}
