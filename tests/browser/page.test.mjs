/** The page under the strict policy, at the root and under a path: it draws, computes, listens and remembers. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readVectors } from "../node/vectors.mjs";
import { figuresReady, launch, needs, openPage, serveSite, settled } from "./browser.mjs";
import { truth } from "./oracle.mjs";
import {
  assertAllAt,
  assertNear,
  clickInput,
  EXPECTED,
  errorsAt,
  FIGURES,
  plotGeometry,
  pressX,
  readouts,
  setSlider,
  snapshot,
  typeX,
  xOf,
} from "./reading.mjs";
import { keepOnly } from "./visit.mjs";

/** @type {import("puppeteer-core").Browser} */
let browser;
/** @type {{ address: string, close(): Promise<void> }} */
let site;
/** @type {{ address: string, close(): Promise<void> }} */
let below;

before(async () => {
  browser = await launch();
  site = await serveSite();
  below = await serveSite({ prefix: "/a/b/" });
});

after(async () => {
  await browser?.close();
  await site?.close();
  await below?.close();
});

/** The sections of FIGURES, which most tests look at. */
const PART = ["hero", "gradient", "approximation", "playground"];
/** @type {string[]} */
const WHOLE = [];

/**
 * Opens the page, uses it, and accepts no complaint and no foreign request.
 * @param {string} path
 * @param {(page: import("puppeteer-core").Page) => Promise<void>} use
 * @param {Parameters<typeof openPage>[1] & { at?: string, sections?: string[] }} [options]
 */
async function withPage(path, use, { at = site.address, sections = PART, ...options } = {}) {
  const { page, complaints, requests } = await openPage(browser, { language: "en", ...options });
  try {
    if (sections !== WHOLE) await page.evaluateOnNewDocument(keepOnly, sections);
    await page.goto(at + path);
    await figuresReady(page);
    await use(page);
    assert.deepEqual(complaints, []);
    const foreign = requests.filter((url) => !url.startsWith(at) && !/^(data|blob):/.test(url));
    assert.deepEqual(foreign, []);
  } finally {
    await page.close();
  }
}

const query = (/** @type {import("puppeteer-core").Page} */ page) => page.evaluate(() => location.search);

/** The address once it holds what is wanted, or a second later. */
async function queryHolding(page, part) {
  await page.waitForFunction((text) => location.search.includes(text), { timeout: 1000 }, part).catch(() => {});
  return query(page);
}

test("the independent values agree with the reference vectors", () => {
  for (const id of [
    "gelu",
    "gelu_tanh",
    "gelu_sigmoid",
    "relu",
    "sigmoid",
    "silu",
    "elu",
    "leaky_relu",
    "normal_cdf",
    "softplus",
    "mish",
  ]) {
    let count = 0;
    for (const { order, parameters, x, want } of readVectors(id)) {
      if (parameters !== null || !(Math.abs(x) >= 1e-3 && Math.abs(x) <= 5)) continue;
      if (order === 2 && /gelu_|silu/.test(id)) continue;
      if (order > 0 && id === "mish") continue;
      const got = truth(id, x, order);
      assert.ok(Math.abs(got - want) <= 1e-10 * Math.abs(want) + 1e-15, `${id} order ${order} at ${x}: ${got}, want ${want}`);
      count++;
    }
    assert.ok(count > 50, id);
  }
});

for (const [label, where] of /** @type {const} */ ([
  ["at the root", () => site.address],
  ["under /a/b/", () => below.address],
])) {
  test(`${label}: every figure is drawn, from wasm, without a complaint`, async () => {
    const check = async (page) => {
      assert.equal(await page.evaluate(() => document.documentElement.dataset.backend), "wasm-simd");
      const names = await page.$$eval("figure[data-figure]", (figures) => figures.map((figure) => figure.dataset.figure));
      for (const name of ["curves", "gradients", "errors"]) assert.ok(names.includes(name));
      // A canvas of one colour would be an empty one.
      const colours = await page.$$eval("figure canvas", (canvases) =>
        canvases.map((canvas) => {
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const seen = new Set();
          for (let i = 0; i < data.length; i += 4)
            seen.add((data[i] << 24) | (data[i + 1] << 16) | (data[i + 2] << 8) | data[i + 3]);
          return seen.size;
        }),
      );
      assert.equal(colours.length, (await page.$$("figure[data-figure] .plot")).length);
      for (const count of colours) assert.ok(count > 20, `${count} colours`);
      await assertAllAt(page, -1, label);
    };
    await withPage("", check, { at: where() });
    await withPage("index.html?lang=zh&theme=dark#gradient", check, { at: where() });
  });
}

test("sections and figures have their names, numbers of their own", () =>
  withPage("", async (page) => {
    for (const id of ["hero", "gradient", "approximation", "playground"]) assert.ok(await page.$(`section#${id}`), id);
    for (const figure of Object.values(FIGURES)) {
      assert.equal((await page.$$(`${figure} input[name="x"]`)).length, 1, figure);
      assert.ok(await page.$eval(`${figure} canvas`, (canvas) => (canvas.getAttribute("aria-label") ?? "").length > 20), figure);
    }
    const lines = await page.$$eval("main > section", (sections) =>
      sections.map((section) => section.querySelectorAll('[role="status"]').length),
    );
    assert.ok(lines.every((count) => count === 1));
  }));

describe("x", () => {
  test("by typing, in each figure, with either minus sign, comma or point, to full precision", () =>
    withPage("", async (page) => {
      for (const figure of Object.values(FIGURES)) {
        for (const [text, x] of /** @type {[string, number][]} */ ([
          ["-2", -2],
          ["−0,5", -0.5],
          ["3.9004288", 3.9004288],
          ["-0.7517915246935645", -0.7517915246935645],
          ["+1e-1", 0.1],
        ])) {
          await typeX(page, figure, text);
          const shown = await readouts(page, FIGURES.hero);
          assertNear(shown, EXPECTED.hero(x), `typed ${text} in ${figure}`);
        }
      }
      await typeX(page, FIGURES.errors, "-4");
      await assertAllAt(page, -4, "typed −4");
      // The fact the lesson states: 45 % low, and 35 times too large.
      assertNear(await readouts(page, FIGURES.errors), { gelu: -0.0001266849673324797 }, "GELU(−4)");
    }));

  test("a typed number that is none says so and keeps the last good value", () =>
    withPage("", async (page) => {
      for (const figure of Object.values(FIGURES)) {
        const field = `${figure} input[name="x-typed"]`;
        const state = () =>
          page.$eval(field, (input) => {
            const message = document.getElementById(input.getAttribute("aria-describedby") ?? "");
            return {
              invalid: input.getAttribute("aria-invalid"),
              message: message?.checkVisibility() ? message.textContent : "",
            };
          });
        await typeX(page, figure, "1.5");
        for (const text of ["abc", "", "-", "NaN", "<b>", "1,2,3", "-3x", "60"]) {
          await typeX(page, figure, text);
          const { invalid, message } = await state();
          assert.equal(invalid, "true", text);
          assert.match(message, /−50.*50/, text);
          // What the text began with may have been a number, but it is not what the reader meant.
          assert.equal(await xOf(page, figure), 1.5, text);
          assertNear(await readouts(page, FIGURES.errors), errorsAt(1.5), text);
          await typeX(page, figure, "1.5");
        }
        await typeX(page, figure, "2");
        assert.deepEqual(await state(), { invalid: "false", message: "" });
        await assertAllAt(page, 2, "after a mistake");
        // What was left wrong in the field is put right when the reader goes on.
        await typeX(page, figure, "abc");
        await pressX(page, figure, "ArrowRight");
        assert.equal(await page.$eval(field, (input) => input.value), "2.01");
        assert.deepEqual(await state(), { invalid: "false", message: "" });
      }
    }));

  test("by arrow keys, with Shift, Home and End", () =>
    withPage("?x=-1", async (page) => {
      for (const [name, figure] of Object.entries(FIGURES)) {
        await typeX(page, figure, "-1");
        await pressX(page, figure, "ArrowRight");
        await assertAllAt(page, -0.99, `${name}: ArrowRight`);
        await pressX(page, figure, "ArrowUp", "ArrowUp");
        await assertAllAt(page, -0.97, `${name}: ArrowUp`);
        await pressX(page, figure, "ArrowLeft", "ArrowDown");
        await assertAllAt(page, -0.99, `${name}: ArrowLeft, ArrowDown`);
        await pressX(page, figure, "Shift+ArrowLeft", "Shift+ArrowLeft");
        await assertAllAt(page, -1.19, `${name}: Shift`);
        const [min, max] = await page.$eval(`${figure} input[name="x"]`, (input) => [Number(input.min), Number(input.max)]);
        assert.ok(min < 0 && max === -min);
        for (const [key, end] of /** @type {[string, number][]} */ ([
          ["End", max],
          ["Home", min],
        ])) {
          await pressX(page, figure, key);
          assert.equal(await xOf(page, figure), end, key);
          assertNear(await readouts(page, FIGURES.hero), { relu: Math.max(0, end), sigmoid: truth("sigmoid", end) }, key);
        }
        await pressX(page, figure, "ArrowLeft");
        assert.equal(await xOf(page, figure), min, "x left the range");
      }
    }));

  test("by dragging on the plot", () =>
    withPage("?x=3", async (page) => {
      for (const [name, figure] of Object.entries(FIGURES)) {
        const { zero, reach, middle } = await plotGeometry(page, figure);
        await page.mouse.move(zero, middle);
        await page.mouse.down();
        await assertDraggedTo(page, figure, 0, 0.02, `${name}: pressed on 0`);
        await page.mouse.move(zero + reach / 2, middle, { steps: 5 });
        const right = await xOf(page, figure);
        await assertDraggedTo(page, figure, right, 1e-9, `${name}: right`);
        await page.mouse.move(zero - reach / 2, middle + 30, { steps: 5 });
        const left = await xOf(page, figure);
        await assertDraggedTo(page, figure, left, 1e-9, `${name}: left`);
        assert.ok(right > 1 && Math.abs(left + right) < 0.03, `${name}: ${left} and ${right}`);
        await page.mouse.up();
        await page.mouse.move(zero, middle);
        assert.equal(await xOf(page, figure), left, `${name}: moved without a button`);
        await page.keyboard.press("ArrowRight");
        assert.ok((await xOf(page, figure)) > left, `${name}: the keys go on where the mouse has been`);
      }
    }));

  test("by touch", needs("touch"), () =>
    withPage(
      "?x=2",
      async (page) => {
        for (const [name, figure] of Object.entries(FIGURES)) {
          const { zero, reach, middle } = await plotGeometry(page, figure);
          const frames = () =>
            page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
          // A finger that comes down may be about to scroll: only a tap, or a move sideways, is meant for x.
          const before = await xOf(page, figure);
          await page.touchscreen.touchStart(zero, middle);
          await assertDraggedTo(page, figure, before, 1e-9, `${name}: touched`);
          await page.touchscreen.touchEnd();
          await assertDraggedTo(page, figure, 0, 0.03, `${name}: tapped 0`);
          await page.touchscreen.touchStart(zero, middle);
          for (const share of [0.1, 0.3, 0.5]) await page.touchscreen.touchMove(zero + reach * share, middle);
          // Moves are delivered with the next frame.
          await frames();
          const right = await xOf(page, figure);
          assert.ok(right > 1, `${name}: ${right}`);
          await page.touchscreen.touchEnd();
          await assertDraggedTo(page, figure, right, 1e-9, `${name}: after the touch`);
        }
      },
      { width: 412, height: 800, touch: true },
    ),
  );

  async function assertDraggedTo(page, figure, x, tolerance, label) {
    const shown = await xOf(page, figure);
    assert.ok(Math.abs(shown - x) <= tolerance, `${label}: x is ${shown}, want ${x}`);
    await assertAllAt(page, shown, label);
  }
});

describe("controls", () => {
  test("errors: kind, order, and both sliders change the numbers to the right ones", () =>
    withPage("?x=-2", async (page) => {
      const { errors } = FIGURES;
      const radio = (key, value) => clickInput(page, `${errors} [data-control="${key}"] input[value="${value}"]`);
      const expect = async (options, label) => assertNear(await readouts(page, errors), errorsAt(-2, options), label);
      await expect({}, "at first");
      await radio("errors.kind", "relative");
      await expect({ relative: true }, "relative");
      await radio("errors.order", "1");
      await expect({ relative: true, order: 1 }, "relative, derivative");
      await radio("errors.kind", "absolute");
      await expect({ order: 1 }, "derivative");
      await radio("errors.scale", "linear");
      await expect({ order: 1 }, "linear");
      await radio("errors.order", "0");
      const k = await setSlider(page, `${errors} input[name="gelu_sigmoid.k"]`, 1.77);
      assert.ok(Math.abs(k - 1.77) < 0.01);
      await expect({ k }, "k");
      assertNear(await readouts(page, errors), { "gelu_sigmoid.k": k }, "k itself");
      const cubic = await setSlider(page, `${errors} input[name="gelu_tanh.cubic"]`, 0.08);
      await expect({ k, cubic }, "k and cubic");
      // By the keyboard too, one step of the slider.
      await page.focus(`${errors} input[name="gelu_sigmoid.k"]`);
      await page.keyboard.press("ArrowLeft");
      const moved = (await readouts(page, errors))["gelu_sigmoid.k"];
      assert.ok(moved < k);
      await expect({ k: moved, cubic }, "k by key");
    }));

  test("a default stays what it is until it is touched", () =>
    withPage("?x=-2", async (page) => {
      assertNear(await readouts(page, FIGURES.errors), { "gelu_sigmoid.k": 1.702, "gelu_tanh.cubic": 0.044715 }, "at first");
      assert.equal(
        await page.$eval(`${FIGURES.errors} output[data-readout="gelu_tanh.cubic"]`, (output) => output.textContent),
        "0.044715",
      );
      await page.$eval(`${FIGURES.errors} input[name="gelu_tanh.cubic"]`, (input) => input.focus());
      await page.keyboard.press("Tab");
      assertNear(await readouts(page, FIGURES.errors), errorsAt(-2), "after passing over the slider");
    }));

  test("gradients: order, functions", () =>
    withPage("?x=0.5", async (page) => {
      const { gradients } = FIGURES;
      await clickInput(page, `${gradients} [data-control="gradients.order"] input[value="2"]`);
      const second = (...ids) => Object.fromEntries(ids.map((id) => [id, truth(id, 0.5, 2)]));
      assertNear(await readouts(page, gradients), second("gelu", "relu", "sigmoid"), "second");
      await clickInput(page, `${gradients} [data-control="fns"] input[value="tanh"]`);
      await clickInput(page, `${gradients} [data-control="fns"] input[value="relu"]`);
      assert.deepEqual(Object.keys(await readouts(page, gradients)), ["gelu", "sigmoid", "tanh"]);
      assertNear(await readouts(page, gradients), second("gelu", "sigmoid", "tanh"), "with tanh, without ReLU");
      await clickInput(page, `${gradients} [data-control="gradients.order"] input[value="1"]`);
      assertNear(await readouts(page, gradients), { tanh: truth("tanh", 0.5, 1) }, "first");
      // One choice of functions for the page.
      assert.deepEqual(
        Object.keys(await readouts(page, FIGURES.hero)).filter((name) => name !== "share"),
        ["gelu", "sigmoid", "tanh"],
      );
    }));

  test("no function at all, and all of them", () =>
    withPage("?fns=", async (page) => {
      // What two functions differ by is there all the same.
      assert.deepEqual(Object.keys(await readouts(page, FIGURES.playground)), ["difference", "largest", "largest.at"]);
      const boxes = await page.$$eval(`${FIGURES.playground} [data-control="fns"] input`, (inputs) =>
        inputs.map((input) => input.value),
      );
      assert.ok(boxes.length >= 12);
      for (const id of boxes) await clickInput(page, `${FIGURES.playground} [data-control="fns"] input[value="${id}"]`);
      const got = await readouts(page, FIGURES.playground);
      assertNear(got, Object.fromEntries(boxes.map((id) => [id, truth(id, -1)])), "all functions");
    }));

  test("playground: order, range, a slider for each parameter", () =>
    withPage("?x=-0.5&fns=gelu,silu,sigmoid,elu,leaky_relu", async (page) => {
      const { playground } = FIGURES;
      for (const [order, ...clicks] of [
        [1, 1, 0],
        [2, 2, 1],
        [0, 0, 2],
      ]) {
        // One always stays, so the next comes before the last goes.
        for (const each of clicks) await clickInput(page, `${playground} [data-control="curves.orders"] input[value="${each}"]`);
        const ids = order === 2 ? ["gelu", "sigmoid", "elu", "leaky_relu"] : ["gelu", "silu", "sigmoid", "elu", "leaky_relu"];
        assertNear(
          await readouts(page, playground),
          Object.fromEntries(ids.map((id) => [id, truth(id, -0.5, order)])),
          `order ${order}`,
        );
      }
      for (const [key, wanted] of /** @type {[string, number][]} */ ([
        ["silu.beta", 2],
        ["sigmoid.k", 3],
        ["elu.alpha", 0.5],
        ["leaky_relu.slope", 0.25],
      ])) {
        const value = await setSlider(page, `${playground} input[name="${key}"]`, wanted);
        assert.ok(Math.abs(value - wanted) < 0.05 * wanted, `${key}: ${value}`);
        const id = key.split(".")[0];
        assertNear(await readouts(page, playground), { [id]: truth(id, -0.5, 0, value) }, key);
        // The same parameter everywhere.
        assertNear(await readouts(page, FIGURES.hero), { [id]: truth(id, -0.5, 0, value) }, `${key} in the hero`);
      }
      for (const half of [50, 1, 0.001, 6]) {
        await clickInput(page, `${playground} [data-control="window"] input[value="${half}"]`);
        const ends = await page.$eval(`${playground} input[name="x"]`, (input) => [
          Number(input.min),
          Number(input.max),
          Number(input.value),
        ]);
        assert.deepEqual(ends.slice(0, 2), [-half, half]);
        assert.ok(Math.abs(ends[2]) <= half, "x stays in sight");
        assert.ok((await readouts(page, playground)).gelu !== undefined);
      }
    }));

  test("reset brings back a figure's first state", () =>
    withPage(
      "?x=2&fns=mish&order=1&gradients.order=2&errors.kind=relative&errors.order=1&gelu_sigmoid.k=2&from=-3&to=3",
      async (page) => {
        const reset = (figure) => page.click(`${figure} [data-tool="reset"]`);
        await reset(FIGURES.errors);
        await settled(page);
        assertNear(await readouts(page, FIGURES.errors), errorsAt(-1), "errors");
        await reset(FIGURES.gradients);
        assertNear(await readouts(page, FIGURES.gradients), EXPECTED.gradients(-1), "gradients");
        await reset(FIGURES.playground);
        await assertAllAt(page, -1, "all");
        await typeX(page, FIGURES.hero, "1");
        await reset(FIGURES.hero);
        await assertAllAt(page, -1, "hero");
        await page.waitForFunction(() => location.search === "", { timeout: 2000 });
      },
    ));

  test("the data table opens with the right numbers, follows the state, closes", () =>
    withPage("?x=1", async (page) => {
      const table = (figure) =>
        page.$eval(figure, (root) => {
          const box = root.querySelector(".fig-table");
          return {
            visible: box.checkVisibility(),
            expanded: root.querySelector('[data-tool="dataTable"]').getAttribute("aria-expanded"),
            head: [...box.querySelectorAll("thead th")].map((cell) => cell.textContent),
            rows: [...box.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent)),
          };
        });
      const number = (text) => {
        const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
        const plain = text
          .replace("−", "-")
          .replace(
            / × 10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/,
            (_, minus, digits) => `e${minus && "-"}${[...digits].map((digit) => superscripts.indexOf(digit)).join("")}`,
          );
        return Number(plain);
      };
      const near = (text, want, label) =>
        assert.ok(Math.abs(number(text) - want) <= 6e-6 * Math.abs(want) + 1e-8, `${label}: ${text}, want ${want}`);
      assert.equal((await table(FIGURES.gradients)).visible, false);
      await page.click(`${FIGURES.gradients} [data-tool="dataTable"]`);
      const { visible, expanded, head, rows } = await table(FIGURES.gradients);
      assert.ok(visible && expanded === "true");
      assert.deepEqual(head, ["x", "GELU′", "ReLU′", "Sigmoid′"]);
      assert.ok(rows.length >= 13);
      for (const [x, gelu, relu, sigmoid] of rows) {
        // The middle x is 0, where the derivative from the left counts.
        near(gelu, truth("gelu", number(x), 1), `GELU′(${x})`);
        near(relu, truth("relu", number(x), 1), `ReLU′(${x})`);
        near(sigmoid, truth("sigmoid", number(x), 1), `Sigmoid′(${x})`);
      }
      await clickInput(page, `${FIGURES.gradients} [data-control="gradients.order"] input[value="2"]`);
      const next = await table(FIGURES.gradients);
      assert.equal(next.head[1], "GELU″");
      near(next.rows.find(([x]) => number(x) === 0)?.[1] ?? "none", 0.7978845608028654, "GELU″(0)");
      await page.click(`${FIGURES.gradients} [data-tool="dataTable"]`);
      assert.equal((await table(FIGURES.gradients)).visible, false);
      await page.click(`${FIGURES.errors} [data-tool="dataTable"]`);
      for (const row of (await table(FIGURES.errors)).rows) {
        const x = number(row[0]);
        const want = errorsAt(x);
        near(row[1], want.gelu, `GELU(${x})`);
        const numbers = row.slice(2).map(number);
        for (const name of ["gelu_tanh", "gelu_sigmoid", "gelu_tanh.error", "gelu_sigmoid.error"]) {
          assert.ok(
            // The errors stand there in size, as their heading says.
            numbers.some((value) => Math.abs(Math.abs(value) - Math.abs(want[name])) <= 6e-6 * Math.abs(want[name]) + 1e-8),
            `${name} at ${x}: ${row}`,
          );
        }
      }
    }));

  test("each “try this” sets the state it promises, and is marked", () =>
    withPage("", async (page) => {
      const sets = await page.$$eval("button[data-set]", (buttons) =>
        buttons.filter((button) => button.checkVisibility()).map((button) => button.dataset.set),
      );
      assert.ok(sets.length >= 6, `${sets.length} prompts`);
      for (const set of sets) {
        await page.evaluate((wanted) => {
          const button = [...document.querySelectorAll("button[data-set]")].find(
            (one) => one.dataset.set === wanted && one.checkVisibility(),
          );
          button.setAttribute("data-under-test", "");
        }, set);
        // The last prompt holds its figure in view until the reader does something; a script's scrolling is nothing of theirs.
        await page.keyboard.press("Shift");
        // Figures may still grow and move the button away under the mouse: until it rests.
        await page.locator("[data-under-test]").click();
        await settled(page);
        assert.equal(await page.$eval("[data-under-test]", (button) => button.getAttribute("aria-pressed")), "true", set);
        await page.$eval("[data-under-test]", (button) => button.removeAttribute("data-under-test"));
        const wanted = new URLSearchParams(set);
        const x = Number(wanted.get("x"));
        if (wanted.has("x") && Math.abs(x) <= 4.6) {
          const want = { gelu: truth("gelu", x), sigmoid: truth("sigmoid", x, 0, Number(wanted.get("sigmoid.k") ?? 1)) };
          const got = await readouts(page, FIGURES.hero);
          assertNear(got, Object.fromEntries(Object.entries(want).filter(([id]) => id in got)), set);
        }
        const states = await page.$$eval("figure[data-figure]", (figures) => figures.map((figure) => figure.dataset.state));
        assert.ok(
          states.every((state) => state === "ready"),
          `${set}: ${states}`,
        );
      }
    }));
});

describe("language and theme", () => {
  const visible = (page, language) => page.$eval(`section#gradient [lang="${language}"] h2`, (block) => block.checkVisibility());

  test("a switch keeps the state", () =>
    withPage("?x=2&fns=gelu,mish&gelu_sigmoid.k=2", async (page) => {
      const numbers = async () => [await readouts(page, FIGURES.playground), await readouts(page, FIGURES.errors)];
      const before = await numbers();
      assert.deepEqual([await visible(page, "zh-CN"), await visible(page, "en")], [false, true]);
      await clickInput(page, '.switches input[name="lang"][value="zh"]');
      assert.deepEqual([await visible(page, "zh-CN"), await visible(page, "en")], [true, false]);
      assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
      assert.deepEqual(await numbers(), before);
      const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
      const light = await ground();
      const pixels = () => page.$eval(`${FIGURES.gradients} canvas`, (canvas) => canvas.toDataURL());
      const drawnLight = await pixels();
      await clickInput(page, '.switches input[name="theme"][value="dark"]');
      await settled(page);
      assert.notEqual(await ground(), light);
      assert.notEqual(await pixels(), drawnLight, "the plot kept its light colours");
      assert.deepEqual(await numbers(), before);
      const written = await queryHolding(page, "theme=dark");
      for (const part of ["lang=zh", "theme=dark", "x=2", "fns=gelu,mish", "gelu_sigmoid.k=2"])
        assert.ok(written.includes(part), `${written}: ${part}`);
      await page.reload();
      await figuresReady(page);
      assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
      assert.deepEqual(await numbers(), before);
    }));

  test("auto follows the reader's browser and system", async () => {
    for (const [language, lang] of [
      ["zh-TW", "zh-CN"],
      ["fr", "en"],
      ["en-GB", "en"],
    ]) {
      await withPage("", async (page) => assert.equal(await page.evaluate(() => document.documentElement.lang), lang), {
        language,
        dark: language === "fr",
      });
    }
  });

  test("the title, controls and messages are in the page's language", () =>
    withPage("?lang=zh", async (page) => {
      await typeX(page, FIGURES.gradients, "abc");
      const text = await page.$eval(FIGURES.gradients, (root) => {
        const words = [];
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) if (walker.currentNode.parentElement.checkVisibility()) words.push(walker.currentNode.data);
        return words.join(" ");
      });
      assert.match(text, /请填/);
      assert.doesNotMatch(text, /please|Second derivative/);
      assert.match(
        await page.$eval(`${FIGURES.gradients} canvas`, (canvas) => canvas.getAttribute("aria-label")),
        /[\u4e00-\u9fff]/,
      );
    }));
});

describe("the address", () => {
  test("holds the state within a second, and a reload brings all of it back", () =>
    withPage("#approximation", async (page) => {
      await typeX(page, FIGURES.errors, "-2.5");
      assert.equal(await queryHolding(page, "x=-2.5"), "?x=-2.5");
      await clickInput(page, `${FIGURES.gradients} [data-control="fns"] input[value="silu"]`);
      await clickInput(page, `${FIGURES.gradients} [data-control="gradients.order"] input[value="2"]`);
      await clickInput(page, `${FIGURES.playground} [data-control="curves.orders"] input[value="1"]`);
      await clickInput(page, `${FIGURES.errors} [data-control="errors.kind"] input[value="relative"]`);
      await clickInput(page, `${FIGURES.errors} [data-control="errors.scale"] input[value="linear"]`);
      await clickInput(page, `${FIGURES.errors} [data-control="errors.order"] input[value="1"]`);
      const k = await setSlider(page, `${FIGURES.errors} input[name="gelu_sigmoid.k"]`, 1.5);
      await clickInput(page, '.switches input[name="theme"][value="dark"]');
      const written = await queryHolding(page, "theme=dark");
      for (const part of [
        "x=-2.5",
        "fns=gelu,relu,sigmoid,silu",
        "curves.orders=0,1",
        "gradients.order=2",
        "errors.kind=relative",
        "errors.scale=linear",
        "errors.order=1",
        `gelu_sigmoid.k=${k}`,
      ]) {
        assert.ok(written.slice(1).split("&").includes(part), `${written} has no ${part}`);
      }
      assert.equal(await page.evaluate(() => location.hash), "#approximation");
      await page.evaluate(() => document.activeElement?.blur());
      const before = await snapshot(page);
      await page.reload();
      await figuresReady(page);
      await settled(page);
      assert.deepEqual(await snapshot(page), before);
      assertNear(await readouts(page, FIGURES.errors), errorsAt(-2.5, { order: 1, relative: true, k }), "after the reload");
      assert.equal(await page.evaluate(() => location.hash), "#approximation");
      assert.equal(await query(page), written);
    }));

  test("is not written more often than an engine allows", () =>
    withPage("", async (page) => {
      await page.evaluate(() => {
        const { replaceState } = history;
        window.writes = 0;
        history.replaceState = function (...args) {
          window.writes++;
          return replaceState.apply(this, args);
        };
      });
      const { zero, middle } = await plotGeometry(page, FIGURES.gradients);
      await page.mouse.move(zero, middle);
      await page.mouse.down();
      const started = Date.now();
      for (let i = 0; i < 120; i++) await page.mouse.move(zero + (i % 40) * 4, middle);
      for (let i = 0; i < 40; i++) await pressX(page, FIGURES.gradients, "ArrowRight");
      const seconds = (Date.now() - started) / 1000;
      const writes = await page.evaluate(() => window.writes);
      assert.ok(writes <= 10 * Math.ceil(seconds), `${writes} writes in ${seconds} s`);
      assert.ok(writes <= 100);
      await page.mouse.up();
      const x = await xOf(page, FIGURES.gradients);
      assert.ok((await queryHolding(page, `x=${x}`)).includes(`x=${x}`));
    }));

  test("survives a browser that refuses to write it", () =>
    withPage("", async (page) => {
      await page.evaluate(() => {
        history.replaceState = () => {
          throw new DOMException("too often", "SecurityError");
        };
      });
      await typeX(page, FIGURES.hero, "2");
      await new Promise((resolve) => setTimeout(resolve, 700));
      await pressX(page, FIGURES.hero, "ArrowRight");
      await assertAllAt(page, 2.01, "without history");
    }));

  const BAD = [
    "?x=abc&from=&to=&order=9&fns=nothing",
    "?x=1e999&from=1e999&to=-1e999",
    "?x=-1e999&gelu_sigmoid.k=1e999&gelu_tanh.cubic=-1e999",
    "?from=3&to=-3",
    "?from=5&to=5",
    "?from=50",
    "?to=-50",
    "?from=49.9999999&to=50",
    "?from=0&to=1e-300",
    "?fns=unknown,alsounknown",
    "?fns=",
    "?fns=__proto__,constructor&__proto__=1&constructor=2&toString=3",
    '?x=<script>console.log(1)</script>&fns=<img src=x onerror=console.log(2)>&lang=<b>&theme="><b>',
    "?lang=javascript:alert(1)&theme=dark%22%3E%3Cscript%3Econsole.log(3)%3C/script%3E",
    "?%&%%=%E0%A4%A&x=%00",
    "?x=1&x=2&x=&x=foo",
    `?${"a=b&".repeat(2000)}x=1`,
    "?errors.kind=relative&errors.order=1&x=-50&from=-50&to=-40",
    "?errors.kind=relative&errors.scale=linear&from=-50&to=50&x=-50",
    "#<img src=x onerror=console.log(4)>",
  ];

  test("full of nonsense gives a working page", () =>
    withPage("", async (page) => {
      const count = () =>
        page.evaluate(() => ["script", "img", "b", "iframe"].map((tag) => document.getElementsByTagName(tag).length));
      const elements = await count();
      for (const bad of BAD) {
        await page.goto("about:blank");
        await page.goto(site.address + bad);
        await figuresReady(page).catch(() => assert.fail(`${bad} is never ready`));
        assert.deepEqual(await count(), elements, bad);
        await typeX(page, FIGURES.hero, "2").catch((error) => assert.fail(`${bad}: ${error.message}`));
        const got = await readouts(page, FIGURES.errors);
        assert.ok(
          Math.abs(got.gelu - 1.9544997361036416) < 1e-9 || Math.abs(got.gelu - truth("gelu", 2, 1)) < 1e-9,
          `${bad}: ${got.gelu}`,
        );
      }
      await page.goto(`${site.address}?x=1e999`);
      await figuresReady(page);
      assert.equal((await readouts(page, FIGURES.hero)).relu, 50);
    }));
});

describe("for those who do not see the plot", () => {
  test("the status line speaks for the figure that has the focus, at most once a second", () =>
    withPage("", async (page) => {
      await page.evaluate(() => {
        window.spoken = [];
        for (const line of document.querySelectorAll('[role="status"]')) {
          new MutationObserver(() =>
            window.spoken.push([performance.now(), line.closest("section").id, line.textContent]),
          ).observe(line, {
            childList: true,
            characterData: true,
            subtree: true,
          });
        }
      });
      const started = Date.now();
      while (Date.now() - started < 2600) await pressX(page, FIGURES.gradients, "ArrowRight");
      await new Promise((resolve) => setTimeout(resolve, 1200));
      const spoken = await page.evaluate(() => window.spoken);
      assert.ok(spoken.length >= 2, `${spoken.length} times`);
      for (let i = 1; i < spoken.length; i++)
        assert.ok(spoken[i][0] - spoken[i - 1][0] > 950, `${spoken[i][0] - spoken[i - 1][0]} ms apart`);
      assert.ok(
        spoken.every(([, id]) => id === "gradient"),
        JSON.stringify(spoken),
      );
      const x = await xOf(page, FIGURES.gradients);
      assert.ok(spoken.at(-1)[2].includes(`x = ${x.toFixed(2).replace("-", "−")}`), spoken.at(-1)[2]);
    }));

  test("every input has a name to be called by, every button words", needs("the accessibility tree"), () =>
    withPage("", async (page) => {
      await page.click(`${FIGURES.errors} [data-tool="dataTable"]`);
      const tree = await page.accessibility.snapshot({ interestingOnly: false });
      const nameless = [];
      const walk = (node) => {
        if (["button", "slider", "textbox", "checkbox", "radio", "link"].includes(node.role) && !node.name?.trim())
          nameless.push(node.role);
        for (const child of node.children ?? []) walk(child);
      };
      walk(tree);
      assert.deepEqual(nameless, []);
    }),
  );
});
