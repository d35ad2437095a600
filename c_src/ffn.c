#include "ffn.h"

#include <math.h>
#include <string.h>

#include "matrix.h"
#include "size.h"
#include "vec.h"

/* Slopes are needed once, so they are made piece by piece: 2 kB of the stack. */
enum { PIECE = 512 };

/* ---- the activation ---- */

static void activate(ffn_activation act, const float *z, float *a, size_t n) {
  batch_f32(act.function, 0, act.parameters, act.accuracy, z, a, n);
}

/* product = a * b, element by element; product may be a. */
NOT_INLINED static void multiply(const float *a, const float *b, float *product, size_t n) {
  for (size_t k = 0; k < n; k++) product[k] = a[k] * b[k];
}

/* act'(z). The fast tier has slopes only together with values, and together they take less time than exact slopes. */
static void slopes(ffn_activation act, const float *z, float *slope, size_t n) {
  float values[PIECE];
  if (act.accuracy == BATCH_FAST)
    batch_value_and_derivative_f32(act.function, act.parameters, act.accuracy, z, values, slope, n);
  else
    batch_f32(act.function, 1, act.parameters, act.accuracy, z, slope, n);
}

void ffn_multiply_by_slope(ffn_activation act, const float *z, float *gradient, size_t n) {
  float slope[PIECE];
  for (size_t start = 0; start < n; start += PIECE) {
    const size_t count = size_least(n - start, PIECE);
    slopes(act, z + start, slope, count);
    multiply(gradient + start, slope, gradient + start, count);
  }
}

/* ---- checks ---- */

gelu_status ffn_workspace(ffn_shape shape, int gated, size_t *forward, size_t *backward) {
  const size_t inside = size_product(shape.tokens, shape.hidden);
  const size_t outside = size_product(shape.tokens, shape.d), weights = size_product(shape.d, shape.hidden);
  const size_t gradients = size_product(inside, gated ? 2 : 1);
  const size_t total = size_sum(MATRIX_WORKSPACE, gradients);
  if (outside == SIZE_OVERFLOW || weights == SIZE_OVERFLOW || total == SIZE_OVERFLOW) return GELU_TOO_LARGE;
  if (forward == NULL || backward == NULL) return GELU_NULL_POINTER;
  *forward = MATRIX_WORKSPACE;
  *backward = total;
  return GELU_OK;
}

static int missing(const void *array, size_t rows, size_t columns) { return rows > 0 && columns > 0 && array == NULL; }

static int trace_is_missing(ffn_shape s, ffn_trace trace, int gated) {
  return missing(trace.pre_activation, s.tokens, s.hidden) || missing(trace.hidden, s.tokens, s.hidden) ||
         (gated && (missing(trace.activated, s.tokens, s.hidden) || missing(trace.linear, s.tokens, s.hidden)));
}

static gelu_status check(ffn_shape s, ffn_activation act, ffn_weights weights, const float *x, ffn_trace trace,
                         const float *y, const float *workspace) {
  size_t forward, backward;
  gelu_status status = batch_f32(act.function, 0, act.parameters, act.accuracy, NULL, NULL, 0);
  if (status == GELU_OK) status = ffn_workspace(s, weights.v != NULL, &forward, &backward);
  if (status != GELU_OK) return status;
  if (missing(weights.w1, s.d, s.hidden) || missing(weights.w2, s.hidden, s.d) || missing(x, s.tokens, s.d) ||
      trace_is_missing(s, trace, weights.v != NULL) || missing(y, s.tokens, s.d) || workspace == NULL)
    return GELU_NULL_POINTER;
  return GELU_OK;
}

/* ---- forward and backward ---- */

static matrix_shape into_hidden(ffn_shape s) { return (matrix_shape){s.tokens, s.d, s.hidden}; }
static matrix_shape out_of_hidden(ffn_shape s) { return (matrix_shape){s.tokens, s.hidden, s.d}; }

gelu_status ffn_forward(ffn_shape shape, ffn_activation act, ffn_weights weights, const float *x, ffn_trace trace,
                        float *y, float *workspace) {
  const gelu_status status = check(shape, act, weights, x, trace, y, workspace);
  if (status != GELU_OK) return status;
  const matrix_shape in = into_hidden(shape), out = out_of_hidden(shape);
  const size_t inside = shape.tokens * shape.hidden;
  float *const activated = weights.v != NULL ? trace.activated : trace.hidden;

  /* z = x W1 + b1, a = act(z) */
  affine_forward(in, x, weights.w1, weights.b1, trace.pre_activation, workspace);
  activate(act, trace.pre_activation, activated, inside);

  /* u = x V + c, h = a * u; where there is no gate, h = a */
  if (weights.v != NULL) {
    affine_forward(in, x, weights.v, weights.c, trace.linear, workspace);
    multiply(activated, trace.linear, trace.hidden, inside);
  }

  /* y = h W2 + b2 */
  affine_forward(out, trace.hidden, weights.w2, weights.b2, y, workspace);
  return GELU_OK;
}

gelu_status ffn_backward(ffn_shape shape, ffn_activation act, ffn_weights weights, const float *x, ffn_trace trace,
                         const float *dy, float *dx, ffn_parameters gradients, float *workspace) {
  const gelu_status status = check(shape, act, weights, x, trace, dy, workspace);
  if (status != GELU_OK) return status;
  const matrix_shape in = into_hidden(shape), out = out_of_hidden(shape);
  const size_t inside = shape.tokens * shape.hidden;
  float *const dh = workspace + MATRIX_WORKSPACE, *const du = dh + inside, *const dz = dh;

  /* y = h W2 + b2 */
  affine_backward(out, trace.hidden, weights.w2, dy, MATRIX_OVERWRITE, dh, gradients.w2, gradients.b2, workspace);

  /* h = a * u; where there is no gate, h = a. From here on dh holds the gradient of a. */
  if (weights.v != NULL) {
    multiply(dh, trace.activated, du, inside);
    multiply(dh, trace.linear, dh, inside);
  }

  /* a = act(z) */
  ffn_multiply_by_slope(act, trace.pre_activation, dz, inside);

  /* z = x W1 + b1, u = x V + c */
  affine_backward(in, x, weights.w1, dz, MATRIX_OVERWRITE, dx, gradients.w1, gradients.b1, workspace);
  if (weights.v != NULL) affine_backward(in, x, weights.v, du, MATRIX_ADD, dx, gradients.v, gradients.c, workspace);
  return GELU_OK;
}

/* ---- weights in one piece ---- */

size_t ffn_parameter_count(size_t d, size_t hidden, int gated) {
  const size_t into = size_product(size_sum(d, 1), hidden), out_of = size_product(size_sum(hidden, 1), d);
  return size_sum(size_product(into, gated ? 2 : 1), out_of);
}

ffn_parameters ffn_parameters_in(float *numbers, size_t d, size_t hidden, int gated) {
  ffn_parameters at = {0};
  if (numbers == NULL) return at;
  at.w1 = numbers;
  at.b1 = at.w1 + d * hidden;
  float *next = at.b1 + hidden;
  if (gated) {
    at.v = next;
    at.c = at.v + d * hidden;
    next = at.c + hidden;
  }
  at.w2 = next;
  at.b2 = at.w2 + hidden * d;
  return at;
}

ffn_weights ffn_weights_of(ffn_parameters p) { return (ffn_weights){p.w1, p.b1, p.v, p.c, p.w2, p.b2}; }

void ffn_fill_normal(float *numbers, size_t n, double deviation, random_state *random) {
  for (size_t k = 0; k < n; k++) numbers[k] = (float)(deviation * random_normal(random));
}

static void fill_zero(float *numbers, size_t n) {
  if (numbers != NULL) memset(numbers, 0, n * sizeof *numbers);
}

void ffn_initialise(ffn_parameters parameters, size_t d, size_t hidden, double gain, random_state *random) {
  const double into = gain / sqrt((double)d), out_of = gain / sqrt((double)hidden);
  ffn_fill_normal(parameters.w1, d * hidden, into, random);
  if (parameters.v != NULL) ffn_fill_normal(parameters.v, d * hidden, into, random);
  ffn_fill_normal(parameters.w2, hidden * d, out_of, random);
  fill_zero(parameters.b1, hidden);
  fill_zero(parameters.c, hidden);
  fill_zero(parameters.b2, d);
}
