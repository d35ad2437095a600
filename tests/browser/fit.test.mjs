/** Figure `fit`: the errors it shows, the search that lands on the lesson's numbers, and every way to break it off. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages are in the page, and one of them is hidden
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { STRICT_CSP } from "../../web/build/policy.mjs";
import { figuresReady, openPage, serveSite, settled } from "./browser.mjs";
import { holdLine } from "./line.mjs";
import { truth } from "./oracle.mjs";
import { clickInput, pressX, readouts, setSlider, typeX } from "./reading.mjs";
import { addressSettled, useSite } from "./visit.mjs";

const FIT = 'figure[data-figure="fit"]';
const BUTTON = `${FIT} [data-control="fit.search"]`;
const K = `${FIT} input[name="gelu_sigmoid.k"]`;

const site = useSite(["sigmoid"]);
const gelu = await loadGelu();

const close = (got, want, relative, label) =>
  assert.ok(Math.abs(got - want) <= relative * Math.abs(want), `${label}: got ${got}, want ${want}`);

/** Of CONTENT.md. */
const BEST = {
  output: [{ k: 1.77293396561675 }, 1.39222454727585e-2],
  gate: [{ k: 1.701744925338 }, 9.45730917637e-3],
  cubic: [{ cubic: 0.0443829438167341 }, 3.87418738310608e-4],
  pair: [{ scale: 0.800157078548104, cubic: 0.0433676016405383 }, 2.70727474657973e-4],
};
const KEYS = { k: "gelu_sigmoid.k", cubic: "gelu_tanh.cubic", scale: "gelu_tanh.scale" };
const READOUT = { output: "output", gate: "gate", cubic: "tanh", pair: "tanh" };

/** Largest │f│ on [0, 8], by a fine walk. */
function largest(f) {
  let most = 0;
  for (let x = 0; x <= 8; x += 1e-3) most = Math.max(most, Math.abs(f(x)));
  return most;
}

const isRunning = (page) => page.$eval(`${FIT} .progress`, (element) => !element.hidden);
const ended = (page) => page.waitForFunction((s) => document.querySelector(s).hidden, { timeout: 15_000 }, `${FIT} .progress`);
const started = (page) =>
  page.waitForFunction((s) => Number(document.querySelector(s)?.dataset.value) > 2, { timeout: 5000 }, `${FIT} .progress output`);
const kOf = (page) => readouts(page, FIT).then((all) => all["gelu_sigmoid.k"]);
const press = (page) => page.$eval(BUTTON, (button) => button.click());

describe("what it shows", () => {
  test("before anything is touched: both errors at x, and how large they get", () =>
    site.visit("?x=-2.3", async (page) => {
      const got = await readouts(page, FIT);
      const output = (x, k = 1.702) => truth("gelu_sigmoid", x, 0, k) - truth("gelu", x);
      const gate = (x, k = 1.702) => truth("sigmoid", x, 0, k) - truth("normal_cdf", x);
      close(got.output, output(-2.3), 1e-9, "output");
      close(got.gate, gate(-2.3), 1e-9, "gate");
      close(got["output.max"], 2.03348722092392e-2, 1e-10, "largest of the output");
      close(got["gate.max"], largest(gate), 1e-5, "largest of the gate");
      assert.equal(got["best.k"], undefined);
      await setSlider(page, K, 1.5);
      const moved = await readouts(page, FIT);
      close(
        moved["output.max"],
        largest((x) => output(x, 1.5)),
        1e-5,
        "largest with another k",
      );
      close(moved.gate, gate(-2.3, 1.5), 1e-9, "gate with another k");
    }));

  test("the tanh form has sliders of its own, and only them", () =>
    site.visit("?x=2&fit.for=pair", async (page) => {
      const seen = () =>
        page.$$eval(`${FIT} .rng`, (inputs) => inputs.filter((input) => input.checkVisibility()).map(({ name }) => name));
      assert.deepEqual(await seen(), ["gelu_tanh.cubic", "gelu_tanh.scale"]);
      const got = await readouts(page, FIT);
      close(got.tanh, truth("gelu_tanh", 2) - truth("gelu", 2), 1e-7, "tanh");
      close(got["tanh.max"], 4.73235520687285e-4, 1e-10, "largest");
      assert.equal(got.output, undefined);
      await clickInput(page, `${FIT} [data-control="fit.for"] input[value="gate"]`);
      assert.deepEqual(await seen(), ["gelu_sigmoid.k"]);
    }));

  test("in a data table, and as a CSV of its columns", () =>
    site.visit("?fit.for=gate", async (page) => {
      await page.$eval(`${FIT} [data-tool="dataTable"]`, (button) => button.click());
      const head = await page.$$eval(`${FIT} .fig-table th[scope="col"]`, (cells) => cells.map((cell) => cell.innerText));
      assert.deepEqual(head, ["x", "x σ(kx) − GELU", "σ(kx) − Φ(x)"]);
      const rows = await page.$$eval(`${FIT} .fig-table tbody tr`, (all) =>
        all.map((row) => [...row.children].map((cell) => cell.innerText.replace("−", "-"))),
      );
      for (const [x, output] of rows.filter((row) => row[1].length < 9)) {
        assert.ok(Math.abs(Number(output) - (truth("gelu_sigmoid", Number(x)) - truth("gelu", Number(x)))) < 1e-6, `x = ${x}`);
      }
    }));
});

describe("the search", () => {
  for (const [name, [params, error]] of Object.entries(BEST)) {
    test(`for ${name} lands where the lesson says`, () =>
      site.visit(`?fit.for=${name}`, async (page) => {
        await press(page);
        await ended(page);
        const got = await readouts(page, FIT);
        for (const [parameter, value] of Object.entries(params)) {
          close(got[`best.${parameter}`], value, 1e-10, parameter);
          close(got[KEYS[parameter]], value, 1e-10, `slider of ${parameter}`);
        }
        close(got["best.error"], error, 1e-10, "error");
        close(got[`${READOUT[name]}.max`], error, 1e-10, "the figure's own maximum");
        const query = new URLSearchParams(await addressSettled(page));
        for (const [parameter, value] of Object.entries(params)) close(Number(query.get(KEYS[parameter])), value, 1e-10, "link");
        assert.match(await page.$eval(BUTTON, (button) => button.innerText), /Search/);
      }));
  }

  test("the best k for the gate is not the best for the output, and each leaves the other lopsided", () =>
    site.visit("", async (page) => {
      const found = {};
      for (const name of ["gate", "output"]) {
        await clickInput(page, `${FIT} [data-control="fit.for"] input[value="${name}"]`);
        await press(page);
        await ended(page);
        found[name] = await readouts(page, FIT);
      }
      assert.ok(found.output["best.k"] - found.gate["best.k"] > 0.07);
      assert.ok(found.gate["output.max"] > 1.4 * found.output["output.max"]);
      assert.ok(found.output["gate.max"] > 1.8 * found.gate["gate.max"]);
    }));

  test("keeps a scale that the reader has set, where only the cubic is free", () =>
    site.visit("?fit.for=cubic&gelu_tanh.scale=0.81", async (page) => {
      await press(page);
      await ended(page);
      const got = await readouts(page, FIT);
      assert.equal(got["gelu_tanh.scale"], 0.81);
      const other = (cubic) => {
        let most = 0;
        for (let x = 0; x <= 8; x += 1e-3) {
          const gate = 1 / (1 + Math.exp(-2 * 0.81 * (x + cubic * x ** 3)));
          most = Math.max(most, Math.abs(x * gate - truth("gelu", x)));
        }
        return most;
      };
      const best = got["best.cubic"];
      close(got["best.error"], other(best), 1e-5, "error");
      assert.ok(other(best * 1.001) > other(best) && other(best * 0.999) > other(best));
      // The best of one scale says nothing about another.
      await setSlider(page, `${FIT} input[name="gelu_tanh.scale"]`, 0.9);
      assert.equal((await readouts(page, FIT))["best.cubic"], undefined);
    }));

  for (const calm of [false, true]) {
    test(`by the keyboard${calm ? ", without motion" : ""}: the focus stays, the status line says the result`, () =>
      site.visit(
        "",
        async (page) => {
          await page.focus(BUTTON);
          await page.keyboard.press("Enter");
          await ended(page);
          assert.ok(await page.$eval(BUTTON, (button) => button === document.activeElement));
          await page.waitForFunction(() =>
            document.querySelector('#sigmoid [role="status"]').textContent.includes("largest error 1.392 × 10⁻²"),
          );
          close(await kOf(page), 1.77293396561675, 1e-10, "k");
        },
        { calm },
      ));
  }

  test("shows at once that it runs, and that it has been cancelled before its first step", () =>
    site.visit("", async (page) => {
      const seen = await page.evaluate(
        (button, progress) => {
          const now = () => [document.querySelector(button).innerText.trim(), document.querySelector(progress).hidden];
          const states = [];
          for (let press = 0; press < 4; press++) {
            document.querySelector(button).click();
            states.push(now());
          }
          return states;
        },
        BUTTON,
        `${FIT} .progress`,
      );
      const [running, idle] = [
        ["Cancel", false],
        ["Search for the best", true],
      ];
      assert.deepEqual(seen, [running, idle, running, idle]);
      assert.equal(await kOf(page), 1.702);
    }));

  test("ends where its last step moves nothing: from the best value, and again from there", () =>
    site.visit("?fit.for=gate", async (page) => {
      for (let i = 0; i < 3; i++) {
        await press(page);
        await ended(page);
        close((await readouts(page, FIT))["best.k"], BEST.gate[0].k, 1e-10, "k");
      }
    }));

  test("cancelled half-way puts k back, and the page goes on", () =>
    site.visit("?gelu_sigmoid.k=1.6", async (page) => {
      await press(page);
      await started(page);
      assert.match(await page.$eval(BUTTON, (button) => button.innerText), /Cancel/);
      await press(page);
      assert.equal(await isRunning(page), false);
      assert.equal(await kOf(page), 1.6);
      await new Promise((resolve) => setTimeout(resolve, 400));
      assert.equal(await kOf(page), 1.6);
      assert.equal((await readouts(page, FIT))["best.k"], undefined);
      await pressX(page, FIT, "ArrowRight");
      await press(page);
      await ended(page);
      close(await kOf(page), 1.77293396561675, 1e-10, "k of the next search");
    }));

  test("ends where the reader takes the slider, or asks for something else, and says so until the next one", () =>
    site.visit("", async (page) => {
      const said = () => page.$eval(`${FIT} .run [role="alert"]`, (words) => (words.checkVisibility() ? words.innerText : ""));
      await press(page);
      await started(page);
      assert.equal(await said(), "");
      await setSlider(page, K, 2.2);
      assert.equal(await isRunning(page), false);
      assert.equal(await said(), "Search stopped: a parameter or the target was changed");
      assert.ok(Math.abs((await kOf(page)) - 2.2) < 0.01);
      await press(page);
      await started(page);
      assert.equal(await said(), "");
      await clickInput(page, `${FIT} [data-control="fit.for"] input[value="cubic"]`);
      await settled(page);
      assert.equal(await isRunning(page), false);
      assert.match(await said(), /^Search stopped/);
      const { "gelu_tanh.cubic": cubic } = await readouts(page, FIT);
      assert.equal(cubic, 0.044715);
    }));

  test("goes on while x is moved, and while the language changes", () =>
    site.visit("?fit.for=pair", async (page) => {
      await press(page);
      await started(page);
      await page.$eval(`${FIT} input[name="x"]`, (input) => {
        input.value = "1.5";
        input.dispatchEvent(new Event("input", { bubbles: true }));
      });
      await clickInput(page, '.switches input[name="lang"][value="zh"]');
      await ended(page);
      const got = await readouts(page, FIT);
      close(got["best.scale"], 0.800157078548104, 1e-10, "scale");
      assert.match(await page.$eval(FIT, (figure) => figure.innerText), /最佳的缩放系数/);
    }));

  test("reset brings the figure back as it was", () =>
    site.visit("", async (page) => {
      await press(page);
      await ended(page);
      await page.$eval(`${FIT} [data-tool="reset"]`, (button) => button.click());
      const got = await readouts(page, FIT);
      assert.equal(got["gelu_sigmoid.k"], 1.702);
      assert.equal(got["best.k"], undefined);
      assert.equal(await addressSettled(page), "");
    }));

  test("reset while it runs ends it", () =>
    site.visit("", async (page) => {
      await press(page);
      await started(page);
      await page.$eval(`${FIT} [data-tool="reset"]`, (button) => button.click());
      assert.equal(await isRunning(page), false);
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.equal(await kOf(page), 1.702);
    }));
});

/** What each search is for the library, and where its result stands. */
const SEARCHES = {
  output: ["gelu_sigmoid", { reference: "gelu", vary: ["k"] }],
  gate: ["sigmoid", { reference: "normal_cdf", vary: ["k"] }],
  cubic: ["gelu_tanh", { reference: "gelu", vary: ["cubic"] }],
  pair: ["gelu_tanh", { reference: "gelu" }],
};

/** The figure's result is the library's, to the last bit. */
async function assertFound(page, name) {
  const [id, options] = SEARCHES[name];
  const { params, error } = gelu.bestFit(id, options);
  const got = await readouts(page, FIT);
  for (const parameter of Object.keys(BEST[name][0])) assert.equal(got[`best.${parameter}`], params[parameter], parameter);
  assert.equal(got["best.error"], error);
}

async function search(page, name) {
  if (!(await page.$eval(`${FIT} input[value="${name}"]`, (input) => input.checked)))
    await clickInput(page, `${FIT} [data-control="fit.for"] input[value="${name}"]`);
  await press(page);
  await ended(page);
  await assertFound(page, name);
}

/** Every worker that the page starts, with the calls that it is sent. */
const watchWorkers = (page) =>
  page.evaluateOnNewDocument(() => {
    const { Worker } = window;
    window.workers = [];
    window.Worker = class extends Worker {
      sent = [];
      isEnded = false;

      constructor(...given) {
        super(...given);
        window.workers.push(this);
      }

      postMessage(message) {
        this.sent.push(message.method ?? "wasm");
        super.postMessage(message);
      }

      terminate() {
        this.isEnded = true;
        super.terminate();
      }

      /** As an engine does that is short of memory: nobody is told. */
      kill() {
        super.terminate();
      }
    };
  });

const refuseWorkers = (page) =>
  page.evaluateOnNewDocument(() => {
    window.Worker = class {
      constructor() {
        throw new Error("no workers here");
      }
    };
  });

const workersOf = (page) => page.evaluate(() => window.workers.map(({ sent, isEnded }) => ({ sent, isEnded })));
const countOf = (sent, method) => sent.filter((each) => each === method).length;

/** Different values that the slider of k stood at, from now until the search is over. */
const placesOfK = (page) =>
  page.evaluate(
    (progress, slider) =>
      new Promise((resolve) => {
        const places = new Set();
        const look = () => {
          places.add(document.querySelector(slider).value);
          if (document.querySelector(progress).hidden) resolve(places.size);
          else requestAnimationFrame(look);
        };
        look();
      }),
    `${FIT} .progress`,
    K,
  );

/** One search whose slider is seen to move, then the others. */
async function searchAll(page) {
  await press(page);
  assert.ok((await placesOfK(page)) >= 5);
  await assertFound(page, "output");
  for (const name of ["gate", "cubic", "pair"]) await search(page, name);
}

describe("where the search runs", () => {
  test("in one worker for all searches, with the library's bits; the sliders go with it", () =>
    site.visit(
      "",
      async (page) => {
        await searchAll(page);
        const [{ sent, isEnded }, ...others] = await workersOf(page);
        assert.deepEqual(others, []);
        assert.equal(isEnded, false);
        assert.equal(countOf(sent, "createFit"), 4);
        assert.equal(countOf(sent, "free"), 4);
        assert.ok(countOf(sent, "step") > 4 * 35, `${countOf(sent, "step")} calls`);
        // One that has nothing to do does not stay.
        await page.waitForFunction(() => window.workers[0].isEnded, { timeout: 10_000 });
      },
      { before: watchWorkers },
    ));

  test("on the page where workers are refused, with the same bits; the sliders go with it, too", () =>
    site.visit(
      "",
      async (page) => {
        await searchAll(page);
        await press(page);
        await started(page);
        await press(page);
        assert.equal(await isRunning(page), false);
        await search(page, "output");
      },
      { before: refuseWorkers },
    ));

  test("on the page where a policy refuses workers", async () => {
    const strict = await serveSite({ csp: STRICT_CSP.replace(/worker-src[^;]*/, "worker-src 'none'") });
    const { page, complaints } = await openPage(site.browser, { language: "en" });
    await page.goto(strict.address);
    await figuresReady(page);
    await search(page, "output");
    assert.ok(
      complaints.every((text) => /worker/i.test(text)),
      complaints.join("\n"),
    );
    await page.close();
    await strict.close();
  });

  test("on the page where the script with the worker does not load; in the worker once it does", async () => {
    const { page, complaints } = await openPage(site.browser, { language: "en" });
    await watchWorkers(page);
    let isDown = true;
    await page.setRequestInterception(true);
    page.on("request", (request) => (isDown && /networks-/.test(request.url()) ? request.abort() : request.continue()));
    await page.goto(site.address);
    await figuresReady(page);
    await search(page, "output");
    assert.deepEqual(await workersOf(page), []);
    assert.ok(complaints.length > 0 && complaints.every((text) => /networks-|net::ERR_FAILED/.test(text)), complaints.join("\n"));
    isDown = false;
    await search(page, "gate");
    assert.deepEqual(
      (await workersOf(page)).map(({ sent }) => countOf(sent, "createFit")),
      [1],
    );
    await page.close();
  });

  test("where the script of the search itself does not load the figure says so, and the next press searches", async () => {
    const { page } = await openPage(site.browser, { language: "en" });
    const line = await holdLine(page, /\/pressed-/);
    line.isDown = true;
    await page.goto(site.address);
    await figuresReady(page);
    await press(page);
    await page.waitForSelector(`${FIT} .run [role="alert"]:not([hidden])`);
    assert.match(
      await page.$eval(`${FIT} .run [role="alert"]`, (words) => words.innerText),
      /^Failed: try again \(.*assets\/pressed-\w+\.js/,
    );
    assert.equal(await page.$eval(FIT, (figure) => figure.dataset.state), "ready");
    assert.equal(await isRunning(page), false);
    line.isDown = false;
    await press(page);
    assert.equal(await isRunning(page), true);
    assert.equal(await page.$eval(`${FIT} .run [role="alert"]`, (words) => words.hidden), true);
    await ended(page);
    await assertFound(page, "output");
    assert.equal(await page.$eval(FIT, (figure) => figure.dataset.state), "ready");
    await page.close();
  });

  test("over a slow line a press counts once its script is there, unless it was taken back", async () => {
    const { page } = await openPage(site.browser, { language: "en" });
    const line = await holdLine(page, /\/pressed-/);
    line.isHeld = true;
    await page.goto(site.address);
    await figuresReady(page);
    await press(page);
    await press(page);
    assert.equal(await isRunning(page), false);
    await press(page);
    assert.equal(await isRunning(page), true);
    line.release();
    await ended(page);
    await assertFound(page, "output");
    await page.close();
  });

  test("on the page where that script never comes: it can be cancelled meanwhile, and is not waited for", async () => {
    const { page, complaints } = await openPage(site.browser, { language: "en" });
    await page.setRequestInterception(true);
    page.on("request", (request) => /networks-/.test(request.url()) || request.continue());
    await page.goto(site.address);
    await figuresReady(page);
    await press(page);
    assert.equal(await isRunning(page), true);
    await press(page);
    assert.equal(await isRunning(page), false);
    await search(page, "output");
    assert.deepEqual(complaints, []);
    await page.close();
  });

  for (const [how, act] of [
    ["is killed and says nothing", () => window.workers[0].kill()],
    ["says that it fails", () => window.workers[0].dispatchEvent(new ErrorEvent("error", { message: "out of memory" }))],
  ]) {
    test(`a worker ${how} half-way: the page takes over, and the next search has a new worker`, () =>
      site.visit(
        "?fit.for=pair",
        async (page) => {
          await press(page);
          await started(page);
          await page.evaluate(act);
          await pressX(page, FIT, "ArrowRight");
          assert.equal(await isRunning(page), true);
          await ended(page);
          await assertFound(page, "pair");
          assert.equal(await page.$eval(FIT, (figure) => figure.dataset.state), "ready");
          await search(page, "output");
          const workers = await workersOf(page);
          assert.deepEqual(
            workers.map(({ isEnded }) => isEnded),
            [true, false],
          );
          assert.equal(countOf(workers[1].sent, "free"), 1);
        },
        { before: watchWorkers },
      ));
  }

  test("started, cancelled and started again in one go: one worker, one search", () =>
    site.visit(
      "",
      async (page) => {
        await page.$eval(BUTTON, (button) => {
          for (let i = 0; i < 3; i++) button.click();
        });
        assert.equal(await isRunning(page), true);
        await ended(page);
        await assertFound(page, "output");
        // Cancelled half-way and begun again at once: the old one moves nothing any more.
        await setSlider(page, K, 1.2);
        await press(page);
        await started(page);
        await page.$eval(BUTTON, (button) => {
          button.click();
          button.click();
        });
        await ended(page);
        await assertFound(page, "output");
        const [{ sent }, ...others] = await workersOf(page);
        assert.deepEqual(others, []);
        assert.equal(countOf(sent, "createFit"), 3);
        assert.equal(countOf(sent, "free"), 3);
      },
      { before: watchWorkers },
    ));

  test("reset, or a slider taken, before the worker is there: nothing moves any more", () =>
    site.visit(
      "",
      async (page) => {
        for (const act of [
          () => page.$eval(`${FIT} [data-tool="reset"]`, (button) => button.click()),
          () => setSlider(page, K, 2),
        ]) {
          await page.$eval(BUTTON, (button) => button.click());
          await act();
          assert.equal(await isRunning(page), false);
          const before = await kOf(page);
          await new Promise((resolve) => setTimeout(resolve, 1000));
          assert.equal(await kOf(page), before);
        }
      },
      {
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            const { Worker } = window;
            window.Worker = class extends Worker {
              postMessage(message) {
                setTimeout(() => super.postMessage(message), 200);
              }
            };
          }),
      },
    ));
});

describe("on a phone", () => {
  test("the button can be pressed with a finger, nothing is cut, and a tap searches", () =>
    site.visit(
      "",
      async (page) => {
        const box = await page.$eval(BUTTON, (button) => button.getBoundingClientRect().height);
        assert.ok(box >= 44, `${box} px`);
        await page.$eval(BUTTON, (button) => button.scrollIntoView({ block: "center" }));
        await settled(page);
        await page.tap(BUTTON);
        await ended(page);
        close(await kOf(page), 1.77293396561675, 1e-10, "k");
        await typeX(page, FIT, "2");
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        const section = await page.$eval(`${FIT} .section-plot svg`, (svg) => svg.getBoundingClientRect().width);
        assert.ok(section > 280 && section <= 320, `${section} px`);
      },
      { width: 360, height: 740, touch: true },
    ));
});
