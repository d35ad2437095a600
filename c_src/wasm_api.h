/* What JavaScript calls: flat numbers and pointers in, checks, forwards. exports.txt is the list of these functions.
 *
 * Functions are named by their row in the activation table. Pointers are offsets into the wasm memory and must come
 * from malloc(), 8-byte aligned; the caller frees. Every number may be any number: whatever is out of range is refused.
 * A pointer may be 0: for `parameters` that means the defaults, for `gradients` and `dx` that they are not wanted, and
 * everywhere else, if there is anything to read or write, GELU_NULL_POINTER (0 or infinity from what answers no
 * status). Every function that can fail answers a gelu_status (status.h); the others answer 0 for a row or parameter
 * that does not exist. */
#ifndef GELU_WASM_API_H
#define GELU_WASM_API_H

#include <stdint.h>

#include "compare.h"
#include "random.h"
#include "train.h"

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

/* fit: gelu_fit_bytes() bytes. vary: bit j for the parameter j. */
int32_t gelu_fit_bytes(void);
int32_t gelu_fit_start(parameter_fit *fit, int32_t function, const double *parameters, int32_t reference,
                       const double *reference_parameters, int32_t order, double from, double to, uint32_t vary);

/* At most `steps` steps; answers whether the search goes on. */
int32_t gelu_fit_step(parameter_fit *fit, uint32_t steps);

/* result: the steps taken, how many the grid takes, the largest difference, where it is, and all parameters. */
int32_t gelu_fit_read(const parameter_fit *fit, double *result);

/* y may be x. */
int32_t gelu_round(int32_t format, const double *x, double *y, uint32_t n);
int32_t gelu_emulate(int32_t form, int32_t format, const double *x, double *y, uint32_t n);

/* steps: MOST_FORM_STEPS numbers. Answers how many there are. */
int32_t gelu_emulate_steps(int32_t form, int32_t format, double x, double *steps);

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
 * learning_rate, momentum, weight_decay, init_gain, seed. Sizes that are not whole numbers from 0 to 2^53 and such a
 * seed are refused first, with GELU_BAD_SIZE and GELU_BAD_PARAMETER. gelu_train_bytes answers how large `run` must be,
 * infinity where the options are refused or nothing is so large. A step writes step, epoch, loss; epoch and evaluate
 * write epoch, the losses, the accuracies (training, validation), the units off for the batch and for the set, then a
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

/* A deep random network (depth.h); the seed, as for gelu_random_seed, is looked at first. gelu_depth_workspace answers
 * a number of float32, or infinity. */
double gelu_depth_workspace(uint32_t layers, uint32_t width, uint32_t samples, int32_t layer_norm);
int32_t gelu_depth(uint32_t layers, uint32_t width, uint32_t samples, double gain, int32_t layer_norm, int32_t residual,
                   double seed, int32_t function, const double *parameters, double *signal, double *gradient,
                   float *workspace);
int32_t gelu_depth_unit_gain(int32_t function, const double *parameters, double *gain);

#endif
