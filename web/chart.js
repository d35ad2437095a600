/** The only file that touches Chart.js: it draws a scene's curves; axes, marks and names are painted around them. */
import { Chart, LinearScale, LineController, LineElement, PointElement } from "chart.js";
import { createCanvasPainter } from "./canvas.js";
import { frameOf, paintAbove, paintBelow, paintCursor } from "./scene.js";

Chart.register(LinearScale, LineController, LineElement, PointElement);

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

  const hidden = { display: false };
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

  /** @param {import("./scene.js").Curve} curve */
  function dataset(curve) {
    const line = theme.functions[curve.fn];
    const fade = highlighted !== "" && highlighted !== curve.fn && (scene?.curves.length ?? 0) >= 4;
    return {
      data: Array.from(curve.x, (x, i) => ({ x, y: curve.y[i] })),
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
    const { x, y, margins, curves } = scene;
    // Curves are drawn in reverse so that the first named, GELU, lies on top.
    chart.data.datasets = curves.map(dataset);
    chart.data.datasets.forEach((item, i) => {
      item.order = i;
    });
    const scales = /** @type {any} */ (chart.options.scales);
    Object.assign(scales.x, { min: x.min, max: x.max });
    Object.assign(scales.y, { min: y.min, max: y.max });
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
