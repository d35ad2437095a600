/* The float64 building blocks of the activation functions: exponential, logarithm, logistic, normal
 * distribution.
 *
 * All of it is plain IEEE arithmetic in a fixed order: no libm, no fused multiply-add, no table look-up that depends on
 * the machine, so that native builds and wasm give the same bits. Nothing can fail; NaN in gives NaN out.
 * "Worst error" is the largest against the vectors of tests/c/test_special.c, which holds the bounds: some hundred
 * inputs for each function, a sample, not a proof. */
#ifndef GELU_SPECIAL_H
#define GELU_SPECIAL_H

#include "pair.h"

/* ---- functions of one number ---- */

/* e^x. Overflows to infinity above 709.78, underflows to +0 below -745.13; exp(-inf) = +0.
 * Worst error 0.83 ULP at 37.0858. */
double special_exp(double x);

/* e^x - 1, right for small x, too. expm1(+-0) = +-0, expm1(-inf) = -1. Worst error 0.81 ULP at 701.819. */
double special_expm1(double x);

/* log(1 + e^x): x and a correction on the right, e^x on the far left, +0 at -inf.
 * From log(1 + e) = 2 atanh(e/(2 + e)), so that neither side cancels. Worst error 0.75 ULP at -708.549. */
double special_log1p_exp(double x);

/* The natural logarithm: -infinity at +-0, NaN below 0, infinity at infinity.
 * x = 2^n m with m in [sqrt(1/2), sqrt(2)), log m = 2 atanh(z) with z = (m - 1)/(m + 1) as a pair.
 * Worst error 0.53 ULP at 0.721745, found in 4 x 10^7 random inputs. */
double special_log(double x);

/* 1 - erf(x) = 2/sqrt(pi) * integral of exp(-t^2) from x on, as 2 exp(-x^2) R(sqrt(2) x) with x^2 and sqrt(2) x in two
 * parts, so that the tail is right down to the last subnormal (x = 27.226). erfc(-inf) = 2, erfc(inf) = +0.
 * Worst error 1.35 ULP at 1.55515. */
double special_erfc(double x);

/* Density exp(-x^2/2)/sqrt(2 pi) of the normal distribution; +0 at both infinities. */
double normal_pdf(double x);

/* Phi(x), the share of the normal distribution below x: +0 at -inf, 1 at inf. Worst error 1.40 ULP at -12.1487. */
double normal_cdf(double x);

/* ---- parts, from which several functions are put together with one rounding ---- */

/* e^u = 2^exponent (1 + q), with e^u between 2^(exponent - 1/2) and 2^(exponent + 1/2), so that -0.3 < q < 0.42. */
typedef struct {
  double q;
  int exponent;
} exp_parts;

/* For u = high + low, |u| <= 2400, low below 2^-24 of high: q within 2^-54 (one rounding of q and little more). */
exp_parts exp_in_parts(double high, double low);

/* (large + small) e^u for |small| much below |large|: the step that rounds. Where large is exact the result is within
 * 0.5 ULP and about 2^-53 for what q and the two products add, 1.5 ULP in all (a rounded difference adds 0.5 ULP, but
 * none near its zero, where it is exact); an underflow rounds once. */
double times_exp(double large, double small, exp_parts e);

/* The same with q as a pair, within 2^-58: for results that need more than one step after it. */
typedef struct {
  pair q;
  int exponent;
} exp_pair;

exp_pair exp_in_pairs(double high, double low);

/* R(t) = exp(t^2/2) Phi(-t), the tail of the normal distribution without its exponential, for t = t_high + t_low in
 * [0, 39): high (of 26 bits, so that its product with another such number is exact) + rest, within 2^-54.
 * A row of a table by the leading bits of t + 1, then a polynomial; special_tables.py derives both. */
typedef struct {
  double high, rest;
} scaled_tail;

scaled_tail normal_scaled_tail(double t_high, double t_low);

#endif
