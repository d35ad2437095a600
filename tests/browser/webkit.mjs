/** WebKitGTK for the tests: answers to puppeteer's calls, as far as the tests make them, through WebDriver. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import { pause, Session, startScreen } from "./webkit-session.mjs";

/** What no one outside can make WebKitGTK do, and why. @type {Record<string, string>} */
export const LACKS = {
  "a CDP session": "WebKitGTK speaks WebDriver, not CDP",
  "the accessibility tree": "WebDriver has no command for it",
  touch: "its WebDriver has no touch pointer; a tap is a click",
  "print media": "its WebDriver has neither print media nor /print",
  "forced colours": "it has no such setting",
  "a scale between whole numbers": "GTK 3 has none",
  "answers beside a filled Object.prototype": "its WebDriver takes what is there for a part of every answer",
  "a page without Map": "what its WebDriver runs in the page needs Map itself",
  "interception of files": "requests pass through a proxy, and files do not",
};

const unable = (/** @type {string} */ what) => new Error(`WebKitGTK: ${LACKS[what]}`);

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {string | ((...args: any[]) => unknown)} Script */
/** @typedef {{ timeout?: number }} Limit */

/** The name under which WebDriver sends elements, by its specification. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** WebDriver's code points for keys that write nothing. @type {Record<string, string>} */
const KEYS = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  "\n": "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Alt: "\uE00A",
  Escape: "\uE00C",
  Space: " ",
  PageUp: "\uE00E",
  PageDown: "\uE00F",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Delete: "\uE017",
  Meta: "\uE03D",
};

const BUTTONS = { left: 0, middle: 1, right: 2 };

/** What was evaluated threw. */
class PageError extends Error {}

class TimeoutError extends Error {
  name = "TimeoutError";
}

/**
 * Calls `source` in the page. The answer is text, since WebDriver's own form knows neither `undefined` nor NaN; a promise is
 * kept to be asked for later, since a command that waits holds up all others.
 */
const calling = (/** @type {string} */ source) => `
const [values, wanted, ticket, ...elements] = arguments;
const kept = (window[Symbol.for("webdriver")] ??= {});
const answer = (value) => {
  if (wanted === "element") return { element: value instanceof Node ? value : null };
  if (wanted === "elements") return { elements: [...value] };
  return typeof value === "number" ? { number: Object.is(value, -0) ? "-0" : String(value) } : { json: JSON.stringify(value) };
};
const thrown = (error) => ({ thrown: String(error) });
const given = values.map((one) => ("element" in one ? elements[one.element] : "number" in one ? Number(one.number) : one.json));
try {
  const value = (${source})(...given);
  if (typeof value?.then !== "function") return answer(value);
  kept[ticket] = null;
  value.then((got) => (kept[ticket] = answer(got))).catch((error) => (kept[ticket] = thrown(error)));
  return { ticket };
} catch (error) {
  return thrown(error);
}`;

const GONE = "the page is another by now";
const LATER = `
const kept = window[Symbol.for("webdriver")] ?? {};
const [ticket] = arguments;
return ticket in kept ? kept[ticket] : { thrown: "${GONE}" };`;

let tickets = 0;

/** A page or a frame of it. */
class Frame {
  /** @param {Page} page @param {Frame | null} parent @param {string} reference of the element, in the parent, that holds it */
  constructor(page, parent, reference) {
    this.owner = page;
    this.parent = parent;
    this.reference = reference;
    this.address = "";
  }

  url = () => this.address;

  /** The frames that are entered, from the page inwards. @returns {string[]} */
  get way() {
    return this.parent === null ? [] : [...this.parent.way, this.reference];
  }

  /** @param {Script} fn @param {any[]} args @param {"json" | "element" | "elements"} wanted */
  async run(fn, args, wanted) {
    // A text is run for what it does alone: for its value it would have to be evaluated, which policies refuse.
    const source = typeof fn === "string" ? `() => {\n${fn}\n}` : String(fn);
    /** @type {object[]} */
    const elements = [];
    const values = args.map((arg) => {
      if (arg instanceof Handle) return { element: elements.push({ [ELEMENT]: arg.reference }) - 1 };
      return typeof arg === "number" ? { number: Object.is(arg, -0) ? "-0" : String(arg) } : { json: arg };
    });
    const execute = (/** @type {string} */ script, /** @type {unknown[]} */ given) =>
      this.owner.within(this, "POST", "/execute/sync", { script, args: given });
    const ticket = ++tickets;
    let answer = await execute(calling(source), [values, wanted, ticket, ...elements]);
    // A dialog came in between.
    if (answer === null) return undefined;
    if (answer.ticket !== undefined) {
      for (answer = null; answer === null; answer = await execute(LATER, [ticket])) await pause(4);
    }
    if (answer.thrown !== undefined) throw new PageError(answer.thrown);
    if (wanted === "element") return answer.element && new Handle(this, answer.element[ELEMENT]);
    if (wanted === "elements") return answer.elements.map((/** @type {any} */ one) => new Handle(this, one[ELEMENT]));
    if (answer.number !== undefined) return Number(answer.number);
    return answer.json === undefined || answer.json === null ? undefined : JSON.parse(answer.json);
  }

  evaluate = (/** @type {Script} */ fn, /** @type {any[]} */ ...args) => this.run(fn, args, "json");
  evaluateHandle = (/** @type {Script} */ fn, /** @type {any[]} */ ...args) => this.run(fn, args, "element");

  /** @param {string} selector */
  $(selector) {
    return this.run((one) => document.querySelector(one), [selector], "element");
  }

  /** @param {string} selector */
  $$(selector) {
    return this.run((one) => document.querySelectorAll(one), [selector], "elements");
  }

  /** @param {string} selector @param {Script} fn @param {any[]} args */
  async $eval(selector, fn, ...args) {
    const found = await this.$(selector);
    if (found === null) throw new Error(`Error: failed to find element matching selector "${selector}"`);
    return found.evaluate(fn, ...args);
  }

  /** @param {string} selector @param {Script} fn @param {any[]} args */
  $$eval(selector, fn, ...args) {
    const source = `(selector, ...args) => (${fn})([...document.querySelectorAll(selector)], ...args)`;
    return this.run(/** @type {any} */ ({ toString: () => source }), [selector, ...args], "json");
  }

  /** @param {Script} fn @param {Limit} [options] @param {any[]} args */
  async waitForFunction(fn, { timeout = 30_000 } = {}, ...args) {
    for (const end = Date.now() + timeout; ; await pause(15)) {
      try {
        const got = await this.evaluate(fn, ...args);
        if (got) return got;
      } catch (error) {
        // While a page loads, what was to be asked may be gone.
        if (error instanceof PageError && !error.message.includes(GONE)) throw error;
      }
      if (Date.now() > end) throw new TimeoutError(`Waiting failed: ${timeout}ms exceeded`);
    }
  }

  /** @param {string} selector @param {Limit & { visible?: boolean, hidden?: boolean }} [options] */
  async waitForSelector(selector, { timeout = 30_000, visible = false, hidden = false } = {}) {
    const look = (/** @type {string} */ one, /** @type {boolean} */ shown, /** @type {boolean} */ gone) => {
      const element = document.querySelector(one);
      const box = element?.getBoundingClientRect();
      const isVisible = element && box.width > 0 && box.height > 0 && getComputedStyle(element).visibility === "visible";
      return gone ? !isVisible : shown ? isVisible : element !== null;
    };
    await this.waitForFunction(look, { timeout }, selector, visible, hidden).catch((error) => {
      throw error instanceof TimeoutError ? new TimeoutError(`Waiting for selector \`${selector}\` failed`) : error;
    });
    return hidden ? null : this.$(selector);
  }

  /** @param {string} selector @returns {Promise<Handle>} */
  async #found(selector) {
    const handle = await this.$(selector);
    if (handle === null) throw new Error(`No element found for selector: ${selector}`);
    return handle;
  }

  /** @param {string} selector @param {ClickOptions} [options] */
  async click(selector, options) {
    await (await this.#found(selector)).click(options);
  }

  /** What is clicked once it rests. @param {string} selector */
  locator(selector) {
    const rests = (/** @type {string} */ one) =>
      new Promise((resolve) => {
        const place = () => JSON.stringify(document.querySelector(one)?.getBoundingClientRect());
        const before = place();
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(before !== undefined && before === place())));
      });
    return {
      click: async () => {
        await this.waitForFunction(rests, {}, selector);
        await this.click(selector);
      },
    };
  }

  async tap(/** @type {string} */ selector) {
    await (await this.#found(selector)).tap();
  }

  async hover(/** @type {string} */ selector) {
    await (await this.#found(selector)).hover();
  }

  async focus(/** @type {string} */ selector) {
    await (await this.#found(selector)).focus();
  }

  /** @param {string} selector @param {...string} values */
  async select(selector, ...values) {
    return (await this.#found(selector)).select(...values);
  }

  /** @param {string} selector @param {string} text */
  async type(selector, text) {
    await (await this.#found(selector)).type(text);
  }
}

/** An element. */
class Handle {
  /** @param {Frame} frame @param {string} reference */
  constructor(frame, reference) {
    this.frame = frame;
    this.reference = reference;
  }

  evaluate = (/** @type {Script} */ fn, /** @type {any[]} */ ...args) => this.frame.evaluate(fn, this, ...args);
  evaluateHandle = (/** @type {Script} */ fn, /** @type {any[]} */ ...args) => this.frame.evaluateHandle(fn, this, ...args);

  /** @param {string} selector */
  $(selector) {
    return this.frame.run((root, one) => root.querySelector(one), [this, selector], "element");
  }

  /** @param {string} selector */
  $$(selector) {
    return this.frame.run((root, one) => root.querySelectorAll(one), [this, selector], "elements");
  }

  /** @param {string} selector @param {(elements: any[], ...args: any[]) => unknown} fn @param {any[]} args */
  $$eval(selector, fn, ...args) {
    const source = `(root, selector, ...args) => (${fn})([...root.querySelectorAll(selector)], ...args)`;
    return this.frame.run(/** @type {any} */ ({ toString: () => source }), [this, selector, ...args], "json");
  }

  scrollIntoView = () => this.#scroll();

  asElement() {
    return this;
  }

  async dispose() {}

  async contentFrame() {
    const frames = await this.frame.owner.findFrames();
    return frames.find((one) => one.parent === this.frame && one.reference === this.reference) ?? null;
  }

  /** In the middle of the screen, unless all of it is to be seen. */
  async #scroll() {
    await this.evaluate(async (element) => {
      const share = await new Promise((resolve) => {
        const observer = new IntersectionObserver(([entry]) => {
          resolve(entry.intersectionRatio);
          observer.disconnect();
        });
        observer.observe(element);
      });
      if (share < 1) element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    });
  }

  async hover() {
    await this.#scroll();
    await this.frame.owner.mouse.moveTo(this);
  }

  /** @param {ClickOptions} [options] */
  async click(options) {
    await this.hover();
    await this.frame.owner.mouse.press(options);
  }

  tap = () => this.click();

  async focus() {
    await this.evaluate((element) => element.focus());
  }

  /** @param {string} text */
  async type(text) {
    await this.focus();
    await this.frame.owner.keyboard.type(text);
  }

  /** @param {...string} values */
  select(...values) {
    return this.evaluate((element, wanted) => {
      for (const option of element.options) option.selected = wanted.includes(option.value);
      for (const type of ["input", "change"]) element.dispatchEvent(new Event(type, { bubbles: true }));
      return [...element.selectedOptions].map((option) => option.value);
    }, values);
  }

  /** @returns {Promise<Box | null>} */
  boundingBox() {
    return this.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return width > 0 || height > 0 ? { x, y, width, height } : null;
    });
  }

  isVisible() {
    return this.evaluate((element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
    });
  }

  /** @param {...string} files */
  async uploadFile(...files) {
    await this.frame.owner.within(this.frame, "POST", `/element/${this.reference}/value`, { text: files.join("\n") });
  }
}

/** @typedef {{ button?: keyof typeof BUTTONS, count?: number, clickCount?: number, delay?: number }} ClickOptions */

class Keyboard {
  constructor(/** @type {Page} */ page) {
    this.page = page;
  }

  #act(/** @type {object[]} */ actions) {
    return this.page.act([{ type: "key", id: "keyboard", actions }]);
  }

  /** @type {Set<string>} */
  #down = new Set();

  down(/** @type {string} */ key) {
    this.#down.add(key);
    return this.#act([{ type: "keyDown", value: KEYS[key] ?? key }]);
  }

  up(/** @type {string} */ key) {
    this.#down.delete(key);
    return this.#act([{ type: "keyUp", value: KEYS[key] ?? key }]);
  }

  /** Keys that change what the mouse does, by GDK's names. */
  get held() {
    return ["Control", "Shift", "Meta"].filter((key) => this.#down.has(key)).map((key) => key.toUpperCase());
  }

  async press(/** @type {string} */ key, /** @type {{ delay?: number }} */ { delay = 0 } = {}) {
    await this.down(key);
    if (delay > 0) await pause(delay);
    await this.up(key);
  }

  async type(/** @type {string} */ text) {
    for (const character of text) await this.press(character);
  }
}

/** How many clicks in a row the page has seen after that many: fewer than they are when it took too long. */
function clicksCounted(count) {
  let left = count;
  return new Promise((resolve) => {
    const listen = ({ detail }) => {
      left -= 1;
      if (left > 0) return;
      removeEventListener("mousedown", listen, true);
      resolve(detail);
    };
    addEventListener("mousedown", listen, true);
  });
}

class Mouse {
  x = 0;
  y = 0;

  constructor(/** @type {Page} */ page) {
    this.page = page;
  }

  #act(/** @type {object[]} */ actions, /** @type {Frame} */ frame = this.page) {
    return this.page.act([{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }], frame);
  }

  /** @param {number} x @param {number} y @param {{ steps?: number }} [options] */
  async move(x, y, { steps = 1 } = {}) {
    const from = { x: this.x, y: this.y };
    const at = (/** @type {number} */ share) => ({ x: from.x + (x - from.x) * share, y: from.y + (y - from.y) * share });
    for (let step = 1; step <= steps; step++) {
      await this.#act([{ type: "pointerMove", duration: 0, origin: "viewport", ...at(step / steps) }]);
    }
    Object.assign(this, { x, y });
  }

  /** @param {Handle} handle */
  async moveTo(handle) {
    const box = await handle.boundingBox();
    if (box === null) throw new Error("Node is either not clickable or not an Element");
    if (handle.frame === this.page) return this.move(box.x + box.width / 2, box.y + box.height / 2);
    await this.#act([{ type: "pointerMove", duration: 0, origin: { [ELEMENT]: handle.reference }, x: 0, y: 0 }], handle.frame);
  }

  /** @param {ClickOptions} [options] */
  down = ({ button = "left" } = {}) => this.#act([{ type: "pointerDown", button: BUTTONS[button] }]);
  /** @param {ClickOptions} [options] */
  up = ({ button = "left" } = {}) => this.#act([{ type: "pointerUp", button: BUTTONS[button] }]);

  /** Where the pointer is. @param {ClickOptions} [options] */
  async press({ button = "left", count = 1, clickCount = count, delay = 0 } = {}) {
    const which = { button: BUTTONS[button] };
    const click = [
      { type: "pointerDown", ...which },
      { type: "pause", duration: delay },
      { type: "pointerUp", ...which },
    ];
    const clicks = Array.from({ length: clickCount }, () => click).flat();
    if (clickCount === 1) return this.#act(clicks);
    // Clicks that are a second apart, as on a busy machine, do not make a double click.
    for (let tries = 0; tries < 5; tries++) {
      const counted = this.page.run(clicksCounted, [clickCount], "json");
      await this.#act(clicks);
      if ((await counted) >= clickCount) return;
      await pause(1200);
    }
    throw new Error(`no ${clickCount} clicks in a row`);
  }

  /** @param {number} x @param {number} y @param {ClickOptions} [options] */
  async click(x, y, options) {
    await this.move(x, y);
    await this.press(options);
  }

  async wheel(/** @type {{ deltaX?: number, deltaY?: number }} */ { deltaX = 0, deltaY = 0 } = {}) {
    await this.page.tell("wheel", this.x, this.y, deltaX, deltaY, this.page.keyboard.held);
  }
}

/** How a message of the console begins: where it comes from, what it is about, and how grave it is. */
const CONSOLE = /^(?:.*?:\d+(?::\d+)*: )?CONSOLE (?:(\w+) )??(LOG|DEBUG|INFO|WARN|ERROR) (.*)$/s;

class Page extends Frame {
  keyboard = new Keyboard(this);
  mouse = new Mouse(this);
  #session = new Session();
  /** @type {Promise<void> | undefined} */
  #started;
  #viewport = { width: 800, height: 600, scale: 1 };
  /** @type {[call: string, ...args: unknown[]][]} what the window is told when it is there */
  #wanted = [];
  /** @type {Map<string, ((argument: any) => unknown)[]>} */
  #listeners = new Map();
  /** @type {Frame[]} */
  #frames = [];
  /** @type {Frame} the one that WebDriver is in */
  #inside = this;
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {import("node:http").Server | undefined} */
  #proxy;
  /** @type {string[]} */
  #written = [];
  #isIntercepting = false;
  #isPolicyBypassed = false;

  constructor(/** @type {Browser} */ browser) {
    super(/** @type {any} */ (null), null, "");
    this.owner = this;
    this.home = browser;
  }

  browser = () => this.home;
  mainFrame = () => this;
  page = () => this;

  // ---------- commands ----------

  /** The window opens late: its scale cannot be changed afterwards. */
  #start() {
    this.#session.onEvent = (event) => this.#report(event);
    this.#session.onLine = (line) => this.#read(line);
    this.#started ??= this.#open();
    return this.#started;
  }

  async #open() {
    await this.#session.start({ display: this.home.display, scrollbars: this.home.scrollbars, ...this.#viewport });
    await this.#session.tell("save_to", this.home.downloads);
    for (const [call, ...args] of this.#wanted) await this.#session.tell(call, ...args);
  }

  /** @param {string} call @param {...unknown} args */
  async tell(call, ...args) {
    if (this.#started === undefined) {
      this.#wanted.push([call, ...args]);
      return;
    }
    await this.#started;
    await this.#session.tell(call, ...args);
  }

  /** A command in a frame: one after the other, since each has to enter it first. @param {Frame} frame @param {string} method @param {string} path @param {object} [body] */
  within(frame, method, path, body) {
    const command = this.#last.then(async () => {
      await this.#start();
      await this.#enter(frame);
      return this.#session.send(method, path, body);
    });
    this.#last = command.catch(() => {});
    return command;
  }

  async #enter(/** @type {Frame} */ frame) {
    if (frame === this.#inside && frame === this) return;
    await this.#session.send("POST", "/frame", { id: null });
    this.#inside = this;
    for (const reference of frame.way) await this.#session.send("POST", "/frame", { id: { [ELEMENT]: reference } });
    this.#inside = frame;
  }

  /** @param {object[]} actions @param {Frame} [frame] */
  act = (actions, frame = this) => this.within(frame, "POST", "/actions", { actions });

  // ---------- frames ----------

  /** As they were a moment ago: puppeteer's call does not wait. @returns {Frame[]} */
  frames() {
    this.findFrames().catch(() => {});
    return [this, ...this.#frames];
  }

  async findFrames() {
    /** @type {Frame[]} */
    const found = [];
    const look = async (/** @type {Frame} */ parent) => {
      for (const { reference } of await parent.run(framesWithin, [], "elements")) {
        const known = this.#frames.find((one) => one.parent === parent && one.reference === reference);
        const frame = known ?? new Frame(this, parent, reference);
        frame.address = await frame.evaluate(() => location.href);
        found.push(frame);
        await look(frame);
      }
    };
    await look(this);
    this.#frames = found;
    return found;
  }

  // ---------- where it is ----------

  /** @param {string} url @param {Limit & { waitUntil?: string }} [_options] */
  async goto(url, _options) {
    await this.within(this, "POST", "/url", { url });
    await this.#arrived();
    return null;
  }

  async reload() {
    await this.within(this, "POST", "/refresh");
    await this.#arrived();
  }

  async goBack() {
    await this.within(this, "POST", "/back");
    await this.#arrived();
  }

  async #arrived() {
    this.#frames = [];
    this.address = await this.evaluate(() => location.href);
  }

  title = () => this.evaluate(() => document.title);

  // ---------- how it is shown ----------

  /** @param {{ width: number, height: number, deviceScaleFactor?: number }} viewport */
  async setViewport({ width, height, deviceScaleFactor: scale = 1 }) {
    if (!Number.isInteger(scale) || (this.#started && scale !== this.#viewport.scale))
      throw unable("a scale between whole numbers");
    this.#viewport = { width, height, scale };
    if (this.#started === undefined) return;
    await this.within(this, "POST", "/window/rect", { width, height });
    await this.waitForFunction((w, h) => innerWidth === w && innerHeight === h, { timeout: 2000 }, width, height);
  }

  viewport = () => this.#viewport;

  /** @param {{ name: string, value: string }[]} features */
  async emulateMediaFeatures(features) {
    const values = Object.fromEntries(features.map(({ name, value }) => [name, value]));
    await this.tell("media", values["prefers-color-scheme"] === "dark", values["prefers-reduced-motion"] === "reduce");
  }

  async emulateMediaType(/** @type {string} */ type) {
    if (type === "print") throw unable("print media");
  }

  async createCDPSession() {
    throw unable("a CDP session");
  }

  bringToFront = () => this.tell("front");
  setJavaScriptEnabled = (/** @type {boolean} */ isEnabled) => this.tell("markup", isEnabled);

  /** @param {Script} fn @param {...unknown} args */
  evaluateOnNewDocument(fn, ...args) {
    return this.tell("script", typeof fn === "string" ? fn : `(${fn})(...${JSON.stringify(args)})`);
  }

  /** @param {{ path?: string, clip?: Box, encoding?: string }} [options] */
  async screenshot({ path, clip, encoding } = {}) {
    const text = await this.within(this, "GET", "/screenshot");
    const image = Buffer.from(clip ? await this.#cut(text, clip) : text, "base64");
    if (path) await writeFile(path, image);
    return encoding === "base64" ? image.toString("base64") : image;
  }

  /** @param {string} image @param {Box} clip @returns {Promise<string>} */
  #cut(image, clip) {
    return this.evaluate(
      async (text, { x, y, width, height }) => {
        const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const scale = bitmap.width / innerWidth;
        const canvas = document.createElement("canvas");
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
        canvas.getContext("2d").drawImage(bitmap, -x * scale, -y * scale);
        return canvas.toDataURL().split(",")[1];
      },
      image,
      clip,
    );
  }

  // ---------- what it reports ----------

  /** @param {string} event @param {(argument: any) => unknown} listener */
  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    return this;
  }

  /** @param {string} event @param {(argument: any) => unknown} listener */
  off(event, listener) {
    this.#listeners.set(
      event,
      (this.#listeners.get(event) ?? []).filter((one) => one !== listener),
    );
    return this;
  }

  #emit(/** @type {string} */ event, /** @type {unknown} */ argument) {
    for (const listener of this.#listeners.get(event) ?? []) listener(argument);
  }

  /** @param {Record<string, any>} message of the window */
  #report({ event, url, text, status }) {
    // What is in the page itself is told of and cannot be stopped, as in Chromium.
    const request = { url: () => url, failure: () => ({ errorText: text }), continue() {} };
    if (event === "request") {
      if (this.#proxy === undefined || !this.#isIntercepting || !url.startsWith("http")) this.#emit(event, request);
    } else if (event === "requestfailed") this.#emit(event, request);
    else if (event === "response") this.#emit(event, { url: () => url, status: () => status, ok: () => status < 400 });
    else if (event === "dialog") this.#emit(event, { message: () => text, async dismiss() {}, async accept() {} });
    else if (event === "crash") this.#emit("pageerror", new Error(`the web process ended: ${text}`));
  }

  /** A line that the web process wrote: of a message of the console, which may go on in the next. */
  #read(/** @type {string} */ line) {
    if (CONSOLE.test(line)) this.#written.push(line);
    else if (this.#written.length > 0) this.#written[this.#written.length - 1] += `\n${line}`;
    else if (process.env.DEBUG) console.error(line);
    if (this.#written.length === 1) setImmediate(() => this.#tellWritten());
  }

  #tellWritten() {
    for (const line of this.#written.splice(0)) {
      const [, source, level, text] = /** @type {RegExpExecArray} */ (CONSOLE.exec(line));
      if (source === "JS" && level === "ERROR") {
        this.#emit("pageerror", Object.assign(new Error(text), { name: "", stack: text }));
      } else this.#emit("console", { text: () => text.trimEnd(), type: () => level.toLowerCase() });
    }
  }

  // ---------- what it asks for ----------

  async setRequestInterception(/** @type {boolean} */ isOn) {
    this.#isIntercepting = isOn;
    await this.#passThroughProxy();
  }

  async setBypassCSP(/** @type {boolean} */ isOn) {
    this.#isPolicyBypassed = isOn;
    await this.#passThroughProxy();
  }

  async #passThroughProxy() {
    if (this.#proxy !== undefined) return;
    this.#proxy = createServer((request, response) => this.#decide(request, response)).listen(0, "127.0.0.1");
    await once(this.#proxy, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (this.#proxy.address());
    await this.tell("proxy", `http://127.0.0.1:${port}`);
  }

  /** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
  #decide(request, response) {
    const pass = () => this.#pass(request, response);
    if (!this.#isIntercepting) return pass();
    this.#emit("request", {
      url: () => request.url,
      method: () => request.method,
      resourceType: () => request.headers["sec-fetch-dest"] ?? "other",
      abort: () => response.destroy(),
      continue: pass,
      respond: (/** @type {any} */ { status = 200, headers = {}, contentType = "text/plain", body = "" }) =>
        response.writeHead(status, { "Content-Type": contentType, ...headers }).end(body),
    });
  }

  /** @param {import("node:http").IncomingMessage} request @param {import("node:http").ServerResponse} response */
  #pass({ url = "", method, headers }, response) {
    const onward = httpRequest(url, { method, headers }, (answer) => {
      if (this.#isPolicyBypassed) delete answer.headers["content-security-policy"];
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy()).end();
  }

  async close() {
    await this.#started?.catch(() => {});
    await this.#session.close();
    this.#proxy?.closeAllConnections();
    this.#proxy?.close();
    this.home.pages.delete(this);
  }
}

/** Frames, those in shadow trees too. */
function framesWithin() {
  const found = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.localName === "iframe") found.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);
  return found;
}

class Browser {
  /** @type {Set<Page>} */
  pages = new Set();
  #downloads = "/dev/null";

  /** @param {{ display: string, stop(): Promise<void> }} screen @param {boolean} scrollbars */
  constructor(screen, scrollbars) {
    this.screen = screen;
    this.display = screen.display;
    this.scrollbars = scrollbars;
  }

  get downloads() {
    return this.#downloads;
  }

  /** Where pages save to. */
  set downloads(folder) {
    this.#downloads = folder;
    for (const page of this.pages) page.tell("save_to", folder);
  }

  async newPage() {
    const page = new Page(this);
    this.pages.add(page);
    return page;
  }

  /** Nothing is asked there that would have to be permitted. */
  defaultBrowserContext = () => ({ async overridePermissions() {}, async clearPermissionOverrides() {} });

  async close() {
    await Promise.all([...this.pages].map((page) => page.close()));
    await this.screen.stop();
  }
}

/**
 * Each page is a browser of its own, with storage of its own.
 * @param {{ scrollbars?: boolean }} [options] scrollbars: that take room, as on most machines
 */
export async function launchWebKit({ scrollbars = false } = {}) {
  return new Browser(await startScreen(), scrollbars);
}
