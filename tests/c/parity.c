/* Hashes of the native kernels' results for seeded inputs; tests/node/parity.test.mjs compares them with WebAssembly's.
 *
 *     parity            one line for each case: its name and the hash of its results
 *     parity NAME       the bits of that case's results, one a line
 *     parity random     the bits of 100,000 normal random numbers (tests/node/random.test.mjs)
 *     parity networks   one line for each training run, deep stack and gated network below
 *                       (tests/node/trainer.test.mjs): its name and the hash of its numbers
 *     parity rounding   one line for each half format, each formula in each format, and each search for parameters
 *
 * A case is function.order.type.parameters: type f64, f32 or fast (float32, fast tier); parameters are the defaults, or
 * all of them times 1.25 ("other"). Inputs take turns: arbitrary bits, and evenly spread over small, middling and large
 * ranges. Every NaN counts as the same. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "compare.h"
#include "depth.h"
#include "ffn.h"
#include "halffloat.h"
#include "random.h"
#include "train.h"

enum {
  BATCH = 4096,
  COUNT_DEFAULTS = 1048576,
  COUNT_OTHERS = 131072, /* other parameters */
  COUNT_NORMALS = 100000,
  ROUNDING_BATCHES = 16
};

typedef enum { F64, F32, FAST, TYPES } result_type;

static const char *const type_names[TYPES] = {"f64", "f32", "fast"};

static uint32_t input_state;

static uint32_t input_bits(void) {
  input_state += UINT32_C(0x9e3779b9);
  uint32_t z = input_state;
  z = (z ^ (z >> 16)) * UINT32_C(0x21f0aaad);
  z = (z ^ (z >> 15)) * UINT32_C(0x735a2d97);
  return z ^ (z >> 15);
}

/* Half-widths of the ranges, in the inputs' turns after the arbitrary bits. */
static const double single_widths[3] = {4, 20, 120};
static const double double_widths[3] = {4, 45, 800};

static double evenly(uint32_t bits, double width) { return (double)bits * 0x1p-32 * (2 * width) - width; }

static float single_input(size_t k) {
  const uint32_t bits = input_bits();
  float x;
  if (k % 4 != 0) return (float)evenly(bits, single_widths[k % 4 - 1]);
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double double_input(size_t k) {
  const uint32_t low = input_bits(), high = input_bits();
  const uint64_t bits = ((uint64_t)high << 32) | low;
  double x;
  if (k % 4 != 0) return evenly(high, double_widths[k % 4 - 1]) + (double)low * 0x1p-60;
  memcpy(&x, &bits, sizeof x);
  return x;
}

typedef struct {
  uint32_t first, second;
  int print;
} sink;

static uint32_t rotated(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

static void take(sink *s, uint32_t word) {
  s->first = rotated(s->first ^ word, 13) * UINT32_C(0x85ebca6b);
  s->second = rotated(s->second ^ word, 17) * UINT32_C(0xc2b2ae35);
}

static void take_single(sink *s, float y) {
  uint32_t bits;
  memcpy(&bits, &y, sizeof bits);
  if (y != y) bits = UINT32_C(0x7fc00000);
  take(s, bits);
  if (s->print) printf("%08" PRIx32 "\n", bits);
}

static void take_double(sink *s, double y) {
  uint64_t bits;
  memcpy(&bits, &y, sizeof bits);
  if (y != y) bits = UINT64_C(0x7ff8000000000000);
  take(s, (uint32_t)bits);
  take(s, (uint32_t)(bits >> 32));
  if (s->print) printf("%016" PRIx64 "\n", bits);
}

typedef struct {
  const activation *function;
  int index, order, other;
  result_type type;
} parity_case;

/* PARITY_COUNT in the environment (tests/prove/prove.mjs) asks for more; a number of whole batches comes of it. */
static size_t count_of(parity_case c) {
  const char *wanted = getenv("PARITY_COUNT");
  if (wanted == NULL) return c.other ? COUNT_OTHERS : COUNT_DEFAULTS;
  return ((size_t)strtoul(wanted, NULL, 10) + BATCH - 1) / BATCH * BATCH;
}

static void run(parity_case c, sink *s) {
  static double doubles[BATCH];
  static float singles[BATCH];
  double parameters[ACTIVATION_MAX_PARAMETERS];
  for (int k = 0; k < ACTIVATION_MAX_PARAMETERS; k++) parameters[k] = c.function->parameters[k].value * 1.25;
  const double *const p = c.other ? parameters : NULL;
  input_state = (uint32_t)(c.index * 3 + c.order);
  for (size_t start = 0; start < count_of(c); start += BATCH) {
    gelu_status status;
    if (c.type == F64) {
      for (size_t k = 0; k < BATCH; k++) doubles[k] = double_input(k);
      status = batch_f64(c.function, c.order, p, doubles, doubles, BATCH);
      for (size_t k = 0; k < BATCH; k++) take_double(s, doubles[k]);
    } else {
      for (size_t k = 0; k < BATCH; k++) singles[k] = single_input(k);
      status = batch_f32(c.function, c.order, p, c.type == FAST ? BATCH_FAST : BATCH_DEFAULT, singles, singles, BATCH);
      for (size_t k = 0; k < BATCH; k++) take_single(s, singles[k]);
    }
    if (status != GELU_OK) {
      fprintf(stderr, "status %d\n", (int)status);
      exit(1);
    }
  }
}

static int print_normals(void) {
  sink s = {0, 0, 1};
  random_state random;
  random_seed(&random, 2026);
  for (int i = 0; i < COUNT_NORMALS; i++) take_double(&s, random_normal(&random));
  return 0;
}

/* ---- networks ---- */

enum { EXAMPLES = 90, OTHERS = 31, INPUTS = 11, CLASSES = 3, STEPS = 50, LAYERS = 9, TOKENS = 5, D = 13, HIDDEN = 70 };

static void must(int holds) {
  if (!holds) exit(1);
}

static void print_hash(const char *kind, const char *id, const sink *s) {
  printf("%s.%s %08" PRIx32 "%08" PRIx32 "\n", kind, id, s->first, s->second);
}

static float uniform(random_state *random) { return (float)random_uniform(random); }

static void take_statistics(sink *s, const train_statistics *found, const double *norms, size_t blocks) {
  take_double(s, found->train_loss), take_double(s, found->validation_loss);
  take_double(s, found->train_accuracy), take_double(s, found->validation_accuracy);
  take_double(s, found->off_for_batch), take_double(s, found->off_for_set);
  for (size_t l = 0; l < blocks; l++) take_double(s, norms[l]);
}

static void hash_training(const char *id, train_options options) {
  static float x[(EXAMPLES + OTHERS) * INPUTS];
  int32_t y[EXAMPLES + OTHERS];
  random_state random;
  random_seed(&random, 2026);
  for (int i = 0; i < (EXAMPLES + OTHERS) * INPUTS; i++) x[i] = uniform(&random);
  for (int i = 0; i < EXAMPLES + OTHERS; i++) y[i] = i % CLASSES;
  trainer t;
  train_progress progress;
  train_statistics statistics;
  double norms[8];
  size_t bytes;
  sink s = {0, 0, 0};
  must(train_bytes(&options, EXAMPLES, &bytes) == GELU_OK);
  void *memory = malloc(bytes);
  must(train_start(&t, &options, activation_find(id), NULL, (train_set){x, y, EXAMPLES},
                   (train_set){x + EXAMPLES * INPUTS, y + EXAMPLES, OTHERS}, memory) == GELU_OK);
  for (int step = 0; step < STEPS; step++) {
    must(train_step(&t, &progress) == GELU_OK);
    take_double(&s, progress.loss);
  }
  must(train_epoch(&t, &statistics, norms) == GELU_OK);
  take_statistics(&s, &statistics, norms, options.blocks);
  must(train_shift_biases(&t, -0.75) == GELU_OK && train_set_learning_rate(&t, 0.003) == GELU_OK);
  static float units[4][HIDDEN];
  must(train_units(&t, 1, 17, (train_units_of_block){units[0], units[1], units[2], units[3]}) == GELU_OK);
  must(train_evaluate(&t, &statistics, norms) == GELU_OK && train_step(&t, &progress) == GELU_OK);
  take_statistics(&s, &statistics, norms, options.blocks);
  take_double(&s, progress.loss);
  for (int k = 0; k < 4; k++)
    for (size_t unit = 0; unit < options.hidden; unit++) take_double(&s, (double)units[k][unit]);
  free(memory);
  print_hash(options.optimizer == TRAIN_SGD ? "sgd" : "adamw", id, &s);
}

static void hash_depth(const char *id, int normalised) {
  const depth_options options = {LAYERS, 37, 6, 1.25, normalised, normalised, 3};
  double signal[LAYERS + 1], gradient[LAYERS + 1];
  sink s = {0, 0, 0};
  float *workspace = malloc(depth_workspace(&options) * sizeof *workspace);
  must(depth_propagate(&options, activation_find(id), NULL, signal, gradient, workspace) == GELU_OK);
  for (int l = 0; l <= LAYERS; l++) take_double(&s, signal[l]), take_double(&s, gradient[l]);
  free(workspace);
  print_hash(normalised ? "normalised" : "plain", id, &s);
}

static void hash_gated(const char *id) {
  const ffn_shape shape = {TOKENS, D, HIDDEN};
  const ffn_activation act = {activation_find(id), NULL, BATCH_FAST};
  const size_t count = ffn_parameter_count(D, HIDDEN, 1);
  size_t forward, backward;
  must(ffn_workspace(shape, 1, &forward, &backward) == GELU_OK);
  float x[TOKENS * D], y[TOKENS * D], dx[TOKENS * D];
  static float inside[4][TOKENS * HIDDEN];
  const ffn_trace trace = {inside[0], inside[1], inside[2], inside[3]};
  float *weights = calloc(count, sizeof *weights), *gradients = calloc(count, sizeof *gradients);
  float *workspace = malloc(backward * sizeof *workspace);
  const ffn_parameters parts = ffn_parameters_in(weights, D, HIDDEN, 1);
  random_state random;
  random_seed(&random, 4);
  ffn_initialise(parts, D, HIDDEN, 1, &random);
  random_seed(&random, 5);
  for (int i = 0; i < TOKENS * D; i++) x[i] = uniform(&random);
  must(ffn_forward(shape, act, ffn_weights_of(parts), x, trace, y, workspace) == GELU_OK);
  must(ffn_backward(shape, act, ffn_weights_of(parts), x, trace, y, dx, ffn_parameters_in(gradients, D, HIDDEN, 1),
                    workspace) == GELU_OK);
  sink s = {0, 0, 0};
  for (int i = 0; i < TOKENS * D; i++) take_single(&s, y[i]);
  for (int i = 0; i < TOKENS * D; i++) take_single(&s, dx[i]);
  for (size_t i = 0; i < count; i++) take_single(&s, gradients[i]);
  free(weights), free(gradients), free(workspace);
  print_hash("gated", id, &s);
}

static int print_networks(void) {
  const train_options adamw = {INPUTS, CLASSES, 18, 37, 2, 16, 1, 1, TRAIN_ADAMW, 0.004, 0.9, 0.01, 1, 5};
  const train_options sgd = {INPUTS, CLASSES, 18, 37, 3, 16, 0, 0, TRAIN_SGD, 0.002, 0.9, 0.001, 1.5, 6};
  for (int k = 0; k < activation_count(); k++) {
    const char *id = activation_at(k)->id;
    hash_training(id, adamw);
    hash_training(id, sgd);
    hash_depth(id, 0);
    hash_depth(id, 1);
    hash_gated(id);
  }
  return 0;
}

/* ---- rounding and searches ---- */

static void hash_rounded(const char *name, float_format format) {
  static double doubles[BATCH];
  sink s = {0, 0, 0};
  input_state = 100;
  for (int batch = 0; batch < ROUNDING_BATCHES; batch++) {
    for (size_t k = 0; k < BATCH; k++) doubles[k] = double_input(k);
    must(round_array(format, doubles, doubles, BATCH) == GELU_OK);
    for (size_t k = 0; k < BATCH; k++) take_double(&s, doubles[k]);
  }
  print_hash("round", name, &s);
}

static void hash_formula(const char *form_name, gelu_form form, const char *format_name, float_format format) {
  static double doubles[BATCH], results[BATCH];
  double steps[MOST_FORM_STEPS];
  char name[40];
  sink s = {0, 0, 0};
  input_state = 101;
  for (int batch = 0; batch < ROUNDING_BATCHES; batch++) {
    for (size_t k = 0; k < BATCH; k++) doubles[k] = double_input(k);
    must(emulate_array(form, format, doubles, results, BATCH) == GELU_OK);
    for (size_t k = 0; k < BATCH; k++) take_double(&s, results[k]);
  }
  for (size_t k = 0; k < BATCH; k++) {
    const int count = emulate_steps(form, format, doubles[k], steps);
    for (int step = 0; step < count; step++) take_double(&s, steps[step]);
  }
  snprintf(name, sizeof name, "%s.%s", form_name, format_name);
  print_hash("emulate", name, &s);
}

static void hash_fit(const char *id, const char *reference, int order, unsigned vary) {
  parameter_fit fit;
  sink s = {0, 0, 0};
  must(fit_start(&fit, (compare_side){activation_find(id), NULL}, (compare_side){activation_find(reference), NULL},
                 order, -10, 10, vary) == GELU_OK);
  while (fit_step(&fit)) continue;
  for (int j = 0; j < fit.a->parameter_count; j++) take_double(&s, fit.best[j]);
  take_double(&s, fit.error), take_double(&s, fit.at), take_double(&s, (double)fit.steps);
  char name[60];
  snprintf(name, sizeof name, "%s.%s.%d.%u", id, reference, order, vary);
  print_hash("fit", name, &s);
}

static int print_rounding(void) {
  static const char *const formats[] = {"float64", "float32", "float16", "bfloat16"};
  static const char *const forms[] = {"erf", "erfc", "tanh", "sigmoid"};
  hash_rounded(formats[FORMAT_FLOAT16], FORMAT_FLOAT16);
  hash_rounded(formats[FORMAT_BFLOAT16], FORMAT_BFLOAT16);
  for (int form = FORM_ERF; form <= FORM_SIGMOID; form++)
    for (int format = FORMAT_FLOAT64; format <= FORMAT_BFLOAT16; format++)
      hash_formula(forms[form], (gelu_form)form, formats[format], (float_format)format);
  hash_fit("gelu_sigmoid", "gelu", 0, 1);
  hash_fit("gelu_sigmoid", "gelu", 1, 1);
  hash_fit("sigmoid", "normal_cdf", 0, 1);
  hash_fit("gelu_tanh", "gelu", 0, 2);
  hash_fit("gelu_tanh", "gelu", 0, 3);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "random") == 0) return print_normals();
  if (argc > 1 && strcmp(argv[1], "networks") == 0) return print_networks();
  if (argc > 1 && strcmp(argv[1], "rounding") == 0) return print_rounding();
  int found = 0;
  for (int index = 0; index < activation_count(); index++) {
    for (int order = 0; order < ACTIVATION_ORDERS; order++) {
      for (int other = 0; other < 2; other++) {
        for (int type = 0; type < TYPES; type++) {
          const parity_case c = {activation_at(index), index, order, other, (result_type)type};
          if (other && c.function->parameter_count == 0) continue;
          char name[80];
          snprintf(name, sizeof name, "%s.%d.%s.%s", c.function->id, order, type_names[type],
                   other ? "other" : "default");
          if (argc > 1 && strcmp(argv[1], name) != 0) continue;
          found = 1;
          sink s = {0, 0, argc > 1};
          run(c, &s);
          if (argc == 1) printf("%s %08" PRIx32 "%08" PRIx32 "\n", name, s.first, s.second);
        }
      }
    }
  }
  if (!found) fprintf(stderr, "no case %s\n", argv[1]);
  return found ? 0 : 2;
}
