/* Training a small classifier, step by step.
 *
 *   h0 = x W + b                                input projection, inputs -> d
 *   h(l+1) = h(l) + FFN(LN(h(l)))               `blocks` of them: ffn.h without gate, layer_norm.h with gain and shift
 *   logits = h(blocks) W + b                    output layer, d -> classes
 *
 * Residual sum and LN can be switched off: then h(l+1) = FFN(…) and FFN(h(l)).
 *
 * Loss: the mean over the examples of -log softmax(logits)[label], in float64 from the float32 logits, as
 * log(sum of exp(logit - largest)) - (logit[label] - largest), which cannot overflow.
 *
 * Optimisers, with g the gradient of the mini-batch's loss; weight decay (of matrices only, not of biases and LN) is
 * decoupled from the gradient in both: w <- (1 - rate decay) w first (Loshchilov and Hutter, arXiv 1711.05101).
 *   SGD     m <- momentum m + g, w <- w - rate m
 *   AdamW   m <- 0.9 m + 0.1 g, v <- 0.999 v + 0.001 g^2, w <- w - rate m' / (sqrt(v') + 1e-8), m' = m/(1 - 0.9^t),
 *           v' = v/(1 - 0.999^t) in step t = 1, 2, … (Kingma and Ba, arXiv 1412.6980)
 *
 * Start: weights are normal with standard deviation 1/sqrt(fan-in), in the blocks init_gain/sqrt(fan-in), drawn from
 * random.h in the order input, blocks, output; biases and shifts 0, gains 1.
 * Mini-batches: each epoch walks through a new random order of the training set (Fisher and Yates), `batch` examples at
 * a time; the last mini-batch of an epoch holds what is left over.
 *
 * The same seed gives the same losses, bit for bit, in every build: all arithmetic is in a fixed order, exp and log are
 * those of special.h.
 *
 * A unit (one of `hidden` in one block) is off for an input if no gradient passes it: act'(pre-activation) is 0 in
 * float32, by the default tier of batch.h. ReLU's units are off for all that is not positive; GELU's only far to the
 * left, where the slope underflows.
 *
 * The caller owns all memory: a trainer, one block for all of its arrays, and the examples, which must stay where they
 * are; the trainer itself must not be moved either. Nothing is allocated. */
#ifndef GELU_TRAIN_H
#define GELU_TRAIN_H

#include <stddef.h>
#include <stdint.h>

#include "ffn.h"
#include "random.h"
#include "status.h"

typedef enum { TRAIN_SGD = 0, TRAIN_ADAMW = 1 } train_optimizer;

typedef struct {
  size_t inputs, classes, d, hidden, blocks, batch;
  int layer_norm, residual;
  train_optimizer optimizer;
  double learning_rate, momentum, weight_decay, init_gain;
  uint64_t seed;
} train_options;

typedef struct {
  const float *x;   /* count x inputs */
  const int32_t *y; /* count labels, 0 … classes - 1 */
  size_t count;
} train_set;

/* What a step tells: its number, from 1, its epoch, from 1, and the loss of its mini-batch before the update. */
typedef struct {
  uint64_t step, epoch;
  double loss;
} train_progress;

/* All of the present weights, after the last step. Losses and accuracies (share of examples whose largest logit is the
 * label's) are of the whole sets; they are NaN for a set without examples. The last mini-batch is, before the first
 * step, the first `batch` examples of the training set. */
typedef struct {
  uint64_t epoch; /* epochs done */
  double train_loss, validation_loss, train_accuracy, validation_accuracy;
  double off_for_batch; /* share of units off for every example of the last mini-batch */
  double off_for_set;   /* … of the training set */
} train_statistics;

/* What the units of one block do, `hidden` numbers each. */
typedef struct {
  float *pre_activations; /* of one training example */
  float *slopes;          /* act' there */
  float *largest;         /* the largest pre-activation over the training set, NaN where one is NaN */
  float *largest_slope; /* the largest |act'| over the training set, likewise: 0 where the unit is off for all of it */
} train_units_of_block;

typedef struct {
  train_options options;
  train_set training, validation;
  ffn_activation act;
  double act_parameters[ACTIVATION_MAX_PARAMETERS];
  random_state random;
  uint64_t steps, epochs; /* done */
  uint64_t failed_at;     /* the step that met a NaN or an overflow, or 0 */
  size_t position;        /* in `order`, of the next mini-batch */
  size_t last_batch;      /* examples in the last mini-batch, which x and y hold */
  double beta1_power, beta2_power;
  size_t parameter_count; /* a multiple of four, the last ones unused */
  float *parameters, *gradients, *first_moment, *second_moment;
  uint32_t *order;
  float *x;   /* batch x inputs */
  int32_t *y; /* batch */
  /* What forward leaves for backward, one block after the other. */
  float *states;            /* blocks + 1 times batch x d: h0 … h(blocks) */
  float *normed;            /* blocks times batch x d: LN(h(l)) */
  float *normalised;        /* blocks times batch x d, as layer_norm.h says */
  float *inverse_deviation; /* blocks times batch */
  float *pre_activations;   /* blocks times batch x hidden */
  float *hidden_values;     /* blocks times batch x hidden */
  float *logits;            /* batch x classes; then the gradient of the loss */
  float *dh, *dx;           /* batch x d */
  float *workspace;
  unsigned char *on; /* blocks x hidden: whether a unit was on for any example so far */
} trainer;

/* The bytes that the arrays of a trainer need. Statuses, in this order: GELU_UNKNOWN_OPTION (optimizer),
 * GELU_BAD_PARAMETER (a number that is not finite or is negative, or momentum not below 1), GELU_BAD_SIZE (inputs,
 * classes, d, hidden, batch or examples 0, or more than 2^31 examples), GELU_TOO_LARGE. */
gelu_status train_bytes(const train_options *options, size_t examples, size_t *bytes);

/* Starts a run; `memory` holds as many bytes as train_bytes says for training.count, aligned to 8. validation.count
 * may be 0. Statuses: those of train_bytes and of train_set_activation, GELU_BAD_SIZE for a label outside the classes,
 * GELU_NULL_POINTER; then nothing is written. */
gelu_status train_start(trainer *t, const train_options *options, const activation *function, const double *parameters,
                        train_set training, train_set validation, void *memory);

/* Another activation from the next step on; weights and moments stay. `parameters` are copied.
 * Statuses: GELU_UNKNOWN_FUNCTION, GELU_BAD_PARAMETER. */
gelu_status train_set_activation(trainer *t, const activation *function, const double *parameters);

/* One mini-batch: forward, backward, update. GELU_NOT_FINITE where its loss or a weight after it is NaN or infinite:
 * then failed_at is its number, and every later call says so again. */
gelu_status train_step(trainer *t, train_progress *progress);

/* The steps that are left of this epoch (a whole one at its end), then train_evaluate. GELU_NOT_FINITE as above. */
gelu_status train_epoch(trainer *t, train_statistics *statistics, double *gradient_norms);

/* The statistics as things stand, without a step: what follows is the same with and without this call.
 * gradient_norms: for each block the Euclidean norm of the gradient of its parameters, for the last mini-batch.
 * GELU_NOT_FINITE after a stop, and where a loss over a whole set is not finite: then the run stops, failed_at is the
 * last step (the first where there was none), and nothing is written. */
gelu_status train_evaluate(trainer *t, train_statistics *statistics, double *gradient_norms);

/* The units of a block (0 … blocks - 1), for one training example and for all, as things stand; changes nothing.
 * Statuses: GELU_NOT_FINITE after a stop, GELU_BAD_SIZE (no such block or example), GELU_NULL_POINTER. */
gelu_status train_units(trainer *t, size_t block, size_t example, train_units_of_block units);

/* b1 <- b1 + delta, for every hidden unit of every block, rounded to float32: far down, units go off.
 * GELU_BAD_PARAMETER where delta is not finite in float32. */
gelu_status train_shift_biases(trainer *t, double delta);

/* Another learning rate from the next step on; moments stay. GELU_BAD_PARAMETER where it is not finite or negative. */
gelu_status train_set_learning_rate(trainer *t, double learning_rate);

#endif
