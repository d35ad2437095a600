/* The feed-forward network against a float64 implementation of its formula, written here; gradients against central
 * differences of that one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assert_close.h"
#include "ffn.h"
#include "matrix.h"
#include "size.h"

/* ---- the reference: everything that can be varied in one row of float64 numbers ---- */

typedef struct {
  ffn_shape shape;
  int gated;
  const activation *function;
  const double *parameters;
} network;

enum { X, W1, B1, V, C, W2, B2, PARTS };

static const char *const part_names[PARTS] = {"x", "w1", "b1", "v", "c", "w2", "b2"};

static size_t part_size(const network *net, int part) {
  const ffn_shape s = net->shape;
  const size_t sizes[PARTS] = {s.tokens * s.d,
                               s.d * s.hidden,
                               s.hidden,
                               net->gated ? s.d * s.hidden : 0,
                               net->gated ? s.hidden : 0,
                               s.hidden * s.d,
                               s.d};
  return sizes[part];
}

static size_t part_offset(const network *net, int part) {
  size_t offset = 0;
  for (int k = 0; k < part; k++) offset += part_size(net, k);
  return offset;
}

static double row_times_column(const double *row, const double *matrix, size_t inner, size_t columns, size_t column) {
  double sum = 0;
  for (size_t p = 0; p < inner; p++) sum += row[p] * matrix[p * columns + column];
  return sum;
}

static void reference_forward(const network *net, const double *all, double *hidden, double *y) {
  const ffn_shape s = net->shape;
  const double *part[PARTS];
  double defaults[ACTIVATION_MAX_PARAMETERS];
  for (int k = 0; k < PARTS; k++) part[k] = all + part_offset(net, k);
  for (int k = 0; k < net->function->parameter_count; k++) defaults[k] = net->function->parameters[k].value;
  for (size_t t = 0; t < s.tokens; t++) {
    const double *x = part[X] + t * s.d;
    double *h = hidden + t * s.hidden;
    for (size_t j = 0; j < s.hidden; j++) {
      const double z = row_times_column(x, part[W1], s.d, s.hidden, j) + part[B1][j];
      h[j] = net->function->evaluate[0](z, net->parameters != NULL ? net->parameters : defaults);
      if (net->gated) h[j] *= row_times_column(x, part[V], s.d, s.hidden, j) + part[C][j];
    }
    for (size_t j = 0; j < s.d; j++) y[t * s.d + j] = row_times_column(h, part[W2], s.hidden, s.d, j) + part[B2][j];
  }
}

/* ---- a network with everything that it needs ---- */

typedef struct {
  network net;
  size_t count, inside, outside;
  double *all, *wide_hidden, *wide_y; /* float64; all numbers are float32 ones */
  float *numbers;                     /* x and all weights */
  float *gradients;                   /* the same order */
  float *trace, *y, *dy, *workspace;
} bench;

static float *floats(size_t n) { return test_calloc(n + 1, sizeof(float)); }
static double *doubles(size_t n) { return test_calloc(n + 1, sizeof(double)); }

static bench make_bench(network net, uint64_t seed) {
  bench b = {.net = net, .count = part_offset(&net, PARTS)};
  size_t forward, backward;
  b.inside = net.shape.tokens * net.shape.hidden;
  b.outside = net.shape.tokens * net.shape.d;
  assert_int_equal(ffn_workspace(net.shape, net.gated, &forward, &backward), GELU_OK);
  b.all = doubles(b.count), b.wide_hidden = doubles(b.inside), b.wide_y = doubles(b.outside);
  b.numbers = floats(b.count), b.gradients = floats(b.count), b.trace = floats(4 * b.inside);
  b.y = floats(b.outside), b.dy = floats(b.outside), b.workspace = floats(backward > forward ? backward : forward);
  random_state random;
  random_seed(&random, seed);
  for (size_t k = 0; k < b.count; k++) b.all[k] = (double)(b.numbers[k] = (float)random_normal(&random));
  for (size_t k = 0; k < b.outside; k++) b.dy[k] = (float)random_normal(&random);
  return b;
}

static void free_bench(bench *b) {
  test_free(b->all), test_free(b->wide_hidden), test_free(b->wide_y), test_free(b->numbers);
  test_free(b->gradients), test_free(b->trace), test_free(b->y), test_free(b->dy), test_free(b->workspace);
}

static ffn_activation act_of(const bench *b) {
  return (ffn_activation){b->net.function, b->net.parameters, BATCH_DEFAULT};
}

static ffn_trace trace_of(const bench *b) {
  const ffn_trace plain = {b->trace, b->trace + b->inside, NULL, NULL};
  const ffn_trace gated = {b->trace, b->trace + b->inside, b->trace + 2 * b->inside, b->trace + 3 * b->inside};
  return b->net.gated ? gated : plain;
}

static ffn_parameters parts_of(const bench *b, float *numbers) {
  return ffn_parameters_in(numbers + part_size(&b->net, X), b->net.shape.d, b->net.shape.hidden, b->net.gated);
}

static gelu_status forward(bench *b) {
  return ffn_forward(b->net.shape, act_of(b), ffn_weights_of(parts_of(b, b->numbers)), b->numbers, trace_of(b), b->y,
                     b->workspace);
}

static gelu_status backward(bench *b) {
  return ffn_backward(b->net.shape, act_of(b), ffn_weights_of(parts_of(b, b->numbers)), b->numbers, trace_of(b), b->dy,
                      b->gradients, parts_of(b, b->gradients), b->workspace);
}

/* sum of y dy */
static double reference_loss(bench *b) {
  double sum = 0;
  reference_forward(&b->net, b->all, b->wide_hidden, b->wide_y);
  for (size_t k = 0; k < b->outside; k++) sum += b->wide_y[k] * (double)b->dy[k];
  return sum;
}

static double central_difference(bench *b, size_t k) {
  const double x = b->all[k], step = 0x1p-17;
  b->all[k] = x + step;
  const double above = reference_loss(b);
  b->all[k] = x - step;
  const double below = reference_loss(b);
  b->all[k] = x;
  return (above - below) / (2 * step);
}

/* ---- comparisons ---- */

/* ||got - want|| <= bound ||want|| */
static void assert_relative(const char *what, const bench *b, const float *got, const double *want, size_t n,
                            double bound) {
  double error = 0, size = 0;
  for (size_t k = 0; k < n; k++) {
    error += ((double)got[k] - want[k]) * ((double)got[k] - want[k]);
    size += want[k] * want[k];
  }
  if (!(sqrt(error) <= bound * sqrt(size)))
    fail_msg("%s of %s%s, %zu tokens, d %zu, hidden %zu: relative error %g", what, b->net.function->id,
             b->net.gated ? ", gated" : "", b->net.shape.tokens, b->net.shape.d, b->net.shape.hidden,
             sqrt(error / size));
}

static void check_forward(bench *b) {
  assert_int_equal(forward(b), GELU_OK);
  reference_forward(&b->net, b->all, b->wide_hidden, b->wide_y);
  assert_relative("hidden values", b, b->trace + b->inside, b->wide_hidden, b->inside, 1e-6);
  assert_relative("y", b, b->y, b->wide_y, b->outside, 1e-6);
}

static void check_gradients(bench *b) {
  assert_int_equal(backward(b), GELU_OK);
  for (int part = 0; part < PARTS; part++) {
    const size_t offset = part_offset(&b->net, part), n = part_size(&b->net, part);
    double *want = doubles(n);
    for (size_t k = 0; k < n; k++) want[k] = central_difference(b, offset + k);
    assert_relative(part_names[part], b, b->gradients + offset, want, n, 1e-6);
    test_free(want);
  }
}

static void test_every_activation(void **state) {
  (void)state;
  for (int k = 0; k < activation_count(); k++)
    for (int gated = 0; gated < 2; gated++) {
      bench b = make_bench((network){{3, 5, 9}, gated, activation_at(k), NULL}, 11 + (uint64_t)k);
      check_forward(&b);
      check_gradients(&b);
      free_bench(&b);
    }
}

static void test_parameters(void **state) {
  (void)state;
  const double parameters[] = {0.6, 0.1};
  const char *const ids[] = {"gelu_tanh", "gelu_sigmoid", "silu", "elu", "leaky_relu"};
  for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++) {
    bench b = make_bench((network){{2, 4, 6}, 1, activation_find(ids[k]), parameters}, 5);
    check_forward(&b);
    check_gradients(&b);
    free_bench(&b);
  }
}

static void test_shapes(void **state) {
  (void)state;
  static const ffn_shape shapes[] = {{1, 1, 1}, {1, 7, 3}, {5, 1, 8}, {4, 8, 1}, {17, 3, 13}, {2, 13, 21}};
  for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
    for (int gated = 0; gated < 2; gated++) {
      bench b = make_bench((network){shapes[k], gated, activation_find("gelu"), NULL}, 3);
      check_forward(&b);
      check_gradients(&b);
      free_bench(&b);
    }
  bench large = make_bench((network){{33, 70, 290}, 1, activation_find("silu"), NULL}, 4);
  check_forward(&large);
  free_bench(&large);
}

static void test_sizes_of_zero(void **state) {
  (void)state;
  for (int k = 0; k < 7; k++) {
    const ffn_shape shape = {k & 1 ? 2 : 0, k & 2 ? 3 : 0, k & 4 ? 4 : 0};
    bench b = make_bench((network){shape, 1, activation_find("gelu"), NULL}, 3);
    memset(b.gradients, 1, b.count * sizeof *b.gradients);
    check_forward(&b);
    assert_int_equal(backward(&b), GELU_OK);
    if (shape.tokens == 0)
      for (size_t i = 0; i < b.count; i++) assert_true(b.gradients[i] == 0);
    free_bench(&b);
  }
}

/* One token gives the bits that it gives among others. */
static void test_tokens_are_independent(void **state) {
  (void)state;
  bench b = make_bench((network){{9, 37, 300}, 1, activation_find("gelu"), NULL}, 8);
  assert_int_equal(forward(&b), GELU_OK);
  float *const together = floats(b.outside);
  memcpy(together, b.y, b.outside * sizeof *b.y);
  for (size_t t = 0; t < 9; t++) {
    const ffn_shape one = {1, 37, 300};
    assert_int_equal(ffn_forward(one, act_of(&b), ffn_weights_of(parts_of(&b, b.numbers)), b.numbers + t * 37,
                                 trace_of(&b), b.y, b.workspace),
                     GELU_OK);
    assert_memory_equal(b.y, together + t * 37, 37 * sizeof *b.y);
  }
  test_free(together);
  free_bench(&b);
}

/* A bias that is NULL is a bias of zeros, bit for bit, and gradients that are not wanted change no others. */
static void test_without_biases(void **state) {
  (void)state;
  for (int gated = 0; gated < 2; gated++) {
    bench b = make_bench((network){{3, 4, 6}, gated, activation_find("gelu_tanh"), NULL}, 9);
    const int biases[] = {B1, C, B2};
    for (int k = 0; k < 3; k++)
      memset(b.numbers + part_offset(&b.net, biases[k]), 0, part_size(&b.net, biases[k]) * sizeof *b.numbers);
    assert_int_equal(forward(&b), GELU_OK);
    assert_int_equal(backward(&b), GELU_OK);
    float *y = floats(b.outside), *wanted = floats(b.count), *trace = floats(4 * b.inside);
    memcpy(y, b.y, b.outside * sizeof *y);
    memcpy(wanted, b.gradients, b.count * sizeof *wanted);
    memcpy(trace, b.trace, 4 * b.inside * sizeof *trace);

    ffn_weights weights = ffn_weights_of(parts_of(&b, b.numbers));
    weights.b1 = weights.c = weights.b2 = NULL;
    ffn_forward(b.net.shape, act_of(&b), weights, b.numbers, trace_of(&b), b.y, b.workspace);
    assert_memory_equal(b.y, y, b.outside * sizeof *y);
    assert_memory_equal(b.trace, trace, 4 * b.inside * sizeof *trace);

    for (size_t k = 0; k < b.count; k++) b.gradients[k] = -777;
    ffn_parameters gradients = parts_of(&b, b.gradients);
    gradients.b1 = gradients.c = gradients.b2 = gradients.v = NULL;
    ffn_backward(b.net.shape, act_of(&b), weights, b.numbers, trace_of(&b), b.dy, NULL, gradients, b.workspace);
    const int kept[] = {W1, W2}, untouched[] = {X, B1, V, C, B2};
    for (int k = 0; k < 2; k++)
      assert_memory_equal(b.gradients + part_offset(&b.net, kept[k]), wanted + part_offset(&b.net, kept[k]),
                          part_size(&b.net, kept[k]) * sizeof *wanted);
    for (int k = 0; k < 5; k++)
      for (size_t i = 0; i < part_size(&b.net, untouched[k]); i++)
        assert_true(b.gradients[part_offset(&b.net, untouched[k]) + i] == -777);
    test_free(y), test_free(wanted), test_free(trace);
    free_bench(&b);
  }
}

static void test_nan_comes_out(void **state) {
  (void)state;
  for (int k = 0; k < activation_count(); k++) {
    bench b = make_bench((network){{3, 5, 7}, k % 2, activation_at(k), NULL}, 12);
    b.numbers[5 + 2] = NAN; /* in the second token */
    assert_int_equal(forward(&b), GELU_OK);
    for (size_t i = 0; i < b.outside; i++) assert_true((isnan(b.y[i]) != 0) == (i / 5 == 1));
    assert_int_equal(backward(&b), GELU_OK);
    for (size_t i = 0; i < 5 * 7; i++) assert_true(isnan(b.gradients[part_offset(&b.net, W1) + i]));
    free_bench(&b);
  }
}

/* ---- errors ---- */

static void test_errors_write_nothing(void **state) {
  (void)state;
  bench b = make_bench((network){{2, 3, 4}, 1, activation_find("silu"), NULL}, 1);
  const ffn_shape s = b.net.shape;
  const ffn_weights weights = ffn_weights_of(parts_of(&b, b.numbers));
  const double bad[] = {(double)NAN};
  const ffn_activation none = {NULL, NULL, BATCH_DEFAULT}, nan = {b.net.function, bad, BATCH_DEFAULT};
  const ffn_activation odd = {b.net.function, NULL, (batch_accuracy)9};
  for (size_t k = 0; k < b.outside; k++) b.y[k] = 7;
  assert_int_equal(ffn_forward(s, none, weights, b.numbers, trace_of(&b), b.y, b.workspace), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(ffn_forward(s, nan, weights, b.numbers, trace_of(&b), b.y, b.workspace), GELU_BAD_PARAMETER);
  assert_int_equal(ffn_forward(s, odd, weights, b.numbers, trace_of(&b), b.y, b.workspace), GELU_UNKNOWN_OPTION);
  const ffn_shape large = {SIZE_MAX / 8, 3, 100};
  assert_int_equal(ffn_forward(large, act_of(&b), weights, b.numbers, trace_of(&b), b.y, b.workspace), GELU_TOO_LARGE);
  assert_int_equal(ffn_forward(s, act_of(&b), weights, NULL, trace_of(&b), b.y, b.workspace), GELU_NULL_POINTER);
  assert_int_equal(ffn_forward(s, act_of(&b), weights, b.numbers, trace_of(&b), NULL, b.workspace), GELU_NULL_POINTER);
  assert_int_equal(ffn_forward(s, act_of(&b), weights, b.numbers, trace_of(&b), b.y, NULL), GELU_NULL_POINTER);
  for (int k = 0; k < 4; k++) {
    ffn_trace trace = trace_of(&b);
    float **const members[] = {&trace.pre_activation, &trace.hidden, &trace.activated, &trace.linear};
    *members[k] = NULL;
    assert_int_equal(ffn_forward(s, act_of(&b), weights, b.numbers, trace, b.y, b.workspace), GELU_NULL_POINTER);
  }
  ffn_weights incomplete = weights;
  incomplete.w2 = NULL;
  assert_int_equal(ffn_forward(s, act_of(&b), incomplete, b.numbers, trace_of(&b), b.y, b.workspace),
                   GELU_NULL_POINTER);
  assert_int_equal(
      ffn_backward(s, act_of(&b), incomplete, b.numbers, trace_of(&b), b.dy, NULL, (ffn_parameters){0}, b.workspace),
      GELU_NULL_POINTER);
  for (size_t k = 0; k < b.outside; k++) assert_true(b.y[k] == 7);
  free_bench(&b);
}

static void test_sizes(void **state) {
  (void)state;
  size_t to, back;
  assert_int_equal(ffn_workspace((ffn_shape){64, 768, 3072}, 0, &to, &back), GELU_OK);
  assert_true(to == MATRIX_WORKSPACE && back == MATRIX_WORKSPACE + 64 * 3072);
  assert_int_equal(ffn_workspace((ffn_shape){64, 768, 3072}, 1, &to, &back), GELU_OK);
  assert_true(back == MATRIX_WORKSPACE + 2 * 64 * 3072);
  static const ffn_shape too_large[] = {{SIZE_MAX, 1, 1}, {SIZE_MAX / 2, 1, 2}, {1, SIZE_MAX / 4, 5}, {0, SIZE_MAX, 2}};
  for (size_t k = 0; k < sizeof too_large / sizeof too_large[0]; k++)
    assert_int_equal(ffn_workspace(too_large[k], 0, &to, &back), GELU_TOO_LARGE);
  assert_true(ffn_parameter_count(768, 3072, 0) == 2 * 768 * 3072 + 768 + 3072);
  assert_true(ffn_parameter_count(2, 3, 1) == 3 * 2 * 3 + 3 + 3 + 2);
  assert_true(ffn_parameter_count(SIZE_MAX / 2, 3, 1) == SIZE_OVERFLOW);
}

static void test_initialisation(void **state) {
  (void)state;
  enum { D = 64, HIDDEN = 400 };
  const size_t count = ffn_parameter_count(D, HIDDEN, 1);
  float *a = floats(count), *other = floats(count);
  const ffn_parameters p = ffn_parameters_in(a, D, HIDDEN, 1);
  random_state random;
  random_seed(&random, 6);
  ffn_initialise(p, D, HIDDEN, 2, &random);
  random_seed(&random, 6);
  ffn_initialise(ffn_parameters_in(other, D, HIDDEN, 1), D, HIDDEN, 2, &random);
  assert_memory_equal(a, other, count * sizeof *a);
  const float *const matrices[] = {p.w1, p.v, p.w2};
  const double variances[] = {4.0 / D, 4.0 / D, 4.0 / HIDDEN};
  for (int k = 0; k < 3; k++) {
    double sum = 0;
    for (size_t i = 0; i < D * HIDDEN; i++) sum += (double)matrices[k][i] * (double)matrices[k][i];
    /* five standard errors of a mean of squares */
    assert_true(fabs(sum / (D * HIDDEN) / variances[k] - 1) < 5 * sqrt(2.0 / (D * HIDDEN)));
  }
  for (size_t i = 0; i < HIDDEN; i++) assert_true(p.b1[i] == 0 && p.c[i] == 0);
  for (size_t i = 0; i < D; i++) assert_true(p.b2[i] == 0);
  test_free(a), test_free(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_activation),
      cmocka_unit_test(test_parameters),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_sizes_of_zero),
      cmocka_unit_test(test_tokens_are_independent),
      cmocka_unit_test(test_without_biases),
      cmocka_unit_test(test_nan_comes_out),
      cmocka_unit_test(test_errors_write_nothing),
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_initialisation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
