/** Wires the page; nothing else does. */
import "./standins.js";
import kernels from "virtual:gelu-page.wasm";
import { wireHandout } from "virtual:handout";
import lateParameters from "virtual:late-parameters";
import { createChart } from "./chart.js";
import { segmented } from "./components/controls.js";
import { wireCopyButtons } from "./components/copy.js";
import { bilingual, h } from "./components/dom.js";
import { showToCopy } from "./components/export.js";
import { fail, titleOf } from "./components/figure.js";
import { isDefinitionOf, mountFigures } from "./components/mounting.js";
import { linkTo } from "./components/pagetools.js";
import { keepPlace, stayAtStart } from "./components/place.js";
import { wireProgramTabs } from "./components/programs.js";
import { releasePrompts, wirePrompts } from "./components/prompts.js";
import { wireScrollables } from "./components/scrollable.js";
import { readDigits } from "./data/digits.js";
import { early } from "./figures/early.js";
import { bilingualText } from "./i18n/labels.js";
import { languageFor } from "./language.js";
import { loadNetworks } from "./networks.js";
import { unpack } from "./packing.js";
import { loadPart, receiveParts } from "./parts.js";
import { firstPlace, firstQuery } from "./saved.js";
import { startKernels } from "./startkernels.js";
import { createTable, parse, Store, writeToAddress } from "./state.js";
import { readTheme } from "./theme.js";

const root = document.documentElement;

/** The kernels from the bytes that the build has put into this script. */
const loadKernels = async () => startKernels({ wasm: unpack(kernels), fallback: () => loadPart("fallback") });

const loadDigits = async () => readDigits(unpack(await loadPart("digits")));

/** @returns {HTMLElement[]} */
const figureElements = () =>
  [...document.querySelectorAll("figure[data-figure]")].map((element) => /** @type {HTMLElement} */ (element));

/** @param {import("./kernels.js").Gelu} gelu */
function start(gelu) {
  root.dataset.backend = gelu.backend;
  const table = createTable(gelu.catalogue, [...early, ...lateParameters]);
  const store = new Store(table, parse(table, firstQuery()));
  const gestureEnded = writeToAddress(store, root.dataset.kept);
  const ids = gelu.catalogue.map((row) => row.id);
  let theme = readTheme(ids);
  const language = () => languageFor(store.state.lang, navigator.languages);

  buildSwitches(store, gestureEnded, gelu.backend);
  const place = location.hash.slice(1);
  const deps = {
    ...{ gelu, store, createChart, theme: () => theme, language, gestureEnded, place },
    get figures() {
      return [...early, ...late];
    },
    ...{ computed: {}, networks: () => loadNetworks(kernels), digits: loadDigits },
  };
  /** @type {import("./components/mounting.js").Mountable[]} */
  let late = [];
  const { mounted, ensure, settle } = mountFigures(figureElements(), find, deps);
  // A presenter sees one figure only, and so does who sees it in another page.
  if (!("presenter" in root.dataset || "lesson" in root.dataset)) stayAtStart(document.getElementById(place), firstPlace());
  // Nobody waits for it yet; a figure that does will say what is wrong.
  loadLater().catch(() => {});

  /** @type {import("./components/mounting.js").Finder} */
  function find({ dataset }) {
    const lookUp = () => [...early, ...late].find((figure) => isDefinitionOf(figure, dataset.figure, dataset.variant));
    const found = lookUp();
    if (found === undefined && late.length === 0) return loadLater().then(() => find({ dataset }));
    // What a link asks for stands there from the start.
    return found?.isPressed?.(store.state) ? loadPart("pressed").then(() => found) : found;
  }

  async function loadLater() {
    const part = await loadPart("later");
    // Every figure that waited for the script asks; it is wired once.
    if (late.length > 0) return;
    Object.assign(deps.computed, part.computed);
    late = part.figures;
    part.wire({ store, language, gestureEnded, ensure, refreshTheme });
  }

  function refreshTheme() {
    theme = readTheme(ids);
    settle();
    for (const figure of mounted) figure.setTheme();
  }

  store.subscribe((changed) => {
    const tag = language() === "zh" ? "zh-CN" : "en";
    // Setting it restyles the page, even to what it is.
    if (root.lang !== tag)
      keepPlace(() => {
        root.lang = tag;
      });
    if (changed.includes("theme")) applyTheme(store.state.theme);
    releasePrompts(changed);
    settle();
    for (const figure of mounted) figure.update(changed);
    if (changed.includes("theme") || changed.includes("lang")) refreshTheme();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refreshTheme);
  matchMedia("(forced-colors: active)").addEventListener("change", refreshTheme);
  matchMedia("(max-width: 719px)").addEventListener("change", refreshTheme);
  watchPixels(refreshTheme);
  // Names in the math font are painted on canvas, which does not repaint by itself when a font arrives.
  new Promise((resolve) => resolve(document.fonts.ready)).then(refreshTheme, () => {});

  wirePrompts(store, gestureEnded, ensure);
  wireGestureEnds(gestureEnded);
  wireHighlights(mounted);
  wireScrollables(language);
  // In a host's page (embed/embed.js).
  /** @type {any} */ (globalThis).geluEmbed?.({ store, gestureEnded, linkTo, showToCopy, titleOf });
  wireHandout?.(store);
}

/**
 * Another zoom or another screen: a plot may keep its size and still need other pixels.
 * @param {() => void} act
 */
function watchPixels(act) {
  const changed = () => {
    watchPixels(act);
    // Paper has other pixels, too, but drawings of its own.
    if (!matchMedia("print").matches) act();
  };
  matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener("change", changed, { once: true });
}

/** @param {string} theme */
function applyTheme(theme) {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
}

/**
 * Language and appearance: in the bar where there is room, the appearance else in a menu.
 * @param {Store} store
 * @param {() => void} gestureEnded
 * @param {import("./kernels.js").Gelu["backend"]} backend
 */
function buildSwitches(store, gestureEnded, backend) {
  const change = (/** @type {string} */ key) => (/** @type {string} */ value) => {
    store.set({ [key]: value });
    gestureEnded();
  };
  const languageNames = [
    { value: "zh", label: h("span", { class: "keep-lang", lang: "zh-CN" }, "中文") },
    { value: "en", label: h("span", { class: "keep-lang", lang: "en" }, "English") },
  ];
  const themes = () =>
    /** @type {const} */ ([
      ["auto", "themeAuto"],
      ["light", "themeLight"],
      ["dark", "themeDark"],
    ]).map(([value, label]) => ({ value, label: bilingual(bilingualText(label)) }));
  const legend = (/** @type {"language" | "theme"} */ key) => bilingual(bilingualText(key));
  const languages = segmented({
    legend: legend("language"),
    options: languageNames,
    name: "lang",
    fill: false,
    pick: change("lang"),
  });
  const inBar = segmented({ legend: legend("theme"), options: themes(), name: "theme", fill: false, pick: change("theme") });
  const inMenu = segmented({ legend: legend("theme"), options: themes(), name: "theme-menu", pick: change("theme") });
  const gear = h(
    "details",
    { class: "gear" },
    h("summary", null, h("span", { class: "vh" }, bilingual(bilingualText("settings"))), gearIcon()),
    h("div", { class: "menu" }, inMenu.element),
  );
  if (backend === "js") {
    // A figure in somebody else's page has no settings.
    const place = document.querySelector("[data-embed] main > section") ?? gear.lastChild;
    place?.appendChild(h("p", { class: "backend" }, bilingual(bilingualText("inJavaScript"))));
  }

  function show() {
    languages.show(languageFor(store.state.lang, navigator.languages));
    inBar.show(store.state.theme);
    inMenu.show(store.state.theme);
  }

  store.subscribe(show);
  show();
  document
    .querySelector(".bar .switches")
    ?.replaceChildren(h("span", { class: "lang" }, languages.element), h("span", { class: "theme" }, inBar.element), gear);
}

function gearIcon() {
  return h(
    "svg:svg",
    { viewBox: "0 0 14 14", "aria-hidden": "true" },
    h("svg:path", { d: "M1 4h6M11 4h2M1 10h2M7 10h6" }),
    h("svg:circle", { cx: 9, cy: 4, r: 2 }),
    h("svg:circle", { cx: 5, cy: 10, r: 2 }),
  );
}

/**
 * The word of a function, hovered or focused, lights its curve.
 * @param {import("./components/figure.js").MountedFigure[]} mounted
 */
function wireHighlights(mounted) {
  const wordOf = (/** @type {Event} */ { target }) =>
    target instanceof Element ? target.closest(".fn[data-fn], .chk[data-fn]") : null;
  const light = (/** @type {string} */ fn) => {
    for (const figure of mounted) figure.highlight(fn);
  };
  for (const type of ["mouseover", "focusin"]) {
    document.addEventListener(type, (event) => light(/** @type {HTMLElement | null} */ (wordOf(event))?.dataset.fn ?? ""));
  }
  document.addEventListener("focusout", () => light(""));
}

/**
 * Whatever ends a gesture has the address written soon.
 * @param {() => void} gestureEnded
 */
function wireGestureEnds(gestureEnded) {
  for (const type of ["change", "click", "keyup", "pointerup"]) document.addEventListener(type, gestureEnded);
}

/** Menus close on Esc and on a press elsewhere. */
function wireMenus() {
  const menus = () => /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(".bar details[open]")]);
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
  document.addEventListener("pointerdown", ({ target }) => {
    for (const menu of menus()) if (!menu.contains(/** @type {Node} */ (target))) menu.open = false;
  });
}

/** What is led to stands below the bar, which takes two lines where its words are too many. */
function wireBar() {
  const bar = /** @type {HTMLElement} */ (document.querySelector(".bar"));
  new ResizeObserver(() => {
    const height = `${bar.clientHeight}px`;
    // The first is not inherited (styles/page.css): that would restyle the page.
    root.style.setProperty("--bar-now", height);
    bar.style.setProperty("--bar-own", height);
  }).observe(bar);
}

/** The list of sections shows where the reader is. */
function wireSectionList() {
  const links = [...document.querySelectorAll(".rail a, .toc a")];
  const sections = [...document.querySelectorAll("main > section")];
  const mark = () => {
    const line = window.innerHeight / 3;
    const here = sections.filter((section) => section.getBoundingClientRect().top <= line).at(-1) ?? sections[0];
    for (const link of links) {
      if (link.getAttribute("href") === `#${here.id}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", mark, { passive: true });
  addEventListener("resize", mark);
  // With the first frame, which lays the page out anyway.
  requestAnimationFrame(mark);
  for (const link of document.querySelectorAll(".toc a")) {
    link.addEventListener("click", () => link.closest("details")?.removeAttribute("open"));
  }
}

/** Paper shows the answers of the cards, too. */
function wirePrinting() {
  /** @type {HTMLDetailsElement[]} */
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = /** @type {HTMLDetailsElement[]} */ ([...document.querySelectorAll(".card:not([open])")]);
    for (const card of opened) card.open = true;
  });
  addEventListener("afterprint", () => {
    for (const card of opened) card.open = false;
  });
}

receiveParts();
if (!("lesson" in root.dataset)) wireBar();
wireSectionList();
wireMenus();
wirePrinting();
wireCopyButtons();
wireProgramTabs();
loadKernels()
  .then(start)
  .catch((error) => {
    for (const element of figureElements()) if (element.dataset.state !== "ready") fail(element, error, () => location.reload());
  });
