#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "activation.h"

typedef struct {
  const char *id;
  int order;
  double x, want;
} expectation;

static const expectation expectations[] = {
    {"gelu", 0, 2, 1.9544997361036416},
    {"gelu", 0, -2, -0.04550026389635842},
    {"gelu", 0, -9, -1.0157295653584566e-18},
    {"gelu", 1, 0, 0.5},
    {"relu", 0, -3, 0},
    {"relu", 1, 2, 1},
    {"sigmoid", 0, 0, 0.5},
    {"sigmoid", 1, 0, 0.25},
};

static void values_are_right(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
    expectation e = expectations[i];
    const activation *function = activation_find(e.id);
    double defaults[ACTIVATION_MAX_PARAMETERS] = {function->parameters[0].value, function->parameters[1].value};
    double got = function->evaluate[e.order](e.x, defaults);
    if (!(fabs(got - e.want) <= 1e-13 * fabs(e.want)))
      fail_msg("%s order %d at %g: got %.17g, want %.17g", e.id, e.order, e.x, got, e.want);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
