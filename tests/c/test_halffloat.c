/* All 2^16 numbers of both formats there and back, every tie between two of them, and the written-out formulas step by
 * step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_close.h"
#include "halffloat.h"

typedef struct {
  const char *name;
  float_format format;
  int fraction, least; /* bits of the fraction; exponent of the smallest normal number */
  uint16_t infinity;
  uint16_t (*bits)(double);
  double (*value)(uint16_t);
} half;

static const half halves[] = {
    {"float16", FORMAT_FLOAT16, 10, -14, 0x7c00, binary16_bits, binary16_value},
    {"bfloat16", FORMAT_BFLOAT16, 7, -126, 0x7f80, bfloat16_bits, bfloat16_value},
};
enum { HALVES = 2 };

/* From the definition, by ldexp. */
static double defined_value(const half *h, uint16_t bits) {
  const int fraction = bits & ((1 << h->fraction) - 1), exponent = (bits & 0x7fff) >> h->fraction;
  const double size = exponent == 0 ? ldexp(fraction, h->least - h->fraction)
                                    : ldexp(fraction + (1 << h->fraction), exponent - 1 + h->least - h->fraction);
  return bits >> 15 ? -size : size;
}

static uint64_t double_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double double_from(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void test_every_number_there_and_back(void **state) {
  (void)state;
  for (int f = 0; f < HALVES; f++)
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
      const half *h = &halves[f];
      const double value = h->value((uint16_t)bits);
      if ((bits & 0x7fff) < h->infinity) {
        assert_same(((tested){h->name, 0, bits}), value, defined_value(h, (uint16_t)bits));
        assert_same(((tested){h->name, 0, bits}), round_to_format(value, h->format), value);
        assert_int_equal(h->bits(value), bits);
      } else if ((bits & 0x7fff) == h->infinity) {
        assert_same(((tested){h->name, 0, bits}), value, bits >> 15 ? -(double)INFINITY : (double)INFINITY);
        assert_int_equal(h->bits(value), bits);
      } else {
        /* A NaN keeps sign and payload and is quiet. */
        assert_true(isnan(value) && (double_bits(value) >> 51 & 1) == 1);
        assert_int_equal(double_bits(value) >> 63, bits >> 15);
        assert_int_equal(h->bits(value), bits | 1u << (h->fraction - 1));
      }
    }
}

/* Between each two neighbours: the tie goes to the even one, its own neighbours in float64 to the nearer one. */
static void test_every_tie(void **state) {
  (void)state;
  for (int f = 0; f < HALVES; f++)
    for (uint16_t bits = 0; bits < halves[f].infinity; bits++) {
      const half *h = &halves[f];
      const double low = defined_value(h, bits), high = defined_value(h, (uint16_t)(bits + 1));
      const double tie = low + (high - low) / 2;
      const uint16_t up = (uint16_t)(bits + 1), even = bits % 2 == 0 ? bits : up;
      assert_int_equal(h->bits(tie), even);
      assert_int_equal(h->bits(nextafter(tie, 0)), bits);
      assert_int_equal(h->bits(nextafter(tie, INFINITY)), up);
      assert_int_equal(h->bits(-tie), even | 0x8000);
      assert_int_equal(h->bits(nextafter(-tie, 0)), bits | 0x8000);
      assert_int_equal(h->bits(nextafter(-tie, -INFINITY)), up | 0x8000);
    }
}

static void test_overflow_and_underflow(void **state) {
  (void)state;
  assert_same(((tested){"float16", 0, 65504}), round_to_format(65519.99, FORMAT_FLOAT16), 65504);
  assert_same(((tested){"float16", 0, 65520}), round_to_format(65520, FORMAT_FLOAT16), (double)INFINITY);
  assert_same(((tested){"float16", 0, -1e308}), round_to_format(-1e308, FORMAT_FLOAT16), -(double)INFINITY);
  assert_same(((tested){"bfloat16", 0, 3.4e38}), round_to_format(0x1.fefp127, FORMAT_BFLOAT16), 0x1.fep127);
  assert_same(((tested){"bfloat16", 0, 3.4e38}), round_to_format(0x1.ffp127, FORMAT_BFLOAT16), (double)INFINITY);
  assert_same(((tested){"float16", 0, 0}), round_to_format(0x1p-25, FORMAT_FLOAT16), 0);
  assert_same(((tested){"float16", 0, 0}), round_to_format(-0x1p-25, FORMAT_FLOAT16), -0.0);
  assert_same(((tested){"float16", 0, 0}), round_to_format(0x1.8p-25, FORMAT_FLOAT16), 0x1p-24);
  assert_same(((tested){"float16", 0, 0}), round_to_format(-0x1p-1074, FORMAT_FLOAT16), -0.0);
  assert_same(((tested){"bfloat16", 0, 0}), round_to_format(0x1p-1074, FORMAT_BFLOAT16), 0);
  assert_same(((tested){"float32", 0, 0}), round_to_format(0.1, FORMAT_FLOAT32), (double)0.1f);
  assert_same(((tested){"float64", 0, 0}), round_to_format(0.1, FORMAT_FLOAT64), 0.1);
}

/* Where the payload has no room its first bits stay, and if those are 0 it is still a NaN. */
static void test_nan_stays_nan(void **state) {
  (void)state;
  assert_int_equal(binary16_bits(double_from(UINT64_C(0x7ff0000000000001))), 0x7e00);
  assert_int_equal(bfloat16_bits(double_from(UINT64_C(0xfff0000000000001))), 0xffc0);
  assert_int_equal(binary16_bits(double_from(UINT64_C(0x7ffaaaaaaaaaaaaa))), 0x7eaa);
  assert_int_equal(bfloat16_bits(double_from(UINT64_C(0x7ffaaaaaaaaaaaaa))), 0x7fd5);
}

static void test_arrays(void **state) {
  (void)state;
  double x[] = {0.1, 65520, -0.0}, y[3] = {7, 7, 7};
  assert_int_equal(round_array(FORMAT_FLOAT16, x, y, 3), GELU_OK);
  assert_same(((tested){"array", 0, 0}), y[0], 0x1.998p-4);
  assert_same(((tested){"array", 0, 0}), y[1], (double)INFINITY);
  assert_same(((tested){"array", 0, 0}), y[2], -0.0);
  assert_int_equal(round_array(FORMAT_FLOAT16, x, x, 3), GELU_OK);
  assert_memory_equal(x, y, sizeof x);
  assert_int_equal(emulate_array(FORM_ERFC, FORMAT_FLOAT16, x, x, 1), GELU_OK);
  assert_same(((tested){"array", 0, 0}), x[0], 0x1.ba4p-5);
}

static void test_errors_write_nothing(void **state) {
  (void)state;
  double x[] = {1}, y[] = {7}, steps[MOST_FORM_STEPS] = {7};
  assert_int_equal(round_array((float_format)4, x, y, 1), GELU_UNKNOWN_OPTION);
  assert_int_equal(round_array((float_format)-1, x, y, 1), GELU_UNKNOWN_OPTION);
  assert_int_equal(round_array(FORMAT_FLOAT16, NULL, y, 1), GELU_NULL_POINTER);
  assert_int_equal(round_array(FORMAT_FLOAT16, x, NULL, 1), GELU_NULL_POINTER);
  assert_int_equal(round_array(FORMAT_FLOAT16, NULL, NULL, 0), GELU_OK);
  assert_int_equal(emulate_array((gelu_form)4, FORMAT_FLOAT16, x, y, 1), GELU_UNKNOWN_OPTION);
  assert_int_equal(emulate_array((gelu_form)-1, FORMAT_FLOAT16, x, y, 1), GELU_UNKNOWN_OPTION);
  assert_int_equal(emulate_array(FORM_ERF, (float_format)4, x, y, 1), GELU_UNKNOWN_OPTION);
  assert_int_equal(emulate_array(FORM_ERF, FORMAT_FLOAT16, NULL, y, 1), GELU_NULL_POINTER);
  assert_int_equal(emulate_steps((gelu_form)4, FORMAT_FLOAT16, 1, steps), 0);
  assert_int_equal(emulate_steps(FORM_ERF, (float_format)-1, 1, steps), 0);
  assert_true(y[0] == 7 && steps[0] == 7);
}

/* ---- the formulas ---- */

/* The digits of each format, as ulps_apart takes them. */
static const struct { int precision, lowest; } spacing[] = {{53, -1022}, {24, -126}, {11, -14}, {8, -126}};

static double in(float_format f, double x) { return round_to_format(x, f); }

/* One operation on the numbers before it: exactly what IEEE arithmetic in the format gives. */
static void check_operation(tested what, float_format f, double got, double exact) {
  assert_same(what, got, in(f, exact));
}

/* A function of libm, which may round another way than ours where it is near a tie: one step of the format. */
static void check_function(tested what, float_format f, double got, double near) {
  const double want = in(f, near);
  const double ulps = ulps_apart(got, want, spacing[f].precision, spacing[f].lowest);
  if (!(fabs(ulps) <= (f == FORMAT_FLOAT64 ? 3 : 1))) assert_same(what, got, want);
}

static void check_steps(gelu_form form, float_format f, double x) {
  double s[MOST_FORM_STEPS], y = x;
  const int count = emulate_steps(form, f, x, s);
  const tested what = {(const char *[]){"erf", "erfc", "tanh", "sigmoid"}[form], (int)f, x};
  assert_int_equal(count, ((const int[]){6, 5, 10, 6})[form]);
  assert_int_equal(emulate_array(form, f, &y, &y, 1), GELU_OK);
  assert_same(what, y, s[count - 1]);
  check_operation(what, f, s[0], x);
  if (form == FORM_ERF) {
    check_operation(what, f, s[1], s[0] / in(f, sqrt(2)));
    check_function(what, f, s[2], erf(s[1]));
    check_operation(what, f, s[3], 1 + s[2]);
    check_operation(what, f, s[4], 0.5 * s[0]);
    check_operation(what, f, s[5], s[4] * s[3]);
  } else if (form == FORM_ERFC) {
    check_operation(what, f, s[1], -s[0] / in(f, sqrt(2)));
    check_function(what, f, s[2], erfc(s[1]));
    check_operation(what, f, s[3], 0.5 * s[0]);
    check_operation(what, f, s[4], s[3] * s[2]);
  } else if (form == FORM_TANH) {
    check_operation(what, f, s[1], s[0] * s[0]);
    check_operation(what, f, s[2], s[1] * s[0]);
    check_operation(what, f, s[3], in(f, 0.044715) * s[2]);
    check_operation(what, f, s[4], s[0] + s[3]);
    check_operation(what, f, s[5], in(f, 0.79788456080286535588) * s[4]);
    check_function(what, f, s[6], tanh(s[5]));
    check_operation(what, f, s[7], 1 + s[6]);
    check_operation(what, f, s[8], 0.5 * s[0]);
    check_operation(what, f, s[9], s[8] * s[7]);
  } else {
    check_operation(what, f, s[1], in(f, -1.702) * s[0]);
    check_function(what, f, s[2], exp(s[1]));
    check_operation(what, f, s[3], 1 + s[2]);
    check_operation(what, f, s[4], 1 / s[3]);
    check_operation(what, f, s[5], s[0] * s[4]);
  }
}

static void test_every_step(void **state) {
  (void)state;
  for (int form = FORM_ERF; form <= FORM_SIGMOID; form++)
    for (int f = FORMAT_FLOAT64; f <= FORMAT_BFLOAT16; f++) {
      for (double x = -60; x <= 60; x += 0.013) check_steps((gelu_form)form, (float_format)f, x);
      for (double x = 0x1p-1074; x < 1e308; x *= 3.7) {
        check_steps((gelu_form)form, (float_format)f, x);
        check_steps((gelu_form)form, (float_format)f, -x);
      }
      check_steps((gelu_form)form, (float_format)f, 0.0);
      check_steps((gelu_form)form, (float_format)f, -0.0);
    }
}

/* float32 in C itself, where every operation rounds to float32. */
static void test_float32_as_c_has_it(void **state) {
  (void)state;
  for (float x = -12; x <= 12; x += 0.0137f) {
    double s[MOST_FORM_STEPS];
    emulate_steps(FORM_TANH, FORMAT_FLOAT32, (double)x, s);
    const float cube = x * x * x, inner = 0.79788456080286535588f * (x + 0.044715f * cube);
    assert_same(((tested){"float", 0, (double)x}), s[5], (double)inner);
    emulate_steps(FORM_ERF, FORMAT_FLOAT32, (double)x, s);
    assert_same(((tested){"float", 0, (double)x}), s[1], (double)(x / 1.41421356237309504880f));
    assert_same(((tested){"float", 0, (double)x}), s[5], (double)(0.5f * x * (1.0f + (float)s[2])));
  }
}

static double last_step(gelu_form form, float_format f, double x) {
  double y = 0;
  assert_int_equal(emulate_array(form, f, &x, &y, 1), GELU_OK);
  return y;
}

/* What the lesson says of the formats. */
static void test_numbers_of_the_lesson(void **state) {
  (void)state;
  double s[MOST_FORM_STEPS];
  const double exact5 = -1.4332578574306957e-06, exact55 = -1.0444339455598213e-07;
  assert_within(((tested){"erf", 1, -5}), last_step(FORM_ERF, FORMAT_FLOAT32, -5) / exact5 - 1, 0.04, 0.005);
  assert_within(((tested){"erf", 1, -5.5}), last_step(FORM_ERF, FORMAT_FLOAT32, -5.5) / exact55 - 1, 0.57, 0.005);
  assert_same(((tested){"erf", 1, 0}), last_step(FORM_ERF, FORMAT_FLOAT32, -5.5426), -0.0);
  assert_true(last_step(FORM_ERF, FORMAT_FLOAT32, -5.5425) < 0);
  assert_same(((tested){"erf", 2, 0}), last_step(FORM_ERF, FORMAT_FLOAT16, -3.68), -0.0);
  assert_true(last_step(FORM_ERF, FORMAT_FLOAT16, -3.66) < 0);
  assert_same(((tested){"erf", 3, 0}), last_step(FORM_ERF, FORMAT_BFLOAT16, -3.11), -0.0);
  assert_true(last_step(FORM_ERF, FORMAT_BFLOAT16, -3.08) < 0);
  emulate_steps(FORM_TANH, FORMAT_FLOAT16, 40.3, s);
  assert_true(isfinite(s[2]));
  emulate_steps(FORM_TANH, FORMAT_FLOAT16, 40.35, s);
  assert_true(isinf(s[2]) && s[9] == s[0]);
  emulate_steps(FORM_TANH, FORMAT_BFLOAT16, 50, s);
  assert_true(isfinite(s[2]));
  emulate_steps(FORM_SIGMOID, FORMAT_FLOAT16, -6.6, s);
  assert_true(isinf(s[2]) && s[5] == 0);
  emulate_steps(FORM_SIGMOID, FORMAT_FLOAT16, -6.5, s);
  assert_true(isfinite(s[2]) && s[5] < 0);
  assert_true(isnan(last_step(FORM_ERF, FORMAT_FLOAT64, -(double)INFINITY)));
  for (int form = FORM_ERF; form <= FORM_SIGMOID; form++)
    for (int f = FORMAT_FLOAT64; f <= FORMAT_BFLOAT16; f++)
      assert_true(isnan(last_step((gelu_form)form, (float_format)f, (double)NAN)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_number_there_and_back),
      cmocka_unit_test(test_every_tie),
      cmocka_unit_test(test_overflow_and_underflow),
      cmocka_unit_test(test_nan_stays_nan),
      cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_errors_write_nothing),
      cmocka_unit_test(test_every_step),
      cmocka_unit_test(test_float32_as_c_has_it),
      cmocka_unit_test(test_numbers_of_the_lesson),
  };
  return cmocka_run_group_tests_name("halffloat", tests, NULL, NULL);
}
