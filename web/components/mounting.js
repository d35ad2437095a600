/** Sections are laid out and figures come to life near the viewport at once, elsewhere when the browser has nothing else to do. */
import { fail, finish } from "./figure.js";

/**
 * @typedef {import("./figure.js").MountedFigure} MountedFigure
 * @typedef {{
 *   name: string, variant?: string, isPressed?: (state: import("../state.js").State) => boolean,
 *   mount(root: HTMLElement, deps: import("./figure.js").Dependencies): import("./figure.js").Mounting,
 * }} Mountable isPressed: whether a state has what else only a press brings, with its script
 * @typedef {{ mounted: MountedFigure[], ensure: (element: Element) => void, settle: () => void }} Mounted
 * @typedef {{ definition: Mountable, steps: import("./figure.js").Mounting }} Making
 * @typedef {(element: Pick<HTMLElement, "dataset">) => Mountable | undefined | Promise<Mountable | undefined>} Finder a promise: it has to be loaded
 */

/** How far outside the viewport is near. */
const NEAR = "600px";

/**
 * Whether a definition is that of a figure in the page; one in full may be another than that of the same name.
 * @param {{ name: string, variant?: string }} definition
 * @param {string | undefined} name
 * @param {string | undefined} variant
 */
export const isDefinitionOf = (definition, name, variant) =>
  definition.name === name && (definition.variant === "full") === (variant === "full");

/** So long, in milliseconds, figures come to life in one go: below 50 where everything takes four times as long. */
const STINT = 6;

/** WebKit has no idle callback. */
const whenIdle = (/** @type {() => void} */ act) =>
  "requestIdleCallback" in window ? requestIdleCallback(act, { timeout: 1000 }) : setTimeout(act, 20);

/**
 * Changes the height of something; if that is above what the reader sees, what is seen stays where it is.
 * @param {Element} element
 * @param {() => void} change
 */
function keepBelow(element, change) {
  const end = () => element.getBoundingClientRect().bottom;
  const before = end();
  change();
  // Not by how much higher the page is: near its end a browser has scrolled itself where it has become lower.
  if (before < 0) scrollBy({ top: end() - before, behavior: "instant" });
}

/**
 * @param {HTMLElement[]} elements
 * @param {Finder} find
 * @param {import("./figure.js").Dependencies} deps
 * @returns {Mounted} mounted: grows as figures come; ensure: mounts one that has to answer now; settle: finishes those that
 *   have begun to be made, so that they hear of what has changed
 */
export function mountFigures(elements, find, deps) {
  /** @type {MountedFigure[]} */
  const mounted = [];
  const waiting = new Set(elements);
  /** Those that do not wait for an idle moment. @type {Set<Element>} */
  const urgent = new Set();
  /** Those that are being made. @type {Map<HTMLElement, Making>} */
  const begun = new Map();
  /** Those whose script did not come. @type {Set<HTMLElement>} */
  const lost = new Set();
  // Those that the style sheet leaves out as long as they are not near: laid out all at once they would take a long task.
  const unseen = new Set(document.querySelectorAll("main > .sec + .sec"));
  let coming = elements.length;
  const root = document.documentElement;
  const views = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) approach(target);
    },
    { rootMargin: NEAR },
  );
  /** @type {HTMLElement | null} */
  let active = null;
  let isInHurry = false;
  let isResting = false;

  /** @param {Element} element has come near */
  function approach(element) {
    urgent.add(element);
    begin(/** @type {HTMLElement} */ (element));
  }

  /** @param {Element} element has to answer now, or as soon as its script is here */
  function ensure(element) {
    approach(element);
    complete(/** @type {HTMLElement} */ (element));
  }

  /** @param {HTMLElement} element */
  function begin(element) {
    if (waiting.delete(element)) return findAndBegin(element);
    if (begun.has(element)) goOn(element);
  }

  /** @param {HTMLElement} element */
  function findAndBegin(element) {
    lost.delete(element);
    const make = (/** @type {Mountable | undefined} */ definition) => {
      if (definition === undefined) return;
      begun.set(element, { definition, steps: definition.mount(element, deps) });
      goOn(element);
    };
    const found = find(element);
    if (!(found instanceof Promise)) return make(found);
    return found.then(
      (definition) => {
        make(definition);
        // What one of them has asked for again is there for all.
        for (const other of lost) /** @type {HTMLElement | null} */ (other.querySelector(".fig-error .btn"))?.click();
      },
      (error) => {
        lost.add(element);
        fail(element, error, async () => findAndBegin(element));
      },
    );
  }

  /** A step of one that is being made. @param {HTMLElement} element */
  function advance(element) {
    const { definition, steps } = /** @type {Making} */ (begun.get(element));
    const outer = active;
    active = element;
    keepBelow(element, () => {
      try {
        const { done, value } = steps.next();
        if (!done) return;
        mounted.push(value);
      } catch (error) {
        fail(element, error, () => void mounted.push(finish(definition.mount(element, deps))));
      }
      begun.delete(element);
      views.unobserve(element);
      coming -= 1;
      giveBack();
    });
    active = outer;
  }

  /** One that changes the state while it is made hears nothing of it. */
  function complete(/** @type {HTMLElement} */ element) {
    while (begun.has(element) && element !== active) advance(element);
  }

  function goOn(/** @type {HTMLElement} */ element) {
    if (urgent.has(element)) hurry();
    else rest();
  }

  /** Those near the viewport do not wait, but let others have their turn between two steps. */
  function hurry() {
    if (isInHurry) return;
    isInHurry = true;
    setTimeout(() => {
      isInHurry = false;
      const next = [...begun.keys()].find((element) => urgent.has(element));
      if (next === undefined) return;
      advance(next);
      hurry();
    });
  }

  /** Once nothing grows any more. */
  function giveBack() {
    if (coming === 0 && unseen.size === 0) requestAnimationFrame(() => root.style.removeProperty("overflow-anchor"));
  }

  /** The others, when the browser has nothing else to do. */
  function rest() {
    if (isResting) return;
    isResting = true;
    whenIdle(takeSteps);
  }

  /** Each moment's steps make a frame to be drawn: as many as the slowest phones have time for. */
  function takeSteps() {
    const end = performance.now() + STINT;
    while (takeStep()) if (performance.now() > end) return whenIdle(takeSteps);
    isResting = false;
  }

  /**
   * A step, a section or a figure, from the top: what is below a section that is not laid out yet need not be moved. The last
   * figure waits for every section: once it is there the page has its height.
   * @returns {boolean} whether there was one
   */
  function takeStep() {
    const [element] = begun.keys();
    const [section] = unseen;
    const [figure] = waiting;
    const isNext =
      !figure || section?.contains(figure) || section?.compareDocumentPosition(figure) === Node.DOCUMENT_POSITION_FOLLOWING;
    if (element) {
      advance(element);
    } else if (section && (isNext || waiting.size === 1)) {
      unseen.delete(section);
      keepBelow(section, () => section.setAttribute("data-seen", ""));
      giveBack();
    } else if (figure) {
      begin(figure);
    } else {
      return false;
    }
    return true;
  }

  // A figure above that grows must not push the text away from under the reader's eyes. WebKit leaves that to the page,
  // and what the others do would be done twice.
  root.style.setProperty("overflow-anchor", "none");
  for (const element of elements) views.observe(element);
  // Paper has no viewport. Those that come only now have missed the event.
  addEventListener("beforeprint", () => {
    if (waiting.size + begun.size === 0) return;
    for (const element of [...begun.keys(), ...waiting]) ensure(element);
    dispatchEvent(new Event("beforeprint"));
  });
  rest();
  return {
    mounted,
    ensure,
    settle() {
      for (const element of begun.keys()) complete(element);
    },
  };
}
