/* What the fuzz targets share: numbers out of the fuzzer's bytes, memory between guard zones, and REQUIRE.
 *
 * A target is one function, LLVMFuzzerTestOneInput, built with AddressSanitizer and UndefinedBehaviorSanitizer; a
 * property that does not hold stops it. Where the bytes end, zeros follow, so every input is a whole test. */
#ifndef GELU_FUZZ_H
#define GELU_FUZZ_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "activation.h"
#include "status.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define REQUIRE(condition)                                                           \
  do {                                                                               \
    if (!(condition)) {                                                              \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                       \
    }                                                                                \
  } while (0)

/* ---- numbers ---- */

typedef struct {
  const uint8_t *bytes;
  size_t left;
} source;

static inline void take_bytes(source *from, void *to, size_t n) {
  const size_t there = n < from->left ? n : from->left;
  memset(to, 0, n);
  if (there > 0) memcpy(to, from->bytes, there);
  from->bytes += there;
  from->left -= there;
}

static inline uint8_t take_byte(source *from) {
  uint8_t x;
  take_bytes(from, &x, sizeof x);
  return x;
}

static inline uint32_t take_word(source *from) {
  uint32_t x;
  take_bytes(from, &x, sizeof x);
  return x;
}

static inline double any_double(source *from) {
  double x;
  take_bytes(from, &x, sizeof x);
  return x;
}

static inline float any_float(source *from) {
  float x;
  take_bytes(from, &x, sizeof x);
  return x;
}

/* from 0 to most - 1 */
static inline size_t take_below(source *from, size_t most) { return take_byte(from) % most; }

/* Numbers where something happens, any bits, and numbers of ordinary size, as the first byte says. */
static inline double take_double(source *from) {
  static const double specials[] = {0.0,
                                    -0.0,
                                    (double)INFINITY,
                                    -(double)INFINITY,
                                    (double)NAN,
                                    0x1p-1074,
                                    -1e-308,
                                    0x1p-57,
                                    1,
                                    -1,
                                    -12.9,
                                    39,
                                    -40,
                                    -708.5,
                                    745,
                                    1e20,
                                    0x1p500,
                                    -0x1p1000,
                                    1e308,
                                    0x1p-1022,
                                    0.044715,
                                    1.702,
                                    1e4,
                                    -1e4};
  const uint8_t kind = take_byte(from);
  if (kind < sizeof specials / sizeof specials[0]) return specials[kind];
  if (kind < 128) return any_double(from);
  const double scale = kind < 192 ? 8 : kind < 224 ? 64 : kind < 240 ? 1024 : 1e-4;
  return ((double)take_word(from) * 0x1p-31 - 1) * scale;
}

static inline float take_float(source *from) {
  static const float specials[] = {0.0f,    -0.0f,     INFINITY, -INFINITY, NAN,  0x1p-149f,
                                   -1e-38f, 0x1p-126f, 1,        -14.2f,    1e38f};
  const uint8_t kind = take_byte(from);
  if (kind < sizeof specials / sizeof specials[0]) return specials[kind];
  if (kind < 128) return any_float(from);
  return ((float)(take_word(from) >> 8) * 0x1p-23f - 1) * (kind < 224 ? 8.0f : 128.0f);
}

static inline double take_finite(source *from) {
  const double x = take_double(from);
  return isfinite(x) ? x : 1;
}

/* What is taken for a size or a seed. */
static inline int is_whole(double x) { return x >= 0 && x <= 0x1p53 && x == floor(x); }

/* A number that JavaScript might hand over for an index, an option or a flag: mostly one of 0 … most - 1. */
static inline int32_t take_index(source *from, int32_t most) {
  const uint8_t kind = take_byte(from);
  return kind < 224 ? kind % most : (int32_t)take_word(from);
}

/* … and for a size: mostly small, else any number. */
static inline uint32_t take_size(source *from, uint32_t small) {
  const uint8_t kind = take_byte(from);
  return kind < 240 ? kind % (small + 1) : take_word(from);
}

/* ---- the same number: a NaN may have any sign and payload ---- */

static inline int same_f64(double a, double b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }
static inline int same_f32(float a, float b) { return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0; }

/* ---- memory ---- */

enum { GUARD = 64, MOST_BLOCKS = 48 };

/* Blocks of one input: a guard zone, what is used, and the end of what malloc gave, beyond which the sanitizer looks.
 */
typedef struct {
  struct {
    uint8_t *base;
    size_t before, bytes;
  } blocks[MOST_BLOCKS];
  size_t count;
} memory;

/* A block whose contents are open, `offset` bytes further than a multiple of 16. */
static inline void *unfilled(memory *m, size_t bytes, size_t offset) {
  const size_t before = GUARD + offset;
  uint8_t *base = malloc(before + bytes);
  REQUIRE(base != NULL && m->count < MOST_BLOCKS);
  memset(base, 0xff, before);
  m->blocks[m->count].base = base;
  m->blocks[m->count].before = before;
  m->blocks[m->count++].bytes = bytes;
  return base + before;
}

/* The same filled with a pattern that is a NaN as float32 and float64. */
static inline void *guarded(memory *m, size_t bytes, size_t offset) {
  return memset(unfilled(m, bytes, offset), 0xff, bytes);
}

/* A quarter of a megabyte for the products of matrices takes too long to be filled. */
static inline float *workspace_of(memory *m, size_t n) { return unfilled(m, n * sizeof(float), 0); }

static inline double *doubles(memory *m, size_t n) { return guarded(m, n * sizeof(double), 0); }
static inline float *floats(memory *m, size_t n) { return guarded(m, n * sizeof(float), 0); }

static inline double *some_doubles(memory *m, source *from, size_t n) {
  double *x = guarded(m, n * sizeof *x, 8 * take_below(from, 2));
  for (size_t k = 0; k < n; k++) x[k] = take_double(from);
  return x;
}

static inline float *some_floats(memory *m, source *from, size_t n) {
  float *x = guarded(m, n * sizeof *x, 4 * take_below(from, 4));
  for (size_t k = 0; k < n; k++) x[k] = take_float(from);
  return x;
}

/* Fills an array of any length from few bytes: those there are, in turn. */
static inline float *many_floats(memory *m, source *from, size_t n) {
  enum { FEW = 12 };
  float few[FEW], *x = floats(m, n);
  for (size_t k = 0; k < FEW; k++) few[k] = take_float(from);
  for (size_t k = 0; k < n; k++) x[k] = few[(k * 7 + k / 5) % FEW];
  return x;
}

static inline void *copy_of(memory *m, const void *from, size_t bytes) {
  void *copy = guarded(m, bytes, 0);
  if (bytes > 0) memcpy(copy, from, bytes);
  return copy;
}

/* Whether it still holds the pattern. */
static inline int is_untouched(const void *block, size_t bytes) {
  const uint8_t *at = block;
  for (size_t k = 0; k < bytes; k++)
    if (at[k] != 0xff) return 0;
  return 1;
}

static inline void release(memory *m) {
  for (size_t k = 0; k < m->count; k++) {
    REQUIRE(is_untouched(m->blocks[k].base, m->blocks[k].before));
    free(m->blocks[k].base);
  }
  m->count = 0;
}

/* ---- rows of the table and their parameters ---- */

/* NULL, or as many numbers as a row may have. */
static inline double *take_parameters(memory *m, source *from) {
  if (take_below(from, 3) == 0) return NULL;
  double *p = doubles(m, ACTIVATION_MAX_PARAMETERS);
  for (int k = 0; k < ACTIVATION_MAX_PARAMETERS; k++) p[k] = take_double(from);
  return p;
}

static inline const activation *take_row(source *from) {
  return activation_at((int)take_below(from, (size_t)activation_count()));
}

/* Finite numbers for a row, in `room`: the defaults, numbers that the page offers, or any. */
static inline const double *finite_parameters(source *from, const activation *row, double *room) {
  const size_t kind = take_below(from, 4);
  for (int k = 0; k < row->parameter_count; k++) {
    const activation_parameter *p = &row->parameters[k];
    room[k] = kind == 0   ? p->value
              : kind == 1 ? p->min + (p->max - p->min) * (take_byte(from) / 255.0)
              : kind == 2 ? (double)take_word(from) * 0x1p-32 * 20 - 10
                          : take_finite(from);
  }
  return room;
}

/* What a call with these arguments has to answer first (batch.h). */
static inline gelu_status activation_fault(const activation *row, const double *parameters) {
  if (row == NULL) return GELU_UNKNOWN_FUNCTION;
  for (int k = 0; parameters != NULL && k < row->parameter_count; k++)
    if (!isfinite(parameters[k])) return GELU_BAD_PARAMETER;
  return GELU_OK;
}

#endif
