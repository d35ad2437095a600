/** Tells the host how high the content is, in the four dialects that hosts understand; never to anybody but the parent. */

import { onFullScreen } from "../components/fullscreen.js";

/** @param {unknown} message */
export function tell(message) {
  // Nothing in it is secret, and the host's origin is not known.
  if (parent !== window) parent.postMessage(message, "*");
}

/** So long a host may take to follow. */
const PATIENCE = 2000;

/**
 * @param {string} id by which the host knows this frame
 * @returns {() => void} to be called when much has changed: a frame out of sight hears of no sizes by itself
 */
export function reportHeight(id) {
  const root = document.documentElement;
  let told = 0;
  let timer = 0;

  function report() {
    // In a frame that is not shown nothing has a size, and a figure on the full screen leaves its place empty.
    if (innerWidth === 0 || onFullScreen() !== null) return;
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height !== told) {
      told = height;
      tell({ type: "gelu:resize", v: 1, id, height });
      tell(JSON.stringify({ subject: "lti.frameResize", height }));
      tell({ context: "h5p", action: "resize", height, scrollHeight: height });
      tell({ type: "plugin.resize", payload: { height } });
    }
    takeBarAway();
  }

  /**
   * Where everything fits there is no bar, not even for the moment in which the content has grown and the frame has not:
   * it would make the content narrower, and that another height, and so on for ever.
   */
  function takeBarAway() {
    clearTimeout(timer);
    if (innerHeight >= told) {
      root.style.overflowY = "hidden";
    } else {
      timer = window.setTimeout(() => {
        root.style.overflowY = "";
      }, PATIENCE);
    }
  }

  // H5P answers to the origin of the frame, and a sandboxed one has none.
  if (origin !== "null") tell({ context: "h5p", action: "hello" });
  // Without one, what the window and the state do must be enough.
  if ("ResizeObserver" in window) new ResizeObserver(report).observe(root);
  addEventListener("resize", report);
  document.addEventListener("fullscreenchange", report);
  return report;
}
