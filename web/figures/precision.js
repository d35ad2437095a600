/** Figure `precision`: a formula of GELU in few digits, every operation rounded: the relative error, and each step at x. */

import "../i18n/rounding.js";
import { mountFigure } from "../components/figure.js";
import { percent, readable, scientific } from "../components/numbers.js";
import { exponentOf } from "../components/ulp.js";
import { bilingualText } from "../i18n/labels.js";
import { asymptote, decadeAxis, fitted, layout, tablePoints, visibleRange, xAxis, zeroLine } from "./axes.js";
import { clearNames, clearPlace } from "./clear.js";
import { evenly } from "./sampling.js";

/**
 * @typedef {import("../components/figure.js").Context} Context
 * @typedef {import("../state.js").State} State
 * @typedef {import("../gelu.d.ts").Form} Form
 * @typedef {import("../gelu.d.ts").Format} Format
 */

/**
 * digits: of the significand, in bits; normal: exponent of the smallest normal number; written: decimal digits that tell
 * two numbers apart; decades: of the relative errors that are drawn.
 * @type {Record<Format, { digits: number, normal: number, written: number, largest: string, decades: [number, number] }>}
 */
const FORMATS = {
  float64: { digits: 53, normal: -1022, written: 12, largest: "1.80 × 10³⁰⁸", decades: [-17, 3] },
  float32: { digits: 24, normal: -126, written: 9, largest: "3.40 × 10³⁸", decades: [-9, 3] },
  float16: { digits: 11, normal: -14, written: 5, largest: "65504", decades: [-5, 3] },
  bfloat16: { digits: 8, normal: -126, written: 4, largest: "3.39 × 10³⁸", decades: [-4, 3] },
};

/**
 * Each form with its steps as gelu.emulateSteps has them, from the second on; sum: the step that adds 1 to a number near
 * −1; overflows: the first that can be too large.
 * @type {Record<Form, { fn: string, name: string, steps: string[], sum?: number, overflows?: number }>}
 */
const FORMS = {
  erf: {
    fn: "gelu",
    name: "½*x*(1 + erf)",
    steps: ["*z* = *x* / √2", "erf *z*", "1 + erf *z*", "½*x*", "½*x*(1 + erf *z*)"],
    sum: 3,
  },
  erfc: { fn: "gelu", name: "½*x* erfc", steps: ["*z* = −*x* / √2", "erfc *z*", "½*x*", "½*x* erfc *z*"] },
  tanh: {
    fn: "gelu_tanh",
    name: "",
    steps: [
      "*x*²",
      "*x*³",
      "0.044715*x*³",
      "*u* = *x* + 0.044715*x*³",
      "*v* = √(2/π) *u*",
      "tanh *v*",
      "1 + tanh *v*",
      "½*x*",
      "½*x*(1 + tanh *v*)",
    ],
    sum: 7,
    overflows: 2,
  },
  sigmoid: {
    fn: "gelu_sigmoid",
    name: "",
    steps: ["*z* = −1.702*x*", "exp *z*", "1 + exp *z*", "*σ* = 1 / (1 + exp *z*)", "*xσ*"],
    overflows: 2,
  },
};

const formOf = (/** @type {State} */ state) => /** @type {Form} */ (state["precision.form"]);
const formatOf = (/** @type {State} */ state) => /** @type {Format} */ (state["precision.format"]);

/** More digits last further to the left. */
const rangeOf = (/** @type {{ state: State }} */ { state }) => visibleRange(state, [formatOf(state) === "float64" ? -10 : -8, 3]);

/** What is drawn: one way to write the exact formula, and both approximations. */
const shownForms = (/** @type {State} */ state) =>
  /** @type {Form[]} */ ([formOf(state) === "erfc" ? "erfc" : "erf", "tanh", "sigmoid"]);

/**
 * The numbers of the format that are nearest to xs: what a formula can be asked for.
 * @param {import("../kernels.js").Gelu} gelu
 * @param {Float64Array} xs
 * @param {Format} format
 */
function inFormat(gelu, xs, format) {
  if (format === "float64") return xs;
  return format === "float32" ? xs.map(Math.fround) : gelu.round(xs, format);
}

/**
 * │emulated − GELU│ / │GELU│. At 0 there is none. Left of −38.6, where GELU is less than float64 can hold, 0 still misses
 * all of it, and what is not 0 is more often too large than can be said.
 * @param {Context} context
 * @param {Form} form
 * @param {Float64Array} xs
 */
function errorsOf({ gelu, state }, form, xs) {
  const format = formatOf(state);
  const given = inFormat(gelu, xs, format);
  const exact = gelu.evaluate("gelu", given);
  return gelu.emulate(form, xs, format).map((value, i) => {
    if (exact[i] !== 0) return Math.abs(value / exact[i] - 1);
    return value !== 0 ? Number.POSITIVE_INFINITY : given[i] === 0 ? 0 : 1;
  });
}

/** On the axis: an error of 0 runs off its bottom, an infinite one is a gap. */
function logarithm(/** @type {number} */ error) {
  if (error === 0) return NO_ERROR;
  return error === Number.POSITIVE_INFINITY ? Number.NaN : Math.log10(error);
}
const NO_ERROR = -20;

/** @param {Context} context @param {Form} form */
const nameOf = ({ nameOf: name }, form) => FORMS[form].name || name(FORMS[form].fn);

/**
 * @param {Context} context
 * @returns {import("../scene.js").Scene}
 */
function scene(context) {
  const { width, height, state, text } = context;
  const [from, to] = rangeOf(context);
  const { margins, labels } = layout(width);
  const xs = evenly(from, to, Math.max(2, Math.round((width - margins.left - margins.right) * context.density)));
  const curves = shownForms(state).map((form) => ({
    fn: FORMS[form].fn,
    x: xs,
    y: errorsOf(context, form, xs).map(logarithm),
    name: nameOf(context, form),
  }));
  const { own, taken } = landmarks(context, curves);
  return fitted({
    x: xAxis(from, to, width - margins.left - margins.right),
    y: decadeAxis(...FORMATS[formatOf(state)].decades, height - margins.top - margins.bottom),
    curves,
    lines: [zeroLine("x"), asymptote(0, text("hundredPercent"))],
    claims: [],
    marks: shownForms(state).flatMap((form) => zeroMark(context, form)),
    margins,
    labels,
    own,
    names: labels === "inside" ? clearNames(curves, taken) : undefined,
  });
}

// ---------- where something is lost ----------

/** Beyond this no x of the page goes. */
const FAR = 50;

/**
 * The largest x of the format, in [−50, 0], up to which `test` holds, where it holds on the left and not on the right of
 * one place; null where it holds nowhere.
 * @param {import("../kernels.js").Gelu} gelu
 * @param {Format} format
 * @param {(x: number) => boolean} test
 */
function lastFromLeft(gelu, format, test) {
  if (!test(-FAR)) return null;
  let low = -FAR;
  let high = 0;
  for (let i = 0; i < 60; i++) {
    const middle = inFormat(gelu, Float64Array.of((low + high) / 2), format)[0];
    if (middle <= low || middle >= high) break;
    if (test(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** @type {Map<string, number | null>} places do not change: each is looked for once */
const places = new Map();

/**
 * @param {string} what
 * @param {Form} form
 * @param {Format} format
 * @param {() => number | null} find
 */
function placeOf(what, form, format, find) {
  const key = `${what} ${form} ${format}`;
  if (!places.has(key)) places.set(key, find());
  return /** @type {number | null} */ (places.get(key));
}

/**
 * From where on, going left, the result is 0.
 * @param {Context} context
 * @param {Form} form
 */
function zeroPlace({ gelu, state }, form) {
  const format = formatOf(state);
  return placeOf("zero", form, format, () =>
    lastFromLeft(gelu, format, (x) => gelu.emulate(form, Float64Array.of(x), format)[0] === 0),
  );
}

/**
 * From where on, going left, a step is infinite.
 * @param {Context} context
 * @param {Form} form
 */
function overflowPlace({ gelu, state }, form) {
  const format = formatOf(state);
  const step = FORMS[form].overflows;
  if (step === undefined) return null;
  return placeOf("overflow", form, format, () =>
    lastFromLeft(gelu, format, (x) => Math.abs(gelu.emulateSteps(form, x, format)[step]) === Number.POSITIVE_INFINITY),
  );
}

/**
 * @param {Context} context
 * @param {Form} form
 * @returns {import("../scene.js").Mark[]}
 */
function zeroMark(context, form) {
  const x = zeroPlace(context, form);
  return x === null ? [] : [{ fn: FORMS[form].fn, x, y: 0 }];
}

/**
 * What happens to the chosen formula, where it happens: from here on its result is 0; here a step overflows.
 * @param {Context} context
 * @param {import("../scene.js").Curve[]} curves
 * @returns {{ own: NonNullable<import("../scene.js").Scene["own"]>, taken: () => import("./clear.js").Box[] }} taken: by
 *   the words, once they have been painted
 */
function landmarks(context, curves) {
  const form = formOf(context.state);
  const zero = zeroPlace(context, form);
  const overflow = overflowPlace(context, form);
  const step = FORMS[form].steps[(FORMS[form].overflows ?? 1) - 1];
  const overflows = overflow === null ? [] : form === "tanh" ? [overflow, -overflow] : [overflow];
  /** @type {import("./clear.js").Box[]} */
  const taken = [];
  /** @type {import("./clear.js").Box | null} */
  let place = null;
  return { own, taken: () => taken };

  /**
   * @param {import("../scene.js").Painter} painter
   * @param {import("../scene.js").Frame} frame
   */
  function own(painter, frame) {
    const inside = overflows.filter((value) => isInside(frame, value));
    for (const x of inside) {
      const at = frame.x(x);
      const isRight = at > (frame.left + frame.right) / 2;
      const height = frame.bottom - 10;
      painter.line(
        [frame.top, frame.bottom].map((y) => [at, y]),
        "claim-line",
      );
      painter.text(at + (isRight ? -6 : 6), height, context.text("overflows", { step }), "val", isRight ? "end" : "start");
    }
    if (taken.length === 0) {
      const level = frame.y(0);
      const named = frame.left + painter.width(context.text("hundredPercent"), "tick");
      taken.push({ left: frame.left, right: named, top: level - 20, bottom: level - 4 });
      for (const at of inside.map(frame.x)) taken.push({ left: at - 2, right: at + 2, top: frame.top, bottom: frame.bottom });
    }
    if (zero !== null && isInside(frame, zero)) paintZero(painter, frame, zero);
  }

  /**
   * @param {import("../scene.js").Painter} painter
   * @param {import("../scene.js").Frame} frame
   * @param {number} x
   */
  function paintZero(painter, frame, x) {
    const lines = [context.text("exactlyZero"), context.text("fromHereLeft", { x: outwards(x) })];
    if (place === null) {
      const width = Math.max(...lines.map((line) => painter.width(line, "lbl-fn")));
      const wanted = { left: frame.x(x) - 6 - width, top: frame.y(0) + 6, width, height: 36 };
      place = clearPlace(curves, frame, wanted, taken);
      taken.push(place);
    }
    const { right, top } = place;
    lines.forEach((line, i) => {
      painter.text(right, top + 14 + 18 * i, line, "lbl-fn", "end", FORMS[form].fn);
    });
  }
}

/** To four decimals, to the left: so that what is said of everything left of it is true. */
const outwards = (/** @type {number} */ x) => String(Math.floor(x * 1e4) / 1e4).replace("-", "−");

/**
 * @param {import("../scene.js").Frame} frame
 * @param {number} x
 */
const isInside = (frame, x) => frame.x(x) >= frame.left && frame.x(x) <= frame.right;

// ---------- the one x, step by step ----------

/**
 * As many digits as tell a number of the format from the next.
 * @param {number} value
 * @param {Format} format
 */
function written(value, format) {
  const { written: digits } = FORMATS[format];
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : readable(value);
  if (value === 0) return Object.is(value, -0) ? "−0" : "0";
  if (size < 1e-3 || size >= 1e6) return scientific(value, Math.min(digits, 9));
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** Of a number of float64 that is subnormal there, too: times a power of two it has an exponent of its own. */
const smallExponentOf = (/** @type {number} */ value) => exponentOf(value * 2 ** 64) - 64;

/** A sum that loses no more digits than this is nothing to speak of. */
const WORTH_SAYING = 3;

/**
 * What has gone wrong in a step, if anything.
 * @param {Form} form
 * @param {Format} format
 * @param {Float64Array} steps
 * @param {number} i
 */
function remark(form, format, steps, i) {
  const { digits, normal, largest } = FORMATS[format];
  const value = steps[i];
  const isLast = i === steps.length - 1;
  const wasFinite = steps.subarray(0, i).every(Number.isFinite);
  if (Math.abs(value) === Number.POSITIVE_INFINITY && wasFinite) return bilingualText("overflowed", { format, largest });
  if (i === FORMS[form].sum && steps[i - 1] < -0.5 && wasFinite) {
    // Numbers just above −1 are 2^−digits apart: so fine is the sum, and no finer.
    if (value === 0) return bilingualText("lostInSum");
    const kept = exponentOf(value) + digits + 1;
    if (kept <= digits - WORTH_SAYING) return bilingualText("digitsLeft", { digits: kept });
  }
  const factors = steps.subarray(0, i);
  if (value === 0 && steps[0] !== 0 && wasFinite && factors.every((factor) => factor !== 0)) {
    return bilingualText("underflowed", { format });
  }
  if (isLast && value !== 0 && smallExponentOf(value) < normal) {
    return bilingualText("subnormal", { digits: digits - normal + smallExponentOf(value) });
  }
  return null;
}

/**
 * @param {Context} context
 * @returns {import("../components/figure.js").Readout[]}
 */
function readouts(context) {
  const { gelu, state, text, bilingualText: both } = context;
  const [form, format] = [formOf(state), formatOf(state)];
  const steps = gelu.emulateSteps(form, state.x, format);
  const exact = gelu.evaluate("gelu", inFormat(gelu, Float64Array.of(state.x), format))[0];
  const error = errorsOf(context, form, Float64Array.of(state.x))[0];
  const rows = Array.from(steps, (value, i) => {
    const isLast = i === steps.length - 1;
    const words = remark(form, format, steps, i);
    return {
      name: isLast ? "result" : `step.${i}`,
      fn: isLast ? FORMS[form].fn : "",
      label: i === 0 ? `*x* (${format})` : FORMS[form].steps[i - 1],
      value,
      text: written(value, format),
      note: words === null ? undefined : { text: words },
    };
  });
  const note = {
    name: "result.error",
    value: error,
    text: both("relativeErrorIs", { error: shareOf(error, steps, exact, format) }),
  };
  // x in the format says something only where it is another number.
  if (steps[0] === state.x) rows.shift();
  return [
    ...rows,
    { name: "exact", fn: "", label: text("trueValue"), value: exact, text: trueText(exact, steps[0], format), note },
  ];
}

/** The value that an error is held against is itself within 2 ULP: with float64 nothing finer can be said. */
const resolved = (/** @type {number} */ exact) => Math.max(2 ** -51, (2 * Number.MIN_VALUE) / Math.abs(exact));

/**
 * A relative error in words: a percentage, or how many times the true value; a bound, where no more is known.
 * @param {number} error
 * @param {Float64Array} steps
 * @param {number} exact
 * @param {Format} format
 */
function shareOf(error, steps, exact, format) {
  if (error === Number.POSITIVE_INFINITY) {
    const least = Math.abs(steps[steps.length - 1]) / Number.MIN_VALUE;
    return `> ${readable(Math.min(least, Number.MAX_VALUE))}\u202f×`;
  }
  if (format === "float64" && exact !== 0 && error < resolved(exact)) return `< ${percent(2 * resolved(exact))}`;
  return error >= 10 ? `${readable(error)}\u202f×` : percent(error);
}

/**
 * The true value; a bound, where it is not 0 and less than float64 can hold.
 * @param {number} exact
 * @param {number} x
 * @param {Format} format
 */
const trueText = (exact, x, format) =>
  exact === 0 && x !== 0 ? `> ${scientific(-Number.MIN_VALUE, 2)}` : written(exact, format);

/** @type {import("../components/figure.js").FigureDefinition} */
export const precision = {
  name: "precision",
  parameters: [
    { name: "form", kind: "choice", value: "erf", choices: Object.keys(FORMS) },
    { name: "format", kind: "choice", value: "float32", choices: Object.keys(FORMATS) },
  ],
  range: rangeOf,
  unit: ({ state }) => bilingualText("inFormat", { format: formatOf(state) }),
  scene,
  readouts,
  table(context, xs = tablePoints(rangeOf(context))) {
    const { gelu, state, text } = context;
    const columns = shownForms(state).flatMap((form) => {
      const name = nameOf(context, form).replaceAll("*", "");
      return [
        { name, fn: FORMS[form].fn, values: gelu.emulate(form, xs, formatOf(state)) },
        { name: `${text("relativeError")}, ${name}`, values: errorsOf(context, form, xs) },
      ];
    });
    return { xs, columns };
  },
  cursorPoints: (context) =>
    shownForms(context.state).map((form) => ({
      fn: FORMS[form].fn,
      y: logarithm(errorsOf(context, form, Float64Array.of(context.state.x))[0]),
    })),
  tabs: {
    kind: "choice",
    key: "precision.format",
    label: "numberFormat",
    options: /** @type {[string, any][]} */ (Object.keys(FORMATS).map((format) => [format, format])),
  },
  controls: () => [
    {
      kind: "choice",
      key: "precision.form",
      label: "formula",
      options: [
        ["erf", "withErf"],
        ["erfc", "withErfc"],
        ["tanh", "withTanh"],
        ["sigmoid", "withSigmoid"],
      ],
    },
  ],
  resets: () => ["x", "from", "to", "precision.form", "precision.format"],
  mount: (root, deps) => mountFigure(precision, root, deps),
};
