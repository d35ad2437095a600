/* Building blocks: accuracy against the reference vectors, special values, identities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_close.h"
#include "special.h"
#include "vectors.h"

typedef struct {
  const char *id;
  double (*evaluate)(double);
  double allowed; /* ULP */
} block;

static const block blocks[] = {
    {"special_exp", special_exp, 1.0},
    {"special_expm1", special_expm1, 1.0},
    {"special_erfc", special_erfc, 1.5},
    {"special_log", special_log, 0.54},
};

/* The same functions under the names of the table, which has vectors for them. */
static const block rows[] = {
    {"softplus", special_log1p_exp, 1.0},
    {"normal_cdf", normal_cdf, 1.5},
};

typedef struct {
  const block *tested;
  double worst, at;
} measured;

static void measure(const vector *v, void *context) {
  measured *m = context;
  if (v->order != 0) return;
  const double ulps = fabs(ulps_f64(m->tested->evaluate(v->x), v->y) - v->rest);
  if (ulps <= m->worst) return;
  m->worst = ulps;
  m->at = v->x;
  if (ulps > m->tested->allowed)
    fail_close((tested){m->tested->id, 0, v->x}, m->tested->evaluate(v->x), v->y, ulps, "the header's bound", __FILE__,
               __LINE__);
}

static void check_block(const block *b) {
  measured m = {b, 0, 0};
  assert_true(for_each_vector(b->id, measure, &m) > 100);
  printf("# %-14s worst %.3f ULP at %.17g (allowed %g)\n", b->id, m.worst, m.at, b->allowed);
}

static void test_reference_vectors(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++) check_block(&blocks[k]);
  for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) check_block(&rows[k]);
}

static void test_special_values(void **state) {
  (void)state;
  const double infinite = (double)INFINITY;
  assert_same(((tested){"exp", 0, infinite}), special_exp(infinite), infinite);
  assert_same(((tested){"exp", 0, 710}), special_exp(710), infinite);
  assert_same(((tested){"exp", 0, -infinite}), special_exp(-infinite), 0);
  assert_same(((tested){"exp", 0, -746}), special_exp(-746), 0);
  assert_same(((tested){"expm1", 0, -0.0}), special_expm1(-0.0), -0.0);
  assert_same(((tested){"expm1", 0, -infinite}), special_expm1(-infinite), -1);
  assert_same(((tested){"log1p_exp", 0, infinite}), special_log1p_exp(infinite), infinite);
  assert_same(((tested){"log1p_exp", 0, -infinite}), special_log1p_exp(-infinite), 0);
  assert_same(((tested){"erfc", 0, -infinite}), special_erfc(-infinite), 2);
  assert_same(((tested){"erfc", 0, infinite}), special_erfc(infinite), 0);
  assert_same(((tested){"erfc", 0, 0}), special_erfc(0), 1);
  assert_same(((tested){"normal_cdf", 0, 0}), normal_cdf(0), 0.5);
  assert_same(((tested){"normal_cdf", 0, infinite}), normal_cdf(infinite), 1);
  assert_same(((tested){"normal_cdf", 0, -infinite}), normal_cdf(-infinite), 0);
  assert_same(((tested){"normal_pdf", 0, -infinite}), normal_pdf(-infinite), 0);
}

static void test_log(void **state) {
  (void)state;
  for (int k = -1000; k <= 1000; k++) {
    const double x = 1 + k * 0x1p-12;
    assert_ulps(((tested){"log", 0, x}), special_exp(special_log(x)), x, 2);
  }
  /* The worst that is known: the truth is 0.469 of the last place beyond the nearest number. */
  assert_ulps(((tested){"log", 0, 0x1.71888c5f0bebep-1}), special_log(0x1.71888c5f0bebep-1), -0x1.4de8d67a83c6ap-2, 0);
  assert_same(((tested){"log", 0, 1}), special_log(1), 0);
}

static void test_nan_stays_nan(void **state) {
  (void)state;
  double (*const all[])(double) = {special_exp,       special_expm1, special_log, special_erfc,
                                   special_log1p_exp, normal_pdf,    normal_cdf};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) assert_true(isnan(all[k]((double)NAN)));
}

/* erfc(x) and Phi agree where x sqrt(2) is exact enough, and the known digits of both stand here by hand. */
static void test_known_digits(void **state) {
  (void)state;
  assert_ulps(((tested){"normal_cdf", 0, 2}), normal_cdf(2), 0.9772498680518208, 1);
  assert_ulps(((tested){"normal_cdf", 0, -2}), normal_cdf(-2), 0.022750131948179207, 1);
  assert_ulps(((tested){"normal_cdf", 0, 1}), normal_cdf(1), 0.84134474606854294859, 1);
  assert_ulps(((tested){"erfc", 0, 0.5}), special_erfc(0.5), 0.47950012218695346232, 1);
  assert_ulps(((tested){"erfc", 0, 3}), special_erfc(3), 2.2090496998585441373e-5, 2);
  assert_ulps(((tested){"erfc", 0, 20}), special_erfc(20), 5.3958656116079009289e-176, 2);
  assert_ulps(((tested){"normal_pdf", 0, 0}), normal_pdf(0), 0.39894228040143267794, 0.5);
  assert_ulps(((tested){"exp", 0, 1}), special_exp(1), 2.7182818284590452354, 1);
}

/* The tail table has no step at the borders of its rows beyond twice the rows' bound and two roundings. */
static void test_scaled_tail_has_no_steps(void **state) {
  (void)state;
  for (double octave = 1; octave < 39; octave *= 2)
    for (int part = 0; part < 8; part++) {
      const double t = octave * (1 + part / 8.0) - 1;
      if (t <= 0 || t >= 38.5) continue;
      const scaled_tail below = normal_scaled_tail(nextafter(t, 0), 0), above = normal_scaled_tail(t, 0);
      const double a = below.high + below.rest, b = above.high + above.rest;
      assert_within(((tested){"R", 0, t}), a / b, 1, 0x1p-51);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reference_vectors),
      cmocka_unit_test(test_special_values),
      cmocka_unit_test(test_log),
      cmocka_unit_test(test_nan_stays_nan),
      cmocka_unit_test(test_known_digits),
      cmocka_unit_test(test_scaled_tail_has_no_steps),
  };
  return cmocka_run_group_tests_name("special", tests, NULL, NULL);
}
