/** The lecturer's timetable and the worksheet as they stand in the page, and what the build refuses of them. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadGelu } from "../../dist/lib/gelu.js";
import { loadSections } from "../../web/build/content.mjs";
import { figures } from "../../web/figures/index.js";
import { createTable, parse, serialize } from "../../web/state.js";

const gelu = await loadGelu();
const table = createTable(gelu.catalogue, figures);
const page = readFileSync(new URL("../../dist/site/index.html", import.meta.url), "utf8");
const [, lecture] = page.match(/<section class="sec" id="lecture">([\s\S]*?)<\/section>/);
const LANGUAGES = ["zh-CN", "en"];
const ROUTES = ["10", "25", "45"];

const plain = (html) => html.replace(/<annotation[\s\S]*?<\/annotation>|<[^>]*>/g, "").trim();
const unescaped = (text) => text.replaceAll("&amp;", "&");

/** The pieces of one language that match. */
const pieces = (language, pattern) =>
  [...lecture.matchAll(new RegExp(`<div class="block" lang="${language}">([\\s\\S]*?)(?=<div class="block"|$)`, "g"))].flatMap(
    ([, block]) => [...block.matchAll(pattern)],
  );

const stepsIn = (language) =>
  pieces(language, /<tr><th scope="row">([\s\S]*?)<\/tr>/g).map(([, row]) => {
    const [, id, , set, title] = row.match(/<a class="show" href="#([\w-]+)"( data-set="([^"]*)")?>([\s\S]*?)<\/a>/);
    const minutes = Object.fromEntries(
      [...row.matchAll(/<td data-route="(\d+)">(\d+)</g)].map(([, route, own]) => [route, +own]),
    );
    const words = (name) => plain(row.match(new RegExp(`<p class="${name}">([\\s\\S]*?)</p>`))[1]);
    return { id, set: unescaped(set ?? ""), minutes, title: plain(title), ask: words("ask"), answer: words("answer") };
  });

const tasksIn = (language) =>
  pieces(
    language,
    /<li><b>([^<]*)<\/b> <a class="show" href="#([\w-]+)"(?: data-set="([^"]*)")?>([^<]*)<\/a>([\s\S]*?)<\/li>/g,
  ).map(([, kind, id, set = "", number, rest]) => ({
    kind,
    id,
    set: unescaped(set),
    number,
    text: plain(rest),
    lines: rest.split('class="line"').length - 1,
  }));

test("the minutes of each route add up, and a longer one stops wherever a shorter does", () => {
  for (const language of LANGUAGES) {
    const steps = stepsIn(language);
    for (const route of ROUTES) {
      const own = steps.filter(({ minutes }) => minutes[route]);
      assert.equal(
        own.reduce((sum, { minutes }) => sum + minutes[route], 0),
        Number(route),
        language,
      );
      assert.ok(own.length >= 5);
    }
    for (const { minutes, title } of steps) {
      if (minutes["10"]) assert.ok(minutes["25"], title);
      if (minutes["25"]) assert.ok(minutes["45"], title);
    }
  }
});

test("both languages have the same stops and the same tasks, each in words of its own", () => {
  const [zh, en] = LANGUAGES.map(stepsIn);
  const bare = ({ id, set, minutes }) => ({ id, set, minutes });
  assert.deepEqual(zh.map(bare), en.map(bare));
  for (const { title, ask, answer } of zh) for (const words of [title, ask, answer]) assert.match(words, /\p{Script=Han}/u);
  for (const { title, ask, answer } of en)
    for (const words of [title, ask, answer]) assert.doesNotMatch(words, /\p{Script=Han}/u);
  for (const { ask } of en) assert.match(ask, /\?/);
  for (const { ask } of zh) assert.match(ask, /？/);
  const [zhTasks, enTasks] = LANGUAGES.map(tasksIn);
  const bareTask = ({ id, set, lines }) => ({ id, set, lines });
  assert.deepEqual(zhTasks.map(bareTask), enTasks.map(bareTask));
});

test("every stop and every task lands on a figure of the page, in a state that its address can hold", () => {
  for (const { id, set } of [...stepsIn("en"), ...tasksIn("en")]) {
    assert.match(page, new RegExp(`<figure [^>]*id="${id}" data-figure="${id.split("-")[1]}"`));
    const state = parse(table, set);
    const keys = [...new URLSearchParams(set).keys()];
    for (const key of keys) {
      assert.ok(table.has(key), `${id}: ${key}`);
      const owner = key.includes(".") ? key.split(".")[0] : "";
      const isKnown = owner === "" || owner === id.split("-")[1] || gelu.catalogue.some((row) => row.id === owner);
      assert.ok(isKnown, `${id} does not show ${key}`);
    }
    assert.deepEqual(parse(table, serialize(table, state)), state);
  }
});

test("the worksheet has tasks along the sections, lines to write on, the numbers of its figures, and its answers apart", () => {
  for (const language of LANGUAGES) {
    const tasks = tasksIn(language);
    assert.ok(tasks.length >= 12);
    assert.ok(new Set(tasks.map(({ id }) => id.split("-")[0])).size >= 6);
    assert.equal(new Set(tasks.map(({ kind }) => kind)).size, 3);
    const order = tasks.map(({ id }) => page.indexOf(`id="${id}"`));
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
      "in the order of the page",
    );
    for (const { id, number, lines, text } of tasks) {
      const caption = page.match(
        new RegExp(`id="${id}"[\\s\\S]*?<span class="fig-no"><span lang="zh-CN">([^<]*)</span><span lang="en">([^<]*)<`),
      );
      assert.equal(number.replace("\u00a0", " "), caption[language === "en" ? 2 : 1], id);
      assert.ok(lines >= 1 && text.length > 10);
    }
    const [[, answers]] = pieces(language, /<details class="key"><summary>[^<]*<\/summary><ol>([\s\S]*?)<\/ol>/g);
    assert.equal(answers.split("<li>").length - 1, tasks.length);
  }
});

// ---------- faults ----------

const FRONT = "---\nlabel: A\ntitle: B\nclaim: C\n---\n";
const step = (head, more = "") => `::: step ${head}\nshow: [see](?x=1#relu-curves)\nask: Q\nanswer: A\n${more}:::\n`;
const sound = `${FRONT}${step("10=4 25=20 45=40")}\n${step("10=6 25=5 45=5")}\nText.\n\n::: task read 2\nshow: (?x=1#relu-curves)\ndo: T\nanswer: [1.1289]{max gelu order=1}\n:::\n`;

async function load(text) {
  const folder = mkdtempSync(join(tmpdir(), "gelu-routes-"));
  try {
    for (const language of ["zh", "en"]) {
      mkdirSync(join(folder, language));
      writeFileSync(join(folder, language, "sample.md"), text);
    }
    return await loadSections(["sample"], { gelu, folder: pathToFileURL(`${folder}/`) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a sound timetable loads", async () => {
  const [{ parts }] = await load(sound);
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ["routes", "text", "worksheet"],
  );
});

/** @type {Array<[string, string, string, RegExp]>} */
const FAULTS = [
  ["minutes that do not add up", "25=20", "25=19", /the steps of the route of 25 minutes take 24/],
  ["a route that there is not", "10=4", "15=4", /:6: a step is ROUTE=MINUTES …, the routes 10, 25, 45; got "15=4 /],
  ["a step without minutes", "10=4 25=20 45=40", "", /:6: a step is ROUTE=MINUTES/],
  ["a step that names no figure", "#relu-curves", "#relu", /:6: a step shows a figure/],
  ["a step on a figure that there is not", "#relu-curves", "#relu-curbs", /:7: no figure "curbs"/],
  ["a step with a wrong state", "?x=1#", "?x=60#", /:7: bad value for x/],
  ["a step without a question", "ask: Q\n", "", /:6: ask: is missing/],
  ["a task of no kind", "task read 2", "task guess 2", /a task is read, work, predict and a number of lines, not "guess 2"/],
  ["a task without room", "task read 2", "task read", /a task is read, work, predict/],
  ["a wrong answer", "[1.1289]", "[1.1389]", /shown 1\.1389, computed 1\.1289/],
];

for (const [name, find, put, message] of FAULTS) {
  test(`refused with file and line: ${name}`, async () => {
    const broken = sound.replace(find, () => put);
    assert.notEqual(broken, sound);
    await assert.rejects(load(broken), (error) => error.name === "ContentError" && message.test(error.message));
  });
}
