#include "activation.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "special.h"

static double gelu_value(double x, const double *parameters) {
  (void)parameters;
  return x == -INFINITY ? -0.0 : x * normal_cdf(x);
}

static double gelu_first(double x, const double *parameters) {
  (void)parameters;
  return isinf(x) ? (x > 0 ? 1.0 : -0.0) : normal_cdf(x) + x * normal_pdf(x);
}

static double gelu_second(double x, const double *parameters) {
  (void)parameters;
  return isinf(x) ? -0.0 : (2 - x * x) * normal_pdf(x);
}

static double relu_value(double x, const double *parameters) {
  (void)parameters;
  return x <= 0 ? 0.0 : x;
}

static double relu_first(double x, const double *parameters) {
  (void)parameters;
  return x <= 0 ? 0.0 : x * 0 + 1;
}

static double relu_second(double x, const double *parameters) {
  (void)parameters;
  return isnan(x) ? x : 0.0;
}

static double sigmoid_value(double x, const double *parameters) { return 1 / (1 + exp(-parameters[0] * x)); }

static double sigmoid_first(double x, const double *parameters) {
  double e = exp(-fabs(parameters[0] * x));
  return parameters[0] * e / ((1 + e) * (1 + e));
}

static double sigmoid_second(double x, const double *parameters) {
  double e = exp(-fabs(parameters[0] * x));
  return -copysign(parameters[0] * parameters[0] * e * (1 - e) / ((1 + e) * (1 + e) * (1 + e)), x);
}

static const activation table[] = {
    {"gelu", 0, {{NULL, 0, 0, 0}}, {gelu_value, gelu_first, gelu_second}},
    {"relu", 0, {{NULL, 0, 0, 0}}, {relu_value, relu_first, relu_second}},
    {"sigmoid", 1, {{"k", 1, 0.1, 5}}, {sigmoid_value, sigmoid_first, sigmoid_second}},
};

int activation_count(void) { return (int)(sizeof table / sizeof table[0]); }

const activation *activation_at(int index) { return index >= 0 && index < activation_count() ? &table[index] : NULL; }

const activation *activation_find(const char *id) {
  for (int i = 0; i < activation_count(); i++) {
    if (strcmp(table[i].id, id) == 0) return &table[i];
  }
  return NULL;
}
