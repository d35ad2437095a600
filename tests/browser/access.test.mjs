/** The page for everybody: axe-core in every section, a walk by Tab with a focus that shows, forced colours, reduced motion. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findings } from "./axe.mjs";
import { figuresReady, needs, settled } from "./browser.mjs";
import { FIGURES, pressX, readouts } from "./reading.mjs";
import { useSite } from "./visit.mjs";

/** @typedef {import("puppeteer-core").Page} Page */

const site = useSite();

/** Any two of language, theme and width meet in one of them; what is folded away is unfolded in each. A view takes a minute. */
const VIEWS = [
  { language: "zh", theme: "light", width: 1280 },
  { language: "en", theme: "dark", width: 1280 },
  { language: "zh", theme: "dark", width: 360 },
  { language: "en", theme: "light", width: 360 },
];

/** Everything that is folded away at first: answers, full derivations, menus, data tables, the zoom buttons. */
async function unfold(/** @type {Page} */ page) {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("main details")) details.open = true;
    for (const button of document.querySelectorAll('[data-tool="dataTable"], [data-tool="zoom"]')) button.click();
  });
  await settled(page);
}

describe("axe-core finds nothing", () => {
  for (const { language, theme, width } of VIEWS) {
    test(`${language}, ${theme}, ${width} px`, () =>
      site.visit(
        `?lang=${language}&theme=${theme}&x=0.8`,
        async (page) => {
          const closed = theme === "light" ? await findings(page) : [];
          await unfold(page);
          const opened = await findings(page);
          assert.deepEqual({ closed, opened: opened.filter((one) => !closed.includes(one)) }, { closed: [], opened: [] });
        },
        { width, height: 900, touch: width === 360 },
      ));
  }
});

describe("by Tab", () => {
  /**
   * Walks the page from its start; answers each stop with what the focus changes to look at.
   * @param {Page} page
   * @param {number} most
   */
  async function walk(page, most) {
    const stops = [];
    /** @type {Map<string, boolean>} */
    const knobs = new Map();
    for (let i = 0; i < most; i++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return null;
        element.walked = true;
        const label = element.closest("label");
        const looks = (target) => {
          const style = getComputedStyle(target);
          return [
            "outlineStyle",
            "outlineWidth",
            "outlineColor",
            "boxShadow",
            "backgroundColor",
            "borderTopColor",
            "textDecorationLine",
            "color",
          ]
            .map((property) => style[property])
            .join(" ");
        };
        const parts = [element, label, element.nextElementSibling, element.parentElement].filter(Boolean);
        const knob = element.matches('input[type="range"]') ? ["::-webkit-slider-thumb"] : [];
        const focused = [
          ...parts.map(looks),
          ...knob.map((pseudo) => JSON.stringify(getComputedStyle(element, pseudo).outlineStyle)),
        ];
        const box = element.getBoundingClientRect();
        const wide = label?.getBoundingClientRect() ?? box;
        const outline = parts.some((part) => {
          const style = getComputedStyle(part);
          return style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1;
        });
        let plain = focused;
        if (!outline) {
          element.blur();
          plain = parts.map(looks);
          element.focus({ preventScroll: true, focusVisible: true });
        }
        const before = window.lastStop;
        window.lastStop = element;
        return {
          name:
            `${element.closest("section")?.id ?? "frame"} ${element.tagName} ` +
            `${element.getAttribute("name") ?? element.dataset.tool ?? element.dataset.set ?? element.textContent.trim().slice(0, 30)}`,
          section: element.closest("section")?.id ?? "",
          slider: element.matches('input[type="range"]') ? element.className : null,
          shows: outline || focused.some((look, k) => plain[k] !== undefined && look !== plain[k]),
          inView: wide.bottom > 0 && wide.top < innerHeight && wide.right > 0 && wide.left < innerWidth,
          goesBack: ((before?.compareDocumentPosition(element) ?? 0) & Node.DOCUMENT_POSITION_PRECEDING) !== 0,
        };
      });
      if (stop === null) break;
      // The knob of a slider has no style that can be asked for: its pixels tell, of each kind of slider once.
      if (!stop.shows && stop.slider !== null) {
        if (!knobs.has(stop.slider)) knobs.set(stop.slider, await looksOtherwise(page));
        stop.shows = knobs.get(stop.slider);
      }
      stops.push(stop);
    }
    return stops;
  }

  /** Whether what has the focus is drawn otherwise than without. */
  async function looksOtherwise(/** @type {Page} */ page) {
    const shot = async () => {
      const box = await page.evaluate(() => {
        const { left, top, width, height } = (window.focusedNow ?? document.activeElement).getBoundingClientRect();
        return { x: Math.max(0, left - 6), y: Math.max(0, top + scrollY - 6), width: width + 12, height: height + 12 };
      });
      return Buffer.from(await page.screenshot({ clip: box, captureBeyondViewport: false })).toString("base64");
    };
    const focused = await shot();
    await page.evaluate(() => {
      window.focusedNow = document.activeElement;
      document.activeElement.blur();
    });
    const plain = await shot();
    await page.evaluate(() => {
      window.focusedNow.focus({ preventScroll: true });
      window.focusedNow = undefined;
    });
    return focused !== plain;
  }

  for (const [label, query, options] of [
    ["1280 px, English", "?lang=en&x=0.8", { width: 1280 }],
    ["360 px, Chinese", "?lang=zh&x=0.8&theme=dark", { width: 360 }],
  ]) {
    test(`${label}: everything is reached, in the order of the page, and shows where the focus is`, { timeout: 120_000 }, () =>
      site.visit(
        query,
        async (page) => {
          const stops = await walk(page, 700);
          assert.ok(stops.length > 100 && stops.length < 700, `${stops.length} stops`);
          const sections = [...new Set(stops.map(({ section }) => section).filter(Boolean))];
          const inPage = await page.$$eval("main > section", (all) => all.map(({ id }) => id));
          assert.deepEqual(
            sections,
            inPage.filter((id) => sections.includes(id)),
            "sections out of order",
          );
          const backwards = stops.filter(({ goesBack }) => goesBack);
          assert.deepEqual(
            backwards.map(({ name }) => name),
            [],
            "goes back in the document",
          );
          const unseen = stops.filter(({ shows }) => !shows).map(({ name }) => name);
          assert.deepEqual([...new Set(unseen)], [], "the focus does not show");
          const outside = stops.filter(({ inView }) => !inView).map(({ name }) => name);
          assert.deepEqual(outside, [], "focused out of sight");
          // Whatever can be used and is seen has been walked over; of radios, one for each group.
          const missed = await page.evaluate(() =>
            [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
              .filter((element) => element.checkVisibility() && !element.disabled && !element.walked && element.tabIndex >= 0)
              .filter(
                (element) =>
                  element.type !== "radio" ||
                  ![...document.querySelectorAll(`input[type="radio"][name="${element.name}"]`)].some((other) => other.walked),
              )
              .map((element) => `${element.closest("section")?.id} ${element.outerHTML.slice(0, 90)}`),
          );
          assert.deepEqual(missed, []);
        },
        options,
      ),
    );
  }

  test("the first stop leads past the bar to the text", () =>
    site.visit("?x=0.8", async (page) => {
      await page.keyboard.press("Tab");
      const skip = await page.evaluate(() => {
        const { left, top, width } = document.activeElement.getBoundingClientRect();
        return { href: document.activeElement.getAttribute("href"), seen: left >= 0 && top >= 0 && width > 20 };
      });
      assert.deepEqual(skip, { href: "#main", seen: true });
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement.closest("main")?.id), "main");
    }));
});

/** Pixels of each plot that are not its ground. */
const inked = (/** @type {Page} */ page) =>
  page.$$eval("figure canvas", (canvases) =>
    canvases.map((canvas) => {
      // Read from a copy: a plot that is read again and again makes the engine complain.
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
      copy.drawImage(canvas, 0, 0);
      const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i] > 128) count++;
      return count;
    }),
  );

test("forced colours: every plot is drawn in the reader's own, and follows when they are switched", needs("a CDP session"), () =>
  site.visit("?x=0.8", async (page) => {
    const session = await page.createCDPSession();
    const before = await inked(page);
    assert.ok(before.length >= 7 && before.every((count) => count > 1500), `${before}`);
    const force = (value) => session.send("Emulation.setEmulatedMedia", { features: [{ name: "forced-colors", value }] });
    await force("active");
    assert.ok(await page.evaluate(() => matchMedia("(forced-colors: active)").matches));
    await page.reload();
    await figuresReady(page);
    await settled(page);
    const forced = await inked(page);
    assert.ok(
      forced.every((count) => count > 1500),
      `${forced}`,
    );
    // A curve must stand out from the reader's ground, whatever that is.
    const contrast = await page.evaluate(() => {
      const probe = document.createElement("i");
      document.body.append(probe);
      const rgb = (colour) => {
        probe.style.color = colour;
        return getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number);
      };
      const luminance = (colour) => {
        const [r, g, b] = rgb(colour).map((part) =>
          part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ground = luminance("Canvas");
      const style = getComputedStyle(document.documentElement);
      const found = ["--ink", "--fn-gelu", "--fn-relu", "--fn-sigmoid", "--fn-normal-cdf"].map((name) => {
        const own = luminance(style.getPropertyValue(name));
        return [name, (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05)];
      });
      probe.remove();
      return found;
    });
    for (const [name, ratio] of contrast) assert.ok(ratio >= 3, `${name} has ${ratio.toFixed(2)} : 1 against the forced ground`);
    await pressX(page, FIGURES.gradients, "ArrowRight");
    assert.ok(Number.isFinite((await readouts(page, FIGURES.gradients)).gelu));
    await force("none");
    await settled(page);
    assert.ok((await inked(page)).every((count) => count > 1500));
  }),
);

test("reduced motion: all is drawn at once, and nothing glides", () =>
  site.visit(
    "?x=0.8",
    async (page) => {
      assert.ok((await inked(page)).every((count) => count > 1500));
      const moving = () => page.evaluate(() => document.getAnimations().filter((one) => one.playState === "running").length);
      assert.equal(await moving(), 0);
      await pressX(page, FIGURES.gradients, "ArrowRight", "0");
      await page.evaluate(() => document.querySelector("[data-set]").click());
      assert.equal(await moving(), 0);
      assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "auto");
      await settled(page);
      assert.ok((await inked(page)).every((count) => count > 1500));
    },
    { calm: true },
  ));
