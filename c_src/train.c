#include "train.h"

#include <math.h>
#include <string.h>

#include "layer_norm.h"
#include "matrix.h"
#include "size.h"
#include "special.h"
#include "vec.h"

enum { LANES = 4, PIECE = 512 };

static const double beta1 = 0.9, beta2 = 0.999, adam_epsilon = 1e-8;

/* ---- where things are ---- */

typedef struct {
  float *w, *b;
} affine_parameters;

typedef struct {
  float *gain, *shift; /* NULL without layer normalisation */
  ffn_parameters ffn;
} block_parameters;

static size_t affine_count(size_t inputs, size_t outputs) { return size_product(size_sum(inputs, 1), outputs); }

static size_t block_count(const train_options *o) {
  return size_sum(o->layer_norm ? size_product(2, o->d) : 0, ffn_parameter_count(o->d, o->hidden, 0));
}

static size_t parameter_count(const train_options *o) {
  const size_t ends = size_sum(affine_count(o->inputs, o->d), affine_count(o->d, o->classes));
  return size_sum(ends, size_product(o->blocks, block_count(o)));
}

/* `all` are the parameters, or their gradients: input layer, blocks, output layer. */
static affine_parameters input_in(const trainer *t, float *all) {
  return (affine_parameters){all, all + t->options.inputs * t->options.d};
}

static block_parameters block_in(const trainer *t, float *all, size_t block) {
  const train_options *o = &t->options;
  float *const start = all + affine_count(o->inputs, o->d) + block * block_count(o);
  if (!o->layer_norm) return (block_parameters){NULL, NULL, ffn_parameters_in(start, o->d, o->hidden, 0)};
  return (block_parameters){start, start + o->d, ffn_parameters_in(start + 2 * o->d, o->d, o->hidden, 0)};
}

static affine_parameters output_in(const trainer *t, float *all) {
  const train_options *o = &t->options;
  float *const start = all + affine_count(o->inputs, o->d) + o->blocks * block_count(o);
  return (affine_parameters){start, start + o->d * o->classes};
}

static float *state_at(const trainer *t, size_t block) { return t->states + block * t->options.batch * t->options.d; }

/* What the block's network reads: LN(h), or h itself. */
static float *ffn_input_at(const trainer *t, size_t block) {
  return t->options.layer_norm ? t->normed + block * t->options.batch * t->options.d : state_at(t, block);
}

static ffn_trace trace_at(const trainer *t, size_t block) {
  const size_t offset = block * t->options.batch * t->options.hidden;
  return (ffn_trace){t->pre_activations + offset, t->hidden_values + offset, NULL, NULL};
}

/* ---- memory ---- */

/* Hands out pieces of a block of memory, or with base NULL only counts. */
typedef struct {
  char *base;
  size_t used; /* bytes, SIZE_OVERFLOW once they are too many */
} arena;

static void *take(arena *a, size_t count, size_t size) {
  const size_t start = size_sum(a->used, 15) == SIZE_OVERFLOW ? SIZE_OVERFLOW : (a->used + 15) / 16 * 16;
  a->used = size_sum(start, size_product(count, size));
  return a->base == NULL || a->used == SIZE_OVERFLOW ? NULL : a->base + start;
}

static float *take_floats(arena *a, size_t count) { return take(a, count, sizeof(float)); }

/* Sets every pointer of the trainer; t->options and t->training.count are there. */
static void lay_out(trainer *t, arena *a) {
  const train_options *o = &t->options;
  const size_t rows = size_product(o->batch, o->d), all_rows = size_product(o->blocks, rows);
  const size_t units = size_product(o->blocks, o->hidden), normed = o->layer_norm ? all_rows : 0;
  const size_t count = parameter_count(o);
  size_t forward, backward = SIZE_OVERFLOW;
  ffn_workspace((ffn_shape){o->batch, o->d, o->hidden}, 0, &forward, &backward);
  t->parameter_count = size_sum(count, LANES) == SIZE_OVERFLOW ? SIZE_OVERFLOW : (count + LANES - 1) / LANES * LANES;
  t->parameters = take_floats(a, t->parameter_count);
  t->gradients = take_floats(a, t->parameter_count);
  t->first_moment = take_floats(a, t->parameter_count);
  t->second_moment = take_floats(a, o->optimizer == TRAIN_ADAMW ? t->parameter_count : 0);
  t->order = take(a, t->training.count, sizeof *t->order);
  t->x = take_floats(a, size_product(o->batch, o->inputs));
  t->y = take(a, o->batch, sizeof *t->y);
  t->states = take_floats(a, size_sum(all_rows, rows));
  t->normed = take_floats(a, normed);
  t->normalised = take_floats(a, normed);
  t->inverse_deviation = take_floats(a, size_product(o->blocks, o->batch));
  t->pre_activations = take_floats(a, size_product(units, o->batch));
  t->hidden_values = take_floats(a, size_product(units, o->batch));
  t->logits = take_floats(a, size_product(o->batch, o->classes));
  t->dh = take_floats(a, rows);
  t->dx = take_floats(a, rows);
  t->workspace = take_floats(a, backward);
  t->on = take(a, units, 1);
}

/* ---- start ---- */

static int is_size(double x) { return x >= 0 && is_finite(x); }

static gelu_status check_options(const train_options *o, size_t examples) {
  if (o->optimizer != TRAIN_SGD && o->optimizer != TRAIN_ADAMW) return GELU_UNKNOWN_OPTION;
  if (!is_size(o->learning_rate) || !is_size(o->momentum) || !is_size(o->weight_decay) || !is_size(o->init_gain) ||
      o->momentum >= 1)
    return GELU_BAD_PARAMETER;
  if (o->inputs == 0 || o->classes == 0 || o->d == 0 || o->hidden == 0 || o->batch == 0) return GELU_BAD_SIZE;
  if (examples == 0 || examples > INT32_MAX || o->classes > INT32_MAX) return GELU_BAD_SIZE;
  return GELU_OK;
}

gelu_status train_bytes(const train_options *options, size_t examples, size_t *bytes) {
  if (options == NULL || bytes == NULL) return GELU_NULL_POINTER;
  const gelu_status status = check_options(options, examples);
  if (status != GELU_OK) return status;
  trainer t = {.options = *options, .training.count = examples};
  arena counting = {NULL, 0};
  lay_out(&t, &counting);
  if (counting.used == SIZE_OVERFLOW) return GELU_TOO_LARGE;
  *bytes = counting.used;
  return GELU_OK;
}

static gelu_status check_set(const train_options *o, train_set set) {
  if (set.count > 0 && (set.x == NULL || set.y == NULL)) return GELU_NULL_POINTER;
  for (size_t i = 0; i < set.count; i++)
    if (set.y[i] < 0 || (size_t)set.y[i] >= o->classes) return GELU_BAD_SIZE;
  return GELU_OK;
}

/* Copies the next examples of the order into t->x and t->y and answers how many. */
static size_t gather(trainer *t) {
  const size_t inputs = t->options.inputs;
  const size_t rows = size_least(t->options.batch, t->training.count - t->position);
  for (size_t i = 0; i < rows; i++) {
    const size_t example = t->order[t->position + i];
    memcpy(t->x + i * inputs, t->training.x + example * inputs, inputs * sizeof *t->x);
    t->y[i] = t->training.y[example];
  }
  t->last_batch = rows;
  return rows;
}

static void initialise(trainer *t) {
  const train_options *o = &t->options;
  memset(t->parameters, 0, t->parameter_count * sizeof *t->parameters);
  ffn_fill_normal(input_in(t, t->parameters).w, o->inputs * o->d, 1 / sqrt((double)o->inputs), &t->random);
  for (size_t l = 0; l < o->blocks; l++) {
    const block_parameters p = block_in(t, t->parameters, l);
    if (p.gain != NULL)
      for (size_t k = 0; k < o->d; k++) p.gain[k] = 1;
    ffn_initialise(p.ffn, o->d, o->hidden, o->init_gain, &t->random);
  }
  ffn_fill_normal(output_in(t, t->parameters).w, o->d * o->classes, 1 / sqrt((double)o->d), &t->random);
}

static gelu_status check_activation(const activation *function, const double *parameters) {
  return batch_f32(function, 0, parameters, BATCH_FAST, NULL, NULL, 0);
}

gelu_status train_set_activation(trainer *t, const activation *function, const double *parameters) {
  const gelu_status status = check_activation(function, parameters);
  if (status != GELU_OK) return status;
  for (int k = 0; k < function->parameter_count; k++)
    t->act_parameters[k] = parameters != NULL ? parameters[k] : function->parameters[k].value;
  t->act = (ffn_activation){function, t->act_parameters, BATCH_FAST};
  return GELU_OK;
}

gelu_status train_start(trainer *t, const train_options *options, const activation *function, const double *parameters,
                        train_set training, train_set validation, void *memory) {
  size_t bytes;
  if (t == NULL || memory == NULL) return GELU_NULL_POINTER;
  gelu_status status = train_bytes(options, training.count, &bytes);
  if (status == GELU_OK) status = check_set(options, training);
  if (status == GELU_OK) status = check_set(options, validation);
  if (status == GELU_OK) status = check_activation(function, parameters);
  if (status != GELU_OK) return status;
  *t = (trainer){.options = *options, .training = training, .validation = validation};
  train_set_activation(t, function, parameters);
  arena a = {memory, 0};
  lay_out(t, &a);
  random_seed(&t->random, options->seed);
  initialise(t);
  memset(t->gradients, 0, t->parameter_count * sizeof *t->gradients);
  memset(t->first_moment, 0, t->parameter_count * sizeof *t->first_moment);
  if (options->optimizer == TRAIN_ADAMW) memset(t->second_moment, 0, t->parameter_count * sizeof *t->second_moment);
  for (size_t i = 0; i < training.count; i++) t->order[i] = (uint32_t)i;
  t->beta1_power = t->beta2_power = 1;
  gather(t);
  return GELU_OK;
}

/* ---- forward and backward ---- */

static matrix_shape input_shape(const trainer *t, size_t rows) {
  return (matrix_shape){rows, t->options.inputs, t->options.d};
}

static matrix_shape output_shape(const trainer *t, size_t rows) {
  return (matrix_shape){rows, t->options.d, t->options.classes};
}

static ffn_shape block_shape(const trainer *t, size_t rows) {
  return (ffn_shape){rows, t->options.d, t->options.hidden};
}

NOT_INLINED static void add_to(float *sums, const float *x, size_t n) {
  for (size_t k = 0; k < n; k++) sums[k] += x[k];
}

static void forward_block(trainer *t, size_t block, size_t rows) {
  const block_parameters p = block_in(t, t->parameters, block);
  const size_t batch = t->options.batch, d = t->options.d;
  float *const h = state_at(t, block), *const next = state_at(t, block + 1), *const input = ffn_input_at(t, block);
  /* next = FFN(LN(h)) + h */
  if (p.gain != NULL)
    layer_norm_forward(rows, d, h, p.gain, p.shift, t->normalised + block * batch * d,
                       t->inverse_deviation + block * batch, input);
  ffn_forward(block_shape(t, rows), t->act, ffn_weights_of(p.ffn), input, trace_at(t, block), next, t->workspace);
  if (t->options.residual) add_to(next, h, rows * d);
}

/* In t->dh the gradient of next goes in and that of h comes out. */
static void backward_block(trainer *t, size_t block, size_t rows) {
  const block_parameters p = block_in(t, t->parameters, block), dp = block_in(t, t->gradients, block);
  const size_t batch = t->options.batch, d = t->options.d;
  /* next = FFN(LN(h)) + h */
  ffn_backward(block_shape(t, rows), t->act, ffn_weights_of(p.ffn), ffn_input_at(t, block), trace_at(t, block), t->dh,
               t->dx, dp.ffn, t->workspace);
  if (p.gain != NULL)
    layer_norm_backward(rows, d, p.gain, t->normalised + block * batch * d, t->inverse_deviation + block * batch, t->dx,
                        dp.gain, dp.shift, t->dx);
  if (t->options.residual)
    add_to(t->dh, t->dx, rows * d);
  else
    memcpy(t->dh, t->dx, rows * d * sizeof *t->dh);
}

static void forward(trainer *t, const float *x, size_t rows) {
  const affine_parameters in = input_in(t, t->parameters), out = output_in(t, t->parameters);
  affine_forward(input_shape(t, rows), x, in.w, in.b, state_at(t, 0), t->workspace);
  for (size_t l = 0; l < t->options.blocks; l++) forward_block(t, l, rows);
  affine_forward(output_shape(t, rows), state_at(t, t->options.blocks), out.w, out.b, t->logits, t->workspace);
}

/* Overwrites all gradients, from the gradient of the loss in t->logits. */
static void backward(trainer *t, const float *x, size_t rows) {
  const affine_parameters out = output_in(t, t->parameters);
  const affine_parameters din = input_in(t, t->gradients), dout = output_in(t, t->gradients);
  affine_backward(output_shape(t, rows), state_at(t, t->options.blocks), out.w, t->logits, MATRIX_OVERWRITE, t->dh,
                  dout.w, dout.b, t->workspace);
  for (size_t l = t->options.blocks; l > 0; l--) backward_block(t, l - 1, rows);
  affine_backward(input_shape(t, rows), x, NULL, t->dh, MATRIX_OVERWRITE, NULL, din.w, din.b, t->workspace);
}

/* ---- loss ---- */

static size_t place_of_largest(const float *logits, size_t classes) {
  size_t place = 0;
  for (size_t k = 1; k < classes; k++)
    if (logits[k] > logits[place]) place = k;
  return place;
}

/* The loss of one example. Its logits become the gradient of the loss times `share`: (softmax - label) share. */
static double cross_entropy(float *logits, size_t classes, size_t label, double share) {
  const double largest = (double)logits[place_of_largest(logits, classes)];
  const double below = (double)logits[label] - largest;
  double sum = 0;
  for (size_t k = 0; k < classes; k++) {
    const double e = special_exp((double)logits[k] - largest);
    sum += e;
    logits[k] = (float)e;
  }
  for (size_t k = 0; k < classes; k++) logits[k] = (float)(((double)logits[k] / sum - (k == label)) * share);
  return special_log(sum) - below;
}

typedef struct {
  double loss; /* sum over the examples */
  size_t right;
} outcome;

/* Of the logits of some examples, which become gradients of their mean loss. */
static outcome judge(trainer *t, const int32_t *labels, size_t rows) {
  const size_t classes = t->options.classes;
  outcome all = {0, 0};
  for (size_t i = 0; i < rows; i++) {
    float *const logits = t->logits + i * classes;
    const size_t label = (size_t)labels[i];
    all.right += place_of_largest(logits, classes) == label;
    all.loss += cross_entropy(logits, classes, label, 1 / (double)rows);
  }
  return all;
}

/* ---- update ---- */

NOT_INLINED static void scale(float *w, size_t n, float factor) {
  for (size_t k = 0; k < n; k++) w[k] *= factor;
}

static void decay_matrices(trainer *t) {
  const train_options *o = &t->options;
  const float factor = (float)(1 - o->learning_rate * o->weight_decay);
  if (factor == 1) return;
  scale(input_in(t, t->parameters).w, o->inputs * o->d, factor);
  for (size_t l = 0; l < o->blocks; l++) {
    const ffn_parameters p = block_in(t, t->parameters, l).ffn;
    scale(p.w1, o->d * o->hidden, factor);
    scale(p.w2, o->hidden * o->d, factor);
  }
  scale(output_in(t, t->parameters).w, o->d * o->classes, factor);
}

static f32x4 splat(double x) { return f32x4_splat((float)x); }

/* w <- w - change. Answers 0 w, which is 0 unless w is NaN or infinite. */
static inline f32x4 go_down(float *w, f32x4 change) {
  const f32x4 after = f32x4_load(w) - change;
  f32x4_store(w, after);
  return after * f32x4_splat(0);
}

/* m <- momentum m + g, w <- w - rate m. Answers the sum of what go_down answers. */
static f32x4 sgd_update(trainer *t) {
  const f32x4 rate = splat(t->options.learning_rate), momentum = splat(t->options.momentum);
  f32x4 zeros = {0};
  for (size_t k = 0; k < t->parameter_count; k += LANES) {
    const f32x4 m = momentum * f32x4_load(t->first_moment + k) + f32x4_load(t->gradients + k);
    f32x4_store(t->first_moment + k, m);
    zeros += go_down(t->parameters + k, rate * m);
  }
  return zeros;
}

/* m <- 0.9 m + 0.1 g, v <- 0.999 v + 0.001 g^2, w <- w - rate m' / (sqrt(v') + epsilon). Answers the same. */
static f32x4 adam_update(trainer *t) {
  t->beta1_power *= beta1;
  t->beta2_power *= beta2;
  const f32x4 keep_m = splat(beta1), add_m = splat(1 - beta1), keep_v = splat(beta2), add_v = splat(1 - beta2);
  const f32x4 rate = splat(t->options.learning_rate / (1 - t->beta1_power)); /* with the factor of m' */
  const f32x4 to_v = splat(1 / (1 - t->beta2_power)), epsilon = splat(adam_epsilon);
  f32x4 zeros = {0};
  for (size_t k = 0; k < t->parameter_count; k += LANES) {
    const f32x4 g = f32x4_load(t->gradients + k);
    const f32x4 m = keep_m * f32x4_load(t->first_moment + k) + add_m * g;
    const f32x4 v = keep_v * f32x4_load(t->second_moment + k) + add_v * (g * g);
    f32x4_store(t->first_moment + k, m);
    f32x4_store(t->second_moment + k, v);
    zeros += go_down(t->parameters + k, rate * (m / (f32x4_sqrt(v * to_v) + epsilon)));
  }
  return zeros;
}

/* Answers whether all weights are finite afterwards. */
static int update(trainer *t) {
  decay_matrices(t);
  const f32x4 zeros = t->options.optimizer == TRAIN_ADAMW ? adam_update(t) : sgd_update(t);
  return (zeros[0] + zeros[1]) + (zeros[2] + zeros[3]) == 0;
}

/* ---- steps ---- */

static void shuffle(trainer *t) {
  for (size_t i = t->training.count - 1; i > 0; i--) {
    /* of 0 … i; uneven by no more than i 2^-32 */
    const size_t j = (size_t)(((uint64_t)random_bits(&t->random) * (i + 1)) >> 32);
    const uint32_t kept = t->order[i];
    t->order[i] = t->order[j];
    t->order[j] = kept;
  }
}

/* Of the last mini-batch. Answers its mean loss; only where that is finite are there gradients. */
static double find_gradients(trainer *t) {
  forward(t, t->x, t->last_batch);
  const double loss = judge(t, t->y, t->last_batch).loss / (double)t->last_batch;
  if (is_finite(loss)) backward(t, t->x, t->last_batch);
  return loss;
}

static gelu_status fail_at(trainer *t, uint64_t step) {
  t->failed_at = step;
  return GELU_NOT_FINITE;
}

gelu_status train_step(trainer *t, train_progress *progress) {
  if (t->failed_at != 0) return GELU_NOT_FINITE;
  if (t->position == 0) shuffle(t);
  const size_t rows = gather(t);
  const double loss = find_gradients(t);
  if (!is_finite(loss) || !update(t)) return fail_at(t, t->steps + 1);
  *progress = (train_progress){++t->steps, t->epochs + 1, loss};
  t->position += rows;
  if (t->position == t->training.count) {
    t->position = 0;
    t->epochs++;
  }
  return GELU_OK;
}

/* ---- statistics ---- */

/* Marks the units of a block that are on for any of the examples whose pre-activations are there. Slopes are found only
 * for those that are not marked yet: soon they are few. */
static void mark_on(trainer *t, size_t block, size_t rows) {
  const size_t hidden = t->options.hidden;
  const float *z = trace_at(t, block).pre_activation;
  unsigned char *const on = t->on + block * hidden;
  float slopes[PIECE];
  uint32_t units[PIECE];
  for (size_t row = 0; row < rows; row++, z += hidden)
    for (size_t start = 0; start < hidden; start += PIECE) {
      const size_t end = start + size_least(hidden - start, PIECE);
      size_t count = 0;
      for (size_t k = start; k < end; k++) {
        if (on[k]) continue;
        units[count] = (uint32_t)k;
        slopes[count++] = z[k];
      }
      batch_f32(t->act.function, 1, t->act.parameters, BATCH_DEFAULT, slopes, slopes, count);
      for (size_t k = 0; k < count; k++) on[units[k]] = slopes[k] != 0;
    }
}

static void mark_all_on(trainer *t, size_t rows) {
  for (size_t l = 0; l < t->options.blocks; l++) mark_on(t, l, rows);
}

static void mark_none(trainer *t) { memset(t->on, 0, t->options.blocks * t->options.hidden); }

static double share_off(const trainer *t) {
  const size_t units = t->options.blocks * t->options.hidden;
  size_t off = 0;
  for (size_t k = 0; k < units; k++) off += t->on[k] == 0;
  return units > 0 ? (double)off / (double)units : 0;
}

/* Loss and correct answers over a whole set; marks units that are on where asked. */
static outcome evaluate(trainer *t, train_set set, int mark) {
  outcome all = {0, 0};
  for (size_t start = 0; start < set.count; start += t->options.batch) {
    const size_t rows = size_least(set.count - start, t->options.batch);
    forward(t, set.x + start * t->options.inputs, rows);
    if (mark) mark_all_on(t, rows);
    const outcome some = judge(t, set.y + start, rows);
    all.loss += some.loss;
    all.right += some.right;
  }
  return all;
}

static double gradient_norm(trainer *t, size_t block) {
  const float *g = t->gradients + affine_count(t->options.inputs, t->options.d) + block * block_count(&t->options);
  double sum = 0;
  for (size_t k = 0; k < block_count(&t->options); k++) sum += (double)g[k] * (double)g[k];
  return sqrt(sum);
}

gelu_status train_evaluate(trainer *t, train_statistics *statistics, double *gradient_norms) {
  if (t->failed_at != 0) return GELU_NOT_FINITE;
  train_statistics s = {.epoch = t->epochs};
  const double loss = find_gradients(t);
  mark_none(t);
  mark_all_on(t, t->last_batch);
  s.off_for_batch = share_off(t);
  mark_none(t);
  const outcome training = evaluate(t, t->training, 1), validation = evaluate(t, t->validation, 0);
  s.off_for_set = share_off(t);
  if (!is_finite(loss) || !is_finite(training.loss) || !is_finite(validation.loss))
    return fail_at(t, t->steps > 0 ? t->steps : 1);

  const double examples = (double)t->training.count, others = (double)t->validation.count; /* 0/0 is NaN */
  s.train_loss = training.loss / examples;
  s.train_accuracy = (double)training.right / examples;
  s.validation_loss = validation.loss / others;
  s.validation_accuracy = (double)validation.right / others;
  for (size_t l = 0; l < t->options.blocks; l++) gradient_norms[l] = gradient_norm(t, l);
  *statistics = s;
  return GELU_OK;
}

gelu_status train_epoch(trainer *t, train_statistics *statistics, double *gradient_norms) {
  train_progress progress;
  do {
    const gelu_status status = train_step(t, &progress);
    if (status != GELU_OK) return status;
  } while (t->position != 0);
  return train_evaluate(t, statistics, gradient_norms);
}

/* ---- units ---- */

/* The larger one, or NaN where one is. */
static float larger(float a, float b) { return a >= b || a != a ? a : b; }

/* One example's pre-activations z, n of them, into the largest ones and the largest slopes. */
static void note_units(const trainer *t, const float *z, size_t n, float *slopes, float *largest,
                       float *largest_slope) {
  batch_f32(t->act.function, 1, t->act.parameters, BATCH_DEFAULT, z, slopes, n);
  for (size_t k = 0; k < n; k++) {
    largest[k] = larger(largest[k], z[k]);
    largest_slope[k] = larger(largest_slope[k], fabsf(slopes[k]));
  }
}

gelu_status train_units(trainer *t, size_t block, size_t example, train_units_of_block units) {
  const size_t hidden = t->options.hidden, inputs = t->options.inputs;
  if (t->failed_at != 0) return GELU_NOT_FINITE;
  if (block >= t->options.blocks || example >= t->training.count) return GELU_BAD_SIZE;
  if (units.pre_activations == NULL || units.slopes == NULL || units.largest == NULL || units.largest_slope == NULL)
    return GELU_NULL_POINTER;
  const float *const z = trace_at(t, block).pre_activation;
  for (size_t k = 0; k < hidden; k++) units.largest[k] = -INFINITY, units.largest_slope[k] = 0;
  for (size_t start = 0; start < t->training.count; start += t->options.batch) {
    const size_t rows = size_least(t->training.count - start, t->options.batch);
    forward(t, t->training.x + start * inputs, rows);
    for (size_t row = 0; row < rows; row++)
      note_units(t, z + row * hidden, hidden, units.slopes, units.largest, units.largest_slope);
  }
  forward(t, t->training.x + example * inputs, 1);
  memcpy(units.pre_activations, z, hidden * sizeof *z);
  batch_f32(t->act.function, 1, t->act.parameters, BATCH_DEFAULT, z, units.slopes, hidden);
  return GELU_OK;
}

/* ---- changes while it runs ---- */

gelu_status train_shift_biases(trainer *t, double delta) {
  const float shift = (float)delta;
  if (!is_finite((double)shift)) return GELU_BAD_PARAMETER;
  for (size_t l = 0; l < t->options.blocks; l++) {
    float *const b1 = block_in(t, t->parameters, l).ffn.b1;
    for (size_t k = 0; k < t->options.hidden; k++) b1[k] += shift;
  }
  return GELU_OK;
}

gelu_status train_set_learning_rate(trainer *t, double learning_rate) {
  if (!is_size(learning_rate)) return GELU_BAD_PARAMETER;
  t->options.learning_rate = learning_rate;
  return GELU_OK;
}
