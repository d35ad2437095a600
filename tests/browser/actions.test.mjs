/** A reader who presses, types, drags and turns everything in no order: nothing throws, no plot is blank, no number is none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomFrom } from "../node/vectors.mjs";
import { figuresReady, isGivenUp, openPage, settled } from "./browser.mjs";
import { catchFiles } from "./files.mjs";
import { assertAllAt, FIGURES, typeX } from "./reading.mjs";
import { blanks, troubles } from "./troubles.mjs";
import { useSite } from "./visit.mjs";

/** RANDOM_ACTIONS=10000 takes many minutes. */
const ACTIONS = Number(process.env.RANDOM_ACTIONS ?? 2000);
const SEED = Number(process.env.RANDOM_SEED ?? 1);
const A_ROUND = 50;

const site = useSite();

/**
 * Does to one control, drawn by the numbers, what a reader can do to it; runs in the page.
 * @param {number[]} lots from 0 to 1
 * @returns {string} what was done
 */
function act([which, what, how, more]) {
  const pick = (/** @type {any} */ list, /** @type {number} */ lot) => list[Math.floor(lot * list.length)];
  const figure = pick(document.querySelectorAll("main figure[data-figure]"), which);
  const around = more < 0.1 ? figure.closest("section") : figure;
  const controls = [
    ...around.querySelectorAll("button, input, select, textarea, summary, canvas[role=img], a[data-set], [tabindex='0']"),
  ].filter((each) => each.checkVisibility() && !each.disabled && each.type !== "file");
  const control = pick(controls, what);
  if (control === undefined) return "nothing to press";
  const name = control.name || control.dataset.tool || control.dataset.act || control.dataset.run || control.className;
  const said = `${figure.id}: ${control.tagName.toLowerCase()} ${name}`;
  const fire = (/** @type {string} */ type, init = {}) =>
    control.dispatchEvent(new Event(type, { bubbles: true, cancelable: true, ...init }));
  const press = (/** @type {string} */ key) => {
    for (const type of ["keydown", "keyup"])
      control.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true, cancelable: true, shiftKey: more > 0.8 }));
  };
  const KEYS = [
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "Enter",
    "Escape",
    "+",
    "-",
    "0",
    " ",
  ];
  if (control.matches("canvas")) {
    const { left, top, width, height } = control.getBoundingClientRect();
    const at = (/** @type {number} */ x, /** @type {number} */ y) => ({ clientX: left + x * width, clientY: top + y * height });
    if (how < 0.2) {
      control.dispatchEvent(
        new WheelEvent("wheel", {
          deltaY: (more - 0.5) * 400,
          ctrlKey: how < 0.1,
          bubbles: true,
          cancelable: true,
          ...at(how, more),
        }),
      );
      return `${said} wheel`;
    }
    const pointer = (/** @type {string} */ type, /** @type {object} */ place) =>
      control.dispatchEvent(
        new PointerEvent(type, {
          // The mouse, which alone may be captured unless it is pressed.
          pointerId: navigator.userAgent.includes("Firefox") ? 0 : 1,
          pointerType: how > 0.6 ? "touch" : "mouse",
          isPrimary: true,
          button: 0,
          buttons: 1,
          shiftKey: more > 0.7,
          bubbles: true,
          cancelable: true,
          ...place,
        }),
      );
    pointer("pointerdown", at(how, more));
    pointer("pointermove", at(more, how));
    pointer("pointermove", at(1 - how, 1 - more));
    pointer(more < 0.1 ? "pointercancel" : "pointerup", at(1 - how, 1 - more));
    return `${said} drag ${how.toFixed(2)}`;
  }
  if (control.matches("input[type=range]")) {
    const [low, high] = [Number(control.min), Number(control.max)];
    control.focus();
    if (how < 0.3) {
      press(pick(KEYS, more));
      return `${said} key`;
    }
    control.value = String(low + more * (high - low));
    fire("input");
    if (how < 0.9) fire("change");
    return `${said} = ${control.value}`;
  }
  if (control.matches("input:not([type=checkbox], [type=radio]), textarea")) {
    const TEXTS = [
      "0",
      "-1",
      "1.5",
      "−2,25",
      "1e300",
      "-1e-300",
      "NaN",
      "",
      "abc",
      "7",
      "999999999",
      "0.1",
      "64",
      "<b>",
      "1 2 3",
      "-0",
    ];
    control.focus();
    control.value = pick(TEXTS, more);
    fire("input");
    fire("change");
    if (how < 0.5) press("Enter");
    control.blur();
    return `${said} = ${control.value}`;
  }
  if (control.matches("select")) {
    control.selectedIndex = Math.floor(more * control.options.length);
    fire("input");
    fire("change");
    return `${said} = ${control.value}`;
  }
  control.focus();
  if (how < 0.25) {
    press(pick(KEYS, more));
    return `${said} key`;
  }
  control.click();
  return said;
}

test(`${ACTIONS} random actions of a reader break nothing`, { timeout: 120_000 + 500 * ACTIONS }, async () => {
  const { page, complaints } = await openPage(site.browser, { language: "en", width: 1000, height: 900 });
  await catchFiles(page);
  await page.evaluateOnNewDocument(() => {
    window.print = () => {};
    Object.defineProperty(navigator, "clipboard", { value: { writeText: async () => {} } });
  });
  await page.goto(`${site.address}?x=1`);
  await figuresReady(page);
  // Firefox knows of a mouse once it has moved.
  await page.mouse.move(2, 2);
  const random = randomFrom(SEED);
  for (let done = 0; done < ACTIONS; done += A_ROUND) {
    /** @type {string[]} */
    const story = [];
    for (let i = 0; i < A_ROUND; i++) {
      story.push(await page.evaluate(act, [random(), random(), random(), random()]));
      if (await page.evaluate(() => document.querySelector('figure[data-state="error"]') !== null)) break;
    }
    await page.evaluate(
      (share) => scrollTo({ top: share * document.documentElement.scrollHeight, behavior: "instant" }),
      random(),
    );
    await settled(page);
    const told = `seed ${SEED}, action ${done} and on: ${story.slice(-12).join("; ")}`;
    assert.deepEqual(await troubles(page), [], told);
    assert.deepEqual(await blanks(page), [], told);
    // The preview of an embed that is closed while it loads.
    assert.deepEqual(
      complaints.filter((complaint) => !isGivenUp(complaint)),
      [],
      told,
    );
  }
  // And it still computes.
  await page.goto(`${site.address}?x=1`);
  await figuresReady(page);
  await typeX(page, FIGURES.hero, "-0.5");
  await assertAllAt(page, -0.5, "afterwards");
  await page.close();
});
