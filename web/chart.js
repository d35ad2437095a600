/** The only file that touches Chart.js: it draws a scene's curves; axes, marks and names are painted around them. */
import { BasePlatform, Chart, LineController, LineElement, PointElement, Scale } from "chart.js";
import { createCanvasPainter } from "./canvas.js";
import { paintAbove, paintBelow, paintCursor, plotsOf } from "./scene.js";

/** In place of Chart.js's own: from 0 to 1, and not drawn, for axes are painted with the rest of the scene. */
class ShareScale extends Scale {
  static id = "linear";
  static defaults = { display: false, min: 0, max: 1, ticks: { display: false } };

  determineDataLimits() {
    this.min = 0;
    this.max = 1;
  }

  draw() {}

  /** @param {number} value */
  getPixelForValue(value) {
    return this.getPixelForDecimal(value);
  }
}

/** Takes the size that it is told: Chart.js's own asks for margins, for which the browser lays out the page. */
class Told extends BasePlatform {
  /** @param {HTMLCanvasElement} canvas */
  acquireContext(canvas) {
    return canvas.getContext("2d");
  }
}

Chart.register(ShareScale, LineController, LineElement, PointElement);

/** Widths and heights of the plot that a line may go beyond it: a dashed line far longer keeps a browser busy for ever. */
const FARTHEST = 20;

/**
 * A pixel as a share of the canvas. Chart.js gets these alone: it never ends where an axis spans subnormal numbers.
 * @param {number} pixel
 * @param {number} size
 */
const share = (pixel, size) => Math.max(-FARTHEST, Math.min(FARTHEST, pixel / size));

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import("./theme.js").Theme} firstTheme
 */
export function createChart(canvas, firstTheme) {
  // Chart.js would go on without, and never draw.
  if (canvas.getContext("2d") === null) throw new Error("this browser has no canvas to give");
  let theme = firstTheme;
  /** @type {import("./scene.js").Scene | null} */
  let scene = null;
  /** @type {import("./scene.js").Cursor | null} */
  let cursor = null;
  let highlighted = "";

  /** Of the canvas to the layout: the reader may zoom, or take the window to another screen. */
  const pixelRatio = () => (window.devicePixelRatio || 1) * theme.magnification;
  const plots = () => (scene === null ? [] : plotsOf(scene, cursor, chart.width, chart.height));
  const decorations = {
    id: "decorations",
    beforeDatasetsDraw(/** @type {Chart} */ { ctx }) {
      const painter = createCanvasPainter(ctx, theme);
      for (const plot of plots()) {
        paintBelow(painter, plot.scene, plot.frame, plot.cursor);
        if (plot.cursor !== null) paintCursor(painter, plot.cursor, plot.frame);
      }
    },
    afterDatasetsDraw(/** @type {Chart} */ { ctx }) {
      const painter = createCanvasPainter(ctx, theme);
      for (const plot of plots()) paintAbove(painter, plot.scene, plot.frame, plot.cursor);
    },
  };

  const chart = new Chart(canvas, {
    type: "line",
    platform: Told,
    data: { datasets: [] },
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      responsive: false,
      maintainAspectRatio: false,
      events: [],
      layout: { padding: 0, autoPadding: false },
      elements: { line: { tension: 0 }, point: { radius: 0 } },
      scales: { x: { type: "linear" }, y: { type: "linear" } },
    },
    plugins: [decorations],
  });

  /**
   * @param {import("./scene.js").Curve} curve
   * @param {ReturnType<typeof plots>[number]} plot
   */
  function dataset(curve, { scene: { curves }, frame }) {
    const { width, height } = chart;
    const line = theme.functions[curve.fn];
    const fade = highlighted !== "" && highlighted !== curve.fn && curves.length >= 4;
    return {
      data: Array.from(curve.x, (x, i) => ({ x: share(frame.x(x), width), y: 1 - share(frame.y(curve.y[i]), height) })),
      clip: { left: -frame.left, right: frame.right - width, top: -frame.top, bottom: frame.bottom - height },
      borderColor: fade ? theme.faded(line.color) : line.color,
      borderDash: line.dash,
      borderCapStyle: /** @type {CanvasLineCap} */ (line.round ? "round" : "butt"),
      borderWidth: (highlighted === curve.fn ? theme.curveStrong : theme.curve) + (line.round ? 0.5 : 0),
      pointRadius: 0,
      spanGaps: false,
    };
  }

  function apply() {
    if (scene === null) return;
    // Curves are drawn in reverse so that the first named, GELU, lies on top.
    chart.data.datasets = plots().flatMap((plot) => plot.scene.curves.map((curve) => dataset(curve, plot)));
    chart.data.datasets.forEach((item, i) => {
      item.order = i;
    });
    chart.update("none");
  }

  return {
    /**
     * @param {import("./scene.js").Scene} nextScene
     * @param {import("./scene.js").Cursor | null} nextCursor
     */
    draw(nextScene, nextCursor) {
      scene = nextScene;
      cursor = nextCursor;
      apply();
    },

    /** @param {import("./scene.js").Cursor | null} nextCursor the curves stay */
    moveCursor(nextCursor) {
      cursor = nextCursor;
      chart.draw();
    },

    /** @param {string} fn the curve to thicken, "" for none */
    highlight(fn) {
      if (fn === highlighted) return;
      highlighted = fn;
      apply();
    },

    /** @param {import("./theme.js").Theme} nextTheme */
    setTheme(nextTheme) {
      theme = nextTheme;
      if (chart.currentDevicePixelRatio !== pixelRatio()) this.resize(chart.width, chart.height);
      apply();
    },

    /**
     * @param {number} width CSS pixels
     * @param {number} height
     */
    resize(width, height) {
      chart.options.devicePixelRatio = pixelRatio();
      chart.resize(width, height);
    },

    destroy() {
      chart.destroy();
    },
  };
}
