/** What a plot shows, as data, and how it is drawn with any painter: canvas (chart.js) and SVG (svg.js) share all of it. */

/**
 * @typedef {{ min: number, max: number, ticks: { value: number, text: string }[], label?: string, labelsAtZero?: boolean }} Axis
 * @typedef {{ fn: string, x: Float64Array, y: Float64Array, name: string, formula?: string }} Curve y NaN is a gap
 * @typedef {{ fn: string, x: number, y: number, text?: string, place?: "above" | "below" | "left" | "right", solid?: boolean }} Mark
 * @typedef {{ axis: "x" | "y", value: number, style: "zero" | "asym", text?: string }} Line
 * @typedef {{ y: number, from: number, to: number, text: string[] }} ClaimedBound text: lines
 * @typedef {{ x: number, flag: string, points: { fn: string, y: number, plot?: number }[], hint: boolean, reach?: number }} Cursor
 *   plot: which of several, counted from the top, the last if nothing else; reach: of the line above the plot
 * @typedef {{
 *   x: Axis, y: Axis, curves: Curve[], marks: Mark[], lines: Line[], claims: ClaimedBound[],
 *   gap?: { fn: string, upper: string, lower: string }, labels: "inside" | "gutter", margins: Margins,
 *   own?: (painter: Painter, frame: Frame, cursor: Cursor | null) => void, names?: (painter: Painter, frame: Frame) => void,
 *   above?: Scene[],
 * }} Scene own: what only this figure has, below the curves; names: of the curves, where the figure knows a better place;
 *   above: plots over the same x, each in the place that its margins leave
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Margins
 * @typedef {{ left: number, right: number, top: number, bottom: number, x(value: number): number, y(value: number): number }} Frame
 *
 * @typedef {{
 *   line(points: number[][], style: string, fn?: string): void,
 *   area(points: number[][], style: string, fn: string): void,
 *   circle(x: number, y: number, radius: number, style: string, fn: string): void,
 *   text(x: number, y: number, text: string, style: string, anchor: "start" | "middle" | "end", fn?: string): void,
 *   width(text: string, style: string): number,
 * }} Painter "*x*" in a text is a variable; y is the baseline
 */

const LABEL_HEIGHT = 20;

/** Letters as the math font has them for variables. */
export const ITALIC = /** @type {Record<string, string>} */ ({ x: "𝑥", e: "𝑒", k: "𝑘", t: "𝑡" });

export const italic = (/** @type {string} */ variable) => [...variable].map((letter) => ITALIC[letter] ?? letter).join("");

/**
 * Round steps of 1, 2 or 5 times a power of ten.
 * @param {number} span
 * @param {number} count about how many
 */
export function niceStep(span, count) {
  const rough = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return power * (lead <= 1.5 ? 1 : lead <= 3.5 ? 2 : lead <= 7.5 ? 5 : 10);
}

/**
 * Multiples of a round step inside [min, max].
 * @param {number} min
 * @param {number} max
 * @param {number} count
 * @returns {{ step: number, values: number[] }}
 */
export function niceTicks(min, max, count) {
  const step = niceStep(max - min, count);
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  // Not a number of ticks where the ends are not finite, or so close that whole steps cannot be told apart.
  if (!(last - first < 1000) || !Number.isSafeInteger(first)) return { step, values: [] };
  return { step, values: Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step + 0) };
}

/**
 * Pixels of a scene in a plot of this size.
 * @param {Scene} scene
 * @param {number} width
 * @param {number} height
 * @returns {Frame}
 */
export function frameOf(scene, width, height) {
  const { margins, x, y } = scene;
  const frame = { left: margins.left, right: width - margins.right, top: margins.top, bottom: height - margins.bottom };
  return {
    ...frame,
    x: (value) => frame.left + ((value - x.min) / (x.max - x.min)) * (frame.right - frame.left),
    y: (value) => frame.bottom - ((value - y.min) / (y.max - y.min)) * (frame.bottom - frame.top),
  };
}

/**
 * The plots of a scene from the top, each with its frame and with what of the cursor is in it.
 * @param {Scene} scene
 * @param {Cursor | null} cursor
 * @param {number} width
 * @param {number} height
 */
export function plotsOf(scene, cursor, width, height) {
  const plots = [...(scene.above ?? []), scene];
  const last = plots.length - 1;
  return plots.map((plot, i) => ({
    scene: plot,
    frame: frameOf(plot, width, height),
    cursor: cursor && {
      ...cursor,
      flag: i === 0 ? cursor.flag : "",
      hint: i === last && cursor.hint,
      reach: i === 0 ? 20 : 0,
      points: cursor.points.filter((point) => (point.plot ?? last) === i),
    },
  }));
}

/**
 * All that lies below the curves: grid, zero lines, asymptotes, areas, axes.
 * @param {Painter} painter
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {Cursor | null} cursor
 */
export function paintBelow(painter, scene, frame, cursor) {
  for (const { value } of scene.y.ticks) {
    painter.line(horizontal(frame.left, frame.right, frame.y(value)), "grid");
  }
  for (const line of scene.lines) paintLine(painter, line, frame);
  if (scene.gap !== undefined) paintGap(painter, scene, frame, scene.gap);
  for (const claim of scene.claims) paintClaim(painter, claim, frame, scene.labels === "gutter");
  scene.own?.(painter, frame, cursor);
  paintAxes(painter, scene, frame);
}

/**
 * @param {Painter} painter
 * @param {Line} line
 * @param {Frame} frame
 */
function paintLine(painter, { axis, value, style, text }, frame) {
  const at = axis === "x" ? frame.x(value) : frame.y(value);
  if (axis === "x" ? at < frame.left || at > frame.right : at < frame.top || at > frame.bottom) return;
  painter.line(axis === "x" ? vertical(at, frame.top, frame.bottom) : horizontal(frame.left, frame.right, at), style);
  if (text !== undefined) painter.text(frame.left, at - 7, text, "tick", "start");
}

/**
 * The tint between two curves that have the same x.
 * @param {Painter} painter
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {{ fn: string, upper: string, lower: string }} gap
 */
function paintGap(painter, scene, frame, gap) {
  const upper = scene.curves.find((curve) => curve.fn === gap.upper);
  const lower = scene.curves.find((curve) => curve.fn === gap.lower);
  if (upper === undefined || lower === undefined) return;
  const along = (/** @type {Curve} */ curve) => Array.from(curve.x, (x, i) => [frame.x(x), clampTo(frame, frame.y(curve.y[i]))]);
  painter.area([...along(upper), ...along(lower).reverse()], "gap", gap.fn);
}

/**
 * @param {Frame} frame
 * @param {number} y
 */
const clampTo = (frame, y) => Math.min(frame.bottom, Math.max(frame.top, y));

/**
 * A bound that somebody claims, dashed over the interval it is claimed for, named in the gutter where there is one.
 * @param {Painter} painter
 * @param {ClaimedBound} claim
 * @param {Frame} frame
 * @param {boolean} gutter
 */
function paintClaim(painter, claim, frame, gutter) {
  const y = frame.y(claim.y);
  const from = Math.max(frame.left, frame.x(claim.from));
  const to = Math.min(frame.right, frame.x(claim.to));
  if (from >= to || y < frame.top || y > frame.bottom) return;
  painter.line(horizontal(from, to, y), "claim-line");
  // Ticks where the claim ends, not where the view does.
  for (const end of [frame.x(claim.from), frame.x(claim.to)]) {
    if (end >= frame.left && end <= frame.right) painter.line(vertical(end, y - 4, y + 4), "claim-end");
  }
  // On a narrow plot the words would lie on the curves; the note below has them.
  if (!gutter) return;
  painter.line(horizontal(to, frame.right + 8, y), "asym");
  claim.text.forEach((line, i) => {
    painter.text(frame.right + 12, y + 4.5 + 18 * (i - (claim.text.length - 1) / 2), line, "tick", "start");
  });
}

const horizontal = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ y) => [
  [from, y],
  [to, y],
];
const vertical = (/** @type {number} */ x, /** @type {number} */ from, /** @type {number} */ to) => [
  [x, from],
  [x, to],
];

/**
 * @param {Painter} painter
 * @param {Scene} scene
 * @param {Frame} frame
 */
function paintAxes(painter, scene, frame) {
  const { x, y } = scene;
  painter.line(horizontal(frame.left, frame.right, frame.bottom), "axis");
  for (const { value, text } of x.ticks) {
    const at = frame.x(value);
    painter.line(vertical(at, frame.bottom, frame.bottom + 5), "tk");
    const half = painter.width(text, "tick") / 2;
    const cut = at - half < 0 || (x.label !== undefined && frame.right - at < 22 + half);
    if (!cut) painter.text(at, frame.bottom + 27, text, "tick", "middle");
  }
  if (x.label !== undefined) painter.text(frame.right, frame.bottom + 27, x.label, "tick", "end");
  const zero = frame.x(0);
  const inside = y.labelsAtZero === true;
  for (const { value, text } of y.ticks) {
    if (inside && value === 0) continue;
    const at = inside && zero > frame.left + 24 && zero < frame.right ? zero - 8 : inside ? frame.left + 24 : frame.left - 10;
    painter.text(at, frame.y(value) + (inside ? -6 : 4.5), text, "tick", "end");
  }
}

/**
 * All that lies above the curves: the cursor with its points, marks, names of the curves.
 * @param {Painter} painter
 * @param {Scene} scene
 * @param {Frame} frame
 * @param {Cursor | null} cursor
 */
export function paintAbove(painter, scene, frame, cursor) {
  for (const mark of scene.marks) paintMark(painter, mark, frame);
  if (scene.names) scene.names(painter, frame);
  else if (scene.labels === "gutter") paintGutterLabels(painter, scene, frame);
  else paintInsideLabels(painter, scene, frame);
  if (cursor !== null) paintPoints(painter, cursor, frame);
}

/**
 * @param {number} at pixel
 * @param {Frame} frame
 */
const isOutside = (at, frame) => at < frame.left - 0.5 || at > frame.right + 0.5;

/**
 * The cursor's line, below the curves so that they stay whole.
 * @param {Painter} painter
 * @param {Cursor} cursor
 * @param {Frame} frame
 */
export function paintCursor(painter, cursor, frame) {
  const at = frame.x(cursor.x);
  if (isOutside(at, frame)) return;
  painter.line(vertical(at, frame.top - (cursor.reach ?? 0), frame.bottom), "cursor");
  if (cursor.hint) {
    for (const side of [-1, 1]) {
      painter.line(
        [
          [at + side * 17, frame.bottom - 5],
          [at + side * 22, frame.bottom],
          [at + side * 17, frame.bottom + 5],
        ],
        "hint",
      );
    }
  }
}

/** More would be a target. */
const MOST_RINGS = 3;

/**
 * @param {Painter} painter
 * @param {Cursor} cursor
 * @param {Frame} frame
 */
function paintPoints(painter, cursor, frame) {
  const at = frame.x(cursor.x);
  if (isOutside(at, frame)) {
    // x is elsewhere: an arrow says where.
    const onLeft = at < frame.left;
    const flag = onLeft ? `← ${cursor.flag}` : `${cursor.flag} →`;
    if (cursor.flag !== "")
      painter.text(onLeft ? frame.left : frame.right, frame.top - 9, flag, "flag", onLeft ? "start" : "end");
    return;
  }
  /** @type {[number, number, string][]} */
  const painted = [];
  const points = cursor.points.map(({ fn, y }) => ({ fn, pixel: frame.y(y) }));
  // The first named lies on top, like its curve; what it would hide shows as a ring around it.
  points.forEach(({ fn, pixel }, i) => {
    // Of a point that is nowhere the pixel is NaN.
    if (!(pixel >= frame.top - 1 && pixel <= frame.bottom + 1)) return;
    const hiding = points.slice(0, i).filter((other) => Math.abs(other.pixel - pixel) < 3).length;
    painted.unshift([pixel, 5 + 3 * Math.min(hiding, MOST_RINGS), fn]);
  });
  for (const [pixel, radius, fn] of painted) painter.circle(at, pixel, radius, "pt", fn);
  if (cursor.flag === "") return;
  const wide = painter.width(cursor.flag, "flag");
  const fits = at + 8 + wide <= frame.right;
  painter.text(at + (fits ? 8 : -8), frame.top - 9, cursor.flag, "flag", fits ? "start" : "end");
}

/**
 * @param {Painter} painter
 * @param {Mark} mark
 * @param {Frame} frame
 */
function paintMark(painter, mark, frame) {
  const x = frame.x(mark.x);
  const y = frame.y(mark.y);
  if (x < frame.left - 1 || x > frame.right + 1 || y < frame.top - 1 || y > frame.bottom + 1) return;
  painter.circle(x, y, 4, mark.solid ? "dot" : "mark", mark.fn);
  const words = markWords(painter, mark, frame);
  if (words === null) return;
  if (words.leader !== undefined) painter.line(words.leader, "leader");
  painter.text(words.x, words.y, mark.text ?? "", "val", words.anchor);
}

/**
 * Where the words of a mark stand, and the line that leads to them; null: nowhere.
 * @param {Painter} painter
 * @param {Mark} mark
 * @param {Frame} frame
 * @returns {{ x: number, y: number, anchor: "start" | "middle" | "end", wide: number, leader?: number[][] } | null}
 */
export function markWords(painter, { text, place, ...mark }, frame) {
  if (text === undefined) return null;
  const x = frame.x(mark.x);
  const y = frame.y(mark.y);
  const wide = painter.width(text, "val");
  if (place === "left") return { x: x - 10, y: y + 4.5, anchor: "end", wide };
  if (place === "right") return { x: x + 10, y: y + 4.5, anchor: "start", wide };
  if (place !== "below") {
    const centre = Math.min(frame.right - wide / 2, Math.max(frame.left + wide / 2, x));
    return { x: centre, y: Math.max(frame.top + 12, y - 12), anchor: "middle", wide };
  }
  // Pressed against the axis, or under the knob, the words would say less than the circle.
  if (y + 22 > frame.bottom) return null;
  const sign = x + 16 + wide <= frame.right ? 1 : -1;
  const end = x + 9 * sign;
  const low = Math.min(y + 28, frame.bottom - 14);
  const leader = [
    [x, y + 6],
    [x, low],
    [end, low],
  ];
  return { x: end + 5 * sign, y: low + 4.5, anchor: sign > 0 ? "start" : "end", wide, leader };
}

/**
 * Where a curve leaves the plot on its right: its last visible point, in pixels, and its value at the right end.
 * @param {Curve} curve
 * @param {Frame} frame
 */
function lastVisible(curve, frame) {
  for (let i = curve.x.length - 1; i >= 0; i--) {
    const y = frame.y(curve.y[i]);
    if (y >= frame.top - 1 && y <= frame.bottom + 1) return { x: frame.x(curve.x[i]), y: clampTo(frame, y), index: i };
  }
  return null;
}

/**
 * Positions at least `gap` apart, as near to the wanted ones as their order allows, inside [low, high].
 * @param {number[]} wanted sorted
 * @param {number} gap
 * @param {number} low
 * @param {number} high
 */
export function spread(wanted, gap, low, high) {
  const step = Math.min(gap, wanted.length > 1 ? (high - low) / (wanted.length - 1) : gap);
  const placed = [];
  for (let i = 0; i < wanted.length; i++) placed.push(Math.max(wanted[i], i === 0 ? low : placed[i - 1] + step));
  for (let i = placed.length - 1; i >= 0; i--)
    placed[i] = Math.min(placed[i], i === placed.length - 1 ? high : placed[i + 1] - step);
  return placed;
}

/**
 * Names in the right gutter, spread with leaders, in the order of the values.
 * @param {Painter} painter
 * @param {Scene} scene
 * @param {Frame} frame
 */
function paintGutterLabels(painter, scene, frame) {
  const ends = scene.curves
    .filter((curve) => curve.name !== "")
    .map((curve) => ({ curve, end: lastVisible(curve, frame) }))
    .filter((item) => item.end !== null)
    .map(({ curve, end }) => ({ curve, end: /** @type {{ x: number, y: number, index: number }} */ (end) }));
  ends.sort((a, b) => a.end.y - b.end.y || (b.curve.y.at(-1) ?? 0) - (a.curve.y.at(-1) ?? 0) || b.end.x - a.end.x);
  const places = spread(
    ends.map(({ end }) => end.y),
    LABEL_HEIGHT,
    frame.top + 4,
    frame.bottom - 2,
  );
  ends.forEach(({ curve, end }, i) => {
    if (Math.abs(places[i] - end.y) > 3 || end.x < frame.right - 2) {
      painter.line(
        [
          [end.x + 2, end.y],
          [frame.right + 3, end.y],
          [frame.right + 9, places[i]],
          [frame.right + 12, places[i]],
        ],
        "leader",
      );
    }
    painter.text(frame.right + 14, places[i] + 5, curve.name, "lbl-fn", "start", curve.fn);
  });
}

/**
 * Names inside the plot: at the end of a curve, or, where it leaves by the top, beside it, so that curves which merge
 * have theirs on either side.
 * @param {Painter} painter
 * @param {Scene} scene
 * @param {Frame} frame
 */
function paintInsideLabels(painter, scene, frame) {
  const height = frame.bottom - frame.top;
  const rising = [];
  const ending = [];
  for (const curve of scene.curves) {
    const end = lastVisible(curve, frame);
    if (end === null || curve.name === "") continue;
    const isCut = end.index < curve.x.length - 1 && end.y <= frame.top + 24;
    if (isCut || isSteep(curve, end.index, frame)) rising.push({ curve, end });
    else ending.push({ curve, end });
  }
  const level = Math.max(frame.top + height * 0.28, ...rising.map(({ end }) => end.y + 26));
  paintBesideLabels(
    painter,
    rising.map(({ curve }) => curve),
    frame,
    level,
  );
  ending.sort((a, b) => a.end.y - b.end.y);
  const places = spread(
    ending.map(({ end }) => end.y + (end.y < frame.bottom - 60 ? 22 : -28)),
    scene.curves.some((curve) => curve.formula) ? 40 : LABEL_HEIGHT,
    frame.top + 14,
    frame.bottom - 24,
  );
  ending.forEach(({ curve }, i) => {
    paintName(painter, curve, frame.right, places[i], "end");
  });
}

/**
 * Rises so fast at its end that a name above or below it would lie on it.
 * @param {Curve} curve
 * @param {number} end
 * @param {Frame} frame
 */
function isSteep(curve, end, frame) {
  const before = Math.max(0, end - 8);
  return frame.y(curve.y[before]) - frame.y(curve.y[end]) > 0.5 * (frame.x(curve.x[end]) - frame.x(curve.x[before]));
}

/**
 * @param {Painter} painter
 * @param {Curve[]} curves that leave by the top
 * @param {Frame} frame
 * @param {number} level pixel height at which the first names stand
 */
function paintBesideLabels(painter, curves, frame, level) {
  const crossing = (/** @type {Curve} */ curve, /** @type {number} */ y) => {
    for (let i = curve.x.length - 1; i > 0; i--) {
      if (frame.y(curve.y[i]) <= y && frame.y(curve.y[i - 1]) > y) return frame.x(curve.x[i]);
    }
    return frame.x(curve.x[curve.x.length - 1]);
  };
  const ordered = [...curves].sort((a, b) => crossing(a, level) - crossing(b, level));
  const left = Math.ceil(ordered.length / 2);
  ordered.forEach((curve, i) => {
    const onLeft = i < left;
    const y = level + (onLeft ? i : i - left) * (curve.formula ? 44 : LABEL_HEIGHT) + (onLeft ? 0 : 6);
    // Of a rising curve the left side is nearest at the lowest line of the name, the right side at its top.
    if (onLeft) {
      paintName(painter, curve, crossing(curve, y + (curve.formula ? 24 : 4)) - 10, y, "end");
      return;
    }
    const wide = painter.width(curve.name, "lbl-fn");
    let low = y;
    while (crossing(curve, low - 14) + 12 + wide > frame.right && low < frame.bottom - 60) low += 8;
    // Where it fits nowhere, rather near to the curve than cut.
    paintName(painter, curve, Math.min(crossing(curve, low - 14) + 12, frame.right - wide), low, "start");
  });
}

/**
 * @param {Painter} painter
 * @param {Curve} curve
 * @param {number} x
 * @param {number} y
 * @param {"start" | "end"} anchor
 */
function paintName(painter, curve, x, y, anchor) {
  painter.text(x, y, curve.name, "lbl-fn", anchor, curve.fn);
  if (curve.formula !== undefined) painter.text(x, y + 21, curve.formula, "formula", anchor);
}
