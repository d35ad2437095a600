/**
 * Values to hold the page to that share nothing with its kernels: textbook formulas over a power series for Φ, good to
 * 1e-10 relative down to x = −5 (oracle.test in page.test.mjs holds them to the reference vectors).
 */

const density = (/** @type {number} */ x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);

/** Φ(x) = ½ + φ(x) (x + x³/3 + x⁵/(3·5) + …); left of −3 the continued fraction of the tail, which does not cancel. */
function normal(/** @type {number} */ x) {
  if (x > 3) return 1 - normal(-x);
  if (x < -3) {
    let fraction = -x;
    for (let n = 200; n >= 1; n--) fraction = -x + n / fraction;
    return density(x) / fraction;
  }
  let term = x;
  let sum = x;
  for (let n = 3; Math.abs(term) > 1e-18 * Math.abs(sum); n += 2) {
    term *= (x * x) / n;
    sum += term;
  }
  return 0.5 + density(x) * sum;
}

const logistic = (/** @type {number} */ x) => 1 / (1 + Math.exp(-x));

/**
 * x·g(u(x)) and its derivative, g logistic.
 * @param {number} x @param {number} u @param {number} slope u′(x)
 */
const gate = (x, u, slope) => [x * logistic(u), logistic(u) + x * slope * logistic(u) * logistic(-u)];

/**
 * A function's value, first and second derivative; undefined where none is given here.
 * @type {Record<string, (x: number, p?: number) => (number | undefined)[]>}
 */
const FUNCTIONS = {
  gelu: (x) => [x * normal(x), normal(x) + x * density(x), density(x) * (2 - x * x)],
  gelu_tanh: (x, cubic = 0.044715) => {
    const scale = 2 * Math.sqrt(2 / Math.PI);
    return gate(x, scale * (x + cubic * x ** 3), scale * (1 + 3 * cubic * x * x));
  },
  gelu_sigmoid: (x, k = 1.702) => gate(x, k * x, k),
  relu: (x) => [Math.max(0, x), x > 0 ? 1 : 0, 0],
  sigmoid: (x, k = 1) => {
    const s = logistic(k * x);
    return [s, k * s * logistic(-k * x), k * k * s * logistic(-k * x) * (logistic(-k * x) - s)];
  },
  tanh: (x) => [Math.tanh(x), 1 - Math.tanh(x) ** 2, -2 * Math.tanh(x) * (1 - Math.tanh(x) ** 2)],
  silu: (x, beta = 1) => gate(x, beta * x, beta),
  softplus: (x) => [Math.log1p(Math.exp(x)), logistic(x), logistic(x) * logistic(-x)],
  elu: (x, alpha = 1) => (x > 0 ? [x, 1, 0] : [alpha * Math.expm1(x), alpha * Math.exp(x), alpha * Math.exp(x)]),
  leaky_relu: (x, slope = 0.01) => [x > 0 ? x : slope * x, x > 0 ? 1 : slope, 0],
  mish: (x) => [x * Math.tanh(Math.log1p(Math.exp(x)))],
  normal_cdf: (x) => [normal(x), density(x), -x * density(x)],
};

/**
 * @param {string} id
 * @param {number} x
 * @param {number} [order]
 * @param {number} [parameter] the one that the page's sliders change
 */
export function truth(id, x, order = 0, parameter = undefined) {
  const value = FUNCTIONS[id](x, parameter)[order];
  if (value === undefined) throw new Error(`no independent value of ${id} at order ${order}`);
  return value;
}
