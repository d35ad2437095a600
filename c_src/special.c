#include "special.h"

#include <math.h>

static const double inverse_sqrt_2 = 0x1.6a09e667f3bcdp-1;
static const double inverse_sqrt_2_pi = 0x1.9884533d43651p-2;

double normal_cdf(double x) { return 0.5 * erfc(-x * inverse_sqrt_2); }

double normal_pdf(double x) { return inverse_sqrt_2_pi * exp(-0.5 * x * x); }
