/* The only C file that knows JavaScript; wasm_api.h says what it offers. */
#include "wasm_api.h"

#include <math.h>
#include <stddef.h>

#include "activation.h"
#include "batch.h"
#include "depth.h"
#include "ffn.h"
#include "halffloat.h"
#include "size.h"

/* Exact as a size or a seed. */
static int is_whole(double x) { return x >= 0 && x <= 0x1p53 && (double)(uint64_t)x == x; }

static const activation_parameter *find_parameter(int32_t function, int32_t parameter) {
  const activation *row = activation_at(function);
  return row != NULL && parameter >= 0 && parameter < row->parameter_count ? &row->parameters[parameter] : NULL;
}

int32_t gelu_function_count(void) { return activation_count(); }

const char *gelu_function_id(int32_t function) {
  const activation *row = activation_at(function);
  return row != NULL ? row->id : NULL;
}

int32_t gelu_parameter_count(int32_t function) {
  const activation *row = activation_at(function);
  return row != NULL ? row->parameter_count : 0;
}

const char *gelu_parameter_name(int32_t function, int32_t parameter) {
  const activation_parameter *found = find_parameter(function, parameter);
  return found != NULL ? found->name : NULL;
}

double gelu_parameter_value(int32_t function, int32_t parameter) {
  const activation_parameter *found = find_parameter(function, parameter);
  return found != NULL ? found->value : 0;
}

double gelu_parameter_min(int32_t function, int32_t parameter) {
  const activation_parameter *found = find_parameter(function, parameter);
  return found != NULL ? found->min : 0;
}

double gelu_parameter_max(int32_t function, int32_t parameter) {
  const activation_parameter *found = find_parameter(function, parameter);
  return found != NULL ? found->max : 0;
}

int32_t gelu_evaluate_f64(int32_t function, int32_t order, const double *parameters, const double *x, double *y,
                          uint32_t n) {
  return (int32_t)batch_f64(activation_at(function), order, parameters, x, y, n);
}

int32_t gelu_evaluate_f32(int32_t function, int32_t order, const double *parameters, int32_t accuracy, const float *x,
                          float *y, uint32_t n) {
  return (int32_t)batch_f32(activation_at(function), order, parameters, (batch_accuracy)accuracy, x, y, n);
}

int32_t gelu_evaluate_both_f64(int32_t function, const double *parameters, const double *x, double *y, double *dy,
                               uint32_t n) {
  return (int32_t)batch_value_and_derivative_f64(activation_at(function), parameters, x, y, dy, n);
}

int32_t gelu_evaluate_both_f32(int32_t function, const double *parameters, int32_t accuracy, const float *x, float *y,
                               float *dy, uint32_t n) {
  return (int32_t)batch_value_and_derivative_f32(activation_at(function), parameters, (batch_accuracy)accuracy, x, y,
                                                 dy, n);
}

int32_t gelu_max_error(int32_t function, const double *parameters, int32_t reference,
                       const double *reference_parameters, int32_t order, double from, double to, int32_t relative,
                       double *result) {
  comparison found;
  gelu_status status = compare_functions((compare_side){activation_at(function), parameters},
                                         (compare_side){activation_at(reference), reference_parameters}, order, from,
                                         to, relative, &found);
  if (status != GELU_OK) return (int32_t)status;
  if (result == NULL) return (int32_t)GELU_NULL_POINTER;
  result[0] = found.error;
  result[1] = found.at;
  result[2] = found.rms;
  return (int32_t)GELU_OK;
}

int32_t gelu_fit_bytes(void) { return (int32_t)sizeof(parameter_fit); }

int32_t gelu_fit_start(parameter_fit *fit, int32_t function, const double *parameters, int32_t reference,
                       const double *reference_parameters, int32_t order, double from, double to, uint32_t vary) {
  return (int32_t)fit_start(fit, (compare_side){activation_at(function), parameters},
                            (compare_side){activation_at(reference), reference_parameters}, order, from, to, vary);
}

int32_t gelu_fit_step(parameter_fit *fit, uint32_t steps) {
  if (fit == NULL) return 0;
  int goes_on = !fit->done;
  for (uint32_t i = 0; i < steps && goes_on; i++) goes_on = fit_step(fit);
  return goes_on;
}

int32_t gelu_fit_read(const parameter_fit *fit, double *result) {
  if (fit == NULL || result == NULL) return (int32_t)GELU_NULL_POINTER;
  result[0] = fit->steps;
  result[1] = fit->grid_steps;
  result[2] = fit->error;
  result[3] = fit->at;
  for (int j = 0; j < ACTIVATION_MAX_PARAMETERS; j++) result[4 + j] = fit->best[j];
  return (int32_t)GELU_OK;
}

int32_t gelu_round(int32_t format, const double *x, double *y, uint32_t n) {
  return (int32_t)round_array((float_format)format, x, y, n);
}

int32_t gelu_emulate(int32_t form, int32_t format, const double *x, double *y, uint32_t n) {
  return (int32_t)emulate_array((gelu_form)form, (float_format)format, x, y, n);
}

int32_t gelu_emulate_steps(int32_t form, int32_t format, double x, double *steps) {
  return steps == NULL ? 0 : emulate_steps((gelu_form)form, (float_format)format, x, steps);
}

int32_t gelu_random_bytes(void) { return (int32_t)sizeof(random_state); }

int32_t gelu_random_seed(random_state *state, double seed) {
  if (state == NULL) return (int32_t)GELU_NULL_POINTER;
  if (!is_whole(seed)) return (int32_t)GELU_BAD_PARAMETER;
  random_seed(state, (uint64_t)seed);
  return (int32_t)GELU_OK;
}

int32_t gelu_random_uniform(random_state *state, double *out, uint32_t n) {
  if (state == NULL || (out == NULL && n > 0)) return (int32_t)GELU_NULL_POINTER;
  for (uint32_t i = 0; i < n; i++) out[i] = random_uniform(state);
  return (int32_t)GELU_OK;
}

int32_t gelu_random_normal(random_state *state, double *out, uint32_t n) {
  if (state == NULL || (out == NULL && n > 0)) return (int32_t)GELU_NULL_POINTER;
  for (uint32_t i = 0; i < n; i++) out[i] = random_normal(state);
  return (int32_t)GELU_OK;
}

/* ---- feed-forward network ---- */

static ffn_trace trace_in(float *numbers, ffn_shape shape, int32_t gated) {
  const ffn_trace none = {0};
  if (numbers == NULL) return none;
  const size_t inside = shape.tokens * shape.hidden;
  const ffn_trace trace = {numbers, numbers + inside, gated ? numbers + 2 * inside : NULL,
                           gated ? numbers + 3 * inside : NULL};
  return trace;
}

/* Where the arrays are cannot be computed before this: what ffn.h checks first. */
static gelu_status check_ffn(ffn_shape shape, int32_t gated, ffn_activation act) {
  size_t forward, backward;
  const gelu_status status = batch_f32(act.function, 0, act.parameters, act.accuracy, NULL, NULL, 0);
  if (status != GELU_OK) return status;
  if (ffn_parameter_count(shape.d, shape.hidden, gated) == SIZE_OVERFLOW) return GELU_TOO_LARGE;
  return ffn_workspace(shape, gated, &forward, &backward);
}

double gelu_ffn_workspace(uint32_t tokens, uint32_t d, uint32_t hidden, int32_t gated, int32_t backward) {
  size_t sizes[2];
  const ffn_shape shape = {tokens, d, hidden};
  const gelu_status status = ffn_workspace(shape, gated, &sizes[0], &sizes[1]);
  return status == GELU_OK ? (double)sizes[backward != 0] : (double)INFINITY;
}

int32_t gelu_ffn_initialise(uint32_t d, uint32_t hidden, int32_t gated, double seed, float *weights) {
  random_state random;
  const int32_t status = gelu_random_seed(&random, seed);
  if (status != GELU_OK) return status;
  if (ffn_parameter_count(d, hidden, gated) == SIZE_OVERFLOW) return (int32_t)GELU_TOO_LARGE;
  if (weights == NULL) return (int32_t)GELU_NULL_POINTER;
  ffn_initialise(ffn_parameters_in(weights, d, hidden, gated), d, hidden, 1, &random);
  return (int32_t)GELU_OK;
}

int32_t gelu_ffn_forward(uint32_t tokens, uint32_t d, uint32_t hidden, int32_t gated, int32_t function,
                         const double *parameters, float *weights, const float *x, float *trace, float *y,
                         float *workspace) {
  const ffn_shape shape = {tokens, d, hidden};
  const ffn_activation act = {activation_at(function), parameters, BATCH_FAST};
  const gelu_status status = check_ffn(shape, gated, act);
  if (status != GELU_OK) return (int32_t)status;
  return (int32_t)ffn_forward(shape, act, ffn_weights_of(ffn_parameters_in(weights, d, hidden, gated)), x,
                              trace_in(trace, shape, gated), y, workspace);
}

int32_t gelu_ffn_backward(uint32_t tokens, uint32_t d, uint32_t hidden, int32_t gated, int32_t function,
                          const double *parameters, float *weights, const float *x, float *trace, const float *dy,
                          float *dx, float *gradients, float *workspace) {
  const ffn_shape shape = {tokens, d, hidden};
  const ffn_activation act = {activation_at(function), parameters, BATCH_FAST};
  const gelu_status status = check_ffn(shape, gated, act);
  if (status != GELU_OK) return (int32_t)status;
  return (int32_t)ffn_backward(shape, act, ffn_weights_of(ffn_parameters_in(weights, d, hidden, gated)), x,
                               trace_in(trace, shape, gated), dy, dx, ffn_parameters_in(gradients, d, hidden, gated),
                               workspace);
}

/* ---- training ---- */

static size_t size_of(double x) { return x < 0x1p31 ? (size_t)x : SIZE_OVERFLOW; }

/* Whether they can be read at all. */
static gelu_status check_options(const double *o) {
  if (o == NULL) return GELU_NULL_POINTER;
  for (int k = 0; k < 6; k++)
    if (!is_whole(o[k])) return GELU_BAD_SIZE;
  return is_whole(o[13]) ? GELU_OK : GELU_BAD_PARAMETER;
}

static train_optimizer optimizer_of(double x) {
  const train_optimizer other = x == 1 ? TRAIN_ADAMW : (train_optimizer)-1;
  return x == 0 ? TRAIN_SGD : other;
}

static train_options read_options(const double *o) {
  return (train_options){.inputs = size_of(o[0]),
                         .classes = size_of(o[1]),
                         .d = size_of(o[2]),
                         .hidden = size_of(o[3]),
                         .blocks = size_of(o[4]),
                         .batch = size_of(o[5]),
                         .layer_norm = o[6] != 0,
                         .residual = o[7] != 0,
                         .optimizer = optimizer_of(o[8]),
                         .learning_rate = o[9],
                         .momentum = o[10],
                         .weight_decay = o[11],
                         .init_gain = o[12],
                         .seed = (uint64_t)o[13]};
}

/* The arrays of a run come after it, and after them the examples: all of it in multiples of 8 bytes. */
static size_t in_eights(size_t bytes) { return (bytes + 7) / 8 * 8; }
static size_t run_bytes(void) { return in_eights(sizeof(trainer)); }

double gelu_train_bytes(const double *options, uint32_t examples) {
  size_t bytes;
  if (check_options(options) != GELU_OK) return (double)INFINITY;
  const train_options read = read_options(options);
  if (train_bytes(&read, examples, &bytes) != GELU_OK) return (double)INFINITY;
  return (double)(in_eights(bytes) + run_bytes());
}

int32_t gelu_train_start(trainer *run, const double *options, int32_t function, const double *parameters,
                         const float *x, const int32_t *y, uint32_t count, const float *validation_x,
                         const int32_t *validation_y, uint32_t validation_count) {
  if (run == NULL) return (int32_t)GELU_NULL_POINTER;
  const gelu_status status = check_options(options);
  if (status != GELU_OK) return (int32_t)status;
  const train_options read = read_options(options);
  return (int32_t)train_start(run, &read, activation_at(function), parameters, (train_set){x, y, count},
                              (train_set){validation_x, validation_y, validation_count}, (char *)run + run_bytes());
}

int32_t gelu_train_set_activation(trainer *run, int32_t function, const double *parameters) {
  if (run == NULL) return (int32_t)GELU_NULL_POINTER;
  return (int32_t)train_set_activation(run, activation_at(function), parameters);
}

int32_t gelu_train_step(trainer *run, double *result) {
  if (run == NULL || result == NULL) return (int32_t)GELU_NULL_POINTER;
  train_progress p;
  const gelu_status status = train_step(run, &p);
  if (status != GELU_OK) return (int32_t)status;
  result[0] = (double)p.step;
  result[1] = (double)p.epoch;
  result[2] = p.loss;
  return (int32_t)GELU_OK;
}

static int32_t write_statistics(gelu_status (*find)(trainer *, train_statistics *, double *), trainer *run,
                                double *result) {
  if (run == NULL || result == NULL) return (int32_t)GELU_NULL_POINTER;
  train_statistics s;
  const gelu_status status = find(run, &s, result + 7);
  if (status != GELU_OK) return (int32_t)status;
  result[0] = (double)s.epoch;
  result[1] = s.train_loss;
  result[2] = s.validation_loss;
  result[3] = s.train_accuracy;
  result[4] = s.validation_accuracy;
  result[5] = s.off_for_batch;
  result[6] = s.off_for_set;
  return (int32_t)GELU_OK;
}

int32_t gelu_train_epoch(trainer *run, double *result) { return write_statistics(train_epoch, run, result); }

int32_t gelu_train_evaluate(trainer *run, double *result) { return write_statistics(train_evaluate, run, result); }

int32_t gelu_train_units(trainer *run, uint32_t block, uint32_t example, float *result) {
  if (run == NULL || result == NULL) return (int32_t)GELU_NULL_POINTER;
  const size_t hidden = run->options.hidden;
  const train_units_of_block units = {result, result + hidden, result + 2 * hidden, result + 3 * hidden};
  return (int32_t)train_units(run, block, example, units);
}

int32_t gelu_train_shift_biases(trainer *run, double delta) {
  return (int32_t)(run == NULL ? GELU_NULL_POINTER : train_shift_biases(run, delta));
}

int32_t gelu_train_set_learning_rate(trainer *run, double learning_rate) {
  return (int32_t)(run == NULL ? GELU_NULL_POINTER : train_set_learning_rate(run, learning_rate));
}

double gelu_train_failed_at(const trainer *run) { return run == NULL ? 0 : (double)run->failed_at; }

/* ---- depth ---- */

double gelu_depth_workspace(uint32_t layers, uint32_t width, uint32_t samples, int32_t layer_norm) {
  const depth_options options = {.layers = layers, .width = width, .samples = samples, .layer_norm = layer_norm};
  const size_t floats = depth_workspace(&options);
  return floats == SIZE_OVERFLOW ? (double)INFINITY : (double)floats;
}

int32_t gelu_depth(uint32_t layers, uint32_t width, uint32_t samples, double gain, int32_t layer_norm, int32_t residual,
                   double seed, int32_t function, const double *parameters, double *signal, double *gradient,
                   float *workspace) {
  if (!is_whole(seed)) return (int32_t)GELU_BAD_PARAMETER;
  const depth_options options = {layers, width, samples, gain, layer_norm, residual, (uint64_t)seed};
  return (int32_t)depth_propagate(&options, activation_at(function), parameters, signal, gradient, workspace);
}

int32_t gelu_depth_unit_gain(int32_t function, const double *parameters, double *gain) {
  return (int32_t)depth_unit_gain(activation_at(function), parameters, gain);
}
