/* Arrays in, arrays out. The only place that knows float32, rounding and (later) SIMD.
 *
 * n values x[0 … n-1] give y[0 … n-1]; the caller owns both; y may be x itself, any other overlap is not allowed.
 * `parameters` NULL means the defaults of the row; else as many finite numbers as the row has parameters.
 * Every result depends on its own input alone: the same bits at every position, length and alignment.
 * On an error nothing is written. n = 0 is GELU_OK with any pointers. */
#ifndef GELU_BATCH_H
#define GELU_BATCH_H

#include <stddef.h>

#include "activation.h"
#include "status.h"

typedef enum { BATCH_DEFAULT = 0, BATCH_FAST = 1 } batch_accuracy;

gelu_status batch_f64(const activation *function, int order, const double *parameters, const double *x, double *y,
                      size_t n);

gelu_status batch_f32(const activation *function, int order, const double *parameters, batch_accuracy accuracy,
                      const float *x, float *y, size_t n);

#endif
