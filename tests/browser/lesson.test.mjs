/** The lesson's own figures, gates and crowd, its links and prompts, and any state at all: the numbers are right, nothing breaks. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadGelu } from "../../dist/lib/gelu.js";
import { figures } from "../../web/figures/index.js";
import { clamp, createTable, defaults, parse, serialize } from "../../web/state.js";
import { randomQuery } from "../node/queries.mjs";
import { randomFrom } from "../node/vectors.mjs";
import { figuresReady, openPage, settled } from "./browser.mjs";
import { truth } from "./oracle.mjs";
import { assertNear, clickInput, pressX, readouts, setSlider, snapshot, typeX, xOf } from "./reading.mjs";
import { troubles } from "./troubles.mjs";
import { addressSettled, keepOnly, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite();
/** A visit of the sections with gates and crowd alone. @type {typeof site.visit} */
const visitPart = (path, use, options) => site.visit(path, use, { sections: ["definition", "relu", "sigmoid"], ...options });
const gelu = await loadGelu();
const table = createTable(gelu.catalogue, figures);

const GATES = ['#relu figure[data-figure="gates"]', '#sigmoid figure[data-figure="gates"]'];
const ADMISSION = 'figure[data-figure="admission"]';

const logistic = (/** @type {number} */ x) => 1 / (1 + Math.exp(-x));

/** What the gates show at x. */
function gatesAt(x, { k = 1.702, gated = false } = {}) {
  const [exact, approximate] = gated
    ? [truth("gelu", x), truth("gelu_sigmoid", x, 0, k)]
    : [truth("normal_cdf", x), logistic(k * x)];
  const shown = gated
    ? { gelu: exact, gelu_sigmoid: approximate, relu: Math.max(0, x) }
    : { normal_cdf: exact, gate: approximate, step: x > 0 ? 1 : 0 };
  return { ...shown, difference: approximate - exact, "gelu_sigmoid.k": k };
}

/** The same before the reader has met σ: without it. */
function plainGatesAt(x, options) {
  const { gate, gelu_sigmoid, difference, "gelu_sigmoid.k": k, ...plain } = gatesAt(x, options);
  return plain;
}

/** Both figures show what they should at x. */
async function assertGates(page, x, options, label) {
  await assertReadouts(page, GATES[0], plainGatesAt(x, options), `${label}, plain`);
  await assertReadouts(page, GATES[1], gatesAt(x, options), label);
}

/** What the crowd shows at x; who is in it is what the library draws from the same seed. */
function admissionAt(x, { crowd = 200, seed = 1 } = {}) {
  const source = gelu.random(seed);
  const below = source.normal(crowd).filter((score) => score < x).length;
  source.free();
  return { normal_cdf: truth("normal_cdf", x), gelu: truth("gelu", x), crowd: below / crowd };
}

/** All numbers of a figure, none more and none less than wanted. */
async function assertReadouts(/** @type {Page} */ page, /** @type {string} */ figure, want, label) {
  const got = await readouts(page, figure);
  assert.deepEqual(Object.keys(got).sort(), Object.keys(want).sort(), label);
  assertNear(got, want, label);
}

const radio = (page, figure, key, value) => clickInput(page, `${figure} [data-control="${key}"] input[value="${value}"]`);
const picture = (page, figure) => page.$eval(`${figure} canvas`, (canvas) => canvas.toDataURL());

describe("gates", () => {
  test("alone and times x, with any k, show the right numbers in both places", () =>
    visitPart("?x=1", async (page) => {
      await assertGates(page, 1, {}, "at first");
      for (const [i, x] of [-3, -0.5, 0, 2.27, 4.5].entries()) {
        const figure = GATES[i % 2];
        await typeX(page, figure, String(x));
        for (const view of ["gated", "gate"]) {
          await radio(page, figure, "gates.view", view);
          await assertGates(page, x, { gated: view === "gated" }, `${view} at ${x}`);
        }
      }
      const [first, second] = GATES;
      for (const wanted of [0.8, 1.773, 3]) {
        const k = await setSlider(page, `${second} input[name="gelu_sigmoid.k"]`, wanted);
        assert.ok(Math.abs(k - wanted) < 0.02, `${k}`);
        await assertGates(page, 4.5, { k }, `k = ${k}`);
        await radio(page, second, "gates.view", "gated");
        await assertGates(page, 4.5, { k, gated: true }, `gated, k = ${k}`);
        await radio(page, first, "gates.view", "gate");
      }
      await page.focus(`${second} input[name="gelu_sigmoid.k"]`);
      await page.keyboard.press("ArrowLeft");
      const { "gelu_sigmoid.k": k } = await readouts(page, second);
      assert.ok(k < 3 && k > 2.9, `${k} by a key`);
      await assertGates(page, 4.5, { k }, "k by a key");
    }));

  test("the label of the gate says which k", () =>
    visitPart("?x=1&gelu_sigmoid.k=1.5", async (page) => {
      const labels = () => page.$eval(GATES[1], (root) => [...root.querySelectorAll(".read th")].map((cell) => cell.textContent));
      assert.ok(
        (await labels()).some((label) => label.includes("σ(1.5x)") || label.includes("σ(1.5𝑥)")),
        `${await labels()}`,
      );
    }));

  test("a link gives their state, and their own reset takes it back", () =>
    visitPart("?x=-0.5&gates.view=gated&gelu_sigmoid.k=1.25", async (page) => {
      await assertGates(page, -0.5, { k: 1.25, gated: true }, "by link");
      await page.click(`${GATES[0]} [data-tool="reset"]`);
      await assertGates(page, -1, {}, "after the reset");
      assert.equal(await addressSettled(page), "");
    }));
});

describe("the crowd", () => {
  test("is counted right, for any size, seed and x", async () => {
    for (const [x, crowd, seed] of [
      [-1, 200, 1],
      [0, 50, 1],
      [2, 1000, 1],
      [0.8, 50, 77],
      [-2.25, 1000, 9999],
      [4, 200, 5],
      [-4, 50, 123],
    ]) {
      await visitPart(`?x=${x}&admission.crowd=${crowd}&admission.seed=${seed}`, async (page) => {
        const want = admissionAt(x, { crowd, seed });
        await assertReadouts(page, ADMISSION, want, `x = ${x}, ${crowd} of seed ${seed}`);
        const text = await page.$eval(`${ADMISSION} output[data-readout="crowd"]`, (output) => output.textContent);
        assert.ok(text.startsWith(`${Math.round(want.crowd * crowd)} / ${crowd} = ${want.crowd.toFixed(3)}`), text);
      });
    }
  });

  test("is the same people after a reload and for every reader, others after “another crowd”", () =>
    visitPart("?x=0.8", async (page) => {
      const shown = async () => [await picture(page, ADMISSION), await readouts(page, ADMISSION)];
      const look = () => page.$eval(ADMISSION, (root) => root.scrollIntoView({ block: "center", behavior: "instant" }));
      await look();
      await settled(page);
      const first = await shown();
      await page.reload();
      await figuresReady(page);
      await look();
      await settled(page);
      assert.deepEqual(await shown(), first, "after a reload");
      const next = `${ADMISSION} button[data-control="admission.seed"]`;
      await page.click(next);
      await settled(page);
      const second = await shown();
      assert.notEqual(second[0], first[0], "the same picture");
      await assertReadouts(page, ADMISSION, admissionAt(0.8, { seed: 2 }), "seed 2");
      await page.click(next);
      await assertReadouts(page, ADMISSION, admissionAt(0.8, { seed: 3 }), "seed 3");
      assert.equal(await addressSettled(page), "?x=0.8&admission.seed=3");
      await page.reload();
      await figuresReady(page);
      await assertReadouts(page, ADMISSION, admissionAt(0.8, { seed: 3 }), "seed 3 after a reload");
      // The gate does not ask who came.
      assert.equal(second[1].normal_cdf, first[1].normal_cdf);
      assert.equal(second[1].gelu, first[1].gelu);
    }));

  test("begins again after the last seed", () =>
    visitPart("?x=0.8&admission.seed=9999", async (page) => {
      await page.click(`${ADMISSION} button[data-control="admission.seed"]`);
      await assertReadouts(page, ADMISSION, admissionAt(0.8, { seed: 1 }), "after 9999");
    }));

  test("of another size is counted anew; the worked points set x", () =>
    visitPart("?x=0.8", async (page) => {
      for (const crowd of [50, 1000, 200]) {
        await radio(page, ADMISSION, "admission.crowd", crowd);
        await assertReadouts(page, ADMISSION, admissionAt(0.8, { crowd }), `${crowd} people`);
      }
      const chosen = () =>
        page.$$eval(`${ADMISSION} [data-control="x-points"] input`, (inputs) =>
          inputs.filter((input) => input.checked).map((input) => input.value),
        );
      assert.deepEqual(await chosen(), []);
      for (const x of [-2, 0, 2]) {
        await radio(page, ADMISSION, "x-points", x);
        assert.equal(await xOf(page, ADMISSION), x);
        await assertReadouts(page, ADMISSION, admissionAt(x), `worked point ${x}`);
        assert.deepEqual(await chosen(), [String(x)]);
      }
      await pressX(page, ADMISSION, "ArrowLeft");
      assert.deepEqual(await chosen(), [], "x is no worked point any more");
      await assertReadouts(page, ADMISSION, admissionAt(1.99), "a step on");
    }));
});

test("language and theme keep all of the lesson's state", () =>
  site.visit("?x=0.8&admission.crowd=50&admission.seed=7&gates.view=gated&gelu_sigmoid.k=1.5&from=-2&to=3", async (page) => {
    const numbers = async () => Promise.all([...GATES, ADMISSION].map((figure) => readouts(page, figure)));
    const before = await numbers();
    const pictures = await Promise.all([...GATES, ADMISSION].map((figure) => picture(page, figure)));
    for (const [name, value] of [
      ["lang", "zh"],
      ["theme", "dark"],
      ["lang", "en"],
      ["theme", "light"],
    ]) {
      await clickInput(page, `.switches input[name="${name}"][value="${value}"]`);
      await settled(page);
      assert.deepEqual(await numbers(), before, `${name}=${value}`);
    }
    const query = new URLSearchParams(await addressSettled(page));
    assert.deepEqual(Object.fromEntries(query), {
      lang: "en",
      theme: "light",
      x: "0.8",
      from: "-2",
      to: "3",
      "gelu_sigmoid.k": "1.5",
      "admission.crowd": "50",
      "admission.seed": "7",
      "gates.view": "gated",
    });
    for (const [i, figure] of [...GATES, ADMISSION].entries()) {
      await page.$eval(figure, (root) => root.scrollIntoView({ block: "center", behavior: "instant" }));
      await settled(page);
      await settled(page);
      assert.equal(await picture(page, figure), pictures[i], `${figure} is drawn otherwise than before`);
    }
    await page.evaluate(() => document.activeElement?.blur());
    const shown = await snapshot(page);
    await page.reload();
    await figuresReady(page);
    assert.deepEqual(await snapshot(page), shown);
  }));

/** The address with what is due to be written: a page that is left writes it at once. */
const writtenNow = (/** @type {Page} */ page) =>
  page.evaluate(() => {
    dispatchEvent(new Event("pagehide"));
    return location.search;
  });

describe("prompts and links", () => {
  for (const language of ["en", "zh"]) {
    test(`${language}: each sets exactly the state it names, and leads to a section that is there`, () =>
      site.visit(`?lang=${language}&x=-3.3`, async (page) => {
        const all = await page.$$eval(
          "[data-set]",
          (elements, tag) =>
            elements.map((element, index) => ({
              index,
              tag: element.tagName,
              set: element.dataset.set,
              href: element.getAttribute("href"),
              language: element.closest("[lang]").lang,
              mine: element.closest("[lang]").lang.startsWith(tag) || element.closest("[lang]") === document.documentElement,
              section: element.closest("section").id,
            })),
          language,
        );
        const mine = all.filter((one) => one.mine);
        assert.ok(mine.length >= 40, `${mine.length} prompts and links`);
        let state = parse(table, `lang=${language}&x=-3.3`);
        for (const { index, tag, set, href, section } of mine) {
          const label = `${tag} in ${section}: ${set}`;
          for (const [key, value] of new URLSearchParams(set)) {
            const parameter = table.get(key);
            assert.ok(parameter, `${label}: no ${key}`);
            const taken = String(clamp(parameter, value)).split(",").sort();
            if (value !== "") assert.deepEqual(taken, value.split(",").sort(), `${label}: ${key} becomes another`);
          }
          await page.evaluate((i) => document.querySelectorAll("[data-set]")[i].click(), index);
          const shown = await page.evaluate((hash) => {
            const of =
              document.querySelector(".fig-task")?.closest("figure") ?? document.querySelector(`${hash ?? "x"}:is(figure)`);
            return of?.dataset.figure;
          }, href);
          // What it does not name is as at first; language, theme, x and what other figures have stay the reader's.
          const own = figures
            .map(({ name }) => name)
            .filter((name) => name !== shown && (tag === "BUTTON" || shown !== undefined));
          const kept = [...table.keys()].filter((key) => own.includes(key.split(".")[0]));
          const others = Object.fromEntries(kept.map((key) => [key, state[key]]));
          const from = parse(table, `lang=${state.lang}&x=${state.x}&${set}`);
          // A link without a figure of its own leads to one of its section, named first by what it sets.
          state = {
            ...from,
            ...others,
            ...Object.fromEntries([...new URLSearchParams(set).keys()].map((key) => [key, from[key]])),
          };
          const want = `?${serialize(table, state)}`;
          const written = await writtenNow(page);
          if (shown !== undefined || tag === "BUTTON") {
            assert.equal(written, want, label);
          } else {
            const now = parse(table, written);
            for (const key of new URLSearchParams(set).keys())
              assert.equal(String(now[key]), String(from[key]), `${label}: ${key}`);
            state = now;
          }
          if (tag === "A") {
            assert.match(href, /^#\w+(-\w+)?$/, label);
            assert.ok(await page.$(`section${href}, figure${href}`), `${label}: no ${href}`);
            assert.equal(await page.evaluate(() => location.hash), href, label);
          } else {
            const pressed = () =>
              page.evaluate((i) => document.querySelectorAll("[data-set]")[i].getAttribute("aria-pressed"), index);
            assert.equal(await pressed(), "true", label);
          }
        }
        // Whatever else leads into the page leads somewhere.
        const lost = await page.$$eval('a[href^="#"]', (links) =>
          links.map((link) => link.getAttribute("href")).filter((href) => document.getElementById(href.slice(1)) === null),
        );
        assert.deepEqual(lost, []);
      }));
  }

  test("each shows what it sets: x is inside the range of a figure in the section it leads to", () =>
    site.visit("?lang=en&x=-1", async (page) => {
      const all = await page.$$eval('[lang="en"] [data-set]', (elements) =>
        elements.map((element) => ({
          set: element.dataset.set,
          target: element.getAttribute("href")?.slice(1) ?? element.closest("section").id,
        })),
      );
      const hidden = [];
      for (const { set, target } of new Map(all.map((one) => [`${one.set} ${one.target}`, one])).values()) {
        const wanted = new URLSearchParams(set);
        if (!wanted.has("x")) continue;
        await page.evaluate(
          (text) => [...document.querySelectorAll("[data-set]")].find((one) => one.dataset.set === text).click(),
          set,
        );
        const ranges = await page.$$eval(`#${target} input[name="x"]`, (inputs) =>
          inputs.map((input) => [Number(input.min), Number(input.max)]),
        );
        const x = Number(wanted.get("x"));
        if (!ranges.some(([from, to]) => x >= from && x <= to)) hidden.push(`${set} in ${target}: ${JSON.stringify(ranges)}`);
      }
      assert.deepEqual(hidden, []);
    }));

  test("a prompt is marked until something else moves", () =>
    site.visit("?x=-3.3", async (page) => {
      const marked = () => page.$$eval('button[data-set][aria-pressed="true"]', (buttons) => buttons.length);
      await page.$eval('#definition [lang="en"] button[data-set]', (button) => button.click());
      assert.ok((await marked()) >= 1);
      await pressX(page, ADMISSION, "ArrowRight");
      assert.equal(await marked(), 0);
    }));
});

/** RANDOM_STATES=10000 takes many minutes. */
const STATES = Number(process.env.RANDOM_STATES ?? 1000);

describe("any state", () => {
  test(
    "100 random addresses give a page that works: ten the whole page, the others the hero and three sections",
    {
      timeout: 600_000,
    },
    () =>
      site.visit("?x=1", async (page) => {
        const random = randomFrom(200);
        const sections = await page.$$eval("main > section", (all) => all.map(({ id }) => id));
        for (let count = 0; count < 100; count++) {
          const query = randomQuery(random, table);
          const wanted =
            count % 10 === 0 ? sections : ["hero", ...[1, 2, 3].map(() => sections[Math.floor(random() * sections.length)])];
          const { identifier } = await page.evaluateOnNewDocument(keepOnly, wanted);
          await page.goto(`${site.address}?${query}`, { waitUntil: "domcontentloaded" });
          await figuresReady(page).catch(() => {});
          const state = parse(table, query);
          assert.deepEqual(await troubles(page), [], `?${query} in ${wanted}`);
          if (wanted.includes("definition") && state.x > -5 && state.x < 5 && Math.abs(state.x) > 1e-9) {
            const { crowd: _, ...exact } = admissionAt(state.x);
            assertNear(await readouts(page, ADMISSION), exact, `?${query}`);
          }
          await page.removeScriptToEvaluateOnNewDocument(identifier);
        }
      }),
  );

  test(`${STATES} random states in the page itself never break it`, { timeout: 120_000 + 500 * STATES }, async () => {
    const { page, complaints } = await openPage(site.browser, { language: "en", width: 700, height: 900 });
    await page.goto(`${site.address}?x=1`);
    await figuresReady(page);
    const random = randomFrom(10_000);
    const started = Date.now();
    // Another language or theme, or presenter mode, restyles the whole page, which takes most of the time: one state in 50
    // has one.
    const withoutLooks = new Map([...table].filter(([key]) => !["lang", "theme", "presenter", "route", "step"].includes(key)));
    let count = 0;
    for (; count < STATES; count += 50) {
      const queries = Array.from({ length: 50 }, (_, i) => randomQuery(random, i === 0 ? table : withoutLooks));
      // A prompt reads what it sets when it is pressed, so that one prompt can set anything a link could hold.
      const broken = await page.evaluate(async (sets) => {
        // Another section each time: its prompt brings its figure into view, so that it draws.
        const prompts = document.querySelectorAll("button[data-set]");
        const prompt = prompts[Math.floor(Number(sets[0].length) % prompts.length)];
        for (const [i, set] of sets.entries()) {
          prompt.dataset.set = set;
          prompt.click();
          if (i % 10 === 9) await new Promise((resolve) => requestAnimationFrame(resolve));
          if (document.querySelector('figure[data-state="error"]')) return set;
        }
        return null;
      }, queries);
      assert.equal(broken, null, (await troubles(page)).join("; "));
      const found = await troubles(page);
      assert.deepEqual(found, [], `at the latest ?${queries.at(-1)}`);
    }
    console.log(`${count} random states in the page in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    assert.deepEqual(complaints, []);
    // And it still computes, in the text.
    await page.keyboard.press("Escape");
    await typeX(page, ADMISSION, "0.8");
    const { crowd: _, ...exact } = admissionAt(0.8);
    assertNear(await readouts(page, ADMISSION), exact, "afterwards");
    assert.notDeepEqual(parse(table, await addressSettled(page)), defaults(table));
    await page.close();
  });
});
