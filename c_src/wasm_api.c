/* The only C file that knows JavaScript: flat numbers and pointers in, checks, forwards.
 *
 * Functions are named by their row in the activation table. Pointers are offsets into the wasm memory and must come
 * from malloc(), 8-byte aligned; the caller frees. A `parameters` pointer of 0 means the defaults. Every function that
 * can fail answers a gelu_status (status.h); the others answer 0 for a row or parameter that does not exist. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "activation.h"
#include "batch.h"
#include "compare.h"
#include "depth.h"
#include "ffn.h"
#include "random.h"
#include "size.h"
#include "train.h"

/* Declared here and not in a header because nothing in C calls them; exports.txt is their list. */
int32_t gelu_function_count(void);
const char *gelu_function_id(int32_t function);
int32_t gelu_parameter_count(int32_t function);
const char *gelu_parameter_name(int32_t function, int32_t parameter);
double gelu_parameter_value(int32_t function, int32_t parameter);
double gelu_parameter_min(int32_t function, int32_t parameter);
double gelu_parameter_max(int32_t function, int32_t parameter);
int32_t gelu_evaluate_f64(int32_t function, int32_t order, const double *parameters, const double *x, double *y,
                          uint32_t n);
int32_t gelu_evaluate_f32(int32_t function, int32_t order, const double *parameters, int32_t accuracy, const float *x,
                          float *y, uint32_t n);

/* Values to y and first derivatives to dy, in one pass where there is a kernel for that. */
int32_t gelu_evaluate_both_f64(int32_t function, const double *parameters, const double *x, double *y, double *dy,
                               uint32_t n);
int32_t gelu_evaluate_both_f32(int32_t function, const double *parameters, int32_t accuracy, const float *x, float *y,
                               float *dy, uint32_t n);

/* result: three numbers, the largest difference, where it is, and the root mean square. */
int32_t gelu_max_error(int32_t function, const double *parameters, int32_t reference,
                       const double *reference_parameters, int32_t order, double from, double to, int32_t relative,
                       double *result);

/* state: sizeof(random_state) bytes, 8-byte aligned. seed: a whole number from 0 to 2^53. */
int32_t gelu_random_bytes(void);
int32_t gelu_random_seed(random_state *state, double seed);
int32_t gelu_random_uniform(random_state *state, double *out, uint32_t n);
int32_t gelu_random_normal(random_state *state, double *out, uint32_t n);

/* A feed-forward network (ffn.h), its activation in the fast tier. `weights` and `gradients` are all arrays in one
 * piece: w1, b1, where gated v and c, w2, b2. `trace` is tokens x hidden numbers twice, pre-activations and hidden
 * values; where gated four times, then act(pre-activations) and the linear part. The workspace of backward serves
 * forward, too. gelu_ffn_workspace answers a number of float32, or infinity where an array cannot be addressed. */
double gelu_ffn_workspace(uint32_t tokens, uint32_t d, uint32_t hidden, int32_t gated, int32_t backward);
int32_t gelu_ffn_initialise(uint32_t d, uint32_t hidden, int32_t gated, double seed, float *weights);
int32_t gelu_ffn_forward(uint32_t tokens, uint32_t d, uint32_t hidden, int32_t gated, int32_t function,
                         const double *parameters, float *weights, const float *x, float *trace, float *y,
                         float *workspace);
int32_t gelu_ffn_backward(uint32_t tokens, uint32_t d, uint32_t hidden, int32_t gated, int32_t function,
                          const double *parameters, float *weights, const float *x, float *trace, const float *dy,
                          float *dx, float *gradients, float *workspace);

/* Training (train.h). options: inputs, classes, d, hidden, blocks, batch, layer_norm, residual, optimizer,
 * learning_rate, momentum, weight_decay, init_gain, seed. gelu_train_bytes answers how large `run` must be, infinity
 * where the options are refused or nothing is so large. A step writes step, epoch, loss; epoch and evaluate write
 * epoch, the losses, the accuracies (training, validation), the units off for the batch and for the set, then a
 * gradient norm for each block. units writes the four arrays of train_units_of_block, one after the other. */
double gelu_train_bytes(const double *options, uint32_t examples);
int32_t gelu_train_start(trainer *run, const double *options, int32_t function, const double *parameters,
                         const float *x, const int32_t *y, uint32_t count, const float *validation_x,
                         const int32_t *validation_y, uint32_t validation_count);
int32_t gelu_train_set_activation(trainer *run, int32_t function, const double *parameters);
int32_t gelu_train_step(trainer *run, double *result);
int32_t gelu_train_epoch(trainer *run, double *result);
int32_t gelu_train_evaluate(trainer *run, double *result);
int32_t gelu_train_units(trainer *run, uint32_t block, uint32_t example, float *result);
int32_t gelu_train_shift_biases(trainer *run, double delta);
int32_t gelu_train_set_learning_rate(trainer *run, double learning_rate);
double gelu_train_failed_at(const trainer *run);

/* A deep random network (depth.h). gelu_depth_workspace answers a number of float32, or infinity. */
double gelu_depth_workspace(uint32_t layers, uint32_t width, uint32_t samples, int32_t layer_norm);
int32_t gelu_depth(uint32_t layers, uint32_t width, uint32_t samples, double gain, int32_t layer_norm, int32_t residual,
                   double seed, int32_t function, const double *parameters, double *signal, double *gradient,
                   float *workspace);
int32_t gelu_depth_unit_gain(int32_t function, const double *parameters, double *gain);

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

int32_t gelu_random_bytes(void) { return (int32_t)sizeof(random_state); }

int32_t gelu_random_seed(random_state *state, double seed) {
  if (state == NULL) return (int32_t)GELU_NULL_POINTER;
  if (!(seed >= 0 && seed <= 0x1p53)) return (int32_t)GELU_BAD_PARAMETER;
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
  const size_t inside = shape.tokens * shape.hidden;
  const ffn_trace trace = {numbers, numbers + inside, gated ? numbers + 2 * inside : NULL,
                           gated ? numbers + 3 * inside : NULL};
  return trace;
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
  if (weights == NULL) return (int32_t)GELU_NULL_POINTER;
  ffn_initialise(ffn_parameters_in(weights, d, hidden, gated), d, hidden, 1, &random);
  return (int32_t)GELU_OK;
}

int32_t gelu_ffn_forward(uint32_t tokens, uint32_t d, uint32_t hidden, int32_t gated, int32_t function,
                         const double *parameters, float *weights, const float *x, float *trace, float *y,
                         float *workspace) {
  const ffn_shape shape = {tokens, d, hidden};
  return (int32_t)ffn_forward(shape, (ffn_activation){activation_at(function), parameters, BATCH_FAST},
                              ffn_weights_of(ffn_parameters_in(weights, d, hidden, gated)), x,
                              trace_in(trace, shape, gated), y, workspace);
}

int32_t gelu_ffn_backward(uint32_t tokens, uint32_t d, uint32_t hidden, int32_t gated, int32_t function,
                          const double *parameters, float *weights, const float *x, float *trace, const float *dy,
                          float *dx, float *gradients, float *workspace) {
  const ffn_shape shape = {tokens, d, hidden};
  return (int32_t)ffn_backward(shape, (ffn_activation){activation_at(function), parameters, BATCH_FAST},
                               ffn_weights_of(ffn_parameters_in(weights, d, hidden, gated)), x,
                               trace_in(trace, shape, gated), dy, dx, ffn_parameters_in(gradients, d, hidden, gated),
                               workspace);
}

/* ---- training ---- */

static size_t size_of(double x) { return x >= 0 && x < 0x1p31 ? (size_t)x : SIZE_OVERFLOW; }

static train_options read_options(const double *o) {
  return (train_options){.inputs = size_of(o[0]),
                         .classes = size_of(o[1]),
                         .d = size_of(o[2]),
                         .hidden = size_of(o[3]),
                         .blocks = size_of(o[4]),
                         .batch = size_of(o[5]),
                         .layer_norm = o[6] != 0,
                         .residual = o[7] != 0,
                         .optimizer = o[8] == 0 ? TRAIN_SGD : TRAIN_ADAMW,
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
  const train_options read = read_options(options);
  if (train_bytes(&read, examples, &bytes) != GELU_OK) return (double)INFINITY;
  return (double)(in_eights(bytes) + run_bytes());
}

int32_t gelu_train_start(trainer *run, const double *options, int32_t function, const double *parameters,
                         const float *x, const int32_t *y, uint32_t count, const float *validation_x,
                         const int32_t *validation_y, uint32_t validation_count) {
  const train_options read = read_options(options);
  return (int32_t)train_start(run, &read, activation_at(function), parameters, (train_set){x, y, count},
                              (train_set){validation_x, validation_y, validation_count}, (char *)run + run_bytes());
}

int32_t gelu_train_set_activation(trainer *run, int32_t function, const double *parameters) {
  return (int32_t)train_set_activation(run, activation_at(function), parameters);
}

int32_t gelu_train_step(trainer *run, double *result) {
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
  const size_t hidden = run->options.hidden;
  const train_units_of_block units = {result, result + hidden, result + 2 * hidden, result + 3 * hidden};
  return (int32_t)train_units(run, block, example, units);
}

int32_t gelu_train_shift_biases(trainer *run, double delta) { return (int32_t)train_shift_biases(run, delta); }

int32_t gelu_train_set_learning_rate(trainer *run, double learning_rate) {
  return (int32_t)train_set_learning_rate(run, learning_rate);
}

double gelu_train_failed_at(const trainer *run) { return (double)run->failed_at; }

/* ---- depth ---- */

double gelu_depth_workspace(uint32_t layers, uint32_t width, uint32_t samples, int32_t layer_norm) {
  const depth_options options = {.layers = layers, .width = width, .samples = samples, .layer_norm = layer_norm};
  const size_t floats = depth_workspace(&options);
  return floats == SIZE_OVERFLOW ? (double)INFINITY : (double)floats;
}

int32_t gelu_depth(uint32_t layers, uint32_t width, uint32_t samples, double gain, int32_t layer_norm, int32_t residual,
                   double seed, int32_t function, const double *parameters, double *signal, double *gradient,
                   float *workspace) {
  const depth_options options = {layers, width, samples, gain, layer_norm, residual, (uint64_t)seed};
  return (int32_t)depth_propagate(&options, activation_at(function), parameters, signal, gradient, workspace);
}

int32_t gelu_depth_unit_gain(int32_t function, const double *parameters, double *gain) {
  return (int32_t)depth_unit_gain(activation_at(function), parameters, gain);
}
