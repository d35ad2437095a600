/* The table of activation functions against the reference vectors, and its special values; the faults that other
 * implementations had are in test_known_faults.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "activation.h"
#include "assert_close.h"
#include "vectors.h"

#define INF ((double)INFINITY)

/* ---- the contract: ULPs allowed at orders 0, 1, 2 with default parameters (the headers' worst errors) ---- */

typedef struct {
  const char *id;
  double ulps[ACTIVATION_ORDERS];
} contract;

static const contract contracts[] = {
    {"gelu", {1.5, 1.4, 1.5}},   {"gelu_tanh", {1.5, 1.4, 1.1}}, {"gelu_sigmoid", {1.4, 1.4, 1.4}},
    {"relu", {0, 0, 0}},         {"sigmoid", {1.3, 0.8, 0.8}},   {"tanh", {1.7, 0.7, 0.8}},
    {"silu", {1.4, 1.4, 1.1}},   {"softplus", {0.8, 1.3, 0.8}},  {"elu", {0.6, 0.9, 0.9}},
    {"leaky_relu", {0.5, 0, 0}}, {"mish", {1.1, 1.2, 0.8}},      {"normal_cdf", {1.5, 1.1, 1.6}},
};

/* Rows that are not named above, and parameters that are not the defaults. */
static const double promised_ulps = 2;
static const double promised_ulps_other_parameters = 4;

/* Within 1/4 of a zero of a derivative this absolute error is enough. */
static const double promised_near_zero = 0x1p-52;

static double allowed_ulps(const char *id, int order, int defaults) {
  if (!defaults) return promised_ulps_other_parameters;
  for (size_t k = 0; k < sizeof contracts / sizeof contracts[0]; k++)
    if (strcmp(contracts[k].id, id) == 0) return contracts[k].ulps[order];
  return promised_ulps;
}

static double value(const char *id, int order, double x) {
  const activation *f = activation_find(id);
  assert_non_null(f);
  double p[ACTIVATION_MAX_PARAMETERS] = {0};
  for (int k = 0; k < f->parameter_count; k++) p[k] = f->parameters[k].value;
  return f->evaluate[order](x, p);
}

static double value_with(const char *id, int order, double x, double first, double second) {
  const double p[] = {first, second};
  const activation *f = activation_find(id);
  assert_non_null(f);
  return f->evaluate[order](x, p);
}

/* ---- the table ---- */

static void test_table(void **state) {
  (void)state;
  static const char *const order[] = {"gelu", "gelu_tanh", "gelu_sigmoid", "relu",       "sigmoid", "tanh",
                                      "silu", "softplus",  "elu",          "leaky_relu", "mish",    "normal_cdf"};
  const int named = (int)(sizeof order / sizeof order[0]);
  assert_true(activation_count() >= named);
  /* In this order; other rows may stand between them. */
  int next = 0;
  for (int k = 0; k < activation_count() && next < named; k++)
    if (strcmp(activation_at(k)->id, order[next]) == 0) next++;
  assert_int_equal(next, named);
  assert_null(activation_at(-1));
  assert_null(activation_at(activation_count()));
  assert_null(activation_find("no such function"));
  assert_null(activation_find(""));
  for (int k = 0; k < activation_count(); k++) {
    const activation *f = activation_at(k);
    assert_ptr_equal(activation_find(f->id), f);
    assert_in_range(f->parameter_count, 0, ACTIVATION_MAX_PARAMETERS);
    for (int i = 0; i < ACTIVATION_ORDERS; i++) assert_true(f->evaluate[i] != NULL);
    for (int i = 0; i < f->parameter_count; i++) {
      assert_true(strlen(f->parameters[i].name) > 0);
      assert_true(f->parameters[i].min < f->parameters[i].max);
      assert_true(f->parameters[i].min <= f->parameters[i].value && f->parameters[i].value <= f->parameters[i].max);
    }
  }
}

static void test_default_parameters(void **state) {
  (void)state;
  const activation *f = activation_find("gelu_tanh");
  assert_string_equal(f->parameters[0].name, "scale");
  assert_string_equal(f->parameters[1].name, "cubic");
  assert_same(((tested){"sqrt(2/pi)", 0, 0}), f->parameters[0].value, 0.79788456080286535588);
  assert_same(((tested){"cubic", 0, 0}), f->parameters[1].value, 0.044715);
  assert_same(((tested){"k", 0, 0}), activation_find("gelu_sigmoid")->parameters[0].value, 1.702);
}

/* ---- accuracy ---- */

typedef struct {
  const activation *function;
  double worst[2][ACTIVATION_ORDERS], at[2][ACTIVATION_ORDERS]; /* default parameters, others */
  double absolute[ACTIVATION_ORDERS];                           /* near zeros, where the ULPs were too many */
  int failures;
} accuracy;

/* Whether the derivative changes sign within 1/4 of x. */
static int is_near_zero(const activation *f, int order, const double *p, double x) {
  int signs = 0;
  for (int k = -8; k <= 8 && order > 0; k++) {
    const double y = f->evaluate[order](x + k / 32.0, p);
    signs |= y > 0 ? 1 : y < 0 ? 2 : 0;
  }
  return signs == 3;
}

static void compare_with_vector(const vector *v, void *context) {
  accuracy *a = context;
  const activation *f = a->function;
  double p[ACTIVATION_MAX_PARAMETERS];
  const int defaults = v->parameter_count == 0;
  for (int k = 0; k < f->parameter_count; k++) p[k] = defaults ? f->parameters[k].value : v->parameters[k];
  const double got = f->evaluate[v->order](v->x, p);
  const double ulps = fabs(ulps_f64(got, v->y) - v->rest);
  const double allowed = allowed_ulps(f->id, v->order, defaults);
  if (!(ulps <= allowed)) {
    const double absolute = fabs(got - v->y);
    if (is_near_zero(f, v->order, p, v->x) && absolute <= promised_near_zero) {
      if (absolute > a->absolute[v->order]) a->absolute[v->order] = absolute;
      return;
    }
    if (a->failures++ < 5)
      print_error("%s order %d x = %.17g (%a): got %.17g, want %.17g, %.3f ULP, allowed %g\n", f->id, v->order, v->x,
                  v->x, got, v->y, ulps, allowed);
  }
  if (ulps > a->worst[!defaults][v->order]) {
    a->worst[!defaults][v->order] = ulps;
    a->at[!defaults][v->order] = v->x;
  }
}

static void test_reference_vectors(void **state) {
  (void)state;
  int failures = 0;
  for (int k = 0; k < activation_count(); k++) {
    accuracy a = {activation_at(k), {{0}}, {{0}}, {0}, 0};
    assert_true(for_each_vector(a.function->id, compare_with_vector, &a) > 1000);
    for (int order = 0; order < ACTIVATION_ORDERS; order++) {
      printf("# %-13s order %d: worst %.3f ULP at %.17g (allowed %g)", a.function->id, order, a.worst[0][order],
             a.at[0][order], allowed_ulps(a.function->id, order, 1));
      if (a.absolute[order] > 0) printf("; near a zero %.2g absolute", a.absolute[order]);
      if (a.worst[1][order] > 0) printf("; other parameters %.3f ULP at %.17g", a.worst[1][order], a.at[1][order]);
      printf("\n");
    }
    failures += a.failures;
  }
  assert_int_equal(failures, 0);
}

/* ---- special values ---- */

typedef struct {
  const char *id;
  int order;
  double at_minus_infinity, at_minus_zero, at_zero, at_infinity;
} special_row;

static const special_row special_rows[] = {
    {"gelu", 0, -0.0, -0.0, 0, INF},
    {"gelu", 1, -0.0, 0.5, 0.5, 1},
    {"gelu", 2, -0.0, 2 * 0.39894228040143267794, 2 * 0.39894228040143267794, -0.0},
    {"gelu_tanh", 0, -0.0, -0.0, 0, INF},
    {"gelu_tanh", 1, -0.0, 0.5, 0.5, 1},
    {"gelu_tanh", 2, -0.0, 0.79788456080286535588, 0.79788456080286535588, -0.0},
    {"gelu_sigmoid", 0, -0.0, -0.0, 0, INF},
    {"gelu_sigmoid", 1, -0.0, 0.5, 0.5, 1},
    {"gelu_sigmoid", 2, -0.0, 0.851, 0.851, -0.0},
    {"relu", 0, 0, 0, 0, INF},
    {"relu", 1, 0, 0, 0, 1},
    {"relu", 2, 0, 0, 0, 0},
    {"sigmoid", 0, 0, 0.5, 0.5, 1},
    {"sigmoid", 1, 0, 0.25, 0.25, 0},
    {"sigmoid", 2, 0, 0, -0.0, -0.0},
    {"tanh", 0, -1, -0.0, 0, 1},
    {"tanh", 1, 0, 1, 1, 0},
    {"tanh", 2, 0, 0, -0.0, -0.0},
    {"silu", 0, -0.0, -0.0, 0, INF},
    {"silu", 1, -0.0, 0.5, 0.5, 1},
    {"silu", 2, -0.0, 0.5, 0.5, -0.0},
    {"softplus", 0, 0, 0.69314718055994530942, 0.69314718055994530942, INF},
    {"softplus", 1, 0, 0.5, 0.5, 1},
    {"softplus", 2, 0, 0.25, 0.25, 0},
    {"elu", 0, -1, -0.0, 0, INF},
    {"elu", 1, 0, 1, 1, 1},
    {"elu", 2, 0, 1, 1, 0},
    {"leaky_relu", 0, -INF, -0.0, 0, INF},
    {"leaky_relu", 1, 0.01, 0.01, 0.01, 1},
    {"leaky_relu", 2, 0, 0, 0, 0},
    {"mish", 0, -0.0, -0.0, 0, INF},
    {"mish", 1, -0.0, 0.6, 0.6, 1},
    {"mish", 2, -0.0, 0.64, 0.64, -0.0},
    {"normal_cdf", 0, 0, 0.5, 0.5, 1},
    {"normal_cdf", 1, 0, 0.39894228040143267794, 0.39894228040143267794, 0},
    {"normal_cdf", 2, 0, 0, -0.0, -0.0},
};

static void test_special_values(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof special_rows / sizeof special_rows[0]; k++) {
    const special_row *s = &special_rows[k];
    const double x[] = {-INF, -0.0, 0.0, INF};
    const double want[] = {s->at_minus_infinity, s->at_minus_zero, s->at_zero, s->at_infinity};
    for (int i = 0; i < 4; i++)
      assert_ulps(((tested){s->id, s->order, x[i]}), value(s->id, s->order, x[i]), want[i], 0.5);
  }
}

/* The largest finite inputs give what infinity gives, but for results that grow with x. */
static void test_huge_inputs(void **state) {
  (void)state;
  const double sizes[] = {1e5, 1e20, 0x1.fffffep127, 1e300, 0x1.fffffffffffffp1023};
  for (size_t k = 0; k < sizeof special_rows / sizeof special_rows[0]; k++)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      const special_row *s = &special_rows[k];
      const double left = isinf(s->at_minus_infinity) ? 0.01 * -sizes[i] : s->at_minus_infinity;
      const double right = isinf(s->at_infinity) ? sizes[i] : s->at_infinity;
      assert_same(((tested){s->id, s->order, -sizes[i]}), value(s->id, s->order, -sizes[i]), left);
      assert_same(((tested){s->id, s->order, sizes[i]}), value(s->id, s->order, sizes[i]), right);
    }
}

static void test_nan_stays_nan(void **state) {
  (void)state;
  for (int k = 0; k < activation_count(); k++)
    for (int order = 0; order < ACTIVATION_ORDERS; order++) {
      assert_true(isnan(value(activation_at(k)->id, order, (double)NAN)));
      for (int i = 0; i < 3; i++) {
        const double p[] = {i - 1, i - 1};
        assert_true(isnan(activation_at(k)->evaluate[order]((double)NAN, p)));
      }
    }
}

/* Results that underflow keep the sign of the true values. */
static void test_underflow_keeps_its_sign(void **state) {
  (void)state;
  assert_same(((tested){"gelu", 0, -40}), value("gelu", 0, -40), -0.0);
  assert_same(((tested){"gelu", 1, -40}), value("gelu", 1, -40), -0.0);
  assert_same(((tested){"gelu", 2, -40}), value("gelu", 2, -40), -0.0);
  assert_same(((tested){"gelu", 2, 40}), value("gelu", 2, 40), -0.0);
  assert_same(((tested){"silu", 0, -800}), value("silu", 0, -800), -0.0);
  assert_same(((tested){"silu", 2, 800}), value("silu", 2, 800), -0.0);
  assert_same(((tested){"normal_cdf", 2, 39}), value("normal_cdf", 2, 39), -0.0);
  assert_same(((tested){"normal_cdf", 2, -39}), value("normal_cdf", 2, -39), 0.0);
  assert_same(((tested){"tanh", 2, 400}), value("tanh", 2, 400), -0.0);
  assert_same(((tested){"elu", 1, -800}), value("elu", 1, -800), 0.0);
  assert_same(((tested){"mish", 0, -800}), value("mish", 0, -800), -0.0);
}

static void test_left_derivative_at_the_kink(void **state) {
  (void)state;
  assert_same(((tested){"relu", 1, 0}), value("relu", 1, 0), 0);
  assert_same(((tested){"leaky_relu", 1, 0}), value_with("leaky_relu", 1, 0, 0.2, 0), 0.2);
  assert_same(((tested){"elu", 1, 0}), value_with("elu", 1, 0, 1.5, 0), 1.5);
  assert_same(((tested){"elu", 2, 0}), value_with("elu", 2, 0, 1.5, 0), 1.5);
  assert_same(((tested){"elu", 2, 0x1p-1074}), value_with("elu", 2, 0x1p-1074, 1.5, 0), 0);
}

/* ---- any finite parameter ---- */

static const double wild[] = {0,
                              -0.0,
                              1,
                              -1,
                              10,
                              -10,
                              0.1,
                              1e-300,
                              -1e-300,
                              1e300,
                              -1e300,
                              0x1p-1074,
                              0x1.fffffffffffffp1023,
                              -0x1.fffffffffffffp1023,
                              1e10,
                              -1e-10};
enum { WILD = sizeof wild / sizeof wild[0] };

/* x sigma(u) lies between x and 0 whatever u is, sigma between 0 and 1; nothing is NaN. */
static void check_wild(const activation *f, const double *p, double x) {
  for (int order = 0; order < ACTIVATION_ORDERS; order++) {
    const double y = f->evaluate[order](x, p);
    if (isnan(y)) {
      print_error("%s order %d with %g, %g at %g is NaN\n", f->id, order, p[0], p[1], x);
      fail();
    }
  }
  const double y = f->evaluate[0](x, p);
  const int gate = strcmp(f->id, "silu") == 0 || strncmp(f->id, "gelu_", 5) == 0;
  if (gate && !(fabs(y) <= fabs(x) && (y == 0 || (y < 0) == (x < 0)))) {
    print_error("%s with %g, %g at %g is %g\n", f->id, p[0], p[1], x, y);
    fail();
  }
  if (strcmp(f->id, "sigmoid") == 0) assert_true(y >= 0 && y <= 1);
}

static void test_any_finite_parameter(void **state) {
  (void)state;
  for (int k = 0; k < activation_count(); k++) {
    const activation *f = activation_at(k);
    for (int i = 0; i < WILD && f->parameter_count > 0; i++)
      for (int j = 0; j < (f->parameter_count > 1 ? WILD : 1); j++) {
        const double p[] = {wild[i], wild[j]};
        for (int m = 0; m < WILD; m++) check_wild(f, p, wild[m]);
        check_wild(f, p, INF);
        check_wild(f, p, -INF);
      }
  }
}

static void test_limits_with_other_parameters(void **state) {
  (void)state;
  typedef struct {
    const char *id;
    int order;
    double x, first, second, want;
  } limit;
  static const limit limits[] = {
      {"silu", 0, INF, 0, 0, INF},         {"silu", 0, -INF, 0, 0, -INF},
      {"silu", 1, INF, 0, 0, 0.5},         {"silu", 2, INF, 0, 0, 0},
      {"silu", 0, INF, -1, 0, 0},          {"silu", 0, -INF, -1, 0, -INF},
      {"silu", 1, INF, -1, 0, -0.0},       {"silu", 1, -INF, -1, 0, 1},
      {"silu", 2, INF, -1, 0, 0.0},        {"silu", 0, 1e300, 1e-300, 0, 7.310585786300048793e299},
      {"silu", 2, 0, 1e300, 0, 5e299},     {"sigmoid", 0, INF, 0, 0, 0.5},
      {"sigmoid", 1, INF, 0, 0, 0},        {"sigmoid", 0, INF, -2, 0, 0},
      {"sigmoid", 1, INF, -2, 0, -0.0},    {"sigmoid", 2, INF, -2, 0, 0.0},
      {"sigmoid", 2, -INF, -2, 0, -0.0},   {"sigmoid", 0, 0x1p-1074, 1e300, 0, 0.5},
      {"gelu_tanh", 0, INF, 0, 1, INF},    {"gelu_tanh", 1, -INF, 0, 1, 0.5},
      {"gelu_tanh", 2, INF, 0, 1, 0},      {"gelu_tanh", 0, INF, 1, -1, 0},
      {"gelu_tanh", 0, -INF, 1, -1, -INF}, {"gelu_tanh", 1, INF, 1, -1, -0.0},
      {"gelu_tanh", 1, -INF, 1, -1, 1},    {"gelu_tanh", 0, INF, -1, -1, INF},
      {"gelu_tanh", 0, INF, 1, 0, INF},    {"gelu_tanh", 2, INF, 1, 0, -0.0},
      {"gelu_tanh", 2, INF, 1, -1, 0.0},   {"gelu_tanh", 2, INF, -1, 0, 0.0},
      {"gelu_tanh", 0, 1, 1, -1, 0.5},     {"elu", 0, -INF, 1e300, 0, -1e300},
      {"elu", 1, -INF, -1, 0, -0.0},       {"elu", 0, -INF, 0, 0, 0},
      {"elu", 0, -0.0, 0, 0, 0},           {"elu", 1, -3, 0, 0, 0},
      {"leaky_relu", 0, -INF, 0, 0, 0},    {"leaky_relu", 0, -3, 0, 0, 0},
      {"leaky_relu", 0, -INF, -1, 0, INF},
  };
  for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
    const limit *l = &limits[k];
    assert_ulps(((tested){l->id, l->order, l->x}), value_with(l->id, l->order, l->x, l->first, l->second), l->want, 1);
  }
}

/* ---- the lecture's numbers and identities ---- */

static void test_numbers_of_the_lesson(void **state) {
  (void)state;
  assert_ulps(((tested){"gelu", 0, 2}), value("gelu", 0, 2), 1.9544997361036416, 0.5);
  assert_ulps(((tested){"gelu", 0, -2}), value("gelu", 0, -2), -0.04550026389635842, 1);
  assert_within(((tested){"gelu", 0, 0}), value("gelu", 0, -0.751791524693564457), -0.169971207479903662, 1e-16);
  assert_within(((tested){"gelu", 1, 0}), value("gelu", 1, -0.751791524693564457), 0, 0x1p-52);
  assert_within(((tested){"gelu", 1, 0}), value("gelu", 1, 0.751791524693564457), 1, 0x1p-52);
  assert_ulps(((tested){"gelu", 1, 0}), value("gelu", 1, 1.4142135623730951), 1.12890414518515479, 1);
  assert_ulps(((tested){"gelu", 1, 0}), value("gelu", 1, -1.4142135623730951), -0.128904145185154786, 1);
  assert_ulps(((tested){"gelu_tanh", 0, 0}), value("gelu_tanh", 0, -0.752461422071016), -0.170040750571254051, 1);
  assert_ulps(((tested){"gelu_sigmoid", 0, 0}), value("gelu_sigmoid", 0, -0.751154255441289), -0.163610189636353581, 1);
  assert_ulps(((tested){"silu", 0, 0}), value("silu", 0, -1.2784645427610738), -0.278464542761073795, 1);
}

static void test_symmetry(void **state) {
  (void)state;
  for (int k = 1; k <= 4000; k++) {
    const double x = k / 100.0;
    assert_within(((tested){"gelu", 0, x}), value("gelu", 0, x) - value("gelu", 0, -x), x, x * 0x1p-52);
    assert_within(((tested){"gelu", 1, x}), value("gelu", 1, x) + value("gelu", 1, -x), 1, 0x1p-52);
    assert_same(((tested){"gelu", 2, x}), value("gelu", 2, x), value("gelu", 2, -x));
    assert_same(((tested){"tanh", 0, x}), value("tanh", 0, x), -value("tanh", 0, -x));
    assert_within(((tested){"sigmoid", 0, x}), value("sigmoid", 0, x) + value("sigmoid", 0, -x), 1, 0x1p-52);
  }
}

/* Each derivative is the slope of the order below it (away from kinks). */
static void test_derivatives_are_slopes(void **state) {
  (void)state;
  const double h = 0x1p-13;
  for (int k = 0; k < activation_count(); k++)
    for (int order = 1; order < ACTIVATION_ORDERS; order++)
      for (double x = -12.03; x < 12; x += 0.37) {
        const char *id = activation_at(k)->id;
        const double slope = (8 * (value(id, order - 1, x + h) - value(id, order - 1, x - h)) -
                              (value(id, order - 1, x + 2 * h) - value(id, order - 1, x - 2 * h))) /
                             (12 * h);
        assert_within(((tested){id, order, x}), slope, value(id, order, x), 2e-10);
      }
}

static void test_naming_a_default_changes_no_bit(void **state) {
  (void)state;
  for (double x = -9; x < 9; x += 0.0625) {
    assert_same(((tested){"gelu_tanh", 0, x}), value_with("gelu_tanh", 0, x, 0.79788456080286535588, 0.044715),
                value("gelu_tanh", 0, x));
    assert_same(((tested){"gelu_sigmoid", 0, x}), value_with("gelu_sigmoid", 0, x, 1.702, 0),
                value("gelu_sigmoid", 0, x));
    assert_same(((tested){"silu", 0, x}), value_with("gelu_sigmoid", 0, x, 1, 0), value("silu", 0, x));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_default_parameters),
      cmocka_unit_test(test_reference_vectors),
      cmocka_unit_test(test_special_values),
      cmocka_unit_test(test_huge_inputs),
      cmocka_unit_test(test_nan_stays_nan),
      cmocka_unit_test(test_underflow_keeps_its_sign),
      cmocka_unit_test(test_left_derivative_at_the_kink),
      cmocka_unit_test(test_any_finite_parameter),
      cmocka_unit_test(test_limits_with_other_parameters),
      cmocka_unit_test(test_numbers_of_the_lesson),
      cmocka_unit_test(test_symmetry),
      cmocka_unit_test(test_derivatives_are_slopes),
      cmocka_unit_test(test_naming_a_default_changes_no_bit),
  };
  return cmocka_run_group_tests_name("activation", tests, NULL, NULL);
}
