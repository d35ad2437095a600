/* Training: gradients against central differences of a float64 network written here, optimisers against their formulas,
 * and what a run promises: repeatable, stops at what is not finite, leaves nothing out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assert_close.h"
#include "train.h"

enum { INPUTS = 5, CLASSES = 3, EXAMPLES = 23, OTHERS = 9, GUARD = 64 };

static const train_options usual = {.inputs = INPUTS,
                                    .classes = CLASSES,
                                    .d = 6,
                                    .hidden = 9,
                                    .blocks = 2,
                                    .batch = 8,
                                    .layer_norm = 1,
                                    .residual = 1,
                                    .optimizer = TRAIN_ADAMW,
                                    .learning_rate = 0.01,
                                    .momentum = 0.9,
                                    .weight_decay = 0.01,
                                    .init_gain = 1,
                                    .seed = 7};

/* ---- data: three clouds ---- */

typedef struct {
  float x[EXAMPLES * INPUTS], other_x[OTHERS * INPUTS];
  int32_t y[EXAMPLES], other_y[OTHERS];
} data;

static void draw(random_state *random, float *x, int32_t *y, int count) {
  for (int i = 0; i < count; i++) {
    y[i] = i % CLASSES;
    for (int k = 0; k < INPUTS; k++) x[i * INPUTS + k] = (float)(0.5 * random_normal(random) + (k == y[i] ? 2 : 0));
  }
}

static data make_data(void) {
  data d;
  random_state random;
  random_seed(&random, 3);
  draw(&random, d.x, d.y, EXAMPLES);
  draw(&random, d.other_x, d.other_y, OTHERS);
  return d;
}

/* ---- a run ---- */

typedef struct {
  data data;
  trainer trainer;
  char *memory;
  size_t bytes;
} run;

static run *start(train_options options, const char *id) {
  run *r = test_malloc(sizeof *r);
  r->data = make_data();
  assert_int_equal(train_bytes(&options, EXAMPLES, &r->bytes), GELU_OK);
  r->memory = test_malloc(r->bytes + GUARD);
  memset(r->memory, 0x5a, r->bytes + GUARD);
  const train_set training = {r->data.x, r->data.y, EXAMPLES}, validation = {r->data.other_x, r->data.other_y, OTHERS};
  assert_int_equal(train_start(&r->trainer, &options, activation_find(id), NULL, training, validation, r->memory),
                   GELU_OK);
  return r;
}

static void stop(run *r) {
  for (size_t k = 0; k < GUARD; k++) assert_true(r->memory[r->bytes + k] == 0x5a);
  test_free(r->memory);
  test_free(r);
}

static double step(run *r) {
  train_progress progress = {0};
  assert_int_equal(train_step(&r->trainer, &progress), GELU_OK);
  return progress.loss;
}

/* ---- the network in float64 ---- */

static double *widened(const float *x, size_t n) {
  double *wide = test_malloc(n * sizeof *wide);
  for (size_t k = 0; k < n; k++) wide[k] = (double)x[k];
  return wide;
}

/* out = in W + b; answers what follows b. */
static const double *affine(const double *in, size_t inputs, size_t outputs, const double *w, double *out) {
  const double *b = w + inputs * outputs;
  for (size_t j = 0; j < outputs; j++) {
    out[j] = b[j];
    for (size_t p = 0; p < inputs; p++) out[j] += in[p] * w[p * outputs + j];
  }
  return b + outputs;
}

static const double *normalise(size_t d, const double *x, const double *gain, double *y) {
  double mean = 0, variance = 0;
  for (size_t k = 0; k < d; k++) mean += x[k] / (double)d;
  for (size_t k = 0; k < d; k++) variance += (x[k] - mean) * (x[k] - mean) / (double)d;
  for (size_t k = 0; k < d; k++) y[k] = (x[k] - mean) / sqrt(variance + (double)1e-5f) * gain[k] + gain[d + k];
  return gain + 2 * d;
}

enum { WIDEST = 32 };

static double loss_of_example(const trainer *t, const double *parameters, const float *x, size_t label, int *right) {
  const train_options *o = &t->options;
  double in[WIDEST], h[WIDEST], normed[WIDEST], z[WIDEST], out[WIDEST], logits[WIDEST], sum = 0;
  for (size_t k = 0; k < o->inputs; k++) in[k] = (double)x[k];
  const double *next = affine(in, o->inputs, o->d, parameters, h);
  for (size_t l = 0; l < o->blocks; l++) {
    if (o->layer_norm)
      next = normalise(o->d, h, next, normed);
    else
      memcpy(normed, h, sizeof normed);
    next = affine(normed, o->d, o->hidden, next, z);
    for (size_t k = 0; k < o->hidden; k++) z[k] = t->act.function->evaluate[0](z[k], t->act_parameters);
    next = affine(z, o->hidden, o->d, next, out);
    for (size_t k = 0; k < o->d; k++) h[k] = out[k] + (o->residual ? h[k] : 0);
  }
  affine(h, o->d, o->classes, next, logits);
  *right = 1;
  for (size_t k = 0; k < o->classes; k++) {
    sum += exp(logits[k]);
    *right &= logits[k] <= logits[label];
  }
  return log(sum) - logits[label];
}

static double mean_loss(const trainer *t, const double *parameters, const float *x, const int32_t *y, size_t count,
                        double *accuracy) {
  double sum = 0, rights = 0;
  for (size_t i = 0; i < count; i++) {
    int right;
    sum += loss_of_example(t, parameters, x + i * t->options.inputs, (size_t)y[i], &right);
    rights += right;
  }
  if (accuracy != NULL) *accuracy = rights / (double)count;
  return sum / (double)count;
}

/* ---- gradients ---- */

static void check_gradients(train_options options, const char *id) {
  options.learning_rate = 0; /* so that the weights stay those of the gradient */
  run *r = start(options, id);
  const trainer *t = &r->trainer;
  const double loss = step(r);
  double *p = widened(t->parameters, t->parameter_count);
  assert_within(((tested){id, 0, 0}), loss, mean_loss(t, p, t->x, t->y, t->last_batch, NULL), 1e-6);
  double error = 0, size = 0;
  for (size_t k = 0; k < t->parameter_count; k++) {
    const double w = p[k], h = 0x1p-16;
    p[k] = w + h;
    const double above = mean_loss(t, p, t->x, t->y, t->last_batch, NULL);
    p[k] = w - h;
    const double below = mean_loss(t, p, t->x, t->y, t->last_batch, NULL);
    p[k] = w;
    const double want = (above - below) / (2 * h), got = (double)t->gradients[k];
    error += (got - want) * (got - want);
    size += want * want;
  }
  if (!(sqrt(error) <= 1e-6 * sqrt(size))) fail_msg("gradients with %s: relative error %g", id, sqrt(error / size));
  test_free(p);
  stop(r);
}

static void test_gradients(void **state) {
  (void)state;
  for (int k = 0; k < activation_count(); k++) check_gradients(usual, activation_at(k)->id);
  for (int k = 0; k < 4; k++) {
    train_options options = usual;
    options.layer_norm = k & 1;
    options.residual = k >> 1;
    check_gradients(options, "gelu");
    options.d = 1, options.hidden = 1, options.blocks = 1, options.batch = 1;
    if (!options.layer_norm) check_gradients(options, "gelu"); /* LN of a single number is 0 */
    options.blocks = 0, options.batch = 100;
    check_gradients(options, "relu");
  }
}

/* ---- optimisers ---- */

/* Three steps by the formulas, in float64, from the gradients that the trainer found. */
static void check_optimizer(train_optimizer optimizer) {
  train_options options = usual;
  options.optimizer = optimizer;
  options.weight_decay = 0.5;
  run *r = start(options, "gelu");
  const trainer *t = &r->trainer;
  const size_t n = t->parameter_count;
  double *w = widened(t->parameters, n), *m = test_calloc(n, sizeof *m), *v = test_calloc(n, sizeof *v);
  for (int s = 1; s <= 3; s++) {
    step(r);
    for (size_t k = 0; k < n; k++) {
      const double g = (double)t->gradients[k];
      /* Only input W, w1, w2, output W are decayed. */
      const size_t in = INPUTS * 6, block = 12 + 2 * 54 + 9 + 6, place = k - in - 6;
      const int in_block = k >= in + 6 && place < 2 * block;
      const size_t inside = place % block;
      const int matrix = k < in ||
                         (in_block && ((inside >= 12 && inside < 12 + 54) || (inside >= 75 && inside < 129))) ||
                         (k >= in + 6 + 2 * block && k < in + 6 + 2 * block + 6 * CLASSES);
      if (matrix) w[k] *= 1 - 0.01 * 0.5;
      m[k] = optimizer == TRAIN_SGD ? 0.9 * m[k] + g : 0.9 * m[k] + 0.1 * g;
      v[k] = 0.999 * v[k] + 0.001 * g * g;
      w[k] -= optimizer == TRAIN_SGD ? 0.01 * m[k]
                                     : 0.01 * (m[k] / (1 - pow(0.9, s))) / (sqrt(v[k] / (1 - pow(0.999, s))) + 1e-8);
      assert_within(((tested){"weight", s, (double)k}), (double)t->parameters[k], w[k], 2e-6 * (1 + fabs(w[k])));
    }
  }
  test_free(w), test_free(m), test_free(v);
  stop(r);
}

static void test_optimizers(void **state) {
  (void)state;
  check_optimizer(TRAIN_SGD);
  check_optimizer(TRAIN_ADAMW);
}

/* ---- a run ---- */

static void test_statistics(void **state) {
  (void)state;
  run *r = start(usual, "gelu");
  const trainer *t = &r->trainer;
  train_statistics s;
  double norms[2];
  for (int epoch = 1; epoch <= 60; epoch++) {
    if (epoch == 2) step(r); /* epoch() does what is left */
    assert_int_equal(train_epoch(&r->trainer, &s, norms), GELU_OK);
    assert_true(s.epoch == (uint64_t)epoch && t->steps == 3 * (uint64_t)epoch && t->last_batch == 7);
  }
  double *p = widened(t->parameters, t->parameter_count), accuracy;
  assert_within(((tested){"train loss", 0, 0}), s.train_loss,
                mean_loss(t, p, r->data.x, r->data.y, EXAMPLES, &accuracy), 1e-6);
  assert_true(s.train_accuracy == accuracy && accuracy > 0.99);
  assert_within(((tested){"validation loss", 0, 0}), s.validation_loss,
                mean_loss(t, p, r->data.other_x, r->data.other_y, OTHERS, &accuracy), 1e-6);
  assert_true(s.validation_accuracy == accuracy && accuracy > 0.85);
  for (int l = 0; l < 2; l++) {
    double sum = 0;
    for (size_t k = 0; k < 135; k++) {
      const double g = (double)t->gradients[(INPUTS + 1) * 6 + (size_t)l * 135 + k];
      sum += g * g;
    }
    assert_within(((tested){"norm", l, 0}), norms[l], sqrt(sum), 1e-12);
  }
  assert_true(s.off_for_batch == 0 && s.off_for_set == 0);
  test_free(p);
  stop(r);
}

static void test_every_example_once_an_epoch(void **state) {
  (void)state;
  run *r = start(usual, "relu");
  int orders_differ = 0;
  uint32_t first[EXAMPLES];
  for (int epoch = 0; epoch < 3; epoch++) {
    int seen[EXAMPLES] = {0};
    for (int s = 0; s < 3; s++) step(r);
    for (int i = 0; i < EXAMPLES; i++) seen[r->trainer.order[i]]++;
    for (int i = 0; i < EXAMPLES; i++) assert_int_equal(seen[i], 1);
    if (epoch > 0) orders_differ += memcmp(first, r->trainer.order, sizeof first) != 0;
    memcpy(first, r->trainer.order, sizeof first);
  }
  assert_int_equal(orders_differ, 2);
  stop(r);
}

static void test_same_seed_same_losses(void **state) {
  (void)state;
  train_options other = usual;
  other.seed = 8;
  run *a = start(usual, "silu"), *b = start(usual, "silu"), *c = start(other, "silu");
  for (int s = 0; s < 20; s++) {
    const double loss = step(a);
    assert_true(loss == step(b));
    assert_true(loss != step(c));
  }
  assert_memory_equal(a->trainer.parameters, b->trainer.parameters, a->trainer.parameter_count * sizeof(float));
  stop(a), stop(b), stop(c);
}

static void test_another_activation_keeps_the_weights(void **state) {
  (void)state;
  run *r = start(usual, "relu");
  for (int s = 0; s < 5; s++) step(r);
  const size_t n = r->trainer.parameter_count * sizeof(float);
  float *before = test_malloc(n);
  memcpy(before, r->trainer.parameters, n);
  const double beta[] = {2};
  assert_int_equal(train_set_activation(&r->trainer, activation_find("silu"), beta), GELU_OK);
  assert_memory_equal(before, r->trainer.parameters, n);
  assert_true(r->trainer.steps == 5 && r->trainer.act_parameters[0] == 2);
  const double bad[] = {(double)NAN};
  assert_int_equal(train_set_activation(&r->trainer, activation_find("silu"), bad), GELU_BAD_PARAMETER);
  assert_int_equal(train_set_activation(&r->trainer, NULL, NULL), GELU_UNKNOWN_FUNCTION);
  assert_true(r->trainer.act_parameters[0] == 2);
  step(r);
  test_free(before);
  stop(r);
}

/* ReLU units whose biases are far down are off for everything; leaky ones never are. */
static void test_units_off(void **state) {
  (void)state;
  train_options options = usual;
  options.learning_rate = 0;
  const char *const ids[] = {"relu", "leaky_relu", "gelu"};
  const double want[] = {11.0 / 18, 0, 11.0 / 18};
  for (int k = 0; k < 3; k++) {
    run *r = start(options, ids[k]);
    float *p = r->trainer.parameters + (INPUTS + 1) * 6;
    for (size_t j = 0; j < 9; j++) p[12 + 54 + j] = -1000; /* all b1 of the first block */
    for (size_t j = 0; j < 2; j++) p[135 + 12 + 54 + j] = -1000;
    for (size_t j = 2; j < 9; j++) p[135 + 12 + 54 + j] = 10;
    train_statistics s;
    double norms[2];
    assert_int_equal(train_epoch(&r->trainer, &s, norms), GELU_OK);
    assert_within(((tested){ids[k], 0, 0}), s.off_for_set, want[k], 1e-15);
    assert_within(((tested){ids[k], 0, 0}), s.off_for_batch, want[k], 1e-15);
    stop(r);
  }
}

/* How many of the units of a network with one block are not positive for any of the examples. */
static int count_off(const trainer *t, const double *parameters, const float *x, const uint32_t *order, size_t count) {
  const train_options *o = &t->options;
  int on[WIDEST] = {0}, off = 0;
  for (size_t i = 0; i < count; i++) {
    double in[WIDEST], h[WIDEST], normed[WIDEST], z[WIDEST];
    for (size_t k = 0; k < o->inputs; k++) in[k] = (double)x[(order != NULL ? order[i] : i) * o->inputs + k];
    const double *block = affine(in, o->inputs, o->d, parameters, h);
    affine(normed, o->d, o->hidden, normalise(o->d, h, block, normed), z);
    for (size_t k = 0; k < o->hidden; k++) on[k] |= z[k] > 0;
  }
  for (size_t k = 0; k < o->hidden; k++) off += !on[k];
  return off;
}

/* Units that are on for a few examples only. */
static void test_units_sometimes_on(void **state) {
  (void)state;
  train_options options = usual;
  options.blocks = 1, options.hidden = 30, options.batch = 3, options.learning_rate = 0;
  run *r = start(options, "relu");
  trainer *t = &r->trainer;
  for (size_t k = 0; k < 30; k++) t->parameters[(INPUTS + 1) * 6 + 12 + 6 * 30 + k] = -1.5f; /* b1 */
  double *p = widened(t->parameters, t->parameter_count), norms[1];
  train_statistics s;
  assert_int_equal(train_epoch(t, &s, norms), GELU_OK);
  const int set = count_off(t, p, r->data.x, NULL, EXAMPLES);
  const int batch = count_off(t, p, r->data.x, t->order + EXAMPLES - 2, 2); /* the last mini-batch holds two */
  assert_true(0 < set && set < batch && batch < 30);
  assert_within(((tested){"off", 0, 0}), s.off_for_set, set / 30.0, 1e-15);
  assert_within(((tested){"off", 1, 0}), s.off_for_batch, batch / 30.0, 1e-15);
  test_free(p);
  stop(r);
}

/* ---- without a step ---- */

/* Losses before the first step are those of the weights as they are drawn, and looking changes nothing. */
static void test_evaluate(void **state) {
  (void)state;
  run *watched = start(usual, "gelu"), *other = start(usual, "gelu");
  trainer *const t = &watched->trainer;
  train_statistics s, again;
  double norms[2], norms_again[2], accuracy;
  assert_int_equal(train_evaluate(t, &s, norms), GELU_OK);
  assert_int_equal(train_evaluate(t, &again, norms_again), GELU_OK);
  assert_memory_equal(&s, &again, sizeof s);
  assert_memory_equal(norms, norms_again, sizeof norms);
  assert_true(s.epoch == 0 && t->steps == 0 && s.off_for_batch == 0 && s.off_for_set == 0);
  double *p = widened(t->parameters, t->parameter_count);
  assert_within(((tested){"train loss", 0, 0}), s.train_loss,
                mean_loss(t, p, watched->data.x, watched->data.y, EXAMPLES, &accuracy), 1e-6);
  assert_true(s.train_accuracy == accuracy);
  assert_within(((tested){"validation loss", 0, 0}), s.validation_loss,
                mean_loss(t, p, watched->data.other_x, watched->data.other_y, OTHERS, &accuracy), 1e-6);
  assert_true(s.validation_accuracy == accuracy);
  /* The gradients are those of the first eight examples. */
  const size_t places[] = {0, 30, 36 + 12, 36 + 135 + 12 + 54}; /* input w and b, w1 of block 0, b1 of block 1 */
  for (int k = 0; k < 4; k++) {
    const double w = p[places[k]], h = 0x1p-16;
    p[places[k]] = w + h;
    const double above = mean_loss(t, p, watched->data.x, watched->data.y, 8, NULL);
    p[places[k]] = w - h;
    const double below = mean_loss(t, p, watched->data.x, watched->data.y, 8, NULL);
    p[places[k]] = w;
    assert_within(((tested){"gradient", k, 0}), (double)t->gradients[places[k]], (above - below) / (2 * h), 1e-6);
  }
  for (int step_number = 0; step_number < 7; step_number++) {
    assert_int_equal(train_evaluate(t, &s, norms), GELU_OK);
    assert_true(step(watched) == step(other) && s.epoch == (uint64_t)step_number / 3);
  }
  assert_int_equal(train_epoch(t, &s, norms), GELU_OK);
  assert_int_equal(train_evaluate(t, &again, norms_again), GELU_OK);
  assert_memory_equal(&s, &again, sizeof s);
  assert_memory_equal(norms, norms_again, sizeof norms);
  test_free(p);
  stop(watched), stop(other);
}

/* ---- units ---- */

enum { UNITS = 9 };

typedef struct {
  float pre_activations[UNITS], slopes[UNITS], largest[UNITS], largest_slope[UNITS];
} unit_numbers;

static gelu_status find_units(run *r, size_t block, size_t example, unit_numbers *u) {
  const train_units_of_block places = {u->pre_activations, u->slopes, u->largest, u->largest_slope};
  return train_units(&r->trainer, block, example, places);
}

/* Pre-activations of the first block for one example, in float64. */
static void first_block(const trainer *t, const double *parameters, const float *x, double *z) {
  double in[WIDEST], h[WIDEST], normed[WIDEST];
  for (size_t k = 0; k < t->options.inputs; k++) in[k] = (double)x[k];
  const double *block = affine(in, t->options.inputs, t->options.d, parameters, h);
  affine(normed, t->options.d, t->options.hidden, normalise(t->options.d, h, block, normed), z);
}

static void check_units(const char *id, double shift) {
  run *r = start(usual, id);
  trainer *const t = &r->trainer;
  for (int s = 0; s < 4; s++) step(r);
  assert_int_equal(train_shift_biases(t, shift), GELU_OK);
  double *p = widened(t->parameters, t->parameter_count);
  unit_numbers u;
  assert_int_equal(find_units(r, 0, 11, &u), GELU_OK);
  double z[WIDEST], largest[UNITS], largest_slope[UNITS] = {0};
  for (int k = 0; k < UNITS; k++) largest[k] = (double)-INFINITY;
  for (int i = 0; i < EXAMPLES; i++) {
    first_block(t, p, r->data.x + i * INPUTS, z);
    for (int k = 0; k < UNITS; k++) {
      const double slope = t->act.function->evaluate[1](z[k], t->act_parameters);
      largest[k] = fmax(largest[k], z[k]);
      largest_slope[k] = fmax(largest_slope[k], fabs(slope));
      if (i != 11) continue;
      assert_within(((tested){id, 0, z[k]}), (double)u.pre_activations[k], z[k], 1e-5);
      assert_within(((tested){id, 1, z[k]}), (double)u.slopes[k], slope, 1e-5);
    }
  }
  for (int k = 0; k < UNITS; k++) {
    assert_within(((tested){id, 2, k}), (double)u.largest[k], largest[k], 1e-5);
    assert_within(((tested){id, 3, k}), (double)u.largest_slope[k], largest_slope[k], 1e-5);
  }
  test_free(p);
  stop(r);
}

static void test_units(void **state) {
  (void)state;
  check_units("gelu", 0);
  check_units("gelu", -1.5);
  check_units("relu", -1.5);
  check_units("silu", 0.25);
}

/* The units that the statistics count as off are those whose largest slope is 0: none of GELU's while it is not. */
static void test_units_agree_with_statistics(void **state) {
  (void)state;
  const double shifts[] = {-1, -1, -1, -1, -20};
  const char *const ids[] = {"relu", "gelu"};
  double off[2] = {0, 0};
  for (int f = 0; f < 2; f++) {
    run *r = start(usual, ids[f]);
    train_statistics s;
    double norms[2];
    for (int round = 0; round < 5; round++) {
      int all = 0;
      assert_int_equal(train_shift_biases(&r->trainer, shifts[round]), GELU_OK);
      assert_int_equal(train_evaluate(&r->trainer, &s, norms), GELU_OK);
      for (size_t block = 0; block < 2; block++) {
        unit_numbers u;
        assert_int_equal(find_units(r, block, 0, &u), GELU_OK);
        for (int k = 0; k < UNITS; k++) {
          all += u.largest_slope[k] == 0;
          assert_true(fabsf(u.slopes[k]) <= u.largest_slope[k] && u.pre_activations[k] <= u.largest[k]);
          if (f == 0) assert_true((u.largest[k] > 0) == (u.largest_slope[k] == 1));
        }
      }
      assert_within(((tested){ids[f], round, 0}), s.off_for_set, all / 18.0, 1e-15);
      assert_true(s.off_for_batch >= s.off_for_set);
      if (round == 3) off[f] = s.off_for_set;
    }
    assert_true(s.off_for_set == 1);
    stop(r);
  }
  assert_true(off[0] > 0 && off[1] == 0);
}

static void test_units_bad(void **state) {
  (void)state;
  run *r = start(usual, "gelu");
  unit_numbers u, kept;
  memset(&u, 0x3c, sizeof u);
  kept = u;
  assert_int_equal(find_units(r, 2, 0, &u), GELU_BAD_SIZE);
  assert_int_equal(find_units(r, 0, EXAMPLES, &u), GELU_BAD_SIZE);
  assert_int_equal(train_units(&r->trainer, 0, 0, (train_units_of_block){u.slopes, u.slopes, u.slopes, NULL}),
                   GELU_NULL_POINTER);
  r->trainer.failed_at = 1;
  assert_int_equal(find_units(r, 0, 0, &u), GELU_NOT_FINITE);
  assert_memory_equal(&u, &kept, sizeof u);
  r->trainer.failed_at = 0;
  r->data.x[5 * INPUTS] = NAN;
  assert_int_equal(find_units(r, 0, 4, &u), GELU_OK);
  for (int k = 0; k < UNITS; k++) assert_true(isnan(u.largest[k]) && isnan(u.largest_slope[k]) && !isnan(u.slopes[k]));
  stop(r);
}

/* ---- changes while it runs ---- */

static void test_shift_biases(void **state) {
  (void)state;
  run *r = start(usual, "relu");
  trainer *const t = &r->trainer;
  step(r);
  const size_t n = t->parameter_count;
  double *before = widened(t->parameters, n);
  assert_int_equal(train_shift_biases(t, -0.3), GELU_OK);
  size_t changed = 0;
  for (size_t k = 0; k < n; k++) {
    const size_t place = k - 36; /* input layer: 36 numbers; block: gain 6, shift 6, w1 54, b1 9, w2 54, b2 6 */
    const int is_b1 = k >= 36 && place < 270 && place % 135 >= 66 && place % 135 < 75;
    const float want = (float)before[k] + (is_b1 ? -0.3f : 0);
    assert_true(t->parameters[k] == want);
    changed += is_b1 ? 1 : 0;
  }
  assert_true(changed == 18);
  const double bad[] = {(double)NAN, (double)INFINITY, 1e39};
  for (int k = 0; k < 3; k++) assert_int_equal(train_shift_biases(t, bad[k]), GELU_BAD_PARAMETER);
  assert_true((double)t->parameters[36 + 66] == (double)((float)before[36 + 66] - 0.3f));
  assert_int_equal(train_shift_biases(t, 3e38), GELU_OK);
  assert_int_equal(train_shift_biases(t, 3e38), GELU_OK); /* infinite now: the next step says so */
  train_progress progress;
  assert_int_equal(train_step(t, &progress), GELU_NOT_FINITE);
  test_free(before);
  stop(r);
}

static void test_set_learning_rate(void **state) {
  (void)state;
  train_options slow = usual;
  slow.learning_rate = 0.001;
  run *changed = start(usual, "gelu"), *other = start(slow, "gelu");
  assert_int_equal(train_set_learning_rate(&changed->trainer, 0.001), GELU_OK);
  for (int s = 0; s < 5; s++) assert_true(step(changed) == step(other));
  const double bad[] = {(double)NAN, (double)INFINITY, -1};
  for (int k = 0; k < 3; k++) assert_int_equal(train_set_learning_rate(&changed->trainer, bad[k]), GELU_BAD_PARAMETER);
  assert_true(step(changed) == step(other));
  /* With 0 the weights stay, moments or not. */
  const size_t n = changed->trainer.parameter_count * sizeof(float);
  float *before = test_malloc(n);
  memcpy(before, changed->trainer.parameters, n);
  assert_int_equal(train_set_learning_rate(&changed->trainer, 0), GELU_OK);
  step(changed);
  assert_memory_equal(before, changed->trainer.parameters, n);
  test_free(before);
  stop(changed), stop(other);
}

/* ---- what is not finite ---- */

static void test_nan_stops_the_run(void **state) {
  (void)state;
  run *r = start(usual, "gelu");
  train_statistics s = {0};
  double norms[2] = {-7, -7};
  assert_int_equal(train_epoch(&r->trainer, &s, norms), GELU_OK);
  const train_statistics kept = s;
  step(r);
  r->data.x[r->trainer.order[8] * INPUTS] = NAN; /* in the next mini-batch: the fifth */
  train_progress progress = {9, 9, 9};
  assert_int_equal(train_step(&r->trainer, &progress), GELU_NOT_FINITE);
  assert_true(r->trainer.failed_at == 5 && r->trainer.steps == 4);
  assert_int_equal(train_epoch(&r->trainer, &s, norms), GELU_NOT_FINITE);
  assert_int_equal(train_step(&r->trainer, &progress), GELU_NOT_FINITE);
  assert_int_equal(train_evaluate(&r->trainer, &s, norms), GELU_NOT_FINITE);
  assert_true(r->trainer.failed_at == 5 && progress.loss == 9);
  assert_memory_equal(&s, &kept, sizeof s);
  stop(r);
}

/* A NaN in the validation set alone is met by the statistics. */
static void test_nan_in_validation(void **state) {
  (void)state;
  run *r = start(usual, "gelu");
  train_statistics s = {.epoch = 77};
  double norms[2];
  r->data.other_x[3] = NAN;
  assert_int_equal(train_evaluate(&r->trainer, &s, norms), GELU_NOT_FINITE);
  assert_true(r->trainer.failed_at == 1 && r->trainer.steps == 0 && s.epoch == 77);
  stop(r);
  r = start(usual, "gelu");
  r->data.other_x[3] = NAN;
  assert_int_equal(train_epoch(&r->trainer, &s, norms), GELU_NOT_FINITE);
  assert_true(r->trainer.failed_at == 3 && r->trainer.steps == 3 && s.epoch == 77);
  stop(r);
}

static void test_overflow_stops_the_run(void **state) {
  (void)state;
  train_options options = usual;
  options.layer_norm = 0;
  options.optimizer = TRAIN_SGD;
  options.learning_rate = 1e30;
  run *r = start(options, "relu");
  train_progress progress;
  int s = 0;
  while (s < 10 && train_step(&r->trainer, &progress) == GELU_OK) s++;
  assert_true(s < 10 && r->trainer.failed_at == (uint64_t)s + 1);
  stop(r);

  /* The first update makes infinite weights: it is the step that is blamed, not the one after it. */
  options.learning_rate = 1e300;
  r = start(options, "relu");
  assert_int_equal(train_step(&r->trainer, &progress), GELU_NOT_FINITE);
  assert_true(r->trainer.failed_at == 1 && r->trainer.steps == 0);
  stop(r);
}

/* Far-off logits: the loss is the distance, where a naive softmax gives infinity or NaN. */
static void test_stable_loss(void **state) {
  (void)state;
  train_options options = usual;
  options.blocks = 0;
  options.learning_rate = 0;
  run *r = start(options, "gelu");
  const trainer *t = &r->trainer;
  for (size_t k = 0; k < t->parameter_count; k++) t->parameters[k] = 0;
  float *const bias = t->parameters + (INPUTS + 1) * 6 + 6 * CLASSES;
  bias[0] = 5000, bias[1] = -5000, bias[2] = 4000;
  train_statistics s;
  assert_int_equal(train_epoch(&r->trainer, &s, NULL), GELU_OK);
  assert_within(((tested){"loss", 0, 0}), s.train_loss, (8 * 10000.0 + 7 * 1000.0) / EXAMPLES, 1e-9);
  stop(r);
}

static void test_no_validation(void **state) {
  (void)state;
  run *r = start(usual, "gelu");
  const train_set training = {r->data.x, r->data.y, EXAMPLES}, none = {NULL, NULL, 0};
  train_statistics s;
  double norms[2];
  assert_int_equal(train_start(&r->trainer, &usual, activation_find("gelu"), NULL, training, none, r->memory), GELU_OK);
  assert_int_equal(train_epoch(&r->trainer, &s, norms), GELU_OK);
  assert_true(isnan(s.validation_loss) && isnan(s.validation_accuracy) && s.train_loss > 0);
  stop(r);
}

/* ---- errors ---- */

static void test_bad_options(void **state) {
  (void)state;
  size_t bytes = 7;
  train_options o = usual;
  o.optimizer = (train_optimizer)2;
  assert_int_equal(train_bytes(&o, EXAMPLES, &bytes), GELU_UNKNOWN_OPTION);
  double *const numbers[] = {&o.learning_rate, &o.momentum, &o.weight_decay, &o.init_gain};
  for (int k = 0; k < 4; k++) {
    const double bad[] = {(double)NAN, (double)INFINITY, -1};
    for (int b = 0; b < 3; b++) {
      o = usual;
      *numbers[k] = bad[b];
      assert_int_equal(train_bytes(&o, EXAMPLES, &bytes), GELU_BAD_PARAMETER);
    }
  }
  o = usual, o.momentum = 1;
  assert_int_equal(train_bytes(&o, EXAMPLES, &bytes), GELU_BAD_PARAMETER);
  size_t *const sizes[] = {&o.inputs, &o.classes, &o.d, &o.hidden, &o.batch};
  for (int k = 0; k < 5; k++) {
    o = usual, *sizes[k] = 0;
    assert_int_equal(train_bytes(&o, EXAMPLES, &bytes), GELU_BAD_SIZE);
    if (k == 1) continue;
    o = usual, *sizes[k] = SIZE_MAX / 8;
    assert_int_equal(train_bytes(&o, EXAMPLES, &bytes), GELU_TOO_LARGE);
  }
  o = usual, o.blocks = SIZE_MAX / 2;
  assert_int_equal(train_bytes(&o, EXAMPLES, &bytes), GELU_TOO_LARGE);
  assert_int_equal(train_bytes(&usual, 0, &bytes), GELU_BAD_SIZE);
  assert_int_equal(train_bytes(&usual, EXAMPLES, NULL), GELU_NULL_POINTER);
  assert_true(bytes == 7);
}

static void test_bad_sets(void **state) {
  (void)state;
  run *r = start(usual, "gelu");
  const activation *gelu = activation_find("gelu");
  const train_set fine = {r->data.x, r->data.y, EXAMPLES}, missing = {NULL, r->data.y, EXAMPLES},
                  none = {NULL, NULL, 0};
  int32_t labels[EXAMPLES] = {0};
  const train_set labelled = {r->data.x, labels, EXAMPLES};
  trainer t;
  assert_int_equal(train_start(&t, &usual, gelu, NULL, missing, none, r->memory), GELU_NULL_POINTER);
  assert_int_equal(train_start(&t, &usual, gelu, NULL, fine, none, NULL), GELU_NULL_POINTER);
  assert_int_equal(train_start(&t, &usual, NULL, NULL, fine, none, r->memory), GELU_UNKNOWN_FUNCTION);
  for (int bad = -1; bad <= CLASSES; bad += CLASSES + 1) {
    labels[EXAMPLES - 1] = bad;
    assert_int_equal(train_start(&t, &usual, gelu, NULL, labelled, none, r->memory), GELU_BAD_SIZE);
    assert_int_equal(train_start(&t, &usual, gelu, NULL, fine, labelled, r->memory), GELU_BAD_SIZE);
  }
  stop(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gradients),
      cmocka_unit_test(test_optimizers),
      cmocka_unit_test(test_statistics),
      cmocka_unit_test(test_every_example_once_an_epoch),
      cmocka_unit_test(test_same_seed_same_losses),
      cmocka_unit_test(test_another_activation_keeps_the_weights),
      cmocka_unit_test(test_units_off),
      cmocka_unit_test(test_units_sometimes_on),
      cmocka_unit_test(test_evaluate),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_units_agree_with_statistics),
      cmocka_unit_test(test_units_bad),
      cmocka_unit_test(test_shift_biases),
      cmocka_unit_test(test_set_learning_rate),
      cmocka_unit_test(test_nan_stops_the_run),
      cmocka_unit_test(test_nan_in_validation),
      cmocka_unit_test(test_overflow_stops_the_run),
      cmocka_unit_test(test_stable_loss),
      cmocka_unit_test(test_no_validation),
      cmocka_unit_test(test_bad_options),
      cmocka_unit_test(test_bad_sets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
