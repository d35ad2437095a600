/* Worst error of every function and order against MPFR on random inputs, in ULPs, and where.
 *
 *   measure_float64 [points per interval [id [order [parameter ...]]]]
 *
 * The inputs are spread over intervals of equal numbers of points, so that neither the binades near 0 nor the tail
 * are missed; near a zero of a derivative (within 1/4) the absolute error in units of 2^-52 is reported apart. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "activation.h"
#include "reference.h"
#include "special.h"

static uint64_t state = 20251129;

static double uniform(void) {
  state += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = state;
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static const double edges[] = {-1000,  -760,  -700,   -400,    -200,    -100,     -40,      -38,   -37,
                               -30,    -24,   -16,    -12,     -8,      -6,       -5,       -4,    -3.5,
                               -3,     -2.5,  -2,     -1.75,   -1.5,    -1.25,    -1,       -0.75, -0.5,
                               -0.375, -0.25, -0.125, -0.0625, -0x1p-6, -0x1p-10, -0x1p-30, 0};
enum { EDGES = sizeof edges / sizeof edges[0] };

typedef struct {
  double ulps, at;
  double absolute, absolute_at; /* near a zero of a derivative */
} worst;

/* Whether the sign changes within 1/4 of x; only derivatives count. */
static int near_zero(const activation *f, int order, const double *p, double x) {
  if (order == 0) return 0;
  int signs = 0;
  for (int k = -8; k <= 8; k++) {
    const double y = f->evaluate[order](x + k / 32.0, p);
    signs |= y > 0 ? 1 : y < 0 ? 2 : 0;
  }
  return signs == 3;
}

static void measure_point(worst *w, const activation *f, const reference_function *r, int order, const double *p,
                          double x) {
  mpfr_t truth;
  mpfr_init2(truth, 64);
  reference_true(truth, r, order, p, x);
  const double got = f->evaluate[order](x, p);
  const double ulps = fabs(reference_error_in_ulps(truth, got));
  const int defaults =
      f->parameter_count == 0 || memcmp(p, reference_defaults(r), sizeof *p * (size_t)f->parameter_count) == 0;
  /* The reference knows the signs of zeros far out for the default parameters only. */
  if (!defaults && mpfr_zero_p(truth) && got == 0) {
    mpfr_clear(truth);
    return;
  }
  if (ulps > (defaults ? 1 : 4) && near_zero(f, order, p, x)) {
    mpfr_sub_d(truth, truth, got, MPFR_RNDN);
    const double absolute = fabs(mpfr_get_d(truth, MPFR_RNDN)) * 0x1p52;
    if (absolute > w->absolute) w->absolute = absolute, w->absolute_at = x;
  } else if (!(ulps <= w->ulps)) {
    w->ulps = ulps, w->at = x;
  }
  mpfr_clear(truth);
}

static void measure(const activation *f, int order, const double *p, int points) {
  const reference_function *r = reference_find(f->id);
  worst w = {0, 0, 0, 0};
  for (int k = 0; k + 1 < EDGES; k++)
    for (int i = 0; i < points; i++) {
      const double x = edges[k] + (edges[k + 1] - edges[k]) * uniform();
      measure_point(&w, f, r, order, p, x);
      measure_point(&w, f, r, order, p, -x);
    }
  for (int i = 0; i < points; i++) {
    const double x = ldexp(1 + uniform(), (int)(uniform() * 2098) - 1074);
    measure_point(&w, f, r, order, p, x);
    measure_point(&w, f, r, order, p, -x);
  }
  printf("%-13s %d  %6.3f ULP at %-24.17g", f->id, order, w.ulps, w.at);
  if (w.absolute > 0) printf("  near a zero %.3f 2^-52 at %.17g", w.absolute, w.absolute_at);
  printf("\n");
  fflush(stdout);
}

static double block_exp(double x, const double *p) { return (void)p, special_exp(x); }
static double block_expm1(double x, const double *p) { return (void)p, special_expm1(x); }
static double block_erfc(double x, const double *p) { return (void)p, special_erfc(x); }

/* The building blocks as if they were rows of the table. */
static const activation blocks[] = {
    {"special_exp", 0, {{NULL, 0, 0, 0}}, {block_exp, NULL, NULL}},
    {"special_expm1", 0, {{NULL, 0, 0, 0}}, {block_expm1, NULL, NULL}},
    {"special_erfc", 0, {{NULL, 0, 0, 0}}, {block_erfc, NULL, NULL}},
};

int main(int argc, char **argv) {
  const int points = argc > 1 ? atoi(argv[1]) : 1000;
  const int block_count = (int)(sizeof blocks / sizeof blocks[0]);
  for (int k = 0; k < activation_count() + block_count; k++) {
    const activation *f = k < activation_count() ? activation_at(k) : &blocks[k - activation_count()];
    double p[ACTIVATION_MAX_PARAMETERS];
    for (int i = 0; i < f->parameter_count; i++) p[i] = argc > 4 + i ? atof(argv[4 + i]) : f->parameters[i].value;
    if (argc > 2 && strcmp(argv[2], f->id) != 0 && strcmp(argv[2], "all") != 0) continue;
    for (int order = 0; order < ACTIVATION_ORDERS && f->evaluate[order] != NULL; order++)
      if (argc <= 3 || strcmp(argv[3], "all") == 0 || atoi(argv[3]) == order) measure(f, order, p, points);
  }
  return 0;
}
