/* Largest and rms differences against the lesson's numbers and against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assert_close.h"
#include "compare.h"

static comparison compare_with(const char *a, const double *a_parameters, const char *b, int order, double from,
                               double to, int relative) {
  comparison c = {-7, -7, -7};
  const compare_side left = {activation_find(a), a_parameters}, right = {activation_find(b), NULL};
  assert_int_equal(compare_functions(left, right, order, from, to, relative, &c), GELU_OK);
  return c;
}

static comparison compare(const char *a, const char *b, int order, double from, double to, int relative) {
  return compare_with(a, NULL, b, order, from, to, relative);
}

typedef struct {
  const char *a;
  int order;
  double error, at;
} fact;

/* The lesson's numbers: against exact GELU, where |x| = at, on both intervals. */
static const fact facts[] = {
    {"gelu_tanh", 0, 4.73235520687285e-4, 2.69894138637727},
    {"gelu_sigmoid", 0, 2.03348722092392e-2, 2.27039773719661},
    {"gelu_tanh", 1, 8.68451834985914e-4, 2.01865575977184},
    {"gelu_sigmoid", 1, 2.90720455156230e-2, 1.42194759096482},
};

static void test_numbers_of_the_lesson(void **state) {
  (void)state;
  const double ends[] = {4, 8, 40, 1000, 1e4};
  for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++)
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
      const fact *f = &facts[k];
      const comparison both = compare(f->a, "gelu", f->order, -ends[i], ends[i], 0);
      const comparison right = compare(f->a, "gelu", f->order, 0, ends[i], 0);
      assert_within(((tested){f->a, f->order, ends[i]}), both.error / f->error, 1, 1e-12);
      assert_within(((tested){f->a, f->order, ends[i]}), right.error / f->error, 1, 1e-12);
      assert_within(((tested){f->a, f->order, ends[i]}), fabs(both.at), f->at, 1e-10);
      assert_within(((tested){f->a, f->order, ends[i]}), right.at, f->at, 1e-10);
    }
}

/* Of two equal maxima the left one. */
static void test_left_of_two_equal_places(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof facts / sizeof facts[0]; k++)
    assert_true(compare(facts[k].a, "gelu", facts[k].order, -6, 6, 0).at < 0);
  assert_true(compare("relu", "gelu", 0, -4, 4, 0).at < 0);
}

static void test_sides_can_be_swapped(void **state) {
  (void)state;
  const comparison a = compare("gelu_tanh", "gelu", 0, -4, 4, 0), b = compare("gelu", "gelu_tanh", 0, -4, 4, 0);
  assert_same(((tested){"swap", 0, 0}), a.error, b.error);
  assert_same(((tested){"swap", 0, 0}), a.at, b.at);
  assert_same(((tested){"swap", 0, 0}), a.rms, b.rms);
}

static void test_gate_constants(void **state) {
  (void)state;
  const double best_for_phi = 1.70174492533800, best_for_gelu = 1.77293396561675;
  assert_within(((tested){"k for Phi", 0, 0}),
                compare_with("sigmoid", &best_for_phi, "normal_cdf", 0, -20, 20, 0).error, 9.45730917637e-3, 1e-13);
  assert_within(((tested){"k for GELU", 0, 0}), compare_with("silu", &best_for_gelu, "gelu", 0, -20, 20, 0).error,
                1.39222454727585e-2, 1e-13);
  const double best_cubic[] = {0.79788456080286535588, 0.0443829438167341};
  assert_within(((tested){"cubic", 0, 0}), compare_with("gelu_tanh", best_cubic, "gelu", 0, -20, 20, 0).error,
                3.87418738310608e-4, 1e-14);
  const double best_pair[] = {0.800157078548104, 0.0433676016405383};
  assert_within(((tested){"pair", 0, 0}), compare_with("gelu_tanh", best_pair, "gelu", 0, -20, 20, 0).error,
                2.70727474657973e-4, 1e-14);
}

/* rms in closed form: leaky_relu - relu = slope x on the left; elu' - relu' = e^x; tanh' is known, too. */
static void test_rms_in_closed_form(void **state) {
  (void)state;
  const double slope = 0.5;
  const comparison line = compare_with("leaky_relu", &slope, "relu", 0, -3, 0, 0);
  assert_within(((tested){"line", 0, 0}), line.rms, 0.5 * sqrt(3), 1e-11);
  assert_same(((tested){"line", 0, 0}), line.error, 1.5);
  assert_same(((tested){"line", 0, 0}), line.at, -3);
  const comparison half = compare_with("leaky_relu", &slope, "relu", 0, -3, 3, 0);
  assert_within(((tested){"half line", 0, 0}), half.rms, 0.5 * sqrt(1.5), 1e-11);
  const comparison decay = compare("elu", "relu", 1, -1e4, 1e4, 0);
  assert_within(((tested){"decay", 0, 0}), decay.rms / sqrt(0.5 / 2e4), 1, 1e-9);
  const double zero = 0;
  const comparison bell = compare_with("elu", &zero, "elu", 2, -7, -1, 0);
  assert_within(((tested){"bell", 0, 0}), bell.rms / sqrt((exp(-2) - exp(-14)) / 2 / 6), 1, 1e-9);
}

/* Independent of the adaptive rule: a million midpoints. */
static void test_rms_by_brute_force(void **state) {
  (void)state;
  const char *const ids[] = {"gelu_tanh", "gelu_sigmoid", "relu"};
  for (int f = 0; f < 3; f++) {
    double sum = 0;
    const activation *a = activation_find(ids[f]), *b = activation_find("gelu");
    const double p[] = {a->parameters[0].value, a->parameters[1].value};
    const int n = 200000;
    for (int k = 0; k < n; k++) {
      const double x = -5 + 10 * (k + 0.5) / n;
      const double d = a->evaluate[0](x, p) - b->evaluate[0](x, NULL);
      sum += d * d;
    }
    assert_within(((tested){ids[f], 0, 0}), compare(ids[f], "gelu", 0, -5, 5, 0).rms / sqrt(sum / n), 1, 1e-8);
  }
}

/* ReLU - GELU: the maximum is where GELU' = 0; the derivative's jump at 0 counts with both limits. */
static void test_kinks(void **state) {
  (void)state;
  const comparison value = compare("relu", "gelu", 0, -4, 4, 0);
  assert_within(((tested){"relu", 0, 0}), value.error, 0.169971207479903662, 1e-15);
  assert_within(((tested){"relu", 0, 0}), value.at, -0.751791524693564457, 1e-12);
  assert_same(((tested){"relu", 1, 0}), compare("relu", "gelu", 1, -4, 4, 0).error, 0.5);
  const comparison peak = compare("gelu", "relu", 2, -4, 4, 0);
  assert_ulps(((tested){"relu", 2, 0}), peak.error, 0.79788456080286535588, 2);
  assert_same(((tested){"relu", 2, 0}), peak.at, 0);
  const comparison jump = compare("elu", "softplus", 2, 0, 3, 0);
  assert_same(((tested){"elu", 2, 0}), jump.error, 0.75);
  assert_same(((tested){"elu", 2, 0}), jump.at, 0);
}

static void test_narrow_structures(void **state) {
  (void)state;
  const double steep = 1e4;
  const comparison near_zero = compare_with("sigmoid", &steep, "relu", 1, -1e4, -1e-9, 0);
  assert_within(((tested){"steep", 0, 0}), near_zero.error, 2500, 1e-3);
  const double far[] = {0.8, -0.001}; /* u changes sign at |x| = 31.6 */
  const comparison outside = compare_with("gelu_tanh", far, "gelu", 1, -100, 100, 0);
  const activation *f = activation_find("gelu_tanh");
  double largest = 0;
  for (double x = -100; x < 100; x += 1e-4) {
    const double d = fabs(f->evaluate[1](x, far) - activation_find("gelu")->evaluate[1](x, NULL));
    if (d > largest) largest = d;
  }
  assert_true(outside.error >= largest);
  assert_within(((tested){"far", 1, outside.at}), outside.error / largest, 1, 1e-6);
}

static void test_relative(void **state) {
  (void)state;
  const double infinite = (double)INFINITY;
  const comparison tail = compare("gelu_sigmoid", "gelu", 0, -4, 4, 1);
  assert_same(((tested){"relative", 0, 0}), tail.at, -4);
  assert_within(((tested){"relative", 0, 0}), tail.error, 4.4147e-3 / 1.2668496733e-4 - 1, 1e-3);
  /* At 0 both GELUs vanish: the ratio is bounded there. */
  assert_true(compare("gelu_tanh", "gelu", 0, -1, 1, 1).error < 1e-3);
  /* GELU' has a zero that its approximation does not share. */
  const comparison zero = compare("gelu_tanh", "gelu", 1, -4, 4, 1);
  assert_same(((tested){"zero", 1, 0}), zero.error, infinite);
  assert_same(((tested){"zero", 1, 0}), zero.rms, infinite);
  assert_within(((tested){"zero", 1, 0}), zero.at, -0.751791524693564457, 1e-12);
  const comparison origin = compare("softplus", "gelu", 0, -1, 1, 1);
  assert_same(((tested){"origin", 0, 0}), origin.error, infinite);
  assert_same(((tested){"origin", 0, 0}), origin.at, 0);
  /* Where the reference is 0 nothing counts. */
  const comparison left_out = compare("gelu", "relu", 0, -4, -1, 1);
  assert_same(((tested){"left out", 0, 0}), left_out.error, 0);
  assert_same(((tested){"left out", 0, 0}), left_out.rms, 0);
  const double third = 1.0 / 3;
  const comparison constant = compare_with("leaky_relu", &third, "leaky_relu", 1, -2, 0, 1);
  assert_within(((tested){"constant", 1, 0}), constant.error, third / 0.01 - 1, 1e-12);
  assert_within(((tested){"constant", 1, 0}), constant.rms, third / 0.01 - 1, 1e-9);
}

/* A largest relative difference inside the interval, where no end and no zero gives it away. */
static void test_relative_maximum_inside(void **state) {
  (void)state;
  const activation *a = activation_find("gelu_tanh"), *b = activation_find("gelu");
  const double p[] = {a->parameters[0].value, a->parameters[1].value};
  const comparison found = compare("gelu_tanh", "gelu", 0, 0.5, 4, 1);
  double largest = 0, at = 0;
  for (int k = 0; k <= 35000; k++) {
    const double x = 0.5 + k * 1e-4, want = b->evaluate[0](x, NULL), error = fabs(a->evaluate[0](x, p) - want) / want;
    if (error > largest) largest = error, at = x;
  }
  assert_true(at > 0.6 && at < 3.9);
  assert_within(((tested){"inside", 0, at}), found.at, at, 1e-4);
  assert_within(((tested){"inside", 0, at}), found.error, largest, 1e-11);
}

/* A search whose goal can be reached ends among rounding errors, which have more local maxima than are kept. */
static void test_search_down_to_rounding(void **state) {
  (void)state;
  const double steepness = 1.2345678901234567;
  parameter_fit fit;
  assert_int_equal(fit_start(&fit, (compare_side){activation_find("gelu_sigmoid"), NULL},
                             (compare_side){activation_find("silu"), &steepness}, 0, -5, 5, 1),
                   GELU_OK);
  while (fit_step(&fit)) assert_true(fit.steps < 1000);
  assert_within(((tested){"rounding", 0, 0}), fit.best[0], steepness, 1e-14);
  assert_true(fit.error < 1e-14);
}

/* Where the reference underflows, a larger error than at any sample lies beside it; no mean is larger. */
static void test_relative_beside_underflow(void **state) {
  (void)state;
  const activation *silu = activation_find("silu"), *gelu = activation_find("gelu");
  const double beta = 1;
  const comparison c = compare("silu", "gelu", 0, -40, 0, 1);
  assert_true(c.rms > 0 && c.rms <= c.error);
  assert_true(gelu->evaluate[0](c.at, NULL) != 0 && gelu->evaluate[0](nextafter(c.at, -40), NULL) == 0);
  assert_true(c.error == fabs(silu->evaluate[0](c.at, &beta) - gelu->evaluate[0](c.at, NULL)) / 0x1p-1074);
  const comparison mirrored = compare("silu", "gelu", 0, -38.4375, 0, 1);
  assert_true(c.error > mirrored.error);
}

static void test_equal_functions(void **state) {
  (void)state;
  for (int k = 0; k < activation_count(); k++)
    for (int order = 0; order < ACTIVATION_ORDERS; order++)
      for (int relative = 0; relative < 2; relative++) {
        const comparison c = compare(activation_at(k)->id, activation_at(k)->id, order, -50, 50, relative);
        assert_true(c.error == 0 && c.rms == 0 && (relative || c.at == -50));
      }
}

static void test_overflow_is_an_infinite_error(void **state) {
  (void)state;
  const double huge = 1e308;
  const comparison c = compare_with("leaky_relu", &huge, "relu", 0, -1000, 10, 0);
  assert_same(((tested){"overflow", 0, 0}), c.error, (double)INFINITY);
  assert_same(((tested){"overflow", 0, 0}), c.rms, (double)INFINITY);
}

static void test_errors_write_nothing(void **state) {
  (void)state;
  const double bad = (double)NAN, infinite = (double)INFINITY;
  const compare_side gelu = {activation_find("gelu"), NULL}, none = {NULL, NULL},
                     wrong = {activation_find("silu"), &bad};
  comparison c = {-7, -7, -7};
  assert_int_equal(compare_functions(none, gelu, 0, -1, 1, 0, &c), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(compare_functions(gelu, none, 0, -1, 1, 0, &c), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(compare_functions(gelu, gelu, 3, -1, 1, 0, &c), GELU_UNKNOWN_ORDER);
  assert_int_equal(compare_functions(gelu, wrong, 0, -1, 1, 0, &c), GELU_BAD_PARAMETER);
  assert_int_equal(compare_functions(gelu, gelu, 0, 1, 1, 0, &c), GELU_BAD_INTERVAL);
  assert_int_equal(compare_functions(gelu, gelu, 0, 1, -1, 0, &c), GELU_BAD_INTERVAL);
  assert_int_equal(compare_functions(gelu, gelu, 0, bad, 1, 0, &c), GELU_BAD_INTERVAL);
  assert_int_equal(compare_functions(gelu, gelu, 0, -1, bad, 0, &c), GELU_BAD_INTERVAL);
  assert_int_equal(compare_functions(gelu, gelu, 0, -infinite, 1, 0, &c), GELU_BAD_INTERVAL);
  assert_int_equal(compare_functions(gelu, gelu, 0, -1, 10001, 0, &c), GELU_BAD_INTERVAL);
  assert_int_equal(compare_functions(gelu, gelu, 0, -1, 1, 0, NULL), GELU_NULL_POINTER);
  assert_true(c.error == -7 && c.at == -7 && c.rms == -7);
}

static void test_tiny_intervals(void **state) {
  (void)state;
  const comparison c = compare("gelu_tanh", "gelu", 0, 2, nextafter(2, 3), 0);
  assert_true(c.error > 0 && c.at >= 2 && isfinite(c.rms));
  const comparison at_zero = compare("relu", "gelu", 1, 0, 0x1p-1070, 0);
  assert_same(((tested){"tiny", 1, 0}), at_zero.error, 0.5);
}

/* ---- the best parameters ---- */

static parameter_fit best_of(const char *a, const char *b, int order, double from, double to, unsigned vary) {
  parameter_fit fit;
  const compare_side left = {activation_find(a), NULL}, right = {activation_find(b), NULL};
  assert_int_equal(fit_start(&fit, left, right, order, from, to, vary), GELU_OK);
  while (fit_step(&fit)) assert_true(fit.steps < 1000);
  assert_int_equal(fit_step(&fit), 0);
  return fit;
}

#ifdef SHORT_TESTS
enum { NEXT_ORDER = ACTIVATION_ORDERS, NEXT_END = 4, NEXT_SHARE = 256 }; /* values alone, in fewer places */
#else
enum { NEXT_ORDER = 1, NEXT_END = 2, NEXT_SHARE = 4 };
#endif

/* CONTENT: digits of the parameters as far as they are given, 15. */
static void test_best_parameters_of_the_lesson(void **state) {
  (void)state;
  static const struct {
    const char *a, *b;
    unsigned vary;
    double best[2], error;
  } known[] = {
      {"gelu_sigmoid", "gelu", 1, {1.77293396561675, 0}, 1.39222454727585e-2},
      {"sigmoid", "normal_cdf", 1, {1.70174492533800, 0}, 9.45730917637e-3},
      {"gelu_tanh", "gelu", 2, {0.79788456080286535588, 0.0443829438167341}, 3.87418738310608e-4},
      {"gelu_tanh", "gelu", 3, {0.800157078548104, 0.0433676016405383}, 2.70727474657973e-4},
  };
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
    for (double end = 4; end <= 16; end *= NEXT_END) {
      const tested what = {known[k].a, 0, end};
      const parameter_fit fit = best_of(known[k].a, known[k].b, 0, -end, end, known[k].vary);
      for (int j = 0; j < activation_find(known[k].a)->parameter_count; j++)
        assert_within(what, fit.best[j], known[k].best[j], 2e-13);
      assert_within(what, fit.error, known[k].error, 1e-14);
      assert_same(what, compare_with(known[k].a, fit.best, known[k].b, 0, -end, end, 0).error, fit.error);
      assert_same(what, compare_with(known[k].a, fit.best, known[k].b, 0, -end, end, 0).at, fit.at);
    }
}

/* Whatever the order: beside the parameter found none does better. */
static void test_no_neighbour_is_better(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"gelu_sigmoid", "gelu"}, {"gelu_tanh", "gelu"}, {"silu", "mish"}, {"elu", "gelu"}, {"sigmoid", "tanh"}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
    for (int order = 0; order < ACTIVATION_ORDERS; order += NEXT_ORDER) {
      const activation *row = activation_find(pairs[k][0]);
      const unsigned all = (1u << row->parameter_count) - 1;
      const parameter_fit fit = best_of(pairs[k][0], pairs[k][1], order, -5, 5, all);
      for (int j = 0; j < row->parameter_count; j++) {
        assert_true(fit.best[j] >= row->parameters[j].min && fit.best[j] <= row->parameters[j].max);
        for (int side = -1; side <= 1; side += 2)
          for (double share = 1e-6; share < 1; share *= NEXT_SHARE) {
            double beside[] = {fit.best[0], fit.best[1]};
            beside[j] += side * share * (row->parameters[j].max - row->parameters[j].min);
            if (beside[j] < row->parameters[j].min || beside[j] > row->parameters[j].max) continue;
            const double error = compare_with(pairs[k][0], beside, pairs[k][1], order, -5, 5, 0).error;
            assert_true(error >= fit.error * (1 - 1e-12));
          }
      }
    }
}

/* A given parameter stays as it is, and a copy of a search that was broken off goes on as the search itself. */
static void test_search_in_steps(void **state) {
  (void)state;
  const double given[] = {0.9, 0.03};
  const compare_side left = {activation_find("gelu_tanh"), given}, right = {activation_find("gelu"), NULL};
  parameter_fit fit;
  assert_int_equal(fit_start(&fit, left, right, 0, -6, 6, 2), GELU_OK);
  assert_true(fit.steps == 0 && !fit.done && fit.error == (double)INFINITY);
  double before = fit.error;
  for (int k = 0; k < 20; k++) {
    assert_true(fit_step(&fit));
    assert_true(fit.error <= before && fit.steps == k + 1 && fit.best[0] == given[0]);
    before = fit.error;
  }
  parameter_fit copy = fit;
  while (fit_step(&fit)) continue;
  while (fit_step(&copy)) continue;
  assert_same(((tested){"copy", 0, 0}), copy.best[1], fit.best[1]);
  assert_same(((tested){"copy", 0, 0}), copy.error, fit.error);
  assert_same(((tested){"given", 0, 0}), fit.best[0], given[0]);
}

static void test_search_that_cannot_start(void **state) {
  (void)state;
  const double bad = (double)NAN;
  const compare_side none = {NULL, NULL}, gelu = {activation_find("gelu"), NULL},
                     silu = {activation_find("silu"), NULL}, wrong = {activation_find("silu"), &bad};
  parameter_fit fit;
  memset(&fit, 7, sizeof fit);
  const parameter_fit before = fit;
  assert_int_equal(fit_start(&fit, none, gelu, 0, -1, 1, 1), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(fit_start(&fit, silu, none, 0, -1, 1, 1), GELU_UNKNOWN_FUNCTION);
  assert_int_equal(fit_start(&fit, silu, gelu, 3, -1, 1, 1), GELU_UNKNOWN_ORDER);
  assert_int_equal(fit_start(&fit, silu, gelu, 0, -1, 1, 0), GELU_UNKNOWN_OPTION);
  assert_int_equal(fit_start(&fit, silu, gelu, 0, -1, 1, 2), GELU_UNKNOWN_OPTION);
  assert_int_equal(fit_start(&fit, gelu, silu, 0, -1, 1, 1), GELU_UNKNOWN_OPTION);
  assert_int_equal(fit_start(&fit, wrong, gelu, 0, -1, 1, 1), GELU_BAD_PARAMETER);
  assert_int_equal(fit_start(&fit, silu, wrong, 0, -1, 1, 1), GELU_BAD_PARAMETER);
  assert_int_equal(fit_start(&fit, silu, gelu, 0, 1, 1, 1), GELU_BAD_INTERVAL);
  assert_int_equal(fit_start(&fit, silu, gelu, 0, -1, bad, 1), GELU_BAD_INTERVAL);
  assert_int_equal(fit_start(NULL, silu, gelu, 0, -1, 1, 1), GELU_NULL_POINTER);
  assert_memory_equal(&fit, &before, sizeof fit);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_numbers_of_the_lesson),
      cmocka_unit_test(test_left_of_two_equal_places),
      cmocka_unit_test(test_sides_can_be_swapped),
      cmocka_unit_test(test_gate_constants),
      cmocka_unit_test(test_rms_in_closed_form),
      cmocka_unit_test(test_rms_by_brute_force),
      cmocka_unit_test(test_kinks),
      cmocka_unit_test(test_narrow_structures),
      cmocka_unit_test(test_relative),
      cmocka_unit_test(test_relative_maximum_inside),
      cmocka_unit_test(test_relative_beside_underflow),
      cmocka_unit_test(test_search_down_to_rounding),
      cmocka_unit_test(test_equal_functions),
      cmocka_unit_test(test_overflow_is_an_infinite_error),
      cmocka_unit_test(test_errors_write_nothing),
      cmocka_unit_test(test_tiny_intervals),
      cmocka_unit_test(test_best_parameters_of_the_lesson),
      cmocka_unit_test(test_no_neighbour_is_better),
      cmocka_unit_test(test_search_in_steps),
      cmocka_unit_test(test_search_that_cannot_start),
  };
  return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
