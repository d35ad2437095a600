/** The only file that touches Chart.js. */
import { Chart, LinearScale, LineController, LineElement, PointElement } from "chart.js";

Chart.register(LinearScale, LineController, LineElement, PointElement);

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{ xs: Float64Array, ys: Float64Array, color: string }[]} series
 */
export function drawLines(canvas, series) {
  return new Chart(canvas, {
    type: "line",
    data: {
      datasets: series.map(({ xs, ys, color }) => ({
        data: Array.from(xs, (x, i) => ({ x, y: ys[i] })),
        borderColor: color,
        borderWidth: 2.25,
        pointRadius: 0,
      })),
    },
    options: {
      animation: false,
      parsing: false,
      maintainAspectRatio: false,
      scales: { x: { type: "linear" }, y: { type: "linear" } },
    },
  });
}
