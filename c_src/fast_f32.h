/* The fast tier (BATCH_FAST): float32 inside, values alone or with first derivatives in one pass.
 *
 * n values x[0 … n-1] give y[0 … n-1] and slope[0 … n-1]; the caller owns all three, the pointers are not NULL unless
 * n = 0. y may be x itself, and so may slope; any other overlap is not allowed. `parameters` are finite, as many as the
 * row has. Every result depends on its own input alone: the same bits at every position, length and alignment, in every
 * build, and the same values with slopes and without (a NaN may have any sign and payload).
 *
 * Both functions answer 1, or 0 and write nothing where there is no fast kernel for that function, order or parameters:
 * then batch_f32 serves with its default accuracy (for a slope: order 0 and order 1). There are kernels at order 0 for
 *
 *   gelu, relu, tanh
 *   silu, gelu_sigmoid, sigmoid    FAST_LEAST_STEEPNESS <= beta or k <= FAST_MOST_STEEPNESS
 *   gelu_tanh                      the same for scale, and FAST_LEAST_CUBIC <= cubic <= FAST_MOST_CUBIC
 *
 * with the formulas of activation.h. Values are at most 5 ULP off, the whole negative tail down to the last subnormal
 * included; NaN, infinities, zeros and the sign of what underflows are those of activation.h, for values and slopes.
 * The worst errors with default parameters, and where:
 *
 *   id            value, ULP                slope, absolute
 *   gelu          4.78 at -0x1.0c2882p+3    1.6e-7 at 0.0327
 *   gelu_tanh     4.29 at -0x1.9827d2p+1    3.0e-7 at 1.235
 *   gelu_sigmoid  4.77 at -0x1.90dc52p+1    3.1e-7 at 0.970
 *   relu          0                         0
 *   sigmoid       2.44 at -0x1.f36f2ap+0    0.9e-7 at 6.24
 *   tanh          4.23 at 0x1.22a952p+1     5.1e-7 at 2.27
 *   silu          3.33 at -0x1.6eddccp+3    2.3e-7 at 1.99
 *
 * Values: each of 2^32 inputs by tests/prove at order 0 (parity.c compares the builds). Slopes: each input from 2^-15
 * to 112. Other parameters: samples (one input in 4001, 60 parameters), at most 4.3 ULP; the slope of sigmoid and its
 * error grow with k. tests/c/test_fast_f32.c holds the bounds on every 7919th input.
 *
 * Slopes are within the absolute error given; where the function falls off to the left (x < -2) those of gelu,
 * gelu_tanh, gelu_sigmoid, silu and sigmoid are also within 6e-7 relative, down to 1e-36. That of tanh, 1 - tanh^2, is
 * absolute only.
 *
 * Where the sizes come from: one rounding is 2^-24 of its result at most, which may be 1 ULP, and a value takes about
 * eight that do not cancel. Eight would allow 8 ULP; 5 is what trying all inputs shows. All arguments of the
 * exponential are right to far more than float32: t^2 in two parts, k x not multiplied at all, the polynomial of
 * gelu_tanh in float64. */
#ifndef GELU_FAST_F32_H
#define GELU_FAST_F32_H

#include <stddef.h>

#include "activation.h"

#define FAST_LEAST_STEEPNESS 0x1p-6
#define FAST_MOST_STEEPNESS 0x1p6
#define FAST_LEAST_CUBIC 0x1p-10
#define FAST_MOST_CUBIC 16.0

int fast_f32(const activation *function, int order, const double *parameters, const float *x, float *y, size_t n);

int fast_f32_with_slope(const activation *function, const double *parameters, const float *x, float *y, float *slope,
                        size_t n);

#endif
