/** The engines that the tests drive: how each is started, what makes it answer to the same calls, and what it cannot do. */
import puppeteer from "puppeteer-core";
import { launchWebKit, LACKS as WEBKIT_LACKS } from "./webkit.mjs";

/**
 * @typedef {{ scrollbars?: boolean, flags?: string[], patience?: number }} Options scrollbars: that take room, as on most
 *   machines; flags: Chromium's; patience: with one call, in milliseconds
 */

const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Tests run side by side, and a page in the back must not be slowed down.
  "--disable-background-timer-throttling",
  "--disable-renderer-backgrounding",
  "--disable-backgrounding-occluded-windows",
];

/** @param {Options} options */
function launchChromium({ scrollbars = false, flags = [], patience = 20_000 }) {
  return puppeteer.launch({
    executablePath: process.env.CHROME_PATH || "/usr/bin/chromium",
    headless: true,
    args: [...CHROMIUM_FLAGS, ...flags],
    ignoreDefaultArgs: scrollbars ? ["--hide-scrollbars"] : [],
    protocolTimeout: patience,
  });
}

const FIREFOX_PREFERENCES = {
  // puppeteer turns this off, and then a file may fetch and import other files, as in no reader's Firefox.
  "security.fileuri.strict_origin_policy": true,
  // Stands for the question whether a page may read the clipboard, which BiDi cannot answer.
  "dom.events.testing.asyncClipboard": true,
  // A mouse that points finely and hovers, as on a reader's machine; without a screen Firefox knows of none.
  "ui.primaryPointerCapabilities": 6,
  "ui.allPointerCapabilities": 6,
};

/** @param {Options} options */
async function launchFirefox({ scrollbars = false, patience = 60_000 }) {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.FIREFOX_PATH || "/usr/bin/firefox-esr",
    headless: true,
    // What is set below on a tab is out of a remote's reach without it.
    args: ["--remote-allow-system-access"],
    extraPrefsFirefox: { ...FIREFOX_PREFERENCES, "ui.useOverlayScrollbars": scrollbars ? 0 : 1 },
    protocolTimeout: patience,
  });
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async () => withTabSettings(await newPage());
  browser.defaultBrowserContext().overridePermissions = async () => {};
  return browser;
}

/**
 * Calls that puppeteer makes through CDP alone, by the same settings of a tab that Firefox's developer tools use.
 * @param {import("puppeteer-core").Page} page
 */
function withTabSettings(page) {
  /** @type {Record<string, string>} */
  const NAMES = {
    "prefers-color-scheme": "prefersColorSchemeOverride",
    "prefers-reduced-motion": "prefersReducedMotionOverride",
  };
  const set = (/** @type {Record<string, unknown>} */ settings) => setOnTab(page, settings);
  const setViewport = page.setViewport.bind(page);
  return Object.assign(page, {
    async setViewport(/** @type {import("puppeteer-core").Viewport} */ viewport) {
      await setViewport(viewport);
      await set({ touchEventsOverride: viewport.hasTouch ? "enabled" : "none" });
    },
    emulateMediaFeatures: (/** @type {{ name: string, value: string }[]} */ features) =>
      set(Object.fromEntries(features.map(({ name, value }) => [NAMES[name], value]))),
    emulateMediaType: (/** @type {string} */ type = "") => set({ mediumOverride: type }),
    setJavaScriptEnabled: (/** @type {boolean} */ isEnabled) => set({ allowJavascript: isEnabled }),
  });
}

/**
 * @param {import("puppeteer-core").Page} page
 * @param {Record<string, unknown>} settings of its BrowsingContext, now and of those that take its place as the tab goes on:
 *   to the page after one with touch, or from a page to a blank one, Firefox takes a new one, without the settings of the old
 */
async function setOnTab(page, settings) {
  const { connection } = /** @type {any} */ (page.browser());
  const { result } = await connection.send("browsingContext.getTree", { "moz:scope": "chrome" });
  const expression = `{
    const { NavigableManager } = ChromeUtils.importESModule("chrome://remote/content/shared/NavigableManager.sys.mjs");
    const tab = NavigableManager.getBrowsingContextById(${JSON.stringify(/** @type {any} */ (page.mainFrame())._id)});
    const apply = (to, settings) => {
      for (const [name, value] of Object.entries(settings)) {
        if (!(name in to)) throw new Error("no setting " + name);
        to[name] = value;
      }
    };
    if (globalThis.settingsOfTabs === undefined) {
      globalThis.settingsOfTabs = new Map();
      Services.obs.addObserver((next) => {
        if (next.parent === null) apply(next, settingsOfTabs.get(next.browserId) ?? {});
      }, "browsing-context-attached");
    }
    settingsOfTabs.set(tab.browserId, { ...settingsOfTabs.get(tab.browserId), ...${JSON.stringify(settings)} });
    apply(tab, settingsOfTabs.get(tab.browserId));
  }`;
  const target = { context: result.contexts[0].context };
  const answer = await connection.send("script.evaluate", { expression, target, awaitPromise: true });
  if (answer.result.type === "exception") throw new Error(answer.result.exceptionDetails.text);
}

/** @type {Record<string, (options: Options) => Promise<import("puppeteer-core").Browser>>} */
const LAUNCH = { chromium: launchChromium, firefox: launchFirefox, webkit: launchWebKit };

export const ENGINES = Object.keys(LAUNCH);

/** What ENGINE= names: a file of tests runs in one engine. */
export const ENGINE = process.env.ENGINE || "chromium";
if (!ENGINES.includes(ENGINE)) throw new Error(`unknown engine ${JSON.stringify(ENGINE)}; allowed: ${ENGINES.join(", ")}`);

/** @type {WeakMap<object, string>} */
const engineOf = new WeakMap();

/** @param {Options & { engine?: string }} [options] */
export async function launch({ engine = ENGINE, ...options } = {}) {
  const browser = await LAUNCH[engine](options);
  engineOf.set(browser, engine);
  return browser;
}

/** What an engine says of pages in which nothing is wrong. @type {Record<string, RegExp>} */
const REMARKS = {
  // A sandboxed frame that asks whether it may fill the screen is told so twice.
  webkit: /Permission policy 'Fullscreen' check failed/,
};

/**
 * @param {import("puppeteer-core").Browser} browser
 * @param {string} complaint
 */
export const isRemark = (browser, complaint) => REMARKS[engineOf.get(browser) ?? ""]?.test(complaint) ?? false;

/** Whether a complaint is only of a load that the page itself has given up, as the engines call it. */
export const isGivenUp = (/** @type {string} */ complaint) =>
  /(net::ERR_ABORTED|NS_BINDING_ABORTED|Browsing context already closed\.|Load request cancelled)$/.test(complaint);

/**
 * What pages save goes into `folder`, without a question.
 * @param {import("puppeteer-core").Browser} browser
 * @param {string} folder
 */
export async function downloadTo(browser, folder) {
  if ("downloads" in browser) {
    /** @type {any} */ (browser).downloads = folder;
    return;
  }
  const { connection } = /** @type {any} */ (browser);
  if (connection) {
    await connection.send("browser.setDownloadBehavior", { downloadBehavior: { type: "allowed", destinationFolder: folder } });
    return;
  }
  const session = await browser.target().createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder });
}

/** What puppeteer does in Chromium and in no other engine. @type {Record<string, Record<string, string>>} */
const LACKS = {
  chromium: {},
  firefox: {
    "a CDP session": "Firefox speaks BiDi, not CDP",
    "the accessibility tree": "BiDi has no command for it",
  },
  webkit: {
    ...WEBKIT_LACKS,
    "'self' in a sandboxed frame": "WebKit holds 'self' against the frame's opaque origin",
  },
};

/** Why an engine cannot do something. @returns {string | undefined} */
export const lackOf = (/** @type {string} */ feature, engine = ENGINE) => LACKS[engine][feature];

/**
 * What a test gives as its options when only some engines can do what it does.
 * @param {string} feature
 */
export function needs(feature) {
  const reason = lackOf(feature);
  return reason === undefined ? {} : { skip: `${ENGINE}: ${reason}` };
}
