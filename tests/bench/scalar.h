/* GELU and its kin as one writes them with <math.h>: the same loops over musl in wasm (musl.c) and over glibc natively
 * (native.c). FORM(name, value of x); scalar.js says what each computes. */
#ifndef BENCH_SCALAR_H
#define BENCH_SCALAR_H

#include <math.h>
#include <stddef.h>

#define FORMS_FLOAT32(FORM)                                                                     \
  FORM(gelu_erff, 0.5f * x * (1 + erff(x * 0.70710678f)))                                       \
  FORM(gelu_erf_rounded, (float)(0.5 * (double)x * (1 + erf((double)x * 0.70710678118654752)))) \
  FORM(gelu_erfc_rounded, (float)(0.5 * (double)x * erfc((double)x * -0.70710678118654752)))    \
  FORM(gelu_tanh_tanhf, 0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))))      \
  FORM(gelu_tanh_expf, x / (1 + expf(-1.5957691f * (x + 0.044715f * x * x * x))))               \
  FORM(silu_expf, x / (1 + expf(-x)))                                                           \
  FORM(relu_max, x > 0 ? x : 0)

#define FORMS_FLOAT64(FORM)                                    \
  FORM(gelu_erf, 0.5 * x * (1 + erf(x * 0.70710678118654752))) \
  FORM(gelu_erfc, 0.5 * x * erfc(x * -0.70710678118654752))

#endif
