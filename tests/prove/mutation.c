/* A library with one wrong result, for the test of the proof itself: linked between the tool and batch_f32, batch_f64.
 *
 *   MUTATE_F32=BITS        the result for the float32 input with these bits (hexadecimal) is one float32 further from
 * 0, MUTATE_BY=N            ... or N MUTATE_WHERE=alone     only in batches of one; batch: only in larger ones
 *   MUTATE_TIER=1          in the fast tier instead of the default one
 *   MUTATE_EVERY_F64=1     every 1000th float64 result is three float64 numbers further from 0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"

gelu_status __real_batch_f32(const activation *function, int order, const double *parameters, batch_accuracy accuracy,
                             const float *x, float *y, size_t n);
gelu_status __real_batch_f64(const activation *function, int order, const double *parameters, const double *x,
                             double *y, size_t n);
gelu_status __wrap_batch_f32(const activation *function, int order, const double *parameters, batch_accuracy accuracy,
                             const float *x, float *y, size_t n);
gelu_status __wrap_batch_f64(const activation *function, int order, const double *parameters, const double *x,
                             double *y, size_t n);

static int number_of(const char *variable, int otherwise) {
  const char *value = getenv(variable);
  return value == NULL ? otherwise : atoi(value);
}

static int is_place(const float *x, size_t k, size_t n) {
  const char *where = getenv("MUTATE_WHERE");
  if (where == NULL) return 1;
  if (strcmp(where, "lone") == 0) return n > 1 && x[(k + 1) % n] == 0.75f;
  return (strcmp(where, "alone") == 0) == (n == 1);
}

gelu_status __wrap_batch_f32(const activation *function, int order, const double *parameters, batch_accuracy accuracy,
                             const float *x, float *y, size_t n) {
  const gelu_status status = __real_batch_f32(function, order, parameters, accuracy, x, y, n);
  const char *value = getenv("MUTATE_F32");
  if (value == NULL || (int)accuracy != number_of("MUTATE_TIER", 0)) return status;
  const uint32_t wanted = (uint32_t)strtoul(value, NULL, 16);
  for (size_t k = 0; k < n; k++)
    if (memcmp(&x[k], &wanted, sizeof wanted) == 0 && is_place(x, k, n)) {
      uint32_t result;
      memcpy(&result, &y[k], sizeof result);
      result += (uint32_t)number_of("MUTATE_BY", 1);
      memcpy(&y[k], &result, sizeof result);
    }
  return status;
}

gelu_status __wrap_batch_f64(const activation *function, int order, const double *parameters, const double *x,
                             double *y, size_t n) {
  const gelu_status status = __real_batch_f64(function, order, parameters, x, y, n);
  if (getenv("MUTATE_EVERY_F64") == NULL) return status;
  for (size_t k = 0; k < n; k += 1000) {
    uint64_t result;
    memcpy(&result, &y[k], sizeof result);
    result += 3;
    memcpy(&y[k], &result, sizeof result);
  }
  return status;
}
