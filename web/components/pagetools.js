/** The tools that every figure has, plotted or not: a link to its state, full screen. */
import { bilingualText } from "../i18n/labels.js";
import { loadPart } from "../parts.js";
import { serialize } from "../state.js";
import { announce } from "./announce.js";
import { bilingual } from "./dom.js";
import { copyText } from "./export.js";
import { mayFillScreen, onFullScreen, toggleFullScreen } from "./fullscreen.js";
import { confirmOn, taking } from "./toolbar.js";

/** @typedef {import("./toolbar.js").Tool} Tool */

/** The address of a file, or of a package inside a learning platform, is no use to anybody else. */
export const isLink = () => location.protocol !== "file:" && !("packed" in document.documentElement.dataset);

/** Where the lesson is: an embedded figure is a page beside it, or none of its own. */
const lesson = () => new URL(document.documentElement.dataset.lesson ?? "", document.baseURI.split(/[?#]/)[0]).href;

/**
 * The address of a figure in the state that it is in.
 * @param {import("../state.js").Store} store
 * @param {HTMLElement} root the figure
 */
export function linkTo(store, root) {
  const query = serialize(store.table, store.state);
  return `${lesson()}${query && `?${query}`}#${root.id}`;
}

/**
 * @param {import("../state.js").Store} store
 * @param {HTMLElement} root
 * @returns {Tool[]} none where the address is no use; what puts it into another page not where it is in one
 */
export function linkTool(store, root) {
  if (!isLink()) return [];
  const foot = /** @type {HTMLElement} */ (root.querySelector(".fig-foot"));
  return [
    {
      label: "copyLink",
      extra: true,
      gap: true,
      act: (button) => copyText(linkTo(store, root), foot).then((done) => done && confirmOn(button, "copied")),
    },
    ...(document.documentElement.dataset.lesson === undefined && origin !== "null" ? [embedTool(store, root)] : []),
  ];
}

/**
 * @param {import("../state.js").Store} store
 * @param {HTMLElement} root
 * @returns {Tool}
 */
function embedTool(store, root) {
  return {
    label: "embed",
    extra: true,
    act: taking(root, async (button) => (await loadPart("tools")).toggleBuilder(button, root, store)),
  };
}

/**
 * @param {HTMLElement} root
 * @returns {Tool[]} none where the host does not allow it
 */
export function fullScreenTool(root) {
  if (!mayFillScreen()) return [];
  root.addEventListener("fullscreenchange", () => {
    const label = onFullScreen() === root ? "leaveFullScreen" : "fullScreen";
    root.querySelector('[data-tool="fullScreen"]')?.replaceChildren(bilingual(bilingualText(label)));
  });
  return [
    {
      label: "fullScreen",
      gap: true,
      act: () => toggleFullScreen(root).catch((error) => announce(root, String(error.message), true)),
    },
  ];
}
