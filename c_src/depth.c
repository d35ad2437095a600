#include "depth.h"

#include <math.h>
#include <string.h>

#include "ffn.h"
#include "layer_norm.h"
#include "matrix.h"
#include "size.h"
#include "special.h"

/* ---- where things are ---- */

typedef struct {
  float *weights;           /* layers times width x width */
  float *states;            /* layers + 1 times samples x width */
  float *normed;            /* layers times samples x width: LN(x); without LN not there */
  float *inverse_deviation; /* layers times samples; likewise */
  float *activated;         /* samples x width, of one layer */
  float *gradient, *inner;  /* samples x width */
  float *products;          /* MATRIX_WORKSPACE */
} stack;

static size_t state_size(const depth_options *o) { return size_product(o->samples, o->width); }

/* Sets the pointers if there is a workspace, and answers its size. */
static size_t lay_out(const depth_options *o, float *workspace, stack *s) {
  const size_t state = state_size(o), all_states = size_product(o->layers, state);
  const size_t sizes[] = {size_product(o->layers, size_product(o->width, o->width)),
                          size_sum(all_states, state),
                          o->layer_norm ? all_states : 0,
                          o->layer_norm ? size_product(o->layers, o->samples) : 0,
                          state,
                          state,
                          state,
                          MATRIX_WORKSPACE};
  float **const arrays[] = {&s->weights,   &s->states,   &s->normed, &s->inverse_deviation,
                            &s->activated, &s->gradient, &s->inner,  &s->products};
  size_t used = 0;
  for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    if (workspace != NULL) *arrays[k] = workspace + used;
    used = size_sum(used, sizes[k]);
  }
  return used;
}

size_t depth_workspace(const depth_options *options) {
  stack nowhere;
  return lay_out(options, NULL, &nowhere);
}

/* ---- one layer ---- */

static matrix_shape shape_of(const depth_options *o) { return (matrix_shape){o->samples, o->width, o->width}; }

static float *state_at(const depth_options *o, const stack *s, size_t layer) {
  return s->states + layer * state_size(o);
}

static float *weights_at(const depth_options *o, const stack *s, size_t layer) {
  return s->weights + layer * o->width * o->width;
}

/* What the activation reads: LN(x), or x itself. */
static float *input_at(const depth_options *o, const stack *s, size_t layer) {
  return o->layer_norm ? s->normed + layer * state_size(o) : state_at(o, s, layer);
}

static void forward(const depth_options *o, ffn_activation act, const stack *s, size_t layer) {
  float *const x = state_at(o, s, layer), *const next = state_at(o, s, layer + 1), *const in = input_at(o, s, layer);
  /* next = act(LN(x)) W + x */
  if (o->layer_norm)
    layer_norm_forward(o->samples, o->width, x, NULL, NULL, in, s->inverse_deviation + layer * o->samples, in);
  batch_f32(act.function, 0, act.parameters, act.accuracy, in, s->activated, state_size(o));
  if (o->residual) memcpy(next, x, state_size(o) * sizeof *next);
  matrix_multiply(shape_of(o), matrix_plain(s->activated), matrix_plain(weights_at(o, s, layer)),
                  o->residual ? MATRIX_ADD : MATRIX_OVERWRITE, NULL, next, s->products);
}

/* In s->gradient that of next goes in and that of x comes out. */
static void backward(const depth_options *o, ffn_activation act, const stack *s, size_t layer) {
  float *const in = input_at(o, s, layer);
  /* next = act(LN(x)) W + x */
  affine_backward(shape_of(o), NULL, weights_at(o, s, layer), s->gradient, MATRIX_OVERWRITE, s->inner, NULL, NULL,
                  s->products);
  ffn_multiply_by_slope(act, in, s->inner, state_size(o));
  if (o->layer_norm)
    layer_norm_backward(o->samples, o->width, NULL, in, s->inverse_deviation + layer * o->samples, s->inner, NULL, NULL,
                        s->inner);
  for (size_t k = 0; k < state_size(o); k++) s->gradient[k] = s->inner[k] + (o->residual ? s->gradient[k] : 0);
}

/* ---- the whole ---- */

static double root_mean_square(const float *x, size_t n) {
  double sum = 0;
  for (size_t k = 0; k < n; k++) sum += (double)x[k] * (double)x[k];
  return sqrt(sum / (double)n);
}

static void draw(const depth_options *o, const stack *s) {
  random_state random;
  random_seed(&random, o->seed);
  ffn_fill_normal(s->states, state_size(o), 1, &random);
  ffn_fill_normal(s->weights, o->layers * o->width * o->width, o->gain / sqrt((double)o->width), &random);
  ffn_fill_normal(s->gradient, state_size(o), 1, &random);
}

gelu_status depth_propagate(const depth_options *options, const activation *function, const double *parameters,
                            double *signal, double *gradient, float *workspace) {
  const depth_options *const o = options;
  const ffn_activation act = {function, parameters, BATCH_FAST};
  const gelu_status status = batch_f32(function, 0, parameters, BATCH_FAST, NULL, NULL, 0);
  if (status != GELU_OK) return status;
  if (!is_finite(o->gain) || o->gain < 0) return GELU_BAD_PARAMETER;
  if (o->width == 0 || o->samples == 0) return GELU_BAD_SIZE;
  if (depth_workspace(o) == SIZE_OVERFLOW) return GELU_TOO_LARGE;
  if (signal == NULL || gradient == NULL || workspace == NULL) return GELU_NULL_POINTER;
  stack s;
  lay_out(o, workspace, &s);
  draw(o, &s);
  for (size_t layer = 0; layer < o->layers; layer++) forward(o, act, &s, layer);
  for (size_t layer = 0; layer <= o->layers; layer++)
    signal[layer] = root_mean_square(state_at(o, &s, layer), state_size(o));
  gradient[o->layers] = root_mean_square(s.gradient, state_size(o));
  for (size_t layer = o->layers; layer > 0; layer--) {
    backward(o, act, &s, layer - 1);
    gradient[layer - 1] = root_mean_square(s.gradient, state_size(o));
  }
  return GELU_OK;
}

gelu_status depth_unit_gain(const activation *function, const double *parameters, double *gain) {
  const gelu_status status = batch_f64(function, 0, parameters, NULL, NULL, 0);
  if (status != GELU_OK) return status;
  if (gain == NULL) return GELU_NULL_POINTER;
  double sum = 0;
  for (int k = -12 * 64; k <= 12 * 64; k++) {
    const double z = k / 64.0;
    double y;
    batch_f64(function, 0, parameters, &z, &y, 1);
    sum += y * y * normal_pdf(z) / 64;
  }
  *gain = 1 / sqrt(sum);
  return GELU_OK;
}
