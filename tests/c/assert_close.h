/* Asserts on floating-point numbers that know NaN, infinities and the sign of zero, and say what was compared.
 * (cmocka's assert_float_equal passes NaN against 1.) Include after cmocka.h. */
#ifndef GELU_ASSERT_CLOSE_H
#define GELU_ASSERT_CLOSE_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What is tested: printed with a failure. */
typedef struct {
  const char *function;
  int order;
  double x;
} tested;

/* Both NaN, or the same number with the same sign. */
static inline int same_number(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && (signbit(a) != 0) == (signbit(b) != 0));
}

/* got - want in units of the last place of want, want having `precision` bits (53 or 24) and exponents from `lowest`.
 * INFINITY where they cannot be compared: one is NaN or infinite and the other not, or zeros of unlike sign. */
static inline double ulps_apart(double got, double want, int precision, int lowest) {
  if (same_number(got, want)) return 0;
  if (isnan(got) || isnan(want) || isinf(got) || isinf(want) || (got == 0 && want == 0)) return (double)INFINITY;
  int exponent = lowest;
  if (want != 0) {
    frexp(want, &exponent);
    exponent -= 1;
    if (exponent < lowest) exponent = lowest;
  }
  return ldexp(got, precision - 1 - exponent) - ldexp(want, precision - 1 - exponent);
}

static inline double ulps_f64(double got, double want) { return ulps_apart(got, want, 53, -1022); }
static inline double ulps_f32(float got, float want) { return ulps_apart((double)got, (double)want, 24, -126); }

static inline void fail_close(tested what, double got, double want, double ulps, const char *bound, const char *file,
                              int line) {
  print_error("%s order %d at x = %.17g (%a)\n  got  %.17g (%a)\n  want %.17g (%a)\n  %.3f ULP apart, allowed: %s\n",
              what.function, what.order, what.x, what.x, got, got, want, want, ulps, bound);
  _fail(file, line);
}

static inline void check_ulps(tested what, double got, double want, double allowed, const char *file, int line) {
  const double ulps = ulps_f64(got, want);
  char bound[40];
  snprintf(bound, sizeof bound, "%g ULP", allowed);
  if (!(fabs(ulps) <= allowed)) fail_close(what, got, want, ulps, bound, file, line);
}

static inline void check_ulps_f32(tested what, float got, float want, double allowed, const char *file, int line) {
  const double ulps = ulps_f32(got, want);
  char bound[40];
  snprintf(bound, sizeof bound, "%g float32 ULP", allowed);
  if (!(fabs(ulps) <= allowed)) fail_close(what, (double)got, (double)want, ulps, bound, file, line);
}

static inline void check_within(tested what, double got, double want, double absolute, const char *file, int line) {
  char bound[40];
  snprintf(bound, sizeof bound, "%g absolute", absolute);
  if (!(fabs(got - want) <= absolute)) fail_close(what, got, want, ulps_f64(got, want), bound, file, line);
}

#define assert_ulps(what, got, want, allowed) check_ulps(what, got, want, allowed, __FILE__, __LINE__)
#define assert_ulps_f32(what, got, want, allowed) check_ulps_f32(what, got, want, allowed, __FILE__, __LINE__)
#define assert_within(what, got, want, absolute) check_within(what, got, want, absolute, __FILE__, __LINE__)
#define assert_same(what, got, want) check_ulps(what, got, want, 0, __FILE__, __LINE__)

#endif
