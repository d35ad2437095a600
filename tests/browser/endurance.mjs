/**
 * An hour of training and dragging in one page: what the page holds and how long its frames take, minute by minute. Not part
 * of `test`: `node tests/browser/endurance.mjs [minutes]`, after `./build.sh package`; fails when something grows.
 */
import { performance } from "node:perf_hooks";
import { figuresReady, launch, openPage, serveSite } from "./browser.mjs";
import { assertAllAt, FIGURES, typeX } from "./reading.mjs";

const MINUTES = Number(process.argv[2] ?? 60);
/** The first minutes fill caches and compile. */
const WARM_UP = 5;
const RACE = 'figure[data-figure="race"]';
/** Growth of the later half over the earlier one, as a share, that chance can make. */
const LEAST_GROWTH = 0.05;

const site = await serveSite();
const browser = await launch({ patience: 120_000 });
const { page, complaints } = await openPage(browser, { language: "en" });
await page.goto(`${site.address}?x=1&race.seeds=1&race.limit=20&race.hidden=32`);
await figuresReady(page);
const session = await page.createCDPSession();
await session.send("Performance.enable");
await session.send("HeapProfiler.enable");
await page.$eval(RACE, (figure) => figure.scrollIntoView({ block: "start", behavior: "instant" }));

/** Drags x across the hero for a moment, with the times between frames. */
const drag = () =>
  page.evaluate(async (selector) => {
    const slider = /** @type {HTMLInputElement} */ (document.querySelector(`${selector} input[name="x"]`));
    const times = [];
    let last = performance.now();
    for (let i = 0; i < 120; i++) {
      slider.value = String(3 * Math.sin(i / 9));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      times.push(performance.now() - last);
      last = performance.now();
    }
    slider.dispatchEvent(new Event("change", { bubbles: true }));
    return times.sort((a, b) => a - b);
  }, FIGURES.hero);

/** Presses what the race offers: train, or train again from the start. */
const race = () =>
  page.$eval(RACE, (figure) => {
    const button = (/** @type {string} */ name) =>
      /** @type {HTMLButtonElement | null} */ (figure.querySelector(`[data-run="${name}"]`));
    const reset = button("reset");
    if (reset && !reset.disabled && reset.checkVisibility()) reset.click();
    button("main")?.click();
  });

/** @returns {Promise<Record<string, number>>} */
async function held() {
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const value = (/** @type {string} */ name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heap: value("JSHeapUsedSize"), nodes: value("Nodes"), listeners: value("JSEventListeners") };
}

/** @type {Record<string, number>[]} */
const rows = [];
console.log("minute  heap/MB  nodes  listeners  frame/ms median  95 %  drags");
for (let minute = 1; minute <= MINUTES; minute++) {
  const end = performance.now() + 60_000;
  const frames = [];
  let drags = 0;
  while (performance.now() < end) {
    if (drags % 5 === 0) await race();
    frames.push(...(await drag()));
    drags++;
  }
  frames.sort((a, b) => a - b);
  const row = { ...(await held()), median: frames[frames.length >> 1], late: frames[Math.floor(0.95 * frames.length)], drags };
  rows.push(row);
  const { heap, nodes, listeners, median, late } = row;
  console.log(
    `${minute}  ${(heap / 1e6).toFixed(2)}  ${nodes}  ${listeners}  ${median.toFixed(1)}  ${late.toFixed(1)}  ${drags}`,
  );
}
await typeX(page, FIGURES.hero, "-0.5");
await assertAllAt(page, -0.5, "afterwards");

const calm = rows.slice(WARM_UP);
const half = calm.length >> 1;
const mean = (/** @type {Record<string, number>[]} */ some, /** @type {string} */ key) =>
  some.reduce((sum, row) => sum + row[key], 0) / some.length;
const grown = ["heap", "nodes", "listeners", "median"].filter((key) => {
  const [before, after] = [mean(calm.slice(0, half), key), mean(calm.slice(half), key)];
  console.log(`${key}: ${before.toFixed(1)} in the earlier half, ${after.toFixed(1)} in the later`);
  return after > before * (1 + LEAST_GROWTH);
});
if (complaints.length > 0) console.log(complaints.join("\n"));
await browser.close();
await site.close();
if (half < 1 || grown.length > 0 || complaints.length > 0) {
  console.error(half < 1 ? `${MINUTES} minutes are too few` : `grows: ${grown.join(", ") || "nothing"}`);
  process.exitCode = 1;
}
