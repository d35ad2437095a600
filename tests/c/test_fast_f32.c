/* The fast tier: error bounds over the whole range of float32, special values in every lane, the same bits at every
 * length and alignment, slopes, and where the default tier serves. The truth is the float64 kernel, of 2 ULP. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_close.h"
#include "batch.h"
#include "fast_f32.h"

enum { LONGEST = 67, ROOM = 96, BLOCK = 1024 };

/* Every so many floats; a prime, so that the low bits of the inputs take turns. */
#ifdef SHORT_TESTS
static const uint32_t stride = 65537, stride_of_others = 500009;
#else
static const uint32_t stride = 7919, stride_of_others = 50021;
#endif

/* The bounds that fast_f32.h states, in ULP and absolute. */
typedef struct {
  const char *id;
  double value_ulps, slope_error;
} fast_case;

static const fast_case cases[] = {
    {"gelu", 5, 3e-7},    {"gelu_tanh", 5, 3.5e-7}, {"gelu_sigmoid", 5, 3.5e-7}, {"relu", 0, 0},
    {"sigmoid", 3, 2e-7}, {"tanh", 5, 6e-7},        {"silu", 4, 3.5e-7},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static const double *defaults_of(const activation *f, double *room) {
  for (int k = 0; k < f->parameter_count; k++) room[k] = f->parameters[k].value;
  return room;
}

/* ---- errors ---- */

typedef struct {
  const activation *function;
  const double *parameters;
  double ulps, ulps_at, slope_error, slope_error_at;
} worst_errors;

static void compare(worst_errors *w, float x, float y, float slope) {
  const activation *f = w->function;
  const tested what = {f->id, 0, (double)x}, what_slope = {f->id, 1, (double)x};
  const double want = f->evaluate[0]((double)x, w->parameters), want_slope = f->evaluate[1]((double)x, w->parameters);
  if (isnan(x)) {
    assert_true(isnan(y) && isnan(slope));
    return;
  }
  if ((signbit(y) != 0) != (signbit(want) != 0))
    fail_close(what, (double)y, want, 0, "the same sign", __FILE__, __LINE__);
  const double ulps = fabs(ulps_apart((double)y, want, 24, -126));
  if (ulps > w->ulps) w->ulps = ulps, w->ulps_at = (double)x;
  const double error = fabs((double)slope - want_slope);
  if (!(error <= 1)) fail_close(what_slope, (double)slope, want_slope, 0, "1", __FILE__, __LINE__);
  if (error > w->slope_error) w->slope_error = error, w->slope_error_at = (double)x;
}

/* Over all floats, NaN and infinities included; values alone must be the bits of values with slopes. */
static worst_errors scan(const activation *f, const double *parameters, uint32_t step) {
  worst_errors w = {f, parameters, 0, 0, 0, 0};
  float x[BLOCK], y[BLOCK], both[BLOCK], slope[BLOCK];
  for (uint64_t bits = 0; bits < UINT64_C(0x100000000);) {
    for (size_t k = 0; k < BLOCK; k++, bits += step) x[k] = float_of((uint32_t)bits);
    assert_true(fast_f32(f, 0, parameters, x, y, BLOCK));
    assert_true(fast_f32_with_slope(f, parameters, x, both, slope, BLOCK));
    for (size_t k = 0; k < BLOCK; k++) {
      assert_true(isnan(x[k]) ? isnan(both[k]) : memcmp(&y[k], &both[k], sizeof *y) == 0);
      compare(&w, x[k], y[k], slope[k]);
    }
  }
  return w;
}

static void test_error_over_the_whole_range(void **state) {
  (void)state;
  int failures = 0;
  for (size_t k = 0; k < CASES; k++) {
    const activation *f = activation_find(cases[k].id);
    double room[ACTIVATION_MAX_PARAMETERS];
    const worst_errors w = scan(f, defaults_of(f, room), stride);
    printf("# %-13s value %.3f ULP at %.9g (%a), slope %.2g at %.9g\n", f->id, w.ulps, w.ulps_at, w.ulps_at,
           w.slope_error, w.slope_error_at);
    failures += w.ulps > cases[k].value_ulps || w.slope_error > cases[k].slope_error;
  }
  assert_int_equal(failures, 0);
}

static void test_error_with_other_parameters(void **state) {
  (void)state;
  static const struct {
    const char *id;
    double parameters[2];
  } others[] = {
      {"silu", {FAST_LEAST_STEEPNESS}},
      {"silu", {0.1}},
      {"silu", {1.3}},
      {"silu", {5}},
      {"silu", {FAST_MOST_STEEPNESS}},
      {"gelu_sigmoid", {0.5}},
      {"gelu_sigmoid", {3}},
      {"sigmoid", {0.1}},
      {"sigmoid", {1.3}},
      {"sigmoid", {5}},
      {"gelu_tanh", {0.5, 0.1}},
      {"gelu_tanh", {1.2, FAST_LEAST_CUBIC}},
      {"gelu_tanh", {FAST_LEAST_STEEPNESS, FAST_MOST_CUBIC}},
      {"gelu_tanh", {FAST_MOST_STEEPNESS, FAST_MOST_CUBIC}},
  };
  for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
    const worst_errors w = scan(activation_find(others[k].id), others[k].parameters, stride_of_others);
    if (w.ulps > 5)
      print_error("%s with %g, %g: %g ULP at %a\n", others[k].id, others[k].parameters[0], others[k].parameters[1],
                  w.ulps, w.ulps_at);
    assert_true(w.ulps <= 5);
  }
}

/* ---- special values ---- */

/* Inputs whose results need exact answers, and where they underflow: GELU(-14.2) is 5 units of the last subnormal. */
static const float specials[] = {
    -INFINITY, -0x1.fffffep127f, -1e30f,     -110,       -104.9f, -14.6f, -14.2f,
    -13,       -0x1p-126f,       -0x1p-148f, -0x1p-149f, -0.0f,   0,      0x1p-149f,
    0x1p-148f, 0x1p-126f,        13,         14.6f,      110,     1e30f,  0x1.fffffep127f,
    INFINITY,
};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

static int is_exact(float x) { return x == 0 || fabsf(x) > 1e20f; }

static void test_special_values_in_every_lane(void **state) {
  (void)state;
  for (size_t c = 0; c < CASES; c++)
    for (size_t s = 0; s < SPECIALS; s++)
      for (size_t place = 0; place < 7; place++) {
        const activation *f = activation_find(cases[c].id);
        double room[ACTIVATION_MAX_PARAMETERS];
        const double *p = defaults_of(f, room);
        float x[7], y[7], slope[7];
        for (size_t k = 0; k < 7; k++) x[k] = k == place ? specials[s] : k == (place + 1) % 7 ? NAN : 0.5f;
        assert_true(fast_f32_with_slope(f, p, x, y, slope, 7));
        const tested what = {f->id, 0, (double)x[place]}, what_slope = {f->id, 1, (double)x[place]};
        const double want = f->evaluate[0]((double)x[place], p), want_slope = f->evaluate[1]((double)x[place], p);
        assert_ulps_f32(what, y[place], (float)want, is_exact(x[place]) ? 0 : 5);
        if (isinf(x[place])) assert_ulps_f32(what_slope, slope[place], (float)want_slope, 0);
        assert_within(what_slope, (double)slope[place], want_slope, 1e-6);
        for (size_t k = 0; k < 7; k++) assert_true((isnan(y[k]) != 0) == (isnan(x[k]) != 0));
        for (size_t k = 0; k < 7; k++) assert_true((isnan(slope[k]) != 0) == (isnan(x[k]) != 0));
      }
}

/* Along the tail, results from normal numbers to -0: subnormal ones within 5 units of 2^-149. */
static void check_tail(const char *id, float from, float to) {
  const activation *f = activation_find(id);
  double room[ACTIVATION_MAX_PARAMETERS];
  const double *p = defaults_of(f, room);
  int subnormal = 0, last = 0, zero = 0;
  for (float x = from; x > to; x = nextafterf(x, to) - 0x1p-14f) {
    float y;
    fast_f32(f, 0, p, &x, &y, 1);
    const double want = f->evaluate[0]((double)x, p);
    if (fabs(want) < 0x1p-126) assert_within(((tested){id, 0, (double)x}), (double)y, want, 5 * 0x1p-149);
    assert_true((signbit(y) != 0) == (signbit(want) != 0));
    subnormal += fabsf(y) < 0x1p-126f && y != 0;
    last += fabsf(y) == 0x1p-149f;
    zero += y == 0;
  }
  assert_true(subnormal > 0 && last > 0 && zero > 0);
}

static void test_underflow(void **state) {
  (void)state;
  check_tail("gelu", -13.3f, -14.6f);
  check_tail("gelu_tanh", -10, -11.5f);
  check_tail("gelu_sigmoid", -60.6f, -64);
  check_tail("silu", -103.9f, -109);
  check_tail("sigmoid", -102, -105);
}

/* ---- the same bits everywhere ---- */

static float sample(size_t k) { return (float)((double)((k * 37) % 64) * 0.37 - 14.3) * (k % 5 == 0 ? 9.0f : 1.0f); }

static void check_layout(const activation *f, const double *p, size_t offset, size_t n) {
  float x[ROOM], y[ROOM], both[ROOM], slope[ROOM], alone[2];
  for (size_t k = 0; k < ROOM; k++) x[k] = sample(k), y[k] = both[k] = slope[k] = -777;
  assert_true(fast_f32(f, 0, p, x + offset, y + offset, n));
  assert_true(fast_f32_with_slope(f, p, x + offset, both + offset, slope + offset, n));
  assert_memory_equal(y, both, sizeof y);
  for (size_t k = 0; k < ROOM; k++) {
    if (k < offset || k >= offset + n) {
      assert_true(y[k] == -777 && slope[k] == -777);
      continue;
    }
    fast_f32_with_slope(f, p, &x[k], &alone[0], &alone[1], 1);
    assert_memory_equal(&y[k], &alone[0], sizeof *alone);
    assert_memory_equal(&slope[k], &alone[1], sizeof *alone);
  }
  float in_place[ROOM];
  memcpy(in_place, x, sizeof x);
  assert_true(fast_f32(f, 0, p, x + offset, x + offset, n));
  assert_memory_equal(x + offset, y + offset, n * sizeof *x);
  assert_true(fast_f32_with_slope(f, p, in_place + offset, in_place + offset, both + offset, n));
  assert_memory_equal(in_place + offset, y + offset, n * sizeof *x);
  assert_memory_equal(both + offset, slope + offset, n * sizeof *x);
}

static void test_every_length_and_offset(void **state) {
  (void)state;
  for (size_t c = 0; c < CASES; c++) {
    const activation *f = activation_find(cases[c].id);
    double room[ACTIVATION_MAX_PARAMETERS];
    for (size_t n = 0; n <= LONGEST; n++)
      for (size_t offset = 0; offset < 9; offset++) check_layout(f, defaults_of(f, room), offset, n);
  }
}

/* ---- who serves ---- */

static void assert_default_serves(const char *id, int order, const double *p) {
  const activation *f = activation_find(id);
  const float x[5] = {-3, -0.5f, 0.25f, 1, 4};
  float fast[5] = {-777}, plain[5];
  assert_false(fast_f32(f, order, p, x, fast, 5));
  assert_true(fast[0] == -777);
  assert_int_equal(batch_f32(f, order, p, BATCH_FAST, x, fast, 5), GELU_OK);
  assert_int_equal(batch_f32(f, order, p, BATCH_DEFAULT, x, plain, 5), GELU_OK);
  assert_memory_equal(fast, plain, sizeof fast);
}

static void test_where_the_default_serves(void **state) {
  (void)state;
  assert_default_serves("softplus", 0, NULL);
  assert_default_serves("gelu", 1, NULL);
  assert_default_serves("gelu", 2, NULL);
  assert_default_serves("silu", 0, (double[]){0});
  assert_default_serves("silu", 0, (double[]){-1});
  assert_default_serves("silu", 0, (double[]){FAST_MOST_STEEPNESS * 1.01});
  assert_default_serves("gelu_sigmoid", 0, (double[]){FAST_LEAST_STEEPNESS * 0.99});
  assert_default_serves("sigmoid", 0, (double[]){1e300});
  assert_default_serves("gelu_tanh", 0, (double[]){0.8, 0});
  assert_default_serves("gelu_tanh", 0, (double[]){0.8, -0.01});
  assert_default_serves("gelu_tanh", 0, (double[]){-0.8, 0.04});
  assert_default_serves("gelu_tanh", 0, (double[]){0.8, FAST_MOST_CUBIC * 1.01});
}

static void test_batch_uses_the_fast_kernels(void **state) {
  (void)state;
  const float x[5] = {-3, -0.5f, 0.25f, 1, 4};
  for (size_t c = 0; c < CASES; c++) {
    const activation *f = activation_find(cases[c].id);
    double room[ACTIVATION_MAX_PARAMETERS];
    float fast[5], batch[5];
    assert_true(fast_f32(f, 0, defaults_of(f, room), x, fast, 5));
    assert_int_equal(batch_f32(f, 0, NULL, BATCH_FAST, x, batch, 5), GELU_OK);
    assert_memory_equal(fast, batch, sizeof fast);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_error_over_the_whole_range),   cmocka_unit_test(test_error_with_other_parameters),
      cmocka_unit_test(test_special_values_in_every_lane), cmocka_unit_test(test_underflow),
      cmocka_unit_test(test_every_length_and_offset),      cmocka_unit_test(test_where_the_default_serves),
      cmocka_unit_test(test_batch_uses_the_fast_kernels),
  };
  return cmocka_run_group_tests_name("fast_f32", tests, NULL, NULL);
}
