/* The forms of scalar.h over the C library of this machine.
 *
 *   native time ROUNDS MS <inputs     inputs: float64. For each form a line: its name, then ns per element of each
 * round native values FORM <inputs        inputs and results in the precision of the form */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scalar.h"

#define FLOAT32(name, value)                                                \
  static void name(const void *restrict in, void *restrict out, size_t n) { \
    for (size_t k = 0; k < n; k++) {                                        \
      const float x = ((const float *)in)[k];                               \
      ((float *)out)[k] = value;                                            \
    }                                                                       \
  }
#define FLOAT64(name, value)                                                \
  static void name(const void *restrict in, void *restrict out, size_t n) { \
    for (size_t k = 0; k < n; k++) {                                        \
      const double x = ((const double *)in)[k];                             \
      ((double *)out)[k] = value;                                           \
    }                                                                       \
  }

FORMS_FLOAT32(FLOAT32)
FORMS_FLOAT64(FLOAT64)

static void copy(const void *restrict in, void *restrict out, size_t n) { memcpy(out, in, n * sizeof(float)); }

typedef struct {
  const char *name;
  size_t size; /* of one number */
  void (*run)(const void *restrict in, void *restrict out, size_t n);
} form;

#define ROW32(name, value) {#name, sizeof(float), name},
#define ROW64(name, value) {#name, sizeof(double), name},
static const form forms[] = {FORMS_FLOAT32(ROW32) FORMS_FLOAT64(ROW64){"copy", sizeof(float), copy}};
enum { FORMS = sizeof forms / sizeof forms[0], MOST_ROUNDS = 1000 };

static void *room(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (memory == NULL) {
    fputs("native: out of memory\n", stderr);
    exit(1);
  }
  return memory;
}

static void *read_all(size_t *bytes) {
  size_t capacity = 1 << 20;
  char *data = room(capacity);
  *bytes = 0;
  for (size_t got; (got = fread(data + *bytes, 1, capacity - *bytes, stdin)) > 0;) {
    *bytes += got;
    if (*bytes < capacity) continue;
    char *larger = room(2 * capacity);
    memcpy(larger, data, *bytes);
    free(data);
    data = larger;
    capacity *= 2;
  }
  return data;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds that so many passes took. */
static double sample(const form *row, const void *in, void *out, size_t n, long passes) {
  const double started = seconds();
  for (long k = 0; k < passes; k++) {
    row->run(in, out, n);
    /* The results count as read: no pass may be left out. */
    __asm__ volatile("" : : "r"(out) : "memory");
  }
  return seconds() - started;
}

static void time_all(const double *wide, size_t n, int rounds, double target) {
  static double taken[FORMS][MOST_ROUNDS];
  long passes[FORMS];
  float *narrow = room(n * sizeof *narrow);
  double *out = room(n * sizeof *out);
  for (size_t k = 0; k < n; k++) narrow[k] = (float)wide[k];
  for (int round = -1; round < rounds; round++) {
    for (int f = 0; f < FORMS; f++) {
      const form *row = &forms[f];
      const void *in = row->size == sizeof(float) ? (const void *)narrow : (const void *)wide;
      if (round < 0) {
        /* Warm-up, which also says how many passes fill a sample. */
        sample(row, in, out, n, 1);
        const double once = sample(row, in, out, n, 1);
        passes[f] = once < target ? (long)(target / (once + 1e-9)) + 1 : 1;
        sample(row, in, out, n, passes[f]);
      } else {
        taken[f][round] = sample(row, in, out, n, passes[f]) * 1e9 / (double)passes[f] / (double)n;
      }
    }
  }
  for (int f = 0; f < FORMS; f++) {
    printf("%s", forms[f].name);
    for (int round = 0; round < rounds; round++) printf(" %.5f", taken[f][round]);
    putchar('\n');
  }
  free(narrow);
  free(out);
}

static int print_values(const char *name, const void *in, size_t bytes) {
  for (int f = 0; f < FORMS; f++) {
    if (strcmp(forms[f].name, name) != 0) continue;
    void *out = room(bytes);
    forms[f].run(in, out, bytes / forms[f].size);
    const int complete = fwrite(out, 1, bytes, stdout) == bytes;
    free(out);
    return complete ? 0 : 1;
  }
  return 2;
}

int main(int argc, char **argv) {
  int status = 2;
  size_t bytes;
  if (argc == 4 && strcmp(argv[1], "time") == 0) {
    const int rounds = atoi(argv[2]);
    if (rounds >= 1 && rounds <= MOST_ROUNDS) {
      double *inputs = read_all(&bytes);
      time_all(inputs, bytes / sizeof *inputs, rounds, atof(argv[3]) / 1e3);
      free(inputs);
      status = 0;
    }
  } else if (argc == 3 && strcmp(argv[1], "values") == 0) {
    void *inputs = read_all(&bytes);
    status = print_values(argv[2], inputs, bytes);
    free(inputs);
  }
  if (status == 2) fputs("usage: native time ROUNDS MS | native values FORM\n", stderr);
  return status;
}
