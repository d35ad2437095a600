#include "batch.h"

#include <string.h>

#include "fast_f32.h"
#include "pair.h"
#include "rounded_f32.h"

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

/* Inputs are copied in pieces, since y may be x: 1 kB of float64. */
enum { CHUNK = 128 };

gelu_status batch_f64(const activation *function, int order, const double *parameters, const double *x, double *y,
                      size_t n) {
  const gelu_status status = check(function, order, parameters, BATCH_DEFAULT, x, y, n);
  if (status != GELU_OK) return status;
  double defaults[ACTIVATION_MAX_PARAMETERS];
  run_kernel(function->kernel[order], parameters_or_defaults(function, parameters, defaults), x, y, n);
  return GELU_OK;
}

gelu_status batch_value_and_derivative_f64(const activation *function, const double *parameters, const double *x,
                                           double *y, double *derivative, size_t n) {
  gelu_status status = check(function, 0, parameters, BATCH_DEFAULT, x, y, n);
  if (status == GELU_OK && n > 0 && derivative == NULL) status = GELU_NULL_POINTER;
  if (status != GELU_OK) return status;
  double defaults[ACTIVATION_MAX_PARAMETERS];
  const double *p = parameters_or_defaults(function, parameters, defaults);
  const size_t whole = function->joint != NULL ? n - n % KERNEL_STEP : 0;
  if (whole > 0) function->joint(p, x, y, derivative, whole);
  for (size_t start = whole; start < n; start += CHUNK) {
    const size_t count = n - start < CHUNK ? n - start : CHUNK;
    double inputs[CHUNK];
    memcpy(inputs, x + start, count * sizeof *x);
    run_kernel(function->kernel[0], p, inputs, y + start, count);
    run_kernel(function->kernel[1], p, inputs, derivative + start, count);
  }
  return GELU_OK;
}

gelu_status batch_f32(const activation *function, int order, const double *parameters, batch_accuracy accuracy,
                      const float *x, float *y, size_t n) {
  const gelu_status status = check(function, order, parameters, (int)accuracy, x, y, n);
  if (status != GELU_OK) return status;
  double defaults[ACTIVATION_MAX_PARAMETERS];
  const double *p = parameters_or_defaults(function, parameters, defaults);
  if (accuracy == BATCH_FAST && fast_f32(function, order, p, x, y, n)) return GELU_OK;
  rounded_f32(function, order, p, x, y, n);
  return GELU_OK;
}

gelu_status batch_value_and_derivative_f32(const activation *function, const double *parameters,
                                           batch_accuracy accuracy, const float *x, float *y, float *derivative,
                                           size_t n) {
  gelu_status status = check(function, 0, parameters, (int)accuracy, x, y, n);
  if (status == GELU_OK && n > 0 && derivative == NULL) status = GELU_NULL_POINTER;
  if (status != GELU_OK) return status;
  double defaults[ACTIVATION_MAX_PARAMETERS];
  const double *p = parameters_or_defaults(function, parameters, defaults);
  if (accuracy == BATCH_FAST && fast_f32_with_slope(function, p, x, y, derivative, n)) return GELU_OK;
  for (size_t start = 0; start < n && status == GELU_OK; start += CHUNK) {
    const size_t count = n - start < CHUNK ? n - start : CHUNK;
    float inputs[CHUNK];
    memcpy(inputs, x + start, count * sizeof *x);
    status = batch_f32(function, 0, parameters, accuracy, inputs, y + start, count);
    if (status == GELU_OK) status = batch_f32(function, 1, parameters, accuracy, inputs, derivative + start, count);
  }
  return status;
}
