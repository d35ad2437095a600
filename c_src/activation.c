#include "activation.h"

#include <stddef.h>
#include <string.h>

/* The scalar function of a row is one lane of its kernel. */
#define LANE_OF(name) \
  static double one_##name(double x, const double *parameters) { return kernel_alone(kernel_##name, x, parameters); }

LANE_OF(gelu)
LANE_OF(gelu_first)
LANE_OF(gelu_second)
LANE_OF(gelu_tanh)
LANE_OF(gelu_tanh_first)
LANE_OF(gelu_tanh_second)
LANE_OF(sigmoid_gate)
LANE_OF(sigmoid_gate_first)
LANE_OF(sigmoid_gate_second)
LANE_OF(relu)
LANE_OF(relu_first)
LANE_OF(zero)
LANE_OF(sigmoid)
LANE_OF(sigmoid_first)
LANE_OF(sigmoid_second)
LANE_OF(tanh)
LANE_OF(tanh_first)
LANE_OF(tanh_second)
LANE_OF(softplus)
LANE_OF(softplus_first)
LANE_OF(softplus_second)
LANE_OF(elu)
LANE_OF(elu_first)
LANE_OF(elu_second)
LANE_OF(leaky_relu)
LANE_OF(leaky_relu_first)
LANE_OF(mish)
LANE_OF(mish_first)
LANE_OF(mish_second)
LANE_OF(normal_cdf)
LANE_OF(normal_cdf_first)
LANE_OF(normal_cdf_second)

#define FUNCTIONS(value, first, second) \
  {one_##value, one_##first, one_##second}, { kernel_##value, kernel_##first, kernel_##second }

#define SIGMOID_GATE FUNCTIONS(sigmoid_gate, sigmoid_gate_first, sigmoid_gate_second), kernel_sigmoid_gate_joint

static const activation table[] = {
    {"gelu", 0, {{0}}, FUNCTIONS(gelu, gelu_first, gelu_second), kernel_gelu_joint},
    {"gelu_tanh",
     2,
     {{"scale", 0x1.9884533d43651p-1, 0.5, 1.2}, {"cubic", 0.044715, 0, 0.1}},
     FUNCTIONS(gelu_tanh, gelu_tanh_first, gelu_tanh_second),
     kernel_gelu_tanh_joint},
    {"gelu_sigmoid", 1, {{"k", 1.702, 0.5, 3}}, SIGMOID_GATE},
    {"relu", 0, {{0}}, FUNCTIONS(relu, relu_first, zero), NULL},
    {"sigmoid", 1, {{"k", 1, 0.1, 5}}, FUNCTIONS(sigmoid, sigmoid_first, sigmoid_second), NULL},
    {"tanh", 0, {{0}}, FUNCTIONS(tanh, tanh_first, tanh_second), NULL},
    {"silu", 1, {{"beta", 1, 0.1, 5}}, SIGMOID_GATE},
    {"softplus", 0, {{0}}, FUNCTIONS(softplus, softplus_first, softplus_second), NULL},
    {"elu", 1, {{"alpha", 1, 0, 2}}, FUNCTIONS(elu, elu_first, elu_second), NULL},
    {"leaky_relu", 1, {{"slope", 0.01, 0, 0.5}}, FUNCTIONS(leaky_relu, leaky_relu_first, zero), NULL},
    {"mish", 0, {{0}}, FUNCTIONS(mish, mish_first, mish_second), NULL},
    {"normal_cdf", 0, {{0}}, FUNCTIONS(normal_cdf, normal_cdf_first, normal_cdf_second), NULL},
};

int activation_count(void) { return (int)(sizeof table / sizeof table[0]); }

const activation *activation_at(int index) { return index >= 0 && index < activation_count() ? &table[index] : NULL; }

const activation *activation_find(const char *id) {
  for (int k = 0; k < activation_count(); k++)
    if (strcmp(table[k].id, id) == 0) return &table[k];
  return NULL;
}
