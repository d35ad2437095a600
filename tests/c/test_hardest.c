/* The float32 inputs whose true results lie nearest to the middle of two float32 numbers, found by tests/prove among
 * all inputs, with the results that MPFR decided. Each alone, among copies of itself, and among the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "assert_close.h"
#include "batch.h"

#ifndef GELU_HARDEST
#define GELU_HARDEST "tests/prove/hardest" /* seen from the root of the repository */
#endif

enum { MOST = 256, COPIES = 16 };

typedef struct {
  size_t count;
  float x[MOST], y[MOST];
} hard_inputs;

static int read_hardest(const char *function, hard_inputs *inputs) {
  char path[512], line[200], x[40], y[40];
  snprintf(path, sizeof path, "%s/%s.txt", GELU_HARDEST, function);
  FILE *file = fopen(path, "r");
  inputs->count = 0;
  if (file == NULL) return 0;
  while (inputs->count < MOST && fgets(line, sizeof line, file) != NULL) {
    if (line[0] == '#' || sscanf(line, "%39s %39s", x, y) != 2) continue;
    inputs->x[inputs->count] = strtof(x, NULL);
    inputs->y[inputs->count++] = strtof(y, NULL);
  }
  fclose(file);
  return 1;
}

static int is_correctly_rounded(const char *id) {
  static const char *const ids[] = {"gelu", "gelu_tanh", "gelu_sigmoid", "sigmoid", "silu", "tanh", "normal_cdf"};
  for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++)
    if (strcmp(ids[k], id) == 0) return 1;
  return 0;
}

static void evaluate(const activation *f, const float *x, float *y, size_t n) {
  assert_int_equal(batch_f32(f, 0, NULL, BATCH_DEFAULT, x, y, n), GELU_OK);
}

static void test_function(void **state) {
  const char *id = *state;
  const activation *f = activation_find(id);
  const double allowed = is_correctly_rounded(id) ? 0 : 1;
  static hard_inputs inputs;
  float together[MOST];
  assert_true(read_hardest(id, &inputs) && inputs.count > 0);
  evaluate(f, inputs.x, together, inputs.count);
  for (size_t k = 0; k < inputs.count; k++) {
    const tested what = {id, 0, (double)inputs.x[k]};
    float alone, copies[COPIES];
    evaluate(f, &inputs.x[k], &alone, 1);
    assert_ulps_f32(what, alone, inputs.y[k], allowed);
    assert_ulps_f32(what, together[k], alone, 0);
    for (size_t i = 0; i < COPIES; i++) copies[i] = inputs.x[k];
    evaluate(f, copies, copies, COPIES);
    for (size_t i = 0; i < COPIES; i++) assert_ulps_f32(what, copies[i], alone, 0);
  }
}

#define FUNCTION(id) \
  { id ": the hardest inputs", test_function, NULL, NULL, id }

int main(void) {
  /* All but relu, which has none. */
  const struct CMUnitTest tests[] = {
      FUNCTION("gelu"),       FUNCTION("gelu_tanh"), FUNCTION("gelu_sigmoid"), FUNCTION("sigmoid"),
      FUNCTION("tanh"),       FUNCTION("silu"),      FUNCTION("softplus"),     FUNCTION("elu"),
      FUNCTION("leaky_relu"), FUNCTION("mish"),      FUNCTION("normal_cdf"),
  };
  return cmocka_run_group_tests_name("hardest inputs", tests, NULL, NULL);
}
