#include "halffloat.h"

#include "activation.h"
#include "pair.h"
#include "special.h"

static const uint64_t double_fraction = (UINT64_C(1) << 52) - 1;

/* A sign, an exponent and `fraction` bits in 16; `least` is the exponent of the smallest normal number. */
typedef struct {
  int fraction, least;
} layout;

static const layout binary16 = {10, -14}, bfloat16 = {7, -126};

/* The bits of infinity: all ones in the exponent, nothing behind. */
static uint64_t infinity_of(layout l) { return UINT64_C(0x7fff) >> l.fraction << l.fraction; }

static uint64_t magnitude_bits(uint64_t bits, layout l) {
  const uint64_t top = infinity_of(l);
  const int exponent = (int)(bits >> 52) - 1023;
  if (exponent == 1024) {
    const uint64_t quiet = UINT64_C(1) << (l.fraction - 1);
    return (bits & double_fraction) == 0 ? top : top | quiet | (bits & double_fraction) >> (52 - l.fraction);
  }
  const int below = exponent < l.least ? l.least - exponent : 0;
  const int shift = 52 - l.fraction + below;
  if (shift > 53) return 0; /* less than half of the smallest number */
  const uint64_t whole = (bits & double_fraction) | UINT64_C(1) << 52;
  const uint64_t kept = whole >> shift, rest = whole & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
  const uint64_t rounded = kept + (rest > half || (rest == half && (kept & 1) != 0));
  /* A carry out of the fraction goes into the exponent, as it should; `kept` brings 1 for it where x is normal. */
  const uint64_t result = rounded + ((uint64_t)(below == 0 ? exponent - l.least : 0) << l.fraction);
  return result < top ? result : top;
}

static uint16_t narrow(double x, layout l) {
  const uint64_t bits = bits_of(x);
  return (uint16_t)(bits >> 63 << 15 | magnitude_bits(bits & ~(UINT64_C(1) << 63), l));
}

static double widen(uint16_t bits, layout l) {
  const uint64_t sign = (uint64_t)(bits >> 15) << 63, size = bits & UINT64_C(0x7fff);
  const uint64_t fraction = size & ((UINT64_C(1) << l.fraction) - 1);
  if (size > infinity_of(l)) return from_bits(sign | UINT64_C(0x7ff8) << 48 | fraction << (52 - l.fraction));
  if (size == infinity_of(l)) return from_bits(sign | UINT64_C(0x7ff) << 52);
  const uint64_t exponent = size >> l.fraction;
  /* A subnormal number is a multiple of the smallest one; a normal one has the same fraction and another bias. */
  const uint64_t unit = (uint64_t)(1023 + l.least - l.fraction) << 52;
  const double value = exponent == 0
                           ? (double)fraction * from_bits(unit)
                           : from_bits((exponent + (uint64_t)(1022 + l.least)) << 52 | fraction << (52 - l.fraction));
  return sign != 0 ? -value : value;
}

uint16_t binary16_bits(double x) { return narrow(x, binary16); }
uint16_t bfloat16_bits(double x) { return narrow(x, bfloat16); }
double binary16_value(uint16_t bits) { return widen(bits, binary16); }
double bfloat16_value(uint16_t bits) { return widen(bits, bfloat16); }

double round_to_format(double x, float_format format) {
  if (format == FORMAT_FLOAT32) return (double)(float)x;
  if (format == FORMAT_FLOAT16) return binary16_value(binary16_bits(x));
  if (format == FORMAT_BFLOAT16) return bfloat16_value(bfloat16_bits(x));
  return x;
}

static int is_format(float_format format) { return (int)format >= FORMAT_FLOAT64 && (int)format <= FORMAT_BFLOAT16; }

gelu_status round_array(float_format format, const double *x, double *y, size_t n) {
  if (!is_format(format)) return GELU_UNKNOWN_OPTION;
  if (n > 0 && (x == NULL || y == NULL)) return GELU_NULL_POINTER;
  for (size_t i = 0; i < n; i++) y[i] = round_to_format(x[i], format);
  return GELU_OK;
}

/* 1 - erfc(z) would lose digits where erf is small: there its power series, sum of (-1)^n z^(2n+1) / (n! (2n+1)). */
static double error_function(double z) {
  if (!(magnitude(z) < 0.5)) return z < 0 ? special_erfc(-z) - 1 : 1 - special_erfc(z);
  double power = 1, sum = 0;
  for (int n = 1; n < 15; n++) {
    power *= -z * z / n;
    sum += power / (2 * n + 1);
  }
  return 0x1.20dd750429b6dp+0 * (z + z * sum); /* 2 / sqrt(pi) */
}

static double hyperbolic_tangent(double x) { return activation_find("tanh")->evaluate[0](x, NULL); }

/* The steps taken so far, and the format that the next one is rounded to. */
typedef struct {
  double *steps;
  int count;
  float_format format;
} written;

static double take(written *w, double result) {
  const double rounded = round_to_format(result, w->format);
  w->steps[w->count++] = rounded;
  return rounded;
}

static void take_erf(written *w, double x) {
  const double e = take(w, error_function(take(w, x / round_to_format(0x1.6a09e667f3bcdp+0, w->format))));
  const double sum = take(w, 1 + e);
  take(w, take(w, 0.5 * x) * sum);
}

static void take_erfc(written *w, double x) {
  const double e = take(w, special_erfc(take(w, -x / round_to_format(0x1.6a09e667f3bcdp+0, w->format))));
  take(w, take(w, 0.5 * x) * e);
}

static void take_tanh(written *w, double x) {
  const double cube = take(w, take(w, x * x) * x);
  const double inner = take(w, x + take(w, round_to_format(0.044715, w->format) * cube));
  const double t = take(w, hyperbolic_tangent(take(w, round_to_format(0x1.9884533d43651p-1, w->format) * inner)));
  const double sum = take(w, 1 + t);
  take(w, take(w, 0.5 * x) * sum);
}

static void take_sigmoid(written *w, double x) {
  const double e = take(w, special_exp(take(w, round_to_format(-1.702, w->format) * x)));
  const double gate = take(w, 1 / take(w, 1 + e));
  take(w, x * gate);
}

int emulate_steps(gelu_form form, float_format format, double x, double *steps) {
  static void (*const forms[])(written *, double) = {take_erf, take_erfc, take_tanh, take_sigmoid};
  if (!is_format(format) || (int)form < FORM_ERF || (int)form > FORM_SIGMOID) return 0;
  written w = {steps, 0, format};
  forms[form](&w, take(&w, x));
  return w.count;
}

gelu_status emulate_array(gelu_form form, float_format format, const double *x, double *y, size_t n) {
  double steps[MOST_FORM_STEPS];
  if (emulate_steps(form, format, 0, steps) == 0) return GELU_UNKNOWN_OPTION;
  if (n > 0 && (x == NULL || y == NULL)) return GELU_NULL_POINTER;
  for (size_t i = 0; i < n; i++) {
    const int count = emulate_steps(form, format, x[i], steps);
    y[i] = steps[count - 1];
  }
  return GELU_OK;
}
