/* THE table of activation functions: identifier, parameters, and value, first and second derivative
 * as scalar float64 functions. Everything that lists or evaluates functions reads this table.
 *
 * Notation: Phi and phi are the normal distribution and its density, S(u) = 1/(1 + exp(-u)).
 *
 *   id            value (order 0)                                     source
 *   gelu          x Phi(x)                                            Hendrycks and Gimpel, arXiv 1606.08415
 *   gelu_tanh     x/2 (1 + tanh(scale (x + cubic x^3)))               the same; = x S(2 scale (x + cubic x^3))
 *   gelu_sigmoid  x S(k x)                                            the same
 *   relu          max(x, 0)                                           Nair and Hinton, ICML 2010
 *   sigmoid       S(k x)
 *   tanh          tanh(x)
 *   silu          x S(beta x)                                         Ramachandran et al., arXiv 1710.05941 ("Swish")
 *   softplus      log(1 + exp(x))                                     Dugas et al., NIPS 2000
 *   elu           x, or alpha (exp(x) - 1) for x <= 0                 Clevert et al., arXiv 1511.07289
 *   leaky_relu    x, or slope x for x <= 0                            Maas et al., ICML 2013
 *   mish          x tanh(log(1 + exp(x)))                             Misra, arXiv 1908.08681
 *   normal_cdf    Phi(x)
 *
 * The derivatives are those of these formulas; kernels_f64.c and kernels_f64_pairs.c have each in the form that does
 * not cancel. A parameter is the float64 number it is: gelu_tanh is exact for the doubles next to sqrt(2/pi) and to
 * 0.044715, gelu_sigmoid for the double next to 1.702.
 *
 * Special values. NaN gives NaN at every order. At a kink (0 of relu, leaky_relu, elu) stands the left derivative:
 * relu'(0) = 0, leaky_relu'(0) = slope, elu'(0) = elu''(0) = alpha. A result that underflows and a limit that is 0 keep
 * the sign of the true values near it:
 *
 *                  at -inf          at -0            at +0            at +inf
 *   order          0    1    2      0    1    2      0    1    2      0    1    2
 *   gelu          -0   -0   -0     -0   1/2  0.798   0   1/2  0.798  inf   1   -0
 *   gelu_tanh     -0   -0   -0     -0   1/2  0.798   0   1/2  0.798  inf   1   -0
 *   gelu_sigmoid  -0   -0   -0     -0   1/2  0.851   0   1/2  0.851  inf   1   -0
 *   relu           0    0    0      0    0    0      0    0    0     inf   1    0
 *   sigmoid        0    0    0     1/2  1/4   0     1/2  1/4  -0      1    0   -0
 *   tanh          -1    0    0     -0    1    0      0    1   -0      1    0   -0
 *   silu          -0   -0   -0     -0   1/2  1/2     0   1/2  1/2    inf   1   -0
 *   softplus       0    0    0    ln 2  1/2  1/4   ln 2  1/2  1/4    inf   1    0
 *   elu           -1    0    0     -0    1    1      0    1    1     inf   1    0
 *   leaky_relu  -inf  0.01   0     -0  0.01   0      0  0.01   0     inf   1    0
 *   mish          -0   -0   -0     -0  0.6  0.64     0  0.6  0.64    inf   1   -0
 *   normal_cdf     0    0    0     1/2 0.399  0     1/2 0.399 -0      1    0   -0
 *
 * relu(x <= 0) is +0, relu(-0) included, and so are leaky_relu with slope 0 and elu with alpha 0, which are ReLU.
 * Any finite parameter and any x give the mathematical limit where products overflow: no NaN ever comes out of numbers.
 * Two underflow too early: sigmoid'' with |k| >= 2^500, and gelu_tanh with |scale| < 2^-800 and |cubic| > 2^600.
 * A parameter that is 0 makes some results 0 for every x (silu'' with beta = 0): those are +0.
 *
 * Worst error, default parameters, in ULP, and where: the largest found against MPFR in 105,000 random inputs for each
 * function and order. That is a sample: the proof (tests/prove) tries 10^7 and found up to 1.76 (tanh).
 * tests/c/test_activation.c holds it.
 *
 *   id            order 0                  order 1                  order 2
 *   gelu          1.42 at -1.84188         1.27 at -12.8125         1.44 at -3.80374
 *   gelu_tanh     1.42 at -2.53141         1.28 at 0.212323         0.96 at -1.41931
 *   gelu_sigmoid  1.35 at -4.6819          1.31 at -3.45672         1.34 at -0.917603
 *   relu          0                        0                        0
 *   sigmoid       1.17 at -5.88268         0.75 at -708.549         0.75 at -708.549
 *   tanh          1.56 at -0.112476        0.65 at -354.997         0.71 at -355.469
 *   silu          1.29 at -8.61357         1.31 at 0.315315         1.00 at -2.40344
 *   softplus      0.75 at -708.549         1.17 at -5.88268         0.75 at -708.549
 *   elu           0.53 at -0.344303        0.82 at -37.7424         0.82 at -37.7424
 *   leaky_relu    0.50 at -1.66677         0                        0
 *   mish          1.00 at 4.79039e-309     1.08 at -1.19162         0.75 at -715.614
 *   normal_cdf    1.41 at -0.818502        1.01 at -0.802961        1.46 at -3.00019
 *
 * The contract is 2 ULP at every order, in the tails as well, down to the last subnormal; within 1/4 of a zero of a
 * derivative 2^-52 absolute is enough. With other parameters of size up to 10 it is 4 ULP; found: 3.18
 * (gelu_sigmoid'' with k = 10). Near zeros, where an ULP is smaller, at most 0.09 of 2^-52 was found. */
#ifndef GELU_ACTIVATION_H
#define GELU_ACTIVATION_H

#include "ieee.h"
#include "kernels_f64.h"

enum {
  ACTIVATION_ORDERS = 3, /* value, first derivative, second derivative */
  ACTIVATION_MAX_PARAMETERS = 2
};

typedef struct {
  const char *name;
  double value;    /* default */
  double min, max; /* the range that sliders and links offer; any finite value is evaluated */
} activation_parameter;

/* parameters: as many as the row has, in the row's order, all finite; may be NULL where it has none. */
typedef double activation_function(double x, const double *parameters);

typedef struct {
  const char *id;
  int parameter_count;
  activation_parameter parameters[ACTIVATION_MAX_PARAMETERS];
  activation_function *evaluate[ACTIVATION_ORDERS];
  kernel_f64 *kernel[ACTIVATION_ORDERS]; /* the same for arrays, bit for bit; of every row */
  joint_kernel_f64 *joint;               /* value and first derivative in one pass, or NULL */
} activation;

/* Number of rows, in display order. */
int activation_count(void);

/* Row `index`, or NULL where there is none. The table is static; nothing is to be freed. */
const activation *activation_at(int index);

/* Row whose id is `id`, or NULL. `id` must not be NULL. */
const activation *activation_find(const char *id);

#endif
