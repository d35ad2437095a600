/* Largest and root-mean-square difference of two functions of the table over an interval, and the parameters for which
 * the largest is least.
 *
 * |a - b|, or |a - b|/|b| where `relative`, of value or derivative of the given order. Nothing is allocated.
 *
 * How: the interval is sampled in steps of at most 1/64 of |x| (down to 2^-20), at most 1/4, and at least 256 of them
 * on either side of 0, where functions of the table may have kinks. Each local maximum that could be the largest is
 * refined by bisection on the derivative of the difference. A structure narrower than these steps can be missed: a gate
 * steeper than 1e5 at 0, or one narrower than 1/4 away from it.
 * The rms is an adaptive five-point Gauss quadrature.
 *
 * How exact: `error` to what rounding leaves of a - b (2^-52 of a and b: 12 digits and more for the approximations of
 * GELU), `at` to about 1e-12 for orders 0 and 1 and 1e-7 for order 2, where the third derivative is taken numerically;
 * `rms` to nine digits or more.
 *
 * At 0 a jump counts with both of its limits. With `relative`, points where the reference b is 0 are left out (of the
 * rms, too); where b changes sign while a is not 0 there, or vanishes at 0 while a does not, the relative error has no
 * bound: then `error` and `rms` are INFINITY and `at` is such a zero. Where a result is infinite
 * (it takes parameters like 1e308) the difference is INFINITY, unless both are the same infinity: such points
 * are left out. If nothing is left, error and rms are 0 and `at` is `from`.
 *
 * Checked in this order, the first fault is the answer, and then nothing is written:
 *   a function NULL                                   GELU_UNKNOWN_FUNCTION
 *   order not 0, 1, 2                                 GELU_UNKNOWN_ORDER
 *   a parameter NaN or infinite                       GELU_BAD_PARAMETER
 *   not from < to, or one beyond 1e4 in size or NaN   GELU_BAD_INTERVAL
 *   result NULL                                       GELU_NULL_POINTER */
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
  double at;    /* where it is reached; of two places equal within rounding the one further to the left */
  double rms;   /* root mean square of the same difference over the interval */
} comparison;

gelu_status compare_functions(compare_side a, compare_side b, int order, double from, double to, int relative,
                              comparison *result);

/* ---- the best parameters ---- */

/* Search for the values of one or two parameters of `a` for which the largest |a - b| over the interval is least.
 *
 * How: first the largest difference is found on a grid over the ranges that the table gives for the parameters; the
 * ends belong to it. From the best point on, every local maximum of the difference is taken to change linearly with the
 * parameters; the step to where the largest of these is least is made as far as this is to be trusted (a trust region).
 * Where the best error is equalised, that is, taken at more places than there are parameters, this doubles the number
 * of right digits each time. A minimum in a valley of E(p) narrower than the grid can be missed; outside the ranges
 * none is looked for.
 *
 * How exact: `error` as compare_functions; the parameters to about 1e-12 where the best error is equalised; where it
 * is the smooth minimum of one maximum, to about 1e-7. Where no parameter matters, the first point of the grid stands.
 *
 * A search is carried on step by step, so that it can show where it is and be given up: fit_start, then fit_step until
 * it answers 0. `best` to `at` can be read between any two steps. Nothing is allocated; the state holds no pointer to
 * itself and may be copied. */
typedef struct {
  int done, steps;                        /* steps taken so far */
  int grid_steps;                         /* how many of them the grid takes */
  double best[ACTIVATION_MAX_PARAMETERS]; /* all parameters of `a`, in the row's order, the best so far */
  double error, at;                       /* the largest difference there, and where */
  /* what follows is the search's own */
  const activation *a, *b;
  double reference[ACTIVATION_MAX_PARAMETERS];
  int order, count, varied[ACTIVATION_MAX_PARAMETERS];
  double from, to, radius;
} parameter_fit;

/* vary: bit j set for the parameter j of `a` to be found; the others keep the given values, or their defaults.
 * Faults as for compare_functions, and GELU_UNKNOWN_OPTION where vary names no parameter or one that `a` lacks; it is
 * looked for after the order. Takes no step. */
gelu_status fit_start(parameter_fit *fit, compare_side a, compare_side b, int order, double from, double to,
                      unsigned vary);

/* One point of the grid, or one step after it, some thousand evaluations of both functions. Answers whether the search
 * goes on; after its end nothing is done. */
int fit_step(parameter_fit *fit);

#endif
