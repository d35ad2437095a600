/** The SCORM package in a learning platform (scorm-again): visits, score, resuming, and no platform at all. */
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import { figuresReady, launch, openPage, serveSite } from "./browser.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** A platform: the lesson in a frame, what it reports in `lms`; what it knew before comes in the hash. */
const HOST = `<!doctype html><meta charset="utf-8"><title>LMS</title><link rel="icon" href="data:,">
<style>iframe{width:1200px;height:800px;border:0}</style><body><script src="scorm12.min.js"></script><script>
window.API = new Scorm12API({ autocommit: false, logLevel: 5 });
const known = location.hash.length > 1 ? JSON.parse(decodeURIComponent(location.hash.slice(1))) : null;
if (known) API.loadFromJSON(known, "cmi");
document.body.append(Object.assign(document.createElement("iframe"), { src: "lesson/index.html", name: "lesson" }));
</script>`;

let browser;
let server;
let folder = "";

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorm-"));
  const files = unzipSync(await readFile(`${ROOT}dist/scorm/gelu-lab-scorm12.zip`));
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, "lesson", name)), { recursive: true });
    await writeFile(join(folder, "lesson", name), bytes);
  }
  await cp(`${ROOT}node_modules/scorm-again/dist/scorm12.min.js`, join(folder, "scorm12.min.js"));
  await writeFile(join(folder, "lms.html"), HOST);
  server = await serveSite({ root: folder, csp: "" });
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function openLesson(known = null) {
  const opened = await openPage(browser, { language: "en", width: 1240, height: 860 });
  const { page } = opened;
  await page.goto(`${server.address}lms.html${known === null ? "" : `#${encodeURIComponent(JSON.stringify(known))}`}`);
  const handle = await page.waitForSelector("iframe");
  const lesson = await handle.contentFrame();
  await lesson.waitForFunction(() => document.querySelector(".foot .lms"));
  const value = (name) => page.evaluate((path) => path.split(".").reduce((at, key) => at[key], globalThis.API), name);
  const closeLesson = () => page.evaluate(() => document.querySelector("iframe").remove());
  return { ...opened, lesson, value, closeLesson };
}

const footLine = (lesson) => lesson.$eval(".foot .lms [lang=en]", (line) => line.textContent);

test("says how far the learner is: sections seen, the lesson completed when all are", async () => {
  const { page, lesson, value, complaints, closeLesson } = await openLesson();
  await figuresReady(lesson);
  assert.equal(await value("cmi.core.lesson_status"), "incomplete");
  assert.match(await footLine(lesson), /[01] of 12 sections/);
  const ids = await lesson.$$eval("section.sec[id]:not(#lecture)", (sections) => sections.map(({ id }) => id));
  for (const id of ids) {
    await lesson.evaluate((id) => document.getElementById(id).scrollIntoView(), id);
    await new Promise((resolve) => setTimeout(resolve, 2300));
  }
  await lesson.waitForFunction(
    (all) => document.querySelector(".foot .lms").textContent.includes(`${all} of ${all}`),
    {},
    ids.length,
  );
  assert.equal(await value("cmi.core.lesson_status"), "completed");
  assert.equal(await value("cmi.core.lesson_location"), ids.at(-1));
  assert.equal(await value("cmi.core.score.raw"), "", "a score although the quiz was not taken");
  await closeLesson();
  assert.equal(await page.evaluate(() => globalThis.API.isTerminated()), true);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a section passed over in less than two seconds is not visited", async () => {
  const { page, lesson } = await openLesson();
  await figuresReady(lesson);
  for (const id of ["relu", "ffn", "interview", "hero"]) {
    await lesson.evaluate((id) => document.getElementById(id).scrollIntoView(), id);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  await new Promise((resolve) => setTimeout(resolve, 3500));
  assert.match(await footLine(lesson), /1 of 12 sections/);
  await page.close();
});

test("a score is reported when all statements have been judged, not before", async () => {
  const { page, lesson, value } = await openLesson();
  await figuresReady(lesson);
  const vote = async (mark) => {
    await lesson.evaluate((mark) => document.querySelector(`[data-figure=judge] [data-vote="${mark}"]`).click(), mark);
    await lesson.evaluate(() => document.querySelector('[data-figure=judge] [data-act="next"]').click());
  };
  const all = await lesson.$$eval('[data-figure=judge] .fig-list > [lang="en"] .statement', (items) => items.length);
  for (let i = 0; i < all - 1; i++) await vote("f");
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.equal(await value("cmi.core.score.raw"), "");
  await vote("f");
  await lesson.waitForFunction(() => /quiz/.test(document.querySelector(".foot .lms").textContent));
  const right = await lesson.$eval('[data-readout="judge.right"]', (output) => Number(output.dataset.value));
  assert.ok(right > 0 && right < all);
  assert.equal(Number(await value("cmi.core.score.raw")), Math.round((10000 * right) / all) / 100);
  assert.equal(await value("cmi.core.score.max"), "100");
  assert.equal(await value("cmi.core.lesson_status"), "incomplete");
  await page.close();
});

test("the next visit begins where this one ended, with the answers given", async () => {
  const first = await openLesson();
  await figuresReady(first.lesson);
  await first.lesson.evaluate(() => document.querySelector("#misconceptions").scrollIntoView());
  await first.lesson.evaluate(() => document.querySelector('[data-figure=judge] [data-vote="t"]').click());
  await first.lesson.waitForFunction(() => location.search.includes("judge.votes"));
  const said = await first.lesson.$eval("[data-figure=judge] .q", (question) => question.textContent);
  await new Promise((resolve) => setTimeout(resolve, 2300));
  await first.closeLesson();
  const known = await first.page.evaluate(() => globalThis.API.renderCMIToJSONObject().cmi);
  assert.ok(known.suspend_data.length < 4096);
  await first.page.close();

  const second = await openLesson(known);
  await figuresReady(second.lesson);
  assert.equal(await second.lesson.$eval("[data-figure=judge] .q", (question) => question.textContent), said);
  assert.equal(await second.lesson.evaluate(() => location.hash), "#misconceptions");
  assert.match(await footLine(second.lesson), /[1-9]\d* of 12 sections/);
  assert.deepEqual(second.complaints, []);
  await second.page.close();
});

test("answers that another learner left on this machine are not shown", async () => {
  const { page, lesson } = await openLesson();
  await lesson.evaluate(() => localStorage.setItem("gelu-lab.judge", "judge.seed=7&judge.at=5&judge.votes=tttt"));
  await page.reload();
  const again = await (await page.waitForSelector("iframe")).contentFrame();
  await figuresReady(again);
  const count = (name) => again.$eval(`[data-readout="judge.${name}"]`, (output) => output.dataset.value);
  assert.deepEqual([await count("right"), await count("wrong")], ["0", "0"]);
  await page.close();
});

test("without a platform it is the lesson, and says so", async () => {
  const { page, complaints } = await openPage(browser, { language: "zh-CN" });
  await page.goto(`${server.address}lesson/index.html?x=2`);
  await figuresReady(page);
  assert.match(await page.$eval(".foot .lms", (line) => line.textContent), /没有找到学习平台/);
  // What they hand out are addresses of pages that the package does not have, or that nobody else can open.
  assert.ok(await page.$('[data-tool="csv"]'));
  assert.equal(await page.$('[data-tool="embed"], [data-tool="copyLink"]'), null);
  assert.deepEqual(complaints, []);
  await page.close();
});
