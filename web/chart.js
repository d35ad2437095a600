/** The only file that touches Chart.js: it draws a scene's curves; axes, marks and names are painted around them. */
import { Chart, LinearScale, LineController, LineElement, PointElement } from "chart.js";
import { createCanvasPainter } from "./canvas.js";
import { frameOf, paintAbove, paintBelow, paintCursor } from "./scene.js";

Chart.register(LinearScale, LineController, LineElement, PointElement);

/** Widths and heights of the plot that a line may go beyond it: a dashed line far longer keeps a browser busy for ever. */
const FARTHEST = 20;

/**
 * A value as a share of an axis. Chart.js gets these alone: it never ends where an axis spans subnormal numbers.
 * @param {number} value
 * @param {import("./scene.js").Axis} axis
 */
function share(value, { min, max }) {
  return Math.max(-FARTHEST, Math.min(FARTHEST, (value - min) / (max - min)));
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {import("./theme.js").Theme} firstTheme
 */
export function createChart(canvas, firstTheme) {
  let theme = firstTheme;
  /** @type {import("./scene.js").Scene | null} */
  let scene = null;
  /** @type {import("./scene.js").Cursor | null} */
  let cursor = null;
  let highlighted = "";

  const size = () => ({ width: chart.width, height: chart.height });
  const decorations = {
    id: "decorations",
    beforeDatasetsDraw(/** @type {Chart} */ { ctx }) {
      if (scene === null) return;
      const painter = createCanvasPainter(ctx, theme);
      const frame = frameOf(scene, chart.width, chart.height);
      paintBelow(painter, scene, frame, cursor);
      if (cursor !== null) paintCursor(painter, cursor, frame);
    },
    afterDatasetsDraw(/** @type {Chart} */ { ctx }) {
      if (scene === null) return;
      paintAbove(createCanvasPainter(ctx, theme), scene, frameOf(scene, chart.width, chart.height), cursor);
    },
  };

  const hidden = { display: false, min: 0, max: 1 };
  const chart = new Chart(canvas, {
    type: "line",
    data: { datasets: [] },
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      responsive: false,
      maintainAspectRatio: false,
      events: [],
      elements: { line: { tension: 0 }, point: { radius: 0 } },
      scales: { x: { type: "linear", ...hidden }, y: { type: "linear", ...hidden } },
    },
    plugins: [decorations],
  });

  /**
   * @param {import("./scene.js").Curve} curve
   * @param {Pick<import("./scene.js").Scene, "x" | "y">} axes
   */
  function dataset(curve, axes) {
    const line = theme.functions[curve.fn];
    const fade = highlighted !== "" && highlighted !== curve.fn && (scene?.curves.length ?? 0) >= 4;
    return {
      data: Array.from(curve.x, (x, i) => ({ x: share(x, axes.x), y: share(curve.y[i], axes.y) })),
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
    const { margins, curves } = scene;
    const axes = { x: scene.x, y: scene.y };
    // Curves are drawn in reverse so that the first named, GELU, lies on top.
    chart.data.datasets = curves.map((curve) => dataset(curve, axes));
    chart.data.datasets.forEach((item, i) => {
      item.order = i;
    });
    chart.options.layout = { padding: margins, autoPadding: false };
    chart.update("none");
  }

  return {
    size,

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
      apply();
    },

    /**
     * @param {number} width CSS pixels
     * @param {number} height
     */
    resize(width, height) {
      chart.options.devicePixelRatio = window.devicePixelRatio || 1;
      chart.resize(width, height);
    },

    destroy() {
      chart.destroy();
    },
  };
}
