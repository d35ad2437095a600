/* Deep random networks: what theory says of them within sampling error, and one small network against float64. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "assert_close.h"
#include "depth.h"
#include "random.h"
#include "size.h"

enum { LAYERS = 24, WIDTH = 128, SAMPLES = 32 };

static const double he_gain = 1.4142135623730951;

static const depth_options usual = {LAYERS, WIDTH, SAMPLES, 1.4142135623730951, 0, 0, 1};

typedef struct {
  double signal[LAYERS + 1], gradient[LAYERS + 1];
} profile;

static profile propagate(depth_options options, const char *id) {
  profile p;
  float *workspace = test_malloc(depth_workspace(&options) * sizeof *workspace);
  assert_int_equal(depth_propagate(&options, activation_find(id), NULL, p.signal, p.gradient, workspace), GELU_OK);
  test_free(workspace);
  return p;
}

/* Mean over seeds of log(last signal/first) and log(first gradient/last). */
typedef struct {
  double signal, gradient;
} growth;

static growth mean_growth(depth_options options, const char *id) {
  growth sum = {0, 0};
  for (uint64_t seed = 1; seed <= 5; seed++) {
    options.seed = seed;
    const profile p = propagate(options, id);
    sum.signal += log(p.signal[options.layers] / p.signal[0]) / 5;
    sum.gradient += log(p.gradient[0] / p.gradient[options.layers]) / 5;
  }
  return sum;
}

/* The second moment of ReLU's layers is a product of means of chi-square like numbers: per layer its logarithm spreads
 * by sqrt(5/width) for one sample, and samples of one network go together. */
static void test_relu_with_he_gain_keeps_second_moments(void **state) {
  (void)state;
  const double spread = sqrt(5.0 / WIDTH * LAYERS) / sqrt(5);
  const growth g = mean_growth(usual, "relu");
  printf("# ReLU, He gain, %d layers: signal x %.3f, gradient x %.3f (standard error of the logarithm %.2f)\n", LAYERS,
         exp(g.signal), exp(g.gradient), spread / 2);
  assert_true(fabs(g.signal) < 1.5 * spread && fabs(g.gradient) < 1.5 * spread);
}

static void test_sigmoid_collapses_and_gelu_lies_between(void **state) {
  (void)state;
  const growth relu = mean_growth(usual, "relu"), gelu = mean_growth(usual, "gelu"),
               sigmoid = mean_growth(usual, "sigmoid");
  printf("# 24 layers, He gain: gradient x %.3g (ReLU), %.3g (GELU), %.3g (sigmoid)\n", exp(relu.gradient),
         exp(gelu.gradient), exp(sigmoid.gradient));
  /* |sigmoid'| <= 1/4, so a layer scales by at most sqrt(2)/4 on average */
  assert_true(sigmoid.gradient < LAYERS * log(he_gain / 4) + 1);
  assert_true(sigmoid.gradient < gelu.gradient && gelu.gradient < relu.gradient - 1);
  assert_true(gelu.signal < relu.signal - 1);
}

static void test_normalised_residual_stacks_hardly_differ(void **state) {
  (void)state;
  depth_options options = usual;
  options.layer_norm = options.residual = 1;
  const growth relu = mean_growth(options, "relu"), gelu = mean_growth(options, "gelu");
  /* each layer adds gain^2 E[act^2] = 1 (ReLU) or 0.85 to a second moment that starts at 1 */
  assert_within(((tested){"relu", 0, 0}), relu.signal, 0.5 * log(1 + LAYERS * 2 * 0.5), 0.1);
  assert_within(((tested){"gelu", 0, 0}), gelu.signal, 0.5 * log(1 + LAYERS * 2 * 0.425), 0.1);
  assert_true(fabs(relu.gradient - gelu.gradient) < 0.3);
}

#ifdef SHORT_TESTS
enum { NEXT_FUNCTION = 4 };
#else
enum { NEXT_FUNCTION = 1 };
#endif

static void test_unit_gain(void **state) {
  (void)state;
  static const struct {
    const char *id;
    double moment;
  } known[] = {{"relu", 0.5}, {"gelu", 0.425}, {"leaky_relu", 0.5 * 1.0001}, {"normal_cdf", 1.0 / 3}};
  double gain;
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    assert_int_equal(depth_unit_gain(activation_find(known[k].id), NULL, &gain), GELU_OK);
    assert_within(((tested){known[k].id, 0, 0}), 1 / (gain * gain), known[k].moment, k == 1 ? 6e-4 : 1e-6);
  }
  /* With it the first layers keep a second moment of 1. */
  for (int k = 0; k < activation_count(); k += NEXT_FUNCTION) {
    depth_options options = usual;
    assert_int_equal(depth_unit_gain(activation_at(k), NULL, &options.gain), GELU_OK);
    double mean = 0;
    for (options.seed = 1; options.seed <= 5; options.seed++)
      mean += propagate(options, activation_at(k)->id).signal[1] / 5;
    assert_within(((tested){activation_at(k)->id, 0, 0}), mean, 1, 0.05);
  }
}

/* ---- a small network in float64 ---- */

enum { W = 7, S = 2, L = 3 };

static void normalise(const double *x, double *y) {
  double mean = 0, variance = 0;
  for (int k = 0; k < W; k++) mean += x[k] / W;
  for (int k = 0; k < W; k++) variance += (x[k] - mean) * (x[k] - mean) / W;
  for (int k = 0; k < W; k++) y[k] = (x[k] - mean) / sqrt(variance + (double)1e-5f);
}

/* x, the input of layer `from`, becomes that of layer `to`. */
static void run(const depth_options *o, int from, int to, const double *weights, const activation *f, double *x) {
  for (int layer = from; layer < to; layer++)
    for (int s = 0; s < S; s++) {
      double a[W], next[W];
      if (o->layer_norm) normalise(x + s * W, a);
      for (int k = 0; k < W; k++) a[k] = f->evaluate[0](o->layer_norm ? a[k] : x[s * W + k], NULL);
      for (int k = 0; k < W; k++) {
        next[k] = o->residual ? x[s * W + k] : 0;
        for (int p = 0; p < W; p++) next[k] += a[p] * weights[(layer * W + p) * W + k];
      }
      for (int k = 0; k < W; k++) x[s * W + k] = next[k];
    }
}

static double rms(const double *x) {
  double sum = 0;
  for (int k = 0; k < S * W; k++) sum += x[k] * x[k];
  return sqrt(sum / (S * W));
}

/* The gradient with respect to `state`, the input of `layer`, of the output's product with `top`. */
static void differentiate(const depth_options *o, int layer, const double *weights, const activation *f,
                          const double *state, const double *top, double *gradient) {
  for (int k = 0; k < S * W; k++) {
    double sums[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
      double x[S * W];
      for (int i = 0; i < S * W; i++) x[i] = state[i] + (i == k ? (side == 0 ? 0x1p-20 : -0x1p-20) : 0);
      run(o, layer, L, weights, f, x);
      for (int i = 0; i < S * W; i++) sums[side] += x[i] * top[i];
    }
    gradient[k] = (sums[0] - sums[1]) / 0x1p-19;
  }
}

static void test_small_networks(void **state) {
  (void)state;
  for (int mode = 0; mode < 4; mode++) {
    const depth_options o = {L, W, S, 1.2, mode & 1, mode >> 1, 5};
    const activation *f = activation_find("gelu");
    double x[S * W], start[S * W], weights[L * W * W], top[S * W], gradient[S * W];
    random_state random;
    random_seed(&random, 5);
    for (int k = 0; k < S * W; k++) start[k] = (double)(float)random_normal(&random);
    for (int k = 0; k < L * W * W; k++) weights[k] = (double)(float)(1.2 / sqrt(W) * random_normal(&random));
    for (int k = 0; k < S * W; k++) top[k] = (double)(float)random_normal(&random);

    double signals[L + 1], gradients[L + 1];
    float *workspace = test_malloc(depth_workspace(&o) * sizeof *workspace);
    assert_int_equal(depth_propagate(&o, f, NULL, signals, gradients, workspace), GELU_OK);
    test_free(workspace);
    for (int layer = 0; layer <= L; layer++) {
      for (int k = 0; k < S * W; k++) x[k] = start[k];
      run(&o, 0, layer, weights, f, x);
      assert_within(((tested){"signal", layer, mode}), signals[layer], rms(x), 1e-6 * rms(x));
      differentiate(&o, layer, weights, f, x, top, gradient);
      assert_within(((tested){"gradient", layer, mode}), gradients[layer], rms(gradient), 1e-6 * rms(gradient));
    }
  }
}

static void test_seeds(void **state) {
  (void)state;
  depth_options other = usual;
  other.seed = 2;
  const profile a = propagate(usual, "gelu"), b = propagate(usual, "gelu"), c = propagate(other, "gelu");
  assert_memory_equal(&a, &b, sizeof a);
  assert_true(a.signal[LAYERS] != c.signal[LAYERS] && a.gradient[0] != c.gradient[0]);
}

static void test_overflow_shows(void **state) {
  (void)state;
  depth_options options = usual;
  options.gain = 1e6;
  const profile p = propagate(options, "relu");
  assert_true(!isfinite(p.signal[LAYERS]) && isfinite(p.signal[3]));
}

static void test_errors(void **state) {
  (void)state;
  double signal[LAYERS + 1], gradient[LAYERS + 1];
  float workspace[1];
  const activation *silu = activation_find("silu");
  const double bad[] = {(double)NAN};
  depth_options o = usual;
  signal[0] = -7;
  assert_int_equal(depth_propagate(&o, NULL, NULL, signal, gradient, workspace), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(depth_propagate(&o, silu, bad, signal, gradient, workspace), GELU_BAD_PARAMETER);
  o.gain = (double)INFINITY;
  assert_int_equal(depth_propagate(&o, silu, NULL, signal, gradient, workspace), GELU_BAD_PARAMETER);
  o.gain = -1;
  assert_int_equal(depth_propagate(&o, silu, NULL, signal, gradient, workspace), GELU_BAD_PARAMETER);
  o = usual, o.width = 0;
  assert_int_equal(depth_propagate(&o, silu, NULL, signal, gradient, workspace), GELU_BAD_SIZE);
  o = usual, o.samples = 0;
  assert_int_equal(depth_propagate(&o, silu, NULL, signal, gradient, workspace), GELU_BAD_SIZE);
  o = usual, o.width = SIZE_MAX / 3;
  assert_true(depth_workspace(&o) == SIZE_OVERFLOW);
  assert_int_equal(depth_propagate(&o, silu, NULL, signal, gradient, workspace), GELU_TOO_LARGE);
  assert_int_equal(depth_propagate(&usual, silu, NULL, NULL, gradient, workspace), GELU_NULL_POINTER);
  assert_int_equal(depth_propagate(&usual, silu, NULL, signal, NULL, workspace), GELU_NULL_POINTER);
  assert_int_equal(depth_propagate(&usual, silu, NULL, signal, gradient, NULL), GELU_NULL_POINTER);
  assert_int_equal(depth_unit_gain(NULL, NULL, signal), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(depth_unit_gain(silu, NULL, NULL), GELU_NULL_POINTER);
  assert_true(signal[0] == -7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_relu_with_he_gain_keeps_second_moments),
      cmocka_unit_test(test_sigmoid_collapses_and_gelu_lies_between),
      cmocka_unit_test(test_normalised_residual_stacks_hardly_differ),
      cmocka_unit_test(test_unit_gain),
      cmocka_unit_test(test_small_networks),
      cmocka_unit_test(test_seeds),
      cmocka_unit_test(test_overflow_shows),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
