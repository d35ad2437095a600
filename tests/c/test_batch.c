/* Arrays: every length, offset and in-place use gives the same bits, errors write nothing, float32 is correctly
 * rounded (test_rounded_f32.c has the hard inputs and the vector kernels' lanes). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_close.h"
#include "batch.h"
#include "vectors.h"

enum { LONGEST = 67, ROOM = 96 };

/* The functions whose float32 value is promised to be correctly rounded. */
static const char *const correctly_rounded[] = {"gelu", "gelu_tanh", "gelu_sigmoid", "sigmoid",
                                                "silu", "tanh",      "relu",         "normal_cdf"};

static int is_correctly_rounded(const char *id, int order) {
  for (size_t k = 0; k < sizeof correctly_rounded / sizeof correctly_rounded[0]; k++)
    if (strcmp(correctly_rounded[k], id) == 0) return order == 0;
  return 0;
}

static float f32_at(const activation *f, int order, const double *p, float x) {
  float y = -7;
  assert_int_equal(batch_f32(f, order, p, BATCH_DEFAULT, &x, &y, 1), GELU_OK);
  return y;
}

/* ---- float32 against the vectors ---- */

typedef struct {
  const activation *function;
  double worst[ACTIVATION_ORDERS];
  int failures;
} rounding_check;

static void compare_with_vector(const vector *v, void *context) {
  rounding_check *c = context;
  if (!v->has_f32) return;
  const float got = f32_at(c->function, v->order, v->parameter_count > 0 ? v->parameters : NULL, (float)v->x);
  const double ulps = fabs(ulps_f32(got, v->y_f32));
  const int exact = is_correctly_rounded(v->function, v->order) && v->parameter_count == 0;
  if (ulps > c->worst[v->order]) c->worst[v->order] = ulps;
  if (ulps <= (exact ? 0 : 1)) return;
  if (c->failures++ < 5)
    print_error("%s order %d x = %a: got %a, want %a\n", v->function, v->order, v->x, (double)got, (double)v->y_f32);
}

static void test_float32_on_the_vectors(void **state) {
  (void)state;
  int failures = 0;
  for (int k = 0; k < activation_count(); k++) {
    rounding_check c = {activation_at(k), {0}, 0};
    assert_true(for_each_vector(c.function->id, compare_with_vector, &c) > 1000);
    printf("# %-13s float32: at most %g, %g, %g ULP from the correctly rounded\n", c.function->id, c.worst[0],
           c.worst[1], c.worst[2]);
    failures += c.failures;
  }
  assert_int_equal(failures, 0);
}

/* x/2 plus something positive: midpoints break upwards for every subnormal input, of both signs. */
static void test_ties_of_tiny_inputs(void **state) {
  (void)state;
  const char *const gated[] = {"gelu", "gelu_tanh", "gelu_sigmoid", "silu"};
  for (int f = 0; f < 4; f++)
    for (int m = 1; m < 5000; m++) {
      const float unit = 0x1p-149f;
      const float positive = f32_at(activation_find(gated[f]), 0, NULL, (float)m * unit);
      const float negative = f32_at(activation_find(gated[f]), 0, NULL, (float)-m * unit);
      assert_ulps_f32(((tested){gated[f], 0, m * 0x1p-149}), positive, (float)((m + 1) / 2) * unit, 0);
      assert_ulps_f32(((tested){gated[f], 0, -m * 0x1p-149}), negative, -(float)(m / 2) * unit, 0);
    }
  const double down[] = {-1}, level[] = {0};
  const activation *silu = activation_find("silu");
  assert_ulps_f32(((tested){"silu", 0, 0x1p-149}), f32_at(silu, 0, down, 0x1p-149f), 0, 0);
  assert_ulps_f32(((tested){"silu", 0, 0x1p-149}), f32_at(silu, 0, level, 0x1p-149f), 0, 0);
}

static void test_float32_special_values(void **state) {
  (void)state;
  const activation *gelu = activation_find("gelu");
  assert_ulps_f32(((tested){"gelu", 0, -0.0}), f32_at(gelu, 0, NULL, -0.0f), -0.0f, 0);
  assert_ulps_f32(((tested){"gelu", 0, -1e30}), f32_at(gelu, 0, NULL, -1e30f), -0.0f, 0);
  assert_ulps_f32(((tested){"gelu", 0, -14.2}), f32_at(gelu, 0, NULL, -14.2f), -0x5p-149f, 0);
  assert_ulps_f32(((tested){"gelu", 0, -15}), f32_at(gelu, 0, NULL, -15), -0.0f, 0);
  assert_ulps_f32(((tested){"gelu", 0, 0}), f32_at(gelu, 0, NULL, INFINITY), INFINITY, 0);
  assert_true(isnan(f32_at(gelu, 0, NULL, NAN)));
}

/* ---- the same bits everywhere ---- */

static const double samples[] = {-40, -13.24, -5.5, -3, -1, -0.7517915, -0.5, -0.0, 0, 0.3, 1, 2.7, 8, 90, 1e30, -1e30};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static double sample(size_t k) { return samples[k % SAMPLES] * (1 + (double)(k / SAMPLES) / 64); }

static void check_layout_f64(const activation *f, int order, size_t offset, size_t n) {
  double x[ROOM], y[ROOM], alone;
  for (size_t k = 0; k < ROOM; k++) x[k] = sample(k), y[k] = -777;
  assert_int_equal(batch_f64(f, order, NULL, x + offset, y + offset, n), GELU_OK);
  for (size_t k = 0; k < ROOM; k++) {
    if (k < offset || k >= offset + n) {
      assert_true(y[k] == -777);
      continue;
    }
    batch_f64(f, order, NULL, &x[k], &alone, 1);
    assert_memory_equal(&y[k], &alone, sizeof alone);
  }
  assert_int_equal(batch_f64(f, order, NULL, x + offset, x + offset, n), GELU_OK);
  assert_memory_equal(x + offset, y + offset, n * sizeof *x);
}

static void check_layout_f32(const activation *f, int order, size_t offset, size_t n) {
  float x[ROOM], y[ROOM], alone;
  for (size_t k = 0; k < ROOM; k++) x[k] = (float)sample(k), y[k] = -777;
  assert_int_equal(batch_f32(f, order, NULL, BATCH_DEFAULT, x + offset, y + offset, n), GELU_OK);
  for (size_t k = 0; k < ROOM; k++) {
    if (k < offset || k >= offset + n) {
      assert_true(y[k] == -777);
      continue;
    }
    batch_f32(f, order, NULL, BATCH_DEFAULT, &x[k], &alone, 1);
    assert_memory_equal(&y[k], &alone, sizeof alone);
  }
  assert_int_equal(batch_f32(f, order, NULL, BATCH_DEFAULT, x + offset, x + offset, n), GELU_OK);
  assert_memory_equal(x + offset, y + offset, n * sizeof *x);
}

static void test_every_length_and_offset(void **state) {
  (void)state;
  for (int f = 0; f < activation_count(); f++)
    for (int order = 0; order < ACTIVATION_ORDERS; order++)
      for (size_t n = 0; n <= LONGEST; n++) {
        check_layout_f64(activation_at(f), order, n % 5, n);
        check_layout_f32(activation_at(f), order, n % 9, n);
      }
  for (size_t offset = 0; offset < 17; offset++) {
    check_layout_f64(activation_at(0), 0, offset, LONGEST);
    check_layout_f32(activation_at(0), 0, offset, LONGEST);
  }
}

static void test_float64_is_the_table(void **state) {
  (void)state;
  for (int f = 0; f < activation_count(); f++)
    for (int order = 0; order < ACTIVATION_ORDERS; order++)
      for (size_t k = 0; k < 64; k++) {
        const activation *row = activation_at(f);
        double p[ACTIVATION_MAX_PARAMETERS], y;
        for (int i = 0; i < row->parameter_count; i++) p[i] = row->parameters[i].value;
        const double x = sample(k);
        batch_f64(row, order, NULL, &x, &y, 1);
        assert_same(((tested){row->id, order, x}), y, row->evaluate[order](x, p));
        batch_f64(row, order, p, &x, &y, 1);
        assert_same(((tested){row->id, order, x}), y, row->evaluate[order](x, p));
      }
}

static void test_nan_in_every_place(void **state) {
  (void)state;
  for (size_t place = 0; place < 19; place++) {
    float x[19], y[19];
    for (size_t k = 0; k < 19; k++) x[k] = k == place ? NAN : 1;
    assert_int_equal(batch_f32(activation_at(0), 0, NULL, BATCH_DEFAULT, x, y, 19), GELU_OK);
    for (size_t k = 0; k < 19; k++) assert_true((isnan(y[k]) != 0) == (k == place));
  }
}

static void test_fast_is_at_most_five_ulp(void **state) {
  (void)state;
  for (int f = 0; f < activation_count(); f++)
    for (size_t k = 0; k < 64; k++) {
      const float x = (float)sample(k);
      float y;
      assert_int_equal(batch_f32(activation_at(f), 0, NULL, BATCH_FAST, &x, &y, 1), GELU_OK);
      assert_ulps_f32(((tested){activation_at(f)->id, 0, (double)x}), y, f32_at(activation_at(f), 0, NULL, x), 5);
    }
}

/* ---- errors ---- */

static void test_errors_write_nothing(void **state) {
  (void)state;
  const activation *f = activation_find("gelu_tanh");
  const double x = 1, bad[] = {0.8, (double)NAN}, infinite[] = {(double)INFINITY, 0}, fine[] = {0.8, 0.04};
  double y = -777;
  const float x32 = 1;
  float y32 = -777;
  assert_int_equal(batch_f64(NULL, 0, NULL, &x, &y, 1), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(batch_f64(f, -1, NULL, &x, &y, 1), GELU_UNKNOWN_ORDER);
  assert_int_equal(batch_f64(f, 3, NULL, &x, &y, 1), GELU_UNKNOWN_ORDER);
  assert_int_equal(batch_f64(f, 0, bad, &x, &y, 1), GELU_BAD_PARAMETER);
  assert_int_equal(batch_f64(f, 0, infinite, &x, &y, 1), GELU_BAD_PARAMETER);
  assert_int_equal(batch_f64(f, 0, fine, NULL, &y, 1), GELU_NULL_POINTER);
  assert_int_equal(batch_f64(f, 0, fine, &x, NULL, 1), GELU_NULL_POINTER);
  assert_int_equal(batch_f32(NULL, 0, NULL, BATCH_DEFAULT, &x32, &y32, 1), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(batch_f32(f, 7, NULL, BATCH_DEFAULT, &x32, &y32, 1), GELU_UNKNOWN_ORDER);
  assert_int_equal(batch_f32(f, 0, bad, BATCH_DEFAULT, &x32, &y32, 1), GELU_BAD_PARAMETER);
  assert_int_equal(batch_f32(f, 0, fine, (batch_accuracy)2, &x32, &y32, 1), GELU_UNKNOWN_OPTION);
  assert_int_equal(batch_f32(f, 0, fine, BATCH_DEFAULT, NULL, &y32, 1), GELU_NULL_POINTER);
  assert_int_equal(batch_f32(f, 0, fine, BATCH_DEFAULT, &x32, NULL, 1), GELU_NULL_POINTER);
  assert_true(y == -777 && y32 == -777);
}

/* Of several faults the first in the header's order is answered. */
static void test_order_of_checks(void **state) {
  (void)state;
  const activation *f = activation_find("silu");
  const double bad = (double)NAN;
  assert_int_equal(batch_f32(NULL, 9, &bad, (batch_accuracy)9, NULL, NULL, 1), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(batch_f32(f, 9, &bad, (batch_accuracy)9, NULL, NULL, 1), GELU_UNKNOWN_ORDER);
  assert_int_equal(batch_f32(f, 0, &bad, (batch_accuracy)9, NULL, NULL, 1), GELU_BAD_PARAMETER);
  assert_int_equal(batch_f32(f, 0, NULL, (batch_accuracy)9, NULL, NULL, 1), GELU_UNKNOWN_OPTION);
  assert_int_equal(batch_f32(f, 0, NULL, BATCH_FAST, NULL, NULL, 1), GELU_NULL_POINTER);
}

static void test_no_elements(void **state) {
  (void)state;
  assert_int_equal(batch_f64(activation_at(0), 0, NULL, NULL, NULL, 0), GELU_OK);
  assert_int_equal(batch_f32(activation_at(0), 0, NULL, BATCH_FAST, NULL, NULL, 0), GELU_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_float32_on_the_vectors),   cmocka_unit_test(test_ties_of_tiny_inputs),
      cmocka_unit_test(test_float32_special_values),   cmocka_unit_test(test_every_length_and_offset),
      cmocka_unit_test(test_float64_is_the_table),     cmocka_unit_test(test_nan_in_every_place),
      cmocka_unit_test(test_fast_is_at_most_five_ulp), cmocka_unit_test(test_errors_write_nothing),
      cmocka_unit_test(test_order_of_checks),          cmocka_unit_test(test_no_elements),
  };
  return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
