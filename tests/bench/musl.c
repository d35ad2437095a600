/* The forms of scalar.h over Emscripten's libc, which is musl, each exported under its name; and the copy that nothing
 * that reads and writes memory can beat. */
#include "scalar.h"

#define EXPORT(name) __attribute__((export_name(#name)))

#define FLOAT32(name, value)                                                       \
  EXPORT(name) void name(const float *restrict in, float *restrict out, size_t n); \
  void name(const float *restrict in, float *restrict out, size_t n) {             \
    for (size_t k = 0; k < n; k++) {                                               \
      const float x = in[k];                                                       \
      out[k] = value;                                                              \
    }                                                                              \
  }
#define FLOAT64(name, value)                                                         \
  EXPORT(name) void name(const double *restrict in, double *restrict out, size_t n); \
  void name(const double *restrict in, double *restrict out, size_t n) {             \
    for (size_t k = 0; k < n; k++) {                                                 \
      const double x = in[k];                                                        \
      out[k] = value;                                                                \
    }                                                                                \
  }

FORMS_FLOAT32(FLOAT32)
FORMS_FLOAT64(FLOAT64)

/* With -mbulk-memory this is the instruction memory.copy. */
EXPORT(copy) void copy(const float *restrict in, float *restrict out, size_t n);
void copy(const float *restrict in, float *restrict out, size_t n) { __builtin_memcpy(out, in, n * sizeof *in); }
