/* The true result of one function, order and set of parameters, for every input: by a proved rule, by long double or
 * binary128 arithmetic with an error bound, and by MPFR where these cannot decide. */
#ifndef GELU_TRUTH_H
#define GELU_TRUTH_H

#include "activation.h"
#include "reference.h"
#include "tally.h"
#include "wide.h"

enum { MOST_ZEROS = 8 };

typedef struct {
  const activation *row;
  const reference_function *reference;
  int wide; /* number of the function in wide.h */
  int order;
  int defaults; /* the parameters are the default ones */
  int smooth;   /* no kink at 0 */
  double parameters[ACTIVATION_MAX_PARAMETERS];
  double at_limit[2]; /* the contract's results at -infinity and +infinity, */
  double at_zero[2];  /* ... at -0 and +0 */
  int zeros_count;    /* zeros of a derivative */
  double zeros[MOST_ZEROS];
} target;

/* parameters NULL: the defaults. */
target target_of(const activation *row, int order, const double *parameters);

/* What is known of a float32 result without MPFR. */
typedef struct {
  enclosure truth; /* unless by_rule */
  float nearest;   /* the float32 nearest to the truth if `sure` */
  int sure;
  int by_rule;
  int close; /* nearer to the middle of two float32 numbers than 2^-36 of itself: a kernel may have to fall back */
} verdict;

verdict verdict_at(const target *t, float x);

/* The nearest float32 by MPFR; the input joins the lists of the hardest. */
float settle(const target *t, float x, tally *found);

/* The truth between two bounds, for every x. */
enclosure truth_at(const target *t, float x);

/* Judges a result that differs from the nearest (float32), or any result (float64), by its error in ULP: raises
 * `worst`, reports a fault where the error is above `allowed` ULP and (float64 near a zero of a derivative) 2^-52. */
void judge_f32(const target *t, float x, float y, double allowed, extreme *worst, tally *found);
void judge_f64(const target *t, double x, double y, double allowed, tally *found);

/* Compare the reference itself with MPFR: a difference beyond its error bound is a fault of the proof. */
void check_long(const target *t, float x, enclosure truth, tally *found);
void check_rule(const target *t, float x, float nearest, tally *found);
void check_quad(const target *t, double x, tally *found);

/* Both NaN, or the same bits. */
int same_f32(float a, float b);
int same_f64(double a, double b);

#endif
