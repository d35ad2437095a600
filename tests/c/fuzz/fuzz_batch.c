/* batch.h by the calls that JavaScript makes: any function, order, parameters, accuracy, length, alignment, in place.
 */
#include "fuzz.h"

#include "batch.h"
#include "wasm_api.h"

enum { LONGEST = 40 };

typedef struct {
  memory memory;
  int32_t function, order, accuracy;
  double *parameters;
  size_t n;
  int in_place, has_x, has_y, has_slope;
} call;

static gelu_status fault(const call *c, int order, int32_t accuracy, int has_slope) {
  const activation *row = activation_at(c->function);
  if (row == NULL) return GELU_UNKNOWN_FUNCTION;
  if (order < 0 || order >= ACTIVATION_ORDERS) return GELU_UNKNOWN_ORDER;
  if (activation_fault(row, c->parameters) != GELU_OK) return GELU_BAD_PARAMETER;
  if (accuracy != BATCH_DEFAULT && accuracy != BATCH_FAST) return GELU_UNKNOWN_OPTION;
  return c->n > 0 && !(c->has_x && c->has_y && has_slope) ? GELU_NULL_POINTER : GELU_OK;
}

static void check_f64(call *c, source *from) {
  double *x = some_doubles(&c->memory, from, c->n), *y = doubles(&c->memory, c->n);
  const double *before = copy_of(&c->memory, x, c->n * sizeof *x);
  double *out = !c->has_y ? NULL : c->in_place ? x : y;
  const gelu_status want = fault(c, c->order, BATCH_DEFAULT, 1);
  REQUIRE(gelu_evaluate_f64(c->function, c->order, c->parameters, c->has_x ? x : NULL, out, (uint32_t)c->n) ==
          (int32_t)want);
  if (out != x) REQUIRE(c->n == 0 || memcmp(x, before, c->n * sizeof *x) == 0);
  if (want != GELU_OK) {
    REQUIRE(is_untouched(y, c->n * sizeof *y));
    REQUIRE(c->n == 0 || memcmp(x, before, c->n * sizeof *x) == 0);
    return;
  }
  for (size_t k = 0; k < c->n; k++) {
    double alone;
    REQUIRE(batch_f64(activation_at(c->function), c->order, c->parameters, &before[k], &alone, 1) == GELU_OK);
    REQUIRE(same_f64(out[k], alone) && isnan(alone) == isnan(before[k]));
  }
}

static void check_f32(call *c, source *from) {
  float *x = some_floats(&c->memory, from, c->n), *y = floats(&c->memory, c->n);
  const float *before = copy_of(&c->memory, x, c->n * sizeof *x);
  float *out = !c->has_y ? NULL : c->in_place ? x : y;
  const gelu_status want = fault(c, c->order, c->accuracy, 1);
  REQUIRE(gelu_evaluate_f32(c->function, c->order, c->parameters, c->accuracy, c->has_x ? x : NULL, out,
                            (uint32_t)c->n) == (int32_t)want);
  if (out != x) REQUIRE(c->n == 0 || memcmp(x, before, c->n * sizeof *x) == 0);
  if (want != GELU_OK) {
    REQUIRE(is_untouched(y, c->n * sizeof *y));
    REQUIRE(c->n == 0 || memcmp(x, before, c->n * sizeof *x) == 0);
    return;
  }
  for (size_t k = 0; k < c->n; k++) {
    float alone;
    REQUIRE(batch_f32(activation_at(c->function), c->order, c->parameters, (batch_accuracy)c->accuracy, &before[k],
                      &alone, 1) == GELU_OK);
    REQUIRE(same_f32(out[k], alone) && isnan(alone) == isnan(before[k]));
  }
}

/* Value and derivative: in_place 1 for the value, 2 for the derivative. */
static void check_both_f64(call *c, source *from) {
  double *x = some_doubles(&c->memory, from, c->n), *y = doubles(&c->memory, c->n), *slope = doubles(&c->memory, c->n);
  const double *before = copy_of(&c->memory, x, c->n * sizeof *x);
  double *out = !c->has_y ? NULL : c->in_place == 1 ? x : y;
  double *out_slope = !c->has_slope ? NULL : c->in_place == 2 ? x : slope;
  const gelu_status want = fault(c, 0, BATCH_DEFAULT, c->has_slope);
  REQUIRE(gelu_evaluate_both_f64(c->function, c->parameters, c->has_x ? x : NULL, out, out_slope, (uint32_t)c->n) ==
          (int32_t)want);
  if (want != GELU_OK) {
    REQUIRE(is_untouched(y, c->n * sizeof *y) && is_untouched(slope, c->n * sizeof *y));
    REQUIRE(c->n == 0 || memcmp(x, before, c->n * sizeof *x) == 0);
    return;
  }
  for (size_t k = 0; k < c->n; k++) {
    double value, derivative;
    batch_f64(activation_at(c->function), 0, c->parameters, &before[k], &value, 1);
    batch_f64(activation_at(c->function), 1, c->parameters, &before[k], &derivative, 1);
    REQUIRE(same_f64(out[k], value) && same_f64(out_slope[k], derivative));
  }
}

static void check_both_f32(call *c, source *from) {
  float *x = some_floats(&c->memory, from, c->n), *y = floats(&c->memory, c->n), *slope = floats(&c->memory, c->n);
  const float *before = copy_of(&c->memory, x, c->n * sizeof *x);
  float *out = !c->has_y ? NULL : c->in_place == 1 ? x : y;
  float *out_slope = !c->has_slope ? NULL : c->in_place == 2 ? x : slope;
  const gelu_status want = fault(c, 0, c->accuracy, c->has_slope);
  REQUIRE(gelu_evaluate_both_f32(c->function, c->parameters, c->accuracy, c->has_x ? x : NULL, out, out_slope,
                                 (uint32_t)c->n) == (int32_t)want);
  if (want != GELU_OK) {
    REQUIRE(is_untouched(y, c->n * sizeof *y) && is_untouched(slope, c->n * sizeof *y));
    REQUIRE(c->n == 0 || memcmp(x, before, c->n * sizeof *x) == 0);
    return;
  }
  for (size_t k = 0; k < c->n; k++) {
    float value, alone, alone_slope;
    batch_f32(activation_at(c->function), 0, c->parameters, (batch_accuracy)c->accuracy, &before[k], &value, 1);
    batch_value_and_derivative_f32(activation_at(c->function), c->parameters, (batch_accuracy)c->accuracy, &before[k],
                                   &alone, &alone_slope, 1);
    REQUIRE(same_f32(out[k], value) && same_f32(alone, value) && same_f32(out_slope[k], alone_slope));
    REQUIRE(isnan(alone_slope) == isnan(before[k]));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static void (*const checks[])(call *, source *) = {check_f64, check_f32, check_both_f64, check_both_f32};
  source from = {bytes, size};
  const size_t which = take_below(&from, 4);
  call c = {.function = take_index(&from, 12)};
  c.order = take_index(&from, 3);
  c.accuracy = take_index(&from, 2);
  c.parameters = take_parameters(&c.memory, &from);
  const uint8_t length = take_byte(&from), layout = take_byte(&from);
  c.n = length < 250 ? length % (LONGEST + 1) : (size_t)length * 2; /* 500: more than one piece of batch.c */
  c.in_place = layout % 3;
  c.has_x = layout < 240;
  c.has_y = (layout & 31) != 31;
  c.has_slope = (layout & 63) != 30;
  checks[which](&c, &from);
  release(&c.memory);
  return 0;
}
