/* The vector kernels of float32: every lane, length and alignment, the inputs that their estimates leave open, the ends
 * of their ranges, and parameters other than the defaults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_close.h"
#include "batch.h"
#include "rounded_tables.h"

enum { LANES = 8, LONGEST = 67, OFFSETS = 16 };

static const char *const functions[] = {"gelu",    "gelu_tanh", "gelu_sigmoid", "silu",
                                        "sigmoid", "tanh",      "normal_cdf",   "relu"};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static void evaluate(const char *id, const double *parameters, const float *x, float *y, size_t n) {
  assert_int_equal(batch_f32(activation_find(id), 0, parameters, BATCH_DEFAULT, x, y, n), GELU_OK);
}

static float value_at(const char *id, const double *parameters, float x) {
  float y = -7;
  evaluate(id, parameters, &x, &y, 1);
  return y;
}

/* The float64 function rounded once: the correctly rounded result but for a few inputs in 2^32. */
static float rounded_once(const char *id, const double *parameters, float x) {
  const activation *f = activation_find(id);
  double p[ACTIVATION_MAX_PARAMETERS];
  for (int k = 0; k < f->parameter_count; k++) p[k] = parameters != NULL ? parameters[k] : f->parameters[k].value;
  return (float)f->evaluate[0]((double)x, p);
}

/* The value in each lane, beside lanes that need nothing. */
static void check_in_each_lane(const char *id, float x, float want) {
  for (int lane = 0; lane < LANES; lane++) {
    float xs[LANES], ys[LANES];
    for (int k = 0; k < LANES; k++) xs[k] = k == lane ? x : 1;
    const float other = value_at(id, NULL, 1);
    evaluate(id, NULL, xs, ys, LANES);
    for (int k = 0; k < LANES; k++) assert_ulps_f32(((tested){id, 0, (double)x}), ys[k], k == lane ? want : other, 0);
  }
}

/* ---- the values of activation.h's table ---- */

static void test_special_values_in_every_lane(void **state) {
  (void)state;
  static const struct {
    const char *id;
    float at_minus_infinity, at_minus_zero, at_zero, at_infinity;
  } special[] = {
      {"gelu", -0.0f, -0.0f, 0, INFINITY},
      {"gelu_tanh", -0.0f, -0.0f, 0, INFINITY},
      {"gelu_sigmoid", -0.0f, -0.0f, 0, INFINITY},
      {"silu", -0.0f, -0.0f, 0, INFINITY},
      {"relu", 0, 0, 0, INFINITY},
      {"sigmoid", 0, 0.5f, 0.5f, 1},
      {"tanh", -1, -0.0f, 0, 1},
      {"normal_cdf", 0, 0.5f, 0.5f, 1},
  };
  for (size_t k = 0; k < sizeof special / sizeof special[0]; k++) {
    check_in_each_lane(special[k].id, -INFINITY, special[k].at_minus_infinity);
    check_in_each_lane(special[k].id, -0.0f, special[k].at_minus_zero);
    check_in_each_lane(special[k].id, 0, special[k].at_zero);
    check_in_each_lane(special[k].id, INFINITY, special[k].at_infinity);
    check_in_each_lane(special[k].id, NAN, NAN);
    check_in_each_lane(special[k].id, -(float)NAN, NAN);
    check_in_each_lane(special[k].id, -0x1.fffffep127f, special[k].at_minus_infinity);
  }
}

/* Inputs around every power of two, in every lane. */
static void test_every_binade_in_every_lane(void **state) {
  (void)state;
  for (int f = 0; f < FUNCTIONS; f++)
    for (int exponent = -149; exponent < 128; exponent++) {
      const float x = ldexpf(1.0f, exponent);
      const float inputs[] = {x, -x, nextafterf(x, 0), -nextafterf(x, 0), 1.25f * x, -1.25f * x};
      for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
        const float want = value_at(functions[f], NULL, inputs[k]);
        check_in_each_lane(functions[f], inputs[k], want);
        /* ties of subnormal numbers are another test's */
        if (exponent > -125)
          assert_ulps_f32(((tested){functions[f], 0, (double)inputs[k]}), want,
                          rounded_once(functions[f], NULL, inputs[k]), 0);
      }
    }
}

/* ---- inputs that the estimate leaves open, with results by MPFR ---- */

typedef struct {
  const char *id;
  float x, y;
} known;

static const known hard[] = {
    /* nearest to a midpoint of all, from 2^-55.2 of it on; some are too near for float64 */
    {"gelu", 0x1.6148dep-16f, 0x1.614a62p-17f},
    {"gelu", -0x1.6148dep-16f, -0x1.61475ap-17f},
    {"gelu", 0x1.9437c4p-14f, 0x1.943fb8p-15f},
    {"gelu", -0x1.9437c4p-14f, -0x1.942fdp-15f},
    {"gelu", 0x1.5b4488p-2f, 0x1.b7767cp-3f},
    {"gelu", -0x1.5b4488p-2f, -0x1.fe252ap-4f},
    {"gelu", -0x1.24b10ap+2f, -0x1.705c0cp-17f},
    {"gelu", 0x1.24b10ap+2f, 0x1.24b0dcp+2f},
    {"gelu", 0x1.92798cp-3f, 0x1.d12deap-4f},
    {"gelu", -0x1.92798cp-3f, -0x1.53c52ep-4f},
    {"gelu", 0x1.eb86eep-16f, 0x1.eb89dep-17f},
    {"gelu", -0x1.eb86eep-16f, -0x1.eb83fep-17f},
    {"gelu_sigmoid", 0x1.e2fa4ep-9f, 0x1.e47e06p-10f},
    {"gelu_sigmoid", -0x1.e2fa4ep-9f, -0x1.e17696p-10f},
    {"silu", 0x1.2p-17f, 0x1.20005p-18f},
    {"silu", -0x1.2p-17f, -0x1.1fffbp-18f},
    {"sigmoid", -0x1.250c02p-10f, 0x1.ffb6bep-2f},
    {"sigmoid", 0x1.3cp-17f, 0x1.00004ep-1f},
    {"normal_cdf", 0x1.40d932p-24f, 0x1.000002p-1f},
    {"normal_cdf", -0x1.40d932p-25f, 0x1.fffffep-2f},
    /* those that the estimate, rounded, gets wrong: without its test, or with too narrow a band, they fail */
    {"gelu", -0x1.ae72ap-6f, -0x1.a56cf4p-7f},
    {"gelu", 0x1.241fd8p-5f, 0x1.2c6f2ap-6f},
    {"gelu", -0x1.ae0bap-11f, -0x1.adc394p-12f},
    {"gelu", 0x1.e74c42p-5f, 0x1.fe698cp-6f},
    {"gelu", -0x1.1a6a4p-3f, -0x1.f6e14ep-5f},
    {"gelu", 0x1.3edc38p-3f, 0x1.664fb4p-4f},
    {"gelu", -0x1.680afap+0f, -0x1.cbb40ap-4f},
    {"gelu", 0x1.281e42p-3f, 0x1.4a294cp-4f},
    {"gelu_tanh", -0x1.d30eap-7f, -0x1.cdbee4p-8f},
    {"gelu_sigmoid", -0x1.6e7a1ap-8f, -0x1.6cbba6p-9f},
    {"gelu_sigmoid", 0x1.7280c4p-3f, 0x1.ab18d6p-4f},
    {"gelu_sigmoid", -0x1.4300a4p-4f, -0x1.2d5bep-5f},
    {"gelu_sigmoid", 0x1.269d66p-6f, 0x1.2b1f72p-7f},
    {"silu", -0x1.2551aap-9f, -0x1.24fda6p-10f},
    {"silu", 0x1.070942p-9f, 0x1.074cd2p-10f},
    {"silu", -0x1.9adf4cp-11f, -0x1.9ab616p-12f},
    {"silu", 0x1.dad944p-6f, 0x1.e1bab6p-7f},
    {"silu", -0x1.51f626p+2f, -0x1.b61294p-6f},
    {"silu", 0x1.baf428p-11f, 0x1.bb240ep-12f},
    {"tanh", -0x1.8db9ccp-11f, -0x1.8db9c8p-11f},
    {"tanh", 0x1.e3cf4ap-11f, 0x1.e3cf42p-11f},
    {"tanh", -0x1.4c5fa6p-7f, -0x1.4c5cbcp-7f},
    {"tanh", 0x1.d7ae0ep-5f, 0x1.d728cap-5f},
    {"tanh", -0x1.24f4fap-4f, -0x1.24755ap-4f},
    {"tanh", 0x1.dc9076p-4f, 0x1.da6cecp-4f},
    {"normal_cdf", -0x1.df09d6p+0f, 0x1.f64318p-6f},
    {"normal_cdf", 0x1.6c29bcp-6f, 0x1.048a24p-1f},
    {"normal_cdf", -0x1.fd807cp-10f, 0x1.ff34bep-2f},
    {"normal_cdf", 0x1.f4583ep-5f, 0x1.0c77cp-1f},
    {"normal_cdf", -0x1.9979b4p+1f, 0x1.697a0ep-11f},
    {"normal_cdf", 0x1.06311ep+0f, 0x1.b1ba9p-1f},
};
enum { HARD = sizeof hard / sizeof hard[0] };

static void test_hard_inputs_alone(void **state) {
  (void)state;
  for (int k = 0; k < HARD; k++) check_in_each_lane(hard[k].id, hard[k].x, hard[k].y);
}

/* The hard inputs of a function one after the other, from each place of a group on, with easy ones between. */
static void test_hard_inputs_mixed(void **state) {
  (void)state;
  for (int f = 0; f < FUNCTIONS; f++)
    for (size_t apart = 1; apart < 4; apart++)
      for (size_t first = 0; first < LANES; first++) {
        float x[LANES + 3 * HARD], y[LANES + 3 * HARD], want[LANES + 3 * HARD];
        const size_t n = sizeof x / sizeof x[0];
        for (size_t k = 0; k < n; k++) x[k] = 1, want[k] = value_at(functions[f], NULL, 1);
        size_t place = first;
        for (int k = 0; k < HARD; k++)
          if (strcmp(hard[k].id, functions[f]) == 0) {
            x[place] = hard[k].x, want[place] = hard[k].y;
            place += apart;
          }
        evaluate(functions[f], NULL, x, y, n);
        for (size_t k = 0; k < n; k++) assert_ulps_f32(((tested){functions[f], 0, (double)x[k]}), y[k], want[k], 0);
      }
}

/* ---- the ends ---- */

/* All x below -end take the estimate of -end, which must be undecided: were it not, they would all get its value. */
static void test_below_the_end(void **state) {
  (void)state;
  static const struct {
    const char *id;
    float end;
  } ends[] = {{"gelu", GELU_END},           {"normal_cdf", NORMAL_CDF_END},     {"silu", SILU_END},
              {"gelu_tanh", GELU_TANH_END}, {"gelu_sigmoid", GELU_SIGMOID_END}, {"sigmoid", SIGMOID_END}};
  for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
    const float end = ends[k].end;
    const float near[] = {end, nextafterf(end, 0), nextafterf(end, 1e9f), 1.001f * end, 1.01f * end, 1.02f * end};
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++)
      for (int sign = -1; sign <= 1; sign += 2)
        check_in_each_lane(ends[k].id, (float)sign * near[i], rounded_once(ends[k].id, NULL, (float)sign * near[i]));
    for (float t = end; t < 2.5f * end; t *= 1.0003f)
      assert_ulps_f32(((tested){ends[k].id, 0, (double)-t}), value_at(ends[k].id, NULL, -t),
                      rounded_once(ends[k].id, NULL, -t), 0);
    /* the result below the end differs from that at it, so that the comparison above can fail */
    assert_true(rounded_once(ends[k].id, NULL, -end) != rounded_once(ends[k].id, NULL, -1.001f * end));
  }
}

/* ---- length, alignment, place ---- */

static const double samples[] = {-40,  -13.24, -12.95,    -5.5, -3,        -0.7517915, -0x1.6148dep-16,
                                 -0.0, 0,      -0x1p-149, 0.3,  0x1.2p-17, 1,          2.7,
                                 8,    90,     1e30,      -1e30};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static float sample(size_t k) { return (float)(samples[k % SAMPLES] * (1 + (double)(k / SAMPLES) / 64)); }

/* Buffers of exactly the size, so that the sanitizer sees a read or write beyond them. */
static void check_length(const char *id, size_t offset, size_t n, const float *want) {
  float *x = malloc((offset + n) * sizeof *x + 1), *y = malloc((offset + n) * sizeof *y + 1);
  assert_true(x != NULL && y != NULL);
  for (size_t k = 0; k < offset; k++) x[k] = y[k] = -777;
  for (size_t k = 0; k < n; k++) x[offset + k] = sample(k), y[offset + k] = -777;
  evaluate(id, NULL, x + offset, y + offset, n);
  evaluate(id, NULL, x + offset, x + offset, n);
  assert_memory_equal(y + offset, want, n * sizeof *y);
  assert_memory_equal(x + offset, want, n * sizeof *x);
  for (size_t k = 0; k < offset; k++) assert_true(x[k] == -777 && y[k] == -777);
  free(x);
  free(y);
}

static void test_every_length_and_alignment(void **state) {
  (void)state;
  for (int f = 0; f < FUNCTIONS; f++) {
    float want[LONGEST];
    for (size_t k = 0; k < LONGEST; k++) want[k] = value_at(functions[f], NULL, sample(k));
    for (size_t n = 0; n <= LONGEST; n++)
      for (size_t offset = 0; offset < OFFSETS; offset++) check_length(functions[f], offset, n, want);
  }
}

/* Input and output of unlike alignment. */
static void test_unlike_alignments(void **state) {
  (void)state;
  float x[LONGEST + 4], y[LONGEST + 4];
  for (int f = 0; f < FUNCTIONS; f++)
    for (size_t from = 0; from < 4; from++)
      for (size_t to = 0; to < 4; to++) {
        for (size_t k = 0; k < LONGEST; k++) x[from + k] = sample(k);
        evaluate(functions[f], NULL, x + from, y + to, LONGEST);
        for (size_t k = 0; k < LONGEST; k++)
          assert_ulps_f32(((tested){functions[f], 0, (double)x[from + k]}), y[to + k],
                          value_at(functions[f], NULL, x[from + k]), 0);
      }
}

/* ---- parameters ---- */

typedef struct {
  const char *id;
  double parameters[ACTIVATION_MAX_PARAMETERS];
} parameter_case;

/* Within the vector kernels' range, at its edges, and beyond, where the scalar function serves. */
static const parameter_case parameter_cases[] = {
    {"silu", {0.5, 0}},
    {"silu", {3, 0}},
    {"silu", {0x1p-10, 0}},
    {"silu", {0x1p10, 0}},
    {"silu", {0x1.1p10, 0}},
    {"silu", {0x1.fp-11, 0}},
    {"silu", {0, 0}},
    {"silu", {-1.5, 0}},
    {"silu", {1e300, 0}},
    {"silu", {-1e-300, 0}},
    {"gelu_sigmoid", {1.7, 0}},
    {"gelu_sigmoid", {10, 0}},
    {"sigmoid", {0.1, 0}},
    {"sigmoid", {5, 0}},
    {"sigmoid", {0x1p-10, 0}},
    {"sigmoid", {0x1p10, 0}},
    {"sigmoid", {-2, 0}},
    {"sigmoid", {0, 0}},
    {"gelu_tanh", {0.8, 0.04}},
    {"gelu_tanh", {1.2, 0.1}},
    {"gelu_tanh", {0.5, 0}},
    {"gelu_tanh", {3, 10}},
    {"gelu_tanh", {0x1p-10, 0}},
    {"gelu_tanh", {0x1p10, 0x1p10}},
    {"gelu_tanh", {0x1p-10, 0x1p10}},
    {"gelu_tanh", {0x1p10, 0}},
    {"gelu_tanh", {0.8, -0.01}},
    {"gelu_tanh", {-0.8, 0.04}},
};
enum { PARAMETER_CASES = sizeof parameter_cases / sizeof parameter_cases[0] };

static float spread_input(int k) {
  const float size = ldexpf(1 + (float)(k % 977) / 977, k % 280 - 150);
  return k % 3 == 0 ? -size : k % 3 == 1 ? size : (float)(k % 4001 - 2000) / 16;
}

static void test_other_parameters(void **state) {
  (void)state;
  enum { COUNT = 40000 };
  static float x[COUNT], y[COUNT];
  for (int k = 0; k < COUNT; k++) x[k] = spread_input(k);
  for (int c = 0; c < PARAMETER_CASES; c++) {
    const parameter_case *at = &parameter_cases[c];
    evaluate(at->id, at->parameters, x, y, COUNT);
    for (int k = 0; k < COUNT; k++) {
      assert_ulps_f32(((tested){at->id, 0, (double)x[k]}), y[k], rounded_once(at->id, at->parameters, x[k]), 1);
      if (k % 64 == 0)
        assert_ulps_f32(((tested){at->id, 0, (double)x[k]}), y[k], value_at(at->id, at->parameters, x[k]), 0);
    }
  }
}

static void test_special_values_with_other_parameters(void **state) {
  (void)state;
  const float special[] = {NAN, INFINITY, -INFINITY, 0, -0.0f, 0x1.fffffep127f, -0x1.fffffep127f};
  for (int c = 0; c < PARAMETER_CASES; c++)
    for (size_t k = 0; k < sizeof special / sizeof special[0]; k++) {
      const parameter_case *at = &parameter_cases[c];
      assert_ulps_f32(((tested){at->id, 0, (double)special[k]}), value_at(at->id, at->parameters, special[k]),
                      rounded_once(at->id, at->parameters, special[k]), 0);
    }
}

/* Ties of subnormal inputs break upwards for every positive parameter that is not so large that k x is no longer tiny.
 */
static void test_ties_with_other_parameters(void **state) {
  (void)state;
  for (int c = 0; c < PARAMETER_CASES; c++) {
    const parameter_case *at = &parameter_cases[c];
    if (strcmp(at->id, "sigmoid") == 0 || at->parameters[0] < 0x1p-11 || at->parameters[0] > 0x1p11) continue;
    for (int m = 1; m < 200; m++) {
      const float unit = 0x1p-149f;
      assert_ulps_f32(((tested){at->id, 0, m * 0x1p-149}), value_at(at->id, at->parameters, (float)m * unit),
                      (float)((m + 1) / 2) * unit, 0);
      assert_ulps_f32(((tested){at->id, 0, -m * 0x1p-149}), value_at(at->id, at->parameters, (float)-m * unit),
                      -(float)(m / 2) * unit, 0);
    }
  }
}

static void test_named_defaults_change_no_bit(void **state) {
  (void)state;
  enum { COUNT = 4096 };
  static float x[COUNT], y[COUNT], named[COUNT];
  for (int k = 0; k < COUNT; k++) x[k] = k < HARD ? hard[k].x : spread_input(k);
  for (int f = 0; f < FUNCTIONS; f++) {
    double p[ACTIVATION_MAX_PARAMETERS] = {0};
    const activation *row = activation_find(functions[f]);
    for (int k = 0; k < row->parameter_count; k++) p[k] = row->parameters[k].value;
    evaluate(functions[f], NULL, x, y, COUNT);
    evaluate(functions[f], p, x, named, COUNT);
    assert_memory_equal(y, named, sizeof y);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_special_values_in_every_lane),
      cmocka_unit_test(test_every_binade_in_every_lane),
      cmocka_unit_test(test_hard_inputs_alone),
      cmocka_unit_test(test_hard_inputs_mixed),
      cmocka_unit_test(test_below_the_end),
      cmocka_unit_test(test_every_length_and_alignment),
      cmocka_unit_test(test_unlike_alignments),
      cmocka_unit_test(test_other_parameters),
      cmocka_unit_test(test_special_values_with_other_parameters),
      cmocka_unit_test(test_ties_with_other_parameters),
      cmocka_unit_test(test_named_defaults_change_no_bit),
  };
  return cmocka_run_group_tests_name("rounded_f32", tests, NULL, NULL);
}
