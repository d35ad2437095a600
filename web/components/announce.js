/** The status line of a section: what a screen reader hears while a figure is used. */

const PAUSE = 1000;

/** @type {WeakMap<Element, { spokenAt: number, timer: number }>} */
const lines = new WeakMap();

/**
 * Says a sentence in the section's status line, at most once a second; the last of several counts.
 * @param {HTMLElement} root the figure; it is heard only while it has the focus, unless `always`
 * @param {string} sentence
 * @param {boolean} [always]
 */
export function announce(root, sentence, always = false) {
  const line = root.closest("section")?.querySelector('[role="status"]');
  if (!line || !(always || root.contains(document.activeElement))) return;
  const state = lines.get(line) ?? { spokenAt: Number.NEGATIVE_INFINITY, timer: 0 };
  lines.set(line, state);
  clearTimeout(state.timer);
  state.timer = window.setTimeout(
    () => {
      line.textContent = sentence;
      state.spokenAt = performance.now();
    },
    Math.max(0, state.spokenAt + PAUSE - performance.now()),
  );
}
