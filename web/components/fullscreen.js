/** The full screen, which a host may forbid in several ways: none of them is an error of the page. */

/** @returns {Element | null} */
export function onFullScreen() {
  try {
    return document.fullscreenElement ?? null;
  } catch {
    return null;
  }
}

export function mayFillScreen() {
  try {
    return document.fullscreenEnabled === true;
  } catch {
    return false;
  }
}

/** @param {Element} element fills the screen, or leaves it where it does */
export async function toggleFullScreen(element) {
  await (onFullScreen() === element ? document.exitFullscreen() : element.requestFullscreen());
}

/** Where the host holds on to it, all stays as it is. */
export async function leaveFullScreen() {
  try {
    if (onFullScreen() !== null) await document.exitFullscreen();
  } catch {
    // The reader has a key for that.
  }
}
