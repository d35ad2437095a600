#include "layer_norm.h"

#include <math.h>
#include <string.h>

#include "vec.h"

enum { LANES = 4 };

static const float epsilon = 1e-5f;

/* The sum of a[k] b[k], or of a[k] where b is NULL, in the order of the header. */
NOT_INLINED static float sum_of_products(const float *a, const float *b, size_t n) {
  f32x4 lanes = {0};
  size_t k = 0;
  for (; k + LANES <= n; k += LANES) lanes += b == NULL ? f32x4_load(a + k) : f32x4_load(a + k) * f32x4_load(b + k);
  float sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (; k < n; k++) sum += b == NULL ? a[k] : a[k] * b[k];
  return sum;
}

void layer_norm_forward(size_t rows, size_t d, const float *x, const float *gain, const float *shift, float *normalised,
                        float *inverse_deviation, float *y) {
  const float share = 1 / (float)d;
  for (size_t row = 0; row < rows; row++, x += d, normalised += d, y += d) {
    const float mean = sum_of_products(x, NULL, d) * share;
    for (size_t k = 0; k < d; k++) normalised[k] = x[k] - mean;
    const float variance = sum_of_products(normalised, normalised, d) * share;
    const float inverse = 1 / sqrtf(variance + epsilon);
    inverse_deviation[row] = inverse;
    for (size_t k = 0; k < d; k++) normalised[k] *= inverse;
    if (gain == NULL && y != normalised) memcpy(y, normalised, d * sizeof *y);
    if (gain != NULL)
      for (size_t k = 0; k < d; k++) y[k] = normalised[k] * gain[k] + shift[k];
  }
}

/* dgain += dy * normalised, dshift += dy, for one row. */
static void add_parameter_gradients(size_t d, const float *normalised, const float *dy, float *dgain, float *dshift) {
  for (size_t k = 0; k < d; k++) {
    dgain[k] += dy[k] * normalised[k];
    dshift[k] += dy[k];
  }
}

void layer_norm_backward(size_t rows, size_t d, const float *gain, const float *normalised,
                         const float *inverse_deviation, const float *dy, float *dgain, float *dshift, float *dx) {
  const float share = 1 / (float)d;
  if (dgain != NULL) {
    memset(dgain, 0, d * sizeof *dgain);
    memset(dshift, 0, d * sizeof *dshift);
  }
  for (size_t row = 0; row < rows; row++, normalised += d, dy += d, dx += d) {
    /* y = normalised * gain + shift */
    if (dgain != NULL) add_parameter_gradients(d, normalised, dy, dgain, dshift);
    for (size_t k = 0; k < d; k++) dx[k] = gain == NULL ? dy[k] : dy[k] * gain[k];
    /* normalised = (x - mean)/sqrt(variance + epsilon) */
    const float mean = sum_of_products(dx, NULL, d) * share;
    const float along = sum_of_products(dx, normalised, d) * share;
    for (size_t k = 0; k < d; k++) dx[k] = inverse_deviation[row] * ((dx[k] - mean) - normalised[k] * along);
  }
}
