/* Written by c_src/coefficients/fast_tables.py; change that script, not this file. */
/* clang-format off */
#ifndef GELU_FAST_TABLES_H
#define GELU_FAST_TABLES_H

#define INVERSE_LN4 0x1.715476p-1f /* 1/ln 4 */
#define LN4_HIGH 0x1.62e4p+0f /* 16 bits: times an integer up to 255 it is exact */
#define LN4_LOW 0x1.7f7d1cp-19f /* the rest of ln 4 */
#define LN2 0x1.62e42fefa39efp-1 /* float64 */
#define LOG2_E 0x1.71547652b82fep+0 /* float64 */

/* exp(-y) = (C - y)/(C + y), C = 2 + y^2 (EXP_1 + y^2 EXP_2): relative error within
 * 2^-28.6 for |y| <= ln(2)/2, 2^-25.5 for |y| <= ln(2)/2 + 0.06. */
#define EXP_1 0x1.555546p-3f
#define EXP_2 -0x1.6b0ce6p-9f

/* R(t) = exp(t^2/2) Phi(-t) = N/(TAIL_SLOPE t N + W), N = t^4 + TAIL_N3 t^3 + ..., W = TAIL_W4 t^4
 * + ..., 0 <= t <= 14.5: relative error within 2^-26.7 (at 0.306).
 * All are positive: nothing cancels. t is clamped at TAIL_END, where t Phi(-t) and its slope have both
 * underflowed; the slope's last subnormal lies at 14.54, just beyond the fit. */
#define TAIL_END 14.625f
#define TAIL_SLOPE 0x1.40d83ap+1f
#define TAIL_N0 0x1.e556e6p+6f
#define TAIL_N1 0x1.a97f5ep+6f
#define TAIL_N2 0x1.63d5ap+5f
#define TAIL_N3 0x1.3bb6fcp+3f
#define TAIL_W0 0x1.e556e6p+7f
#define TAIL_W1 0x1.98ef14p+6f
#define TAIL_W2 0x1.938d92p+4f
#define TAIL_W3 0x1.3c5728p+1f
#define TAIL_W4 0x1.eab3d2p-10f
#define DENSITY_AT_ZERO 0x1.988454p-2f /* 1/sqrt(2 pi) */

#endif
