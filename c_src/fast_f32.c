#include "fast_f32.h"

#include <stdint.h>
#include <string.h>

#include "fast_tables.h"
#include "vec.h"

/* A kernel takes four inputs and gives four values and slopes (first derivatives). Where a loop stores no slopes the
 * compiler drops what only they need; the values are the same bits either way. Errors below are in units of 2^-24, the
 * most that one rounding adds to a relative error.
 *
 * `constants` is the kernel's struct of constants, each of them four equal lanes. */
typedef struct {
  f32x4 value, slope;
} result;

typedef result kernel(f32x4 x, const void *constants);

/* clang-format off */
#define ALL(number) {number, number, number, number}
/* clang-format on */

static f32x4 all(double x) { return f32x4_splat((float)x); }

/* ---- the exponential: e^-y = 2^n (C - r)/(C + r) ----
 *
 * Adding a number so large that the sum has no binary places rounds the exponent n to an integer, and the low bits of
 * the sum are then those of the float32 2^(n + power). The power lets results far below the smallest normal number be
 * reached with normal numbers. It is taken back by the LAST multiplication of a kernel, the only one that rounds to
 * the subnormal grid; a multiplication of x by 2^-power before it would lose small x. */
#define ROUND_TO_EXPONENT(power) (0x1.8p23f + 127.0f + (float)(power))
#define ROUND_TO_EXPONENT_F64(power) (0x1.8p52 + 127.0 + (double)(power))

/* ---- gelu: x Phi(x) = max(x, 0) - t Phi(-t), Phi(-t) = exp(-t^2/2) R(t), t = |x| ---- */

enum { GELU_POWER = 64 };

typedef struct {
  u32x4 leading;
  f32x4 end, inverse_ln4, round, ln4_high, ln4_low, exp0, exp1, exp2;
  f32x4 n0, n1, n2, n3, w0, w1, w2, w3, w4, slope, down, density, one;
} gelu_constants;

static const gelu_constants gelu_table = {
    .leading = ALL(0xfffff000), /* sign, exponent and 12 bits */
    .end = ALL(TAIL_END),
    .inverse_ln4 = ALL(INVERSE_LN4),
    .round = ALL(ROUND_TO_EXPONENT(GELU_POWER)),
    .ln4_high = ALL(LN4_HIGH),
    .ln4_low = ALL(LN4_LOW),
    .exp0 = ALL(4), /* the exponential of r/2: numerator and denominator times 2 */
    .exp1 = ALL(EXP_1 / 2),
    .exp2 = ALL(EXP_2 / 8),
    .n0 = ALL(TAIL_N0),
    .n1 = ALL(TAIL_N1),
    .n2 = ALL(TAIL_N2),
    .n3 = ALL(TAIL_N3),
    .w0 = ALL(TAIL_W0),
    .w1 = ALL(TAIL_W1),
    .w2 = ALL(TAIL_W2),
    .w3 = ALL(TAIL_W3),
    .w4 = ALL(TAIL_W4),
    .slope = ALL(TAIL_SLOPE),
    .down = ALL(0x1p-64f),
    .density = ALL(DENSITY_AT_ZERO),
    .one = ALL(1),
};

/* f(x) from left = f(-|x|) where f(x) + f(-x) = 1: 1 - left for x >= 0, and left for x < 0 (a left of -0 stays -0). */
INLINED f32x4 from_left_side(f32x4 left, f32x4 x, f32x4 one) {
  const i32x4 negative = (i32x4)(x < f32x4_splat(0));
  const u32x4 sign = (u32x4)negative << 31;
  return f32x4_select(negative, (f32x4)sign, one) - (f32x4)((u32x4)left ^ sign);
}

INLINED result gelu(f32x4 x, const void *constants) {
  const gelu_constants *k = constants;
  const f32x4 t = f32x4_min(f32x4_abs(x), k->end);
  /* t^2 = square + square_low: the square of 12 bits is exact, the rest is below 2^-10 of it. */
  const f32x4 t_high = (f32x4)((u32x4)t & k->leading);
  const f32x4 square = t_high * t_high;
  const f32x4 square_low = (t + t_high) * (t - t_high);
  /* t^2 = r - n ln 4, |r| <= ln 2 + 0.12. The first bracket is exact, the second at most 0.115, so r/2 is within 0.4
   * units. */
  const f32x4 m = k->round - square * k->inverse_ln4;
  const f32x4 n = m - k->round;
  const f32x4 r = (square + n * k->ln4_high) + (square_low + n * k->ln4_low);
  /* exp(-t^2/2) = 2^n minus/plus: C - r from C + r, so that the rounding of C + r cancels as that of C does. */
  const f32x4 w = r * r;
  const f32x4 plus = ((k->exp2 * w + k->exp1) * w + k->exp0) + r;
  const f32x4 minus = plus - (r + r);
  const f32x4 scale = f32x4_power_of_two_of_bits((u32x4)m);
  /* R = top/bottom: for large t, where rest is small, the roundings of top cancel, too. */
  const f32x4 top = (((t + k->n3) * t + k->n2) * t + k->n1) * t + k->n0;
  const f32x4 rest = (((k->w4 * t + k->w3) * t + k->w2) * t + k->w1) * t + k->w0;
  const f32x4 t_top = t * top;
  const f32x4 bottom = k->slope * t_top + rest;
  const f32x4 q = minus / (plus * bottom) * scale;
  /* t Phi(-t), and its slope Phi(-t) - t phi(t) = exp(-t^2/2) (R - t/sqrt(2 pi)): eight roundings or so in all. */
  const f32x4 left = (q * t_top) * k->down;
  const f32x4 left_slope = (q * (top - (k->density * t) * bottom)) * k->down;
  return (result){f32x4_positive_part(x) - left, from_left_side(left_slope, x, k->one)};
}

static const void *prepare_gelu(const double *parameters, void *room) {
  (void)parameters, (void)room;
  return &gelu_table;
}

/* ---- logistic functions: S(u) = 1/(1 + e^-u) = (C + r)/((C + r) + 2^n (C - r)), -u = n ln 2 - r ----
 *
 * For u = k x nothing is ever multiplied by k: r = x + n ln(2)/k, and C is scaled to fit. So u has no rounding error.
 */

enum { LOGISTIC_POWER = -48 };
static const double logistic_bias = 0x1p-48;

/* x is clamped where -u log2 e is 167 to 167.5 (x S(u) has underflown long before) and -76 to -76.5 (S(u) has long been
 * 1). Further out 2^(n + power) would not be a normal float32: its exponent field is 127 + power + n, and
 * 1 <= 127 + power - 77, 127 + power + 168 <= 254. Here: |u| log2 e at the two ends. */
static const double size_at_lowest = 167, size_at_highest = 76;

typedef struct {
  f32x4 lowest, highest;
  f32x4 minus_log2_e, round, ln2_high, ln2_low; /* of k x: -k log2 e, ln(2)/k in two parts */
  f32x4 c0, c1, c2;                             /* C */
  f32x4 bias;                                   /* 2^LOGISTIC_POWER */
  f32x4 up, down; /* S(u) is found times up/bias, and down is bias/up; for sigmoid: k bias, of the slope */
  f32x4 bend;     /* gelu_tanh: u' = up (x^2 + bend) */
  f32x4 one;
  f64x2 linear, cubic, round_f64; /* gelu_tanh: u log2 e = x (linear + cubic x^2) */
} logistic_constants;

INLINED f32x4 clamped(f32x4 x, const logistic_constants *k) { return f32x4_min(f32x4_max(x, k->lowest), k->highest); }

/* x + n ln(2)/k for n = m - round. The bracket is exact; the sum is within 0.5 units of its largest size. */
INLINED f32x4 reduced(f32x4 x, f32x4 m, const logistic_constants *k) {
  const f32x4 n = m - k->round;
  return (x + n * k->ln2_high) + n * k->ln2_low;
}

INLINED f32x4 even_part(f32x4 r, const logistic_constants *k) {
  const f32x4 w = r * r;
  return (k->c2 * w + k->c1) * w + k->c0;
}

/* x S(u), and its slope S(u) (1 + x u' S(-u)) as (S + (u' S(-u)) x S). One division serves S(u) and S(-u); the factor
 * of u', `up`, is in it already. Eight roundings for the value; x itself where x > highest, lest x 2^48 overflow. */
INLINED result gated(f32x4 x, f32x4 inside, f32x4 r, u32x4 exponent_bits, int curved, const logistic_constants *k) {
  const f32x4 c = even_part(r, k);
  const f32x4 top = c + r, minus = top - (r + r); /* the rounding of top cancels, as that of c */
  const f32x4 other_top = minus * f32x4_power_of_two_of_bits(exponent_bits);
  const f32x4 inverse = k->up / (top * k->bias + other_top);
  const f32x4 gate = top * inverse; /* S(u) up/bias */
  const f32x4 raised = inside * gate;
  f32x4 steepness = other_top * inverse; /* S(-u) up */
  if (curved) steepness = steepness * (inside * inside + k->bend);
  const f32x4 value = f32x4_select((i32x4)(x > k->highest), x, raised * k->down);
  return (result){value, (gate + steepness * raised) * k->down};
}

INLINED result silu(f32x4 x, const void *constants) {
  const logistic_constants *k = constants;
  const f32x4 inside = clamped(x, k);
  const f32x4 m = inside * k->minus_log2_e + k->round;
  return gated(x, inside, reduced(inside, m, k), (u32x4)m, 0, k);
}

/* u log2 e in float64: an argument of 100 has to be right to 2^-25, and is a polynomial. */
INLINED f64x2 binary_argument(f64x2 x, const logistic_constants *k) { return x * (x * x * k->cubic + k->linear); }

INLINED result gelu_tanh(f32x4 x, const void *constants) {
  const logistic_constants *k = constants;
  const f32x4 inside = clamped(x, k);
  const f64x2 low = binary_argument(f64x2_widen_low(inside), k), high = binary_argument(f64x2_widen_high(inside), k);
  const f64x2 m_low = k->round_f64 - low, m_high = k->round_f64 - high;
  const f32x4 r = f32x4_narrow(low + (m_low - k->round_f64), high + (m_high - k->round_f64));
  return gated(x, inside, r, u32x4_low_words(m_low, m_high), 1, k);
}

/* S(k x): four roundings and those of the exponential; the slope k S(u) S(-u) with S(-u) = 1 - S(u). */
INLINED result sigmoid(f32x4 x, const void *constants) {
  const logistic_constants *k = constants;
  const f32x4 inside = clamped(x, k);
  const f32x4 m = inside * k->minus_log2_e + k->round;
  const f32x4 r = reduced(inside, m, k);
  const f32x4 c = even_part(r, k);
  const f32x4 top = c + r;
  const f32x4 gate = top / (top * k->bias + (c - r) * f32x4_power_of_two_of_bits((u32x4)m));
  const f32x4 value = gate * k->bias;
  return (result){value, (gate * (k->one - value)) * k->down};
}

/* tanh x = (1 - s e)/(1 + s e) with s = 2^n, e = (c - r)/(c + r), both multiplied out: where s = 1 the numerator is
 * 2 r exactly, so that small x stay right, and c = 1 at r = 0, so that tanh x = x for tiny x. The sign is set at the
 * end, for -0. The slope is 1 - tanh^2. */
INLINED result tanh_of(f32x4 x, const void *constants) {
  const logistic_constants *k = constants;
  const f32x4 inside = clamped(x, k);
  const f32x4 m = inside * k->minus_log2_e + k->round;
  const f32x4 r = reduced(inside, m, k);
  const f32x4 c = even_part(r, k);
  const f32x4 s = f32x4_power_of_two_of_bits((u32x4)m);
  const f32x4 below = k->one - s, above = k->one + s;
  const f32x4 size = (c * below + r * above) / (c * above + r * below);
  return (result){f32x4_copysign(size, x), k->one - size * size};
}

/* ---- their constants ---- */

/* x > 0 where x (linear + cubic x^2) is between goal and goal + 1/2: Newton's method, which comes from above. */
static NOT_INLINED double clamp_at(double goal, double linear, double cubic) {
  double x = goal / linear;
  for (;;) {
    const double curve = cubic * x * x;
    const double excess = x * (linear + curve) - goal;
    if (!(excess > 0.5)) return x;
    x -= excess / (linear + 3 * curve);
  }
}

/* The leading 16 bits: times an n of 8 bits they are exact. */
static float leading_16_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= UINT32_C(0xffffff00);
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* `unit`: r is in units of u/unit. */
static NOT_INLINED void set_logistic(logistic_constants *c, double unit, double linear, double cubic, int power,
                                     double up) {
  const float ln2_high = leading_16_bits((float)(LN2 / unit));
  *c = (logistic_constants){
      .lowest = all(-clamp_at(size_at_lowest, linear, cubic)),
      .highest = all(clamp_at(size_at_highest, linear, cubic)),
      .minus_log2_e = all(-linear),
      .round = f32x4_splat(ROUND_TO_EXPONENT(power)),
      .ln2_high = f32x4_splat(ln2_high),
      .ln2_low = all(LN2 / unit - (double)ln2_high),
      .c0 = all(2 / unit),
      .c1 = all((double)EXP_1 * unit),
      .c2 = all((double)EXP_2 * unit * unit * unit),
      .bias = all(logistic_bias),
      .up = all(up),
      .down = all(logistic_bias / (double)(float)up),
      .bend = all(cubic > 0 ? linear / (3 * cubic) : 0),
      .one = all(1),
      .linear = f64x2_splat(linear),
      .cubic = f64x2_splat(cubic),
      .round_f64 = f64x2_splat(ROUND_TO_EXPONENT_F64(power)),
  };
}

static int is_moderate(double x, double least, double most) { return x >= least && x <= most; }

static NOT_INLINED const void *prepare_silu(const double *k, void *room) {
  if (!is_moderate(k[0], FAST_LEAST_STEEPNESS, FAST_MOST_STEEPNESS)) return NULL;
  set_logistic(room, k[0], k[0] * LOG2_E, 0, LOGISTIC_POWER, k[0]);
  return room;
}

static const void *prepare_sigmoid(const double *k, void *room) {
  logistic_constants *c = room;
  if (prepare_silu(k, room) == NULL) return NULL;
  c->down = all(k[0] * logistic_bias);
  return room;
}

static const void *prepare_gelu_tanh(const double *p, void *room) {
  const double scale = p[0], cubic = p[1];
  if (!is_moderate(scale, FAST_LEAST_STEEPNESS, FAST_MOST_STEEPNESS)) return NULL;
  if (!is_moderate(cubic, FAST_LEAST_CUBIC, FAST_MOST_CUBIC)) return NULL;
  set_logistic(room, LN2, 2 * scale * LOG2_E, 2 * scale * cubic * LOG2_E, LOGISTIC_POWER, 6 * scale * cubic);
  return room;
}

static const void *prepare_tanh(const double *parameters, void *room) {
  (void)parameters;
  logistic_constants *c = room;
  set_logistic(c, 2, 2 * LOG2_E, 0, 0, 1);
  c->lowest = all(-10); /* tanh is 1 from 9.02 on */
  c->highest = all(10);
  return room;
}

/* ---- relu ---- */

INLINED result relu(f32x4 x, const void *constants) {
  (void)constants;
  const u32x4 positive = (u32x4)(x > f32x4_splat(0)), is_nan = (u32x4)(x != x);
  return (result){(f32x4)((u32x4)x & (positive | is_nan)), (f32x4)(((u32x4)f32x4_splat(1) & positive) | is_nan)};
}

static const void *prepare_relu(const double *parameters, void *room) {
  (void)parameters;
  return room;
}

/* ---- loops over a multiple of four numbers ---- */

typedef void loop(const void *constants, const float *x, float *y, float *slope, size_t n);

/* The address of the constants is new to the compiler at each step: V8 in Chromium is fastest when it loads them. */
INLINED void each(kernel *f, int with_slope, const void *constants, const float *x, float *y, float *slope, size_t n) {
  for (size_t k = 0; k < n; k += 4) {
    VEC_HIDE(constants);
    const result found = f(f32x4_load(x + k), constants);
    f32x4_store(y + k, found.value);
    if (with_slope) f32x4_store(slope + k, found.slope);
  }
}

/* NAME_values and NAME_both. */
#define LOOPS(name)                                                                            \
  static void name##_values(const void *c, const float *x, float *y, float *slope, size_t n) { \
    each(name, 0, c, x, y, slope, n);                                                          \
  }                                                                                            \
  static void name##_both(const void *c, const float *x, float *y, float *slope, size_t n) {   \
    each(name, 1, c, x, y, slope, n);                                                          \
  }

LOOPS(gelu)
LOOPS(gelu_tanh)
LOOPS(silu)
LOOPS(relu)
LOOPS(sigmoid)
LOOPS(tanh_of)

/* ---- the table ---- */

/* The constants, put into `room` where they depend on parameters; NULL where these are out of range. */
typedef const void *preparation(const double *parameters, void *room);

typedef struct {
  const char *id;
  preparation *prepare;
  loop *run;
} fast_row;

/* Two tables, so that a program that needs no slopes does not carry their loops. */
static const fast_row value_rows[] = {
    {"gelu", prepare_gelu, gelu_values},          {"gelu_tanh", prepare_gelu_tanh, gelu_tanh_values},
    {"gelu_sigmoid", prepare_silu, silu_values},  {"relu", prepare_relu, relu_values},
    {"sigmoid", prepare_sigmoid, sigmoid_values}, {"tanh", prepare_tanh, tanh_of_values},
    {"silu", prepare_silu, silu_values},          {NULL, NULL, NULL},
};

static const fast_row slope_rows[] = {
    {"gelu", prepare_gelu, gelu_both},          {"gelu_tanh", prepare_gelu_tanh, gelu_tanh_both},
    {"gelu_sigmoid", prepare_silu, silu_both},  {"relu", prepare_relu, relu_both},
    {"sigmoid", prepare_sigmoid, sigmoid_both}, {"tanh", prepare_tanh, tanh_of_both},
    {"silu", prepare_silu, silu_both},          {NULL, NULL, NULL},
};

/* The last one to three numbers go through four lanes of their own. slope NULL: values only. */
static NOT_INLINED int run_row(const fast_row *row, const char *id, const double *parameters, const float *x, float *y,
                               float *slope, size_t n) {
  while (row->id != NULL && strcmp(row->id, id) != 0) row++;
  logistic_constants room;
  const void *constants = row->id != NULL ? row->prepare(parameters, &room) : NULL;
  if (constants == NULL) return 0;
  VEC_BARRIER(&room);
  const size_t whole = n & ~(size_t)3, left = (n & 3) * sizeof *x;
  row->run(constants, x, y, slope, whole);
  if (left > 0) {
    float last[4] = {0}, last_slope[4];
    memcpy(last, x + whole, left);
    row->run(constants, last, last, last_slope, 4);
    memcpy(y + whole, last, left);
    if (slope != NULL) memcpy(slope + whole, last_slope, left);
  }
  return 1;
}

int fast_f32(const activation *function, int order, const double *parameters, const float *x, float *y, size_t n) {
  return order == 0 && run_row(value_rows, function->id, parameters, x, y, NULL, n);
}

int fast_f32_with_slope(const activation *function, const double *parameters, const float *x, float *y, float *slope,
                        size_t n) {
  return run_row(slope_rows, function->id, parameters, x, y, slope, n);
}
