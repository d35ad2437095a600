/* The feed-forward network of a Transformer, forward and backward, in float32.
 *
 *   plain   y = act(x W1 + b1) W2 + b2                       Vaswani et al., arXiv 1706.03762
 *   gated   y = (act(x W1 + b1) * (x V + c)) W2 + b2         Shazeer, arXiv 2002.05202 (GEGLU, SwiGLU, ReGLU)
 *
 * with * element by element and act any row of the activation table. It is gated where V is not NULL.
 *
 * Shapes, all row-major without gaps:  x, y  tokens x d      W1, V  d x hidden      b1, c  hidden
 *                                      W2    hidden x d      b2     d
 * Any size, 0 included. Each of b1, c, b2 may be NULL: then it is left out.
 *
 * Matrix products in the order of summation of matrix.h, one token independent of the others; the activation by
 * batch_f32 in the chosen tier. So the results have the same bits in every build, for one token or for many.
 * NaN and infinities go through as in any arithmetic: a NaN in a token's x is a NaN in all of its y.
 *
 * The caller owns everything; nothing overlaps. Forward and backward OVERWRITE all that they write, gradients included:
 * who wants sums of gradients adds them up. What forward leaves in the trace belongs to its x, and backward reads both.
 *
 * Checked in this order, and then nothing is written:
 *   activation                                       as batch_f32: GELU_UNKNOWN_FUNCTION, GELU_BAD_PARAMETER,
 *                                                    GELU_UNKNOWN_OPTION
 *   an array of these sizes cannot be addressed      GELU_TOO_LARGE
 *   an array with elements that may not be NULL is   GELU_NULL_POINTER */
#ifndef GELU_FFN_H
#define GELU_FFN_H

#include "batch.h"
#include "random.h"
#include "status.h"

typedef struct {
  size_t tokens, d, hidden;
} ffn_shape;

typedef struct {
  const activation *function;
  const double *parameters; /* NULL: the defaults */
  batch_accuracy accuracy;
} ffn_activation;

typedef struct {
  const float *w1, *b1, *v, *c, *w2, *b2;
} ffn_weights;

/* The same arrays to be written: weights to be set, or gradients (there NULL means: not wanted). */
typedef struct {
  float *w1, *b1, *v, *c, *w2, *b2;
} ffn_parameters;

/* What forward computes on its way, each tokens x hidden. */
typedef struct {
  float *pre_activation; /* x W1 + b1 */
  float *hidden;         /* what W2 multiplies: act(pre_activation), or that times linear */
  float *activated;      /* gated only: act(pre_activation) */
  float *linear;         /* gated only: x V + c */
} ffn_trace;

/* The numbers of float32 of workspace that forward and backward need.
 * GELU_TOO_LARGE where an array of these sizes cannot be addressed. */
gelu_status ffn_workspace(ffn_shape shape, int gated, size_t *forward, size_t *backward);

gelu_status ffn_forward(ffn_shape shape, ffn_activation act, ffn_weights weights, const float *x, ffn_trace trace,
                        float *y, float *workspace);

/* From dy, the gradient of some number with respect to y, those with respect to x (unless dx is NULL) and to every
 * array of `gradients` that is not NULL. `weights`, `x` and `trace` are those of the forward call. */
gelu_status ffn_backward(ffn_shape shape, ffn_activation act, ffn_weights weights, const float *x, ffn_trace trace,
                         const float *dy, float *dx, ffn_parameters gradients, float *workspace);

/* gradient[k] *= act'(z[k]) for n numbers. The activation must have been checked. */
void ffn_multiply_by_slope(ffn_activation act, const float *z, float *gradient, size_t n);

/* ---- weights in one piece ---- */

/* How many numbers all weights are, biases included; SIZE_OVERFLOW (size.h) where they cannot be addressed. */
size_t ffn_parameter_count(size_t d, size_t hidden, int gated);

/* The arrays in one piece of memory, one after the other: w1, b1, v and c where gated, w2, b2. All NULL for NULL. */
ffn_parameters ffn_parameters_in(float *numbers, size_t d, size_t hidden, int gated);

ffn_weights ffn_weights_of(ffn_parameters parameters);

/* Normal numbers with standard deviation gain/sqrt(fan-in), that is gain/sqrt(d) for w1 and v and gain/sqrt(hidden) for
 * w2, drawn in float64 in the order w1, v, w2 and row by row, then rounded; biases 0. */
void ffn_initialise(ffn_parameters parameters, size_t d, size_t hidden, double gain, random_state *random);

/* n normal numbers with this standard deviation, rounded to float32. */
void ffn_fill_normal(float *numbers, size_t n, double deviation, random_state *random);

#endif
