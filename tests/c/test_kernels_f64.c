/* Vector kernels: a lane gives the same bits whatever stands beside it, at every position, length and in place; one
 * pass for value and derivative gives the bits of two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_close.h"
#include "batch.h"

enum { BLOCK = 4096 };

/* 10^6 inputs for each function and order; sanitizers and unoptimised code are twenty times slower. */
#ifdef SHORT_TESTS
enum { BLOCKS = 8 };
#else
enum { BLOCKS = 256 };
#endif

static uint64_t random_state = UINT64_C(88172645463325252);

static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static double of_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Arbitrary bits, and numbers from ranges where something happens, in turn. */
static double random_input(size_t k) {
  static const double widths[] = {4, 45, 800, 1e-5};
  if (k % 5 == 4) return of_bits(random_bits());
  return ((double)(random_bits() >> 11) * 0x1p-52 - 1) * widths[k % 5];
}

static const double specials[] = {0.0,
                                  -0.0,
                                  (double)INFINITY,
                                  -(double)INFINITY,
                                  (double)NAN,
                                  0x1p-1074,
                                  -0x1p-1074,
                                  0x1p-1022,
                                  0x1.fffffffffffffp1023,
                                  -0x1.fffffffffffffp1023,
                                  0x1p-57,
                                  -0x1p-57,
                                  0x1p-56,
                                  1,
                                  -1,
                                  -12.9,
                                  38.99,
                                  -38.99,
                                  40,
                                  -40,
                                  -708.5,
                                  745,
                                  -745.2,
                                  -800,
                                  1e20,
                                  -1e20,
                                  0x1p100,
                                  -0x1p100};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

static void each_function(void (*check)(const activation *f, int order, const double *p)) {
  for (int k = 0; k < activation_count(); k++)
    for (int order = 0; order < ACTIVATION_ORDERS; order++) {
      const activation *f = activation_at(k);
      double p[ACTIVATION_MAX_PARAMETERS];
      for (int i = 0; i < f->parameter_count; i++) p[i] = f->parameters[i].value;
      check(f, order, p);
    }
}

/* A special value in each of the four places of a step, ordinary and other special values beside it. */
static void check_places(const activation *f, int order, const double *p) {
  for (int s = 0; s < SPECIALS; s++)
    for (size_t place = 0; place < KERNEL_STEP; place++)
      for (int n = 0; n < SPECIALS; n++) {
        double x[KERNEL_STEP], y[KERNEL_STEP];
        for (size_t k = 0; k < KERNEL_STEP; k++) x[k] = specials[n];
        x[place] = specials[s];
        assert_int_equal(batch_f64(f, order, p, x, y, KERNEL_STEP), GELU_OK);
        for (size_t k = 0; k < KERNEL_STEP; k++)
          assert_same(((tested){f->id, order, x[k]}), y[k], f->evaluate[order](x[k], p));
      }
}

static void test_special_values_in_every_place(void **state) {
  (void)state;
  each_function(check_places);
}

static void assert_same_results(const activation *f, int order, const double *x, const double *got, const double *want,
                                size_t n) {
  for (size_t k = 0; k < n; k++) assert_same(((tested){f->id, order, x[k]}), got[k], want[k]);
}

/* The same numbers shifted by one place, at odd lengths, in place, and some of them one by one. */
static void check_random(const activation *f, int order, const double *p) {
  static double x[BLOCK + 1], y[BLOCK], shifted[BLOCK];
  for (int block = 0; block < BLOCKS; block++) {
    for (size_t k = 0; k < BLOCK + 1; k++) x[k] = random_input(k);
    assert_int_equal(batch_f64(f, order, p, x, y, BLOCK), GELU_OK);
    const size_t n = BLOCK - 1 - (size_t)block % 7;
    assert_int_equal(batch_f64(f, order, p, x + 1, shifted, n), GELU_OK);
    assert_same_results(f, order, x + 1, shifted, y + 1, n);
    for (size_t k = (size_t)block % 16; k < BLOCK; k += 16)
      assert_same(((tested){f->id, order, x[k]}), y[k], f->evaluate[order](x[k], p));
    memcpy(shifted, x, sizeof shifted);
    assert_int_equal(batch_f64(f, order, p, shifted, shifted, BLOCK), GELU_OK);
    assert_same_results(f, order, x, shifted, y, BLOCK);
  }
}

static void test_random_inputs(void **state) {
  (void)state;
  each_function(check_random);
}

/* ---- value and derivative in one pass ---- */

enum { LONGEST = 300 };

static void check_joint_f64(const activation *f, const double *p, size_t n) {
  double x[LONGEST], y[LONGEST], slope[LONGEST], want[LONGEST], want_slope[LONGEST];
  for (size_t k = 0; k < n; k++) x[k] = k % 6 == 5 ? specials[random_bits() % SPECIALS] : random_input(k);
  assert_int_equal(batch_f64(f, 0, p, x, want, n), GELU_OK);
  assert_int_equal(batch_f64(f, 1, p, x, want_slope, n), GELU_OK);
  assert_int_equal(batch_value_and_derivative_f64(f, p, x, y, slope, n), GELU_OK);
  assert_same_results(f, 0, x, y, want, n);
  assert_same_results(f, 1, x, slope, want_slope, n);
  memcpy(y, x, sizeof y);
  assert_int_equal(batch_value_and_derivative_f64(f, p, y, y, slope, n), GELU_OK);
  assert_same_results(f, 0, x, y, want, n);
  assert_same_results(f, 1, x, slope, want_slope, n);
  memcpy(slope, x, sizeof slope);
  assert_int_equal(batch_value_and_derivative_f64(f, p, slope, y, slope, n), GELU_OK);
  assert_same_results(f, 0, x, y, want, n);
  assert_same_results(f, 1, x, slope, want_slope, n);
}

static void check_joint_f32(const activation *f, const double *p, size_t n) {
  float x[LONGEST], y[LONGEST], slope[LONGEST], want[LONGEST], want_slope[LONGEST];
  for (size_t k = 0; k < n; k++) x[k] = (float)(random_input(k % 4) * 0.5);
  assert_int_equal(batch_f32(f, 0, p, BATCH_DEFAULT, x, want, n), GELU_OK);
  assert_int_equal(batch_f32(f, 1, p, BATCH_DEFAULT, x, want_slope, n), GELU_OK);
  assert_int_equal(batch_value_and_derivative_f32(f, p, BATCH_DEFAULT, x, y, slope, n), GELU_OK);
  assert_memory_equal(y, want, n * sizeof *y);
  assert_memory_equal(slope, want_slope, n * sizeof *y);
  assert_int_equal(batch_value_and_derivative_f32(f, p, BATCH_DEFAULT, x, x, slope, n), GELU_OK);
  assert_memory_equal(x, want, n * sizeof *y);
  assert_memory_equal(slope, want_slope, n * sizeof *y);
}

static void test_one_pass_is_two_calls(void **state) {
  (void)state;
  for (int k = 0; k < activation_count(); k++)
    for (size_t n = 1; n <= LONGEST; n += n < 20 ? 1 : 31) {
      const activation *f = activation_at(k);
      double p[ACTIVATION_MAX_PARAMETERS];
      for (int other = 0; other < 2; other++) {
        for (int i = 0; i < f->parameter_count; i++) p[i] = f->parameters[i].value * (other ? -1.25 : 1);
        check_joint_f64(f, p, n);
        check_joint_f32(f, p, n);
      }
      check_joint_f64(f, NULL, n);
    }
}

static void test_one_pass_checks_its_arguments(void **state) {
  (void)state;
  const activation *f = activation_find("gelu_tanh");
  const double x = 1, bad[] = {0.8, (double)NAN};
  const float x32 = 1;
  double y = -777, slope = -777;
  float y32 = -777, slope32 = -777;
  assert_int_equal(batch_value_and_derivative_f64(NULL, bad, NULL, NULL, NULL, 1), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(batch_value_and_derivative_f64(f, bad, NULL, NULL, NULL, 1), GELU_BAD_PARAMETER);
  assert_int_equal(batch_value_and_derivative_f64(f, NULL, NULL, &y, &slope, 1), GELU_NULL_POINTER);
  assert_int_equal(batch_value_and_derivative_f64(f, NULL, &x, NULL, &slope, 1), GELU_NULL_POINTER);
  assert_int_equal(batch_value_and_derivative_f64(f, NULL, &x, &y, NULL, 1), GELU_NULL_POINTER);
  assert_int_equal(batch_value_and_derivative_f32(f, bad, BATCH_DEFAULT, &x32, &y32, &slope32, 1), GELU_BAD_PARAMETER);
  assert_int_equal(batch_value_and_derivative_f32(f, NULL, (batch_accuracy)2, NULL, &y32, &slope32, 1),
                   GELU_UNKNOWN_OPTION);
  assert_int_equal(batch_value_and_derivative_f32(f, NULL, BATCH_FAST, &x32, &y32, NULL, 1), GELU_NULL_POINTER);
  assert_true(y == -777 && slope == -777 && y32 == -777 && slope32 == -777);
  assert_int_equal(batch_value_and_derivative_f64(f, NULL, NULL, NULL, NULL, 0), GELU_OK);
  assert_int_equal(batch_value_and_derivative_f32(f, NULL, BATCH_FAST, NULL, NULL, NULL, 0), GELU_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_special_values_in_every_place),
      cmocka_unit_test(test_random_inputs),
      cmocka_unit_test(test_one_pass_is_two_calls),
      cmocka_unit_test(test_one_pass_checks_its_arguments),
  };
  return cmocka_run_group_tests_name("kernels_f64", tests, NULL, NULL);
}
