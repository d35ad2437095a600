#include "batch.h"

static gelu_status check(const activation *function, int order, const double *parameters, const void *x, const void *y,
                         size_t n) {
  if (function == NULL) return GELU_UNKNOWN_FUNCTION;
  if (order < 0 || order >= ACTIVATION_ORDERS) return GELU_UNKNOWN_ORDER;
  for (int i = 0; parameters != NULL && i < function->parameter_count; i++) {
    if (!(parameters[i] - parameters[i] == 0)) return GELU_BAD_PARAMETER;
  }
  return n > 0 && (x == NULL || y == NULL) ? GELU_NULL_POINTER : GELU_OK;
}

typedef struct {
  double value[ACTIVATION_MAX_PARAMETERS];
} parameter_values;

static parameter_values values_or_defaults(const activation *function, const double *parameters) {
  parameter_values result = {{0}};
  for (int i = 0; i < function->parameter_count; i++) {
    result.value[i] = parameters != NULL ? parameters[i] : function->parameters[i].value;
  }
  return result;
}

gelu_status batch_f64(const activation *function, int order, const double *parameters, const double *x, double *y,
                      size_t n) {
  gelu_status status = check(function, order, parameters, x, y, n);
  if (status != GELU_OK) return status;
  parameter_values values = values_or_defaults(function, parameters);
  for (size_t i = 0; i < n; i++) y[i] = function->evaluate[order](x[i], values.value);
  return GELU_OK;
}

gelu_status batch_f32(const activation *function, int order, const double *parameters, batch_accuracy accuracy,
                      const float *x, float *y, size_t n) {
  gelu_status status = check(function, order, parameters, x, y, n);
  if (status != GELU_OK) return status;
  if (accuracy != BATCH_DEFAULT && accuracy != BATCH_FAST) return GELU_UNKNOWN_OPTION;
  parameter_values values = values_or_defaults(function, parameters);
  for (size_t i = 0; i < n; i++) y[i] = (float)function->evaluate[order]((double)x[i], values.value);
  return GELU_OK;
}
