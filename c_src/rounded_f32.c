#include "rounded_f32.h"

#include <string.h>

#include "pair.h"
#include "rounded_tables.h"
#include "vec.h"

/* ---- one value: the float64 result rounded once ---- */

/* That is the correctly rounded result unless the true value lies so close to a midpoint of two float32 numbers that
 * the float64 error matters. For the default parameters such inputs were found by trying all 2^32, as tests/prove does:
 * they are exact midpoints in float64, which the next term of the series decides (tie_rule), and the few in the table
 * of exceptions. */
typedef enum {
  NO_TIES,
  HALF_X_PLUS_SQUARE, /* x/2 + c x^2: for subnormal x, c has the sign of the first parameter, or is positive */
  HALF_PLUS_ODD       /* 1/2 + x/4 - x^3/48: for small x */
} tie_rule;

/* A default-parameter input that is rounded wrongly, and its correctly rounded result. */
typedef struct {
  float x, y;
} exception;

typedef struct job job;

/* Does the whole job and returns 1, or touches nothing and returns 0 because its error bound does not hold for the
 * parameters. */
typedef int vector_kernel(const job *j);

typedef struct {
  const char *id;
  tie_rule ties;
  exception exceptions[3]; /* up to the one with x = 0 */
  float end;               /* rounded_tables.h; where the vector kernel of order 0 wants it */
  vector_kernel *kernel;   /* of order 0; NULL: the float64 kernel, rounded */
} rounding;

struct job {
  const rounding *rule;
  activation_function *evaluate;
  const double *parameters;
  int are_defaults;
  const float *x;
  float *y;
  size_t n;
};

/* Whether y is a float32 subnormal or within 64 float64 units of a float32 midpoint: one result in four million. 64 is
 * 16 times the error that a float64 result may have, 4 ULP. */
static int needs_care(double y) {
  const uint32_t below_midpoint = ((uint32_t)bits_of(y) & 0x1fffffff) - (0x10000000 - 64);
  return below_midpoint <= 128 || magnitude(y) < 0x1p-126;
}

/* y a little further in the direction, so that a midpoint is one no longer: 2^-50 of it is 4 to 8 float64 units, far
 * below half a float32 unit, which is 2^28 of them. */
static double nudged(double y, double direction) {
  return direction == 0 || y == 0 ? y : y + with_sign_of(magnitude(y) * 0x1p-50, direction);
}

static float settle(const job *j, float x, double y) {
  const double wide = (double)x;
  const double *p = j->parameters;
  if (j->are_defaults)
    for (int k = 0; k < 3 && j->rule->exceptions[k].x != 0; k++)
      if (j->rule->exceptions[k].x == x) return j->rule->exceptions[k].y;
  if (j->rule->ties == HALF_X_PLUS_SQUARE && y == wide * 0.5) y = nudged(y, p == NULL ? 1 : p[0]);
  if (j->rule->ties == HALF_PLUS_ODD && y == 0.5 + 0.25 * wide * p[0]) y = nudged(y, 0.5 - y);
  return (float)y;
}

static float rounded_once(const job *j, float x, double value) {
  return needs_care(value) ? settle(j, x, value) : (float)value;
}

static float rounded_value(const job *j, float x) { return rounded_once(j, x, j->evaluate((double)x, j->parameters)); }

/* ---- any function: the float64 kernel over a buffer on the stack, its results rounded once ---- */

enum { CHUNK = 128 };

#ifndef VEC_BY_LANES
/* The lanes that needs_care is about, and a few more. */
static i64x2 lanes_need_care(f64x2 y) {
  const i64x2 from_midpoint = ((i64x2)y & 0x1fffffff) - (0x10000000 - 64);
  return (i64x2)((from_midpoint & ~INT64_C(0xff)) == 0) | (i64x2)(f64x2_abs(y) < 0x1p-126);
}
#endif

static NOT_INLINED void round_one_by_one(const job *j, const float *x, const double *values, float *y, size_t n) {
  for (size_t k = 0; k < n; k++) y[k] = rounded_once(j, x[k], values[k]);
}

/* The float32 results of float64 `values` of x; y may be x. */
static void round_values(const job *j, const float *x, const double *values, float *y, size_t n) {
  size_t k = 0;
#ifndef VEC_BY_LANES
  for (; k + 4 <= n; k += 4) {
    const f64x2 low = f64x2_load(values + k), high = f64x2_load(values + k + 2);
    if (i64x2_any(lanes_need_care(low) | lanes_need_care(high)))
      round_one_by_one(j, x + k, values + k, y + k, 4);
    else
      f32x4_store(y + k, f32x4_narrow(low, high));
  }
#endif
  round_one_by_one(j, x + k, values + k, y + k, n - k);
}

static void round_chunks(const job *j, kernel_f64 *kernel) {
  for (size_t start = 0; start < j->n; start += CHUNK) {
    const size_t count = j->n - start < CHUNK ? j->n - start : CHUNK;
    double values[CHUNK];
    for (size_t k = 0; k < count; k++) values[k] = (double)j->x[start + k];
    run_kernel(kernel, j->parameters, values, values, count);
    round_values(j, j->x + start, values, j->y + start, count);
  }
}

/* ---- eight estimates at a time ---- */

enum { GROUP = 8, FOURS = GROUP / 4, TWOS = GROUP / 2 };

/* What a kernel reads in its loop. In memory, and not as literals, because parameters change some of it and because V8
 * in Chromium would load literal vectors again at every use. */
typedef struct {
  f64x2 minus_one_over_ln4, round_exponent, ln4;
  f64x2 half_angle_top, half_angle_bottom[3];
  f64x2 tail_top[7], tail_bottom[7];
  f64x2 slope, curve, offset; /* of the exponent: t (slope + curve t^2) + offset */
  f32x4 end;                  /* |x| is not taken larger than this */
  int end_is_undecided;       /* else x below -end must be told apart */
  u32x4 band_offset;          /* of the rounding test */
  i32x4 largest_decided;
} constants;

/* Eight inputs between the two phases of their way. */
typedef struct {
  f32x4 x[FOURS];
  f64x2 t[TWOS];                  /* min(|x|, end) */
  f64x2 upper[TWOS], lower[TWOS]; /* the quotient of the first phase, not yet divided */
} group;

/* Two lanes of each phase: g->upper[two] and g->lower[two] from g->t[two]; and the estimate from those, x being the
 * inputs themselves. */
typedef void first_phase(const constants *c, group *g, int two);
typedef f64x2 second_phase(const constants *c, const group *g, int two, f64x2 x);

/* ---- the rounding test ---- */

/* A float64 is a midpoint of two float32 numbers if its low 29 bits are 2^28, and undecided if they are within E of
 * that, E = 2^(53 - bits) units for an error of 2^-bits. Shifted left by 3 they are within 8E of 2^31; with 8E + 1
 * taken away the undecided ones are the largest signed numbers, from 0x7fffffff - 16E on: one signed comparison. */
static void set_rounding_test(constants *c, int bits) {
  const int32_t band = INT32_C(1) << (53 - bits);
  c->band_offset = u32x4_splat(8 * (uint32_t)band + 1);
  c->largest_decided = i32x4_splat(INT32_C(0x7ffffffe) - 16 * band);
}

/* What is compared with largest_decided; of the lanes high[0], low[0], high[1], low[1], since this order is a blend. */
static inline i32x4 midpoint_nearness(const constants *c, f64x2 low, f64x2 high) {
  const u32x4 low_in_odd = (u32x4)((u64x2)low << 32);
  const u32x4 low_words = __builtin_shufflevector((u32x4)high, low_in_odd, 0, 5, 2, 7);
  return (i32x4)((low_words << 3) - c->band_offset);
}

static inline i32x4 in_order(i32x4 blended) { return __builtin_shufflevector(blended, blended, 1, 3, 0, 2); }

/* ---- the loop ---- */

/* Gives the undecided lanes of a group their results. Rare, so not inlined. */
static NOT_INLINED void settle_lanes(const job *j, const group *g, const i32x4 *undecided, float *y) {
  for (int lane = 0; lane < GROUP; lane++)
    if (undecided[lane / 4][lane % 4] != 0) y[lane] = rounded_value(j, g->x[lane / 4][lane % 4]);
}

/* `from` may be `to`: every input is in the group before the first result is stored. Two phases, because both together
 * need more registers than there are, and V8, which orders operations breadth-first, would spill in the middle. */
INLINED void do_group(const job *j, const constants *restrict c, first_phase *first, second_phase *second,
                      const float *from, float *to) {
  group g;
  for (int four = 0; four < FOURS; four++) {
    g.x[four] = f32x4_load(from + 4 * four);
    const f32x4 t = f32x4_min(f32x4_abs(g.x[four]), c->end); /* NaN stays */
    g.t[2 * four] = f64x2_widen_low(t);
    g.t[2 * four + 1] = f64x2_widen_high(t);
  }
  for (int two = 0; two < TWOS; two++) first(c, &g, two);
  const group *stored = &g;
  VEC_BARRIER(stored);

  i32x4 nearness[FOURS];
  for (int four = 0; four < FOURS; four++) {
    const f32x4 x = stored->x[four];
    const f64x2 low = second(c, stored, 2 * four, f64x2_widen_low(x));
    const f64x2 high = second(c, stored, 2 * four + 1, f64x2_widen_high(x));
    f32x4_store(to + 4 * four, f32x4_narrow(low, high));
    nearness[four] = midpoint_nearness(c, low, high);
  }
  if (c->end_is_undecided && !i32x4_any((i32x4)(i32x4_max(nearness[0], nearness[1]) > c->largest_decided))) return;

  i32x4 undecided[FOURS];
  for (int four = 0; four < FOURS; four++) {
    undecided[four] = in_order((i32x4)(nearness[four] > c->largest_decided));
    if (!c->end_is_undecided) undecided[four] |= (i32x4)(stored->x[four] < -c->end);
  }
  if (i32x4_any(undecided[0] | undecided[1])) settle_lanes(j, &g, undecided, to);
}

INLINED void do_groups(const job *j, const constants *c, first_phase *first, second_phase *second) {
  const float *from = j->x;
  float *to = j->y;
  float padded[GROUP] = {0};
  for (size_t left = j->n; left > 0;) {
    const size_t count = left < GROUP ? left : GROUP;
    if (count < GROUP) memcpy(padded, from, count * sizeof *padded);
    VEC_HIDE(c);
    do_group(j, c, first, second, count < GROUP ? padded : from, count < GROUP ? padded : to);
    if (count < GROUP) memcpy(to, padded, count * sizeof *padded);
    from += count;
    to += count;
    left -= count;
  }
}

/* ---- the exponential ---- */

/* exp(-a/2) = power (c - p)/(c + p). With a = r - n ln 4, n a whole number <= 0 and |r| <= ln 2, it is 2^n exp(-r/2),
 * and exp(-r/2) = (1 - h)/(1 + h) with h = tanh(r/4) = p/c, a rational function of r^2: four multiplications, where a
 * polynomial as good (2^-45.3) has degree 9. For 0 <= a <= 180 the roundings of n ln 4 and of the sum, and that ln 4 is
 * itself rounded, make 2^-46 of exp(-a/2); 2^n is a normal number. */
typedef struct {
  f64x2 p, c, power;
} exponential;

static void set_exponential(constants *c) {
  static const double bottom[3] = HALF_ANGLE_BOTTOM;
  c->minus_one_over_ln4 = f64x2_splat(MINUS_ONE_OVER_LN4);
  c->round_exponent = f64x2_splat(VEC_ROUND_EXPONENT);
  c->ln4 = f64x2_splat(LN4);
  c->half_angle_top = f64x2_splat(HALF_ANGLE_TOP);
  for (int i = 0; i < 3; i++) c->half_angle_bottom[i] = f64x2_splat(bottom[i]);
}

static inline exponential exponential_at(const constants *c, f64x2 a) {
  const f64x2 shifted = a * c->minus_one_over_ln4 + c->round_exponent;
  const f64x2 r = (shifted - c->round_exponent) * c->ln4 + a;
  const f64x2 w = r * r;
  exponential e;
  e.p = r * (w + c->half_angle_top);
  e.c = (c->half_angle_bottom[2] * w + c->half_angle_bottom[1]) * w + c->half_angle_bottom[0];
  e.power = f64x2_power_of_two_of_bits(shifted);
  return e;
}

static inline void set_quotient(group *g, int two, exponential e) {
  g->upper[two] = e.power * (e.c - e.p);
  g->lower[two] = e.c + e.p;
}

/* ---- GELU and the normal distribution ---- */

/* z = Phi(-t) = exp(-t^2/2) N(t)/D(t), and t times that for GELU, the two quotients in one division.
 * Error: N/D 2^-40.2, exponential 2^-45.3 and 2^-46, at most 35 roundings of 2^-53, since all terms of N and D are
 * positive: 2^-40.1. (t^2 is exact: t has 24 bits.) */
static void set_normal(constants *c, float end) {
  static const double top[7] = TAIL_TOP, bottom[7] = TAIL_BOTTOM;
  set_exponential(c);
  set_rounding_test(c, TAIL_BITS);
  for (int i = 0; i < 7; i++) {
    c->tail_top[i] = f64x2_splat(top[i]);
    c->tail_bottom[i] = f64x2_splat(bottom[i]);
  }
  c->end = f32x4_splat(end);
  c->end_is_undecided = 1;
}

static inline void gelu_first_phase(const constants *c, group *g, int two) {
  const f64x2 t = g->t[two];
  const exponential e = exponential_at(c, t * t);
  g->upper[two] = (e.power * t) * (e.c - e.p);
  g->lower[two] = e.c + e.p;
}

static inline void normal_first_phase(const constants *c, group *g, int two) {
  set_quotient(g, two, exponential_at(c, g->t[two] * g->t[two]));
}

static inline f64x2 normal_tail(const constants *c, const group *g, int two) {
  const f64x2 t = g->t[two];
  f64x2 top = t * c->tail_top[6] + c->tail_top[5];
  f64x2 bottom = t + c->tail_bottom[6];
  for (int i = 4; i >= 0; i--) top = top * t + c->tail_top[i];
  for (int i = 5; i >= 0; i--) bottom = bottom * t + c->tail_bottom[i];
  return (top * g->upper[two]) / (bottom * g->lower[two]);
}

/* x - z for x >= 0, -z for x < 0. For tiny x, z is a little less than |x|/2: by 2^-43 of it, since N(0)/D(0) is that
 * much less than 1/2, and the few roundings there are of 2^-53. So x/2 between two subnormal numbers rounds upwards, as
 * it must; only there is a result subnormal without being below -end. */
static inline f64x2 gelu_second_phase(const constants *c, const group *g, int two, f64x2 x) {
  return f64x2_positive_part(x) - normal_tail(c, g, two);
}

/* z for x < 0, 1 - z for x >= 0, of which NaN is neither; but its z is NaN. */
static inline f64x2 mirrored(f64x2 x, f64x2 z) {
  const f64x2 one_or_zero = (f64x2)((i64x2)(x >= f64x2_splat(0)) & (i64x2)f64x2_splat(1));
  return f64x2_abs(one_or_zero - z);
}

static inline f64x2 normal_second_phase(const constants *c, const group *g, int two, f64x2 x) {
  return mirrored(x, normal_tail(c, g, two));
}

static int gelu_kernel(const job *j) {
  constants c;
  set_normal(&c, j->rule->end);
  do_groups(j, &c, gelu_first_phase, gelu_second_phase);
  return 1;
}

static int normal_cdf_kernel(const job *j) {
  constants c;
  set_normal(&c, j->rule->end);
  do_groups(j, &c, normal_first_phase, normal_second_phase);
  return 1;
}

/* ---- sigma(u), x sigma(u) ---- */

/* With e = exp(-u), u = a/2 >= 0: sigma(-u) = e/(1 + e) = upper/(lower + upper), upper = 2^n (c - p), lower = c + p.
 * Error: exponential 2^-45.3 and 2^-46; each rounding of a, up to 160, 2^-46.7, of which sigmoid has one, x sigma(k x)
 * two and the tanh form five; the offset below 2^-44; the rest is small: 2^-44.3, 2^-43.0, 2^-42.7. */
static void set_gate(constants *c, double slope, double curve, double offset) {
  set_exponential(c);
  set_rounding_test(c, GATE_BITS);
  c->slope = f64x2_splat(slope);
  c->curve = f64x2_splat(curve);
  c->offset = f64x2_splat(offset);
}

/* Added to a it makes z smaller by at most 2^-44 of it, and by 2^-45 for tiny x, where a few roundings of 2^-53 stand
 * against it: so z is a little less than |x|/2, see gelu_second_phase. */
static const double tie_offset = 0x1p-43;

/* Default parameters have their end in the table, which decides itself; for others it is `end`. */
static void set_end(constants *c, const job *j, double end) {
  c->end = f32x4_splat(j->are_defaults ? j->rule->end : (float)end);
  c->end_is_undecided = j->are_defaults;
}

static inline void gate_first_phase(const constants *c, group *g, int two) {
  set_quotient(g, two, exponential_at(c, g->t[two] * c->slope + c->offset));
}

static inline void tanh_gate_first_phase(const constants *c, group *g, int two) {
  const f64x2 t = g->t[two];
  set_quotient(g, two, exponential_at(c, t * ((t * t) * c->curve + c->slope) + c->offset));
}

static inline f64x2 gate_second_phase(const constants *c, const group *g, int two, f64x2 x) {
  (void)c;
  const f64x2 upper = g->upper[two];
  return f64x2_positive_part(x) - (g->t[two] * upper) / (g->lower[two] + upper);
}

static inline f64x2 sigmoid_second_phase(const constants *c, const group *g, int two, f64x2 x) {
  (void)c;
  const f64x2 upper = g->upper[two];
  return mirrored(x, upper / (g->lower[two] + upper));
}

/* The end is where u is at most 80: exp(-80) is 2^-115.4, and so even times x no subnormal in float32. */
static const double largest_u = 80;

static int is_ordinary(double parameter) { return parameter >= 0x1p-10 && parameter <= 0x1p10; }

static int gate_kernel(const job *j) {
  const double factor = j->parameters[0];
  if (!is_ordinary(factor)) return 0;
  constants c;
  set_gate(&c, 2 * factor, 0, tie_offset);
  set_end(&c, j, largest_u / factor);
  do_groups(j, &c, gate_first_phase, gate_second_phase);
  return 1;
}

static int sigmoid_kernel(const job *j) {
  const double factor = j->parameters[0];
  if (!is_ordinary(factor)) return 0;
  constants c;
  set_gate(&c, 2 * factor, 0, 0);
  set_end(&c, j, largest_u / factor);
  do_groups(j, &c, gate_first_phase, sigmoid_second_phase);
  return 1;
}

/* u = 2 scale t (1 + cubic t^2); some t with 33 < u <= 80, which is enough: beyond it x - z rounds to x in
 * float32. */
static double tanh_gate_end(double scale, double cubic) {
  double t = 0.5 * largest_u / scale;
  while (2 * scale * t * (1 + cubic * t * t) > largest_u) t *= 0.75;
  return t;
}

static int tanh_gate_kernel(const job *j) {
  const double scale = j->parameters[0], cubic = j->parameters[1];
  if (!is_ordinary(scale) || !(cubic >= 0 && cubic <= 0x1p10)) return 0;
  constants c;
  set_gate(&c, 4 * scale, 4 * scale * cubic, tie_offset);
  set_end(&c, j, tanh_gate_end(scale, cubic));
  do_groups(j, &c, tanh_gate_first_phase, gate_second_phase);
  return 1;
}

/* ---- tanh ---- */

/* (1 - e)/(1 + e), e = exp(-2t) = 2^n (c - p)/(c + p), as (c (1 - 2^n) + p (1 + 2^n))/(c (1 + 2^n) + p (1 - 2^n)). For
 * small t 2^n is 1 and the top 2p, as exact as p. Where 2^n is 1/2, |p/c| <= 0.172, so the top is at least 0.24 c, and
 * its error at most 1.1 times that of p/c; later less. Error: p/c 2^-43.84, which for tiny x is all (the result still
 * rounds to x), in all 2^-43.6. */
static inline void tanh_first_phase(const constants *c, group *g, int two) {
  const exponential e = exponential_at(c, g->t[two] * c->slope);
  const f64x2 below = 1 - e.power, above = 1 + e.power;
  g->upper[two] = e.c * below + e.p * above;
  g->lower[two] = e.c * above + e.p * below;
}

static inline f64x2 tanh_second_phase(const constants *c, const group *g, int two, f64x2 x) {
  (void)c;
  return f64x2_copysign(g->upper[two] / g->lower[two], x);
}

/* tanh is 1 in float32 from 9.02 on, and its estimate at 10 is no midpoint. */
static int tanh_kernel(const job *j) {
  constants c;
  set_gate(&c, 4, 0, 0);
  c.end = f32x4_splat(10);
  c.end_is_undecided = 1;
  do_groups(j, &c, tanh_first_phase, tanh_second_phase);
  return 1;
}

/* ---- ReLU ---- */

/* Adding +0 makes +0 of -0 and changes nothing else. */
static inline f32x4 relu_of(f32x4 x) { return f32x4_positive_part(x) + f32x4_splat(0); }

static int relu_kernel(const job *j) {
  size_t start = 0;
  for (; start + 4 <= j->n; start += 4) f32x4_store(j->y + start, relu_of(f32x4_load(j->x + start)));
  float rest[4] = {0};
  const size_t bytes = (j->n - start) * sizeof *rest;
  if (bytes == 0) return 1;
  memcpy(rest, j->x + start, bytes);
  f32x4_store(rest, relu_of(f32x4_load(rest)));
  memcpy(j->y + start, rest, bytes);
  return 1;
}

/* ---- which rule and which kernel ---- */

/* Taken apart into lanes, an estimate and its test are no faster than the float64 kernel: the same bits, and a third of
 * the code that becomes JavaScript. ROUNDED_BY_F64 wants it so, for the page's first kernels, which are to be small. */
#if defined(VEC_BY_LANES) || defined(ROUNDED_BY_F64)
#define IN_LANES(kernel) (0 ? (kernel) : NULL)
#else
#define IN_LANES(kernel) (kernel)
#endif

static const rounding roundings[] = {
    {"gelu",
     HALF_X_PLUS_SQUARE,
     {{0x1.6148dep-16f, 0x1.614a62p-17f}, {-0x1.6148dep-16f, -0x1.61475ap-17f}, {0, 0}},
     GELU_END,
     IN_LANES(gelu_kernel)},
    {"gelu_tanh", HALF_X_PLUS_SQUARE, {{0, 0}}, GELU_TANH_END, IN_LANES(tanh_gate_kernel)},
    {"gelu_sigmoid",
     HALF_X_PLUS_SQUARE,
     {{0x1.e2fa4ep-9f, 0x1.e47e06p-10f}, {-0x1.e2fa4ep-9f, -0x1.e17696p-10f}, {0, 0}},
     GELU_SIGMOID_END,
     IN_LANES(gate_kernel)},
    {"relu", NO_TIES, {{0, 0}}, 0, relu_kernel},
    {"sigmoid", HALF_PLUS_ODD, {{-0x1.250c02p-10f, 0x1.ffb6bep-2f}, {0, 0}}, SIGMOID_END, IN_LANES(sigmoid_kernel)},
    {"tanh", NO_TIES, {{0, 0}}, 0, IN_LANES(tanh_kernel)},
    {"silu", HALF_X_PLUS_SQUARE, {{0, 0}}, SILU_END, IN_LANES(gate_kernel)},
    {"normal_cdf",
     NO_TIES,
     {{0x1.40d932p-24f, 0x1.000002p-1f}, {-0x1.40d932p-25f, 0x1.fffffep-2f}, {0, 0}},
     NORMAL_CDF_END,
     IN_LANES(normal_cdf_kernel)},
};

/* Ties, exceptions and vector kernels are for order 0 only. */
static const rounding plain = {"", NO_TIES, {{0, 0}}, 0, NULL};

static const rounding *rounding_of(const activation *function) {
  for (size_t k = 0; k < sizeof roundings / sizeof roundings[0]; k++)
    if (strcmp(roundings[k].id, function->id) == 0) return &roundings[k];
  return &plain;
}

static int have_defaults(const activation *function, const double *parameters) {
  for (int k = 0; k < function->parameter_count; k++)
    if (bits_of(parameters[k]) != bits_of(function->parameters[k].value)) return 0;
  return 1;
}

void rounded_f32(const activation *function, int order, const double *parameters, const float *x, float *y, size_t n) {
  job j;
  j.rule = order == 0 ? rounding_of(function) : &plain;
  j.evaluate = function->evaluate[order];
  j.parameters = parameters;
  j.are_defaults = have_defaults(function, parameters);
  j.x = x;
  j.y = y;
  j.n = n;
  if (j.rule->kernel == NULL || !j.rule->kernel(&j)) round_chunks(&j, function->kernel[order]);
}
