/* Kernels that carry numbers in two parts almost to the end: derivatives whose terms cancel, logarithms, Mish. The
 * operations on pairs stay calls. In line they would be five times the code, and slower: too many registers. */
#include "kernels_f64.h"
#include "lanes.h"

#define EACH_VECTOR(kernel, lanes)                                                                          \
  NOT_INLINED void kernel(const double *parameters, const double *x, double *y, size_t n) {                 \
    for (size_t k = 0; k < n; k += VEC_F64_LANES) f64x2_store(y + k, lanes(f64x2_load(x + k), parameters)); \
  }

static NOT_INLINED pairs add(pairs a, pairs b) { return pairs_add(a, b); }

static NOT_INLINED pairs multiply(pairs a, pairs b) { return pairs_multiply(a, b); }

static NOT_INLINED pairs divide(pairs a, pairs b) { return pairs_divide(a, b); }

/* 0 times anything is 0, an overflow included. */
static pairs product_or_zero(pairs a, pairs b) {
  const i64x2 zero = (i64x2)(a.high == 0) | (i64x2)(b.high == 0);
  return pairs_select(zero, pairs_constant(0), multiply(a, b));
}

/* y 2^n for integers -4000 <= n <= 1023 in steps that are exact while y 2^n is normal. (n may be lower in a lane that
 * will not be selected; -4000 then stands for it.) */
static NOT_INLINED f64x2 times_power_of_two(f64x2 y, f64x2 n) {
  for (int k = 0; k < 4; k++) {
    const f64x2 step = f64x2_max(n, f64x2_splat(-1000));
    y *= lanes_power_of_two(step);
    n -= step;
  }
  return y;
}

/* factor y 2^n, n <= 0, where factor y may overflow although the result does not. */
static f64x2 scaled_product(f64x2 factor, f64x2 y, f64x2 n) {
  const i64x2 large = (i64x2)(f64x2_abs(factor) > 0x1p400) | (i64x2)(f64x2_abs(y) > 0x1p400);
  const f64x2 eased = f64x2_select(large, factor * 0x1p-60, factor);
  return times_power_of_two(eased * y, n + when(large, f64x2_splat(60)));
}

/* 2^n, but 0 below 2^-1000, which is nothing beside 1. */
static f64x2 beside_one(f64x2 n) {
  const f64x2 lowest = f64x2_splat(-1000);
  return when((i64x2)(n >= lowest), lanes_power_of_two(f64x2_max(lowest, n)));
}

/* e^u = 2^n (1 + q), for u = high + low between -2400 and 0; what is lower becomes that, and so does NaN. */
typedef struct {
  pairs q, mantissa; /* 1 + q */
  f64x2 n, scale;    /* scale: 2^n or 0 */
} exponential;

static NOT_INLINED exponential exponential_of(pairs u) {
  const f64x2 lowest = f64x2_splat(-2400);
  const i64x2 inside = (i64x2)(u.high > lowest);
  const exp_pairs e = lanes_exp_pairs(f64x2_select(inside, u.high, lowest), when(inside, u.low));
  return (exponential){e.q, add(pairs_constant(1), e.q), e.n, beside_one(e.n)};
}

static pairs size_of(pairs a) { return (pairs){f64x2_abs(a.high), lanes_with_sign_times(a.low, a.high)}; }

/* ---- the logistic function ---- */

/* e = exp(-|u|) = 2^n mantissa; S(|u|) = 1/(1 + e), S(-|u|) = e/(1 + e), tanh(|u|/2) = (1 - e)/(1 + e). */
typedef struct {
  f64x2 n;
  pairs mantissa, one_plus, one_minus;
} logistic;

static NOT_INLINED logistic logistic_at(pairs u) {
  const exponential e = exponential_of(pairs_negative(size_of(u)));
  const f64x2 one = f64x2_splat(1);
  const pairs rest = pairs_scale(e.q, e.scale);
  return (logistic){e.n, e.mantissa, add(pairs_sum(one, e.scale), rest),
                    add(pairs_sum(one, -e.scale), pairs_negative(rest))};
}

static pairs cube(pairs a) { return multiply(multiply(a, a), a); }

/* u = k x, and 0 for k = 0 even where x is infinite. */
static pairs line_at(f64x2 x, double k) { return k == 0 ? pairs_constant(0) : pairs_product(f64x2_splat(k), x); }

/* Beyond this |u|, and whatever the parameters, a first or second derivative of S(u) is 0: 1.8e308^2 exp(-|u|)
 * underflows from 2164.7 on. */
static const double saturated_sigmoid = 2300;

static i64x2 is_beyond(f64x2 x, double end) { return (i64x2)(f64x2_abs(x) > end); }

/* k e/(1 + e)^2. */
static f64x2 sigmoid_first(f64x2 x, const double *k) {
  const pairs u = line_at(x, k[0]);
  const logistic at = logistic_at(u);
  const f64x2 factor = f64x2_splat(k[0] == 0 ? 0 : k[0]); /* -0 counts as 0 */
  const pairs y = divide(at.mantissa, multiply(at.one_plus, at.one_plus));
  const f64x2 slope = scaled_product(factor, pairs_value(y), at.n);
  return nan_if(x, f64x2_select(is_beyond(u.high, saturated_sigmoid), signed_zeros(factor), slope));
}

/* e (1 - e)/(1 + e)^3 without its 2^n. */
static f64x2 bell_slope(const logistic *at) {
  return pairs_value(divide(multiply(at->mantissa, at->one_minus), cube(at->one_plus)));
}

static f64x2 sigmoid_second(f64x2 x, const double *k) {
  if (k[0] == 0) return nan_if(x, f64x2_splat(0));
  const pairs u = line_at(x, k[0]);
  const logistic at = logistic_at(u);
  const double size = k[0] < 0 ? -k[0] : k[0];
  /* k^2 in one piece where it is finite for sure, lest a subnormal be multiplied by k. From |k| = 2^500 on that
   * happens: for n < -1022 - log2 |k| the result loses bits, or is 0 early. */
  const double first = size < 0x1p500 ? size * size : size, second = size < 0x1p500 ? 1 : size;
  const f64x2 slope = second * scaled_product(f64x2_splat(first), bell_slope(&at), at.n);
  return nan_if(x, f64x2_copysign(when(~is_beyond(u.high, saturated_sigmoid), slope), -u.high));
}

static f64x2 tanh_first(f64x2 x, const double *p) {
  (void)p;
  const logistic at = logistic_at(pairs_of(2 * x));
  const pairs y = divide(at.mantissa, multiply(at.one_plus, at.one_plus));
  return nan_if(x, times_power_of_two(4 * pairs_value(y), at.n));
}

static f64x2 tanh_second(f64x2 x, const double *p) {
  (void)p;
  const logistic at = logistic_at(pairs_of(2 * x));
  const f64x2 slope = f64x2_copysign(times_power_of_two(8 * bell_slope(&at), at.n), -x);
  return f64x2_select((i64x2)(f64x2_abs(x) >= 0x1p-30), slope, -2 * x);
}

EACH_VECTOR(kernel_sigmoid_first, sigmoid_first)
EACH_VECTOR(kernel_sigmoid_second, sigmoid_second)
EACH_VECTOR(kernel_tanh_first, tanh_first)
EACH_VECTOR(kernel_tanh_second, tanh_second)

/* The derivatives of softplus are S and S'. */
static const double one = 1;

void kernel_softplus_first(const double *p, const double *x, double *y, size_t n) {
  (void)p;
  kernel_sigmoid(&one, x, y, n);
}

void kernel_softplus_second(const double *p, const double *x, double *y, size_t n) {
  (void)p;
  kernel_sigmoid_first(&one, x, y, n);
}

/* ---- second derivatives of x S(u) ---- */

/* S(u) S(-u) (first - second tanh(|u|/2)) = e (first (1 + e) - second (1 - e))/(1 + e)^3, times factor. */
static f64x2 gate_second(pairs u, pairs first, pairs second, double factor) {
  const logistic at = logistic_at(u);
  const pairs falling = pairs_negative(product_or_zero(second, at.one_minus));
  const pairs top = multiply(at.mantissa, add(multiply(first, at.one_plus), falling));
  return scaled_product(f64x2_splat(factor), pairs_value(divide(top, cube(at.one_plus))), at.n);
}

/* k S(u) S(-u) (2 - u tanh(u/2)). */
static f64x2 sigmoid_gate_second(f64x2 x, const double *k) {
  if (k[0] == 0) return nan_if(x, f64x2_splat(0));
  const pairs u = line_at(x, k[0]);
  const f64x2 y = gate_second(u, pairs_constant(2), size_of(u), k[0]);
  return nan_if(x, f64x2_select(is_beyond(u.high, saturated_gate), signed_zeros(f64x2_splat(-k[0])), y));
}

/* The tanh form: u = 2 scale x (1 + cubic x^2), v = x u' = u + 4 scale x (cubic x^2). */
typedef struct {
  pairs square; /* cubic x^2 */
  pairs u, v;
} tanh_argument;

static NOT_INLINED tanh_argument tanh_argument_at(f64x2 x, const double *p) {
  const pairs scaled = line_at(x, p[0]);
  tanh_argument a;
  a.square = product_or_zero(product_or_zero(pairs_constant(p[1]), pairs_of(x)), pairs_of(x));
  a.u = pairs_scale(product_or_zero(scaled, add(pairs_constant(1), a.square)), f64x2_splat(2));
  a.v = add(a.u, pairs_scale(product_or_zero(scaled, a.square), f64x2_splat(4)));
  return a;
}

void general_tanh_arguments(f64x2 x, const double *parameters, tanh_arguments *out) {
  const tanh_argument a = tanh_argument_at(x, parameters);
  *out = (tanh_arguments){a.u, a.v};
}

/* 4 S(u) S(-u) (first - second tanh(|u|/2)) with first = scale (1 + 6 c x^2) and
 * second = sign(u) scale (1 + 3 c x^2) v/2; scale is made smaller on the way lest a product overflow. */
static f64x2 gelu_tanh_second(f64x2 x, const double *p) {
  if (p[0] == 0) return nan_if(x, f64x2_splat(0));
  const tanh_argument a = tanh_argument_at(x, p);
  const double ease = p[0] > 1 || p[0] < -1 ? 0x1p-60 : 1;
  const pairs scale = pairs_constant(p[0] * ease);
  const pairs curve = product_or_zero(scale, a.square);
  const pairs first = add(scale, product_or_zero(pairs_constant(6), curve));
  const pairs slope = add(scale, product_or_zero(pairs_constant(3), curve));
  const f64x2 half = f64x2_select((i64x2)(a.u.high < 0), f64x2_splat(-0.5), f64x2_splat(0.5));
  const pairs second = product_or_zero(slope, pairs_scale(a.v, half));
  const i64x2 second_wins = (i64x2)(f64x2_abs(second.high) >= f64x2_abs(first.high));
  const f64x2 limit = signed_zeros(f64x2_select(second_wins, -second.high, first.high));
  const f64x2 y = gate_second(a.u, first, second, 4 / ease);
  return nan_if(x, f64x2_select(is_beyond(a.u.high, saturated_gate), limit, y));
}

EACH_VECTOR(kernel_sigmoid_gate_second, sigmoid_gate_second)
EACH_VECTOR(kernel_gelu_tanh_second, gelu_tanh_second)

/* ---- log(1 + e^x) ---- */

/* log(1 + e) = 2 atanh(e/(2 + e)), e = exp(-|x|), so that neither side cancels; x is added on the right. */
static f64x2 softplus(f64x2 x, const double *p) {
  (void)p;
  const exponential e = exponential_of((pairs){-f64x2_abs(x), f64x2_splat(0)});
  const pairs rest = pairs_scale(e.q, e.scale);
  const pairs two_plus_e = add(pairs_sum(f64x2_splat(2), e.scale), rest);
  const pairs z = divide(e.mantissa, two_plus_e); /* without its factor scale */
  const f64x2 w = (z.high * e.scale) * (z.high * e.scale);
  f64x2 q = f64x2_splat(atanh_rest[12]);
  for (int k = 11; k >= 0; k--) q = q * w + atanh_rest[k];
  const f64x2 low = z.low + z.high * (w * q);
  const f64x2 left = times_power_of_two(2 * (z.high + low), e.n);
  const f64x2 right = pairs_value(add(pairs_of(x), pairs_scale((pairs){z.high, low}, 2 * e.scale)));
  return nan_if(x, f64x2_select((i64x2)(x > 0), right, left));
}

EACH_VECTOR(kernel_softplus, softplus)

/* ---- ELU: alpha (e^x - 1) on the left ---- */

static f64x2 elu(f64x2 x, const double *alpha) {
  if (alpha[0] == 0) return f64x2_select((i64x2)(x <= 0), f64x2_splat(0), x);
  const exponential e = exponential_of((pairs){-f64x2_abs(x), f64x2_splat(0)});
  const pairs rest = pairs_scale(e.q, e.scale);
  const f64x2 expm1 = pairs_value(add(pairs_sum(e.scale, f64x2_splat(-1)), rest));
  const f64x2 left = alpha[0] * f64x2_select((i64x2)(f64x2_abs(x) < 0x1p-54), x, expm1);
  return f64x2_select((i64x2)(x <= 0), left, x);
}

/* alpha e^x on the left: 0 below -1454.9 whatever alpha, and -1500 leaves room. */
static NOT_INLINED f64x2 elu_slope(f64x2 x, double alpha, double right) {
  const exp_lanes e = lanes_exp(f64x2_max(f64x2_splat(-2400), -f64x2_abs(x)), f64x2_splat(0));
  const f64x2 factor = f64x2_splat(alpha);
  const f64x2 y = scaled_product(factor, 1 + e.q, e.n);
  const f64x2 left = alpha == 0 ? f64x2_splat(0) : f64x2_select((i64x2)(x < -1500), signed_zeros(factor), y);
  return nan_if(x, f64x2_select((i64x2)(x <= 0), left, f64x2_splat(right)));
}

static f64x2 elu_first(f64x2 x, const double *alpha) { return elu_slope(x, alpha[0], 1); }

static f64x2 elu_second(f64x2 x, const double *alpha) { return elu_slope(x, alpha[0], 0); }

EACH_VECTOR(kernel_elu, elu)
EACH_VECTOR(kernel_elu_first, elu_first)
EACH_VECTOR(kernel_elu_second, elu_second)

/* ---- Mish: x tanh(log(1 + e^x)) ---- */

/* c0 + c1 e + c2 e^2 + c3 e^3, with the coefficients of one cubic on the right and of another on the left. */
typedef struct {
  double c[4];
} cubic;

static NOT_INLINED pairs cubic_at(pairs e, i64x2 is_right, const cubic *right, const cubic *left) {
  pairs y = pairs_constant(0);
  for (int k = 3; k >= 0; k--) {
    const pairs c = pairs_of(f64x2_select(is_right, f64x2_splat(right->c[k]), f64x2_splat(left->c[k])));
    y = k == 3 ? c : add(c, multiply(y, e));
  }
  return y;
}

typedef struct {
  i64x2 is_right;
  pairs e;        /* exp(-|x|) */
  pairs mantissa; /* e = 2^n mantissa */
  f64x2 n;
  pairs root; /* (1 + e^x)^2 + 1, on the right divided by e^(2x) */
} mish_parts;

static mish_parts mish_at(f64x2 x) {
  static const cubic right = {{1, 2, 2, 0}}, left = {{2, 2, 1, 0}};
  const exponential e = exponential_of((pairs){-f64x2_abs(x), f64x2_splat(0)});
  mish_parts at = {(i64x2)(x > 0), pairs_scale(e.mantissa, e.scale), e.mantissa, e.n, pairs_constant(0)};
  at.root = cubic_at(at.e, at.is_right, &right, &left);
  return at;
}

/* Beyond this Mish is x or 0, and its products would overflow. */
static const double mish_end = 800;

static f64x2 mish(f64x2 x, const double *p) {
  (void)p;
  static const cubic right = {{1, 2, 0, 0}}, left = {{2, 1, 0, 0}};
  const mish_parts at = mish_at(x);
  const pairs ratio = divide(cubic_at(at.e, at.is_right, &right, &left), at.root);
  const pairs factor = pairs_select(at.is_right, pairs_of(x), multiply(pairs_of(x), at.mantissa));
  const f64x2 y = times_power_of_two(pairs_value(multiply(factor, ratio)), when(~at.is_right, at.n));
  return f64x2_select(is_beyond(x, mish_end) | (i64x2)(x == 0), f64x2_positive_part(x), nan_if(x, y));
}

static f64x2 mish_first(f64x2 x, const double *p) {
  (void)p;
  static const cubic right = {{1, 4, 6, 4}}, left = {{4, 6, 4, 1}};
  static const cubic right_linear = {{0, 0, 4, 4}}, left_linear = {{4, 4, 0, 0}};
  const mish_parts at = mish_at(x);
  const pairs linear = cubic_at(at.e, at.is_right, &right_linear, &left_linear);
  const pairs top = add(cubic_at(at.e, at.is_right, &right, &left), multiply(pairs_of(x), linear));
  const pairs ratio = divide(top, multiply(at.root, at.root));
  const pairs product = pairs_select(at.is_right, ratio, multiply(at.mantissa, ratio));
  const f64x2 y = times_power_of_two(pairs_value(product), when(~at.is_right, at.n));
  const f64x2 limit = f64x2_select((i64x2)(x < 0), f64x2_splat(-0.0), f64x2_splat(1));
  return nan_if(x, f64x2_select(is_beyond(x, mish_end), limit, y));
}

static f64x2 mish_second(f64x2 x, const double *p) {
  (void)p;
  static const cubic right = {{2, 6, 8, 4}}, left = {{4, 8, 6, 2}};
  static const cubic right_linear = {{-2, -3, 2, 2}}, left_linear = {{2, 2, -3, -2}};
  const mish_parts at = mish_at(x);
  const pairs linear = cubic_at(at.e, at.is_right, &right_linear, &left_linear);
  const pairs top = add(cubic_at(at.e, at.is_right, &right, &left), multiply(pairs_of(x), linear));
  const pairs ratio = divide(top, cube(at.root));
  const pairs square = multiply(at.mantissa, at.mantissa);
  const pairs product = multiply(pairs_select(at.is_right, square, at.mantissa), ratio);
  const f64x2 y = times_power_of_two(4 * pairs_value(product), f64x2_select(at.is_right, 2 * at.n, at.n));
  return nan_if(x, f64x2_select(is_beyond(x, mish_end), f64x2_splat(-0.0), y));
}

EACH_VECTOR(kernel_mish, mish)
EACH_VECTOR(kernel_mish_first, mish_first)
EACH_VECTOR(kernel_mish_second, mish_second)
