/* Arrays in, arrays out. The only place that knows float32; rounded_f32.h and fast_f32.h are its inside.
 *
 * n values x[0 … n-1] give y[0 … n-1]; the caller owns both; y may be x itself, any other overlap is not allowed.
 * `parameters` NULL means the defaults of the row; else as many finite numbers as the row has parameters (what stands
 * there for a row without parameters is not looked at).
 * Every result depends on its own input alone: the same bits at every position, length and alignment (a NaN may have
 * any sign and payload).
 *
 * Checked in this order, the first fault is the answer, and then nothing is written:
 *   function NULL                          GELU_UNKNOWN_FUNCTION
 *   order not 0, 1, 2                      GELU_UNKNOWN_ORDER
 *   a parameter NaN or infinite            GELU_BAD_PARAMETER
 *   accuracy not of its enumeration        GELU_UNKNOWN_OPTION
 *   n > 0 and x or y NULL                  GELU_NULL_POINTER
 * n = 0 is GELU_OK with any pointers.
 *
 * float64: the function of the table itself (activation.h says how exact), by its vector kernel.
 *
 * float32: rounded once, to nearest even. Correctly rounded at order 0 with default parameters for gelu, gelu_tanh,
 * gelu_sigmoid, sigmoid, silu, tanh, relu and normal_cdf: tests/prove tries all 2^32 inputs of each. These go by
 * vectors where rounded_f32.h says so; everything else is the float64 result rounded once. Ties break as the exact
 * function says: for subnormal x, GELU is x/2 plus something positive, so GELU(2^-149) = 2^-149 and GELU(-2^-149) = -0.
 * For the other functions, orders and parameters at most 1 ULP. Special values are those of activation.h; float32
 * results underflow like float64 ones, with their sign. */
#ifndef GELU_BATCH_H
#define GELU_BATCH_H

#include <stddef.h>

#include "activation.h"
#include "status.h"

/* BATCH_FAST: float32 inside, at most 5 ULP; where no fast kernel exists the default one serves (fast_f32.h says
 * where). */
typedef enum { BATCH_DEFAULT = 0, BATCH_FAST = 1 } batch_accuracy;

gelu_status batch_f64(const activation *function, int order, const double *parameters, const double *x, double *y,
                      size_t n);

gelu_status batch_f32(const activation *function, int order, const double *parameters, batch_accuracy accuracy,
                      const float *x, float *y, size_t n);

/* Value and first derivative in one pass, for training: y[k] and derivative[k] have the bits of two calls of batch_f64,
 * of orders 0 and 1. Where the row has a joint kernel that takes less time than both: in Node 1.15 times that of the
 * value for gelu, 1.6 times for gelu_tanh, gelu_sigmoid and silu. y or derivative may be x itself; they must not be the
 * same array. Checks as above; derivative NULL is GELU_NULL_POINTER, too. */
gelu_status batch_value_and_derivative_f64(const activation *function, const double *parameters, const double *x,
                                           double *y, double *derivative, size_t n);

/* The same in float32. BATCH_DEFAULT: the bits of two calls of batch_f32, and their time. BATCH_FAST: values with the
 * bits of batch_f32, and where fast_f32.h has a kernel derivatives by it, whose absolute error stands there, in 1.1 to
 * 1.3 times the time of the values. */
gelu_status batch_value_and_derivative_f32(const activation *function, const double *parameters,
                                           batch_accuracy accuracy, const float *x, float *y, float *derivative,
                                           size_t n);

#endif
