/** Numbers and names of the feed-forward laboratory as it writes them. */
import { fixed, scientific } from "../../components/numbers.js";

/** A number in a matrix: what is written as 0 is exactly 0, and nothing else is. */
export function cellText(/** @type {number} */ value, decimals = 3) {
  if (value === 0) return "0";
  return Math.abs(value) < 0.5 * 10 ** -decimals ? scientific(value, 1) : fixed(value, decimals);
}

/** A factor in a product. */
export const factor = (/** @type {number} */ value) => (value < 0 ? `(${cellText(value, 4)})` : cellText(value, 4));

/** 4,722,432; a thin space in Chinese. */
export function grouped(/** @type {number} */ value, /** @type {"zh" | "en"} */ language) {
  return String(value).replace(/\B(?=(\d{3})+$)/g, language === "zh" ? "\u202f" : ",");
}

/** What a matrix is called, and what it is the result of. */
export const NAMES = /** @type {const} */ ({
  x: "*x*",
  w1: "*W*₁",
  z: "*z* = *xW*₁ + *b*₁",
  a: "*a* = act(*z*)",
  w2: "*W*₂",
  y: "*y* = *aW*₂ + *b*₂",
  dy: "*dy*",
  da: "*da* = *dy* *W*₂ᵀ",
  dz: "*dz* = *da* ⊙ act′(*z*)",
  dx: "*dx* = *dz* *W*₁ᵀ",
  dw1: "*dW*₁ = *x*ᵀ*dz*",
  dw2: "*dW*₂ = *a*ᵀ*dy*",
});

/** The name alone. */
export const shortName = (/** @type {keyof typeof NAMES} */ name) => NAMES[name].split(" =")[0];
