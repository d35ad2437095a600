/** Keeps what the reader looks at where it is while the text around it becomes another language's. */

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
