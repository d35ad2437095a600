/* halffloat.h by the calls that JavaScript makes: any format, form and bits. */
#include "fuzz.h"

#include "halffloat.h"
#include "wasm_api.h"

enum { LONGEST = 24 };

/* Bits of the fraction, smallest normal exponent, largest number. */
static const struct {
  int fraction, least;
  double largest;
} formats[] = {
    {52, -1022, 0x1.fffffffffffffp1023}, {23, -126, 0x1.fffffep127}, {10, -14, 65504}, {7, -126, 0x1.fep127}};

/* The nearest multiple of the spacing at x, ties to even: written once more, with nothing of halffloat.c. */
static double nearest(double x, int format) {
  if (format == FORMAT_FLOAT64 || isnan(x) || isinf(x) || x == 0) return x;
  int exponent;
  frexp(x, &exponent);
  const int place =
      (exponent - 1 < formats[format].least ? formats[format].least : exponent - 1) - formats[format].fraction;
  const double multiple = rint(ldexp(x, -place));
  const double rounded = ldexp(multiple, place);
  return copysign(fabs(rounded) > formats[format].largest ? (double)INFINITY : rounded, x);
}

static void check_one(double x) {
  const uint16_t half = binary16_bits(x), brain = bfloat16_bits(x);
  REQUIRE(same_f64(binary16_value(half), nearest(x, FORMAT_FLOAT16)));
  REQUIRE(same_f64(bfloat16_value(brain), nearest(x, FORMAT_BFLOAT16)));
  REQUIRE(signbit(binary16_value(half)) == signbit(x) && signbit(bfloat16_value(brain)) == signbit(x));
}

static void check_bits(uint16_t bits) {
  const double half = binary16_value(bits), brain = bfloat16_value(bits);
  REQUIRE(binary16_bits(half) == (isnan(half) ? (bits | 0x200) : bits));
  REQUIRE(bfloat16_bits(brain) == (isnan(brain) ? (bits | 0x40) : bits));
}

static int is_format(int32_t format) { return format >= FORMAT_FLOAT64 && format <= FORMAT_BFLOAT16; }
static int is_form(int32_t form) { return form >= FORM_ERF && form <= FORM_SIGMOID; }

static void check_round(memory *m, int32_t format, double *x, size_t n) {
  double *y = doubles(m, n);
  REQUIRE(gelu_round(format, x, y, (uint32_t)n) == (int32_t)(is_format(format) ? GELU_OK : GELU_UNKNOWN_OPTION));
  if (!is_format(format)) REQUIRE(is_untouched(y, n * sizeof *y));
  for (size_t k = 0; is_format(format) && k < n; k++) {
    REQUIRE(same_f64(y[k], nearest(x[k], format)));
    REQUIRE(same_f64(round_to_format(x[k], (float_format)format), y[k]));
  }
  if (n > 0 && is_format(format)) {
    REQUIRE(gelu_round(format, NULL, y, (uint32_t)n) == GELU_NULL_POINTER);
    REQUIRE(gelu_round(format, x, NULL, (uint32_t)n) == GELU_NULL_POINTER);
  }
}

static void check_emulate(memory *m, int32_t form, int32_t format, double *x, size_t n) {
  static const int counts[] = {6, 5, 10, 6};
  const int good = is_format(format) && is_form(form);
  double *y = doubles(m, n), *steps = doubles(m, MOST_FORM_STEPS);
  REQUIRE(gelu_emulate(form, format, x, y, (uint32_t)n) == (int32_t)(good ? GELU_OK : GELU_UNKNOWN_OPTION));
  REQUIRE(gelu_emulate_steps(form, format, 1, NULL) == 0);
  if (!good) {
    REQUIRE(gelu_emulate_steps(form, format, 1, steps) == 0 && is_untouched(steps, MOST_FORM_STEPS * sizeof *steps));
    REQUIRE(is_untouched(y, n * sizeof *y));
    return;
  }
  for (size_t k = 0; k < n; k++) {
    const int count = gelu_emulate_steps(form, format, x[k], steps);
    REQUIRE(count == counts[form] && same_f64(steps[count - 1], y[k]));
    for (int s = 0; s < count; s++) REQUIRE(same_f64(steps[s], nearest(steps[s], format)));
    if (isnan(x[k])) REQUIRE(isnan(y[k]));
  }
  REQUIRE(gelu_emulate(form, format, x, x, (uint32_t)n) == GELU_OK);
  for (size_t k = 0; k < n; k++) REQUIRE(same_f64(x[k], y[k]));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  check_one(take_double(&from));
  check_bits((uint16_t)take_word(&from));
  const int32_t form = take_index(&from, 4), format = take_index(&from, 4);
  const size_t n = take_below(&from, LONGEST + 1);
  double *x = some_doubles(&m, &from, n);
  check_round(&m, format, x, n);
  check_emulate(&m, form, format, x, n);
  release(&m);
  return 0;
}
