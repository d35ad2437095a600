/* binary16 and bfloat16, and formulas of GELU evaluated as they are written, with a rounding after every operation.
 *
 *   format      bits of the fraction   largest             smallest normal   smallest
 *   binary16    10                     65504               2^-14             2^-24      IEEE 754-2019
 *   bfloat16     7                     2^127 (2 - 2^-7)    2^-126            2^-133     the upper half of a float32
 *
 * Rounding is to nearest, ties to even, once, straight from float64. From half-way beyond the largest number on the
 * result is infinite; below the normal numbers there are subnormal ones, none is flushed. The sign of 0 is kept. A NaN
 * stays a NaN: it keeps its sign and as many leading bits of its payload as there is room for, and is quiet.
 * Nothing is allocated. */
#ifndef GELU_HALFFLOAT_H
#define GELU_HALFFLOAT_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef enum { FORMAT_FLOAT64 = 0, FORMAT_FLOAT32 = 1, FORMAT_FLOAT16 = 2, FORMAT_BFLOAT16 = 3 } float_format;

uint16_t binary16_bits(double x);
uint16_t bfloat16_bits(double x);

/* Exact. A signalling NaN becomes quiet. */
double binary16_value(uint16_t bits);
double bfloat16_value(uint16_t bits);

/* The nearest number of the format, which must be one of the four. */
double round_to_format(double x, float_format format);

/* y[i] = the nearest number of the format to x[i]; y may be x.
 *   GELU_UNKNOWN_OPTION   not one of the four formats
 *   GELU_NULL_POINTER     x or y is NULL although n > 0 */
gelu_status round_array(float_format format, const double *x, double *y, size_t n);

/* The formulas, each with its steps in the order in which they are taken; the last one is the result:
 *
 *   FORM_ERF       x,  x / sqrt(2),  erf,  1 + erf,  x/2,  x/2 (1 + erf)
 *   FORM_ERFC      x,  -x / sqrt(2),  erfc,  x/2,  x/2 erfc
 *   FORM_TANH      x,  x^2,  x^3,  c x^3,  x + c x^3,  s (x + c x^3),  tanh,  1 + tanh,  x/2,  x/2 (1 + tanh)
 *   FORM_SIGMOID   x,  -k x,  exp,  1 + exp,  1 / (1 + exp),  x / (1 + exp) as a product
 *
 * with c = 0.044715, s = sqrt(2/pi), k = 1.702. x and the constants are rounded to the format first, then every result
 * of an operation; erf, erfc, tanh and exp count as one operation, computed in float64 within 2 ULP and rounded. Sums,
 * products and quotients come out as if rounded once: float64 has more than twice the digits of the next format.
 *
 * Infinities and NaN are what IEEE arithmetic makes of the steps: FORM_ERF(-inf) = -inf * 0 = NaN. */
typedef enum { FORM_ERF = 0, FORM_ERFC = 1, FORM_TANH = 2, FORM_SIGMOID = 3 } gelu_form;

enum { MOST_FORM_STEPS = 10 };

/* All steps for one x; steps has room for MOST_FORM_STEPS. Answers how many there are, 0 for a form or format that does
 * not exist; then nothing is written. */
int emulate_steps(gelu_form form, float_format format, double x, double *steps);

/* The results alone; y may be x.
 *   GELU_UNKNOWN_OPTION   not one of the forms or formats
 *   GELU_NULL_POINTER     x or y is NULL although n > 0 */
gelu_status emulate_array(gelu_form form, float_format format, const double *x, double *y, size_t n);

#endif
