#include "batch.h"

#include <string.h>

#include "pair.h"

/* Float32 at order 0 is the float64 result rounded once. That is the correctly rounded result unless the true value
 * lies so close to a midpoint of two float32 numbers that the float64 error matters. tests/prove/scan_float32.c found
 * these inputs among all 2^32, for the default parameters: they are exact midpoints in float64, which the next term of
 * the series decides (tie_rule), and the few in the table of exceptions. */
typedef enum {
  NO_TIES,
  HALF_X_PLUS_SQUARE, /* x/2 + c x^2: for subnormal x, c has the sign of the first parameter, or is positive */
  HALF_PLUS_ODD       /* 1/2 + x/4 - x^3/48: for small x */
} tie_rule;

/* A default-parameter input that is rounded wrongly, and its correctly rounded result. */
typedef struct {
  float x, y;
} exception;

typedef struct {
  const char *id;
  tie_rule ties;
  exception exceptions[3]; /* up to the one with x = 0 */
} rounding;

static const rounding roundings[] = {
    {"gelu", HALF_X_PLUS_SQUARE, {{0x1.6148dep-16f, 0x1.614a62p-17f}, {-0x1.6148dep-16f, -0x1.61475ap-17f}, {0, 0}}},
    {"gelu_tanh", HALF_X_PLUS_SQUARE, {{0, 0}}},
    {"gelu_sigmoid",
     HALF_X_PLUS_SQUARE,
     {{0x1.e2fa4ep-9f, 0x1.e47e06p-10f}, {-0x1.e2fa4ep-9f, -0x1.e17696p-10f}, {0, 0}}},
    {"silu", HALF_X_PLUS_SQUARE, {{0, 0}}},
    {"sigmoid", HALF_PLUS_ODD, {{-0x1.250c02p-10f, 0x1.ffb6bep-2f}, {0, 0}}},
    {"normal_cdf", NO_TIES, {{0x1.40d932p-24f, 0x1.000002p-1f}, {-0x1.40d932p-25f, 0x1.fffffep-2f}, {0, 0}}},
};

static const rounding plain = {"", NO_TIES, {{0, 0}}};

static const rounding *rounding_of(const activation *function, int order) {
  if (order != 0) return &plain;
  for (size_t k = 0; k < sizeof roundings / sizeof roundings[0]; k++)
    if (strcmp(roundings[k].id, function->id) == 0) return &roundings[k];
  return &plain;
}

/* Whether y is a float32 subnormal or within 64 float64 units of a float32 midpoint: one result in four million. */
static int needs_care(double y) {
  const uint64_t below_midpoint = (bits_of(y) & 0x1fffffff) - (0x10000000 - 64);
  return below_midpoint <= 128 || magnitude(y) < 0x1p-126;
}

/* y a little further in the direction, so that a midpoint is one no longer. */
static double nudged(double y, double direction) {
  return direction == 0 || y == 0 ? y : y + with_sign_of(magnitude(y) * 0x1p-50, direction);
}

static float settle(const rounding *rule, const double *parameters, int defaults, float x, double y) {
  const double wide = (double)x;
  if (defaults)
    for (int k = 0; k < 3 && rule->exceptions[k].x != 0; k++)
      if (rule->exceptions[k].x == x) return rule->exceptions[k].y;
  if (rule->ties == HALF_X_PLUS_SQUARE && y == wide * 0.5) y = nudged(y, parameters == NULL ? 1 : parameters[0]);
  if (rule->ties == HALF_PLUS_ODD && y == 0.5 + 0.25 * wide * parameters[0]) y = nudged(y, 0.5 - y);
  return (float)y;
}

static const double *parameters_or_defaults(const activation *function, const double *parameters, double *defaults) {
  if (function->parameter_count == 0) return NULL;
  for (int k = 0; k < function->parameter_count; k++) defaults[k] = function->parameters[k].value;
  return parameters == NULL ? defaults : parameters;
}

/* The order of the checks is the header's. */
static gelu_status check(const activation *function, int order, const double *parameters, int accuracy, const void *x,
                         const void *y, size_t n) {
  if (function == NULL) return GELU_UNKNOWN_FUNCTION;
  if (order < 0 || order >= ACTIVATION_ORDERS) return GELU_UNKNOWN_ORDER;
  if (parameters != NULL)
    for (int k = 0; k < function->parameter_count; k++)
      if (!is_finite(parameters[k])) return GELU_BAD_PARAMETER;
  if (accuracy != BATCH_DEFAULT && accuracy != BATCH_FAST) return GELU_UNKNOWN_OPTION;
  if (n > 0 && (x == NULL || y == NULL)) return GELU_NULL_POINTER;
  return GELU_OK;
}

gelu_status batch_f64(const activation *function, int order, const double *parameters, const double *x, double *y,
                      size_t n) {
  const gelu_status status = check(function, order, parameters, BATCH_DEFAULT, x, y, n);
  if (status != GELU_OK) return status;
  double defaults[ACTIVATION_MAX_PARAMETERS];
  const double *p = parameters_or_defaults(function, parameters, defaults);
  activation_function *const evaluate = function->evaluate[order];
  for (size_t k = 0; k < n; k++) y[k] = evaluate(x[k], p);
  return GELU_OK;
}

gelu_status batch_f32(const activation *function, int order, const double *parameters, batch_accuracy accuracy,
                      const float *x, float *y, size_t n) {
  const gelu_status status = check(function, order, parameters, (int)accuracy, x, y, n);
  if (status != GELU_OK) return status;
  double defaults[ACTIVATION_MAX_PARAMETERS];
  const double *p = parameters_or_defaults(function, parameters, defaults);
  const int are_defaults = p == NULL || memcmp(p, defaults, sizeof *p * (size_t)function->parameter_count) == 0;
  activation_function *const evaluate = function->evaluate[order];
  const rounding *rule = rounding_of(function, order);
  for (size_t k = 0; k < n; k++) {
    const double value = evaluate((double)x[k], p);
    y[k] = needs_care(value) ? settle(rule, p, are_defaults, x[k], value) : (float)value;
  }
  return GELU_OK;
}
