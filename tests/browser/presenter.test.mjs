/** Presenter mode: a clicker's keys, one figure a screen, the answers on it; the worksheet on paper. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages are in the page, and one of them is hidden
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { findings } from "./axe.mjs";
import { needs, settled } from "./browser.mjs";
import { truth } from "./oracle.mjs";
import { poppler } from "./poppler.mjs";
import { readouts } from "./reading.mjs";
import { addressSettled, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite();
const HALL = { width: 1280, height: 720 };
const SHOWN = ".fig[data-presented]";

/** Until the step stands: mounted, fitted, drawn. */
async function standing(/** @type {Page} */ page) {
  await page.waitForFunction(
    () =>
      document.querySelector(".fig[data-presented]")?.getAttribute("data-state") === "ready" &&
      document.querySelector(".step-line"),
  );
  for (let i = 0; i < 3; i++) await settled(page);
}

const stepNow = (/** @type {Page} */ page) =>
  page.evaluate(() => {
    const seen = [...document.querySelectorAll("main figure")].filter((figure) => figure.checkVisibility());
    return {
      figures: seen.map(({ id }) => id),
      count: document.querySelector(".step-line .count")?.textContent,
      question: document.querySelector(".step-line .question")?.innerText,
    };
  });

async function press(/** @type {Page} */ page, /** @type {string[]} */ ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await settled(page);
}

const focused = (/** @type {Page} */ page) =>
  page.evaluate(() => {
    const { activeElement: active } = document;
    return active?.closest("figure")?.id ?? active?.closest(".step-line")?.className ?? active?.tagName;
  });

const overflow = (/** @type {Page} */ page) =>
  page.evaluate(() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    const line = document.querySelector(".step-line").getBoundingClientRect();
    const covered = [...document.querySelectorAll(".fig[data-presented] :is(.plot, .read, .fig-side)")]
      .filter((part) => part.checkVisibility() && part.getBoundingClientRect().bottom > line.top)
      .map(({ className }) => className);
    return { down: scrollHeight - innerHeight, right: scrollWidth - innerWidth, covered };
  });

const FITS = { down: 0, right: 0, covered: [] };

describe("keys", () => {
  test("a clicker goes through a route and stops at its ends", () =>
    site.visit(
      "?presenter=1&route=10",
      async (page) => {
        await standing(page);
        const first = await stepNow(page);
        assert.deepEqual([first.figures, first.count], [["hero-curves"], "1 / 5"]);
        await press(page, "PageUp");
        assert.deepEqual(await stepNow(page), first);
        await press(page, "PageDown");
        assert.deepEqual((await stepNow(page)).figures, ["definition-admission"]);
        await press(page, "ArrowDown");
        assert.equal((await stepNow(page)).count, "3 / 5");
        await press(page, "ArrowUp", "PageUp");
        assert.deepEqual(await stepNow(page), first);
        await press(page, "End");
        const last = await stepNow(page);
        assert.deepEqual([last.figures, last.count], [["approximation-errors"], "5 / 5"]);
        await press(page, "PageDown");
        assert.deepEqual(await stepNow(page), last);
        await press(page, "Home");
        assert.deepEqual(await stepNow(page), first);
      },
      HALL,
    ));

  test("a step sets its state whatever was moved before, and each has its own question", () =>
    site.visit(
      "?presenter=1&route=45&step=5",
      async (page) => {
        await standing(page);
        const before = await readouts(page, SHOWN);
        const { question } = await stepNow(page);
        await press(page, "ArrowRight", "ArrowRight");
        assert.notDeepEqual(await readouts(page, SHOWN), before);
        await press(page, "PageDown");
        assert.notEqual((await stepNow(page)).question, question);
        await press(page, "PageUp");
        assert.deepEqual(await readouts(page, SHOWN), before);
      },
      HALL,
    ));

  test("left and right move x wherever the focus is, and radios keep their arrows", () =>
    site.visit(
      "?presenter=1&route=10&step=4",
      async (page) => {
        await standing(page);
        const x = () => page.$eval(`${SHOWN} input[name="x"]`, (input) => Number(input.value));
        const start = await x();
        await page.focus(".step-line .btn:last-child");
        await press(page, "ArrowLeft");
        const moved = await x();
        assert.ok(moved < start, `${moved} is not left of ${start}`);
        await page.focus(`${SHOWN} [data-control="gradients.order"] input:checked`);
        await press(page, "ArrowRight");
        assert.equal(await x(), moved);
        assert.equal(await page.$eval(`${SHOWN} [data-control="gradients.order"] input:checked`, (input) => input.value), "2");
        // A clicker is heard from there, too.
        await press(page, "PageDown");
        assert.equal((await stepNow(page)).count, "5 / 5");
      },
      HALL,
    ));

  test("B and the full stop blank the screen; any key, or a press, brings it back and does nothing else", () =>
    site.visit(
      "?presenter=1&route=10&step=2",
      async (page) => {
        await standing(page);
        const isDark = () =>
          page.evaluate(() => {
            const top = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
            return top.className === "blank" && getComputedStyle(top).backgroundColor === "rgb(0, 0, 0)";
          });
        for (const [key, back] of [
          ["b", "PageDown"],
          [".", "Escape"],
          ["B", "b"],
        ]) {
          await press(page, key);
          assert.ok(await isDark(), key);
          assert.match(await page.$eval(".step-line [role=status]", (line) => line.textContent), /dark/);
          await press(page, back);
          assert.ok(!(await isDark()), back);
          assert.equal((await stepNow(page)).count, "2 / 5");
          assert.equal(await focused(page), "definition-admission");
        }
        await press(page, "b");
        await page.mouse.click(300, 300);
        assert.ok(!(await isDark()));
      },
      HALL,
    ));

  test("a number can be typed: its digits, its point and B are no commands in a field", () =>
    site.visit(
      "?presenter=1&route=10&step=2",
      async (page) => {
        await standing(page);
        const field = `${SHOWN} .num`;
        await page.$eval(field, (input) => {
          input.focus();
          input.select();
        });
        await page.keyboard.type("1.5");
        await press(page, "Enter");
        assert.equal((await readouts(page, SHOWN)).normal_cdf, truth("normal_cdf", 1.5));
        assert.equal(await page.$(".blank"), null);
      },
      HALL,
    ));

  test("Esc goes back to the text, at the figure, with nothing left behind", () =>
    site.visit(
      "?presenter=1&route=25&step=4&theme=dark",
      async (page) => {
        await standing(page);
        await press(page, "Escape");
        await settled(page);
        assert.equal(await page.$(".step-line"), null);
        const left = await page.$$eval("[data-presenter], [data-presented], [data-spare], [data-tight]", (all) => all.length);
        assert.equal(left, 0);
        assert.equal(await page.$eval("#relu-curves", (figure) => figure.style.cssText), "");
        const { top } = await page.$eval("#relu-curves", (figure) => figure.getBoundingClientRect().toJSON());
        assert.ok(top > -200 && top < 720, `the figure is at ${top}`);
        assert.equal(await focused(page), "relu-curves");
        const query = new URLSearchParams(await addressSettled(page));
        for (const key of ["presenter", "route", "step"]) assert.ok(!query.has(key), key);
        assert.equal(query.get("theme"), "dark");
        assert.ok((await page.$$eval("main figure", (all) => all.filter((figure) => figure.checkVisibility()).length)) > 15);
      },
      HALL,
    ));
});

describe("the way in, and staying there", () => {
  test("from the bar with the figure that is in view, from the routes, and on a phone from the settings", async () => {
    await site.visit(
      "",
      async (page) => {
        await page.$eval("#gradient-depth", (figure) => figure.scrollIntoView());
        await page.$eval(".switches > .theme > .btn", (button) => button.click());
        await standing(page);
        assert.deepEqual((await stepNow(page)).figures, ["gradient-depth"]);
        assert.equal((await stepNow(page)).question, "");
        await press(page, "Escape");
        await page.evaluate(() => [...document.querySelectorAll("#lecture .row .btn")][1].click());
        await standing(page);
        assert.equal((await stepNow(page)).count, "1 / 9");
      },
      HALL,
    );
    await site.visit(
      "",
      async (page) => {
        await page.click(".gear > summary");
        await page.click(".menu > .btn");
        await standing(page);
        assert.deepEqual((await stepNow(page)).figures, ["hero-curves"]);
        assert.equal((await overflow(page)).right, 0);
        for (const size of await page.$$eval(".step-keys .btn", (all) =>
          all.filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().toJSON()),
        ))
          assert.ok(size.width >= 44 && size.height >= 44);
        await page.click(".step-keys .btn:nth-child(3)");
        await standing(page);
        assert.deepEqual((await stepNow(page)).figures, ["definition-admission"]);
      },
      { width: 360, height: 740, touch: true },
    );
  });

  test("a reload keeps the route, the step and what was moved; the address alone sets the step's state", () =>
    site.visit(
      "?presenter=1&route=45&step=9",
      async (page) => {
        await standing(page);
        const set = await readouts(page, SHOWN);
        assert.equal(set.gelu, truth("gelu", Math.SQRT2, 1));
        await press(page, "ArrowLeft", "ArrowLeft");
        const moved = await readouts(page, SHOWN);
        await addressSettled(page);
        await page.reload();
        await standing(page);
        assert.equal((await stepNow(page)).count, "9 / 17");
        assert.deepEqual(await readouts(page, SHOWN), moved);
        assert.equal(await page.evaluate(() => location.hash), "#gradient-gradients");
      },
      HALL,
    ));

  test("values that are none give what there is", () =>
    site.visit(
      "?presenter=1&route=11&step=1e9",
      async (page) => {
        await standing(page);
        const { count } = await stepNow(page);
        const [at, all] = count.split(" / ");
        assert.equal(at, all);
      },
      HALL,
    ));

  test("nothing is seen of the page before its first step", () =>
    site.visit(
      "?presenter=1&route=10&step=3",
      async (page) => {
        await standing(page);
        const seen = await page.evaluate(() => globalThis.seenBefore);
        assert.deepEqual(seen, []);
      },
      {
        ...HALL,
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            globalThis.seenBefore = [];
            const look = () => {
              const { body, documentElement: root } = document;
              if (root?.dataset.presenter === "on") return;
              if (body && getComputedStyle(body).visibility === "visible") globalThis.seenBefore.push(root.dataset.presenter);
              requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
          }),
      },
    ));

  test("a link of the quiz gives the screen to the figure that it shows", () =>
    site.visit(
      "?presenter=1",
      async (page) => {
        await standing(page);
        await press(page, "End", "PageUp", "PageUp");
        assert.deepEqual((await stepNow(page)).figures, ["misconceptions-judge"]);
        await page.$eval(`${SHOWN} .panel`, (panel) => panel.focus());
        await page.$$eval(`${SHOWN} .votes button, ${SHOWN} .vote`, (buttons) => buttons[0].click());
        await settled(page);
        await page.$eval(`${SHOWN} a.show`, (link) => link.click());
        await standing(page);
        const { figures } = await stepNow(page);
        assert.equal(figures.length, 1);
        assert.notEqual(figures[0], "misconceptions-judge");
      },
      HALL,
    ));
});

/** What the answer of each stop says, and the numbers that the figure must show for it, from elsewhere than the page. */
async function proofs() {
  const gelu = await loadGelu();
  const median = (activation) =>
    [1, 2, 3, 4, 5]
      .map((seed) => gelu.propagate({ layers: 24, width: 128, gain: Math.SQRT2, samples: 32, seed, activation }).gradient[0])
      .sort((a, b) => a - b)[2];
  const at = (id, x, order = 0, k) => truth(id, x, order, k);
  return [
    [["−0.1587", "0.2689"], { gelu: at("gelu", -1), relu: 0, sigmoid: at("sigmoid", -1) }],
    [["0.5000"], { normal_cdf: 0.5, gelu: 0 }],
    [["0.0228", "−0.0455"], { normal_cdf: at("normal_cdf", -2), gelu: at("gelu", -2) }],
    [["−0.1587"], { gelu: at("gelu", -1) }],
    [["−0.1700"], { gelu: at("gelu", -0.75) }],
    [["0.1700"], { gap: 0.75 - at("gelu", 0.75) }],
    [["0.0203"], { difference: at("gelu_sigmoid", 2.27) - at("gelu", 2.27) }],
    [["0.0139", "0.0178"], { "output.max": 0.0139, "gate.max": 0.0178 }],
    [["1.1289"], { gelu: at("gelu", Math.SQRT2, 1) }],
    [["−0.0119"], { gelu: at("gelu", -3, 1) }],
    [["0.99", "0.0042", "1.0 × 10⁻¹²"], { relu: median("relu"), gelu: median("gelu"), sigmoid: median("sigmoid") }],
    [["0.0203", "seven"], { "gelu_sigmoid.error": at("gelu_sigmoid", 2.27) - at("gelu", 2.27) }],
    [
      ["45 %", "34"],
      {
        "gelu_tanh.error": 1 - at("gelu_tanh", -4) / at("gelu", -4),
        "gelu_sigmoid.error": at("gelu_sigmoid", -4) / at("gelu", -4) - 1,
      },
    ],
    [["4.0 %"], { "result.error": 0.0397 }],
    [["63"], { "zeros.gelu": 0, "zeros.relu": 63 }],
    [["20", "62.5 %"], { relu: 20 / 32 }],
    [["0.058", "0.061"], { relu: 0.058, gelu: 0.061 }],
  ];
}

describe("every step of the three routes", () => {
  for (const [language, dark] of /** @type {const} */ ([
    ["en", false],
    ["zh-CN", true],
  ])) {
    test(`at 1280 × 720 nothing scrolls or is covered, and the figure shows the answer (${language})`, {
      timeout: 120_000,
    }, async () => {
      const expected = await proofs();
      await site.visit(
        "?presenter=1&route=45",
        async (page) => {
          for (const [i, [words, numbers]] of expected.entries()) {
            await standing(page);
            const { count, figures } = await stepNow(page);
            const label = `${count} ${figures}`;
            assert.equal(count, `${i + 1} / ${expected.length}`);
            assert.equal(figures.length, 1, label);
            assert.deepEqual(await overflow(page), FITS, label);
            const got = await readouts(page, SHOWN);
            for (const [name, value] of Object.entries(numbers)) {
              const near = Math.abs(got[name] - value) <= 0.006 * Math.abs(value) + 1e-9;
              assert.ok(near, `${label}: ${name} is ${got[name]}, not ${value}`);
            }
            const { height } = await page.$eval(`${SHOWN} .plot`, (plot) => plot.getBoundingClientRect().toJSON());
            assert.ok(height >= 420, `${label}: the plot is ${height} high`);
            await press(page, "a");
            const { question: answer } = await stepNow(page);
            if (language === "en")
              for (const word of words)
                assert.ok(answer.replaceAll("\u202f", " ").includes(word), `${label}: ${word} in ${answer}`);
            // With the answer below, which may be longer, all still fits.
            await settled(page);
            assert.deepEqual(await overflow(page), FITS, `${label}, answered`);
            await press(page, "PageDown");
          }
        },
        { ...HALL, language, dark },
      );
    });
  }

  for (const [width, height] of [
    [1920, 1080],
    [1024, 768],
  ]) {
    test(`the same at ${width} × ${height}, and letters grow with the screen`, { timeout: 120_000 }, () =>
      site.visit(
        "?presenter=1&route=45",
        async (page) => {
          for (let i = 0; i < 17; i++) {
            await standing(page);
            assert.deepEqual(await overflow(page), FITS, (await stepNow(page)).count);
            await press(page, "PageDown");
          }
          const size = await page.$eval(".step-line .question", (line) => Number.parseFloat(getComputedStyle(line).fontSize));
          assert.ok(size >= height / 36, `${size}`);
        },
        { width, height },
      ),
    );
  }

  test("a page of 360 px has all of a step, by scrolling down", () =>
    site.visit(
      "?presenter=1&route=10",
      async (page) => {
        for (let i = 0; i < 5; i++) {
          await standing(page);
          assert.equal((await overflow(page)).right, 0);
          const last = await page.evaluate(() => {
            scrollTo(0, 1e6);
            const end = document.querySelector(".fig[data-presented]").getBoundingClientRect().bottom;
            return end - document.querySelector(".step-line").getBoundingClientRect().top;
          });
          assert.ok(last <= 0, `${last} pixels stay under the line`);
          await page.click(".step-keys .btn:nth-child(3)");
        }
      },
      { width: 360, height: 740 },
    ));

  test("a finger or the mouse on the magnified plot moves x to where it is", () =>
    site.visit(
      "?presenter=1&route=10&step=3",
      async (page) => {
        await standing(page);
        const { left, width } = await page.$eval(`${SHOWN} input.xaxis`, (input) => input.getBoundingClientRect().toJSON());
        const [from, to] = await page.$eval(`${SHOWN} input.xaxis`, (input) => [+input.min, +input.max]);
        const plot = await page.$eval(`${SHOWN} .plot`, (element) => element.getBoundingClientRect().toJSON());
        const knob = (24 * plot.height) / (await page.$eval(`${SHOWN} .plot`, (element) => element.offsetHeight));
        const wanted = -3;
        const at = left + knob / 2 + ((wanted - from) / (to - from)) * (width - knob);
        await page.mouse.click(at, plot.top + plot.height / 2);
        const x = await page.$eval(`${SHOWN} input.xaxis`, (input) => +input.value);
        assert.ok(Math.abs(x - wanted) < 0.03, `${x}`);
      },
      HALL,
    ));
});

test("axe finds nothing on a step, light and dark, nor in the lecturer's section", async () => {
  for (const dark of [false, true]) {
    await site.visit(
      "?presenter=1&route=25&step=4",
      async (page) => {
        await standing(page);
        assert.deepEqual(await findings(page, [".step-line", "#relu"]), []);
      },
      { ...HALL, dark },
    );
    await site.visit("", async (page) => assert.deepEqual(await findings(page, ["#lecture"]), []), { ...HALL, dark });
  }
});

test("with scripts off the routes are lists of links and the worksheet can be read, in both languages", async () => {
  const page = await site.browser.newPage();
  try {
    await page.setJavaScriptEnabled(false);
    await page.goto(site.address);
    for (const language of ["zh-CN", "en"]) {
      const block = `#lecture .block[lang="${language}"]`;
      const links = await page.$$eval(`${block} .routes a`, (all) =>
        all.map((link) => [link.checkVisibility(), link.getAttribute("href")]),
      );
      assert.ok(links.length >= 15 && links.every(([isSeen]) => isSeen));
      for (const [, href] of links) assert.ok(await page.$(href), href);
      assert.ok(
        (await page.$$eval(`${block} .worksheet > ol > li`, (all) => all.filter((item) => item.checkVisibility()).length)) >= 12,
      );
    }
    assert.equal(await page.$("#lecture button"), null);
  } finally {
    await page.close();
  }
});

describe("the worksheet", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gelu-worksheet-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [button, withAnswers] of /** @type {const} */ ([
    [0, false],
    [1, true],
  ])) {
    test(`prints alone, ${withAnswers ? "with" : "without"} its answers, in the language of the page`, needs("print media"), () =>
      site.visit(
        "?lang=zh",
        async (page) => {
          // What stands on paper at the moment of printing.
          const printed = await page.evaluate(async (at) => {
            const call = new Promise((resolve) => {
              window.print = () => resolve(undefined);
            });
            document.querySelectorAll(".sheet-keys .btn")[at].click();
            await call;
            return document.documentElement.dataset.printing;
          }, button);
          assert.equal(printed, "worksheet");
          if (withAnswers)
            await page.$$eval(".worksheet > .key", (keys) => {
              for (const key of keys) key.open = true;
            });
          await page.emulateMediaType("print");
          const seen = await page.evaluate(() =>
            [...document.querySelectorAll("main > section > *, header.bar, footer, .rail, .skip")]
              .filter(
                (element) => element.innerText?.trim() && [element, ...element.children].some((one) => one.checkVisibility()),
              )
              .filter((element) => [...element.querySelectorAll("*")].some((one) => one.checkVisibility()))
              .map((element) => element.firstElementChild?.className),
          );
          assert.deepEqual(seen, ["worksheet full"]);
          const sheet = await page.$eval('.block[lang|="zh"] > .worksheet', (element) => element.innerText);
          assert.match(sheet, /练习单\s+姓名\s*日期/);
          assert.match(sheet, /图\s?2\.1/);
          assert.equal(sheet.includes("0.6305"), withAnswers);
          const lines = await page.$$eval('.block[lang|="zh"] .line', (all) =>
            all.map((line) => line.getBoundingClientRect().height),
          );
          assert.ok(lines.length > 20 && lines.every((height) => height > 20));
          const path = join(folder, `${button}.pdf`);
          await page.pdf({ path, preferCSSPageSize: true });
          const info = poppler("pdfinfo", path);
          assert.match(info, new RegExp(`Pages: +${withAnswers ? 3 : 2}\n`));
          assert.match(info, /Page size: .*A4/);
          const [first] = poppler("pdftotext", path, "-").split("\f");
          assert.match(first, /(^|\D)9\./, "the first page has the first questions");
          await page.emulateMediaType("screen");
          await page.evaluate(() => dispatchEvent(new Event("afterprint")));
          assert.equal(await page.evaluate(() => document.documentElement.dataset.printing), undefined);
        },
        HALL,
      ),
    );
  }
});
