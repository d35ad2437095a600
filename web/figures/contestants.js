/** Who is timed by `speed`: the forms of GELU as kernels of both tiers and as plain JavaScript, and how far each is off. */
import { finish } from "../components/figure.js";
import { fixed } from "../components/numbers.js";

/** @typedef {import("../kernels.js").Gelu} Gelu */
/** @typedef {(xs: Float32Array, ys: Float32Array) => void} Loop */
/** @typedef {"rounded" | "fast" | "plain"} Tier */
/** @typedef {{ id: string, form: string, tier: Tier }} Entry id: form.tier */

/**
 * @typedef {{
 *   n: number, rounds: number, done: number, turn: number, step: number, backend: import("../kernels.js").Gelu["backend"],
 *   timings: Map<string, Timing>,
 * }} Result backend: of the kernels that were timed; timings: nanoseconds an element, by entry
 */
/** @typedef {import("../components/measure.js").Timing} Timing */

/** From the cheapest formula to the exact one. */
export const FORMS = ["relu", "gelu_sigmoid", "gelu_tanh", "gelu"];
export const EXACT = "gelu";
/** @type {readonly Tier[]} */
export const TIERS = ["rounded", "fast", "plain"];
export const TIER_LABELS = /** @type {const} */ ({ rounded: "roundedTier", fast: "fastTier", plain: "plainJavaScript" });

const SCALE = Math.sqrt(2 / Math.PI);

/**
 * JavaScript as a page writes it, float32 in and out. Loops of their own, so that engines compile each for itself.
 * @type {Record<string, Loop>}
 */
export const PLAIN = {
  relu(xs, ys) {
    for (let i = 0; i < xs.length; i++) ys[i] = Math.max(0, xs[i]);
  },
  gelu_sigmoid(xs, ys) {
    for (let i = 0; i < xs.length; i++) ys[i] = xs[i] / (1 + Math.exp(-1.702 * xs[i]));
  },
  gelu_tanh(xs, ys) {
    for (let i = 0; i < xs.length; i++) {
      const x = xs[i];
      ys[i] = 0.5 * x * (1 + Math.tanh(SCALE * (x + 0.044715 * x * x * x)));
    }
  },
  // Math has no erf. Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 7.1.26: erf within 1.5·10⁻⁷.
  gelu(xs, ys) {
    for (let i = 0; i < xs.length; i++) {
      const x = xs[i];
      const z = Math.abs(x) * Math.SQRT1_2;
      const t = 1 / (1 + 0.3275911 * z);
      const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
      const erfc = polynomial * Math.exp(-z * z);
      ys[i] = 0.5 * x * (x < 0 ? erfc : 2 - erfc);
    }
  },
};

/** @type {readonly Entry[]} ReLU is exact in either tier, and has one kernel. */
export const ENTRIES = FORMS.flatMap((form) =>
  TIERS.filter((tier) => form !== "relu" || tier !== "fast").map((tier) => ({ id: `${form}.${tier}`, form, tier })),
);

export const accuracyOf = (/** @type {Tier} */ tier) => (tier === "fast" ? "fast" : "default");

/** Where errors are looked for, and how finely. */
const REACH = 8;
const PER_UNIT = 512;

/**
 * The largest distance from GELU of what is timed, on [−8, 8], by entry.
 * @param {Gelu} gelu
 * @returns {Generator<void, Map<string, number>, void>} an entry a step
 */
export function* errorsInSteps(gelu) {
  const xs = Float32Array.from({ length: 2 * REACH * PER_UNIT + 1 }, (_, i) => i / PER_UNIT - REACH);
  const exact = gelu.evaluate(EXACT, Float64Array.from(xs));
  const ys = new Float32Array(xs.length);
  const errors = new Map();
  for (const { id, form, tier } of ENTRIES) {
    if (tier === "plain") PLAIN[form](xs, ys);
    else gelu.evaluate(form, xs, { accuracy: accuracyOf(tier), out: ys });
    errors.set(
      id,
      ys.reduce((most, y, i) => Math.max(most, Math.abs(y - exact[i])), 0),
    );
    yield;
  }
  return errors;
}

export const errorsOf = (/** @type {Gelu} */ gelu) => finish(errorsInSteps(gelu));

/**
 * The largest distance of a form itself from GELU, whatever computes it.
 * @param {Gelu} gelu
 * @param {string} form
 */
export const formError = (gelu, form) => gelu.maxError(form, EXACT, { from: -REACH, to: REACH }).error;

export const medianOf = (/** @type {Map<string, Timing>} */ timings, /** @type {string} */ id) =>
  timings.get(id)?.median ?? Number.NaN;

/**
 * How many times as long a form takes as the exact one of its tier.
 * @param {Result} result
 * @param {string} form
 * @param {Tier} tier ReLU has no kernel in the fast tier: NaN
 */
export const ratioToExact = ({ timings }, form, tier) =>
  medianOf(timings, `${form}.${tier}`) / medianOf(timings, `${EXACT}.${tier}`);

/** Three digits: more of a measured time say nothing. */
export const nanoseconds = (/** @type {number} */ value) => fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0);
