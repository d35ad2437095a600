/** Figure `ffn` in the built page, black box: what is written adds up, for mouse, keyboard and finger, small and large. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages are in the page, and one of them is hidden
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lackOf, openPage, settled } from "./browser.mjs";
import { catchFiles, fileBy } from "./files.mjs";
import { holdLine } from "./line.mjs";
import { truth } from "./oracle.mjs";
import { readouts } from "./reading.mjs";
import { addressSettled, useSite } from "./visit.mjs";

const FFN = 'figure[data-figure="ffn"]';
const site = useSite(["ffn"]);

/** Numbers of a matrix in the table view. */
const matrix = (page, name) =>
  page.$eval(`${FFN} table[data-matrix="${name}"]`, (table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => Number(cell.dataset.value))),
  );

async function matrices(page, names) {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await matrix(page, name)])));
}

/** The sum that is written out: its terms, what is between and the bias against its value. */
async function assertAddsUp(page, label) {
  const all = await page.$$eval(`${FFN} .written output`, (outputs) =>
    outputs.map((output) => [output.dataset.readout, Number(output.dataset.value), output.textContent]),
  );
  const terms = all.filter(([name]) => /^(term-|terms-between|bias)/.test(name));
  const [, sum, text] = all.find(([name]) => name === "sum");
  const total = terms.reduce((before, [, value]) => before + value, 0);
  const size = terms.reduce((before, [, value]) => before + Math.abs(value), 0);
  assert.ok(terms.length > 0, `${label}: no terms`);
  assert.ok(Math.abs(total - sum) <= 2e-6 * size, `${label}: ${total} is said to be ${sum}`);
  if (!text.includes("×"))
    assert.ok(Math.abs(Number(text.replace("−", "-")) - sum) < 0.000051, `${label}: ${sum} written ${text}`);
  return { sum, all: Object.fromEntries(all) };
}

const product = (a, b) => a.map((row) => b[0].map((_, k) => row.reduce((sum, value, i) => sum + value * b[i][k], 0)));
const transposed = (a) => a[0].map((_, k) => a.map((row) => row[k]));

function assertClose(got, want, label) {
  assert.deepEqual([got.length, got[0].length], [want.length, want[0].length], label);
  for (const [i, row] of got.entries()) {
    for (const [k, value] of row.entries()) {
      const difference = Math.abs(value - want[i][k]);
      assert.ok(difference < 2e-6 * (1 + Math.abs(value)), `${label}[${i}, ${k}]: ${value}, want ${want[i][k]}`);
    }
  }
}

const pick = (page, key, value) => page.select(`${FFN} select[name="ffn.${key}"]`, value);
const press = (page, selector) => page.$eval(`${FFN} ${selector}`, (element) => element.click());
const slide = (page, key, value) =>
  page.$eval(
    `${FFN} input[name="ffn.${key}"]`,
    (input, next) => {
      input.value = String(next);
      input.dispatchEvent(new Event("input", { bubbles: true }));
    },
    value,
  );
const name = (page) => page.$eval(`${FFN} .sum-name`, (element) => element.innerText.trim());

describe("before anything is touched", () => {
  test("GELU has no exact zero where ReLU has about half, and no network kernels are loaded for it", () => {
    const loaded = [];
    return site.visit(
      "#ffn",
      async (page) => {
        const got = await readouts(page, FFN);
        assert.equal(got["zeros.gelu"], 0);
        assert.ok(got["zeros.relu"] > 51 && got["zeros.relu"] < 77, `${got["zeros.relu"]}`);
        assert.equal(await page.$eval(`${FFN} [data-readout="zeros.gelu"]`, (output) => output.textContent), "0 / 128");
        const units = await page.$$eval(
          `${FFN} button.unit`,
          (buttons) => buttons.filter((button) => button.checkVisibility()).length,
        );
        assert.equal(units, 20);
        await assertAddsUp(page, "at first");
        await new Promise((resolve) => setTimeout(resolve, 500));
        assert.deepEqual(loaded, []);
      },
      {
        before: async (page) =>
          page.on("request", (request) => /networks|digits/.test(request.url()) && loaded.push(request.url())),
      },
    );
  });
});

describe("a small network", () => {
  for (const [query, activation] of [
    ["ffn.d=3&ffn.hidden=7&ffn.tokens=5&ffn.seed=41", "gelu"],
    ["ffn.d=8&ffn.hidden=32&ffn.seed=9999&ffn.activation=silu", "silu"],
    ["ffn.d=1&ffn.hidden=1&ffn.tokens=1&ffn.activation=relu", "relu"],
  ]) {
    test(`all its matrices follow from x, dy and the weights (?${query})`, () =>
      site.visit(`?${query}&ffn.view=matrices#ffn`, async (page) => {
        const { x, w1, z, a, w2, y } = await matrices(page, ["x", "w1", "z", "a", "w2", "y"]);
        assertClose(z, product(x, w1), "z");
        assertClose(
          a,
          z.map((row) => row.map((value) => truth(activation, value))),
          "a",
        );
        assertClose(y, product(a, w2), "y");
        await assertAddsUp(page, query);
        await press(page, 'input[value="backward"]');
        await settled(page);
        const { dy, da, dz, dx, dw1, dw2 } = await matrices(page, ["dy", "da", "dz", "dx", "dw1", "dw2"]);
        assertClose(da, product(dy, transposed(w2)), "da");
        assertClose(
          dz,
          da.map((row, t) => row.map((value, j) => value * truth(activation, z[t][j], 1))),
          "dz",
        );
        assertClose(dx, product(dz, transposed(w1)), "dx");
        assertClose(dw1, product(transposed(x), dz), "dW1");
        assertClose(dw2, product(transposed(a), dy), "dW2");
        await assertAddsUp(page, `${query} backward`);
      }));
  }

  test("a number without an exact zero is never written 0, and exact zeros are", () =>
    site.visit("?ffn.activation=relu&ffn.view=matrices#ffn", async (page) => {
      const cells = await page.$$eval(`${FFN} table.mat td`, (tds) =>
        tds.map((td) => [td.textContent, td.dataset.value, td.classList.contains("is-zero"), td.closest("table").dataset.matrix]),
      );
      for (const [text, value, isMarked, of] of cells) {
        assert.equal(text === "0", Number(value) === 0, `${value} is written ${text}`);
        if (of === "a") assert.equal(isMarked, Number(value) === 0);
      }
      const zeros = cells.filter(([, value, , of]) => of === "a" && Number(value) === 0).length;
      assert.equal((await readouts(page, FFN))["zeros.relu"], zeros);
    }));

  test("pointing at a unit writes its sum, leaving it brings the chosen one back, a press chooses", () =>
    // Without a place in the address: a page that has one goes back to it until the reader does something, and a driver
    // scrolls without having done anything.
    site.visit("?ffn.token=3", async (page) => {
      assert.equal(await name(page), "token 3, hidden unit 1");
      const units = await page.$$(`${FFN} button.unit`);
      await units[6].hover();
      assert.equal(await name(page), "token 3, hidden unit 7");
      const { sum, all } = await assertAddsUp(page, "hovered");
      const [z, a] = await units[6].$$eval(".n", (spans) => spans.map((span) => Number(span.dataset.value)));
      assert.deepEqual([sum, all.passed], [z, a]);
      assert.ok(Math.abs(truth("gelu", z) - a) < 1e-6);
      await page.mouse.move(5, 5);
      assert.equal(await name(page), "token 3, hidden unit 1");
      await units[17].click();
      await page.mouse.move(5, 5);
      assert.equal(await name(page), "token 3, component 2 of y");
      await assertAddsUp(page, "chosen");
      assert.match(await addressSettled(page), /ffn\.unit=18/);
    }));

  test("the keyboard goes through the units, and through the cells of a matrix", () =>
    site.visit("#ffn", async (page) => {
      await page.focus(`${FFN} button.unit`);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      assert.equal(await name(page), "token 1, hidden unit 3");
      await page.keyboard.press("ArrowRight");
      assert.equal(await name(page), "token 1, component 1 of y");
      const stops = await page.$$eval(`${FFN} button.unit`, (all) => all.filter((unit) => unit.tabIndex === 0).length);
      assert.ok(stops <= 2, `${stops} stops`);
      await press(page, 'input[value="matrices"]');
      await page.waitForSelector(`${FFN} table[data-matrix="a"]`, { timeout: 3000 });
      await page.focus(`${FFN} table[data-matrix="a"] [tabindex="0"]`);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("End");
      assert.equal(await name(page), "token 2, hidden unit 16");
      await assertAddsUp(page, "by keys");
      await press(page, 'input[value="backward"]');
      await page.focus(`${FFN} table[data-matrix="dw1"] [tabindex="0"]`);
      await page.keyboard.press("ArrowRight");
      assert.equal(await name(page), "dW₁[1, 2]");
      await assertAddsUp(page, "dW1");
    }));

  test("a finger does what the mouse does, on units 44 pixels high", () =>
    site.visit(
      "#ffn",
      async (page) => {
        const units = await page.$$(`${FFN} button.unit`);
        if (lackOf("touch") === undefined)
          for (const unit of [units[0], units[19]]) assert.ok((await unit.boundingBox()).height >= 44);
        await units[9].tap();
        assert.equal(await name(page), "token 1, hidden unit 10");
        await assertAddsUp(page, "tapped");
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${wide} px too wide`);
      },
      { touch: true, width: 360, height: 740 },
    ));
});

describe("the state", () => {
  test("is in the address, survives a reload, and is reset", () =>
    site.visit("#ffn", async (page) => {
      await pick(page, "activation", "elu");
      await slide(page, "d", 5);
      await slide(page, "seed", 12);
      await slide(page, "unit", 18);
      await press(page, 'input[value="backward"]');
      const before = [await readouts(page, FFN), await name(page)];
      const address = await addressSettled(page);
      for (const part of ["ffn.activation=elu", "ffn.d=5", "ffn.seed=12", "ffn.unit=18", "ffn.pass=backward"])
        assert.ok(address.includes(part), `${part} in ${address}`);
      assert.equal(before[1], "token 1, component 2 of x");
      await page.reload();
      await page.waitForSelector(`${FFN}[data-state="ready"]`);
      assert.deepEqual([await readouts(page, FFN), await name(page)], before);
      await press(page, '[data-tool="reset"]');
      assert.equal(await name(page), "token 1, hidden unit 1");
      assert.equal(await addressSettled(page), "");
    }));

  test("takes no nonsense: what cannot be is clamped, and what is shown still adds up", async () => {
    for (const query of [
      "ffn.d=99&ffn.hidden=-3&ffn.tokens=1e9&ffn.token=77&ffn.unit=1e300&ffn.seed=-1",
      "ffn.d=2.999&ffn.hidden=7.5&ffn.tokens=0.1&ffn.token=NaN&ffn.unit=abc&ffn.seed=1.5&ffn.activation=%3Cb%3E&ffn.preset=gpt5",
      "ffn.activation=elu&elu.alpha=1e9&ffn.pass=sideways&ffn.view=",
      "ffn.activation=gelu_tanh&gelu_tanh.scale=-99&gelu_tanh.cubic=99&from=-0.001&to=0.001",
    ])
      await site.visit(`?${query}#ffn`, async (page) => {
        await assertAddsUp(page, query);
        const texts = await page.$eval(FFN, (figure) => figure.innerText);
        assert.doesNotMatch(texts, /NaN|undefined|Infinity|\[object/, query);
      });
  });

  test("a slider of the activation's own parameter changes the network", () =>
    site.visit("?ffn.activation=gelu_sigmoid#ffn", async (page) => {
      const before = (await assertAddsUp(page, "before")).all;
      await page.focus(`${FFN} input[name="gelu_sigmoid.k"]`);
      await page.keyboard.press("Home");
      const { all } = await assertAddsUp(page, "after");
      assert.equal(all.sum, before.sum);
      assert.notEqual(all.passed, before.passed);
      const k = Number(await page.$eval(`${FFN} input[name="gelu_sigmoid.k"]`, (input) => input.value));
      assert.ok(Math.abs(all.passed - truth("gelu_sigmoid", all.sum, 0, k)) < 1e-6);
    }));

  test("the other language says it in its own words", () =>
    site.visit("?lang=zh&ffn.pass=backward#ffn", async (page) => {
      const text = await page.$eval(FFN, (figure) => figure.innerText);
      assert.match(text, /词元 1，隐藏单元 1/);
      assert.doesNotMatch(text, /hidden unit|token \d/);
    }));
});

describe("a network of a model’s size", () => {
  const arrived = (page) =>
    page.waitForFunction((figure) => document.querySelector(`${figure} [data-readout^="zeros."]`), { timeout: 15_000 }, FFN);

  test("comes when it is asked for, off the page's thread, with its activation, counted and adding up", () =>
    site.visit("#ffn", async (page) => {
      await pick(page, "preset", "gpt2");
      assert.equal(await page.$eval(`${FFN} select[name="ffn.activation"]`, (select) => select.value), "gelu_tanh");
      await arrived(page);
      await page.waitForFunction((figure) => document.querySelector(`${figure} [data-map="y"] canvas`)?.width === 96, {}, FFN);
      const got = await readouts(page, FFN);
      assert.deepEqual(
        [got.parameters, got["parameters.all"], got.operations, got["operations.sequence"], got.activations, got.bytes],
        [4722432, 56669184, 9437184, 9437184 * 1024, 3072, 18889728],
      );
      assert.equal(got["zeros.gelu_tanh"], 0);
      assert.ok(Math.abs(got["zeros.relu"] / (8 * 3072) - 0.5) < 0.02);
      const { all } = await assertAddsUp(page, "768 terms");
      assert.ok(Math.abs(all.passed - truth("gelu_tanh", all.sum)) < 2e-6);
      await slide(page, "unit", 3072 + 768);
      assert.equal(await name(page), "token 1, component 768 of y");
      await assertAddsUp(page, "3072 terms");
      const elements = await page.$$eval(`${FFN} *`, (all) => all.length);
      assert.ok(elements < 1500, `${elements} elements`);
    }));

  test("its heat maps answer the pointer, and exact zeros have the colour of the function", () =>
    site.visit("?ffn.preset=bert&ffn.activation=relu#ffn", async (page) => {
      await arrived(page);
      await page.waitForFunction((figure) => document.querySelector(`${figure} [data-map="y"] canvas`)?.width === 96, {}, FFN);
      const { zeros, color } = await page.$eval(`${FFN} [data-map="a"] canvas`, (canvas) => {
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.setProperty("color", "var(--fn-relu)");
        const wanted = getComputedStyle(probe).color.match(/\d+/g).map(Number);
        probe.remove();
        let count = 0;
        for (let i = 0; i < data.length; i += 4)
          if (wanted.every((channel, k) => Math.abs(channel - data[i + k]) <= 1)) count += 1;
        return { zeros: count, color: wanted };
      });
      assert.ok(Math.abs(zeros / 3072 - 0.5) < 0.05, `${zeros} pixels of ${color}`);
      const map = await page.$(`${FFN} [data-map="z"] canvas`);
      await map.scrollIntoView();
      const { x, y, width, height } = await map.boundingBox();
      await page.mouse.move(x + (10.5 / 96) * width, y + (2.5 / 32) * height);
      assert.equal(await name(page), "token 1, hidden unit 203");
      await assertAddsUp(page, "pointed at");
      await press(page, 'input[value="backward"]');
      await page.waitForFunction(
        (figure) => document.querySelector(`${figure} [data-map="dw1"] canvas`)?.width === 768,
        { timeout: 15_000 },
        FFN,
      );
      await assertAddsUp(page, "backward");
    }));

  test("time is measured when asked, says least and most, and belongs to what was measured", () =>
    site.visit("#ffn", async (page) => {
      assert.equal(await page.$(`${FFN} [data-readout="time.alone"]`), null);
      await press(page, '[data-control="ffn.measure"]');
      await page.waitForSelector(`${FFN} [data-readout="time.alone"]`, { timeout: 20_000 });
      const got = await readouts(page, FFN);
      for (const each of ["time.alone", "time.together", "time.activation"]) assert.ok(got[each] > 0, `${each} ${got[each]}`);
      // One token at a time pays for every call.
      assert.ok(got["time.together"] < got["time.alone"]);
      await slide(page, "hidden", 20);
      assert.equal(await page.$(`${FFN} [data-readout="time.alone"]`), null);
    }));
});

describe("what may fail, and what is taken away", () => {
  test("where the kernels do not come the figure says so, and tries again", async () => {
    const { page, complaints } = await openPage(site.browser, { language: "en" });
    try {
      let isDown = true;
      await page.setRequestInterception(true);
      page.on("request", (request) => (isDown && /networks-/.test(request.url()) ? request.abort() : request.continue()));
      await page.goto(`${site.address}#ffn`);
      await page.waitForSelector(`${FFN}[data-state="ready"]`);
      await pick(page, "preset", "bert");
      await page.waitForSelector(`${FFN}[data-state="error"]`);
      assert.match(await page.$eval(`${FFN} .fig-error`, (box) => box.innerText), /networks-/);
      isDown = false;
      await press(page, ".fig-error button");
      await page.waitForFunction(
        (figure) => document.querySelector(`${figure} [data-readout="zeros.relu"]`),
        { timeout: 15_000 },
        FFN,
      );
      assert.equal(await page.$eval(FFN, (figure) => figure.dataset.state), "ready");
      assert.ok(
        complaints.every((line) => /networks-|ERR_FAILED/.test(line)),
        complaints.join("\n"),
      );
    } finally {
      await page.close();
    }
  });

  test("where the script of the matrices does not come the figure says so, and the next press brings them", async () => {
    const { page } = await openPage(site.browser, { language: "en" });
    const line = await holdLine(page, /\/pressed-/);
    line.isDown = true;
    await page.goto(`${site.address}#ffn`);
    await page.waitForSelector(`${FFN}[data-state="ready"]`);
    await press(page, 'input[value="matrices"]');
    await page.waitForSelector(`${FFN}[data-state="error"]`);
    assert.match(await page.$eval(`${FFN} .fig-error`, (box) => box.innerText), /assets\/pressed-\w+\.js/);
    assert.equal(await page.$eval(`${FFN} .net`, (network) => network.checkVisibility()), true);
    line.isDown = false;
    await press(page, ".fig-error button");
    await page.waitForSelector(`${FFN} table[data-matrix="y"]`, { timeout: 3000 });
    assert.equal(await page.$eval(FFN, (figure) => figure.dataset.state), "ready");
    await page.close();
  });

  test("over a slow line the network stays until the matrices come; pressed back and forth they come once", async () => {
    const { page } = await openPage(site.browser, { language: "en" });
    const line = await holdLine(page, /\/pressed-/);
    line.isHeld = true;
    await page.goto(`${site.address}#ffn`);
    await page.waitForSelector(`${FFN}[data-state="ready"]`);
    for (const view of ["matrices", "network", "matrices"]) await press(page, `input[value="${view}"]`);
    assert.equal(await page.$eval(`${FFN} .net`, (network) => network.checkVisibility()), true);
    await assertAddsUp(page, "meanwhile");
    const waits = () =>
      page.$$eval(`${FFN} [lang="en"]`, (all) => all.some((words) => words.checkVisibility() && words.innerText === "Loading."));
    await page.waitForFunction(
      (figure) =>
        [...document.querySelectorAll(`${figure} [lang="en"]`)].some(
          (words) => words.checkVisibility() && words.innerText === "Loading.",
        ),
      { timeout: 3000 },
      FFN,
    );
    line.release();
    await page.waitForSelector(`${FFN} table[data-matrix="y"]`, { timeout: 3000 });
    assert.equal(await waits(), false);
    assert.equal(await page.$$eval(`${FFN} .mats`, (all) => all.length), 1);
    assert.equal(await page.$eval(`${FFN} .net`, (network) => network.checkVisibility()), false);
    await page.close();
  });

  test("an address with the matrices has them when the figure is there, and says what did not come", async () => {
    const { page } = await openPage(site.browser, { language: "en" });
    const line = await holdLine(page, /\/pressed-/);
    line.isDown = true;
    await page.goto(`${site.address}?ffn.view=matrices#ffn`);
    await page.waitForSelector(`${FFN}[data-state="error"]`);
    assert.match(await page.$eval(`${FFN} .fig-error`, (box) => box.innerText), /assets\/pressed-\w+\.js/);
    line.isDown = false;
    await press(page, ".fig-error button");
    await page.waitForSelector(`${FFN}[data-state="ready"]`);
    assert.equal((await matrix(page, "y")).length, 8);
    await page.close();
  });

  test("the CSV of the matrices holds every number of both passes", () =>
    site.visit(
      "?ffn.d=2&ffn.hidden=3&ffn.tokens=2&ffn.view=matrices#ffn",
      async (page) => {
        const { text } = await fileBy(page, () => press(page, '[data-tool="ffn.csv"]'));
        const [head, ...rows] = text
          .replace("\ufeff", "")
          .trim()
          .split("\r\n")
          .map((line) => line.split(","));
        assert.deepEqual(head, ["matrix", "row", "column", "value"]);
        const z = rows.filter(([of]) => of === "z").map(([, , , value]) => Number(value));
        assert.deepEqual(z, (await matrix(page, "z")).flat());
        // x, y, dx, dy: 2 × 2; z, a, da, dz: 2 × 3; weights and their gradients: 6 each.
        assert.equal(rows.length, 4 * 4 + 4 * 6 + 4 * 6);
      },
      { before: catchFiles },
    ));
});
