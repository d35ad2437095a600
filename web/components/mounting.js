/** Sections are laid out and figures come to life near the viewport at once, elsewhere when the browser has nothing else to do. */
import { fail } from "./figure.js";

/**
 * @typedef {import("./figure.js").MountedFigure} MountedFigure
 * @typedef {{ name: string, variant?: string, mount(root: HTMLElement, deps: import("./figure.js").Dependencies): MountedFigure }} Mountable
 * @typedef {{ mounted: MountedFigure[], ensure: (element: Element) => void }} Mounting
 * @typedef {(element: HTMLElement) => Mountable | undefined | Promise<Mountable | undefined>} Finder a promise: it has to be loaded
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

/** WebKit has no idle callback. */
const whenIdle = (/** @type {() => void} */ act) =>
  "requestIdleCallback" in window ? requestIdleCallback(act, { timeout: 2000 }) : setTimeout(act, 50);

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
 * @returns {Mounting} mounted: grows as figures come; ensure: mounts one that has to answer now
 */
export function mountFigures(elements, find, deps) {
  /** @type {MountedFigure[]} */
  const mounted = [];
  const waiting = new Set(elements);
  // Those that the style sheet leaves out as long as they are not near: laid out all at once they would take a long task.
  const unseen = new Set(document.querySelectorAll("main > .sec + .sec"));
  let coming = elements.length;
  const root = document.documentElement;
  const views = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) ensure(target);
    },
    { rootMargin: NEAR },
  );

  /** @param {Element} element */
  function ensure(element) {
    if (!waiting.delete(/** @type {HTMLElement} */ (element))) return;
    views.unobserve(element);
    findAndMount(/** @type {HTMLElement} */ (element));
  }

  /** @param {HTMLElement} element */
  function findAndMount(element) {
    const found = find(element);
    if (!(found instanceof Promise)) return mount(element, found);
    return found.then(
      (definition) => mount(element, definition),
      (error) => fail(element, error, () => findAndMount(element)),
    );
  }

  /**
   * @param {HTMLElement} element
   * @param {Mountable | undefined} definition
   */
  function mount(element, definition) {
    if (definition === undefined) return;
    const start = () => void mounted.push(definition.mount(element, deps));
    keepBelow(element, () => {
      try {
        start();
      } catch (error) {
        fail(element, error, start);
      }
    });
    coming -= 1;
    giveBack();
  }

  /** Once nothing grows any more. */
  function giveBack() {
    if (coming === 0 && unseen.size === 0) requestAnimationFrame(() => root.style.removeProperty("overflow-anchor"));
  }

  /**
   * One section or one figure, from the top: what is below a section that is not laid out yet need not be moved. The last
   * figure waits for every section: once it is there the page has its height.
   */
  function goOn() {
    const [section] = unseen;
    const [figure] = waiting;
    const isNext =
      !figure || section?.contains(figure) || section?.compareDocumentPosition(figure) === Node.DOCUMENT_POSITION_FOLLOWING;
    if (section && (isNext || waiting.size === 1)) {
      unseen.delete(section);
      keepBelow(section, () => section.setAttribute("data-seen", ""));
      giveBack();
    } else if (figure) {
      ensure(figure);
    } else {
      return;
    }
    whenIdle(goOn);
  }

  // A figure above that grows must not push the text away from under the reader's eyes. WebKit leaves that to the page,
  // and what the others do would be done twice.
  root.style.setProperty("overflow-anchor", "none");
  for (const element of elements) views.observe(element);
  // Paper has no viewport. Those that come only now have missed the event.
  addEventListener("beforeprint", () => {
    if (waiting.size === 0) return;
    for (const element of waiting) ensure(element);
    dispatchEvent(new Event("beforeprint"));
  });
  whenIdle(goOn);
  return { mounted, ensure };
}
