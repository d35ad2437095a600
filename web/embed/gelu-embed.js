/**
 * Defines <gelu-figure>: a figure of the lesson in a sandboxed frame that is as high as what it shows.
 *
 *   <script src="…/gelu-embed.js" defer></script>
 *   <gelu-figure figure="gates" controls="min" lang="en" theme="light" state="x=1.5"></gelu-figure>
 *
 * Attributes: figure; controls, title and background as in the address of an embed; lang (that of the page around it if
 * there is none), theme, x, fns, order, from, to; state, a query string with whatever else. `element.state` reads and sets
 * values by key; a "change" event, which does not bubble, has them in `detail.state` when the reader has moved something; "ready" says that the
 * figure is drawn.
 *
 * It runs in pages that others wrote: nothing is read that Object.prototype may bring in, and no object is handed to the
 * browser that has a prototype.
 */
(() => {
  const NAME = "gelu-figure";
  if (customElements.get(NAME)) return;
  const script = document.currentScript ?? document.querySelector('script[src*="gelu-embed.js"]');
  const base = /** @type {HTMLScriptElement} */ (script).src;

  /** Of these a change needs the frame anew. */
  const OPTIONS = ["figure", "controls", "title", "background"];
  /** These are sent to it. */
  const STATE = ["lang", "theme", "x", "fns", "order", "from", "to"];
  const HIGHEST = 20_000;
  let count = 0;

  const bare = (/** @type {Record<string, unknown>} */ object) => Object.setPrototypeOf(object, null);
  const own = (/** @type {any} */ object, /** @type {string} */ key) => (Object.hasOwn(object, key) ? object[key] : undefined);

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    ":host{display:block;max-width:100%}:host([hidden]){display:none}iframe{display:block;width:100%;height:420px;border:0}",
  );

  /** @type {WeakMap<GeluFigure, { frame: HTMLIFrameElement, id: string, isReady: boolean, state: Record<string, unknown> | null }>} */
  const parts = new WeakMap();

  class GeluFigure extends HTMLElement {
    static get observedAttributes() {
      return [...OPTIONS, ...STATE, "state"];
    }

    constructor() {
      super();
      const root = this.attachShadow(bare({ mode: "open" }));
      root.adoptedStyleSheets = [sheet];
      const frame = document.createElement("iframe");
      frame.setAttribute("sandbox", "allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox");
      frame.setAttribute("allow", "fullscreen; clipboard-write");
      frame.setAttribute("referrerpolicy", "no-referrer");
      parts.set(this, { frame, id: `gelu-figure-${++count}`, isReady: false, state: null });
      /** Kept, so that it can be taken off again. */
      this.handleEvent = this.handleEvent.bind(this);
    }

    connectedCallback() {
      window.addEventListener("message", this.handleEvent);
      this.load();
      const { frame } = of(this);
      this.shadowRoot?.append(frame);
    }

    disconnectedCallback() {
      window.removeEventListener("message", this.handleEvent);
      const mine = of(this);
      mine.isReady = false;
      mine.frame.remove();
    }

    adoptedCallback() {}

    /**
     * @param {string} name
     * @param {string | null} before
     * @param {string | null} now
     */
    attributeChangedCallback(name, before, now) {
      if (before === now || !this.isConnected) return;
      const mine = of(this);
      // What an attribute no longer says is as it would be without.
      if (OPTIONS.includes(name) || now === null) {
        if (now === null) mine.state = null;
        this.load();
        return;
      }
      if (mine.isReady) this.send(bare(name === "state" ? valuesOf(now) : { [name]: name === "lang" ? languageOf(this) : now }));
      else {
        mine.state = null;
        this.load();
      }
    }

    /** The frame from its beginning, in the state that it was in. */
    load() {
      const mine = of(this);
      const query = new URLSearchParams();
      for (const name of OPTIONS) {
        const value = this.getAttribute(name);
        if (value !== null && (name !== "title" || value === "0")) query.set(name, value);
      }
      const state = new URLSearchParams(this.getAttribute("state") ?? "");
      for (const [key, value] of state) query.set(key, value);
      for (const name of STATE) {
        const value = name === "lang" ? languageOf(this) : name === "theme" ? themeOf(this) : this.getAttribute(name);
        if (value !== null) query.set(name, value);
      }
      if (mine.state !== null)
        for (const key of Object.keys(mine.state))
          if (key !== "lang" && key !== "theme") query.set(key, String(mine.state[key] ?? ""));
      query.set("embed_id", mine.id);
      nameFrame(this, "GELU");
      tint(this, themeOf(this));
      mine.isReady = false;
      mine.frame.src = `${new URL("embed.html", base)}?${query}`;
    }

    /** @param {Record<string, unknown>} state */
    send(state) {
      of(this).frame.contentWindow?.postMessage(bare({ type: "gelu:set", v: 1, state }), "*");
    }

    /** @param {Event} event */
    handleEvent(event) {
      const { source, data } = /** @type {MessageEvent} */ (event);
      const mine = of(this);
      if (source === null || source !== mine.frame.contentWindow || typeof data !== "object" || data === null) return;
      if (own(data, "v") !== 1 || own(data, "id") !== mine.id) return;
      const type = own(data, "type");
      if (type === "gelu:resize") {
        const height = own(data, "height");
        // As a property it could be the host's own: Object.prototype comes before what a style declares.
        if (Number.isFinite(height) && height > 0) mine.frame.style.setProperty("height", `${Math.min(HIGHEST, height)}px`);
      } else if (type === "gelu:ready") {
        mine.isReady = true;
        this.dispatchEvent(new CustomEvent("ready", bare({ detail: null })));
      } else if (type === "gelu:state") {
        const state = own(data, "state");
        if (typeof state !== "object" || state === null) return;
        const title = own(data, "title");
        if (typeof title === "string") nameFrame(this, title);
        tint(this, own(state, "theme"));
        const before = mine.state;
        mine.state = bare({ ...state });
        const isNews = before !== null && Object.keys(state).some((key) => String(before[key]) !== String(own(state, key)));
        if (isNews) this.dispatchEvent(new CustomEvent("change", bare({ detail: bare({ state: bare({ ...state }) }) })));
      }
    }

    get ready() {
      return of(this).isReady;
    }

    /** @returns {any} values by key, null before the figure is ready */
    get state() {
      const { state } = of(this);
      return state === null ? null : bare({ ...state });
    }

    /** @param {Record<string, unknown> | string} state */
    set state(state) {
      const values = typeof state === "string" ? valuesOf(state) : bare({ ...state });
      if (of(this).isReady) {
        this.send(values);
        return;
      }
      // What has an attribute of its own is written there: of all that is set before the figure is there, the last counts.
      const others = new URLSearchParams(this.getAttribute("state") ?? "");
      for (const key of Object.keys(values)) {
        if (STATE.includes(key)) this.setAttribute(key, String(values[key]));
        else others.set(key, String(values[key]));
      }
      if (others.size > 0) this.setAttribute("state", String(others));
    }
  }

  for (const name of [...OPTIONS, "theme", "x", "fns", "order", "from", "to"].filter((each) => each !== "title")) {
    Object.defineProperty(
      GeluFigure.prototype,
      name,
      bare({
        configurable: true,
        enumerable: true,
        get: /** @this {GeluFigure} */ function () {
          return this.getAttribute(name);
        },
        set: /** @this {GeluFigure} */ function (/** @type {unknown} */ value) {
          if (value === null || value === undefined) this.removeAttribute(name);
          else this.setAttribute(name, String(value));
        },
      }),
    );
  }

  /** @param {GeluFigure} element */
  const of = (element) => /** @type {NonNullable<ReturnType<typeof parts.get>>} */ (parts.get(element));

  /**
   * By its own title, or by the figure's once that is known.
   * @param {GeluFigure} element
   * @param {string} usual
   */
  function nameFrame(element, usual) {
    const title = element.getAttribute("title") ?? "";
    of(element).frame.title = /^[01]?$/.test(title) ? usual : title;
  }

  /**
   * Where frame and page are not of one colour scheme the browser puts an opaque ground under a transparent page.
   * @param {GeluFigure} element
   * @param {unknown} theme
   */
  function tint(element, theme) {
    of(element).frame.style.setProperty("color-scheme", theme === "dark" || theme === "light" ? theme : "light dark");
  }

  /**
   * Its own; a transparent figure has to be read on the ground of the page around it, whatever the reader's system is set to.
   * @param {Element} element
   */
  function themeOf(element) {
    const own = element.getAttribute("theme");
    if (own !== null || element.getAttribute("background") !== "transparent") return own;
    const { colorScheme } = getComputedStyle(element);
    if (!/dark/.test(colorScheme)) return "light";
    return /light/.test(colorScheme) ? null : "dark";
  }

  /** @param {string} query */
  function valuesOf(query) {
    const values = bare({});
    for (const [key, value] of new URLSearchParams(query)) values[key] = value;
    return values;
  }

  /**
   * Its own, or that of the page around it.
   * @param {Element} element
   */
  function languageOf(element) {
    const tag = element.closest("[lang]")?.getAttribute("lang") ?? "";
    const [, language] = /^(zh|en)\b/i.exec(tag) ?? [];
    return language === undefined ? "auto" : language.toLowerCase();
  }

  customElements.define(NAME, GeluFigure);
})();
