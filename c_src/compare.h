/* Largest and root-mean-square difference of two functions of the table over an interval. */
#ifndef GELU_COMPARE_H
#define GELU_COMPARE_H

#include "activation.h"
#include "status.h"

typedef struct {
  const activation *function;
  const double *parameters; /* NULL: the defaults */
} compare_side;

typedef struct {
  double error; /* the largest |a - b|, or |a - b| / |b| where relative */
  double at;    /* where it is reached; of two equal places the one further to the left */
  double rms;   /* root mean square of the same difference over the interval */
} comparison;

gelu_status compare_functions(compare_side a, compare_side b, int order, double from, double to, int relative,
                              comparison *result);

#endif
