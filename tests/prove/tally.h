/* What one piece of the proof found, and its report as one line of JSON. */
#ifndef GELU_TALLY_H
#define GELU_TALLY_H

#include <stdint.h>

enum { HARDEST = 64, FAULTS_TOLD = 10, FAULT_LENGTH = 200 };

typedef struct {
  double size, x;
} extreme;

/* An input whose true result lies `distance` of itself from the middle of two float32 numbers. */
typedef struct {
  float x, nearest;
  double distance;
} hard_input;

typedef struct {
  int count;
  hard_input inputs[HARDEST]; /* by distance */
} hard_list;

typedef struct {
  uint64_t inputs;
  uint64_t wrong;       /* outside the contract, for whatever reason: each one is a fault */
  uint64_t not_nearest; /* float32 results that are not the float32 nearest to the truth */
  uint64_t by_rule;     /* decided by a proved rule */
  uint64_t by_mpfr;     /* decided by MPFR because the wide reference could not, or to get a worst error exactly */
  uint64_t checked;     /* inputs on which the wide reference itself was compared with MPFR */
  double deviation;     /* the largest difference there, as a share of the error bound */
  extreme worst;        /* ULP, default tier */
  extreme near_zero;    /* float64 within 1/4 of a zero of a derivative, errors above 1 ULP: units of 2^-52 */
  extreme fast;         /* ULP, fast tier */
  hard_list small_hard, hard; /* |x| < 2^-12, where they come from the first terms of a series; and the others */
  int faults_told;
  char faults[FAULTS_TOLD][FAULT_LENGTH];
} tally;

void extreme_raise(extreme *e, double size, double x);

/* Counts an input as wrong and keeps the text of the first few. */
void tally_fault(tally *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

void hard_list_add(hard_list *list, hard_input input);

/* One line on standard output. */
void tally_print(const tally *t, double seconds);

#endif
