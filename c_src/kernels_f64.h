/* The float64 functions of activation.h as vector kernels: two lanes at a time, from the operations of lanes.h.
 *
 * A kernel computes y[0 ... n-1] from x[0 ... n-1]; y may be x. It works in whole steps: BOTH ARRAYS MUST HAVE ROOM UP
 * TO THE NEXT MULTIPLE OF KERNEL_STEP, and what stands there is read and written, too. (run_kernel sees to that.)
 * `parameters` as for the row of the table, finite. Each result depends on its own input alone.
 *
 * Formulas, special values and worst errors are those of activation.h. */
#ifndef GELU_KERNELS_F64_H
#define GELU_KERNELS_F64_H

#include <stddef.h>

enum { KERNEL_STEP = 4 };

typedef void kernel_f64(const double *parameters, const double *x, double *y, size_t n);

/* Value and first derivative in one pass, with the bits of the two kernels. y or derivative may be x, but not both. */
typedef void joint_kernel_f64(const double *parameters, const double *x, double *y, double *derivative, size_t n);

/* x Phi(x) and its derivatives. */
kernel_f64 kernel_gelu, kernel_gelu_first, kernel_gelu_second;
joint_kernel_f64 kernel_gelu_joint;

/* x S(2 scale (x + cubic x^3)). */
kernel_f64 kernel_gelu_tanh, kernel_gelu_tanh_first, kernel_gelu_tanh_second;
joint_kernel_f64 kernel_gelu_tanh_joint;

/* x S(k x): gelu_sigmoid and silu. */
kernel_f64 kernel_sigmoid_gate, kernel_sigmoid_gate_first, kernel_sigmoid_gate_second;
joint_kernel_f64 kernel_sigmoid_gate_joint;

kernel_f64 kernel_relu, kernel_relu_first;
kernel_f64 kernel_sigmoid, kernel_sigmoid_first, kernel_sigmoid_second;
kernel_f64 kernel_tanh, kernel_tanh_first, kernel_tanh_second;
kernel_f64 kernel_softplus, kernel_softplus_first, kernel_softplus_second;
kernel_f64 kernel_elu, kernel_elu_first, kernel_elu_second;
kernel_f64 kernel_leaky_relu, kernel_leaky_relu_first;
kernel_f64 kernel_zero; /* 0, or NaN for NaN: the second derivative of both kinds of ReLU */
kernel_f64 kernel_mish, kernel_mish_first, kernel_mish_second;
kernel_f64 kernel_normal_cdf, kernel_normal_cdf_first, kernel_normal_cdf_second;

/* A kernel for any n, without the room that it asks for: what is left over goes through a step of its own. */
void run_kernel(kernel_f64 *kernel, const double *parameters, const double *x, double *y, size_t n);

/* The result of a kernel for one number. */
double kernel_alone(kernel_f64 *kernel, double x, const double *parameters);

#endif
