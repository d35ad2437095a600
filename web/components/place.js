/** Keeps what the reader looks at where it is while the text around it becomes another language's, or figures above it grow. */

/** Where on the screen a reader looks, as a share of its height. */
const EYE = 1 / 3;

/**
 * @param {() => void} change to the other language
 */
export function keepPlace(change) {
  const eye = innerHeight * EYE;
  const isSeen = (/** @type {DOMRect} */ { top, bottom }) => top < innerHeight && bottom > 0 && bottom > top;
  const distance = (/** @type {Element} */ element) => Math.abs(element.getBoundingClientRect().top - eye);
  const [figure] = [...document.querySelectorAll("main figure, main .programs")]
    .filter((element) => isSeen(element.getBoundingClientRect()))
    .sort((a, b) => distance(a) - distance(b));
  const block = [...document.querySelectorAll("main .block")].find((element) => {
    const { top, bottom } = extentOf(element);
    return top <= eye && bottom > eye;
  });
  if (figure !== undefined) {
    const { top } = figure.getBoundingClientRect();
    change();
    moveBy(figure.getBoundingClientRect().top - top);
  } else if (block !== undefined) {
    const { top, bottom } = extentOf(block);
    const share = (eye - top) / (bottom - top);
    change();
    const other = [block.previousElementSibling, block.nextElementSibling].find(
      (element) => element?.matches(".block") && extentOf(element).bottom > extentOf(element).top,
    );
    if (other) {
      const now = extentOf(other);
      moveBy(now.top + share * (now.bottom - now.top) - eye);
    }
  } else {
    change();
  }
}

/**
 * From the first to the last of what stands in a block; it has no box of its own.
 * @param {Element} block
 */
function extentOf(block) {
  const boxes = [...block.children].map((child) => child.getBoundingClientRect()).filter(({ height }) => height > 0);
  return { top: Math.min(...boxes.map(({ top }) => top)), bottom: Math.max(...boxes.map(({ bottom }) => bottom)) };
}

const moveBy = (/** @type {number} */ top) => scrollBy({ top, behavior: "instant" });

/** Ends what the last call began. */
let leave = () => {};

/** What a reader does who goes on: from then on the page is theirs. */
const ACTS = ["wheel", "pointerdown", "keydown", "click"];

/**
 * Scrolls there, and again when something above has become higher or lower, until the reader does something.
 * @param {Element} element
 * @param {ScrollLogicalPosition | number} place in the window; a number: so far below its upper edge
 */
export function stayAt(element, place) {
  leave();
  const observer = new ResizeObserver(() => {
    if (typeof place === "number") moveBy(element.getBoundingClientRect().top - place);
    else element.scrollIntoView({ block: place, behavior: "instant" });
  });
  const listening = new AbortController();
  leave = () => {
    observer.disconnect();
    listening.abort();
  };
  observer.observe(document.body);
  for (const type of ACTS) addEventListener(type, leave, { passive: true, capture: true, signal: listening.signal });
}

/** Of this tab, until it is closed. */
const KEPT = "gelu-lab.place";

/**
 * At a page whose figures are still to come: stays where the address points, or where a reader who comes back has been.
 * The browser knows a distance from the top, which then is that of another text.
 * @param {Element | null} target of the address
 */
export function stayAtStart(target) {
  const isBack = !("fresh" in document.documentElement.dataset);
  if (target && !isBack) stayAt(target, "start");
  const pieces = [...document.querySelectorAll("main > .sec > *, main .block > *")];
  try {
    const [i, top] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    if (isBack && pieces[i]) stayAt(pieces[i], top);
    addEventListener("pagehide", () => {
      const tops = pieces.map((piece) => piece.getBoundingClientRect());
      const seen = tops.findIndex(({ bottom }) => bottom > 0);
      sessionStorage.setItem(KEPT, JSON.stringify([seen, tops[seen]?.top]));
    });
  } catch {
    // The host lets nothing be kept.
  }
}
