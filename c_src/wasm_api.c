/* The only C file that knows JavaScript: flat numbers and pointers in, checks, forwards.
 *
 * Functions are named by their row in the activation table. Pointers are offsets into the wasm memory and must come
 * from malloc(), 8-byte aligned; the caller frees. A `parameters` pointer of 0 means the defaults. Every function that
 * can fail answers a gelu_status (status.h); the others answer 0 for a row or parameter that does not exist. */
#include <stddef.h>
#include <stdint.h>

#include "activation.h"
#include "batch.h"
#include "compare.h"
#include "random.h"

/* Declared here and not in a header because nothing in C calls them; exports.txt is their list. */
int32_t gelu_function_count(void);
const char *gelu_function_id(int32_t function);
int32_t gelu_parameter_count(int32_t function);
const char *gelu_parameter_name(int32_t function, int32_t parameter);
double gelu_parameter_value(int32_t function, int32_t parameter);
double gelu_parameter_min(int32_t function, int32_t parameter);
double gelu_parameter_max(int32_t function, int32_t parameter);
int32_t gelu_evaluate_f64(int32_t function, int32_t order, const double *parameters, const double *x, double *y,
                          uint32_t n);
int32_t gelu_evaluate_f32(int32_t function, int32_t order, const double *parameters, int32_t accuracy, const float *x,
                          float *y, uint32_t n);

/* Values to y and first derivatives to dy, in one pass where there is a kernel for that. */
int32_t gelu_evaluate_both_f64(int32_t function, const double *parameters, const double *x, double *y, double *dy,
                               uint32_t n);
int32_t gelu_evaluate_both_f32(int32_t function, const double *parameters, int32_t accuracy, const float *x, float *y,
                               float *dy, uint32_t n);

/* result: three numbers, the largest difference, where it is, and the root mean square. */
int32_t gelu_max_error(int32_t function, const double *parameters, int32_t reference,
                       const double *reference_parameters, int32_t order, double from, double to, int32_t relative,
                       double *result);

/* state: sizeof(random_state) bytes, 8-byte aligned. seed: a whole number from 0 to 2^53. */
int32_t gelu_random_bytes(void);
int32_t gelu_random_seed(random_state *state, double seed);
int32_t gelu_random_uniform(random_state *state, double *out, uint32_t n);
int32_t gelu_random_normal(random_state *state, double *out, uint32_t n);

static const activation_parameter *find_parameter(int32_t function, int32_t parameter) {
  const activation *row = activation_at(function);
  return row != NULL && parameter >= 0 && parameter < row->parameter_count ? &row->parameters[parameter] : NULL;
}

int32_t gelu_function_count(void) { return activation_count(); }

const char *gelu_function_id(int32_t function) {
  const activation *row = activation_at(function);
  return row != NULL ? row->id : NULL;
}

int32_t gelu_parameter_count(int32_t function) {
  const activation *row = activation_at(function);
  return row != NULL ? row->parameter_count : 0;
}

const char *gelu_parameter_name(int32_t function, int32_t parameter) {
  const activation_parameter *found = find_parameter(function, parameter);
  return found != NULL ? found->name : NULL;
}

double gelu_parameter_value(int32_t function, int32_t parameter) {
  const activation_parameter *found = find_parameter(function, parameter);
  return found != NULL ? found->value : 0;
}

double gelu_parameter_min(int32_t function, int32_t parameter) {
  const activation_parameter *found = find_parameter(function, parameter);
  return found != NULL ? found->min : 0;
}

double gelu_parameter_max(int32_t function, int32_t parameter) {
  const activation_parameter *found = find_parameter(function, parameter);
  return found != NULL ? found->max : 0;
}

int32_t gelu_evaluate_f64(int32_t function, int32_t order, const double *parameters, const double *x, double *y,
                          uint32_t n) {
  return (int32_t)batch_f64(activation_at(function), order, parameters, x, y, n);
}

int32_t gelu_evaluate_f32(int32_t function, int32_t order, const double *parameters, int32_t accuracy, const float *x,
                          float *y, uint32_t n) {
  return (int32_t)batch_f32(activation_at(function), order, parameters, (batch_accuracy)accuracy, x, y, n);
}

int32_t gelu_evaluate_both_f64(int32_t function, const double *parameters, const double *x, double *y, double *dy,
                               uint32_t n) {
  return (int32_t)batch_value_and_derivative_f64(activation_at(function), parameters, x, y, dy, n);
}

int32_t gelu_evaluate_both_f32(int32_t function, const double *parameters, int32_t accuracy, const float *x, float *y,
                               float *dy, uint32_t n) {
  return (int32_t)batch_value_and_derivative_f32(activation_at(function), parameters, (batch_accuracy)accuracy, x, y,
                                                 dy, n);
}

int32_t gelu_max_error(int32_t function, const double *parameters, int32_t reference,
                       const double *reference_parameters, int32_t order, double from, double to, int32_t relative,
                       double *result) {
  comparison found;
  gelu_status status = compare_functions((compare_side){activation_at(function), parameters},
                                         (compare_side){activation_at(reference), reference_parameters}, order, from,
                                         to, relative, &found);
  if (status != GELU_OK) return (int32_t)status;
  if (result == NULL) return (int32_t)GELU_NULL_POINTER;
  result[0] = found.error;
  result[1] = found.at;
  result[2] = found.rms;
  return (int32_t)GELU_OK;
}

int32_t gelu_random_bytes(void) { return (int32_t)sizeof(random_state); }

int32_t gelu_random_seed(random_state *state, double seed) {
  if (state == NULL) return (int32_t)GELU_NULL_POINTER;
  if (!(seed >= 0 && seed <= 0x1p53)) return (int32_t)GELU_BAD_PARAMETER;
  random_seed(state, (uint64_t)seed);
  return (int32_t)GELU_OK;
}

int32_t gelu_random_uniform(random_state *state, double *out, uint32_t n) {
  if (state == NULL || (out == NULL && n > 0)) return (int32_t)GELU_NULL_POINTER;
  for (uint32_t i = 0; i < n; i++) out[i] = random_uniform(state);
  return (int32_t)GELU_OK;
}

int32_t gelu_random_normal(random_state *state, double *out, uint32_t n) {
  if (state == NULL || (out == NULL && n > 0)) return (int32_t)GELU_NULL_POINTER;
  for (uint32_t i = 0; i < n; i++) out[i] = random_normal(state);
  return (int32_t)GELU_OK;
}
