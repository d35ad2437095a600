/* Random inputs: float64 with the default parameters, and both types with other parameters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "jobs.h"

/* Primes, lest they always meet the same interval. */
enum { CHECK_EVERY = 1021 /* inputs whose reference is compared with MPFR */, ALONE_EVERY = 61 };

static uint64_t random_bits_state;

static uint64_t random_bits(void) {
  random_bits_state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = random_bits_state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double uniform(void) { return (double)(random_bits() >> 11) * 0x1p-53; }
static double between(double low, double high) { return low + (high - low) * uniform(); }

/* Every piece has inputs of its own, the same ones on every machine. */
static void seed(const activation *row, int order, uint64_t piece) {
  random_bits_state = (uint64_t)wide_find(row->id) * 1000003 + (uint64_t)order;
  random_bits_state = random_bits() ^ piece;
  random_bits_state = random_bits();
}

/* Intervals that take turns, so that neither the numbers near 0 nor the tails are missed. */
static const double edges[] = {-1000,  -760,  -700,   -400,    -200,    -100,     -40,      -38,   -37,
                               -30,    -24,   -16,    -12,     -8,      -6,       -5,       -4,    -3.5,
                               -3,     -2.5,  -2,     -1.75,   -1.5,    -1.25,    -1,       -0.75, -0.5,
                               -0.375, -0.25, -0.125, -0.0625, -0x1p-6, -0x1p-10, -0x1p-30, 0};
enum { INTERVALS = sizeof edges / sizeof edges[0] - 1 };

/* Both signs; one in eight from all binades alike. */
static double stratified(uint64_t number) {
  const uint64_t turn = number / 2;
  const double sign = number % 2 == 0 ? 1 : -1;
  if (turn % 8 == 0) return sign * ldexp(1 + uniform(), (int)(uniform() * 2098) - 1074);
  const uint64_t interval = turn % INTERVALS;
  return sign * between(edges[interval], edges[interval + 1]);
}

static void compare_alone(const target *t, double x, double y, tally *found) {
  double alone = 0;
  batch_f64(t->row, t->order, t->defaults ? NULL : t->parameters, &x, &alone, 1);
  if (!same_f64(alone, y))
    tally_fault(found, "%s order %d at x = %a: %a in a batch, %a alone", t->row->id, t->order, x, y, alone);
}

static void run_float64(const target *t, const double *x, size_t n, double allowed, tally *found) {
  static double y[POINTS];
  if (batch_f64(t->row, t->order, t->defaults ? NULL : t->parameters, x, y, n) != GELU_OK)
    fprintf(stderr, "batch_f64 refuses\n");
  for (size_t k = 0; k < n; k++) {
    judge_f64(t, x[k], y[k], allowed, found);
    if (k % ALONE_EVERY == 0) compare_alone(t, x[k], y[k], found);
    if (k % CHECK_EVERY == 0) check_quad(t, x[k], found);
  }
  found->inputs += n;
}

void float64_run(const activation *row, int order, uint64_t first, uint64_t end, tally *found) {
  static double x[POINTS];
  const target t = target_of(row, order, NULL);
  for (uint64_t piece = first; piece < end; piece++) {
    seed(row, order, piece);
    for (size_t k = 0; k < POINTS; k++) x[k] = stratified(k);
    run_float64(&t, x, POINTS, 2, found);
  }
}

/* ---- other parameters ---- */

/* The ends of the range that sliders offer, values in it, and values up to 10 in size. */
static void choose_parameters(const activation *row, uint64_t piece, double *p) {
  for (int k = 0; k < row->parameter_count; k++) {
    const activation_parameter *range = &row->parameters[k];
    const uint64_t turn = (piece + (uint64_t)k) % 4;
    p[k] = turn == 0   ? range->min
           : turn == 1 ? range->max
           : turn == 2 ? between(range->min, range->max)
                       : between(-10, 10);
    if (piece == 3) p[k] = 0;
  }
}

static void run_float32(const target *t, const float *x, size_t n, tally *found) {
  static float y[PARAMETER_POINTS];
  if (batch_f32(t->row, t->order, t->parameters, BATCH_DEFAULT, x, y, n) != GELU_OK)
    fprintf(stderr, "batch_f32 refuses\n");
  for (size_t k = 0; k < n; k++) {
    const verdict v = verdict_at(t, x[k]);
    if (same_f32(y[k], v.nearest) || (y[k] == 0 && v.nearest == 0)) continue;
    found->not_nearest++;
    judge_f32(t, x[k], y[k], 1, &found->worst, found);
  }
  found->inputs += n;
}

void parameters_run(const activation *row, int order, uint64_t first, uint64_t end, tally *found) {
  static double x[PARAMETER_POINTS];
  static float single[PARAMETER_POINTS];
  for (uint64_t piece = first; piece < end; piece++) {
    double p[ACTIVATION_MAX_PARAMETERS];
    seed(row, order + ACTIVATION_ORDERS, piece);
    choose_parameters(row, piece, p);
    const target t = target_of(row, order, p);
    for (size_t k = 0; k < PARAMETER_POINTS; k++) {
      x[k] = k % 8 == 0   ? ldexp(between(-2, 2), (int)(uniform() * 40) - 36)
             : k % 2 == 0 ? between(-4, 4)
                          : between(-60, 60);
      single[k] = (float)x[k];
    }
    run_float32(&t, single, PARAMETER_POINTS, found);
    run_float64(&t, x, PARAMETER_POINTS, 4, found);
  }
}
