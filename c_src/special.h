/* float64 building blocks: the standard normal law. */
#ifndef GELU_SPECIAL_H
#define GELU_SPECIAL_H

/* Phi(x), the share of a standard normal crowd below x: erfc(-x / sqrt 2) / 2. */
double normal_cdf(double x);

/* phi(x) = exp(-x^2 / 2) / sqrt(2 pi). */
double normal_pdf(double x);

#endif
