#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "random.h"
#include "special.h"

enum { DRAWS = 1000000 };

/* The first outputs that the generator's author prints for state 42, stream 54. */
static void test_known_outputs(void **state) {
  (void)state;
  static const uint32_t known[] = {0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e};
  random_state random;
  random_seed(&random, 42);
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) assert_int_equal(random_bits(&random), known[i]);
}

static void test_same_seed_same_numbers(void **state) {
  (void)state;
  random_state a, b, other;
  random_seed(&a, 7);
  random_seed(&b, 7);
  random_seed(&other, 8);
  int differ = 0;
  for (int i = 0; i < 1000; i++) {
    const double x = random_normal(&a);
    assert_true(x == random_normal(&b));
    differ += x != random_normal(&other);
  }
  assert_true(differ > 990);
}

static void test_uniform(void **state) {
  (void)state;
  random_state random;
  random_seed(&random, 1);
  double sum = 0, square = 0;
  int tenths[10] = {0};
  for (int i = 0; i < DRAWS; i++) {
    const double u = random_uniform(&random);
    assert_true(u > 0 && u < 1);
    sum += u;
    square += u * u;
    tenths[(int)(10 * u)]++;
  }
  /* Five standard errors. */
  assert_true(fabs(sum / DRAWS - 0.5) < 5 * 0.2887 / 1000);
  assert_true(fabs(square / DRAWS - 1.0 / 3) < 5 * 0.2981 / 1000);
  for (int k = 0; k < 10; k++) assert_true(fabs(tenths[k] - DRAWS / 10.0) < 5 * 300);
}

static void test_normal(void **state) {
  (void)state;
  random_state random;
  random_seed(&random, 1);
  double sum = 0, square = 0, fourth = 0;
  static const double points[] = {-3, -2, -1, -0.25, 0, 0.5, 1.5, 2.5};
  enum { POINTS = sizeof points / sizeof points[0] };
  int below[POINTS] = {0};
  for (int i = 0; i < DRAWS; i++) {
    const double x = random_normal(&random);
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
    for (int k = 0; k < POINTS; k++) below[k] += x < points[k];
  }
  assert_true(fabs(sum / DRAWS) < 5.0 / 1000);
  assert_true(fabs(square / DRAWS - 1) < 5 * 1.4142 / 1000);
  assert_true(fabs(fourth / DRAWS - 3) < 5 * 9.798 / 1000);
  for (int k = 0; k < POINTS; k++) {
    const double share = normal_cdf(points[k]);
    assert_true(fabs(below[k] / (double)DRAWS - share) < 5 * sqrt(share * (1 - share)) / 1000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_known_outputs),
      cmocka_unit_test(test_same_seed_same_numbers),
      cmocka_unit_test(test_uniform),
      cmocka_unit_test(test_normal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
