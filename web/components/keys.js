/** Where a key takes the value of a slider, the same for every slider of the page. */

/**
 * Arrows one step, with Shift ten, Page a tenth of the range, Home and End its ends.
 * @param {KeyboardEvent} event
 * @param {number} value
 * @param {{ min: number, max: number, step: number }} range
 * @returns {number | null} null: a key that does not move it
 */
export function keyTarget({ key, shiftKey, ctrlKey, metaKey, altKey }, value, { min, max, step }) {
  if (ctrlKey || metaKey || altKey) return null;
  const by = step * (shiftKey ? 10 : 1);
  // A value that lies outside the range comes back step by step, and does not jump to its end.
  const inside = (/** @type {number} */ wanted) => Math.min(Math.max(max, value), Math.max(Math.min(min, value), wanted));
  if (key === "ArrowLeft" || key === "ArrowDown") return inside(value - by);
  if (key === "ArrowRight" || key === "ArrowUp") return inside(value + by);
  if (key === "PageDown") return inside(value - (max - min) / 10);
  if (key === "PageUp") return inside(value + (max - min) / 10);
  if (key === "Home") return min;
  return key === "End" ? max : null;
}
