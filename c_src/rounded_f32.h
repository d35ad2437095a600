/* Float32 results, each rounded once: the inside of batch_f32, which says what is promised and checks the arguments.
 *
 * At order 0 the functions whose float32 value is promised to be correctly rounded have a vector kernel. It estimates
 * eight values at a time in float64, with an error far below half a unit of float32, but above that of a float64
 * result. Where the bound on that error leaves open to which side a value rounds (one lane in 16,384 for 39 bits, in
 * 32,768 for 40), and below -end (rounded_tables.h), the float64 function of activation.c does that lane again. For
 * tiny x the estimate decides (gelu_second_phase). Everything else is the float64 kernel's result, rounded once. So
 * each result depends on its own input alone.
 *
 *   kernel                          relative error  taken as   holds for
 *   gelu, normal_cdf                    2^-40.1      2^-39     (no parameters)
 *   silu, gelu_sigmoid                  2^-43.0      2^-40     2^-10 <= beta, k <= 2^10
 *   gelu_tanh                           2^-42.7      2^-40     2^-10 <= scale <= 2^10, 0 <= cubic <= 2^10
 *   sigmoid                             2^-44.3      2^-40     2^-10 <= k <= 2^10
 *   tanh                                2^-43.6      2^-40     (no parameters)
 *   relu                                0                      (no parameters)
 *
 * The errors are sums of measured approximation errors and of roundings counted by hand (rounded_f32.c says which):
 * careful, not proved. What certifies the results with default parameters is tests/prove, which tries all 2^32 inputs
 * of each function. */
#ifndef GELU_ROUNDED_F32_H
#define GELU_ROUNDED_F32_H

#include <stddef.h>

#include "activation.h"

/* n values from x to y, which may be x. parameters: as many finite numbers as the row has, NULL only where it has none.
 */
void rounded_f32(const activation *function, int order, const double *parameters, const float *x, float *y, size_t n);

#endif
