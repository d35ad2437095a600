/** `judge` and `cards`: nothing shows before its time, what is said is right, and progress lasts without being asked for. */
// biome-ignore-all lint/performance/useDomNodeTextContent: both languages are in the page, and one of them is hidden
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { findings } from "./axe.mjs";
import { needs, settled } from "./browser.mjs";
import { poppler } from "./poppler.mjs";
import { clickInput, readouts } from "./reading.mjs";
import { QUESTIONS, STATEMENTS, says } from "./shown.mjs";
import { addressSettled, useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite(["misconceptions", "interview"]);
const WHOLE = { sections: [] };
const JUDGE = 'figure[data-figure="judge"]';
const CARDS = 'figure[data-figure="cards"]';
const field = `${CARDS} input[name="cards.answer"]`;

/** Each visit begins without what an earlier one has kept. */
const visit = (path, use, options = {}) =>
  site.visit(
    path,
    async (page) => {
      try {
        await use(page);
      } finally {
        await page.evaluate(() => localStorage.clear()).catch(() => {});
      }
    },
    options,
  );

/** What can be seen of an element, without what is hidden by language. */
const seen = (/** @type {Page} */ page, /** @type {string} */ selector) =>
  page.$eval(selector, (element) => element.innerText.trim());
const has = async (/** @type {Page} */ page, /** @type {string} */ selector) => (await page.$(selector)) !== null;
const press = (/** @type {Page} */ page, /** @type {string} */ selector) => page.$eval(selector, (element) => element.click());
const focused = (/** @type {Page} */ page) =>
  page.evaluate(() => document.activeElement?.getAttribute("data-act") ?? document.activeElement?.className ?? "");

/** The statements of the page's own list, by their words: whether they are true, and the explanation. */
const listed = (/** @type {Page} */ page, language = "en") =>
  page.$$eval(`${JUDGE} .fig-list [lang="${language}"] .statement`, (items) =>
    items.map((item) => ({
      said: item.querySelector(".said").textContent.trim(),
      is: [...item.querySelector(".is").childNodes]
        .slice(1)
        .map((node) => node.textContent)
        .join("")
        .trim(),
      truth: item.closest("[data-group]").dataset.group === "true",
    })),
  );

const saidNow = (/** @type {Page} */ page, language = "en") =>
  page.$eval(`${JUDGE} .q [lang="${language}"]`, (span) => span.textContent.trim());

/** Goes through all statements by keyboard alone, with one answer; answers their words in order. */
async function judgeAll(/** @type {Page} */ page, /** @type {string} */ key) {
  const statements = await listed(page);
  const order = [];
  await page.focus(`${JUDGE} .q`);
  for (let i = 0; i < statements.length; i++) {
    order.push(await saidNow(page));
    await page.keyboard.press(key);
    assert.equal(await focused(page), "next");
    await page.keyboard.press("Enter");
  }
  return order;
}

/** What is expected of a statement or a question. */
function shownFor(/** @type {import("./shown.mjs").Shown[]} */ list, /** @type {string} */ words) {
  const found = list.filter((shown) => shown.words.test(words));
  assert.equal(found.length, 1, words);
  return found[0];
}

/** Follows the link of what is asked now; what is trained or drawn for it takes its time. */
async function assertShows(page, root, words, { figure, wants = {}, text = /./ }) {
  const set = await page.$eval(`${root} .quiz a.show[lang="en"]`, (a) => a.dataset.set);
  await press(page, `${root} .quiz a.show[lang="en"]`);
  assert.equal(await page.$eval(".fig-task", (task) => task.closest("figure").id), figure, words);
  const x = new URLSearchParams(set).get("x");
  if (x !== null) {
    const shown = await page.$eval(`#${figure} input[name="x"]`, (input) => Number(input.value));
    assert.ok(Math.abs(shown - Number(x)) < 1e-9, `${words} x is ${shown}`);
  }
  const end = Date.now() + 30_000;
  for (;;) {
    const got = await readouts(page, `#${figure}`);
    const wrong = Object.entries(wants).filter(([name, want]) => !says(got[name], want));
    if (wrong.length === 0) break;
    assert.ok(Date.now() < end, `${words} ${wrong.map(([name, want]) => `${name} is ${got[name]}, want ${want}`).join("; ")}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  assert.match(await seen(page, `#${figure}`), text, words);
}

describe("judge", () => {
  test("gives nothing away before a vote: neither on the screen nor to a screen reader", needs("the accessibility tree"), () =>
    visit("?judge.seed=3", async (page) => {
      const statements = await listed(page);
      const text = await seen(page, JUDGE);
      for (const { is } of statements) assert.ok(!text.includes(is), is);
      assert.doesNotMatch(text, /Not so\.|Often said/);
      const client = await page.createCDPSession();
      const { nodes } = await client.send("Accessibility.getFullAXTree");
      const names = nodes.filter(({ ignored }) => !ignored).map(({ name }) => String(name?.value ?? ""));
      assert.ok(
        names.some((name) => statements.some(({ said }) => name.includes(said))),
        "the statement can be heard",
      );
      assert.ok(!names.some((name) => statements.some(({ is }) => name.includes(is))), "an answer can be heard");
      assert.deepEqual(await readouts(page, JUDGE), { "judge.right": 0, "judge.wrong": 0, "judge.open": statements.length });
    }),
  );

  for (const [key, answer] of [
    ["1", true],
    ["2", false],
  ]) {
    test(`by keyboard, ${answer} throughout: each verdict is right, and so is the result`, () =>
      visit("?judge.seed=3", async (page) => {
        const statements = await listed(page);
        const all = statements.length;
        const right = statements.filter(({ truth }) => truth === answer).length;
        await page.focus(`${JUDGE} .q`);
        for (let i = 0; i < all; i++) {
          const said = await saidNow(page);
          const { truth, is } = statements.find((one) => one.said === said);
          await page.keyboard.press(key);
          const verdict = await seen(page, `${JUDGE} .verdict [lang="en"] b`);
          assert.match(verdict, truth === answer ? /^You judged right: / : /^You judged wrong: /, said);
          assert.match(verdict, truth ? /it is true/ : /it is false/, said);
          assert.ok((await page.$eval(`${JUDGE} .verdict [lang="en"]`, (p) => p.textContent)).endsWith(is), said);
          assert.match(await seen(page, `${JUDGE} .vote.mine`), answer ? /^True\s+your vote$/ : /^False\s+your vote$/);
          assert.equal(await page.$$eval(`${JUDGE} .vote:disabled`, (votes) => votes.length), 2);
          // A second opinion does not count.
          await page.keyboard.press(key === "1" ? "2" : "1");
          assert.equal(await seen(page, `${JUDGE} .verdict [lang="en"] b`), verdict);
          await page.keyboard.press("Enter");
        }
        const got = await readouts(page, JUDGE);
        assert.deepEqual(got, { "judge.right": right, "judge.wrong": all - right, "judge.open": 0, "judge.result": right });
        assert.match(await seen(page, `${JUDGE} .q`), new RegExp(`^You judged ${all}, ${right} of them right`));
        assert.equal(await page.$$eval(`${JUDGE} .missed li`, (items) => items.length), all - right);
        const marks = await page.$$eval(`${JUDGE} .ticks i`, (items) => items.map((item) => item.className));
        assert.equal(marks.filter((mark) => mark === "ok").length, right);
        assert.equal(marks.filter((mark) => mark === "no").length, all - right);
      }));
  }

  test("the order is the reader's: the same in a new try, after a reload, after a reset; another seed has another", () =>
    visit("", async (page) => {
      const first = await judgeAll(page, "1");
      assert.equal(new Set(first).size, (await listed(page)).length, "each once");
      await press(page, `${JUDGE} [data-act="oncemore"]`);
      assert.deepEqual(await judgeAll(page, "2"), first, "a new try");
      await addressSettled(page);
      const seed = await page.evaluate(() => new URLSearchParams(location.search).get("judge.seed"));
      await press(page, `${JUDGE} [data-tool="reset"]`);
      assert.equal((await readouts(page, JUDGE))["judge.open"], first.length);
      assert.equal(await saidNow(page), first[0], "after a reset");
      await page.goto(site.address);
      await page.waitForSelector(`${JUDGE}[data-state="ready"]`);
      assert.equal(await saidNow(page), first[0], "another visit of the same reader");
      const other = seed === "4" ? 5 : 4;
      await page.goto(`${site.address}?judge.seed=${other}`);
      await page.waitForSelector(`${JUDGE}[data-state="ready"]`);
      assert.notDeepEqual(await judgeAll(page, "1"), first);
    }));

  test("the language changes in the middle and nothing else does", () =>
    visit("?judge.seed=3&judge.at=4", async (page) => {
      await page.focus(`${JUDGE} .q`);
      await page.keyboard.press("1");
      const [zh, en] = [await listed(page, "zh-CN"), await listed(page)];
      const at = en.findIndex(({ said }) => said.length > 0);
      assert.equal(at, 0);
      const said = await saidNow(page);
      const number = en.findIndex((one) => one.said === said);
      const before = await readouts(page, JUDGE);
      await clickInput(page, 'input[name="lang"][value="zh"]');
      await settled(page);
      assert.equal(await seen(page, `${JUDGE} .q`), zh[number].said);
      assert.match(await seen(page, `${JUDGE} .verdict`), /^判断(正确|错误)：/);
      assert.doesNotMatch(await seen(page, `${JUDGE} .panel`), /judged|Next|True/);
      assert.match(await page.$eval(`${JUDGE} .ticks`, (ticks) => ticks.getAttribute("aria-label")), /判断正确/);
      assert.deepEqual(await readouts(page, JUDGE), before);
    }));

  test("a link holds all of it, and a host that keeps nothing changes nothing", () =>
    visit(
      "?judge.seed=3",
      async (page) => {
        await page.focus(`${JUDGE} .q`);
        for (const key of ["1", "Enter", "2", "Enter", "2"]) await page.keyboard.press(key);
        const query = await addressSettled(page);
        assert.match(query, /judge\.seed=3&judge\.at=3&judge\.votes=[tf-]+/);
        const state = async () => [await seen(page, `${JUDGE} .panel`), await readouts(page, JUDGE)];
        const before = await state();
        await page.goto(site.address + query);
        await page.waitForSelector(`${JUDGE}[data-state="ready"]`);
        assert.deepEqual(await state(), before);
      },
      {
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            for (const name of ["getItem", "setItem"])
              Storage.prototype[name] = () => {
                throw new DOMException("refused", "SecurityError");
              };
          }),
      },
    ));

  test("marks in the address that mean nothing do no harm", () =>
    visit("?judge.at=98.7&judge.votes=<b>&judge.seed=1e9&cards.at=77&cards.ratings=xyz&cards.level=none", async (page) => {
      assert.match(await seen(page, `${JUDGE} .q`), /no result/);
      assert.ok((await seen(page, `${CARDS} .q`)).length > 10);
      await press(page, `${JUDGE} [data-act="oncemore"]`);
      assert.ok(await has(page, `${JUDGE} .votes`));
    }));

  test("what was skipped is left out of the result and can be judged later", () =>
    visit("?judge.seed=3", async (page) => {
      const all = (await listed(page)).length;
      await press(page, `${JUDGE} [data-act="skip"]`);
      const second = await saidNow(page);
      await press(page, `${JUDGE} [data-vote="t"]`);
      for (let i = 2; i <= all; i++) await press(page, `${JUDGE} :is([data-act="skip"], [data-act="next"])`);
      assert.match(await seen(page, `${JUDGE} .q`), /^You judged 1, [01] of them/);
      await press(page, `${JUDGE} [data-act="judgeSkipped"]`);
      assert.equal(await seen(page, `${JUDGE} .quiz-top span`), `1 of ${all}`);
      await press(page, `${JUDGE} [data-act="skip"]`);
      assert.equal(await saidNow(page), second);
      await press(page, `${JUDGE} [data-act="previous"]`);
      assert.equal(await seen(page, `${JUDGE} .quiz-top span`), `1 of ${all}`);
    }));

  test("every statement leads to a figure whose numbers settle it, draws it small, and there is a way back", () =>
    visit(
      `?judge.seed=3&judge.votes=${"t".repeat(29)}`,
      async (page) => {
        const all = (await listed(page)).length;
        const met = new Set();
        for (let at = 1; at <= all; at++) {
          const said = await saidNow(page);
          const shown = shownFor(STATEMENTS, said);
          met.add(shown);
          const picture = await page.$$eval(`${JUDGE} .evidence svg`, (all) =>
            all.map((svg) => ({ html: svg.outerHTML, text: svg.textContent, curves: svg.querySelectorAll("path").length })),
          );
          assert.equal(picture.length, shown.drawn ? 1 : 0, `${said}: pictures`);
          if (shown.drawn) {
            assert.ok(picture[0].curves > 1, said);
            assert.doesNotMatch(picture[0].text, /not computed/, said);
            assert.doesNotMatch(picture[0].html, /NaN|undefined/, said);
          }
          await assertShows(page, JUDGE, said, shown);
          await press(page, ".fig-task .tool");
          // What stands above may still be taking its place.
          const topOf = () => page.$eval(`${JUDGE} .quiz a.show[lang="en"]`, (a) => a.getBoundingClientRect().top);
          let top = await topOf();
          for (let tries = 0; tries < 20 && !(top > 0 && top < 900); tries++, top = await topOf()) await settled(page);
          assert.ok(top > 0 && top < 900, `${said}: back at ${top}`);
          await press(page, `${JUDGE} .quiz [data-act="next"]`);
        }
        assert.deepEqual([...met].length, STATEMENTS.length);
      },
      WHOLE,
    ));

  test("digits elsewhere do nothing, and the vote is told to who cannot see it", () =>
    visit("?judge.seed=3", async (page) => {
      await page.focus(`${CARDS} input[name="cards.progress"]`);
      await page.keyboard.press("2");
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("1");
      assert.equal(await has(page, `${JUDGE} .verdict`), false);
      await page.focus(`${JUDGE} [data-vote="t"]`);
      await page.keyboard.press(" ");
      await page.waitForFunction(
        () => /^You judged (right|wrong): .{40}/.test(document.querySelector('#misconceptions [role="status"]').textContent),
        { timeout: 3000 },
      );
    }));

  test("on a phone no Chinese statement breaks inside a phrase", () =>
    visit(
      "?judge.seed=3&lang=zh",
      async (page) => {
        const all = (await listed(page, "zh-CN")).length;
        for (let at = 1; at <= all; at++) {
          // A short statement has no marks, and must need none.
          const parts = await page.$eval(`${JUDGE} .q`, (q) => {
            const phrases = [...q.querySelectorAll('[lang="zh-CN"] .ph')];
            return (phrases.length > 0 ? phrases : [q]).map((part) => ({
              text: part.textContent,
              // A second line adds as much as the first; a root or a fraction less.
              lines: part.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(part).lineHeight),
            }));
          });
          for (const { text, lines } of parts) assert.ok(lines < 1.6, `${text}: ${lines} lines`);
          await press(page, `${JUDGE} .quiz [data-act="skip"]`);
        }
      },
      { width: 360, height: 760, touch: true },
    ));

  test("on a phone: nothing is cut, fingers have 44 px, dots stand in one row", () =>
    visit(
      `?judge.seed=3&judge.votes=${"t".repeat(29)}&judge.at=2`,
      async (page) => {
        for (const selector of [`${JUDGE} .vote`, `${JUDGE} .quiz .btn`, `${CARDS} .quiz .btn`, `${CARDS} .quiz .seg label`]) {
          const heights = await page.$$eval(selector, (all) => all.map((one) => one.getBoundingClientRect().height));
          assert.ok(heights.length > 0 && Math.min(...heights) >= 44, `${selector}: ${heights}`);
        }
        const tops = await page.$$eval(`${JUDGE} .ticks i`, (all) => all.map((one) => one.getBoundingClientRect().top));
        assert.equal(new Set(tops).size, 1);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        await page.tap(`${JUDGE} [data-act="next"]`);
        assert.match(await seen(page, `${JUDGE} .quiz-top span`), /^3 of/);
      },
      { width: 360, height: 760, touch: true },
    ));
});

describe("cards", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gelu-cards-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test("every question leads to a figure whose numbers give the answer", () =>
    visit(
      "?cards.shown=short",
      async (page) => {
        const all = await page.$$eval(`${CARDS} .fig-list [lang="en"] .card`, (cards) => cards.length);
        const met = new Set();
        for (let at = 1; at <= all; at++) {
          if (await has(page, `${CARDS} [data-act="showShort"]`)) await press(page, `${CARDS} [data-act="showShort"]`);
          const q = await page.$eval(`${CARDS} .q [lang="en"]`, (span) => span.textContent.trim());
          const set = await page.$$eval(`${CARDS} .quiz a.show[lang="en"]`, ([a]) => a?.dataset.set);
          // Programs stand in the text, not in a figure.
          if (set !== undefined) {
            const shown = shownFor(QUESTIONS, q);
            met.add(shown);
            await assertShows(page, CARDS, q, shown);
          }
          await press(page, `${CARDS} .quiz [data-act="next"]`);
        }
        assert.equal(met.size, QUESTIONS.length);
      },
      WHOLE,
    ));

  async function answer(page, text) {
    await page.$eval(field, (input) => input.select());
    await page.type(field, text);
    await page.keyboard.press("Enter");
    return seen(page, `${CARDS} .answer-said`);
  }

  test("question first, short answer on demand, the full one below it, then the next question", () =>
    visit("?cards.at=11", async (page) => {
      const card = await page.$$eval(`${CARDS} .fig-list [lang="en"] .card`, (all) => {
        const text = (selector) => all[10].querySelector(selector).textContent.trim();
        return { q: text("summary"), short: text(".short"), full: text(".full") };
      });
      const panel = () => page.$eval(`${CARDS} .panel`, (element) => element.textContent);
      assert.equal(await page.$eval(`${CARDS} .q [lang="en"]`, (span) => span.textContent.trim()), card.q);
      assert.ok(!(await panel()).includes(card.short));
      await press(page, `${CARDS} [data-act="showShort"]`);
      assert.ok((await panel()).includes(card.short));
      assert.equal(await page.$eval(`${CARDS} details`, (details) => details.open), false);
      await press(page, `${CARDS} .quiz summary`);
      await settled(page);
      assert.equal(await page.$eval(`${CARDS} .full[lang="en"]`, (full) => full.textContent.trim()), card.full);
      assert.match(await addressSettled(page), /cards\.at=11&cards\.shown=full/);
      await press(page, `${CARDS} [data-act="next"]`);
      await settled(page);
      await settled(page);
      assert.match(await seen(page, `${CARDS} .quiz-top span`), /12 of 29$/);
      assert.equal(await has(page, `${CARDS} .short-box`), false, "the next answer is not open yet");
    }));

  test("a number is checked within its tolerance; wrong ones give nothing away, what is no number is named", () =>
    visit("?cards.at=11", async (page) => {
      assert.match(await seen(page, `${CARDS} .quiz-top`), /to within 1\u202f%/);
      const most = 1.128904145185155;
      for (const [text, want] of [
        ["1.1", /^Too small/],
        [String(most * 1.0101), /^Too large/],
        ["-1.129", /the sign is not/],
        ["", /no number yet/],
        ["one<b>", /^“one<b>” is not a number; .*such as −3\.5/],
      ]) {
        assert.match(await answer(page, text === "" ? " " : text), want, text);
        assert.equal(await page.$eval(field, (input) => input.getAttribute("aria-invalid")), "true");
        assert.equal(await has(page, `${CARDS} [data-readout="cards.answer"]`), false);
      }
      for (const text of [String(most * 1.0099), "1,129", "１．１３", "1.129"])
        assert.equal(await answer(page, text), "Right, within the tolerance. Computed, it is 1.1289.");
      assert.ok(Math.abs((await readouts(page, CARDS))["cards.answer"] - most) < 1e-12);
      await clickInput(page, 'input[name="lang"][value="zh"]');
      assert.match(await seen(page, `${CARDS} .answer-said`), /^对，在容差之内。算出来是 1\.1289。/);
      await press(page, `${CARDS} [data-act="showShort"]`);
      assert.match(await seen(page, `${CARDS} .answer-said`), /^对/, "it stays beside the answer");
      assert.equal(await page.$eval(field, (input) => input.value), "1.129");
      await press(page, `${CARDS} [data-act="next"]`);
      await press(page, `${CARDS} [data-act="previous"]`);
      assert.equal(await page.$eval(field, (input) => input.value), "1.129", "what was typed lasts");
      await press(page, `${CARDS} [data-tool="reset"]`);
      await press(page, `${CARDS} [data-act="next"]`);
      for (let at = 2; at < 11; at++) await press(page, `${CARDS} [data-act="next"]`);
      assert.deepEqual([await page.$eval(field, (input) => input.value), await seen(page, `${CARDS} .answer-said`)], ["", ""]);
    }));

  test("levels, ratings by key and by press, and what is left", () =>
    visit("?cards.level=basic", async (page) => {
      const all = await page.$$eval(`${CARDS} .fig-list [lang="en"] [data-group="basic"] .card`, (cards) => cards.length);
      const counts = async () => Object.values(await readouts(page, CARDS));
      assert.deepEqual(await counts(), [0, 0, 0, all]);
      await press(page, `${CARDS} [data-act="showShort"]`);
      assert.equal(await focused(page), "short-box");
      await page.keyboard.press("3");
      assert.deepEqual(await counts(), [1, 0, 0, all - 1]);
      await press(page, `${CARDS} [data-act="next"]`);
      await page.keyboard.press("2");
      assert.deepEqual(await counts(), [1, 0, 0, all - 1], "no rating before the answer shows");
      await press(page, `${CARDS} [data-act="showShort"]`);
      await clickInput(page, `${CARDS} input[name="cards.rating"][value="1"]`);
      assert.deepEqual(await counts(), [1, 1, 0, all - 2]);
      await clickInput(page, `${CARDS} input[name="cards.due"][value="due"]`);
      const met = new Set();
      for (let i = 0; i < all; i++) {
        await press(page, `${CARDS} [data-act="next"]`);
        met.add(await seen(page, `${CARDS} .q`));
      }
      assert.equal(met.size, all - 1, "the one that is known does not come again");
      const query = await addressSettled(page);
      assert.match(query, /cards\.level=basic&cards\.due=due&cards\.at=\d+&cards\.ratings=21$/);
      const before = await seen(page, `${CARDS} .panel`);
      await page.goto(site.address + query);
      await page.waitForSelector(`${CARDS}[data-state="ready"]`);
      assert.equal(await seen(page, `${CARDS} .panel`), before);
      await clickInput(page, `${CARDS} input[name="cards.level"][value="design"]`);
      assert.match(await seen(page, `${CARDS} .quiz-top span`), /^Design · 1 of/);
    }));

  test("progress is a line to take along; another line is refused with what would do", () =>
    visit("?cards.ratings=0-12", async (page) => {
      const line = `${CARDS} input[name="cards.progress"]`;
      const put = async (text) => {
        await page.$eval(line, (input) => input.select());
        await page.type(line, text);
        await page.keyboard.press("Tab");
      };
      assert.equal(await page.$eval(line, (input) => input.value), "gelu-cards 29 0-12");
      await put(" Gelu-cards  29 222-1 ");
      assert.deepEqual(Object.values(await readouts(page, CARDS)), [3, 1, 0, 25]);
      for (const wrong of ["gelu-cards 28 22", "gelu-cards 29 9", `gelu-cards 29 ${"1".repeat(30)}`, "hello <i>"]) {
        await put(wrong);
        const message = await seen(page, "#cards-progress-help");
        assert.ok(message.startsWith(`“${wrong.slice(0, 30)}`), message);
        assert.match(message, /such as gelu-cards 29 2-10/);
        assert.deepEqual(Object.values(await readouts(page, CARDS)), [3, 1, 0, 25], wrong);
      }
      await page.goto(site.address);
      await page.waitForSelector(`${CARDS}[data-state="ready"]`);
      assert.deepEqual(Object.values(await readouts(page, CARDS)), [3, 1, 0, 25], "kept where the host allows it");
      await press(page, `${CARDS} [data-tool="reset"]`);
      await page.goto(site.address);
      await page.waitForSelector(`${CARDS}[data-state="ready"]`);
      assert.deepEqual(Object.values(await readouts(page, CARDS)), [0, 0, 0, 29], "and not after a reset");
    }));

  test("prints as a sheet of its own, with or without the answers, from its first page on", needs("print media"), () =>
    visit(
      "",
      async (page) => {
        await page.emulateMediaType("print");
        const shown = () =>
          page.evaluate((root) => {
            const visible = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).length;
            return {
              sections: visible("main > section"),
              questions: visible(`${root} .fig-list [lang="en"] summary`),
              answers: visible(`${root} .fig-list [lang="en"] .short`),
              panel: visible(`${root} .quiz`),
            };
          }, CARDS);
        const all = await page.$$eval(`${CARDS} .fig-list [lang="en"] .card`, (cards) => cards.length);
        await press(page, `${CARDS} [data-tool="printQuestions"]`);
        assert.deepEqual(await shown(), { sections: 1, questions: all, answers: 0, panel: 0 });
        await page.evaluate(() => dispatchEvent(new Event("afterprint")));
        await press(page, `${CARDS} [data-tool="printAnswers"]`);
        assert.deepEqual(await shown(), { sections: 1, questions: all, answers: all, panel: 0 });
        const path = join(folder, "answers.pdf");
        await page.pdf({ path, preferCSSPageSize: true });
        const [first] = poppler("pdftotext", path, "-").split("\f");
        assert.ok(first.trim().length > 200, `the first page has only: ${first.trim()}`);
        // To make a file Firefox prints, and then it is on the screen again.
        await page.emulateMediaType("print");
        await page.evaluate(() => dispatchEvent(new Event("afterprint")));
        const { sections } = await shown();
        assert.ok(sections > 8, "all of the page again");
        assert.equal(await page.evaluate(() => window.printed), 2);
      },
      {
        ...WHOLE,
        before: (page) =>
          page.evaluateOnNewDocument(() => {
            window.printed = 0;
            window.print = () => {
              window.printed++;
              // As a browser does.
              dispatchEvent(new Event("beforeprint"));
            };
          }),
      },
    ),
  );
});

describe("the lists", () => {
  test("stand on paper with verdicts and answers, whatever the figures show", needs("print media"), () =>
    visit("?judge.at=5&cards.at=7", async (page) => {
      await page.emulateMediaType("print");
      await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
      const visible = (selector) =>
        page.$$eval(
          selector,
          (all) => all.filter((one) => one.checkVisibility() && one.getBoundingClientRect().height > 0).length,
        );
      assert.equal(await visible(`${JUDGE} .fig-list [lang="en"] .is`), (await listed(page)).length);
      assert.equal(await visible(`${JUDGE} .fig-list [lang="zh-CN"] .is`), 0);
      assert.equal(await visible(`${CARDS} .fig-list [lang="en"] .full`), 29);
      assert.equal(await visible(".quiz"), 0);
    }),
  );

  test("come back where the kernels do not start", async () => {
    const page = await site.browser.newPage();
    await page.evaluateOnNewDocument(() => {
      WebAssembly.instantiate = () => Promise.reject(new Error("refused for the test"));
    });
    // The same kernels in JavaScript would do, if they came.
    await page.setRequestInterception(true);
    page.on("request", (request) => (/\/fallback-/.test(request.url()) ? request.abort() : request.continue()));
    await page.goto(`${site.address}?lang=en`);
    await page.waitForSelector(`${JUDGE}[data-state="error"]`);
    const count = await page.$$eval(
      `${JUDGE} .fig-list [lang="en"] .is`,
      (all) => all.filter((one) => one.checkVisibility()).length,
    );
    assert.equal(count, (await listed(page)).length);
    await page.close();
  });
});

describe("axe-core finds nothing", () => {
  for (const [name, state] of [
    [
      "after a vote and with the full answer",
      "judge.votes=ttttttttttttttttttttttttttttt&cards.at=11&cards.shown=full&cards.ratings=012",
    ],
    ["in the result and at a question", "judge.votes=tttttttttttttttttttttttttttt&judge.at=99&cards.at=11"],
  ]) {
    for (const look of ["lang=en&theme=light", "lang=zh&theme=dark"]) {
      test(`${name}, ${look}`, () =>
        visit(`?judge.seed=3&${state}&${look}`, async (page) => {
          await page.$eval(field, (input) => {
            input.value = "2";
          });
          await press(page, `${CARDS} [data-act="check"]`);
          assert.deepEqual(await findings(page, ["#misconceptions", "#interview"]), []);
        }));
    }
  }
});
