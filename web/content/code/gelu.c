/* GELU, its two approximations and its derivative, for every double.
   cc -std=c11 -O2 gelu.c -lm -o gelu */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double sqrt_half = 0.70710678118654752;
static const double sqrt_2_over_pi = 0.79788456080286536;

/* Below -1000 every share is 0; without the bound, -inf times 0 is nan. */
static double let_in(double x, double share) {
  return (x < -1000 ? -1000 : x) * share;
}

/* exp only ever sees a negative number. */
static double sigmoid(double z) {
  const double e = exp(-fabs(z));
  return z >= 0 ? 1 / (1 + e) : e / (1 + e);
}

double gelu(double x) {
  return let_in(x, 0.5 * erfc(-x * sqrt_half));
}

/* (1 + tanh u) / 2 is sigmoid(2u), which keeps its digits on the left. */
double gelu_tanh(double x) {
  return let_in(x, sigmoid(2 * sqrt_2_over_pi * (x + 0.044715 * x * x * x)));
}

double gelu_sigmoid(double x) {
  return let_in(x, sigmoid(1.702 * x));
}

double gelu_derivative(double x) {
  /* Beyond this it is 0 or 1. Not fmin and fmax: they would swallow a nan. */
  x = x > 40 ? 40 : x < -40 ? -40 : x;
  const double density = 0.5 * sqrt_2_over_pi * exp(-0.5 * x * x);
  return 0.5 * erfc(-x * sqrt_half) + x * density;
}

/* As many digits after the point as the word has, its exponent counted in. */
static int decimals(const char *word) {
  const char *point = strchr(word, '.'), *e = strpbrk(word, "eE");
  double n = point ? (double)strspn(point + 1, "0123456789") : 0;
  if (e) n -= strtod(e + 1, NULL);
  return n < 1 ? 1 : n > 20 ? 20 : (int)n;
}

/* A nan may have a sign, which printf would show. */
static double shown(double v) {
  return isnan(v) ? fabs(v) : v;
}

int main(int argc, char **argv) {
  static char *usual[] = {"-3", "-1", "-0.5", "0", "0.5", "1", "3"};
  char **words = argc > 1 ? argv + 1 : usual;
  const int count = argc > 1 ? argc - 1 : 7;
  puts("x\tGELU (exact)\tGELU (tanh form)\tabsolute error\tReLU");
  for (int i = 0; i < count; i++) {
    const double x = shown(strtod(words[i], NULL));
    const double a = shown(gelu(x)), b = shown(gelu_tanh(x));
    const double error = a == b ? 0 : fabs(a - b); /* inf - inf is nan */
    const double relu = x <= 0 ? 0 : x; /* x > 0 ? x : 0 swallows a nan */
    printf("%+.*f\t%+.6f\t%+.6f\t%.2e\t%+.2f\n",
           decimals(words[i]), x, a, b, error, relu);
  }
  return 0;
}
