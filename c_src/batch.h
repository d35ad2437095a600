/* Arrays in, arrays out. The only place that knows float32, rounding and (later) SIMD.
 *
 * n values x[0 … n-1] give y[0 … n-1]; the caller owns both; y may be x itself, any other overlap is not allowed.
 * `parameters` NULL means the defaults of the row; else as many finite numbers as the row has parameters (what stands
 * there for a row without parameters is not looked at).
 * Every result depends on its own input alone: the same bits at every position, length and alignment.
 *
 * Checked in this order, the first fault is the answer, and then nothing is written:
 *   function NULL                          GELU_UNKNOWN_FUNCTION
 *   order not 0, 1, 2                      GELU_UNKNOWN_ORDER
 *   a parameter NaN or infinite            GELU_BAD_PARAMETER
 *   accuracy not of its enumeration        GELU_UNKNOWN_OPTION
 *   n > 0 and x or y NULL                  GELU_NULL_POINTER
 * n = 0 is GELU_OK with any pointers.
 *
 * float64: the function of the table itself (activation.h says how exact).
 *
 * float32: the float64 result rounded once, to nearest even. Correctly rounded at order 0 with default parameters for
 * gelu, gelu_tanh, gelu_sigmoid, sigmoid, silu, tanh, relu and normal_cdf: all 2^32 inputs of each were tried
 * (tests/prove/scan_float32.c), and the seven that need it stand in a table of exceptions in batch.c. Ties
 * break as the exact function says: for subnormal x, GELU is x/2 plus something positive, so GELU(2^-149) = 2^-149 and
 * GELU(-2^-149) = -0. For the other functions, orders and parameters at most 1 ULP.
 * Special values are those of activation.h; float32 results underflow like float64 ones, with their sign. */
#ifndef GELU_BATCH_H
#define GELU_BATCH_H

#include <stddef.h>

#include "activation.h"
#include "status.h"

/* BATCH_FAST: float32 inside, at most 5 ULP; where no fast kernel exists (today: everywhere) the default one serves. */
typedef enum { BATCH_DEFAULT = 0, BATCH_FAST = 1 } batch_accuracy;

gelu_status batch_f64(const activation *function, int order, const double *parameters, const double *x, double *y,
                      size_t n);

gelu_status batch_f32(const activation *function, int order, const double *parameters, batch_accuracy accuracy,
                      const float *x, float *y, size_t n);

#endif
