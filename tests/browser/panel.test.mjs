/** The figures that are not plots: models to filter and sort, the table of any x, and the check of a reader's own values. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages are in the page, and one of them is hidden
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { models } from "../../web/content/models.js";
import { figuresReady, openPage, settled } from "./browser.mjs";
import { catchFiles, clickIn, fileBy } from "./files.mjs";
import { holdLine } from "./line.mjs";
import { truth } from "./oracle.mjs";
import { clickInput, readouts } from "./reading.mjs";
import { useSite } from "./visit.mjs";

const MODELS = 'figure[data-figure="models"]';
const TABLE = 'figure[data-figure="table"]';
const MESSAGE = `${TABLE} .check [role="alert"]`;
const XS = `${TABLE} textarea[name="table.xs"]`;
const TEXT = `${TABLE} textarea[name="check-text"]`;

const site = useSite(["code", "applications"]);

/**
 * Opens the page, uses it, and accepts no complaint. What would be downloaded is kept.
 * @param {string} path
 * @param {(page: import("puppeteer-core").Page) => Promise<void>} use
 * @param {Parameters<typeof site.visit>[2]} [options]
 */
const withPage = (path, use, options) => site.visit(path, use, { before: catchFiles, ...options });

/** The visible text of each cell of a table, row by row. */
const cells = (page, table) =>
  page.$$eval(`${table} tbody tr`, (rows) => rows.map((row) => [...row.children].map((cell) => cell.innerText.trim())));

const names = async (page) => (await cells(page, MODELS)).map(([name]) => name);
const queryHolding = (page, part) =>
  page
    .waitForFunction((text) => location.search.includes(text), { timeout: 1000 }, part)
    .then(() => page.evaluate(() => location.search));

async function type(page, field, text) {
  await page.focus(field);
  await page.$eval(field, (element) => element.select());
  await page.keyboard.press("Backspace");
  await page.keyboard.type(text);
}

/**
 * With a say in whether, and when, the script of what only a press needs comes.
 * @param {(page: import("puppeteer-core").Page, line: Awaited<ReturnType<typeof holdLine>>) => Promise<void>} use
 */
async function withLine(use) {
  const { page } = await openPage(site.browser, { language: "en", width: 1280, height: 800 });
  const line = await holdLine(page, /\/pressed-/);
  await page.goto(site.address);
  await figuresReady(page);
  await use(page, line);
  await page.close();
}

/** The first answer of the check comes with a script of its own; from then on they come at once. */
const firstAnswer = (page) => page.waitForSelector(`${TABLE} .results:not([hidden])`, { timeout: 3000 });

/** As pasting does: all at once. */
const paste = (page, field, text) =>
  page.$eval(
    field,
    (element, value) => {
      element.value = value;
      element.dispatchEvent(new Event("input", { bubbles: true }));
    },
    text,
  );

/** @returns {Promise<string[]>} file name and text of what a button saves */
async function savedBy(page, selector) {
  const { name, text } = await fileBy(page, () => clickIn(page)(selector));
  return [name, text];
}

describe("models", () => {
  const where = (test) => models.filter(test);
  const counts = (shown) =>
    Object.fromEntries([
      ["models.shown", shown.length],
      ...["gelu", "gelu_tanh", "gelu_sigmoid", "relu", "silu"].map((id) => [
        `models.${id}`,
        shown.filter(({ activation }) => activation === id).length,
      ]),
    ]);

  async function assertShows(page, shown, label) {
    assert.deepEqual(
      await names(page),
      shown.map(({ name }) => name),
      label,
    );
    assert.deepEqual(await readouts(page, MODELS), counts(shown), label);
  }

  test("all of them, in the order of years, each with its function, note and source", () =>
    withPage("", async (page) => {
      await assertShows(page, models, "at first");
      const rows = await cells(page, MODELS);
      const links = await page.$$eval(`${MODELS} tbody a`, (anchors) => anchors.map(({ href }) => href));
      const words = await page.$$eval(`${MODELS} tbody .fn`, (spans) => spans.map((span) => span.dataset.fn));
      models.forEach(({ name, year, activation, gated, note, source }, i) => {
        assert.deepEqual([rows[i][0], rows[i][2], rows[i][4], rows[i][5]], [name, String(year), note.en, source.text]);
        assert.equal(words[i], activation, name);
        assert.equal(rows[i][1].includes("gated"), gated, name);
        assert.equal(links[i], source.url);
      });
    }));

  test("filters by form, kind and gate, together", () =>
    withPage("", async (page) => {
      await page.select(`${MODELS} select[name="models.activation"]`, "relu");
      await assertShows(
        page,
        where(({ activation }) => activation === "relu"),
        "ReLU",
      );
      await page.select(`${MODELS} select[name="models.kind"]`, "decoder");
      await assertShows(
        page,
        where(({ activation, kind }) => activation === "relu" && kind === "decoder"),
        "ReLU, decoder",
      );
      await page.select(`${MODELS} select[name="models.activation"]`, "all");
      await clickInput(page, `${MODELS} input[name="models.gate"][value="gated"]`);
      const gated = where(({ gated, kind }) => gated && kind === "decoder");
      await assertShows(page, gated, "gated decoders");
      const [name, csv] = await savedBy(page, `${MODELS} [data-tool="csv"]`);
      assert.equal(name, "gelu-models.csv");
      const lines = csv.replace("\ufeff", "").trimEnd().split("\r\n");
      assert.equal(lines[0], "model,year,kind,activation,gated,note,source,url");
      assert.deepEqual(
        lines.slice(1).map((line) => line.split(",")[0]),
        gated.map((model) => model.name),
      );
      await page.select(`${MODELS} select[name="models.kind"]`, "vision");
      assert.match((await cells(page, MODELS))[0][0], /No model/);
      assert.equal((await readouts(page, MODELS))["models.shown"], 0);
      await page.click(`${MODELS} [data-tool="reset"]`);
      await assertShows(page, models, "reset");
    }));

  test("sorts by name and year, by the keyboard too", () =>
    withPage("", async (page) => {
      const button = (column) => `${MODELS} th[data-column="${column}"] button`;
      const sorting = () =>
        page.$$eval(`${MODELS} th[aria-sort]`, (heads) => heads.map((head) => `${head.dataset.column} ${head.ariaSort}`));
      const byName = models.map(({ name }) => name).sort((a, b) => a.localeCompare(b, "en"));
      assert.deepEqual(await sorting(), ["name none", "year ascending"]);
      await page.focus(button("name"));
      await page.keyboard.press("Enter");
      assert.deepEqual(await names(page), byName);
      assert.deepEqual(await sorting(), ["name ascending", "year none"]);
      // The button is still there and has the focus.
      await page.keyboard.press(" ");
      assert.deepEqual(await names(page), byName.reverse());
      assert.deepEqual(await sorting(), ["name descending", "year none"]);
      await page.click(button("year"));
      await page.click(button("year"));
      const years = (await cells(page, MODELS)).map(([, , year]) => Number(year));
      assert.deepEqual(
        years,
        [...years].sort((a, b) => b - a),
      );
      await page.focus(`${MODELS} input[name="models.gate"]:checked`);
      await page.keyboard.press("ArrowRight");
      assert.equal((await readouts(page, MODELS))["models.shown"], where(({ gated }) => gated).length);
      await page.keyboard.press("ArrowRight");
      assert.equal((await readouts(page, MODELS))["models.shown"], where(({ gated }) => !gated).length);
      await page.focus(`${MODELS} select[name="models.activation"]`);
      await page.keyboard.type("SiLU");
      await page.keyboard.press("ArrowUp");
      const picked = await page.$eval(`${MODELS} select[name="models.activation"]`, (select) => select.value);
      assert.equal(picked, "relu");
    }));

  test("the address keeps it, and a switch of language or theme too", () =>
    withPage("?models.activation=gelu_tanh&models.sort=name", async (page) => {
      const tanh = where(({ activation }) => activation === "gelu_tanh").sort((a, b) => a.name.localeCompare(b.name, "en"));
      await assertShows(page, tanh, "from the address");
      await page.select(`${MODELS} select[name="models.kind"]`, "vision");
      const shown = tanh.filter(({ kind }) => kind === "vision");
      await clickInput(page, '.switches input[name="lang"][value="zh"]');
      await clickInput(page, '.switches input[name="theme"][value="dark"]');
      await assertShows(page, shown, "in Chinese, dark");
      assert.equal((await cells(page, MODELS))[0][4], shown[0].note.zh);
      const option = await page.$eval(`${MODELS} select[name="models.kind"]`, (select) => select.selectedOptions[0].textContent);
      assert.equal(option, "视觉");
      const query = await queryHolding(page, "theme=dark");
      for (const part of ["lang=zh", "models.kind=vision", "models.activation=gelu_tanh", "models.sort=name"])
        assert.ok(query.includes(part), `${part} in ${query}`);
      await page.reload();
      await figuresReady(page);
      await assertShows(page, shown, "after a reload");
    }));
});

/** What gelu-table prints for the same x, with the page's minus sign. */
function printed(...xs) {
  const program = fileURLToPath(new URL("../../build/gelu-table", import.meta.url));
  const output = execFileSync(program, ["--lang", "en", "--", ...xs], { encoding: "utf8" });
  return output
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.replaceAll("-", "−").split("\t"));
}

describe("the table", () => {
  const table = (page) => cells(page, `${TABLE} .panel > .grid-box`);

  test("is gelu-table's, for the default and for any x that is typed", () =>
    withPage("", async (page) => {
      assert.deepEqual(await table(page), printed("-3", "-1", "-0.5", "0", "0.5", "1", "3"));
      for (const [text, xs] of [
        ["-2 −0.75179; 2.27,10", ["-2", "-0.75179", "2.27", "10"]],
        ["0.125\n1e-7\n-40", ["0.125", "0.0000001", "-40"]],
        ["1e6；-5.54，.25", ["1000000", "-5.54", "0.25"]],
      ]) {
        await type(page, XS, text);
        assert.deepEqual(await table(page), printed(...xs), text);
        assert.equal(await page.$eval(XS, (field) => field.getAttribute("aria-invalid")), "false");
      }
      const [name, csv] = await savedBy(page, `${TABLE} [data-tool="csv"]`);
      assert.equal(name, "gelu-table.csv");
      const [head, ...lines] = csv.replace("\ufeff", "").trimEnd().split("\r\n");
      assert.equal(head, "x,gelu,gelu_tanh,absolute_error,relu");
      const [x, exact, tanh] = lines[2].split(",").map(Number);
      assert.equal(x, 0.25);
      assert.ok(Math.abs(exact - truth("gelu", x)) < 1e-15 && Math.abs(tanh - truth("gelu_tanh", x)) < 1e-15);
    }));

  test("names beside the field what it cannot read, and keeps the rest", () =>
    withPage("", async (page) => {
      const message = () => page.$eval(`${TABLE} .ctl-list .help`, (help) => (help.checkVisibility() ? help.innerText : ""));
      await type(page, XS, "1 abc 2 <b>x</b> 3e9");
      assert.deepEqual(await table(page), printed("1", "2"));
      assert.match(await message(), /abc, <b>x<\/b>/);
      assert.match(await message(), /10⁶.*3e9/);
      assert.equal(
        await page.$eval(XS, (field) => document.getElementById(field.getAttribute("aria-describedby")) !== null),
        true,
      );
      await paste(page, XS, Array.from({ length: 70 }, (_, i) => i).join(" "));
      assert.equal((await table(page)).length, 60);
      assert.match(await message(), /60.*10/);
      await paste(page, XS, "nothing here");
      assert.equal((await table(page)).length, 60);
      assert.match(await message(), /stays as it was/);
      await type(page, XS, "7");
      assert.equal(await message(), "");
      assert.deepEqual(await table(page), printed("7"));
    }));

  test("the address keeps it, a switch of language or theme too, reset gives it back", () =>
    withPage("?table.xs=-1,0.25&table.format=float16&table.order=1", async (page) => {
      assert.deepEqual(await table(page), printed("-1", "0.25"));
      await type(page, XS, "-2.5 4");
      await paste(page, TEXT, "1,1.083");
      await firstAnswer(page);
      const before = await readouts(page, TABLE);
      await clickInput(page, '.switches input[name="lang"][value="zh"]');
      await clickInput(page, '.switches input[name="theme"][value="dark"]');
      assert.deepEqual(await table(page), printed("-2.5", "4"));
      assert.deepEqual(await readouts(page, TABLE), before);
      assert.equal(await page.$eval(TEXT, (field) => field.value), "1,1.083");
      const query = await queryHolding(page, "theme=dark");
      for (const part of ["table.xs=-2.5,4", "table.format=float16", "table.order=1"]) assert.ok(query.includes(part), query);
      assert.ok(!query.includes("1.083"));
      await page.reload();
      await figuresReady(page);
      assert.deepEqual(await table(page), printed("-2.5", "4"));
      assert.equal(await page.$eval(`${TABLE} input[value="float16"]`, (input) => input.checked), true);
      await page.click(`${TABLE} [data-tool="reset"]`);
      assert.equal((await table(page)).length, 7);
      assert.equal(await page.$eval(XS, (field) => field.value.split(/\s+/).length), 7);
    }));
});

describe("check your own", () => {
  const compared = (page) => cells(page, `${TABLE} .results`);
  const summary = async (page) => {
    const all = await readouts(page, TABLE);
    return Object.fromEntries(["rows", "worst", "worstAt", "within", "same", "unread"].map((key) => [key, all[`check.${key}`]]));
  };
  const ask = (page, key, value) => clickInput(page, `${TABLE} input[name="table.${key}"][value="${value}"]`);

  test("the example: 4 % off at −5, nothing left beyond −5.54", () =>
    withPage("?table.fn=gelu_tanh&table.format=float64&table.order=1", async (page) => {
      assert.equal(await page.$eval(`${TABLE} .results`, (results) => results.checkVisibility()), false);
      await page.click(`${TABLE} [data-tool="pasteExample"]`);
      await firstAnswer(page);
      const rows = await compared(page);
      const numbers = await summary(page);
      assert.equal(numbers.rows, 45);
      assert.equal(rows.length, 45);
      assert.equal(numbers.unread, 0);
      const row = (x) => rows.find(([shown]) => shown === x);
      assert.match(row("−5")[5], /^3\.97\s?%$/);
      for (const x of ["−5.75", "−6", "−8"]) {
        assert.equal(row(x)[1], "0");
        assert.match(row(x)[5], /^100\.0\s?%$/);
      }
      // The worst: all of GELU(x) is missing, in units of its last place.
      const wrong = Math.abs(Math.fround(truth("gelu", numbers.worstAt)));
      assert.equal(numbers.worst, wrong / 2 ** (Math.floor(Math.log2(wrong)) - 23));
      assert.equal(await page.$eval(`${TABLE} input[value="float32"]`, (input) => input.checked), true);
      const [name, csv] = await savedBy(page, `${TABLE} [data-tool="comparisonCsv"]`);
      assert.equal(name, "gelu-check-gelu-float32.csv");
      assert.equal(csv.trimEnd().split("\r\n").length, 46);
    }));

  test("each function, order and format against independent values", () =>
    withPage("", async (page) => {
      const round = { float64: (x) => x, float32: Math.fround, float16: (x) => Math.round(x * 2048) / 2048 };
      const ulp = { float64: 2 ** -53, float32: 2 ** -24, float16: 2 ** -11 };
      for (const [fn, order, format] of [
        ["gelu", 0, "float64"],
        ["gelu_tanh", 0, "float32"],
        ["gelu_sigmoid", 0, "float16"],
        ["gelu", 1, "float32"],
        ["gelu_sigmoid", 1, "float64"],
      ]) {
        await ask(page, "fn", fn);
        await ask(page, "order", String(order));
        await ask(page, "format", format);
        // A value of ½ to 1, which in every format is some steps away.
        const x = order === 0 ? 0.875 : 0.25;
        const theirs = 0.6875;
        await paste(page, TEXT, `${x},${theirs}`);
        await firstAnswer(page);
        const want = round[format](truth(fn, x, order));
        const { rows, worst, worstAt, within, same } = await summary(page);
        assert.deepEqual([rows, worstAt, within, same], [1, x, 0, 0], `${fn} ${order} ${format}`);
        const steps = Math.abs(theirs - want) / ulp[format];
        assert.ok(Math.abs(worst - steps) <= (format === "float64" ? 8 : 0), `${fn} ${order} ${format}: ${worst}, want ${steps}`);
      }
    }));

  test("the worst come first, what cannot be read is named by its line, the rest is kept", () =>
    withPage("", async (page) => {
      await paste(page, TEXT, "x,gelu\n1,0.84134475\nabc,1\n2,nan\n3\n0.5,0.3457\n-1,<img src=x>\n0,0");
      await firstAnswer(page);
      const rows = await compared(page);
      assert.deepEqual(
        rows.map((row) => row[6]),
        ["4", "6", "2", "8"],
      );
      assert.deepEqual([rows[0][1], rows[0][3]], ["NaN", "differs"]);
      const { worst, worstAt, unread, same } = await summary(page);
      assert.deepEqual([worst, worstAt, unread], [Number.POSITIVE_INFINITY, 2, 3]);
      assert.equal(same, 2);
      const named = await page.$$eval(`${TABLE} .unread li`, (items) => items.map((item) => item.innerText));
      assert.match(named[0], /Line 3.*abc/);
      assert.match(named[1], /Line 5/);
      assert.match(named[2], /Line 7.*<img src=x>/);
      await page.click(`${TABLE} [data-tool="clear"]`);
      assert.equal(await page.$eval(`${TABLE} .results`, (results) => results.checkVisibility()), false);
    }));

  test("where no line can be read, the worst is a dash and no number", () =>
    withPage("", async (page) => {
      await paste(page, TEXT, "abc");
      await firstAnswer(page);
      const shown = await page.$$eval(`${TABLE} output[data-readout^="check.worst"]`, (outputs) =>
        outputs.map((output) => [output.checkVisibility(), output.textContent, output.dataset.value ?? null]),
      );
      assert.deepEqual(shown, Array(2).fill([true, "—", null]));
      await paste(page, TEXT, "1,0.5");
      assert.equal((await summary(page)).worstAt, 1);
    }));

  test("values alone belong to the x of the table; typed by the keyboard it is heard", () =>
    withPage("?table.xs=1,2", async (page) => {
      await page.focus(TEXT);
      await page.keyboard.type("0.8413447\n1.9544997\n5");
      await firstAnswer(page);
      assert.deepEqual((await compared(page)).map(([x]) => x).sort(), ["1", "2"]);
      assert.match(await page.$eval(`${TABLE} .unread`, (box) => box.innerText), /Line 3.*5/);
      await page.waitForFunction(() => /2 rows compared/.test(document.querySelector('#code [role="status"]').textContent));
      await paste(page, XS, "1 2 3");
      assert.equal((await summary(page)).rows, 3);
      // From the text on, Tab reaches the choices and the buttons.
      await page.focus(TEXT);
      const reached = [];
      for (let i = 0; i < 6; i++) {
        await page.keyboard.press("Tab");
        reached.push(await page.evaluate(() => document.activeElement.name || document.activeElement.dataset.tool));
      }
      assert.deepEqual(reached, ["table.fn", "table.order", "table.format", "pasteExample", "check-file", "clear"]);
    }));

  test("where its script does not load it says so beside the text, which stays, and the next letter or press tries again", () =>
    withLine(async (page, line) => {
      line.isDown = true;
      await paste(page, TEXT, "1,0.8413447");
      const told = () =>
        page.waitForFunction(
          (message) => /^Failed: try again \(.*pressed-\w+\.js\)$/.test(document.querySelector(message).innerText.trim()),
          { timeout: 3000 },
          MESSAGE,
        );
      await told();
      assert.equal(await page.$eval(`${TABLE} .results`, (results) => results.checkVisibility()), false);
      await clickIn(page)(`${TABLE} [data-tool="pasteExample"]`);
      await told();
      assert.equal(await page.$eval(TEXT, (field) => field.value), "1,0.8413447");
      line.isDown = false;
      await page.focus(TEXT);
      await page.keyboard.type("\n2,1.9544997");
      await firstAnswer(page);
      assert.equal((await summary(page)).rows, 2);
      assert.equal(await page.$eval(MESSAGE, (message) => message.checkVisibility()), false);
    }));

  test("over a slow line nothing typed or pressed is lost, and the last that was asked for counts", () =>
    withLine(async (page, line) => {
      line.isHeld = true;
      await clickIn(page)(`${TABLE} [data-tool="pasteExample"]`);
      await paste(page, TEXT, "1,0.8413447");
      await page.focus(TEXT);
      await page.keyboard.press("End");
      await page.keyboard.type("\n2,1.9544997");
      await line.asked();
      assert.equal(line.held.length, 1);
      await page.waitForFunction((message) => document.querySelector(message).innerText === "Loading.", {}, MESSAGE);
      line.release();
      await firstAnswer(page);
      assert.equal(await page.$eval(MESSAGE, (message) => message.checkVisibility()), false);
      assert.equal((await summary(page)).rows, 2);
      assert.equal(await page.$eval(TEXT, (field) => field.value), "1,0.8413447\n2,1.9544997");
    }));

  test("a file is read like pasted text, 10,000 lines at once, of which 200 are shown and all are saved", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gelu-check-"));
    try {
      const file = join(folder, "values.csv");
      const lines = Array.from({ length: 10000 }, (_, i) => `${i / 1000 - 5},${i % 7}`);
      await writeFile(file, `x,y\n${lines.join("\n")}\n`);
      await withPage("", async (page) => {
        const input = await page.$(`${TABLE} input[type="file"]`);
        await input.uploadFile(file);
        await page.waitForFunction(() => document.querySelector('output[data-readout="check.rows"]')?.dataset.value === "10000", {
          timeout: 5000,
        });
        assert.equal((await compared(page)).length, 200);
        const took = await page.evaluate((selector) => {
          const started = performance.now();
          document.querySelector(selector).click();
          return performance.now() - started;
        }, `${TABLE} input[name="table.format"][value="float64"]`);
        assert.ok(took < 1000, `${took} ms`);
        const [, csv] = await savedBy(page, `${TABLE} [data-tool="comparisonCsv"]`);
        assert.equal(csv.trimEnd().split("\r\n").length, 10001);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("at 360 px", () => {
  for (const language of ["zh", "en"]) {
    test(`wide tables scroll in their own boxes, whose first column stays (${language})`, () =>
      withPage(
        `?lang=${language}`,
        async (page) => {
          await page.$eval(`${TABLE} [data-tool="pasteExample"]`, (button) => button.click());
          await firstAnswer(page);
          await settled(page);
          const boxes = await page.$$eval("figure[data-kind=panel]", (figures) =>
            figures.flatMap((figure) =>
              [...figure.querySelectorAll(".grid-box")]
                .filter((box) => box.checkVisibility())
                .map((box) => {
                  box.scrollLeft = 120;
                  const { left, right } = box.getBoundingClientRect();
                  const head = box.querySelector("tbody th").getBoundingClientRect();
                  return { left, right, scrolled: box.scrollLeft, stays: Math.abs(head.left - left) < 1, tabindex: box.tabIndex };
                }),
            ),
          );
          assert.equal(boxes.length, 3);
          for (const { left, right, scrolled, stays, tabindex } of boxes) {
            assert.ok(left >= 0 && right <= 360, `from ${left} to ${right}`);
            assert.ok(scrolled > 0 && stays && tabindex === 0);
          }
          const beyond = await page.$$eval("figure[data-kind=panel] *", (elements) =>
            elements
              .filter((element) => element.checkVisibility() && !element.closest(".grid-box, .vh"))
              .filter((element) => element.getBoundingClientRect().right > 360.5)
              .map((element) => `${element.tagName} ${element.className}`),
          );
          assert.deepEqual(beyond, []);
        },
        { width: 360, height: 800, touch: true },
      ));
  }
});
