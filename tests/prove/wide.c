#include "wide.h"

#include <math.h>
#include <string.h>

/* ---- long double ---- */

#define REAL long double
#define NAME(x) x##_long
#define LITERAL(x) x##L
#define EXP expl
#define EXPM1 expm1l
#define LOG1P log1pl
#define TANH tanhl
#define ERFC erfcl
#define ABS fabsl
#include "wide_formulas.h"

/* ---- binary128 ---- */

#if LDBL_MANT_DIG == 64
#include <quadmath.h>

#undef REAL
#undef NAME
#undef LITERAL
#undef EXP
#undef EXPM1
#undef LOG1P
#undef TANH
#undef ERFC
#undef ABS
#define REAL __float128
#define NAME(x) x##_quad
#define LITERAL(x) x##Q
#define EXP expq
#define EXPM1 expm1q
#define LOG1P log1pq
#define TANH tanhq
#define ERFC erfcq
#define ABS fabsq
#include "wide_formulas.h"
#else
#define formulas_quad formulas_long
#define sum_quad sum_long
#endif

/* Where the limit begins: there exp(-|u|) times everything it is multiplied by is below 2^-1076, and for the normal
 * distribution exp(-x^2/2) = exp(-1012). For functions without a limit, or with one from 0 on, no such place. */
static const struct {
  const char *id;
  double limit_from;
} rows[] = {
    {"gelu", 45},  {"gelu_tanh", 25},  {"gelu_sigmoid", 470}, {"relu", INFINITY}, {"sigmoid", 800},
    {"tanh", 400}, {"silu", 800},      {"softplus", 800},     {"elu", 800},       {"leaky_relu", INFINITY},
    {"mish", 800}, {"normal_cdf", 45},
};

int wide_find(const char *id) {
  for (int k = 0; k < (int)(sizeof rows / sizeof rows[0]); k++)
    if (strcmp(rows[k].id, id) == 0) return k;
  return -1;
}

double wide_limit_from(int function) { return rows[function].limit_from; }

/* The library functions are within 5 units of the last place (glibc's manual, "Known Maximum Errors"), an argument u
 * rounded to 2^-64 of itself moves exp(u) by |u| 2^-64, and there are at most a dozen roundings more. For the float32
 * inputs whose result is not 0, |u| <= 110 (erfc: x^2 <= 210), in all below 300 * 2^-64 < 2^-55; beyond, all that is
 * added up is below 2^-151, and up to |u| = 1200 (gelu_tanh at 25) the error is below 2500 * 2^-64 < 2^-52. Both are
 * far below the 2^-44 within which nothing is decided. Checked against MPFR on a sample. */
static const long double long_unit = 0x1p-54L, long_unit_in_tail = 0x1p-52L, tail_below = 0x1p-151L;

/* The same with 2^-113 and |u| <= 1500: below 2^-101. */
static const double quad_unit = 0x1p-98;

enclosure wide_at(int function, int order, const double *parameters, float x) {
  const sum_long s = formulas_long[function](order, parameters, (long double)x);
  return (enclosure){s.y, s.size * (s.size < tail_below ? long_unit_in_tail : long_unit)};
}

quad_enclosure wide_quad_at(int function, int order, const double *parameters, double x) {
  const sum_quad s = formulas_quad[function](order, parameters, (quad)x);
  return (quad_enclosure){s.y, s.size * (quad)quad_unit};
}
