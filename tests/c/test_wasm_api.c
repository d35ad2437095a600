/* What JavaScript calls: the statuses of wasm_api.h for numbers and pointers that cannot be right, and that the calls
 * are those of the headers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_close.h"
#include "batch.h"
#include "halffloat.h"
#include "wasm_api.h"

#define INF ((double)INFINITY)

enum { MOST_NUMBERS = 70000 };

/* ---- the table ---- */

static void test_table(void **state) {
  (void)state;
  assert_int_equal(gelu_function_count(), activation_count());
  assert_string_equal(gelu_function_id(0), "gelu");
  assert_string_equal(gelu_parameter_name(1, 1), "cubic");
  assert_true(gelu_parameter_value(1, 1) == 0.044715 && gelu_parameter_min(1, 1) == 0 &&
              gelu_parameter_max(1, 1) == 0.1);
  assert_int_equal(gelu_parameter_count(1), 2);
  for (int k = 0; k < 2; k++) {
    const int32_t row = k == 0 ? -1 : activation_count();
    assert_null(gelu_function_id(row));
    assert_int_equal(gelu_parameter_count(row), 0);
    assert_null(gelu_parameter_name(row, 0));
    assert_null(gelu_parameter_name(1, k == 0 ? -1 : 2));
    assert_true(gelu_parameter_value(row, 0) == 0 && gelu_parameter_min(row, 0) == 0 &&
                gelu_parameter_max(row, 0) == 0);
  }
}

/* ---- arrays ---- */

static void test_arrays(void **state) {
  (void)state;
  const double x[] = {-1, 2};
  const float x32[] = {-1, 2};
  double y[2], slope[2], want[2], steps[MOST_FORM_STEPS];
  float y32[2], slope32[2], want32[2];
  batch_f64(activation_at(0), 0, NULL, x, want, 2);
  batch_f32(activation_at(0), 0, NULL, BATCH_FAST, x32, want32, 2);
  assert_int_equal(gelu_evaluate_f64(0, 0, NULL, x, y, 2), GELU_OK);
  assert_memory_equal(y, want, sizeof want);
  assert_int_equal(gelu_evaluate_f32(0, 0, NULL, BATCH_FAST, x32, y32, 2), GELU_OK);
  assert_memory_equal(y32, want32, sizeof want32);
  assert_int_equal(gelu_evaluate_both_f64(0, NULL, x, y, slope, 2), GELU_OK);
  assert_memory_equal(y, want, sizeof want);
  assert_int_equal(gelu_evaluate_both_f32(0, NULL, BATCH_FAST, x32, y32, slope32, 2), GELU_OK);
  assert_memory_equal(y32, want32, sizeof want32);
  assert_int_equal(gelu_evaluate_f64(99, 0, NULL, x, y, 2), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(gelu_evaluate_f32(0, 0, NULL, 7, x32, y32, 2), GELU_UNKNOWN_OPTION);
  assert_int_equal(gelu_evaluate_both_f64(0, NULL, x, NULL, slope, 2), GELU_NULL_POINTER);
  assert_int_equal(gelu_evaluate_both_f32(0, NULL, 0, x32, y32, NULL, 2), GELU_NULL_POINTER);
  assert_int_equal(gelu_round(2, x, y, 2), GELU_OK);
  assert_int_equal(gelu_emulate(0, 2, x, y, 2), GELU_OK);
  assert_int_equal(gelu_emulate_steps(0, 2, 1, steps), 6);
  assert_int_equal(gelu_emulate_steps(0, 2, 1, NULL), 0);
}

static void test_comparisons(void **state) {
  (void)state;
  double result[4 + ACTIVATION_MAX_PARAMETERS];
  assert_int_equal(gelu_max_error(1, NULL, 0, NULL, 0, -5, 5, 0, result), GELU_OK);
  assert_true(result[0] > 4.7e-4 && result[0] < 4.8e-4 && fabs(result[1]) <= 5 && result[2] < result[0]);
  assert_int_equal(gelu_max_error(1, NULL, 0, NULL, 0, -5, 5, 0, NULL), GELU_NULL_POINTER);
  assert_int_equal(gelu_max_error(1, NULL, 0, NULL, 0, 5, -5, 0, result), GELU_BAD_INTERVAL);
  parameter_fit fit;
  assert_int_equal(gelu_fit_bytes(), sizeof fit);
  assert_int_equal(gelu_fit_start(&fit, 2, NULL, 0, NULL, 0, -5, 5, 1), GELU_OK);
  assert_int_equal(gelu_fit_step(&fit, 3), 1);
  assert_int_equal(gelu_fit_step(NULL, 3), 0);
  assert_int_equal(gelu_fit_read(&fit, result), GELU_OK);
  assert_true(result[0] == 3 && result[1] == fit.grid_steps && result[4] == fit.best[0]);
  assert_int_equal(gelu_fit_read(&fit, NULL), GELU_NULL_POINTER);
}

/* ---- seeds and sizes ---- */

static const double not_whole[] = {-1, 0.5, 0x1p53 + 2, 1e300, -1e300, INF, -INF, (double)NAN, -0x1p-1074};
enum { NOT_WHOLE = sizeof not_whole / sizeof not_whole[0] };

static void test_random(void **state) {
  (void)state;
  random_state random = {7};
  double x[3];
  assert_int_equal(gelu_random_bytes(), sizeof random);
  for (int k = 0; k < NOT_WHOLE; k++) assert_int_equal(gelu_random_seed(&random, not_whole[k]), GELU_BAD_PARAMETER);
  assert_true(random.state == 7);
  assert_int_equal(gelu_random_seed(NULL, 1), GELU_NULL_POINTER);
  assert_int_equal(gelu_random_seed(&random, 0x1p53), GELU_OK);
  assert_int_equal(gelu_random_uniform(&random, x, 3), GELU_OK);
  assert_int_equal(gelu_random_normal(&random, x, 3), GELU_OK);
  assert_int_equal(gelu_random_uniform(NULL, x, 3), GELU_NULL_POINTER);
  assert_int_equal(gelu_random_normal(&random, NULL, 3), GELU_NULL_POINTER);
  assert_int_equal(gelu_random_normal(&random, NULL, 0), GELU_OK);
}

static void test_seeds_are_whole_numbers(void **state) {
  (void)state;
  float numbers[64] = {0};
  double signal[2] = {-7, -7};
  for (int k = 0; k < NOT_WHOLE; k++) {
    assert_int_equal(gelu_ffn_initialise(2, 3, 0, not_whole[k], numbers), GELU_BAD_PARAMETER);
    assert_int_equal(gelu_depth(1, 1, 1, 1, 0, 0, not_whole[k], 0, NULL, signal, signal, numbers), GELU_BAD_PARAMETER);
  }
  assert_true(numbers[0] == 0 && signal[0] == -7);
}

/* ---- feed-forward network ---- */

static void test_ffn(void **state) {
  (void)state;
  static float weights[64], trace[64], x[4] = {1, 2, 3, 4}, y[4], workspace[MOST_NUMBERS], gradients[64];
  const float nothing[64] = {0};
  for (int32_t gated = 0; gated < 2; gated++) {
    assert_true(gelu_ffn_workspace(2, 2, 3, gated, 1) <= MOST_NUMBERS);
    assert_int_equal(gelu_ffn_initialise(2, 3, gated, 1, NULL), GELU_NULL_POINTER);
    assert_int_equal(gelu_ffn_initialise(2, 3, gated, 1, weights), GELU_OK);
    assert_int_equal(gelu_ffn_forward(2, 2, 3, gated, 0, NULL, weights, x, trace, y, workspace), GELU_OK);
    assert_int_equal(gelu_ffn_forward(2, 2, 3, gated, 99, NULL, weights, x, trace, y, workspace),
                     GELU_UNKNOWN_FUNCTION);
    assert_int_equal(gelu_ffn_forward(2, 2, 3, gated, 0, NULL, NULL, x, trace, y, workspace), GELU_NULL_POINTER);
    assert_int_equal(gelu_ffn_forward(2, 2, 3, gated, 0, NULL, weights, x, NULL, y, workspace), GELU_NULL_POINTER);
    memset(gradients, 0, sizeof gradients);
    assert_int_equal(gelu_ffn_backward(2, 2, 3, gated, 0, NULL, weights, x, trace, x, NULL, gradients, workspace),
                     GELU_OK);
    assert_memory_not_equal(gradients, nothing, sizeof nothing);
    /* Gradients at 0 are not wanted: once all but the first array were written, near address 0. */
    assert_int_equal(gelu_ffn_backward(2, 2, 3, gated, 0, NULL, weights, x, trace, x, NULL, NULL, workspace), GELU_OK);
    assert_int_equal(gelu_ffn_backward(2, 2, 3, gated, 99, NULL, weights, x, trace, x, NULL, NULL, workspace),
                     GELU_UNKNOWN_FUNCTION);
  }
}

static void test_ffn_of_impossible_sizes(void **state) {
  (void)state;
  static const uint32_t large = UINT32_MAX;
  float a[1] = {0};
  assert_true(gelu_ffn_workspace(large, large, large, 0, 0) == INF);
  assert_int_equal(gelu_ffn_initialise(large, large, 0, 1, a), GELU_TOO_LARGE);
  assert_int_equal(gelu_ffn_forward(1, large, large, 0, 0, NULL, a, a, a, a, a), GELU_TOO_LARGE);
  assert_int_equal(gelu_ffn_forward(large, 0, large, 1, 0, NULL, a, a, a, a, a), GELU_TOO_LARGE);
  assert_int_equal(gelu_ffn_backward(large, large, 1, 0, 0, NULL, a, a, a, a, a, a, a), GELU_TOO_LARGE);
  assert_true(a[0] == 0);
}

/* ---- depth ---- */

static void test_depth(void **state) {
  (void)state;
  static float workspace[MOST_NUMBERS];
  double signal[3], gradient[3], gain;
  assert_true(gelu_depth_workspace(2, 3, 2, 1) <= MOST_NUMBERS);
  assert_true(gelu_depth_workspace(UINT32_MAX, UINT32_MAX, 1, 0) == INF);
  assert_int_equal(gelu_depth(2, 3, 2, 1, 1, 1, 5, 0, NULL, signal, gradient, workspace), GELU_OK);
  assert_int_equal(gelu_depth(2, 3, 2, 1, 1, 1, 5, 0, NULL, NULL, gradient, workspace), GELU_NULL_POINTER);
  assert_int_equal(gelu_depth_unit_gain(0, NULL, &gain), GELU_OK);
  assert_int_equal(gelu_depth_unit_gain(0, NULL, NULL), GELU_NULL_POINTER);
}

/* ---- training ---- */

enum { INPUTS = 2, CLASSES = 2, D = 3, HIDDEN = 4, BLOCKS = 1, EXAMPLES = 3, OPTIONS = 14, RESULTS = 7 + BLOCKS };

static const double usual[OPTIONS] = {INPUTS, CLASSES, D, HIDDEN, BLOCKS, 2, 1, 1, 1, 0.01, 0.9, 0, 1, 3};
static const float examples[EXAMPLES * INPUTS] = {1, 0, 0, 1, 1, 1};
static const int32_t labels[EXAMPLES] = {0, 1, 1};

typedef union {
  trainer run;
  char bytes[400000];
} room;

static int32_t start(trainer *run, const double *options) {
  return gelu_train_start(run, options, 0, NULL, examples, labels, EXAMPLES, NULL, NULL, 0);
}

static void test_training(void **state) {
  (void)state;
  static room r;
  double result[RESULTS];
  float units[4 * HIDDEN];
  assert_true(gelu_train_bytes(usual, EXAMPLES) <= (double)sizeof r);
  assert_int_equal(start(&r.run, usual), GELU_OK);
  assert_int_equal(gelu_train_step(&r.run, result), GELU_OK);
  assert_true(result[0] == 1 && result[1] == 1 && result[2] > 0);
  assert_int_equal(gelu_train_epoch(&r.run, result), GELU_OK);
  assert_true(result[0] == 1 && result[1] > 0 && isnan(result[2]));
  assert_int_equal(gelu_train_evaluate(&r.run, result), GELU_OK);
  assert_int_equal(gelu_train_units(&r.run, 0, 0, units), GELU_OK);
  assert_int_equal(gelu_train_units(&r.run, BLOCKS, 0, units), GELU_BAD_SIZE);
  assert_int_equal(gelu_train_set_activation(&r.run, 3, NULL), GELU_OK);
  assert_int_equal(gelu_train_set_learning_rate(&r.run, 0.5), GELU_OK);
  assert_int_equal(gelu_train_shift_biases(&r.run, -1), GELU_OK);
  assert_true(gelu_train_failed_at(&r.run) == 0);
  assert_int_equal(gelu_train_shift_biases(&r.run, 3e38), GELU_OK);
  assert_int_equal(gelu_train_set_learning_rate(&r.run, 1e300), GELU_OK);
  assert_int_equal(gelu_train_step(&r.run, result), GELU_NOT_FINITE);
  assert_int_equal(gelu_train_evaluate(&r.run, result), GELU_NOT_FINITE);
  assert_true(gelu_train_failed_at(&r.run) == 3);
}

static void test_training_without_memory(void **state) {
  (void)state;
  static room r;
  double result[RESULTS];
  float units[4 * HIDDEN];
  assert_int_equal(start(&r.run, usual), GELU_OK);
  assert_int_equal(start(NULL, usual), GELU_NULL_POINTER);
  assert_int_equal(start(&r.run, NULL), GELU_NULL_POINTER);
  assert_true(gelu_train_bytes(NULL, EXAMPLES) == INF);
  assert_int_equal(gelu_train_step(NULL, result), GELU_NULL_POINTER);
  assert_int_equal(gelu_train_step(&r.run, NULL), GELU_NULL_POINTER);
  assert_int_equal(gelu_train_epoch(NULL, result), GELU_NULL_POINTER);
  assert_int_equal(gelu_train_evaluate(&r.run, NULL), GELU_NULL_POINTER);
  assert_int_equal(gelu_train_units(NULL, 0, 0, units), GELU_NULL_POINTER);
  assert_int_equal(gelu_train_units(&r.run, 0, 0, NULL), GELU_NULL_POINTER);
  assert_int_equal(gelu_train_set_activation(NULL, 0, NULL), GELU_NULL_POINTER);
  assert_int_equal(gelu_train_set_learning_rate(NULL, 1), GELU_NULL_POINTER);
  assert_int_equal(gelu_train_shift_biases(NULL, 1), GELU_NULL_POINTER);
  assert_true(gelu_train_failed_at(NULL) == 0);
}

/* Options that are no option, each in turn; the run that was there goes on. */
static void test_options_out_of_range(void **state) {
  (void)state;
  static room r, before;
  static const int sizes[] = {0, 1, 2, 3, 4, 5};
  assert_int_equal(start(&r.run, usual), GELU_OK);
  before = r;
  for (int k = 0; k < NOT_WHOLE; k++)
    for (size_t i = 0; i <= sizeof sizes / sizeof sizes[0]; i++) {
      const int is_seed = i == sizeof sizes / sizeof sizes[0];
      double options[OPTIONS];
      memcpy(options, usual, sizeof options);
      options[is_seed ? OPTIONS - 1 : sizes[i]] = not_whole[k];
      assert_int_equal(start(&r.run, options), is_seed ? GELU_BAD_PARAMETER : GELU_BAD_SIZE);
      assert_true(gelu_train_bytes(options, EXAMPLES) == INF);
    }
  for (int k = 0; k < NOT_WHOLE; k++) {
    double options[OPTIONS];
    memcpy(options, usual, sizeof options);
    options[8] = not_whole[k];
    assert_int_equal(start(&r.run, options), GELU_UNKNOWN_OPTION);
    options[8] = 0;
    options[3] = options[4] = 0x1p53;
    assert_int_equal(start(&r.run, options), GELU_TOO_LARGE);
  }
  const double bad[] = {(double)NAN};
  assert_int_equal(gelu_train_start(&r.run, usual, 2, bad, examples, labels, EXAMPLES, NULL, NULL, 0),
                   GELU_BAD_PARAMETER);
  assert_int_equal(gelu_train_start(&r.run, usual, 99, NULL, examples, labels, EXAMPLES, NULL, NULL, 0),
                   GELU_UNKNOWN_FUNCTION);
  assert_memory_equal(&r, &before, sizeof r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_comparisons),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_seeds_are_whole_numbers),
      cmocka_unit_test(test_ffn),
      cmocka_unit_test(test_ffn_of_impossible_sizes),
      cmocka_unit_test(test_depth),
      cmocka_unit_test(test_training),
      cmocka_unit_test(test_training_without_memory),
      cmocka_unit_test(test_options_out_of_range),
  };
  return cmocka_run_group_tests_name("wasm_api", tests, NULL, NULL);
}
