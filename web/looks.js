/** How the strokes and texts of a scene look, for canvas and exported SVG: tokens by style. */

/**
 * Strokes by style: token of the colour, width, dash.
 * @type {Record<string, [string, number, number[]?]>}
 */
export const STROKES = {
  grid: ["--grid", 1],
  zero: ["--zero", 1.25],
  asym: ["--asymptote", 1, [1, 3]],
  axis: ["--ink", 1],
  tk: ["--ink", 1],
  cursor: ["--ink", 1],
  hint: ["--ink-3", 1.5],
  leader: ["--rule-strong", 1],
  other: ["--rule-strong", 1],
  "claim-line": ["--ink-2", 1.25, [4, 3]],
  "claim-end": ["--ink-2", 1.25],
  level: ["--ink", 1.5],
  walk: ["--ink", 1.75],
  track: ["--rule-strong", 1],
  "track dashed": ["--rule-strong", 1, [3, 3]],
};

/**
 * Areas by style: the token of the tint of the function's colour, or nothing for the colour itself.
 * @type {Record<string, string>}
 */
export const TINTS = { gap: "--gap", area: "--area", band: "--band", sunk: "--uncomputed", fillbar: "", "bar-ink": "" };

/**
 * Texts by style: token of the colour, weight, size, and whether a halo of paper sets them off.
 * @type {Record<string, { color: string, weight: number, size: "tick" | "small" | "big", halo: boolean }>}
 */
export const TEXTS = {
  tick: { color: "--ink-3", weight: 400, size: "tick", halo: false },
  val: { color: "--ink", weight: 400, size: "small", halo: true },
  flag: { color: "--ink", weight: 400, size: "small", halo: true },
  formula: { color: "--ink-2", weight: 400, size: "small", halo: true },
  big: { color: "--ink", weight: 400, size: "big", halo: true },
  "lbl-fn": { color: "--ink", weight: 600, size: "small", halo: true },
};
