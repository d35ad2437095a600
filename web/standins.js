/** Stands in for what a browser may lack, or an extension has taken away: figures then look where they are less often. */

/** Tells of each element once, that it is in view, so that nothing rests. */
class Views {
  /** @param {(entries: { target: Element, isIntersecting: boolean }[]) => void} tell */
  constructor(tell) {
    this.observe = (/** @type {Element} */ target) => setTimeout(tell, 0, [{ target, isIntersecting: true }]);
  }

  unobserve() {}
  disconnect() {}
}

/** Tells of all its elements at first and when the window has another size. */
class Sizes {
  /** @param {(entries: { target: Element, contentRect: DOMRect }[]) => void} tell */
  constructor(tell) {
    /** @type {Set<Element>} */
    const watched = new Set();
    let timer = 0;
    const look = () =>
      watched.size > 0 && tell([...watched].map((target) => ({ target, contentRect: target.getBoundingClientRect() })));
    this.observe = (/** @type {Element} */ target) => {
      if (watched.has(target)) return;
      watched.add(target);
      clearTimeout(timer);
      timer = window.setTimeout(look);
    };
    this.disconnect = () => watched.clear();
    addEventListener("resize", look);
  }
}

globalThis.IntersectionObserver ??= /** @type {any} */ (Views);
globalThis.ResizeObserver ??= /** @type {any} */ (Sizes);
