/** A painter for a 2D canvas, in the look of the style sheet's SVG classes. */
import { STROKES, TEXTS, TINTS } from "./looks.js";
import { italic } from "./scene.js";

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./theme.js").Theme} theme
 * @returns {import("./scene.js").Painter}
 */
export function createCanvasPainter(context, theme) {
  /** @param {string} style */
  function font(style, variable = false) {
    const { weight, size } = TEXTS[style];
    const pixels = theme[size];
    return variable ? `400 ${pixels * 1.15}px ${theme.math}` : `${weight} ${pixels}px ${theme.ui}`;
  }

  /** @param {string} text @param {string} style */
  function segments(text, style) {
    return text.split("*").map((part, i) => {
      const variable = i % 2 === 1;
      const string = variable ? italic(part) : part;
      context.font = font(style, variable);
      return { string, font: context.font, width: context.measureText(string).width };
    });
  }

  /** @param {number[][]} points */
  function trace(points) {
    context.beginPath();
    points.forEach(([x, y], i) => {
      if (i === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    });
  }

  /** Hairlines on whole device pixels stay sharp. */
  const crisp = (/** @type {number} */ value) => Math.round(value - 0.5) + 0.5;

  return {
    line(points, style, fn) {
      const [color, width, dash = []] = STROKES[style];
      context.save();
      context.strokeStyle = fn === undefined ? theme.token(color) : theme.functions[fn].color;
      context.lineWidth = width;
      context.setLineDash(dash);
      const straight = points.length === 2 && (points[0][0] === points[1][0] || points[0][1] === points[1][1]);
      trace(straight && width < 1.5 ? points.map(([x, y]) => [crisp(x), crisp(y)]) : points);
      context.stroke();
      context.restore();
    },

    area(points, style, fn) {
      const { color } = theme.functions[fn];
      context.save();
      context.fillStyle = TINTS[style] === "" ? color : theme.tint(color, TINTS[style]);
      trace(points);
      context.fill();
      context.restore();
    },

    circle(x, y, radius, style, fn) {
      const color = theme.functions[fn].color;
      const hollow = style === "mark" || style === "p-out";
      context.save();
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.fillStyle = hollow ? theme.token("--paper") : color;
      context.strokeStyle = style === "pt" ? theme.token("--paper") : style === "p-out" ? theme.token("--rule-strong") : color;
      context.lineWidth = style === "pt" ? 2 : style === "p-out" ? 1 : 1.75;
      if (style === "p-in") {
        context.fill();
      } else if (style === "pt") {
        context.stroke();
        context.fill();
      } else {
        context.fill();
        context.stroke();
      }
      context.restore();
    },

    text(x, y, text, style, anchor, fn) {
      const { color, halo } = TEXTS[style];
      const parts = segments(text, style);
      const width = parts.reduce((sum, part) => sum + part.width, 0);
      let at = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
      context.save();
      context.textBaseline = "alphabetic";
      context.textAlign = "left";
      context.lineJoin = "round";
      context.lineWidth = 4;
      context.strokeStyle = theme.token("--paper");
      context.fillStyle = fn === undefined ? theme.token(color) : theme.functions[fn].color;
      for (const part of parts) {
        context.font = part.font;
        if (halo) context.strokeText(part.string, at, y);
        context.fillText(part.string, at, y);
        at += part.width;
      }
      context.restore();
    },

    width(text, style) {
      return segments(text, style).reduce((sum, part) => sum + part.width, 0);
    },
  };
}
