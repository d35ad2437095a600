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

/* The largest local maxima of a difference: more than this many never lie near the largest one. */
enum { MOST_PEAKS = 24 };

typedef struct {
  int count;
  double x[MOST_PEAKS], error[MOST_PEAKS];
} peak_list;

static void keep_peak(peak_list *all, sample s) {
  if (all == NULL || !s.counts) return;
  int place = all->count;
  if (place == MOST_PEAKS) {
    place = 0;
    for (int i = 1; i < MOST_PEAKS; i++)
      if (all->error[i] < all->error[place]) place = i;
    if (all->error[place] >= s.error) return;
  } else {
    all->count++;
  }
  all->x[place] = s.x;
  all->error[place] = s.error;
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
static void refine(const problem *p, double low, double high, sample *best, peak_list *all) {
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
  keep_peak(all, s);
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

/* Relative: between the two the reference underflows to 0, which is left out. Beside that the error is largest. */
static void look_at_underflow(const problem *p, sample counts, double is_left_out, sample *best) {
  while (1) {
    const double middle = counts.x + (is_left_out - counts.x) / 2;
    if (middle == counts.x || middle == is_left_out) break;
    const sample s = sample_at(p, middle);
    if (s.counts)
      counts = s;
    else
      is_left_out = middle;
  }
  keep_larger(best, counts);
}

static void search_piece(const problem *p, double from, double to, sample *best, peak_list *all) {
  const double longest = (to - from) / 256 < longest_step ? (to - from) / 256 : longest_step;
  sample before = sample_at(p, from), here = before;
  keep_larger(best, here);
  keep_peak(all, here);
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
    if (p->relative && next.counts != here.counts)
      look_at_underflow(p, here.counts ? here : next, here.counts ? next.x : here.x, best);
    const double drop = p->order + 1 < ACTIVATION_ORDERS ? 0 : 64 * here.noise; /* else the numeric slope is noise */
    if (here.error > before.error + drop && here.error >= next.error + drop && here.error >= 0.5 * best->error) {
      keep_peak(all, here);
      refine(p, before.x, next.x, best, all);
    }
    before = here;
    here = next;
  }
  keep_peak(all, here);
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

/* The largest difference and, where asked for, the local maxima of which it may be one. */
static sample largest_difference(const problem *p, double from, double to, peak_list *all) {
  sample best = {from, -1, 0, 0, 0};
  if (p->relative && from < 0 && to >= 0) look_beside_zero(p, -beside_zero, &best);
  if (p->relative && from <= 0 && to > 0) look_beside_zero(p, beside_zero, &best);
  if (from <= 0) search_piece(p, from, to < 0 ? to : 0, &best, all);
  if (to > 0) search_piece(p, from > 0 ? from : beside_zero < to ? beside_zero : to, to, &best, all);
  settle_at_zero(p, from, to, &best);
  if (best.error < 0) best.error = 0;
  return best;
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
  const sample best = largest_difference(&p, from, to, NULL);
  result->error = best.error;
  result->at = best.x;
  result->rms = root_mean_square(&p, from, to, result->error);
  return GELU_OK;
}

/* ---- the best parameters ---- */

/* Points of the grid along each of one or two parameters. */
enum { GRID_ONE = 33, GRID_TWO = 17 };

/* A search that has not ended by then goes to and fro in rounding errors. */
enum { MOST_DESCENTS = 100 };

/* Of a parameter's range, for the derivative of a maximum with respect to it. */
static const double difference_step = 0x1p-20;

gelu_status fit_start(parameter_fit *fit, compare_side a, compare_side b, int order, double from, double to,
                      unsigned vary) {
  if (a.function == NULL || b.function == NULL) return GELU_UNKNOWN_FUNCTION;
  if (order < 0 || order >= ACTIVATION_ORDERS) return GELU_UNKNOWN_ORDER;
  if (vary == 0 || vary >> a.function->parameter_count != 0) return GELU_UNKNOWN_OPTION;
  parameter_fit start = {.a = a.function, .b = b.function, .order = order, .from = from, .to = to};
  activation_function *unused[ACTIVATION_ORDERS];
  const double *same;
  if (take_side(a, unused, start.best, &same) != GELU_OK) return GELU_BAD_PARAMETER;
  if (take_side(b, unused, start.reference, &same) != GELU_OK) return GELU_BAD_PARAMETER;
  if (!(from < to && from >= -1e4 && to <= 1e4)) return GELU_BAD_INTERVAL;
  if (fit == NULL) return GELU_NULL_POINTER;
  for (int j = 0; j < a.function->parameter_count; j++)
    if ((vary >> j & 1) != 0) start.varied[start.count++] = j;
  start.grid_steps = start.count == 1 ? GRID_ONE : GRID_TWO * GRID_TWO;
  start.error = infinite;
  start.at = from;
  *fit = start;
  return GELU_OK;
}

static const activation_parameter *varied_parameter(const parameter_fit *fit, int j) {
  return &fit->a->parameters[fit->varied[j]];
}

static double range_of(const parameter_fit *fit, int j) {
  return varied_parameter(fit, j)->max - varied_parameter(fit, j)->min;
}

static void pose(problem *p, const parameter_fit *fit, const double *parameters) {
  for (int k = 0; k < ACTIVATION_ORDERS; k++) p->a[k] = fit->a->evaluate[k], p->b[k] = fit->b->evaluate[k];
  p->a_parameters = parameters;
  p->b_parameters = fit->reference;
  p->order = fit->order;
  p->relative = 0;
}

/* Takes `parameters` where they are better than the best so far. */
static int consider(parameter_fit *fit, const double *parameters) {
  problem p;
  pose(&p, fit, parameters);
  const sample found = largest_difference(&p, fit->from, fit->to, NULL);
  if (!(found.error < fit->error)) return 0;
  for (int j = 0; j < ACTIVATION_MAX_PARAMETERS; j++) fit->best[j] = parameters[j];
  fit->error = found.error;
  fit->at = found.x;
  return 1;
}

/* How each local maximum goes with the parameters: value (with its sign) and slopes. */
typedef struct {
  int count;
  double value[MOST_PEAKS], slope[MOST_PEAKS][ACTIVATION_MAX_PARAMETERS];
} linear_model;

static double difference_at(const problem *p, double x) {
  return p->a[p->order](x, p->a_parameters) - p->b[p->order](x, p->b_parameters);
}

static linear_model linearise(const parameter_fit *fit) {
  problem p;
  pose(&p, fit, fit->best);
  peak_list peaks;
  peaks.count = 0;
  largest_difference(&p, fit->from, fit->to, &peaks);
  linear_model m;
  m.count = peaks.count;
  for (int i = 0; i < m.count; i++) {
    m.value[i] = difference_at(&p, peaks.x[i]);
    for (int j = 0; j < fit->count; j++) {
      const int name = fit->varied[j];
      const double step = difference_step * range_of(fit, j);
      double beside[ACTIVATION_MAX_PARAMETERS] = {fit->best[0], fit->best[1]};
      p.a_parameters = beside;
      beside[name] = fit->best[name] + step;
      const double above = difference_at(&p, peaks.x[i]);
      beside[name] = fit->best[name] - step;
      m.slope[i][j] = (above - difference_at(&p, peaks.x[i])) / (2 * step);
      p.a_parameters = fit->best;
    }
  }
  return m;
}

static double predicted_error(const linear_model *m, const double *move, int count) {
  double largest = 0;
  for (int i = 0; i < m->count; i++) {
    double value = m->value[i];
    for (int j = 0; j < count; j++) value += m->slope[i][j] * move[j];
    if (magnitude(value) > largest) largest = magnitude(value);
  }
  return largest;
}

/* The move in [low, high] for which the model's error is least: golden section along the parameter j, inside it along
 * those after it. The error is convex, so nothing is missed. */
static double best_move(const linear_model *m, const double *low, const double *high, double *move, int j, int count) {
  if (j == count) return predicted_error(m, move, count);
  static const double golden = 0x1.3c6ef372fe950p-1; /* (sqrt(5) - 1) / 2 */
  double left = low[j], right = high[j], at[2], error[2];
  for (int side = 0; side < 2; side++) {
    at[side] = side == 0 ? right - golden * (right - left) : left + golden * (right - left);
    move[j] = at[side];
    error[side] = best_move(m, low, high, move, j + 1, count);
  }
  for (int k = 0; k < 80; k++) {
    const int side = error[0] <= error[1] ? 0 : 1; /* the new point comes on the side of the smaller error */
    if (side == 0) right = at[1], at[1] = at[0], error[1] = error[0];
    if (side == 1) left = at[0], at[0] = at[1], error[0] = error[1];
    at[side] = side == 0 ? right - golden * (right - left) : left + golden * (right - left);
    move[j] = at[side];
    error[side] = best_move(m, low, high, move, j + 1, count);
  }
  move[j] = error[0] <= error[1] ? at[0] : at[1];
  return best_move(m, low, high, move, j + 1, count);
}

/* radius: how far, as a share of the range of each parameter, the linear model is trusted. */
static void descend(parameter_fit *fit) {
  const linear_model m = linearise(fit);
  double low[ACTIVATION_MAX_PARAMETERS] = {0}, high[ACTIVATION_MAX_PARAMETERS] = {0};
  double move[ACTIVATION_MAX_PARAMETERS] = {0};
  for (int j = 0; j < fit->count; j++) {
    const activation_parameter *parameter = varied_parameter(fit, j);
    const double here = fit->best[fit->varied[j]], far = fit->radius * range_of(fit, j);
    low[j] = here - far > parameter->min ? -far : parameter->min - here;
    high[j] = here + far < parameter->max ? far : parameter->max - here;
  }
  const double before = fit->error, hoped = best_move(&m, low, high, move, 0, fit->count);
  double trial[ACTIVATION_MAX_PARAMETERS] = {fit->best[0], fit->best[1]}, length = 0;
  for (int j = 0; j < fit->count; j++) {
    trial[fit->varied[j]] += move[j];
    const double share = magnitude(move[j]) / range_of(fit, j);
    if (share > length) length = share;
  }
  if (!(hoped < before) || !consider(fit, trial))
    fit->radius = length / 4;
  else if (before - fit->error > 0.75 * (before - hoped))
    fit->radius *= 2;
  fit->done = fit->radius < 0x1p-51;
}

int fit_step(parameter_fit *fit) {
  if (fit->done) return 0;
  const int points = fit->count == 1 ? GRID_ONE : GRID_TWO;
  if (fit->steps < fit->grid_steps) {
    double parameters[ACTIVATION_MAX_PARAMETERS] = {fit->best[0], fit->best[1]};
    int place = fit->steps;
    for (int j = 0; j < fit->count; j++) {
      const activation_parameter *parameter = varied_parameter(fit, j);
      const double share = (double)(place % points) / (points - 1);
      parameters[fit->varied[j]] = parameter->min * (1 - share) + parameter->max * share;
      place /= points;
    }
    consider(fit, parameters);
    fit->radius = 1.0 / (points - 1);
  } else {
    descend(fit);
  }
  fit->steps++;
  if (fit->steps >= fit->grid_steps + MOST_DESCENTS || fit->error == 0) fit->done = 1;
  return !fit->done;
}
