#include "truth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int same_f32(float a, float b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }
int same_f64(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

/* ---- targets ---- */

/* A zero between low and high, where the sign changes. */
static double zero_between(const target *t, double low, double high) {
  const int rising = wide_quad_at(t->wide, t->order, t->parameters, high).y > 0;
  for (int k = 0; k < 60; k++) {
    const double middle = low + (high - low) / 2;
    if ((wide_quad_at(t->wide, t->order, t->parameters, middle).y > 0) == rising)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* The grid does not meet 0 and is finer than the distance of any two zeros; with small parameters they lie far out. */
static void find_zeros(target *t) {
  const double step = 0.0625, end = t->defaults ? 10 : 61;
  for (double low = -end - 0.03; low < end && t->zeros_count < MOST_ZEROS; low += step) {
    const quad a = wide_quad_at(t->wide, t->order, t->parameters, low).y;
    const quad b = wide_quad_at(t->wide, t->order, t->parameters, low + step).y;
    if ((a < 0 && b > 0) || (a > 0 && b < 0)) t->zeros[t->zeros_count++] = zero_between(t, low, low + step);
  }
}

static int is_near_zero(const target *t, double x) {
  for (int k = 0; k < t->zeros_count; k++)
    if (fabs(x - t->zeros[k]) <= 0.25) return 1;
  return 0;
}

target target_of(const activation *row, int order, const double *parameters) {
  target t = {.row = row, .reference = reference_find(row->id), .wide = wide_find(row->id), .order = order};
  t.defaults = 1;
  for (int k = 0; k < row->parameter_count; k++) {
    t.parameters[k] = parameters == NULL ? row->parameters[k].value : parameters[k];
    t.defaults = t.defaults && t.parameters[k] == row->parameters[k].value;
  }
  t.at_limit[0] = reference_f64(t.reference, order, t.parameters, -INFINITY);
  t.at_limit[1] = reference_f64(t.reference, order, t.parameters, INFINITY);
  t.at_zero[0] = reference_f64(t.reference, order, t.parameters, -0.0);
  t.at_zero[1] = reference_f64(t.reference, order, t.parameters, 0);
  /* The others have one derivative on the left of 0 and another on the right. */
  t.smooth = strcmp(row->id, "relu") != 0 && strcmp(row->id, "leaky_relu") != 0 && strcmp(row->id, "elu") != 0;
  if (order > 0) find_zeros(&t);
  return t;
}

/* ---- rules: results that need no computation ----
 *
 * Two float32 numbers next to a normal number y are at least 2^-24 of it apart, so that the float32 nearest to
 * y (1 + d) is y itself wherever y is a float32 and |d| < 2^-25. Every row below keeps |d| < 2^-26.
 *
 * Tiny x, |x| < tiny:
 *   HALF         y = x/2 (1 + d), |d| <= |x|: 2 Phi(x) - 1 <= 0.8 |x|, tanh(k x/2) <= 0.86 |x| for k <= 1.702,
 *                tanh(scale (x + cubic x^3)) <= 0.8 |x|; and d has the sign of x. Where x/2 is no float32 (x an odd
 *                multiple of 2^-149) it is the middle of two, and the truth lies above it.
 *   IDENTITY     y = x (1 + d): tanh |d| <= x^2/3, elu |d| <= |x|.
 *   CONSTANT     y = y(0) + d: sigmoid 1/2 and |d| <= |x|/4 < 2^-27; normal_cdf 1/2, |d| <= 0.4 |x| < 2^-26; below 1/2
 *                the middle is 2^-26 away. softplus log(2) and |d| <= |x|/2 + x^2/8 < 2^-26, and log(2) is more than
 *                2^-25.2 from a middle.
 *   THREE_FIFTHS mish: y = 3x/5 (1 + d), |d| <= |x|. 3x/5 lies in the binade of x or in the one below: for a
 * significand m of x, an integer, it is 3m 2^s/5 units of its last place with s = 0 or 1 (0 for subnormal numbers). A
 *                middle, k + 1/2, would need 6m 2^s = 5 (2k + 1), even = odd. So 3x/5 is at least a tenth of a unit
 *                away from any middle, and d moves it by 2^-6 of one at most.
 *
 * Large x: y is what it tends to, x itself or a number, with
 *   x > right    gelu, normal_cdf Phi(-6) < 2^-29; gelu_tanh exp(-24) < 2^-34; gelu_sigmoid exp(-18.7) < 2^-26;
 *                silu, sigmoid exp(-19) < 2^-27; tanh, mish 2 exp(-20) < 2^-27; softplus exp(-19)/19; elu is x
 *   x < -left    below 2^-150, hence 0 with the sign of the limit: 14.5 Phi(-14.5) < 2^-153, 110 exp(-110) < 2^-151,
 *                65 exp(-110.6) < 2^-153, 11 exp(-112.5) < 2^-158, exp(-105) < 2^-151, mish at most 110 exp(-110);
 *                tanh, elu -1 + 2 exp(-20), -1 + exp(-19). */
typedef enum { NO_RULE, HALF, IDENTITY, CONSTANT, THREE_FIFTHS } tiny_rule;

typedef struct {
  tiny_rule kind;
  double tiny, right, left;
} value_rule;

/* In the order of the table of activations in wide.c. */
static const value_rule value_rules[] = {
    {HALF, 0x1p-27, 6, 14.5},         /* gelu */
    {HALF, 0x1p-27, 6, 11},           /* gelu_tanh */
    {HALF, 0x1p-27, 11, 65},          /* gelu_sigmoid */
    {NO_RULE, 0, 0, 0},               /* relu: its definition */
    {CONSTANT, 0x1p-25, 19, 105},     /* sigmoid */
    {IDENTITY, 0x1p-13, 10, 10},      /* tanh */
    {HALF, 0x1p-27, 19, 110},         /* silu */
    {CONSTANT, 0x1p-25, 19, 105},     /* softplus */
    {IDENTITY, 0x1p-26, 0, 19},       /* elu */
    {NO_RULE, 0, 0, INFINITY},        /* leaky_relu: x, or a product */
    {THREE_FIFTHS, 0x1p-30, 10, 110}, /* mish */
    {CONSTANT, 0x1p-25, 6, 14.5},     /* normal_cdf */
};

static float limit_result(const target *t, float x) {
  const double limit = t->at_limit[x > 0];
  return isinf(limit) ? x : (float)limit;
}

static float tiny_result(const target *t, float x, tiny_rule kind) {
  const long double wide = (long double)x;
  switch (kind) {
    case HALF:
      return (float)(wide / 2 + fabsl(wide) * 0x1p-50L);
    case THREE_FIFTHS:
      return (float)(wide * 3 / 5);
    case IDENTITY:
      return x;
    default:
      return (float)t->at_zero[1];
  }
}

/* 1 with y where the contract says it: NaN, zeros, infinities and, with default parameters, all beyond the limit. */
static int contract_result(const target *t, double x, double *y) {
  if (isnan(x)) {
    *y = x;
  } else if (x == 0) {
    *y = t->at_zero[!signbit(x)];
  } else if (isinf(x) || (t->defaults && fabs(x) > wide_limit_from(t->wide))) {
    *y = isinf(t->at_limit[x > 0]) && isfinite(x) ? x : t->at_limit[x > 0];
  } else {
    return 0;
  }
  return 1;
}

/* 1 with the nearest float32 where the contract or a rule says it. */
static int result_by_rule(const target *t, float x, float *nearest) {
  double known;
  if (contract_result(t, (double)x, &known)) {
    *nearest = (float)known;
    return 1;
  }
  if (t->order > 0 || !t->defaults) return 0;
  const value_rule *rule = &value_rules[t->wide];
  if (fabsf(x) < rule->tiny)
    *nearest = tiny_result(t, x, rule->kind);
  else if (x > rule->right || x < -rule->left)
    *nearest = limit_result(t, x);
  else
    return 0;
  return 1;
}

/* ---- float32 ---- */

/* Close to 0 a derivative that is not 0 there is what it is at 0: the next derivative is at most 2 in size. */
enclosure truth_at(const target *t, float x) {
  double known;
  if (contract_result(t, (double)x, &known)) return (enclosure){(long double)known, 0};
  if (t->order > 0 && t->smooth && t->at_zero[1] != 0 && fabsf(x) < 0x1p-32f)
    return (enclosure){(long double)t->at_zero[1], 0x1p-31L};
  if (t->defaults) return wide_at(t->wide, t->order, t->parameters, x);
  const quad_enclosure e = wide_quad_at(t->wide, t->order, t->parameters, (double)x);
  const long double y = (long double)e.y; /* rounded: 2^-64 of it */
  return (enclosure){y, (long double)e.error + fabsl(y) * 0x1p-62L};
}

static int rounds_alike(enclosure truth, long double margin, float *nearest) {
  *nearest = (float)(truth.y - margin);
  return same_f32(*nearest, (float)(truth.y + margin));
}

/* Far above the error of the arithmetic, so that what is decided is decided with 1000 times its error to spare, and
 * that enough inputs go to MPFR to fill the lists of the hardest. */
static const long double undecided_within = 0x1p-44L, close_within = 0x1p-36L;

verdict verdict_at(const target *t, float x) {
  verdict v = {{0, 0}, 0, 1, 1, 0};
  if (result_by_rule(t, x, &v.nearest)) return v;
  v.by_rule = 0;
  v.truth = truth_at(t, x);
  const long double size = fabsl(v.truth.y);
  if (v.truth.error < size * close_within && rounds_alike(v.truth, size * close_within, &v.nearest)) return v;
  v.close = 1;
  v.sure = rounds_alike(v.truth, fmaxl(v.truth.error, size * undecided_within), &v.nearest);
  if (!v.sure) v.nearest = (float)v.truth.y;
  return v;
}

/* How far the truth is from the middle of the two float32 numbers around it, as a share of it. */
static double distance_from_middle(const mpfr_t truth, float nearest) {
  mpfr_t difference;
  mpfr_init2(difference, 64);
  mpfr_sub_d(difference, truth, (double)nearest, MPFR_RNDN);
  const float other = nextafterf(nearest, mpfr_sgn(difference) < 0 ? -INFINITY : INFINITY);
  mpfr_sub_d(difference, truth, ((double)nearest + (double)other) / 2, MPFR_RNDN);
  mpfr_div(difference, difference, truth, MPFR_RNDN);
  const double distance = fabs(mpfr_get_d(difference, MPFR_RNDN));
  mpfr_clear(difference);
  return distance;
}

float settle(const target *t, float x, tally *found) {
  mpfr_t truth;
  mpfr_init2(truth, 64);
  reference_true(truth, t->reference, t->order, t->parameters, (double)x);
  const float nearest = reference_round_f32(truth);
  found->by_mpfr++;
  if (!mpfr_zero_p(truth)) {
    hard_list *list = fabsf(x) < 0x1p-12f ? &found->small_hard : &found->hard;
    hard_list_add(list, (hard_input){x, nearest, distance_from_middle(truth, nearest)});
  }
  mpfr_clear(truth);
  return nearest;
}

/* ---- errors in ULP ---- */

/* A unit of the last place of a format of `precision` bits whose normal numbers begin at 2^lowest. */
static long double ulp_of(long double y, int precision, int lowest) {
  int exponent = lowest + 1;
  if (y != 0) frexpl(y, &exponent);
  return ldexpl(1, (exponent - 1 > lowest ? exponent - 1 : lowest) - (precision - 1));
}

/* Zeros are told apart by their sign; with other parameters than the defaults the contract says nothing of it. */
static int wrong_zero(const target *t, double y, long double truth) {
  return y == 0 && t->defaults && (signbit(y) != 0) != (signbit(truth) != 0);
}

/* An upper bound of the error by the wide reference. */
static double bound_in_ulps(const target *t, double y, long double difference, enclosure truth, long double ulp) {
  if (!isfinite(y) || wrong_zero(t, y, truth.y)) return (double)INFINITY;
  return (double)((fabsl(difference) + truth.error) / ulp);
}

typedef struct {
  double ulps, absolute;
} error_size;

/* The error by MPFR, whose zeros have the signs of the contract. */
static error_size exact_error(const target *t, double x, double y, int single, tally *found) {
  mpfr_t truth, difference;
  mpfr_init2(truth, 64);
  mpfr_init2(difference, 64);
  reference_true(truth, t->reference, t->order, t->parameters, x);
  found->by_mpfr++;
  const double nearest = single ? (double)reference_round_f32(truth) : reference_round_f64(truth);
  error_size e = {0, 0};
  if (!isfinite(nearest) || !isfinite(y) || wrong_zero(t, y, (long double)nearest)) {
    e.ulps = single ? (same_f32((float)nearest, (float)y) ? 0 : (double)INFINITY)
                    : (same_f64(nearest, y) ? 0 : (double)INFINITY);
    e.absolute = e.ulps;
  } else {
    mpfr_sub_d(difference, truth, y, MPFR_RNDN);
    e.absolute = fabs(mpfr_get_d(difference, MPFR_RNDN));
    const long double ulp = single ? ulp_of((long double)nearest, 24, -126) : ulp_of((long double)nearest, 53, -1022);
    e.ulps = (double)(fabsl(mpfr_get_ld(difference, MPFR_RNDN)) / ulp);
  }
  mpfr_clears(truth, difference, (mpfr_ptr)0);
  return e;
}

static const char *parameters_text(const target *t) {
  static char text[80];
  if (t->defaults)
    text[0] = '\0';
  else if (t->row->parameter_count == 1)
    snprintf(text, sizeof text, " with %.17g", t->parameters[0]);
  else
    snprintf(text, sizeof text, " with %.17g, %.17g", t->parameters[0], t->parameters[1]);
  return text;
}

static void judge_exactly(const target *t, double x, double y, int single, double allowed, extreme *worst,
                          tally *found) {
  const error_size e = exact_error(t, x, y, single, found);
  const double absolute = e.absolute * 0x1p52;
  if (!single && e.ulps > 1 && is_near_zero(t, x)) {
    extreme_raise(&found->near_zero, absolute, x);
    if (absolute <= 1) return;
  } else {
    extreme_raise(worst, e.ulps, x);
  }
  if (!(e.ulps <= allowed))
    tally_fault(found, "%s order %d%s at x = %a: %a is %.4g ULP away, allowed %g", t->row->id, t->order,
                parameters_text(t), x, y, e.ulps, allowed);
}

/* MPFR is asked only where the bound is above what is allowed, or a thousandth above the worst so far: where a result
 * saturates, each input is a little worse than the one before. So the worst error is told to a thousandth.
 * An exact result has a bound above 0, too. */
static int is_remarkable(double bound, double allowed, const extreme *worst) {
  return !(bound <= allowed) || bound > worst->size * 1.001 + 0x1p-20;
}

void judge_f32(const target *t, float x, float y, double allowed, extreme *worst, tally *found) {
  const enclosure truth = truth_at(t, x);
  const long double ulp = ulp_of(truth.y, 24, -126);
  const double bound = bound_in_ulps(t, (double)y, (long double)y - truth.y, truth, ulp);
  if (is_remarkable(bound, allowed, worst)) judge_exactly(t, (double)x, (double)y, 1, allowed, worst, found);
}

void judge_f64(const target *t, double x, double y, double allowed, tally *found) {
  double known;
  if (contract_result(t, x, &known)) {
    found->by_rule++;
    if (!same_f64(known, y)) judge_exactly(t, x, y, 0, allowed, &found->worst, found);
    return;
  }
  const quad_enclosure e = wide_quad_at(t->wide, t->order, t->parameters, x);
  const enclosure truth = {(long double)e.y, (long double)e.error};
  const long double difference = (long double)((quad)y - e.y);
  const double bound = bound_in_ulps(t, y, difference, truth, ulp_of(truth.y, 53, -1022));
  const double absolute = (double)((fabsl(difference) + truth.error) * 0x1p52L);
  if (isfinite(bound) && absolute <= fmin(found->near_zero.size, 1) && is_near_zero(t, x)) return;
  if (is_remarkable(bound, allowed, &found->worst)) judge_exactly(t, x, y, 0, allowed, &found->worst, found);
}

/* ---- the reference itself ---- */

static void check_reference(const target *t, double x, quad y, long double error, tally *found) {
  const long double high = (long double)y, low = (long double)(y - (quad)high);
  mpfr_t truth, difference;
  mpfr_init2(truth, 64);
  reference_true(truth, t->reference, t->order, t->parameters, x);
  mpfr_init2(difference, mpfr_get_prec(truth));
  mpfr_set_ld(difference, low, MPFR_RNDN);
  mpfr_sub(truth, truth, difference, MPFR_RNDN);
  mpfr_set_ld(difference, high, MPFR_RNDN);
  mpfr_sub(truth, truth, difference, MPFR_RNDN);
  const long double apart = fabsl(mpfr_get_ld(truth, MPFR_RNDN));
  mpfr_clears(truth, difference, (mpfr_ptr)0);
  found->checked++;
  const double share = apart == 0 ? 0 : error > 0 ? (double)(apart / error) : (double)INFINITY;
  if (share > found->deviation) found->deviation = share;
  if (!(share <= 1)) tally_fault(found, "THE REFERENCE of %s order %d is wrong at x = %a", t->row->id, t->order, x);
}

void check_long(const target *t, float x, enclosure truth, tally *found) {
  check_reference(t, (double)x, (quad)truth.y, truth.error, found);
}

void check_rule(const target *t, float x, float nearest, tally *found) {
  found->checked++;
  if (!same_f32(nearest, reference_f32(t->reference, t->order, t->parameters, (double)x)))
    tally_fault(found, "A RULE for %s order %d is wrong at x = %a", t->row->id, t->order, (double)x);
}

void check_quad(const target *t, double x, tally *found) {
  if (!isfinite(x) || fabs(x) > wide_limit_from(t->wide)) return;
  const quad_enclosure e = wide_quad_at(t->wide, t->order, t->parameters, x);
  check_reference(t, x, e.y, (long double)e.error, found);
}
