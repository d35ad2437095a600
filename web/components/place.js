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

/** @typedef {[i?: number, top?: number]} Place which piece of the page is the first to be seen, and how far below the edge */

/** Without the buttons that scripts put between them. */
const pieces = () => [...document.querySelectorAll("main > .sec > :not(.row), main .block > *")];

/** @returns {{ place: Place, section: string | undefined }} */
export function placeNow() {
  const all = pieces();
  const boxes = all.map((piece) => piece.getBoundingClientRect());
  const i = boxes.findIndex(({ bottom }) => bottom > 0);
  return { place: [i, boxes[i]?.top], section: all[i]?.closest("section")?.id };
}

/** Of this tab, until it is closed. */
const KEPT = "gelu-lab.place";

/**
 * At a page whose figures are still to come: stays where the address points, or where a reader who comes back has been.
 * The browser knows a distance from the top, which then is that of another text.
 * @param {Element | null} target of the address
 * @param {Place} first where the page begins without
 */
export function stayAtStart(target, first) {
  const stayIn = (/** @type {Place} */ [i = -1, top = 0]) => {
    const piece = pieces()[i];
    if (piece?.getClientRects().length > 0) stayAt(piece, top);
    // A copy that was left in the other language.
    else if (piece) stayAt(/** @type {Element} */ (piece.closest("section")), "start");
  };
  const isBack = !("fresh" in document.documentElement.dataset);
  if (!isBack && target) stayAt(target, "start");
  else if (!isBack) stayIn(first);
  if (isBack) ifKept((kept) => stayIn(JSON.parse(kept.getItem(KEPT) ?? "[]")));
  addEventListener("pagehide", () => ifKept((kept) => kept.setItem(KEPT, JSON.stringify(placeNow().place))));
}

/** @param {(kept: Storage) => void} act */
function ifKept(act) {
  try {
    act(sessionStorage);
  } catch {
    // The host lets nothing be kept.
  }
}
