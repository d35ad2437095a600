#include "compare.h"

#include <math.h>
#include <stddef.h>

#include "pair.h"

static const double infinite = (double)INFINITY;

/* Sampling: steps of at most 1/64 of |x| (so that a structure at 1e-5 is seen as well as one at 1), of at most 1/4,
 * and at least 256 in each piece. */
static const double smallest_scale = 0x1p-20;
static const double relative_step = 0x1p-6;
static const double longest_step = 0.25;

/* Every function of the table is smooth on either side of 0; the right side begins here, so that a jump of a
 * derivative at 0 counts with both of its limits. */
static const double beside_zero = 0x1p-1000;

/* What is compared, and how. */
typedef struct {
  activation_function *a[ACTIVATION_ORDERS], *b[ACTIVATION_ORDERS];
  const double *a_parameters, *b_parameters;
  double a_defaults[ACTIVATION_MAX_PARAMETERS], b_defaults[ACTIVATION_MAX_PARAMETERS];
  int order, relative;
} problem;

typedef struct {
  double x, error;
  double noise;     /* what the rounding of a and b can do to the error */
  double reference; /* b(x) */
  int counts;       /* 0: left out */
} sample;

static sample sample_at(const problem *p, double x) {
  const double a = p->a[p->order](x, p->a_parameters);
  const double b = p->b[p->order](x, p->b_parameters);
  sample s = {x, magnitude(a - b), 0x1p-51 * (magnitude(a) + magnitude(b)), b, 1};
  if (!is_finite(a) || !is_finite(b)) {
    s.counts = a != b;
    s.error = s.counts ? infinite : 0;
    s.noise = 0;
  } else if (p->relative) {
    s.counts = b != 0;
    s.error = s.counts ? s.error / magnitude(b) : 0;
    s.noise = s.counts ? s.noise / magnitude(b) : 0;
  }
  return s;
}

static void keep_larger(sample *best, sample s) {
  const double noise = s.noise > best->noise ? s.noise : best->noise;
  if (s.counts && s.error > best->error + noise) *best = s;
}

/* A number that is 0 where the error is stationary: the derivative of the difference, or of the ratio times b^2.
 * For the second derivative of a row there is no third: four values beside x give it to 1e-12. */
static double slope_at(const problem *p, double x, double step) {
  const int next = p->order + 1;
  if (next == ACTIVATION_ORDERS) {
    double e[4];
    for (int k = 0; k < 4; k++) {
      const double at = x + step * (k < 2 ? k - 2 : k - 1);
      const double a = p->a[p->order](at, p->a_parameters), b = p->b[p->order](at, p->b_parameters);
      e[k] = p->relative ? (a - b) / b : a - b;
    }
    return (e[0] - e[3]) + 8 * (e[2] - e[1]);
  }
  const double a1 = p->a[next](x, p->a_parameters), b1 = p->b[next](x, p->b_parameters);
  if (!p->relative) return a1 - b1;
  return a1 * p->b[p->order](x, p->b_parameters) - b1 * p->a[p->order](x, p->a_parameters);
}

/* The maximum between two samples: where the slope changes sign. Without a change of sign (rounding, or a numeric
 * slope that fails) the samples themselves have to do. */
static void refine(const problem *p, double low, double high, sample *best) {
  const double step = (high - low) / 16;
  double left = low + 2 * step, right = high - 2 * step;
  if (p->order + 1 < ACTIVATION_ORDERS) left = low, right = high;
  const double slope_left = slope_at(p, left, step);
  if (!(slope_left * slope_at(p, right, step) < 0)) return;
  for (int k = 0; k < 80; k++) {
    const double middle = left + (right - left) / 2;
    if (middle <= left || middle >= right) break;
    if (slope_left * slope_at(p, middle, step) > 0)
      left = middle;
    else
      right = middle;
  }
  sample s = sample_at(p, left + (right - left) / 2);
  /* The stationary point is better known than the values tell: it replaces a sample that equals it within rounding. */
  if (best->x >= low && best->x <= high && s.error >= best->error - best->noise) *best = s;
  keep_larger(best, s);
}

/* Relative: the reference changes sign between low and high. The error grows without bound towards the zero unless
 * the other function has the same zero: then it is about the same at 2^-40 as at 2^-20 of the step. */
static void look_at_zero(const problem *p, double low, double high, sample *best) {
  const double width = high - low;
  const double sign = p->b[p->order](low, p->b_parameters);
  while (1) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (p->b[p->order](middle, p->b_parameters) * sign > 0)
      low = middle;
    else
      high = middle;
  }
  const sample near = sample_at(p, low - width * 0x1p-40), far = sample_at(p, low - width * 0x1p-20);
  if (near.counts && far.counts && near.error > 1000 * far.error) {
    *best = near;
    best->x = high;
    best->error = infinite;
  }
}

static void search_piece(const problem *p, double from, double to, sample *best) {
  const double longest = (to - from) / 256 < longest_step ? (to - from) / 256 : longest_step;
  sample before = sample_at(p, from), here = before;
  keep_larger(best, here);
  while (here.x < to && best->error < infinite) {
    double step = relative_step * (magnitude(here.x) + smallest_scale);
    if (here.x < 0 && -here.x > smallest_scale) step *= 1 - relative_step; /* as if coming from the other side */
    if (step > longest) step = longest;
    double x = here.x + step;
    if (!(x > here.x && x < to)) x = to;
    const sample next = sample_at(p, x);
    keep_larger(best, next);
    if (p->relative && next.counts && here.counts && (next.reference < 0) != (here.reference < 0))
      look_at_zero(p, here.x, next.x, best);
    const double drop = p->order + 1 < ACTIVATION_ORDERS ? 0 : 64 * here.noise; /* else the numeric slope is noise */
    if (here.error > before.error + drop && here.error >= next.error + drop && here.error >= 0.5 * best->error)
      refine(p, before.x, next.x, best);
    before = here;
    here = next;
  }
}

/* Relative, at 0: a reference that vanishes there while the other function does not. */
static void look_beside_zero(const problem *p, double x, sample *best) {
  const sample s = sample_at(p, x);
  if (!s.counts || s.error < 1e100) return;
  *best = s;
  best->x = 0;
  best->error = infinite;
}

/* Five-point Gauss-Legendre: integral of (error/unit)^2, the length that counts, and what rounding can do to the first.
 */
typedef struct {
  double square, length, noise;
} integral;

static integral gauss(const problem *p, double from, double to, double unit) {
  static const double node[3] = {0, 0.53846931010568309, 0.90617984593866399};
  static const double weight[3] = {0.56888888888888889, 0.47862867049936647, 0.23692688505618909};
  const double middle = from + (to - from) / 2, half = (to - from) / 2;
  integral sum = {0, 0, 0};
  for (int k = -2; k <= 2; k++) {
    const int j = k < 0 ? -k : k;
    const sample s = sample_at(p, middle + (k < 0 ? -half : half) * node[j]);
    if (!s.counts) continue;
    const double e = s.error / unit, noise = s.noise / unit;
    sum.square += weight[j] * half * e * e;
    sum.length += weight[j] * half;
    sum.noise += weight[j] * half * (2 * e + noise) * noise;
  }
  return sum;
}

/* Halvings of a panel at most: what is still unsettled then is too narrow to count. */
enum { DEEPEST = 12 };

/* Halved until two halves agree with the whole, as far as rounding lets them: a difference that is little more than
 * rounding never would. */
static integral integrate(const problem *p, double from, double to, double unit, integral whole, int depth) {
  const double middle = from + (to - from) / 2;
  const integral left = gauss(p, from, middle, unit), right = gauss(p, middle, to, unit);
  const double square = left.square + right.square, length = left.length + right.length;
  const double noise = left.noise + right.noise;
  const int settled = magnitude(square - whole.square) <= 1e-11 * square + 1e-14 * (to - from) + noise &&
                      magnitude(length - whole.length) <= 1e-11 * (to - from);
  if (settled || depth == 0) return (integral){square, length, noise};
  const integral a = integrate(p, from, middle, unit, left, depth - 1);
  const integral b = integrate(p, middle, to, unit, right, depth - 1);
  return (integral){a.square + b.square, a.length + b.length, a.noise + b.noise};
}

static void integrate_panel(const problem *p, double from, double to, double unit, integral *sum) {
  const integral part = integrate(p, from, to, unit, gauss(p, from, to, unit), DEEPEST);
  sum->square += part.square;
  sum->length += part.length;
}

/* Panels between the powers of 2 from 2^-20 on: none is so wide that the five points miss all that is in it. */
static void integrate_side(const problem *p, double from, double to, double sign, double unit, integral *sum) {
  while (from < to) {
    double end = from < smallest_scale ? smallest_scale : from < 4 ? 2 * from : from + 4;
    if (!(end < to)) end = to;
    if (sign < 0)
      integrate_panel(p, -end, -from, unit, sum);
    else
      integrate_panel(p, from, end, unit, sum);
    from = end;
  }
}

static double root_mean_square(const problem *p, double from, double to, double largest) {
  if (largest == 0 || !is_finite(largest)) return largest;
  integral sum = {0, 0, 0};
  if (from < 0) integrate_side(p, to < 0 ? -to : 0, -from, -1, largest, &sum);
  if (to > 0) integrate_side(p, from > 0 ? from : 0, to, 1, largest, &sum);
  return sum.length > 0 ? largest * sqrt(sum.square / sum.length) : 0;
}

static gelu_status take_side(compare_side side, activation_function **evaluate, double *defaults,
                             const double **parameters) {
  for (int k = 0; k < side.function->parameter_count; k++) {
    defaults[k] = side.parameters == NULL ? side.function->parameters[k].value : side.parameters[k];
    if (!is_finite(defaults[k])) return GELU_BAD_PARAMETER;
  }
  for (int k = 0; k < ACTIVATION_ORDERS; k++) evaluate[k] = side.function->evaluate[k];
  *parameters = defaults;
  return GELU_OK;
}

/* A maximum beside 0 that 0 shares within rounding is one at 0: many differences are even. */
static void settle_at_zero(const problem *p, double from, double to, sample *best) {
  if (best->x == beside_zero) best->x = 0;
  if (from > 0 || to < 0 || magnitude(best->x) > 0x1p-24 || best->error == infinite) return;
  const sample zero = sample_at(p, 0);
  if (zero.counts && zero.error >= best->error - 2 * best->noise) *best = zero;
}

gelu_status compare_functions(compare_side a, compare_side b, int order, double from, double to, int relative,
                              comparison *result) {
  if (a.function == NULL || b.function == NULL) return GELU_UNKNOWN_FUNCTION;
  if (order < 0 || order >= ACTIVATION_ORDERS) return GELU_UNKNOWN_ORDER;
  problem p;
  p.order = order;
  p.relative = relative != 0;
  if (take_side(a, p.a, p.a_defaults, &p.a_parameters) != GELU_OK) return GELU_BAD_PARAMETER;
  if (take_side(b, p.b, p.b_defaults, &p.b_parameters) != GELU_OK) return GELU_BAD_PARAMETER;
  if (!(from < to && from >= -1e4 && to <= 1e4)) return GELU_BAD_INTERVAL;
  if (result == NULL) return GELU_NULL_POINTER;
  sample best = {from, -1, 0, 0, 0};
  if (p.relative && from < 0 && to >= 0) look_beside_zero(&p, -beside_zero, &best);
  if (p.relative && from <= 0 && to > 0) look_beside_zero(&p, beside_zero, &best);
  if (from <= 0) search_piece(&p, from, to < 0 ? to : 0, &best);
  if (to > 0) search_piece(&p, from > 0 ? from : beside_zero < to ? beside_zero : to, to, &best);
  settle_at_zero(&p, from, to, &best);
  result->error = best.error < 0 ? 0 : best.error;
  result->at = best.x;
  result->rms = root_mean_square(&p, from, to, result->error);
  return GELU_OK;
}
