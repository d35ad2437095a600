#include "kernels_f64.h"

#include <string.h>

#include "lanes.h"

/* ---- from a function of two lanes to a kernel ---- */

/* A row's parameters in both lanes: read before the loop, since for all that C knows y[] may overlap them. */
typedef struct {
  f64x2 first, second;
} lane_parameters;

static inline lane_parameters load_parameters(const double *p, int count) {
  return (lane_parameters){f64x2_splat(count > 0 ? p[0] : 0), f64x2_splat(count > 1 ? p[1] : 0)};
}

/* Two vectors in a step: one vector's operations wait for each other, and two vectors fill the gaps (1.2 times as fast
 * as one by one in V8, 1.5 times for the longest; four no longer fit the registers). Only where that is wanted, since
 * it is twice the code; ONE_BY_ONE is the same with two numbers in a step. */
#ifdef VEC_BY_LANES
#define TWO_BY_TWO ONE_BY_ONE
#else
#define TWO_BY_TWO(kernel, lanes, parameter_count)                                                         \
  NOT_INLINED void kernel(const double *parameters, const double *x, double *y, size_t n) {                \
    const lane_parameters p = load_parameters(parameters, parameter_count);                                \
    for (size_t k = 0; k < n; k += 2 * VEC_F64_LANES) {                                                    \
      const f64x2 left = lanes(f64x2_load(x + k), p), right = lanes(f64x2_load(x + k + VEC_F64_LANES), p); \
      f64x2_store(y + k, left);                                                                            \
      f64x2_store(y + k + VEC_F64_LANES, right);                                                           \
    }                                                                                                      \
  }

#endif

#define ONE_BY_ONE(kernel, lanes, parameter_count)                                                 \
  NOT_INLINED void kernel(const double *parameters, const double *x, double *y, size_t n) {        \
    const lane_parameters p = load_parameters(parameters, parameter_count);                        \
    for (size_t k = 0; k < n; k += VEC_F64_LANES) f64x2_store(y + k, lanes(f64x2_load(x + k), p)); \
  }

typedef struct {
  f64x2 y, derivative;
} joint_lanes;

#define TWO_BY_TWO_JOINT(kernel, lanes, parameter_count)                                                         \
  NOT_INLINED void kernel(const double *parameters, const double *x, double *y, double *derivative, size_t n) {  \
    const lane_parameters p = load_parameters(parameters, parameter_count);                                      \
    for (size_t k = 0; k < n; k += 2 * VEC_F64_LANES) {                                                          \
      const joint_lanes left = lanes(f64x2_load(x + k), p), right = lanes(f64x2_load(x + k + VEC_F64_LANES), p); \
      f64x2_store(y + k, left.y);                                                                                \
      f64x2_store(y + k + VEC_F64_LANES, right.y);                                                               \
      f64x2_store(derivative + k, left.derivative);                                                              \
      f64x2_store(derivative + k + VEC_F64_LANES, right.derivative);                                             \
    }                                                                                                            \
  }

void run_kernel(kernel_f64 *kernel, const double *parameters, const double *x, double *y, size_t n) {
  const size_t left_over = n % KERNEL_STEP, whole = n - left_over;
  kernel(parameters, x, y, whole);
  if (left_over == 0) return;
  double step[KERNEL_STEP]; /* filled up with the last number */
  for (size_t k = 0; k < KERNEL_STEP; k++) step[k] = x[k < left_over ? whole + k : n - 1];
  kernel(parameters, step, step, left_over);
  memcpy(y + whole, step, left_over * sizeof *y);
}

double kernel_alone(kernel_f64 *kernel, double x, const double *parameters) {
  double both[KERNEL_STEP] = {x, x, x, x};
  kernel(parameters, both, both, 1);
  return both[0];
}

/* ---- x Phi(x) ---- */

/* From here on t Phi(-t) and its derivatives are 0 in float64 (the last of all is the second, from 38.77 on), and the
 * table of R has a row for it. What needs no R could end there, too; it ends where lanes_normal does. */
static const double normal_end = 38.99;
static const double normal_second_end = 40;

typedef struct {
  normal_lanes at;
  tail_lanes tail;
} gelu_lanes;

static inline gelu_lanes gelu_at(f64x2 x) {
  const f64x2 t = f64x2_min(f64x2_splat(normal_end), f64x2_abs(x)); /* the end for NaN, too */
  return (gelu_lanes){lanes_normal(t), lanes_scaled_tail(t)};
}

/* max(x, 0) - t Phi(-t). For |x| < 2^-57 that is x/2 rounded, but its products would underflow. */
static inline f64x2 gelu_value(f64x2 x, const gelu_lanes *g) {
  const f64x2 large = g->at.t_high * g->tail.high; /* exact */
  const f64x2 small = g->at.t_low * g->tail.high + g->at.t * g->tail.rest;
  const f64x2 z = lanes_times_exp(large, small, g->at.e);
  return f64x2_select((i64x2)(f64x2_abs(x) < 0x1p-57), x * 0.5, f64x2_positive_part(x) - z);
}

/* Phi(-t) - t phi(t) on the left, 1 minus that on the right. large is rounded, 0.5 ULP, but exact near its zero. */
static inline f64x2 gelu_slope(f64x2 x, const gelu_lanes *g) {
  const f64x2 large = g->tail.high - g->at.t_high * pdf_at_zero_high;
  const f64x2 small = g->tail.rest - (g->at.t_low * pdf_at_zero_high + g->at.t * pdf_at_zero_low);
  const f64x2 left = lanes_times_exp(large, small, g->at.e);
  return nan_if(x, f64x2_select((i64x2)(x < 0), left, 1 - left));
}

static inline f64x2 gelu(f64x2 x, lane_parameters p) {
  (void)p;
  const gelu_lanes g = gelu_at(x);
  return gelu_value(x, &g);
}

static inline joint_lanes gelu_joint(f64x2 x, lane_parameters p) {
  (void)p;
  const gelu_lanes g = gelu_at(x);
  return (joint_lanes){gelu_value(x, &g), gelu_slope(x, &g)};
}

/* (2 - x^2) phi(x). */
static inline f64x2 gelu_second(f64x2 x, lane_parameters p) {
  (void)p;
  const normal_lanes at = lanes_normal(f64x2_min(f64x2_splat(normal_second_end), f64x2_abs(x)));
  const pairs factor = pairs_finite_sum(2 - at.square, -at.square_low); /* 2 - square is exact near its zero */
  const f64x2 factor_high = leading_halves(factor.high);
  const f64x2 factor_low = (factor.high - factor_high) + factor.low;
  const f64x2 small = factor_low * pdf_at_zero_high + factor.high * pdf_at_zero_low;
  return nan_if(x, lanes_times_exp(factor_high * pdf_at_zero_high, small, at.e));
}

/* Phi(-t) on the left, 1 minus that on the right. */
static inline f64x2 normal_cdf(f64x2 x, lane_parameters p) {
  (void)p;
  const gelu_lanes g = gelu_at(x);
  const f64x2 below = lanes_times_exp(g.tail.high, g.tail.rest, g.at.e);
  return nan_if(x, f64x2_select((i64x2)(x < 0), below, 1 - below));
}

static inline f64x2 normal_cdf_first(f64x2 x, lane_parameters p) {
  (void)p;
  const normal_lanes at = lanes_normal(f64x2_min(f64x2_splat(normal_second_end), f64x2_abs(x)));
  return nan_if(x, lanes_times_exp(f64x2_splat(pdf_at_zero_high), f64x2_splat(pdf_at_zero_low), at.e));
}

/* -x phi(x). */
static inline f64x2 normal_cdf_second(f64x2 x, lane_parameters p) {
  (void)p;
  const normal_lanes at = lanes_normal(f64x2_min(f64x2_splat(normal_second_end), f64x2_abs(x)));
  const f64x2 small = at.t_low * pdf_at_zero_high + at.t * pdf_at_zero_low;
  return nan_if(x, f64x2_copysign(lanes_times_exp(at.t_high * pdf_at_zero_high, small, at.e), -x));
}

TWO_BY_TWO(kernel_gelu, gelu, 0)
TWO_BY_TWO_JOINT(kernel_gelu_joint, gelu_joint, 0)
ONE_BY_ONE(kernel_gelu_second, gelu_second, 0)
ONE_BY_ONE(kernel_normal_cdf, normal_cdf, 0)
ONE_BY_ONE(kernel_normal_cdf_first, normal_cdf_first, 0)
ONE_BY_ONE(kernel_normal_cdf_second, normal_cdf_second, 0)

/* ---- x S(u): SiLU, and the two approximations of GELU ---- */

/* x (1 + q) may overflow although the result does not, but only for parameters so small that |u| <= saturated_gate at
 * such an x: below 1700 2^-1023. Then x is multiplied by 2^-80 first (1/2 would do). With 2^-800 there is room on both
 * sides: for k x, x is far from underflow, above 2^744 where x/2 is not the result. (For the tanh form x is so large
 * unless cubic is above 2^600.) */
static const double small_parameter = 0x1p-800;
static const double downwards = -80;

static inline f64x2 downwards_for(f64x2 parameter) {
  return when((i64x2)(f64x2_abs(parameter) < small_parameter), f64x2_splat(downwards));
}

/* e = exp(-|u|) = 2^n (1 + q), and 1 + e to first order. Where the gate is saturated |u| is cut off. */
typedef struct {
  i64x2 saturated;
  pairs size; /* |u| */
  f64x2 q;
  f64x2 down;          /* 2^-80 or 1 */
  power_factors power; /* of 2^n / down */
  pairs one_plus;
  f64x2 reciprocal; /* of one_plus */
} gate_lanes;

static inline gate_lanes gate_at(pairs u, f64x2 down_exponent) {
  gate_lanes at;
  const f64x2 size = f64x2_abs(u.high), end = f64x2_splat(saturated_gate);
  at.saturated = (i64x2)(size > end);
  at.size = (pairs){f64x2_min(end, size), when(~at.saturated, lanes_with_sign_times(u.low, u.high))};
  const exp_lanes e = lanes_exp(-at.size.high, -at.size.low);
  at.q = e.q;
  at.down = lanes_power_of_two(down_exponent);
  at.power = lanes_power_factors(e.n, -down_exponent);
  const f64x2 scale = at.power.first, scaled_q = scale * e.q, shifted = 1 + scale;
  at.one_plus.high = shifted + scaled_q;
  at.one_plus.low = ((1 - shifted) + scale) + ((shifted - at.one_plus.high) + scaled_q);
  at.reciprocal = 1 / at.one_plus.high;
  return at;
}

/* x S(u) = (x where u is positive) -+ x e/(1 + e). Where |u| < 2^-56 that is x/2 rounded. */
static inline f64x2 gate_value(f64x2 x, pairs u, const gate_lanes *at) {
  const f64x2 eased = x * at->down, rest = eased * at->q;
  const f64x2 top = eased + rest;
  const f64x2 quotient = corrected_quotient((pairs){top, (eased - top) + rest}, at->one_plus, at->reciprocal);
  const f64x2 z = f64x2_select(at->saturated, signed_zeros(x), quotient * at->power.first * at->power.second);
  const f64x2 limit = f64x2_select((i64x2)(u.high < 0), f64x2_splat(-0.0), x);
  return f64x2_select((i64x2)(f64x2_abs(u.high) < 0x1p-56), x * 0.5, limit - lanes_with_sign_times(z, u.high));
}

/* The derivative S(u) (1 + v S(-u)), v = x u'(x), from `rising`, which is v for positive u and -v for negative:
 * e (1 + e - rising)/(1 + e)^2 for negative u, and 1 minus that for positive. Above and below the quotient stand exact
 * products of 26-bit halves and what they leave over, so that what rounds is the quotient and the sum that corrects it;
 * on the right the correction comes last, since 1 minus the quotient can be exact and near 0. */
static inline f64x2 gate_slope(f64x2 sign, pairs rising, const gate_lanes *at) {
  const pairs sum = pairs_finite_sum(at->one_plus.high, -rising.high);
  const f64x2 sum_low = sum.low + (at->one_plus.low - rising.low);
  const f64x2 sum1 = leading_halves(sum.high), sum2 = (sum.high - sum1) + sum_low;
  const f64x2 mantissa = 1 + at->q, mantissa1 = leading_halves(mantissa), mantissa2 = (1 - mantissa1) + at->q;
  const f64x2 root = at->one_plus.high, root1 = leading_halves(root), root2 = root - root1;
  const pairs top = {mantissa1 * sum1, mantissa * sum2 + mantissa2 * sum1};
  const pairs bottom = {root1 * root1, (root + root1) * root2 + 2 * (root * at->one_plus.low)};
  const f64x2 quotient = top.high / bottom.high;
  const f64x2 correction = (top.low - quotient * bottom.low) * (at->reciprocal * at->reciprocal);
  const f64x2 left = (quotient + correction) * at->power.first * at->power.second * at->down;
  const f64x2 scale = at->power.first * at->power.second * at->down;
  return f64x2_select((i64x2)(sign < 0), left, (1 - quotient * scale) - correction * scale);
}

/* u = k x, and 0 for k = 0 even where x is infinite. */
static inline pairs gate_argument(f64x2 x, f64x2 k) { return pairs_product(k, when((i64x2)(k != 0), x)); }

static inline f64x2 sigmoid_gate(f64x2 x, lane_parameters p) {
  const pairs u = gate_argument(x, p.first);
  const gate_lanes at = gate_at(u, downwards_for(p.first));
  return gate_value(x, u, &at);
}

static inline joint_lanes sigmoid_gate_joint(f64x2 x, lane_parameters p) {
  const pairs u = gate_argument(x, p.first);
  const gate_lanes at = gate_at(u, downwards_for(p.first));
  return (joint_lanes){gate_value(x, u, &at), nan_if(x, gate_slope(u.high, at.size, &at))};
}

TWO_BY_TWO(kernel_sigmoid_gate, sigmoid_gate, 1)
TWO_BY_TWO_JOINT(kernel_sigmoid_gate_joint, sigmoid_gate_joint, 1)

/* ---- the tanh form: u = 2 scale x (1 + cubic x^2) ---- */

typedef struct {
  pairs u;
  pairs line; /* 2 scale x: v = x u' is 3 u - 2 line */
} tanh_lanes;

/* Where nothing can overflow, as in every sane use: products of 26-bit halves are exact, what is left of them is 2^-25
 * of u, and its error below 2^-75 of u. */
static inline tanh_lanes moderate_tanh_argument(f64x2 x, lane_parameters p) {
  const f64x2 scale = 2 * p.first, cubic = p.second;
  const f64x2 x1 = leading_halves(x), x2 = x - x1;
  const f64x2 square = x1 * x1 + (x + x1) * x2;
  const f64x2 square_rest = (x1 * x1 - square) + (x + x1) * x2;
  const f64x2 square1 = leading_halves(square), square2 = square - square1;
  const f64x2 cubic1 = leading_halves(cubic), cubic2 = cubic - cubic1;
  const pairs sum = pairs_finite_sum(f64x2_splat(1), cubic1 * square1);
  const f64x2 sum_rest = sum.low + ((cubic1 * square2 + cubic2 * square) + cubic * square_rest);
  const f64x2 scale1 = leading_halves(scale), scale2 = scale - scale1;
  tanh_lanes a;
  a.line.high = scale1 * x1;
  a.line.low = scale1 * x2 + scale2 * x;
  const f64x2 line1 = leading_halves(a.line.high), line2 = a.line.high - line1;
  const f64x2 sum1 = leading_halves(sum.high), sum2 = sum.high - sum1;
  a.u.high = line1 * sum1;
  a.u.low = (line1 * sum2 + line2 * sum.high) + (a.line.low * (sum.high + sum_rest) + a.line.high * sum_rest);
  return a;
}

/* 3 u - 2 line: exact sums where cubic >= 0, the larger first. Where cubic < 0 the second may be the larger: then
 * v is within 2^-53 of 2 line, as a plain sum is. */
static inline pairs moderate_tanh_slope(const tanh_lanes *a) {
  const pairs three_u = pairs_ordered_sum(2 * a->u.high, a->u.high);
  const pairs v = pairs_ordered_sum(three_u.high, -2 * a->line.high);
  return (pairs){v.high, v.low + (three_u.low + (3 * a->u.low - 2 * a->line.low))};
}

static inline i64x2 is_moderate(f64x2 x) { return (i64x2)(f64x2_abs(x) < 0x1p100); }

/* The arguments of two vectors. The rare lanes that are not moderate are replaced for all of them together, so that one
 * branch divides the step in two phases. */
typedef struct {
  tanh_arguments left, right;
} tanh_step;

static inline tanh_arguments replaced(i64x2 keep, f64x2 x, const double *parameters, tanh_arguments a) {
  tanh_arguments general;
  general_tanh_arguments(x, parameters, &general);
  return (tanh_arguments){pairs_select(keep, a.u, general.u), pairs_select(keep, a.v, general.v)};
}

static inline tanh_step tanh_step_at(f64x2 left, f64x2 right, lane_parameters p, const double *parameters) {
  const tanh_lanes a = moderate_tanh_argument(left, p), b = moderate_tanh_argument(right, p);
  tanh_step step = {{a.u, moderate_tanh_slope(&a)}, {b.u, moderate_tanh_slope(&b)}};
  const i64x2 sane = is_moderate(p.first) & is_moderate(p.second);
  const i64x2 keep_left = sane & is_moderate(left), keep_right = sane & is_moderate(right);
  if (i64x2_any(~(keep_left & keep_right))) {
    step.left = replaced(keep_left, left, parameters, step.left);
    step.right = replaced(keep_right, right, parameters, step.right);
  }
  return step;
}

static inline f64x2 tanh_slope(f64x2 x, const tanh_arguments *a, const gate_lanes *at) {
  const f64x2 limit = f64x2_splat(0x1p1000); /* v may be infinite or NaN where the gate is saturated */
  const f64x2 size = f64x2_max(-limit, f64x2_min(limit, lanes_with_sign_times(a->v.high, a->u.high)));
  const pairs rising = {size, when(~at->saturated, lanes_with_sign_times(a->v.low, a->u.high))};
  return nan_if(x, gate_slope(a->u.high, rising, at));
}

NOT_INLINED void kernel_gelu_tanh(const double *parameters, const double *x, double *y, size_t n) {
  const lane_parameters p = load_parameters(parameters, 2);
  const f64x2 down = downwards_for(p.first);
  for (size_t k = 0; k < n; k += 2 * VEC_F64_LANES) {
    const f64x2 left = f64x2_load(x + k), right = f64x2_load(x + k + VEC_F64_LANES);
    const tanh_step step = tanh_step_at(left, right, p, parameters);
    const gate_lanes a = gate_at(step.left.u, down), b = gate_at(step.right.u, down);
    f64x2_store(y + k, gate_value(left, step.left.u, &a));
    f64x2_store(y + k + VEC_F64_LANES, gate_value(right, step.right.u, &b));
  }
}

NOT_INLINED void kernel_gelu_tanh_joint(const double *parameters, const double *x, double *y, double *derivative,
                                        size_t n) {
  const lane_parameters p = load_parameters(parameters, 2);
  const f64x2 down = downwards_for(p.first);
  for (size_t k = 0; k < n; k += 2 * VEC_F64_LANES) {
    const f64x2 left = f64x2_load(x + k), right = f64x2_load(x + k + VEC_F64_LANES);
    const tanh_step step = tanh_step_at(left, right, p, parameters);
    const gate_lanes a = gate_at(step.left.u, down), b = gate_at(step.right.u, down);
    f64x2_store(y + k, gate_value(left, step.left.u, &a));
    f64x2_store(y + k + VEC_F64_LANES, gate_value(right, step.right.u, &b));
    f64x2_store(derivative + k, tanh_slope(left, &step.left, &a));
    f64x2_store(derivative + k + VEC_F64_LANES, tanh_slope(right, &step.right, &b));
  }
}

/* ---- S(k x) and tanh ---- */

static inline f64x2 sigmoid(f64x2 x, lane_parameters p) {
  const pairs u = gate_argument(x, p.first);
  const gate_lanes at = gate_at(u, f64x2_splat(0));
  return nan_if(x, gate_value(f64x2_splat(1), u, &at));
}

/* (1 - e)/(1 + e), e = exp(-2|x|); 1 from 40 on by itself. */
static inline f64x2 tanh_lanes_value(f64x2 x, lane_parameters p) {
  (void)p;
  const f64x2 size = f64x2_min(f64x2_splat(40), f64x2_abs(x));
  const exp_lanes e = lanes_exp(-2 * size, f64x2_splat(0));
  const f64x2 scale = lanes_power_of_two(e.n), scaled_q = scale * e.q;
  const f64x2 below = 1 - scale, above = 1 + scale;
  const f64x2 top = below - scaled_q, bottom = above + scaled_q;
  const f64x2 top_low = ((1 - below) - scale) + ((below - top) - scaled_q);
  const f64x2 bottom_low = ((1 - above) + scale) + ((above - bottom) + scaled_q);
  const f64x2 y = corrected_quotient((pairs){top, top_low}, (pairs){bottom, bottom_low}, 1 / bottom);
  return f64x2_select((i64x2)(f64x2_abs(x) >= 0x1p-30), f64x2_copysign(y, x), x);
}

TWO_BY_TWO(kernel_sigmoid, sigmoid, 1)
TWO_BY_TWO(kernel_tanh, tanh_lanes_value, 0)

/* ---- leaky_relu: x, or slope x for x <= 0; relu is the same with slope 0, which gives +0 ---- */

static inline f64x2 leaky_relu(f64x2 x, lane_parameters p) {
  const f64x2 left = when((i64x2)(p.first != 0), p.first * x);
  return f64x2_select((i64x2)(x <= 0), left, x);
}

static inline f64x2 leaky_relu_first(f64x2 x, lane_parameters p) {
  return nan_if(x, f64x2_select((i64x2)(x > 0), f64x2_splat(1), p.first));
}

static inline f64x2 zero(f64x2 x, lane_parameters p) {
  (void)p;
  return nan_if(x, f64x2_splat(0));
}

ONE_BY_ONE(kernel_leaky_relu, leaky_relu, 1)
ONE_BY_ONE(kernel_leaky_relu_first, leaky_relu_first, 1)
ONE_BY_ONE(kernel_zero, zero, 0)

static const double no_slope = 0;

void kernel_relu(const double *p, const double *x, double *y, size_t n) {
  (void)p;
  kernel_leaky_relu(&no_slope, x, y, n);
}

void kernel_relu_first(const double *p, const double *x, double *y, size_t n) {
  (void)p;
  kernel_leaky_relu_first(&no_slope, x, y, n);
}

/* ---- first derivatives: the joint kernels, whose values are dropped ---- */

static NOT_INLINED void derivative_of(joint_kernel_f64 *joint, const double *p, const double *x, double *y, size_t n) {
  double values[64];
  for (size_t k = 0; k < n; k += 64) joint(p, x + k, values, y + k, n - k < 64 ? n - k : 64);
}

void kernel_gelu_first(const double *p, const double *x, double *y, size_t n) {
  derivative_of(kernel_gelu_joint, p, x, y, n);
}

void kernel_sigmoid_gate_first(const double *p, const double *x, double *y, size_t n) {
  derivative_of(kernel_sigmoid_gate_joint, p, x, y, n);
}

void kernel_gelu_tanh_first(const double *p, const double *x, double *y, size_t n) {
  derivative_of(kernel_gelu_tanh_joint, p, x, y, n);
}
