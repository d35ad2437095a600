/* Layer normalisation in float32, forward and backward: Ba et al., arXiv 1607.06450.
 *
 *   normalised = (x - mean)/sqrt(variance + 1e-5)      y = normalised * gain + shift
 *
 * Mean and variance are those of a row of d numbers; gain and shift (d numbers each) may be NULL, both or neither, for
 * 1 and 0. Rows are independent. NaN or an infinity in a row is NaN in all of its y.
 *
 * Order of summation, the same in every build: numbers 0, 4, 8, … are added to 0 one after the other, likewise 1, 5, …,
 * 2, 6, … and 3, 7, …; then (first + second) + (third + fourth), then what is left when d is not a multiple of four.
 *
 * All arrays are rows x d, row-major, but for inverse_deviation with one number a row. The caller owns them; y may be
 * normalised, dx may be dy, nothing else overlaps. Everything is overwritten. Nothing is checked: callers inside the
 * library have done so. */
#ifndef GELU_LAYER_NORM_H
#define GELU_LAYER_NORM_H

#include <stddef.h>

/* normalised and inverse_deviation are what backward needs. */
void layer_norm_forward(size_t rows, size_t d, const float *x, const float *gain, const float *shift, float *normalised,
                        float *inverse_deviation, float *y);

/* From dy: dx, and (unless NULL) the gradients of gain and shift. With g = dy * gain,
 * dx = inverse_deviation (g - mean(g) - normalised mean(g * normalised)). */
void layer_norm_backward(size_t rows, size_t d, const float *gain, const float *normalised,
                         const float *inverse_deviation, const float *dy, float *dgain, float *dshift, float *dx);

#endif
