/* Every activation and its derivatives to any precision, by MPFR; the formulas are those of the textbooks and share
 * nothing with the kernels. For the generator of the vectors and for the tools in tests/prove. */
#ifndef GELU_REFERENCE_H
#define GELU_REFERENCE_H

#include <mpfr.h>

enum { REFERENCE_PARAMETERS = 2, REFERENCE_ORDERS = 3 };

typedef struct reference_function reference_function;

int reference_count(void);
const reference_function *reference_at(int index);
const reference_function *reference_find(const char *id);
const char *reference_id(const reference_function *function);
int reference_parameter_count(const reference_function *function);
int reference_orders(const reference_function *function); /* 1 where only the value is defined */
const double *reference_defaults(const reference_function *function);

/* The true result, correct to 100 bits, or exactly rounded where that is said; zeros have the sign of the contract. */
void reference_true(mpfr_t result, const reference_function *function, int order, const double *parameters, double x);

/* The float64 and the float32 nearest to it (to even where two are equally near). */
double reference_f64(const reference_function *function, int order, const double *parameters, double x);
float reference_f32(const reference_function *function, int order, const double *parameters, double x);

/* The zero of the contract that stands for `truth` where it is 0 or underflows. */
double reference_round_f64(const mpfr_t truth);
float reference_round_f32(const mpfr_t truth);

/* How far got is from the truth, in units of the last place of the float64 nearest to the truth. */
double reference_error_in_ulps(const mpfr_t truth, double got);

#endif
