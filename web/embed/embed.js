/** The script of an embedded figure: it runs before the page's, which calls it when there is a state to speak of. */
import { connect, whenReady } from "./bridge.js";
import { reportHeight } from "./height.js";
import { optionsOf } from "./options.js";

/**
 * @typedef {{
 *   store: import("../state.js").Store, gestureEnded: () => void,
 *   linkTo: typeof import("../components/pagetools.js").linkTo, showToCopy: typeof import("../components/export.js").showToCopy,
 *   titleOf: typeof import("../components/figure.js").titleOf,
 * }} Page
 */

const root = document.documentElement;
const { options, id } = optionsOf(root.dataset.query ?? location.search);
const figure = /** @type {HTMLElement} */ (document.querySelector("figure[data-figure]"));
const link = /** @type {HTMLAnchorElement} */ (document.querySelector(".to-lesson"));

// With no choice of functions beside it the plot stays near zero, where they differ.
if (figure.dataset.variant === "full" && options.controls !== "full") figure.dataset.variant = "embed";
const report = reportHeight(id);
whenReady(figure, report);
// Who has left out the controls wants to show something, not to ask.
if (options.controls !== "full") whenReady(figure, () => figure.dispatchEvent(new CustomEvent("gelu:prompt")));

/** @param {Page} page */
/** @type {any} */ (globalThis).geluEmbed = ({ store, gestureEnded, linkTo, showToCopy, titleOf }) => {
  const showLink = () => {
    link.href = linkTo(store, figure);
  };
  store.subscribe(showLink);
  // By then the figure has taken it in.
  store.subscribe(() => setTimeout(report));
  showLink();
  connect({ figure, id, store, gestureEnded, titleOf });

  function openWindow(/** @type {string} */ address) {
    try {
      return window.open(address, "_blank");
    } catch {
      // As Firefox says it.
      return null;
    }
  }

  /** A frame that may not open windows shows the address instead. */
  function openAway(/** @type {string} */ address) {
    const opened = openWindow(address);
    if (opened === null) showToCopy(address, /** @type {HTMLElement} */ (figure.querySelector(".fig-foot")));
    else opened.opener = null;
  }

  // Before anything else hears of it: a link leads out of the frame, never to another page inside.
  document.addEventListener(
    "click",
    (event) => {
      const anchor = event.target instanceof Element && event.target.closest("a");
      if (!anchor || anchor.hasAttribute("download") || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      openAway(addressOf(anchor));
    },
    true,
  );

  /**
   * Where a link leads, one to a place of the lesson with the state that it shows.
   * @param {HTMLAnchorElement} anchor
   */
  function addressOf(anchor) {
    if (!anchor.getAttribute("href")?.startsWith("#")) return anchor.href;
    const [lesson] = linkTo(store, figure).split(/[?#]/);
    return `${lesson}${anchor.dataset.set ? `?${anchor.dataset.set}` : ""}${anchor.hash}`;
  }
};
