/* Signal and gradient through a deep random network, computed: no formula stands in for the network.
 *
 *   x(l+1) = act(LN(x(l))) W(l) + x(l)        l = 0 … layers - 1, each x samples x width, each W width x width
 *
 * LN (layer_norm.h, without gain and shift) and the residual term + x(l) can be switched off each. The weights are
 * normal with standard deviation gain/sqrt(width). x(0) is standard normal, and so is the gradient of some number with
 * respect to x(layers), which is then carried backwards. All are drawn from random.h with the seed, in the order x(0),
 * W(0) …, gradient.
 *
 * signal[l] is the root mean square of x(l) over samples and units, gradient[l] that of the gradient with respect to
 * x(l); layers + 1 numbers each. What overflows shows as infinity or NaN there.
 *
 * gain = sqrt(2) keeps the signal of ReLU (He et al., arXiv 1502.01852), depth_unit_gain that of any activation.
 *
 * float32 in the fast tier of batch.h, the same bits in every build. The caller owns everything. Checked in this order,
 * and then nothing is written:
 *   activation as in batch.h                                  GELU_UNKNOWN_FUNCTION, GELU_BAD_PARAMETER
 *   gain NaN, infinite or negative                            GELU_BAD_PARAMETER
 *   width or samples 0                                        GELU_BAD_SIZE
 *   an array cannot be addressed                              GELU_TOO_LARGE
 *   signal, gradient or workspace NULL                        GELU_NULL_POINTER */
#ifndef GELU_DEPTH_H
#define GELU_DEPTH_H

#include <stddef.h>
#include <stdint.h>

#include "activation.h"
#include "status.h"

typedef struct {
  size_t layers, width, samples;
  double gain;
  int layer_norm, residual;
  uint64_t seed;
} depth_options;

/* The number of float32 of workspace, SIZE_OVERFLOW (size.h) where they cannot be addressed. */
size_t depth_workspace(const depth_options *options);

gelu_status depth_propagate(const depth_options *options, const activation *function, const double *parameters,
                            double *signal, double *gradient, float *workspace);

/* 1/sqrt(E[act(z)^2]) for standard normal z: the gain that keeps a second moment of 1. By the trapezoidal rule with
 * steps of 1/64 on [-12, 12], to 1e-6 and better. Infinite where act is 0. Statuses: those of the activation, or
 * GELU_NULL_POINTER. */
gelu_status depth_unit_gain(const activation *function, const double *parameters, double *gain);

#endif
