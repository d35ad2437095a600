/* Faults that other implementations had, row by row of the project's list of known faults (the research behind issue
 * 4): each test has the row's number, the fault and where it was reported, and holds its inputs to the true results.
 *
 * Every input goes through batch_f64 and batch_f32, in each place of a batch of 13 and alone. The results are MPFR's:
 * of the function at x for float64, and at the float32 nearest to x for float32.
 *
 * Rows that are tested elsewhere:
 *   R31 relu(NaN) = 0, R36 min and max lose NaN         below: NaN in every place, for every function and order
 *   R37 sign of a NaN made by wasm                      tests/node/parity.test.mjs: every NaN counts as the same
 *   R39 float functions computed in the wrong precision tests/c/test_special.c, and every float32 of tests/prove
 *   R45 subnormals native and in wasm                   tests/node/parity.test.mjs: the same bits
 *   R66 -ffast-math                                     tests/node/known_faults.test.mjs: refused with an #error
 *   R68 views of memory that has grown                  tests/node/library.test.mjs: "6.3 million floats, then a small
 * batch" R70 NaN drawn as 0 on a log axis                    tests/node/known_faults.test.mjs: a gap R73 minus sign not
 * seen                             tests/node/numbers.test.mjs: "a real minus sign" R74 canvas grows
 * tests/browser/layout.test.mjs: "plots keep their size" R76 formulas under a strict policy; one stops all   formulas
 * are set at build time: tests/node/site.test.mjs (nothing inline), tests/node/content.test.mjs (refused with file and
 * line) R78 largest difference of the tanh form             tests/node/library.test.mjs: "largest and rms differences";
 * the text: tests/node/known_faults.test.mjs R82 what BERT and T5 use tests/node/known_faults.test.mjs */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_close.h"
#include "batch.h"

#define INF ((double)INFINITY)

/* In the place of a parameter. */
#define DEFAULT INF

typedef struct {
  const char *id, *function;
  int order;
  double parameter, x, y;
  float y_f32;
} known_fault;

static const known_fault faults[] = {
    {"R01", "gelu", 0, DEFAULT, -5.5, -1.0444259356238245e-07, -0x1.c093d8p-24f},
    {"R01", "gelu", 0, DEFAULT, -9, -1.0157295653584566e-18, -0x1.2bca5cp-60f},
    {"R04", "gelu", 0, DEFAULT, -3, -0.0040496940948902835, -0x1.096698p-8f},
    {"R04", "gelu", 0, DEFAULT, -4, -0.0001266849673324797, -0x1.09ad7ap-13f},
    {"R06", "gelu", 0, DEFAULT, -5.25, -3.992604271156575e-07, -0x1.acb3dep-22f},
    {"R06", "gelu", 0, DEFAULT, -5.116, -7.983084644165897e-07, -0x1.ac9694p-21f},
    {"R07", "gelu_tanh", 0, DEFAULT, -5, -2.2917961966295047e-07, -0x1.ec28d4p-23f},
    {"R07", "gelu_tanh", 0, DEFAULT, -6, -8.43964670076229e-11, -0x1.732dfap-34f},
    {"R10", "gelu_tanh", 0, DEFAULT, -13.24, -1.053168834298322e-80, -0.0},
    {"R10", "gelu_tanh", 0, DEFAULT, -12.9982567, -1.1225389138737504e-76, -0.0},
    {"R10", "gelu", 0, DEFAULT, -13.24, -3.412532430387144e-39, -0x1.29464p-128f},
    {"R13", "tanh", 0, DEFAULT, 45.1, 1, 0x1p+0f},
    {"R13", "tanh", 0, DEFAULT, 1000, 1, 0x1p+0f},
    {"R13", "tanh", 0, DEFAULT, 3.4028234663852886e+38, 1, 0x1p+0f},
    {"R13", "tanh", 0, DEFAULT, -1000, -1, -0x1p+0f},
    {"R15", "tanh", 0, DEFAULT, 1000, 1, 0x1p+0f},
    {"R15", "tanh", 1, DEFAULT, 1000, 0, 0},
    {"R16", "gelu_tanh", 1, DEFAULT, 40.3109104, 1, 0x1p+0f},
    {"R16", "gelu_tanh", 1, DEFAULT, 256, 1, 0x1p+0f},
    {"R16", "gelu_tanh", 1, DEFAULT, -256, -0.0, -0.0},
    {"R16", "gelu_tanh", 1, DEFAULT, 6.98e+12, 1, 0x1p+0f},
    {"R16", "gelu_tanh", 1, DEFAULT, -6.98e+12, -0.0, -0.0},
    {"R16", "gelu_tanh", 1, DEFAULT, 1.8446744e+19, 1, 0x1p+0f},
    {"R16", "gelu_tanh", 1, DEFAULT, -1.8446744e+19, -0.0, -0.0},
    {"R19", "sigmoid", 1, 25, -5, 1.2916051582094653e-53, 0},
    {"R19", "sigmoid", 1, DEFAULT, -89, 2.2273635617957438e-39, 0x1.840fcp-129f},
    {"R19", "sigmoid", 1, DEFAULT, -1000, 0, 0},
    {"R21", "sigmoid", 0, DEFAULT, -89, 2.2273635617957438e-39, 0x1.840fcp-129f},
    {"R21", "sigmoid", 0, DEFAULT, -103.97207641601562, 7.006497001795564e-46, 0x1p-149f},
    {"R21", "sigmoid", 0, DEFAULT, -745.1332191019411, 5e-324, 0},
    {"R23", "sigmoid", 0, DEFAULT, 89, 1, 0x1p+0f},
    {"R23", "sigmoid", 0, DEFAULT, 91.38777, 1, 0x1p+0f},
    {"R25", "softplus", 0, DEFAULT, -1e7, 0, 0},
    {"R25", "softplus", 0, DEFAULT, -8.72e+06, 0, 0},
    {"R25", "softplus", 0, DEFAULT, -1e+30, 0, 0},
    {"R25", "softplus", 0, DEFAULT, -3.4028234663852886e+38, 0, 0},
    {"R25", "sigmoid", 0, DEFAULT, -1e7, 0, 0},
    {"R25", "sigmoid", 0, DEFAULT, -3.4028234663852886e+38, 0, 0},
    {"R25", "silu", 0, DEFAULT, -1e7, -0.0, -0.0},
    {"R25", "silu", 0, DEFAULT, -8.72e+06, -0.0, -0.0},
    {"R25", "gelu", 0, DEFAULT, -1e7, -0.0, -0.0},
    {"R25", "gelu", 0, DEFAULT, -8.72e+06, -0.0, -0.0},
    {"R25", "gelu", 0, DEFAULT, -1e+30, -0.0, -0.0},
    {"R25", "gelu_tanh", 0, DEFAULT, -1e+30, -0.0, -0.0},
    {"R25", "elu", 0, DEFAULT, -1e+30, -1, -0x1p+0f},
    {"R26", "gelu", 0, DEFAULT, INF, INF, INFINITY},
    {"R26", "gelu", 0, DEFAULT, -INF, -0.0, -0.0},
    {"R26", "gelu", 1, DEFAULT, INF, 1, 0x1p+0f},
    {"R26", "gelu", 1, DEFAULT, -INF, -0.0, -0.0},
    {"R29", "gelu", 0, DEFAULT, -INF, -0.0, -0.0},
    {"R29", "gelu_tanh", 0, DEFAULT, -INF, -0.0, -0.0},
    {"R29", "silu", 0, DEFAULT, -INF, -0.0, -0.0},
    {"R34", "relu", 0, DEFAULT, -3, 0, 0},
    {"R34", "relu", 0, DEFAULT, -0.0, 0, 0},
    {"R34", "leaky_relu", 0, 0, -3, 0, 0},
    {"R42", "gelu", 0, DEFAULT, -13.24, -3.412532430387144e-39, -0x1.29464p-128f},
    {"R42", "silu", 0, DEFAULT, -100, -3.720075976020836e-42, -0x1.4bep-138f},
    {"R46", "gelu_tanh", 0, DEFAULT, -9.9, -1.164133375539326e-36, -0x1.8c233p-120f},
    {"R46", "gelu_tanh", 0, DEFAULT, 1.001220703125, 0.8425141484454016, 0x1.af5e04p-1f},
    {"R49", "gelu", 0, DEFAULT, -4, -0.0001266849673324797, -0x1.09ad7ap-13f},
    {"R49", "gelu", 0, DEFAULT, -3.5, -0.0008142017766243376, -0x1.aae05p-11f},
    {"R49", "gelu", 0, DEFAULT, 0.25, 0.14967658142073093, 0x1.3289a2p-3f},
    {"R49", "gelu", 0, DEFAULT, 2.5, 2.4844758366855597, 0x1.3e034ep+1f},
    {"R50", "gelu_tanh", 0, DEFAULT, 1e5, 1e5, 0x1.86ap+16f},
    {"R50", "gelu_tanh", 0, DEFAULT, -1e5, -0.0, -0.0},
    {"R50", "silu", 0, DEFAULT, 1e5, 1e5, 0x1.86ap+16f},
    {"R51", "normal_cdf", 0, DEFAULT, 5.5, 0.9999999810104375, 0x1p+0f},
    {"R51", "normal_cdf", 0, DEFAULT, -5.5, 1.8989562465887718e-08, 0x1.463cfap-26f},
    {"R53", "gelu", 0, DEFAULT, 1, 0.8413447460685429, 0x1.aec4bep-1f},
    {"R53", "normal_cdf", 0, DEFAULT, 1, 0.8413447460685429, 0x1.aec4bep-1f},
    {"R56", "gelu", 1, DEFAULT, -3.7, -0.0014638872675603921, -0x1.7fbfccp-10f},
    {"R57", "elu", 1, DEFAULT, -40, 4.248354255291589e-18, 0x1.397924p-58f},
    {"R57", "elu", 0, DEFAULT, -40, -1, -0x1p+0f},
    {"R59", "relu", 1, DEFAULT, 0, 0, 0},
    {"R59", "relu", 1, DEFAULT, -0.0, 0, 0},
    {"R59", "leaky_relu", 1, DEFAULT, 0, 0.01, 0x1.47ae14p-7f},
    {"R59", "elu", 1, DEFAULT, 0, 1, 0x1p+0f},
    {"R59", "elu", 2, DEFAULT, 0, 1, 0x1p+0f},
    {"R61", "gelu", 0, DEFAULT, 2.2703977, 2.244079858423733, 0x1.1f3e02p+1f},
    {"R61", "gelu_sigmoid", 0, DEFAULT, 2.2703977, 2.223744986214494, 0x1.1ca3acp+1f},
    {"R64", "gelu", 0, DEFAULT, 2.69894, 2.6895529900199984, 0x1.584346p+1f},
    {"R64", "gelu_tanh", 0, DEFAULT, 2.69894, 2.6900262255406844, 0x1.5852c8p+1f},
    {"R64", "gelu_tanh", 0, DEFAULT, -2.69894, -0.008913774459315715, -0x1.241626p-7f},
    {"R81", "gelu_tanh", 0, DEFAULT, 1, 0.8411919906082768, 0x1.aeb0b8p-1f},
    {"R81", "gelu_tanh", 0, DEFAULT, -1.5, -0.10042842301976707, -0x1.9b5ad6p-4f},
};

enum { PLACES = 13 };

static const char *const correctly_rounded[] = {"gelu", "gelu_tanh", "gelu_sigmoid", "sigmoid",
                                                "silu", "tanh",      "relu",         "normal_cdf"};

static double allowed_f32(const known_fault *fault) {
  if (fault->order > 0 || fault->parameter != DEFAULT) return 1;
  for (size_t k = 0; k < sizeof correctly_rounded / sizeof correctly_rounded[0]; k++)
    if (strcmp(correctly_rounded[k], fault->function) == 0) return 0;
  return 1;
}

static void check_f64(const known_fault *fault, const double *p, size_t n, size_t place) {
  double x[PLACES];
  for (size_t k = 0; k < n; k++) x[k] = k == place ? fault->x : 1;
  assert_int_equal(batch_f64(activation_find(fault->function), fault->order, p, x, x, n), GELU_OK);
  assert_ulps(((tested){fault->function, fault->order, fault->x}), x[place], fault->y, 2);
}

static void check_f32(const known_fault *fault, const double *p, size_t n, size_t place) {
  float x[PLACES];
  for (size_t k = 0; k < n; k++) x[k] = k == place ? (float)fault->x : 1;
  assert_int_equal(batch_f32(activation_find(fault->function), fault->order, p, BATCH_DEFAULT, x, x, n), GELU_OK);
  assert_ulps_f32(((tested){fault->function, fault->order, fault->x}), x[place], fault->y_f32, allowed_f32(fault));
}

/* All rows with the number that the name of the test begins with. */
static void test_fault(void **state) {
  const char *name = *state;
  int rows = 0;
  for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
    const known_fault *fault = &faults[k];
    if (strncmp(fault->id, name, 3) != 0) continue;
    const double *p = fault->parameter == DEFAULT ? NULL : &fault->parameter;
    rows++;
    check_f64(fault, p, 1, 0);
    check_f32(fault, p, 1, 0);
    for (size_t place = 0; place < PLACES; place++) {
      check_f64(fault, p, PLACES, place);
      check_f32(fault, p, PLACES, place);
    }
  }
  assert_true(rows > 0);
}

/* The fast tier is not exact, but has the tail and the special values. */
static void test_fast_tier(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
    const known_fault *fault = &faults[k];
    if (fault->order > 0 || fault->parameter != DEFAULT) continue;
    float x[PLACES];
    for (size_t i = 0; i < PLACES; i++) x[i] = (float)fault->x;
    assert_int_equal(batch_f32(activation_find(fault->function), 0, NULL, BATCH_FAST, x, x, PLACES), GELU_OK);
    for (size_t i = 0; i < PLACES; i++)
      assert_ulps_f32(((tested){fault->function, 0, fault->x}), x[i], fault->y_f32, 5);
  }
}

static void check_nan_at(const activation *f, int order, size_t place) {
  float single[PLACES];
  double wide[PLACES];
  for (size_t k = 0; k < PLACES; k++) {
    single[k] = k == place ? NAN : 0.5f;
    wide[k] = (double)single[k];
  }
  float fast[PLACES];
  assert_int_equal(batch_f32(f, order, NULL, BATCH_FAST, single, fast, PLACES), GELU_OK);
  assert_int_equal(batch_f32(f, order, NULL, BATCH_DEFAULT, single, single, PLACES), GELU_OK);
  assert_int_equal(batch_f64(f, order, NULL, wide, wide, PLACES), GELU_OK);
  for (size_t k = 0; k < PLACES; k++) {
    assert_int_equal(isnan(single[k]) != 0, k == place);
    assert_int_equal(isnan(fast[k]) != 0, k == place);
    assert_int_equal(isnan(wide[k]) != 0, k == place);
  }
}

static void test_nan_survives(void **state) {
  (void)state;
  for (int f = 0; f < activation_count(); f++)
    for (int order = 0; order < ACTIVATION_ORDERS; order++)
      for (size_t place = 0; place < PLACES; place++) check_nan_at(activation_at(f), order, place);
}

static double value(const char *function, int order, double x) {
  double y = 0;
  assert_int_equal(batch_f64(activation_find(function), order, NULL, &x, &y, 1), GELU_OK);
  return y;
}

static void test_derivative_is_negative(void **state) {
  (void)state;
  for (double x = -38; x < -0.7518; x += 0.01) assert_true(value("gelu", 1, x) < 0);
}

/* Phi is never above 1, so that GELU keeps its sign. */
static void test_phi_is_at_most_one(void **state) {
  (void)state;
  for (float x = 3.5f; x < 7; x += 0.001f) {
    float y = 2, negative = -x;
    assert_int_equal(batch_f32(activation_find("normal_cdf"), 0, NULL, BATCH_DEFAULT, &x, &y, 1), GELU_OK);
    assert_true(y <= 1);
    assert_int_equal(batch_f32(activation_find("gelu"), 0, NULL, BATCH_FAST, &negative, &y, 1), GELU_OK);
    assert_true(y < 0);
  }
}

/* The differences that betray the wrong variant, as the list has them. */
static void test_variants_differ(void **state) {
  (void)state;
  const double quick = 2.2703977, tanh_form = 2.69894;
  assert_within(((tested){"gelu_sigmoid", 0, quick}), value("gelu_sigmoid", 0, quick) - value("gelu", 0, quick),
                -0.02033487220923923, 1e-15);
  assert_within(((tested){"gelu_tanh", 0, tanh_form}), value("gelu_tanh", 0, tanh_form) - value("gelu", 0, tanh_form),
                0.000473235520687284877, 1e-14);
}

#define ROW(name) \
  { name, test_fault, NULL, NULL, name }

int main(void) {
  const struct CMUnitTest tests[] = {
      ROW("R01 1 + erf cancels: pytorch 187806"),
      ROW("R04 0 from -2.5 on: tt-metal 5578"),
      ROW("R06 clamped at 5.116, then 1 + erf: XNNPACK, rational 12/10"),
      ROW("R07 1 + tanh cancels: tt-metal 56517"),
      ROW("R10 cubic argument overflows in tanh: executorch 22323"),
      ROW("R13 tanh of 45.1 and more is NaN: tvm 16438, onnxruntime 19201"),
      ROW("R15 Math.tanh(1000) is NaN: V8 4.5"),
      ROW("R16 x^3 overflows, the gradient is NaN: fairseq 2235"),
      ROW("R19 exp(-x)/(1 + exp(-x))^2 is inf/inf: snntorch 433"),
      ROW("R21 sigmoid is 0 from -89 on: cumo 482"),
      ROW("R23 sigmoid of large inputs is NaN or 1/2: dynet 1525"),
      ROW("R25 rounding by a magic number outside its range: tt-metal 55893"),
      ROW("R26 gelu(inf) is NaN: pytorch 185770, 187293"),
      ROW("R29 gelu(-inf) is NaN: executorch 2046"),
      ROW("R34 relu has a result of -0: oneDNN 139"),
      ROW("R42 subnormal results vanish: functional_algorithms 52"),
      ROW("R46 a table of halves: llama.cpp 29252"),
      ROW("R49 a table of six segments: tt-metal 54903"),
      ROW("R50 large pre-activations overflow: transformers 9295"),
      ROW("R51 erf is 1.0000001: jax 14717"),
      ROW("R53 erf in float64 is exact to float32 only: jax 995"),
      ROW("R56 derivative has the wrong sign, erfc its tail: tt-metal 35971, 54053"),
      ROW("R57 elu'(-40) is 0: jax 39794, 39795"),
      ROW("R59 the derivative at a kink differs from path to path: pytorch 147801"),
      ROW("R61 sigmoid form instead of the exact one: open_clip 771"),
      ROW("R64 tanh form instead of the exact one: pocket-tts 278, candle 900"),
      ROW("R81 x (1 + c x^2) and x + c x^3 are the same: GELUs 1"),
      {"R01 to R81 in the fast tier", test_fast_tier, NULL, NULL, NULL},
      {"R31 R36 NaN is swallowed: pytorch 7999, mxnet 11115, tfjs 1001; cglm 361", test_nan_survives, NULL, NULL, NULL},
      {"R51 Phi(x) is above 1, GELU changes its sign: jax 14717", test_phi_is_at_most_one, NULL, NULL, NULL},
      {"R56 the derivative is positive left of the minimum: tt-metal 35971", test_derivative_is_negative, NULL, NULL,
       NULL},
      {"R61 R64 the variants differ as they should", test_variants_differ, NULL, NULL, NULL},
  };
  return cmocka_run_group_tests_name("known faults", tests, NULL, NULL);
}
