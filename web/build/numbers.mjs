/**
 * Holds the numbers that stand in the prose to the kernels.
 *
 *   [0.0203]{max_error gelu_sigmoid gelu}     the shown number, then what it claims to be
 *
 * The computed number must round to the shown one at the digits shown. An expression is `KIND arguments`, then any of
 * `order=1` and parameters such as `k=1.5` (of the first function), then optionally ` / NUMBER`. With `below` or `above`
 * before it, the shown number is a bound that lies below or above the computed one.
 *
 *   value ID X             the function (or its derivative) at X
 *   param ID NAME          the default of a parameter
 *   relative ID REF X      │ID − REF│ / │REF│ at X
 *   ratio ID REF X         ID / REF at X
 *   min, max ID [A B]      extreme on [A, B], −8 … 8 if left out; min_at, max_at: where
 *   max_error ID REF [A B] largest │ID − REF│; max_error_at: the │x│ where it is
 *   zero ID A B            the one sign change in [A, B]; with `level=1`, the one place where the value is 1
 *   mean, second_moment ID mean, and mean of its square, for x ~ N(0, 1); gain: 1 / √ of the latter
 *   share ID Y             share of x ~ N(0, 1) with │ID│ ≤ Y
 *   best ID REF NAME       the value of a parameter for which max_error is least; best_error: what it then is
 *   chain ID L             rms of the gradient at the input over that at the output of L wide layers whose weights have
 *                          variance 2 / width, the input's rms being 1 (mean field); `gain=…` instead of √2,
 *                          `start=…` for the mean square of the first pre-activations instead of gain²; `signal=1` for
 *                          the rms of the last pre-activations instead
 *   depth ID L             the same for five random networks of L layers, which are computed: the median at the input, as
 *                          the figure `depth` has it; `gain=…`, `width=…` instead of 128, `samples=…` instead of 32; `norm=1`
 *                          and `residual=1` with LayerNorm and the residual path
 *   calc FORMULA           plain arithmetic without spaces: + - * / ^ ( ) sqrt cbrt ln exp, pi, and max16 max32 max64, the
 *                          largest finite number of a format
 *   erf32_error X          relative error of ½x(1 + erf(x/√2)) in float32 at X
 *   erf32_zero             where that formula becomes exactly 0, going left
 *   given                  no claim: a setting, a quotation, a version
 */

/** @typedef {{ order?: 0 | 1 | 2, params?: Record<string, number> }} Options */
/** @typedef {{ catalogue: readonly any[], evaluate(id: string, xs: Float64Array, options?: any): Float64Array, propagate(options: any): { gradient: Float64Array } }} Kernels */
/** @typedef {(x: number) => number} Scalar */
/** @typedef {(id: string, first?: boolean, own?: Record<string, number>) => Scalar} Functions */

const FROM = -8;
const TO = 8;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** @type {Record<string, number>} */
const SYMBOLS = { "½": 1 / 2, "¼": 1 / 4, "√2": Math.SQRT2 };
const WORDS = [
  ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
  ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"],
];

/**
 * What a shown number says and how far a computed one may lie from it; undefined if it is no number.
 * @param {string} shown
 * @returns {{ value: number, tolerance: number } | undefined}
 */
export function readShown(shown) {
  let text = shown.trim().replace(/(?<=\d)[ ,\u202f](?=\d{3}(?!\d))/g, "");
  const sign = /^[−-]/.test(text) ? -1 : 1;
  text = text.replace(/^[−+-]/, "");
  if (Object.hasOwn(SYMBOLS, text)) return { value: sign * SYMBOLS[text], tolerance: 1e-6 };
  for (const words of WORDS) {
    if (words.includes(text)) return { value: words.indexOf(text) + 1, tolerance: 0.5 };
  }
  const match = text.match(/^(\d+)(?:\.(\d+))?(?: ?× ?10(⁻?)([⁰¹²³⁴-⁹]+))?\s?(%?)$/);
  if (!match) return undefined;
  const [, whole, fraction = "", minus, power = "", percent] = match;
  const exponent = Number([...power].map((digit) => SUPERSCRIPTS.indexOf(digit)).join("")) * (minus ? -1 : 1) - (percent ? 2 : 0);
  return {
    value: sign * Number(`${whole}.${fraction}e${exponent}`),
    tolerance: 0.5 * Number(`1e${exponent - fraction.length}`) * (1 + 1e-9),
  };
}

/**
 * The largest value of f on [from, to]: a coarse look, then ever finer ones around the best point.
 * @param {Scalar} f
 * @param {number} from
 * @param {number} to
 */
function largest(f, from, to) {
  let [low, high, steps] = [from, to, 4000];
  let best = { at: from, value: -Infinity };
  for (let round = 0; round < 16; round++) {
    const step = (high - low) / steps;
    for (let i = 0; i <= steps; i++) {
      const at = low + i * step;
      const value = f(at);
      if (value > best.value) best = { at, value };
    }
    [low, high, steps] = [Math.max(from, best.at - step), Math.min(to, best.at + step), 40];
  }
  return best;
}

/**
 * @param {Scalar} f
 * @param {number} from
 * @param {number} to
 */
function signChange(f, from, to) {
  const steps = 1000;
  const places = [];
  for (let i = 0; i < steps; i++) {
    const [a, b] = [from + ((to - from) * i) / steps, from + ((to - from) * (i + 1)) / steps];
    if (f(a) < 0 !== f(b) < 0) places.push([a, b]);
  }
  if (places.length !== 1) throw new Error(`${places.length} sign changes in [${from}, ${to}], not one`);
  let [[a, b]] = places;
  for (let i = 0; i < 60; i++) {
    const middle = (a + b) / 2;
    if (f(middle) < 0 === f(a) < 0) a = middle;
    else b = middle;
  }
  return a;
}

/**
 * ½x(1 + erf(x/√2)) with every step rounded to float32, erf itself correctly rounded.
 * @param {Scalar} cdf Φ in float64
 * @returns {Scalar}
 */
function geluByErf32(cdf) {
  return (x) => {
    const t = Math.fround(Math.fround(x) * Math.fround(Math.SQRT1_2));
    const erf = Math.fround(2 * cdf(t * Math.SQRT2) - 1);
    return Math.fround(Math.fround(0.5 * x) * Math.fround(1 + erf));
  };
}

/**
 * The mean of g for x ~ N(0, 1). Midpoints, so that a jump at 0 falls between two of them.
 * @param {Scalar} g
 * @param {number} [step]
 */
function normalMean(g, step = 1 / 256) {
  let sum = 0;
  for (let x = step / 2 - 12; x < 12; x += step) sum += g(x) * Math.exp((-x * x) / 2);
  return (sum * step) / Math.sqrt(2 * Math.PI);
}

/**
 * The place in [low, high] where a function with one valley is least.
 * @param {Scalar} f
 * @param {number} low
 * @param {number} high
 */
function lowest(f, low, high) {
  const golden = (Math.sqrt(5) - 1) / 2;
  let [a, b] = [low, high];
  let [left, right] = [b - golden * (b - a), a + golden * (b - a)];
  let [fl, fr] = [f(left), f(right)];
  while (b - a > 1e-9 * (1 + Math.abs(a))) {
    if (fl < fr) {
      [b, right, fr] = [right, left, fl];
      left = b - golden * (b - a);
      fl = f(left);
    } else {
      [a, left, fl] = [left, right, fr];
      right = a + golden * (b - a);
      fr = f(right);
    }
  }
  return (a + b) / 2;
}

/**
 * @param {Kernels} gelu
 * @param {string} id
 * @param {string} name
 * @returns {number} a parameter's default
 */
function defaultOf(gelu, id, name) {
  const parameter = gelu.catalogue.find((row) => row.id === id).parameters.find((/** @type {any} */ p) => p.name === name);
  if (!parameter) throw new Error(`${id} has no parameter ${JSON.stringify(name)}`);
  return parameter.value;
}

/**
 * How far a parameter's best value may lie from its default: a factor of two either way.
 * @param {Functions} f
 * @param {any[]} a [ID, REF, NAME]
 * @param {Kernels} gelu
 */
function bestParameter(f, [id, ref, name], gelu) {
  const start = defaultOf(gelu, id, name);
  const error = (/** @type {number} */ value) =>
    largest((x) => Math.abs(f(id, true, { [name]: value })(x) - f(ref)(x)), FROM, TO).value;
  const at = lowest(error, start / 2, start * 2);
  return { at, error: error(at) };
}

const CALC = /\d+\.?\d*(?:e[+-]?\d+)?|[a-z]+\d*|[-+*/^()]/gy;
/** @type {Record<string, number>} */
const CONSTANTS = { pi: Math.PI, max16: 65504, max32: (2 - 2 ** -23) * 2 ** 127, max64: Number.MAX_VALUE };
/** @type {Record<string, Scalar>} */
const CALLS = { sqrt: Math.sqrt, cbrt: Math.cbrt, ln: Math.log, exp: Math.exp };

/** The value of an arithmetic formula. */
export function calculate(/** @type {string} */ text) {
  const tokens = text.match(CALC) ?? [];
  if (tokens.join("") !== text || text === "") throw new Error(`cannot calculate ${JSON.stringify(text)}`);
  let at = 0;
  /** @param {string} token */
  function expect(token) {
    if (tokens[at++] !== token) throw new Error(`cannot calculate ${JSON.stringify(text)}: ${token} is missing`);
  }
  /** @returns {number} */
  function sum() {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") value += tokens[at++] === "+" ? product() : -product();
    return value;
  }
  /** @returns {number} */
  function product() {
    let value = signed();
    while (tokens[at] === "*" || tokens[at] === "/") value = tokens[at++] === "*" ? value * signed() : value / signed();
    return value;
  }
  /** @returns {number} */
  function signed() {
    if (tokens[at] !== "-") return power();
    at++;
    return -signed();
  }
  /** @returns {number} */
  function power() {
    const base = atom();
    if (tokens[at] !== "^") return base;
    at++;
    return base ** signed();
  }
  /** @returns {number} */
  function atom() {
    const token = tokens[at++] ?? "";
    const call = Object.hasOwn(CALLS, token) ? CALLS[token] : undefined;
    if (call !== undefined || token === "(") {
      if (call !== undefined) expect("(");
      const value = sum();
      expect(")");
      return call === undefined ? value : call(value);
    }
    const value = Object.hasOwn(CONSTANTS, token) ? CONSTANTS[token] : Number(token || "none");
    if (Number.isNaN(value)) throw new Error(`cannot calculate ${JSON.stringify(text)}: ${JSON.stringify(token)} is no number`);
    return value;
  }
  const value = sum();
  if (at !== tokens.length) throw new Error(`cannot calculate ${JSON.stringify(text)}: more than one formula`);
  return value;
}

/**
 * Arguments: "id" a function, "x" a number, "x?" one that may be missing, "name" a parameter's name,
 * "formula" arithmetic. `f` makes a scalar function of an id; the expression's order and parameters are in it for the
 * first id, together with those that a kind sets itself.
 * @type {Record<string, { takes: string[], compute(f: Functions, a: any[], gelu: Kernels, named: { order: number, params: Record<string, number> }): number }>}
 */
const KINDS = {
  value: { takes: ["id", "x"], compute: (f, [id, x]) => f(id, true)(x) },
  param: { takes: ["id", "name"], compute: (_, [id, name], gelu) => defaultOf(gelu, id, name) },
  relative: { takes: ["id", "id", "x"], compute: (f, [a, b, x]) => Math.abs((f(a, true)(x) - f(b)(x)) / f(b)(x)) },
  ratio: { takes: ["id", "id", "x"], compute: (f, [a, b, x]) => f(a, true)(x) / f(b)(x) },
  min: { takes: ["id", "x?", "x?"], compute: (f, [id, a, b]) => -largest((x) => -f(id, true)(x), a, b).value },
  min_at: { takes: ["id", "x?", "x?"], compute: (f, [id, a, b]) => largest((x) => -f(id, true)(x), a, b).at },
  max: { takes: ["id", "x?", "x?"], compute: (f, [id, a, b]) => largest(f(id, true), a, b).value },
  max_at: { takes: ["id", "x?", "x?"], compute: (f, [id, a, b]) => largest(f(id, true), a, b).at },
  max_error: {
    takes: ["id", "id", "x?", "x?"],
    compute: (f, [id, ref, a, b]) => largest((x) => Math.abs(f(id, true)(x) - f(ref)(x)), a, b).value,
  },
  max_error_at: {
    takes: ["id", "id", "x?", "x?"],
    compute: (f, [id, ref, a, b]) => Math.abs(largest((x) => Math.abs(f(id, true)(x) - f(ref)(x)), a, b).at),
  },
  zero: { takes: ["id", "x", "x"], compute: (f, [id, a, b, level]) => signChange((x) => f(id, true)(x) - level, a, b) },
  mean: { takes: ["id"], compute: (f, [id]) => normalMean(f(id, true)) },
  second_moment: { takes: ["id"], compute: (f, [id]) => normalMean((x) => f(id, true)(x) ** 2) },
  gain: { takes: ["id"], compute: (f, [id]) => 1 / Math.sqrt(normalMean((x) => f(id, true)(x) ** 2)) },
  share: { takes: ["id", "x"], compute: (f, [id, y]) => normalMean((x) => (Math.abs(f(id, true)(x)) <= y ? 1 : 0), 1 / 4096) },
  best: { takes: ["id", "id", "name"], compute: (f, a, gelu) => bestParameter(f, a, gelu).at },
  best_error: { takes: ["id", "id", "name"], compute: (f, a, gelu) => bestParameter(f, a, gelu).error },
  chain: {
    takes: ["id", "x"],
    compute: (_, [id, layers], gelu, { params }) => {
      const variance = (params.gain ?? Math.SQRT2) ** 2;
      const [value, slope] = [0, 1].map((order) => {
        const one = new Float64Array(1);
        return (/** @type {number} */ x) => {
          one[0] = x;
          return gelu.evaluate(id, one, { order })[0];
        };
      });
      let signal = params.start ?? variance; // mean square of the pre-activations
      let gradient = 1;
      for (let layer = 0; layer < layers; layer++) {
        const scale = Math.sqrt(signal);
        gradient *= variance * normalMean((z) => slope(scale * z) ** 2);
        signal = variance * normalMean((z) => value(scale * z) ** 2);
      }
      return Math.sqrt(params.signal ? signal : gradient);
    },
  },
  // What is left of the gradient in random networks, as the figure `depth` has them: the median of five.
  depth: {
    takes: ["id", "x"],
    compute: (_, [id, layers], gelu, { params }) => {
      const { width = 128, gain = Math.SQRT2, samples = 32, norm = 0, residual = 0 } = params;
      const size = { layers, width, gain, samples, layerNorm: norm === 1, residual: residual === 1 };
      const ends = [1, 2, 3, 4, 5].map((seed) => gelu.propagate({ ...size, seed, activation: id }).gradient[0]);
      return ends.sort((a, b) => a - b)[2];
    },
  },
  calc: { takes: ["formula"], compute: (_, [formula]) => calculate(formula) },
  erf32_error: {
    takes: ["x"],
    compute: (f, [x]) => Math.abs(geluByErf32(f("normal_cdf"))(x) / f("gelu")(x) - 1),
  },
  erf32_zero: {
    takes: [],
    compute: (f) => {
      const naive = geluByErf32(f("normal_cdf"));
      let [zero, not] = [-6, -5];
      while (zero + 1e-9 < not) {
        const middle = (zero + not) / 2;
        if (naive(middle) === 0) zero = middle;
        else not = middle;
      }
      return zero;
    },
  },
};

export const KIND_NAMES = [...Object.keys(KINDS), "given", "above", "below"];

/**
 * @param {string} expression
 * @param {readonly string[]} ids
 */
function readExpression(expression, ids) {
  const [main, divisor, ...more] = expression.split(/ \/ /);
  const words = main.trim().split(/\s+/);
  const bound = words[0] === "above" || words[0] === "below" ? words.shift() : undefined;
  const kind = words.shift() ?? "";
  if (!Object.hasOwn(KINDS, kind)) {
    throw new Error(`unknown kind of number ${JSON.stringify(kind)}; allowed: ${KIND_NAMES.join(", ")}`);
  }
  /** @type {Record<string, number>} */
  const params = {};
  /** @type {0 | 1 | 2} */
  let order = 0;
  let level = 0;
  const positional = [];
  for (const word of words) {
    const named = word.match(/^(\w+)=(.+)$/);
    if (!named) {
      positional.push(word);
    } else if (!Number.isFinite(Number(named[2]))) {
      throw new Error(`${word} is not a number`);
    } else if (named[1] === "order") {
      order = /** @type {any} */ (Number(named[2]));
    } else if (named[1] === "level") {
      level = Number(named[2]);
    } else {
      params[named[1]] = Number(named[2]);
    }
  }
  const takes = KINDS[kind].takes;
  const least = takes.filter((type) => type !== "x?").length;
  if (positional.length !== least && positional.length !== takes.length) {
    throw new Error(`${kind} takes ${takes.join(" ") || "nothing"}, got ${JSON.stringify(positional.join(" "))}`);
  }
  const values = takes.map((type, i) => {
    if (i >= positional.length) return i === takes.length - 1 ? TO : FROM;
    if (type === "name" || type === "formula") return positional[i];
    if (type === "id") {
      if (!ids.includes(positional[i]))
        throw new Error(`unknown function ${JSON.stringify(positional[i])}; allowed: ${ids.join(", ")}`);
      return positional[i];
    }
    const number = Number(positional[i].replace("−", "-").replace("√2", String(Math.SQRT2)));
    if (!Number.isFinite(number)) throw new Error(`${JSON.stringify(positional[i])} is not a number`);
    return number;
  });
  if (more.length > 0 || (divisor !== undefined && !Number(divisor)))
    throw new Error(`cannot divide by ${JSON.stringify(divisor)}`);
  return { bound, kind, values, order, level, params, divisor: divisor === undefined ? 1 : Number(divisor) };
}

/**
 * A function that throws an Error saying what is wrong where `shown` is not what `expression` comes to, and answers the
 * number in full where the kernels have it.
 * @param {Kernels} gelu
 * @param {readonly string[]} ids the functions there are
 * @returns {(shown: string, expression: string) => number | undefined}
 */
export function numberChecker(gelu, ids) {
  /** @type {Map<string, number>} */
  const known = new Map();
  const one = new Float64Array(1);
  return (shown, expression) => {
    if (expression.trim() === "given") return undefined;
    const number = readShown(shown);
    if (!number) throw new Error(`${JSON.stringify(shown)} cannot be read as a number`);
    const { bound, kind, values, order, level, params, divisor } = readExpression(expression, ids);
    const key = expression.trim().replace(/^(above|below) /, "");
    let computed = known.get(key);
    if (computed === undefined) {
      /** @type {Functions} */
      const f = (id, first = false, own = {}) => {
        const options = first ? { order, params: { ...params, ...own } } : { order };
        return (/** @type {number} */ x) => {
          one[0] = x;
          return gelu.evaluate(id, one, options)[0];
        };
      };
      computed = KINDS[kind].compute(f, kind === "zero" ? [...values, level] : values, gelu, { order, params }) / divisor;
      known.set(key, computed);
    }
    const right =
      bound === "above"
        ? number.value >= computed
        : bound === "below"
          ? number.value <= computed
          : Math.abs(number.value - computed) <= number.tolerance;
    if (!right) throw new Error(`shown ${bound ?? ""} ${shown}, computed ${computed} (${expression.trim()})`.replace("  ", " "));
    return bound === undefined ? computed : undefined;
  };
}
