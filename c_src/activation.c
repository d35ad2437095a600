#include "activation.h"

#include <stddef.h>
#include <string.h>

#include "special.h"
#include "special_tables.h" /* 1/sqrt(2 pi) in two parts */

/* Beyond these sizes of the argument a function has reached its limit, whatever finite parameters there are:
 * exp(-1700) times one factor of 1.8e308 underflows, and so does exp(-2300) times the two of sigmoid''. */
static const double saturated_gate = 1700;
static const double saturated_sigmoid = 2300;

/* A limit that is 0 keeps the sign of the values near it. */
static double signed_zero(double sign) { return with_sign_of(0, sign); }

/* factor y 2^exponent, exponent <= 0, where factor y may overflow although the result does not. */
static double scaled_product(double factor, double y, int exponent) {
  const int large = magnitude(factor) > 0x1p400 || magnitude(y) > 0x1p400;
  return large ? times_power_of_two((factor * 0x1p-60) * y, exponent + 60) : times_power_of_two(factor * y, exponent);
}

/* 0 times anything is 0, an overflow included. */
static pair product_or_zero(pair a, pair b) { return a.high == 0 || b.high == 0 ? pair_of(0) : pair_multiply(a, b); }

/* ---- GELU: x Phi(x), Hendrycks and Gimpel, arXiv 1606.08415 ---- */

/* The normal distribution at -t: t^2 = square + square_low, exp(-t^2/2) = 2^exponent (1 + q),
 * Phi(-t) = 2^exponent (1 + q) (tail.high + tail.rest). */
typedef struct {
  double t, t_high, t_low; /* t_high of 26 bits */
  double square, square_low;
  exp_parts e;
} normal_parts;

static normal_parts normal_at(double size) {
  normal_parts at;
  at.t = size;
  at.t_high = leading_half(size);
  at.t_low = size - at.t_high;
  at.square = at.t_high * at.t_high;
  at.square_low = (size + at.t_high) * at.t_low;
  at.e = exp_in_parts(-0.5 * at.square, -0.5 * at.square_low);
  return at;
}

static double gelu(double x, const double *parameters) {
  (void)parameters;
  const double size = magnitude(x);
  if (!(size >= 0x1p-57)) return x * 0.5; /* within 2^-57; the products below would underflow. NaN comes here, too */
  if (size > 38.7) return x < 0 ? -0.0 : x;
  const normal_parts at = normal_at(size);
  const scaled_tail tail = normal_scaled_tail(size, 0);
  const double z = times_exp(at.t_high * tail.high, at.t_low * tail.high + at.t * tail.rest, at.e);
  return unless_negative(x, x, -0.0) - z;
}

static double gelu_first(double x, const double *parameters) {
  (void)parameters;
  const double size = magnitude(x);
  if (x != x) return x;
  if (size > 38.99) return x < 0 ? -0.0 : 1;
  const normal_parts at = normal_at(size);
  const scaled_tail tail = normal_scaled_tail(size, 0);
  const double large = tail.high - at.t_high * pdf_at_zero_high;
  const double small = tail.rest - (at.t_low * pdf_at_zero_high + at.t * pdf_at_zero_low);
  const double left = times_exp(large, small, at.e);
  return unless_negative(1, x, -0.0) - with_sign_times(left, x);
}

static double gelu_second(double x, const double *parameters) {
  (void)parameters;
  const double size = magnitude(x);
  if (x != x) return x;
  if (size > 40) return -0.0;
  const normal_parts at = normal_at(size);
  const pair factor = pair_sum(2 - at.square, -at.square_low); /* 2 - square is exact near its zero */
  const double factor_high = leading_half(factor.high);
  const double factor_low = (factor.high - factor_high) + factor.low;
  return times_exp(factor_high * pdf_at_zero_high, factor_low * pdf_at_zero_high + factor.high * pdf_at_zero_low, at.e);
}

static double normal_cdf_value(double x, const double *parameters) {
  (void)parameters;
  return normal_cdf(x);
}

static double normal_cdf_first(double x, const double *parameters) {
  (void)parameters;
  return normal_pdf(x);
}

static double normal_cdf_second(double x, const double *parameters) {
  (void)parameters;
  const double size = magnitude(x);
  if (x != x) return x;
  if (size > 40) return signed_zero(-x);
  const normal_parts at = normal_at(size);
  const double y = times_exp(at.t_high * pdf_at_zero_high, at.t_low * pdf_at_zero_high + at.t * pdf_at_zero_low, at.e);
  return with_sign_of(y, -x);
}

/* ---- x sigma(u): SiLU, and the two approximations of GELU ---- */

/* (top + top_rest)/(bottom + bottom_rest), to first order in the rests: one rounding. */
static inline double corrected_quotient(double top, double top_rest, double bottom, double bottom_rest) {
  const double z = top / bottom;
  return z + (top_rest - z * bottom_rest) / bottom;
}

/* x sigma(u) = (x where u is positive) -+ x e/(1 + e), e = exp(-|u|). */
static double gate_value(double x, pair u) {
  const double size = magnitude(u.high);
  if (!(size <= saturated_gate)) return u.high > 0 ? x : signed_zero(x);
  if (size < 0x1p-56) return x * 0.5;                                       /* also where x (1 + q) would underflow */
  if (magnitude(x) > 0x1p900) return gate_value(x * 0x1p-200, u) * 0x1p200; /* ... or overflow */
  const exp_parts e = exp_in_parts(-magnitude(u.high), -with_sign_times(u.low, u.high));
  const double scale = e.exponent < -1000 ? 0 : power_of_two(e.exponent);
  /* x (1 + q) / ((1 + scale) + scale q), with the rounding errors of both corrected to first order */
  const double shifted = 1 + scale;
  const double top = x + x * e.q;
  const double bottom = shifted + scale * e.q;
  const double top_rest = (x - top) + x * e.q;
  const double bottom_rest = ((1 - shifted) + scale) + ((shifted - bottom) + scale * e.q);
  double z = corrected_quotient(top, top_rest, bottom, bottom_rest);
  z = times_power_of_two(z, e.exponent);
  return unless_negative(x, u.high, -0.0) - with_sign_times(z, u.high);
}

/* sigma(u) (1 + v sigma(-u)), v = x u'(x); with e = exp(-|u|) that is e (1 + e + v)/(1 + e)^2 for negative u and
 * (1 + e + v e)/(1 + e)^2 for positive. */
static double gate_first(pair u, pair v) {
  if (!(magnitude(u.high) <= saturated_gate)) return u.high > 0 ? 1 : v.high < -1 ? -0.0 : 0;
  const logistic_parts at = logistic_in_parts(u);
  const pair bottom = pair_multiply(at.one_plus, at.one_plus);
  if (u.high < 0) {
    const pair top = pair_multiply(at.mantissa, pair_add(at.one_plus, v));
    return times_power_of_two(pair_value(pair_divide(top, bottom)), at.exponent);
  }
  const double scale = at.exponent < -1000 ? 0 : power_of_two(at.exponent);
  const pair top = pair_add(at.one_plus, pair_scale(pair_multiply(v, at.mantissa), scale));
  return pair_value(pair_divide(top, bottom));
}

/* sigma(u) sigma(-u) (first - second tanh(|u|/2)) = e (first (1 + e) - second (1 - e))/(1 + e)^3, times factor. */
static double gate_second(pair u, pair first, pair second, double factor) {
  const logistic_parts at = logistic_in_parts(u);
  const pair falling = pair_negative(product_or_zero(second, at.one_minus));
  const pair top = pair_multiply(at.mantissa, pair_add(pair_multiply(first, at.one_plus), falling));
  const pair bottom = pair_multiply(pair_multiply(at.one_plus, at.one_plus), at.one_plus);
  return scaled_product(factor, pair_value(pair_divide(top, bottom)), at.exponent);
}

static double sigmoid_gate(double x, const double *k) {
  if (x != x) return x;
  return k[0] == 0 ? x * 0.5 : gate_value(x, pair_product(k[0], x));
}

static double sigmoid_gate_first(double x, const double *k) {
  if (x != x) return x;
  if (k[0] == 0) return 0.5;
  const pair u = pair_product(k[0], x);
  return gate_first(u, u);
}

/* k sigma(u) sigma(-u) (2 - u tanh(u/2)). */
static double sigmoid_gate_second(double x, const double *k) {
  if (x != x) return x;
  if (k[0] == 0) return 0;
  const pair u = pair_product(k[0], x);
  if (!(magnitude(u.high) <= saturated_gate)) return signed_zero(-k[0]);
  return gate_second(u, pair_of(2), (pair){magnitude(u.high), with_sign_times(u.low, u.high)}, k[0]);
}

/* The tanh form: u = 2 scale x (1 + cubic x^2). */
typedef struct {
  pair scaled; /* scale x */
  pair square; /* cubic x^2 */
  pair u;
} tanh_argument;

static tanh_argument tanh_argument_at(double x, const double *p) {
  tanh_argument a;
  a.scaled = pair_product(p[0], x);
  a.square = product_or_zero(pair_of(p[1]), pair_of(x));
  a.square = product_or_zero(a.square, pair_of(x));
  const pair u = product_or_zero(a.scaled, pair_add(pair_of(1), a.square));
  a.u = pair_scale(u, 2);
  return a;
}

/* The same u where nothing can overflow, as in every sane use: products of 26-bit halves are exact, what is left of
 * them is 2^-25 of u, and its error below 2^-75 of u. */
static pair moderate_tanh_argument(double x, double scale, double cubic) {
  const double x1 = leading_half(x), x2 = x - x1;
  const double square = x1 * x1 + (x + x1) * x2;
  const double square_rest = (x1 * x1 - square) + (x + x1) * x2;
  const double square1 = leading_half(square), square2 = square - square1;
  const double cubic1 = leading_half(cubic), cubic2 = cubic - cubic1;
  const pair sum = pair_sum(1, cubic1 * square1);
  const double sum_rest = sum.low + ((cubic1 * square2 + cubic2 * square) + cubic * square_rest);
  const double scale1 = leading_half(2 * scale), scale2 = 2 * scale - scale1;
  const double line = scale1 * x1;
  const double line_rest = scale1 * x2 + scale2 * x;
  const double line1 = leading_half(line), line2 = line - line1;
  const double sum1 = leading_half(sum.high), sum2 = sum.high - sum1;
  const double rest = (line1 * sum2 + line2 * sum.high) + (line_rest * (sum.high + sum_rest) + line * sum_rest);
  return (pair){line1 * sum1, rest};
}

static int is_moderate(double x) { return magnitude(x) < 0x1p100; }

static double gelu_tanh(double x, const double *p) {
  if (x != x) return x;
  if (p[0] == 0) return x * 0.5;
  if (is_moderate(x) && is_moderate(p[0]) && is_moderate(p[1]))
    return gate_value(x, moderate_tanh_argument(x, p[0], p[1]));
  return gate_value(x, tanh_argument_at(x, p).u);
}

/* v = x u' = u + 4 scale x (cubic x^2). */
static pair tanh_argument_slope(const tanh_argument *a) {
  return pair_add(a->u, pair_scale(product_or_zero(a->scaled, a->square), 4));
}

static double gelu_tanh_first(double x, const double *p) {
  if (x != x) return x;
  if (p[0] == 0) return 0.5;
  const tanh_argument a = tanh_argument_at(x, p);
  return gate_first(a.u, tanh_argument_slope(&a));
}

/* 4 sigma(u) sigma(-u) (first - second tanh(|u|/2)) with first = scale (1 + 6 c x^2) and
 * second = sign(u) scale (1 + 3 c x^2) v/2; scale is made smaller on the way lest a product overflow. */
static double gelu_tanh_second(double x, const double *p) {
  if (x != x) return x;
  if (p[0] == 0) return 0;
  const tanh_argument a = tanh_argument_at(x, p);
  const double ease = magnitude(p[0]) > 1 ? 0x1p-60 : 1;
  const pair scale = pair_of(p[0] * ease);
  const pair curve = product_or_zero(scale, a.square);
  const pair first = pair_add(scale, product_or_zero(pair_of(6), curve));
  const pair slope = pair_add(scale, product_or_zero(pair_of(3), curve));
  const pair second = product_or_zero(slope, pair_scale(tanh_argument_slope(&a), a.u.high < 0 ? -0.5 : 0.5));
  if (!(magnitude(a.u.high) <= saturated_gate))
    return signed_zero(magnitude(second.high) >= magnitude(first.high) ? -second.high : first.high);
  return gate_second(a.u, first, second, 4 / ease);
}

/* ---- logistic sigmoid and tanh ---- */

static double sigmoid(double x, const double *k) {
  if (x != x) return x;
  return k[0] == 0 ? 0.5 : gate_value(1, pair_product(k[0], x));
}

/* k e/(1 + e)^2, e = exp(-|u|). */
static double sigmoid_first(double x, const double *k) {
  if (x != x) return x;
  if (k[0] == 0) return 0;
  const pair u = pair_product(k[0], x);
  if (!(magnitude(u.high) <= saturated_sigmoid)) return signed_zero(k[0]);
  const logistic_parts at = logistic_in_parts(u);
  const pair y = pair_divide(at.mantissa, pair_multiply(at.one_plus, at.one_plus));
  return scaled_product(k[0], pair_value(y), at.exponent);
}

/* e (1 - e)/(1 + e)^3. */
static double bell_slope(const logistic_parts *at) {
  const pair bottom = pair_multiply(pair_multiply(at->one_plus, at->one_plus), at->one_plus);
  return pair_value(pair_divide(pair_multiply(at->mantissa, at->one_minus), bottom));
}

static double sigmoid_second(double x, const double *k) {
  if (x != x) return x;
  if (k[0] == 0) return 0;
  const pair u = pair_product(k[0], x);
  if (!(magnitude(u.high) <= saturated_sigmoid)) return signed_zero(-u.high);
  const logistic_parts at = logistic_in_parts(u);
  const double size = magnitude(k[0]), y = bell_slope(&at);
  /* k^2 in one piece where it is finite, lest a subnormal be multiplied by k */
  const double first = size < 0x1p500 ? size * size : size, second = size < 0x1p500 ? 1 : size;
  return with_sign_of(second * scaled_product(first, y, at.exponent), -u.high);
}

static double tanh_value(double x, const double *parameters) {
  (void)parameters;
  if (!(magnitude(x) >= 0x1p-30)) return x;
  if (magnitude(x) > 40) return with_sign_of(1, x);
  const exp_parts e = exp_in_parts(-2 * magnitude(x), 0);
  const double scale = power_of_two(e.exponent);
  const double below = 1 - scale, above = 1 + scale;
  const double top = below - scale * e.q, bottom = above + scale * e.q;
  const double top_rest = ((1 - below) - scale) + ((below - top) - scale * e.q);
  const double bottom_rest = ((1 - above) + scale) + ((above - bottom) + scale * e.q);
  return with_sign_of(corrected_quotient(top, top_rest, bottom, bottom_rest), x);
}

static double tanh_first(double x, const double *parameters) {
  (void)parameters;
  if (x != x) return x;
  if (magnitude(x) > 800) return 0;
  const logistic_parts at = logistic_in_parts(pair_of(2 * x));
  const pair y = pair_divide(at.mantissa, pair_multiply(at.one_plus, at.one_plus));
  return times_power_of_two(4 * pair_value(y), at.exponent);
}

static double tanh_second(double x, const double *parameters) {
  (void)parameters;
  if (!(magnitude(x) >= 0x1p-30)) return -2 * x;
  if (magnitude(x) > 800) return signed_zero(-x);
  const logistic_parts at = logistic_in_parts(pair_of(2 * x));
  return with_sign_of(times_power_of_two(8 * bell_slope(&at), at.exponent), -x);
}

/* ---- piecewise ---- */

static double relu(double x, const double *parameters) {
  (void)parameters;
  return x <= 0 ? 0 : x;
}

static double relu_first(double x, const double *parameters) {
  (void)parameters;
  return x != x ? x : x > 0 ? 1 : 0;
}

static double zero_unless_nan(double x, const double *parameters) {
  (void)parameters;
  return x != x ? x : 0;
}

static double leaky_relu(double x, const double *slope) {
  if (!(x <= 0)) return x;
  return slope[0] == 0 ? 0 : slope[0] * x;
}

static double leaky_relu_first(double x, const double *slope) { return x != x ? x : x > 0 ? 1 : slope[0]; }

static double elu(double x, const double *alpha) {
  if (!(x <= 0)) return x;
  return alpha[0] == 0 ? 0 : alpha[0] * special_expm1(x);
}

static double elu_first(double x, const double *alpha) {
  if (!(x <= 0)) return x != x ? x : 1;
  if (alpha[0] == 0) return 0;
  if (x < -1500) return signed_zero(alpha[0]);
  const exp_parts e = exp_in_parts(x, 0);
  return scaled_product(alpha[0], 1 + e.q, e.exponent);
}

static double elu_second(double x, const double *alpha) {
  if (!(x <= 0)) return x != x ? x : 0;
  return elu_first(x, alpha);
}

/* ---- softplus: log(1 + e^x) ---- */

static double softplus(double x, const double *parameters) {
  (void)parameters;
  return special_log1p_exp(x);
}

static double softplus_first(double x, const double *parameters) {
  (void)parameters;
  static const double one = 1;
  return sigmoid(x, &one);
}

static double softplus_second(double x, const double *parameters) {
  (void)parameters;
  static const double one = 1;
  return sigmoid_first(x, &one);
}

/* ---- mish: x tanh(softplus(x)), Misra, arXiv 1908.08681 ---- */

/* c0 + c1 e + c2 e^2 + c3 e^3. */
static pair cubic_at(pair e, double c0, double c1, double c2, double c3) {
  pair y = pair_add(pair_of(c2), pair_multiply(pair_of(c3), e));
  y = pair_add(pair_of(c1), pair_multiply(y, e));
  return pair_add(pair_of(c0), pair_multiply(y, e));
}

typedef struct {
  pair e;        /* exp(-|x|) */
  pair mantissa; /* e = 2^exponent mantissa */
  int exponent;
} mish_parts;

static mish_parts mish_at(double x) {
  const exp_pair e = exp_in_pairs(-magnitude(x), 0);
  mish_parts at;
  at.mantissa = pair_add(pair_of(1), e.q);
  at.exponent = e.exponent;
  at.e = pair_scale(at.mantissa, e.exponent < -1000 ? 0 : power_of_two(e.exponent));
  return at;
}

static double mish(double x, const double *parameters) {
  (void)parameters;
  if (x != x) return x;
  if (x == 0) return x;
  if (magnitude(x) > 800) return x < 0 ? -0.0 : x;
  const mish_parts at = mish_at(x);
  if (x > 0) {
    const pair ratio = pair_divide(cubic_at(at.e, 1, 2, 0, 0), cubic_at(at.e, 1, 2, 2, 0));
    return pair_value(pair_multiply(pair_of(x), ratio));
  }
  const pair ratio = pair_divide(cubic_at(at.e, 2, 1, 0, 0), cubic_at(at.e, 2, 2, 1, 0));
  const pair y = pair_multiply(pair_multiply(pair_of(x), at.mantissa), ratio);
  return times_power_of_two(pair_value(y), at.exponent);
}

static double mish_first(double x, const double *parameters) {
  (void)parameters;
  if (x != x) return x;
  if (magnitude(x) > 800) return x < 0 ? -0.0 : 1;
  const mish_parts at = mish_at(x);
  const int right = x > 0;
  const pair root = right ? cubic_at(at.e, 1, 2, 2, 0) : cubic_at(at.e, 2, 2, 1, 0);
  const pair bottom = pair_multiply(root, root);
  const pair constant = right ? cubic_at(at.e, 1, 4, 6, 4) : cubic_at(at.e, 4, 6, 4, 1);
  const pair linear = right ? cubic_at(at.e, 0, 0, 4, 4) : cubic_at(at.e, 4, 4, 0, 0);
  const pair top = pair_add(constant, pair_multiply(pair_of(x), linear));
  const pair ratio = pair_divide(top, bottom);
  if (right) return pair_value(ratio);
  return times_power_of_two(pair_value(pair_multiply(at.mantissa, ratio)), at.exponent);
}

static double mish_second(double x, const double *parameters) {
  (void)parameters;
  if (x != x) return x;
  if (magnitude(x) > 800) return -0.0;
  const mish_parts at = mish_at(x);
  const int right = x > 0;
  const pair root = right ? cubic_at(at.e, 1, 2, 2, 0) : cubic_at(at.e, 2, 2, 1, 0);
  const pair bottom = pair_multiply(pair_multiply(root, root), root);
  const pair constant = right ? cubic_at(at.e, 2, 6, 8, 4) : cubic_at(at.e, 4, 8, 6, 2);
  const pair linear = right ? cubic_at(at.e, -2, -3, 2, 2) : cubic_at(at.e, 2, 2, -3, -2);
  const pair top = pair_add(constant, pair_multiply(pair_of(x), linear));
  const pair factor = right ? pair_multiply(at.mantissa, at.mantissa) : at.mantissa;
  const pair y = pair_multiply(factor, pair_divide(top, bottom));
  return times_power_of_two(4 * pair_value(y), right ? 2 * at.exponent : at.exponent);
}

static const activation table[] = {
    {"gelu", 0, {{0}}, {gelu, gelu_first, gelu_second}},
    {"gelu_tanh",
     2,
     {{"scale", 0x1.9884533d43651p-1, 0.5, 1.2}, {"cubic", 0.044715, 0, 0.1}},
     {gelu_tanh, gelu_tanh_first, gelu_tanh_second}},
    {"gelu_sigmoid", 1, {{"k", 1.702, 0.5, 3}}, {sigmoid_gate, sigmoid_gate_first, sigmoid_gate_second}},
    {"relu", 0, {{0}}, {relu, relu_first, zero_unless_nan}},
    {"sigmoid", 1, {{"k", 1, 0.1, 5}}, {sigmoid, sigmoid_first, sigmoid_second}},
    {"tanh", 0, {{0}}, {tanh_value, tanh_first, tanh_second}},
    {"silu", 1, {{"beta", 1, 0.1, 5}}, {sigmoid_gate, sigmoid_gate_first, sigmoid_gate_second}},
    {"softplus", 0, {{0}}, {softplus, softplus_first, softplus_second}},
    {"elu", 1, {{"alpha", 1, 0, 2}}, {elu, elu_first, elu_second}},
    {"leaky_relu", 1, {{"slope", 0.01, 0, 0.5}}, {leaky_relu, leaky_relu_first, zero_unless_nan}},
    {"mish", 0, {{0}}, {mish, mish_first, mish_second}},
    {"normal_cdf", 0, {{0}}, {normal_cdf_value, normal_cdf_first, normal_cdf_second}},
};

int activation_count(void) { return (int)(sizeof table / sizeof table[0]); }

const activation *activation_at(int index) { return index >= 0 && index < activation_count() ? &table[index] : NULL; }

const activation *activation_find(const char *id) {
  for (int k = 0; k < activation_count(); k++)
    if (strcmp(table[k].id, id) == 0) return &table[k];
  return NULL;
}
