/** Figure `dead` in the page: the story at once, a run of one's own, replays, stops, and what it does not do unasked. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { figuresReady, openPage } from "./browser.mjs";
import { holdLine } from "./line.mjs";
import { addressSettled, useSite } from "./visit.mjs";

const DEAD = 'figure[data-figure="dead"]';
/** Milliseconds for a run: a machine that does much else trains slowly. */
const LONG = 120_000;
const site = useSite(["ffn"]);

const value = (page, name) => page.$eval(`${DEAD} [data-readout="${name}"]`, (output) => Number(output.dataset.value));
const press = (page, action) => page.$eval(`${DEAD} [data-action="${action}"]`, (button) => button.click());
const text = (page, selector) => page.$eval(`${DEAD} ${selector}`, (element) => element.textContent);

/** Asks the page again and again: one long question would outlast the connection's patience. */
async function until(page, predicate, ...args) {
  for (const end = Date.now() + LONG; Date.now() < end; ) {
    if (await page.evaluate(predicate, ...args)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`not in ${LONG / 1000} s: ${predicate}`);
}

/** Until a run has come so far, computed by the page. */
const reached = (page, epoch) =>
  until(
    page,

    (figure, wanted) => {
      const computed = /Computed in this page|在这个页面里/.test(document.querySelector(`${figure} .dead-run .help`).textContent);
      return computed && Number(document.querySelector(`${figure} [data-readout="dead.progress"]`).dataset.value) >= wanted;
    },
    DEAD,
    epoch,
  );

const scrollTo = (page) => page.$eval(DEAD, (figure) => figure.scrollIntoView({ behavior: "instant" }));

/** Crosses that are drawn in a function's grid. */
const crosses = (page, fn) =>
  page.$eval(`${DEAD} .dead-grid path.unit-off[data-fn="${fn}"]`, (path) => (path.getAttribute("d").match(/M/g) ?? []).length);

/** Every number of the figure, as a string to compare. */
const numbers = (page) =>
  page.$$eval(`${DEAD} output`, (outputs) =>
    outputs.map((output) => `${output.dataset.readout}=${output.dataset.value}`).join("\n"),
  );

describe("before anything is pressed", () => {
  test("the run of the build stands there, says so, and nothing is loaded for it", async () => {
    await site.visit("?lang=en#ffn-dead", async (page) => {
      assert.match(await text(page, ".dead-run .help"), /^Computed beforehand, by the same kernels: 4 epochs/);
      assert.equal(await value(page, "dead.progress"), 24);
      for (const fn of ["gelu", "relu", "sigmoid", "silu", "leaky_relu"]) {
        const off = await value(page, `dead.${fn}-off`);
        assert.equal(await crosses(page, fn), off);
        assert.equal(await value(page, fn), off / 32);
      }
      assert.ok((await value(page, "dead.relu-off")) >= 10);
      assert.equal(await value(page, "dead.gelu-off"), 0);
      const loaded = await page.$$eval("script[src]", (scripts) => scripts.map((script) => script.src).join());
      assert.doesNotMatch(loaded, /networks|digits/);
    });
  });

  test("keys move the epoch; readouts, grid and address go with it", async () => {
    await site.visit("?lang=en#ffn-dead", async (page) => {
      await page.focus(`${DEAD} input[name="dead.epoch"]`);
      const before = await value(page, "dead.relu-off");
      await page.keyboard.press("ArrowLeft");
      assert.ok((await value(page, "dead.relu-off")) < before);
      await page.keyboard.press("End");
      assert.equal(await page.$eval(`${DEAD} input[name="dead.epoch"]`, (input) => input.value), "24");
      assert.match(await addressSettled(page), /dead\.epoch=24/);
    });
  });

  test("another input: another digit, other squares, the same crosses", async () => {
    await site.visit("?lang=en&dead.epoch=3#ffn-dead", async (page) => {
      const marks = () => page.$eval(`${DEAD} .dead-grid path.unit-on[data-fn="relu"]`, (path) => path.getAttribute("d"));
      const [before, off] = [await marks(), await crosses(page, "relu")];
      const said = await text(page, ".dead-input p");
      await press(page, "deadNextInput");
      assert.notEqual(await marks(), before);
      assert.equal(await crosses(page, "relu"), off);
      assert.notEqual(await text(page, ".dead-input p"), said);
    });
  });
});

describe("a run of one's own", () => {
  test("trains, pauses, is pushed, goes on; a reload shows the same numbers", async () => {
    let address = "";
    let shown = "";
    await site.visit("?lang=en#ffn-dead", async (page) => {
      await scrollTo(page);
      await press(page, "train");
      await reached(page, 3);
      assert.equal(await text(page, '[data-action="train"]'), "暂停Pause");
      await press(page, "train");
      // An epoch that has begun is finished.
      let at = Number.NaN;
      for (let before = -1; before !== at; await new Promise((resolve) => setTimeout(resolve, 400))) {
        before = at;
        await until(
          page,

          (figure) => {
            const trained = Number(new URLSearchParams(location.search).get("dead.trained"));
            return (
              trained > 0 && trained === Number(document.querySelector(`${figure} [data-readout="dead.progress"]`)?.dataset.value)
            );
          },
          DEAD,
        );
        at = await value(page, "dead.progress");
      }
      const before = await value(page, "dead.relu-off");
      await press(page, "deadPushNow");
      await until(
        page,

        (figure, old) => Number(document.querySelector(`${figure} [data-readout="dead.relu-off"]`)?.dataset.value) > old,
        DEAD,
        before,
      );
      assert.equal(await value(page, "dead.progress"), at, "a push is no epoch");
      await press(page, "oneEpoch");
      await reached(page, at + 1);
      address = await addressSettled(page);
      assert.match(address, new RegExp(`dead.epoch=${at + 1}&dead.run=own&dead.trained=${at + 1}&dead.pushes=${at},4`));
      shown = await numbers(page);
    });
    await site.visit(`${address}#ffn-dead`, async (page) => {
      await scrollTo(page);
      await reached(page, Number(new URLSearchParams(address).get("dead.trained")));
      await until(
        page,

        (figure, wanted) => {
          const now = [...document.querySelectorAll(`${figure} output`)].map(
            (output) => `${output.dataset.readout}=${output.dataset.value}`,
          );
          return now.join("\n") === wanted;
        },
        DEAD,
        shown,
      );
    });
  });

  test("reset brings the story back, and stops", async () => {
    await site.visit("?lang=en#ffn-dead", async (page) => {
      await scrollTo(page);
      const before = await numbers(page);
      await press(page, "train");
      await reached(page, 2);
      await page.$eval(`${DEAD} [data-tool="reset"]`, (tool) => tool.click());
      assert.equal(await numbers(page), before);
      await new Promise((resolve) => setTimeout(resolve, 600));
      assert.equal(await numbers(page), before);
      assert.equal(await addressSettled(page), "?lang=en");
    });
  });

  test("rests while nobody sees it", async () => {
    await site.visit("?lang=en#ffn-dead", async (page) => {
      await scrollTo(page);
      await press(page, "train");
      await reached(page, 1);
      await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
      await new Promise((resolve) => setTimeout(resolve, 700));
      const rested = await value(page, "dead.progress");
      await new Promise((resolve) => setTimeout(resolve, 700));
      assert.equal(await value(page, "dead.progress"), rested);
      await scrollTo(page);
      await reached(page, rested + 1);
    });
  });

  test("trains without workers, in short turns", async () => {
    await site.visit(
      "?lang=en#ffn-dead",
      async (page) => {
        await scrollTo(page);
        await press(page, "oneEpoch");
        await reached(page, 1);
        assert.ok((await value(page, "relu-accuracy")) > 0.5);
      },
      {
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            window.Worker = class {
              constructor() {
                throw new Error("no workers here");
              }
            };
          }),
      },
    );
  });
});

describe("other states of the story", () => {
  test("a deeper push is computed by the page; the sentence follows the numbers", async () => {
    await site.visit("?lang=en&dead.delta=6&dead.epoch=24#ffn-dead", async (page) => {
      await scrollTo(page);
      await reached(page, 24);
      assert.equal(await value(page, "dead.relu-off"), 32);
      const [back, turned] = [await value(page, "dead.relu-back"), await value(page, "dead.relu-turned")];
      assert.ok((await text(page, ".dead-text")).includes(`ReLU ${back} of ${turned}`));
    });
  });

  test("an overflow names the function and the step", async () => {
    await site.visit("?lang=en&dead.delta=0&dead.rate=0.5&dead.optimizer=sgd&dead.fns=relu#ffn-dead", async (page) => {
      await scrollTo(page);
      await until(
        page,

        (figure) =>
          /^ReLU stopped at step \d+: a loss or a weight was no longer finite/.test(
            document.querySelector(`${figure} .dead-text`).textContent,
          ),
        DEAD,
      );
      assert.equal(await page.$eval(DEAD, (figure) => figure.dataset.state), "ready");
    });
  });

  test("where the script that trains does not load the run of before stays, the reason stands above it, another press trains", async () => {
    const { page } = await openPage(site.browser, { language: "en" });
    const line = await holdLine(page, /\/pressed-/);
    line.isDown = true;
    await page.goto(`${site.address}?lang=en#ffn-dead`);
    await figuresReady(page);
    await scrollTo(page);
    const before = await numbers(page);
    await press(page, "oneEpoch");
    await until(
      page,
      (figure) =>
        /Failed: try again \(.*assets\/pressed-\w+\.js\)/.test(
          document.querySelector(`${figure} .dead-run [role="alert"]`).textContent,
        ),
      DEAD,
    );
    assert.equal(await numbers(page), before);
    assert.match(await text(page, ".dead-run .help"), /^Computed beforehand/);
    assert.equal(await page.$eval(DEAD, (figure) => figure.dataset.state), "ready");
    line.isDown = false;
    await press(page, "oneEpoch");
    await reached(page, 1);
    await page.close();
  });

  test("every unit in numbers: exact slopes, computed when they are asked for", async () => {
    await site.visit("?lang=en#ffn-dead", async (page) => {
      await scrollTo(page);
      const off = await value(page, "dead.relu-off");
      await page.$eval(`${DEAD} .dead-details`, (details) => {
        details.open = true;
      });
      await reached(page, 24);
      const slopes = await page.$$eval(`${DEAD} .dead-numbers tbody tr`, (rows) =>
        rows.map((row) => row.children[5].textContent),
      );
      assert.equal(slopes.length, 32);
      assert.equal(slopes.filter((slope) => slope === "0").length, off);
      assert.equal(await value(page, "dead.relu-off"), off, "the same run");
    });
  });

  test("Chinese speaks Chinese", async () => {
    await site.visit("?lang=zh#ffn-dead", async (page) => {
      assert.match(await text(page, ".dead-text"), /^这一推/);
      assert.match(await text(page, ".dead-run .help"), /^事先/);
      assert.match(await text(page, ".dead-input p"), /手写的 3/);
    });
  });
});
