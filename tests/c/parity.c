/* Hashes of the native kernels' results for seeded inputs; tests/node/parity.test.mjs compares them with WebAssembly's.
 *
 *     parity            one line for each case: its name and the hash of its results
 *     parity NAME       the bits of that case's results, one a line
 *     parity random     the bits of 100,000 normal random numbers (tests/node/random.test.mjs)
 *
 * A case is function.order.type.parameters: type f64, f32 or fast (float32, fast tier); parameters are the defaults, or
 * all of them times 1.25 ("other"). Inputs take turns: arbitrary bits, and evenly spread over small, middling and large
 * ranges. Every NaN counts as the same. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "random.h"

enum {
  BATCH = 4096,
  COUNT_DEFAULTS = 1048576,
  COUNT_OTHERS = 131072, /* other parameters */
  COUNT_NORMALS = 100000
};

typedef enum { F64, F32, FAST, TYPES } result_type;

static const char *const type_names[TYPES] = {"f64", "f32", "fast"};

static uint32_t input_state;

static uint32_t input_bits(void) {
  input_state += UINT32_C(0x9e3779b9);
  uint32_t z = input_state;
  z = (z ^ (z >> 16)) * UINT32_C(0x21f0aaad);
  z = (z ^ (z >> 15)) * UINT32_C(0x735a2d97);
  return z ^ (z >> 15);
}

/* Half-widths of the ranges, in the inputs' turns after the arbitrary bits. */
static const double single_widths[3] = {4, 20, 120};
static const double double_widths[3] = {4, 45, 800};

static double evenly(uint32_t bits, double width) { return (double)bits * 0x1p-32 * (2 * width) - width; }

static float single_input(size_t k) {
  const uint32_t bits = input_bits();
  float x;
  if (k % 4 != 0) return (float)evenly(bits, single_widths[k % 4 - 1]);
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double double_input(size_t k) {
  const uint32_t low = input_bits(), high = input_bits();
  const uint64_t bits = ((uint64_t)high << 32) | low;
  double x;
  if (k % 4 != 0) return evenly(high, double_widths[k % 4 - 1]) + (double)low * 0x1p-60;
  memcpy(&x, &bits, sizeof x);
  return x;
}

typedef struct {
  uint32_t first, second;
  int print;
} sink;

static uint32_t rotated(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

static void take(sink *s, uint32_t word) {
  s->first = rotated(s->first ^ word, 13) * UINT32_C(0x85ebca6b);
  s->second = rotated(s->second ^ word, 17) * UINT32_C(0xc2b2ae35);
}

static void take_single(sink *s, float y) {
  uint32_t bits;
  memcpy(&bits, &y, sizeof bits);
  if (y != y) bits = UINT32_C(0x7fc00000);
  take(s, bits);
  if (s->print) printf("%08" PRIx32 "\n", bits);
}

static void take_double(sink *s, double y) {
  uint64_t bits;
  memcpy(&bits, &y, sizeof bits);
  if (y != y) bits = UINT64_C(0x7ff8000000000000);
  take(s, (uint32_t)bits);
  take(s, (uint32_t)(bits >> 32));
  if (s->print) printf("%016" PRIx64 "\n", bits);
}

typedef struct {
  const activation *function;
  int index, order, other;
  result_type type;
} parity_case;

/* PARITY_COUNT in the environment (tests/prove/prove.mjs) asks for more; a number of whole batches comes of it. */
static size_t count_of(parity_case c) {
  const char *wanted = getenv("PARITY_COUNT");
  if (wanted == NULL) return c.other ? COUNT_OTHERS : COUNT_DEFAULTS;
  return ((size_t)strtoul(wanted, NULL, 10) + BATCH - 1) / BATCH * BATCH;
}

static void run(parity_case c, sink *s) {
  static double doubles[BATCH];
  static float singles[BATCH];
  double parameters[ACTIVATION_MAX_PARAMETERS];
  for (int k = 0; k < ACTIVATION_MAX_PARAMETERS; k++) parameters[k] = c.function->parameters[k].value * 1.25;
  const double *const p = c.other ? parameters : NULL;
  input_state = (uint32_t)(c.index * 3 + c.order);
  for (size_t start = 0; start < count_of(c); start += BATCH) {
    gelu_status status;
    if (c.type == F64) {
      for (size_t k = 0; k < BATCH; k++) doubles[k] = double_input(k);
      status = batch_f64(c.function, c.order, p, doubles, doubles, BATCH);
      for (size_t k = 0; k < BATCH; k++) take_double(s, doubles[k]);
    } else {
      for (size_t k = 0; k < BATCH; k++) singles[k] = single_input(k);
      status = batch_f32(c.function, c.order, p, c.type == FAST ? BATCH_FAST : BATCH_DEFAULT, singles, singles, BATCH);
      for (size_t k = 0; k < BATCH; k++) take_single(s, singles[k]);
    }
    if (status != GELU_OK) {
      fprintf(stderr, "status %d\n", (int)status);
      exit(1);
    }
  }
}

static int print_normals(void) {
  sink s = {0, 0, 1};
  random_state random;
  random_seed(&random, 2026);
  for (int i = 0; i < COUNT_NORMALS; i++) take_double(&s, random_normal(&random));
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "random") == 0) return print_normals();
  int found = 0;
  for (int index = 0; index < activation_count(); index++) {
    for (int order = 0; order < ACTIVATION_ORDERS; order++) {
      for (int other = 0; other < 2; other++) {
        for (int type = 0; type < TYPES; type++) {
          const parity_case c = {activation_at(index), index, order, other, (result_type)type};
          if (other && c.function->parameter_count == 0) continue;
          char name[80];
          snprintf(name, sizeof name, "%s.%d.%s.%s", c.function->id, order, type_names[type],
                   other ? "other" : "default");
          if (argc > 1 && strcmp(argv[1], name) != 0) continue;
          found = 1;
          sink s = {0, 0, argc > 1};
          run(c, &s);
          if (argc == 1) printf("%s %08" PRIx32 "%08" PRIx32 "\n", name, s.first, s.second);
        }
      }
    }
  }
  if (!found) fprintf(stderr, "no case %s\n", argv[1]);
  return found ? 0 : 2;
}
