/**
 * Pointer, wheel and keys on a plot. One finger or the mouse moves x; two fingers, Ctrl or ⌘ with the wheel, a box drawn
 * with Shift (or in box mode), and the keys + − 0 zoom. A plain wheel and a vertical swipe scroll the page.
 */
import { X_LIMIT as LIMIT } from "../state.js";
import { h } from "./dom.js";

/** The narrowest range that a figure shows. */
const NARROWEST = 2e-6;
/** A box narrower than this is a click. */
const BOX_PIXELS = 6;
const WHEEL_FACTOR = 1.0015;

/**
 * The range [from, to] inside the limits, in a few digits so that links stay short.
 * @param {number} from
 * @param {number} to
 * @returns {[number, number]}
 */
export function tidyRange(from, to) {
  const span = Math.min(2 * LIMIT, Math.max(NARROWEST, to - from));
  const middle = Math.min(LIMIT - span / 2, Math.max(-LIMIT + span / 2, (from + to) / 2));
  const decimals = Math.min(12, Math.max(0, 3 - Math.floor(Math.log10(span))));
  return [Number((middle - span / 2).toFixed(decimals)), Number((middle + span / 2).toFixed(decimals))];
}

/**
 * The range scaled about a point that keeps its place.
 * @param {[number, number]} range
 * @param {number} factor below 1 zooms in
 * @param {number} about
 */
export function zoomed([from, to], factor, about) {
  return tidyRange(about + (from - about) * factor, about + (to - about) * factor);
}

/**
 * @param {[number, number]} range
 * @param {number} share of the range, to the right
 */
export function panned([from, to], share) {
  const by = (to - from) * share;
  const inside = Math.min(LIMIT - to, Math.max(-LIMIT - from, by));
  return tidyRange(from + inside, to + inside);
}

/**
 * Where a pointer is on a canvas, which may be magnified.
 * @param {MouseEvent} event
 * @param {HTMLElement} canvas
 */
export function pixelOf({ clientX }, canvas) {
  const { left, width } = canvas.getBoundingClientRect();
  return ((clientX - left) * canvas.offsetWidth) / width;
}

/**
 * @param {HTMLElement} plot
 * @param {HTMLCanvasElement} canvas
 * @param {{
 *   range: () => [number, number], frame: () => import("../scene.js").Frame | null, x: () => number,
 *   setRange: (range: [number, number] | null) => void, follow: (event: PointerEvent) => void, pressed: () => void,
 *   gestureEnded: () => void, zooms: boolean,
 * }} target setRange null: the figure's own; zooms: else nothing but the cursor moves
 */
export function attachGestures(plot, canvas, target) {
  /** @type {Map<number, number>} where each finger is, as a pixel of the canvas */
  const fingers = new Map();
  const box = h("div", { class: "zoom-box", hidden: true });
  let boxMode = false;
  let boxFrom = Number.NaN;
  /** @type {{ range: [number, number], a: number, b: number } | null} */
  let pinch = null;
  /** @type {{ x: number, y: number } | null} where a finger came down that has not moved x yet */
  let touch = null;
  plot.append(box);

  const pixel = (/** @type {MouseEvent} */ event) => pixelOf(event, canvas);

  /** @param {number} at pixel @param {[number, number]} [range] */
  function valueAt(at, [from, to] = target.range()) {
    const frame = target.frame();
    return frame === null ? 0 : from + ((at - frame.left) / (frame.right - frame.left)) * (to - from);
  }

  /**
   * The box as it is framed: what is drawn past the edge of the plot does not count.
   * @param {number} to
   * @param {import("../scene.js").Frame} frame
   */
  function boxUntil(to, frame) {
    const inside = (/** @type {number} */ at) => Math.min(frame.right, Math.max(frame.left, at));
    return [inside(Math.min(boxFrom, to)), inside(Math.max(boxFrom, to))];
  }

  function showBox(/** @type {number} */ to) {
    const frame = target.frame();
    if (frame === null) return;
    const [left, right] = boxUntil(to, frame);
    Object.assign(box.style, {
      left: `${left}px`,
      width: `${right - left}px`,
      top: `${frame.top}px`,
      height: `${frame.bottom - frame.top}px`,
    });
    box.hidden = false;
  }

  function dropBox() {
    boxFrom = Number.NaN;
    box.hidden = true;
  }

  /** @param {PointerEvent} event */
  function endBox(event) {
    const frame = target.frame();
    const [a, b] = frame === null ? [0, 0] : boxUntil(pixel(event), frame);
    dropBox();
    // A swipe that the page took over is no box.
    if (event.type === "pointerup" && b - a >= BOX_PIXELS) target.setRange(tidyRange(valueAt(a), valueAt(b)));
  }

  /** Both fingers keep the values that they were put on. */
  function movePinch() {
    const frame = target.frame();
    if (pinch === null || frame === null) return;
    const [p, q] = [...fingers.values()];
    const perPixel = (pinch.b - pinch.a) / (q - p);
    if (!Number.isFinite(perPixel) || perPixel <= 0) return;
    const from = pinch.a + (frame.left - p) * perPixel;
    target.setRange(tidyRange(from, from + (frame.right - frame.left) * perPixel));
  }

  // What a press does by itself would take the focus away again.
  canvas.addEventListener("mousedown", (event) => event.preventDefault());
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, pixel(event));
    if (fingers.size === 2 && target.zooms) {
      dropBox();
      const [p, q] = [...fingers.values()];
      pinch = { range: target.range(), a: valueAt(p), b: valueAt(q) };
      return;
    }
    target.pressed();
    if (target.zooms && (boxMode || event.shiftKey)) {
      boxFrom = pixel(event);
      return;
    }
    // A finger may be about to scroll the page: it moves x once it goes sideways, or when it is lifted on its place.
    touch = event.pointerType === "mouse" ? null : { x: event.clientX, y: event.clientY };
    if (touch === null) target.follow(event);
  });

  canvas.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, pixel(event));
    if (pinch !== null) {
      movePinch();
    } else if (!Number.isNaN(boxFrom)) {
      showBox(pixel(event));
    } else {
      if (touch !== null && Math.abs(event.clientX - touch.x) <= Math.abs(event.clientY - touch.y)) return;
      touch = null;
      target.follow(event);
    }
  });

  for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) {
    canvas.addEventListener(type, (event) => {
      if (!fingers.delete(event.pointerId)) return;
      if (!Number.isNaN(boxFrom)) endBox(event);
      else if (touch !== null && pinch === null && type === "pointerup") target.follow(event);
      touch = null;
      // The finger that stays must not take x along.
      if (pinch !== null) {
        pinch = null;
        fingers.clear();
      }
      target.gestureEnded();
    });
  }

  if (target.zooms) attachZoom();

  function attachZoom() {
    canvas.addEventListener("dblclick", () => {
      target.setRange(null);
      target.gestureEnded();
    });

    // Not before the pointer is there: WebKit restyles the whole page for every listener to the wheel.
    canvas.addEventListener("pointerenter", () => canvas.addEventListener("wheel", zoomByWheel, { passive: false }), {
      once: true,
    });

    /** @param {WheelEvent} event */
    function zoomByWheel(event) {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 16;
      target.setRange(zoomed(target.range(), WHEEL_FACTOR ** (event.deltaY * lines), valueAt(pixel(event))));
      target.gestureEnded();
    }

    plot.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const [from, to] = target.range();
      const about = Math.min(to, Math.max(from, target.x()));
      if (event.key === "0") target.setRange(null);
      else if (event.key === "+" || event.key === "=") target.setRange(zoomed([from, to], 1 / 2, about));
      else if (event.key === "-" || event.key === "_") target.setRange(zoomed([from, to], 2, about));
      else return;
      event.preventDefault();
      target.gestureEnded();
    });
  }

  return {
    /** @param {boolean} on */
    setBoxMode(on) {
      boxMode = on;
      plot.classList.toggle("is-box", on);
    },
  };
}
