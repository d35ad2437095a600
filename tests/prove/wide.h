/* The truth between two bounds, from long double and from binary128 arithmetic: fast enough for every float32.
 *
 * Independent of the kernels: other formulas, another library (glibc's libm, libquadmath), another type. What these
 * cannot decide goes to MPFR (truth.h), which also checks them on a sample of the inputs. */
#ifndef GELU_WIDE_H
#define GELU_WIDE_H

#include <float.h>

#if LDBL_MANT_DIG >= 113
typedef long double quad;
#elif LDBL_MANT_DIG == 64
typedef __float128 quad;
#else
#error "the proof needs a long double of at least 64 bits"
#endif

/* |truth - y| <= error. */
typedef struct {
  long double y, error;
} enclosure;

typedef struct {
  quad y, error;
} quad_enclosure;

/* Number of the function in the tables of this file, or -1. */
int wide_find(const char *id);

/* Beyond this size of x each result with default parameters is the limit at infinity: in float64, hence in float32. */
double wide_limit_from(int function);

/* x finite. With default parameters for |x| <= wide_limit_from; with others of size up to 10 for |x| <= 60. */
enclosure wide_at(int function, int order, const double *parameters, float x);
quad_enclosure wide_quad_at(int function, int order, const double *parameters, double x);

#endif
