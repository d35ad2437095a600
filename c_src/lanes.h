/* pair.h and the building blocks of special.h for two numbers at once: what kernels_f64.c and kernels_f64_pairs.c are
 * made of.
 *
 * A lane never looks at its neighbour: where scalar code would branch, both branches are computed and a mask selects.
 * So every lane gives the same bits whatever stands beside it, with SIMD and without (a NaN may have any sign and
 * payload). A lane whose result will not be selected may hold anything, infinities and NaN included; only an index into
 * a table must be safe for it. */
#ifndef GELU_LANES_H
#define GELU_LANES_H

#include "special_tables.h"
#if defined(__wasm__) && !defined(__wasm_simd128__)
#define VEC_F64_LANES 1
#endif
#include "vec.h"

/* ---- masks and bits ---- */

static inline f64x2 when(i64x2 mask, f64x2 x) { return f64x2_select(mask, x, f64x2_splat(0)); }

static inline i64x2 is_nan(f64x2 x) { return (i64x2)(x != x); }

/* x where x is NaN, else y. */
static inline f64x2 nan_if(f64x2 x, f64x2 y) { return f64x2_select(is_nan(x), x, y); }

static inline i64x2 is_finite_lane(f64x2 x) { return (i64x2)(f64x2_abs(x) <= 0x1.fffffffffffffp1023); }

/* x where `test` is not negative and its negative where it is, by the sign bit. */
static inline f64x2 lanes_with_sign_times(f64x2 x, f64x2 test) {
  return (f64x2)((u64x2)x ^ ((u64x2)test & UINT64_C(0x8000000000000000)));
}

static inline f64x2 signed_zeros(f64x2 sign) { return (f64x2)((u64x2)sign & UINT64_C(0x8000000000000000)); }

/* The leading 26 bits, so that the product of two such numbers is exact. */
static inline f64x2 leading_halves(f64x2 x) { return (f64x2)((u64x2)x & UINT64_C(0xfffffffff8000000)); }

/* 2^n for integers -1022 <= n <= 1023. */
static inline f64x2 lanes_power_of_two(f64x2 n) { return f64x2_power_of_two_of_bits(n + VEC_ROUND_EXPONENT); }

/* 2^(n + more) as a product, for integers n <= 0: the first factor is 2^n but at least 2^-1000, the second the rest, or
 * 0 below 2^-1022. y times the first is exact for y above 2^-22, so that times the second a subnormal result is rounded
 * once. */
typedef struct {
  f64x2 first, second;
} power_factors;

static inline power_factors lanes_power_factors(f64x2 n, f64x2 more) {
  const f64x2 upper = f64x2_max(n, f64x2_splat(-1000));
  const f64x2 rest = f64x2_max((n - upper) + more, f64x2_splat(-1023)); /* the bits of 2^-1023 are those of 0 */
  return (power_factors){lanes_power_of_two(upper), lanes_power_of_two(rest)};
}

/* ---- numbers in two parts ---- */

typedef struct {
  f64x2 high, low;
} pairs;

static inline pairs pairs_of(f64x2 x) { return (pairs){x, f64x2_splat(0)}; }

static inline pairs pairs_constant(double x) { return pairs_of(f64x2_splat(x)); }

static inline f64x2 pairs_value(pairs a) { return a.high + a.low; }

/* a + b exactly, where the sum is finite. */
static inline pairs pairs_finite_sum(f64x2 a, f64x2 b) {
  const f64x2 sum = a + b;
  const f64x2 b_seen = sum - a;
  return (pairs){sum, (a - (sum - b_seen)) + (b - b_seen)};
}

/* The same for |a| >= |b|, or a = 0. */
static inline pairs pairs_ordered_sum(f64x2 a, f64x2 b) {
  const f64x2 sum = a + b;
  return (pairs){sum, (a - sum) + b};
}

/* Within 2^-77 of the product, where that is finite, but for underflow of the low part: Dekker's sum with its two
 * middle terms added first. */
static inline pairs pairs_finite_product(f64x2 a, f64x2 b) {
  const f64x2 a1 = leading_halves(a), a2 = a - a1;
  const f64x2 b1 = leading_halves(b), b2 = b - b1;
  const f64x2 product = a * b;
  return (pairs){product, ((a1 * b1 - product) + (a1 * b2 + a2 * b1)) + a2 * b2};
}

/* An overflow stays an infinity if its low part is 0. */
static inline pairs pairs_settled(pairs a) { return (pairs){a.high, when(is_finite_lane(a.high), a.low)}; }

static inline pairs pairs_sum(f64x2 a, f64x2 b) { return pairs_settled(pairs_finite_sum(a, b)); }

static inline pairs pairs_product(f64x2 a, f64x2 b) { return pairs_settled(pairs_finite_product(a, b)); }

static inline pairs pairs_negative(pairs a) { return (pairs){-a.high, -a.low}; }

static inline pairs pairs_select(i64x2 mask, pairs a, pairs b) {
  return (pairs){f64x2_select(mask, a.high, b.high), f64x2_select(mask, a.low, b.low)};
}

/* Within 2^-104 of |a| + |b|, not of a sum that cancels. */
static inline pairs pairs_add(pairs a, pairs b) {
  const pairs sum = pairs_sum(a.high, b.high);
  return pairs_sum(sum.high, sum.low + (a.low + b.low));
}

static inline pairs pairs_multiply(pairs a, pairs b) {
  const pairs product = pairs_product(a.high, b.high);
  const f64x2 low = product.low + (a.high * b.low + a.low * b.high);
  return pairs_sum(product.high, when(is_finite_lane(product.high), low));
}

/* a b for a power of two b, or wherever neither part can be inexact. */
static inline pairs pairs_scale(pairs a, f64x2 b) { return (pairs){a.high * b, a.low * b}; }

/* a / b for b finite and not 0. */
static inline pairs pairs_divide(pairs a, pairs b) {
  const f64x2 quotient = a.high / b.high;
  const pairs back = pairs_finite_product(quotient, b.high);
  const f64x2 rest = ((a.high - back.high) - back.low) + (a.low - quotient * b.low);
  return pairs_sum(quotient, when(is_finite_lane(quotient), rest / b.high));
}

/* top/bottom to first order in the low parts: one rounding beyond that of the quotient. reciprocal: about 1/bottom. */
static inline f64x2 corrected_quotient(pairs top, pairs bottom, f64x2 reciprocal) {
  const f64x2 z = top.high / bottom.high;
  return z + (top.low - z * bottom.low) * reciprocal;
}

/* ---- the exponential ---- */

/* u = n ln 2 + r, |r| <= ln(2)/2. */
typedef struct {
  pairs r;
  f64x2 n;
} reduced_lanes;

static inline reduced_lanes lanes_reduce(f64x2 high, f64x2 low) {
  const f64x2 n = (high * one_over_ln2 + VEC_ROUND) - VEC_ROUND;
  const f64x2 first = high - n * ln2_high; /* exact: n ln2_high has at most 52 bits, and the two are close */
  return (reduced_lanes){pairs_finite_sum(first, low - n * ln2_low), n};
}

static inline f64x2 lanes_exp_rest(f64x2 r) {
  f64x2 p = f64x2_splat(exp_rest[9]);
  for (int k = 8; k >= 0; k--) p = p * r + exp_rest[k];
  return p;
}

/* e^u = 2^n (1 + q), -0.3 < q < 0.42, for u = high + low, |u| <= 2400, low below 2^-24 of high: q within 2^-54. */
typedef struct {
  f64x2 q, n;
} exp_lanes;

static inline exp_lanes lanes_exp(f64x2 high, f64x2 low) {
  const reduced_lanes a = lanes_reduce(high, low);
  const f64x2 r = a.r.high;
  return (exp_lanes){r + (a.r.low + r * r * (0.5 + r * lanes_exp_rest(r))), a.n};
}

/* The same with q as a pair, within 2^-58: for results that need more than one step after it. */
typedef struct {
  pairs q;
  f64x2 n;
} exp_pairs;

static inline exp_pairs lanes_exp_pairs(f64x2 high, f64x2 low) {
  const reduced_lanes a = lanes_reduce(high, low);
  const f64x2 r = a.r.high;
  const pairs square = pairs_finite_product(r, r);
  const pairs q = pairs_finite_sum(r, 0.5 * square.high);
  const f64x2 rest = a.r.low + r * a.r.low + 0.5 * square.low + r * square.high * lanes_exp_rest(r);
  return (exp_pairs){pairs_finite_sum(q.high, q.low + rest), a.n};
}

/* (large + small) e^u for |small| much below |large| and n >= -1500: the step that rounds. Where large is exact the
 * result is within 0.5 ULP and about 2^-53 for what q and the two products add, 1.5 ULP in all; a rounded difference
 * adds 0.5 ULP, but none near its zero, where it is exact. The power of two goes in as 2^(n+512), which is exact, and
 * 2^-512, so that an underflow rounds once. */
static inline f64x2 lanes_times_exp(f64x2 large, f64x2 small, exp_lanes e) {
  const f64x2 y = large + (small + (large + small) * e.q);
  return y * f64x2_power_of_two_of_bits(e.n + (VEC_ROUND_EXPONENT + 512)) * 0x1p-512;
}

/* ---- the normal distribution ---- */

/* At -t, 0 <= t <= 40: t^2 = square + square_low, exp(-t^2/2) = 2^n (1 + q). */
typedef struct {
  f64x2 t, t_high, t_low; /* t_high of 26 bits */
  f64x2 square, square_low;
  exp_lanes e;
} normal_lanes;

static inline normal_lanes lanes_normal(f64x2 t) {
  normal_lanes at;
  at.t = t;
  at.t_high = leading_halves(t);
  at.t_low = t - at.t_high;
  at.square = at.t_high * at.t_high;
  at.square_low = (t + at.t_high) * at.t_low;
  at.e = lanes_exp(-0.5 * at.square, -0.5 * at.square_low);
  return at;
}

/* R(t) = exp(t^2/2) Phi(-t), 0 <= t < 39: high of 26 bits, and the rest, within 2^-54. */
typedef struct {
  f64x2 high, rest;
} tail_lanes;

static inline tail_lanes lanes_scaled_tail(f64x2 t) {
  const u64x2 bits = (u64x2)(t + 1), part = bits >> 49;
  const f64x2 centre = (f64x2)((bits & ~((UINT64_C(1) << 49) - 1)) | (UINT64_C(1) << 48)) - 1;
  const f64x2 s = t - centre;
  const f64x2 w = s * s;
  /* c1 + c3 w + ... and c2 + c4 w + ...: two short chains instead of a long one */
#if VEC_F64_LANES == 1
  const double *row = tail_rows[(uint32_t)part[0] - (1023 << 3)];
  f64x2 odd = f64x2_splat(row[TAIL_COEFFICIENTS]), even = f64x2_splat(row[TAIL_COEFFICIENTS + 1]);
  for (int k = TAIL_COEFFICIENTS - 2; k > 0; k -= 2) {
    odd = odd * w + row[k];
    even = even * w + row[k + 1];
  }
  return (tail_lanes){f64x2_splat(row[0]), s * (odd + s * even) + row[1]};
#else
  const double *row0 = tail_rows[(uint32_t)part[0] - (1023 << 3)], *row1 = tail_rows[(uint32_t)part[1] - (1023 << 3)];
  VEC_HIDE(row0); /* else clang computes the address of every load of its own */
  VEC_HIDE(row1);
  f64x2 a = f64x2_load(row0 + TAIL_COEFFICIENTS), b = f64x2_load(row1 + TAIL_COEFFICIENTS);
  f64x2 odd = f64x2_firsts(a, b), even = f64x2_seconds(a, b);
  for (int k = TAIL_COEFFICIENTS - 2; k > 0; k -= 2) {
    a = f64x2_load(row0 + k), b = f64x2_load(row1 + k);
    odd = odd * w + f64x2_firsts(a, b);
    even = even * w + f64x2_seconds(a, b);
  }
  a = f64x2_load(row0), b = f64x2_load(row1);
  return (tail_lanes){f64x2_firsts(a, b), s * (odd + s * even) + f64x2_seconds(a, b)};
#endif
}

/* ---- shared by the files of kernels ---- */

/* Beyond this |u| x S(u) is x or 0: from 1454.9 on exp(-|u|) times one factor of 1.8e308 underflows. The rest is slack
 * for a factor |u| in derivatives. */
static const double saturated_gate = 1700;

/* The argument of gelu_tanh, u = 2 scale x (1 + cubic x^2), and v = x u'(x). */
typedef struct {
  pairs u, v;
} tanh_arguments;

/* Whatever overflows on the way. parameters: scale, cubic. */
void general_tanh_arguments(f64x2 x, const double *parameters, tanh_arguments *out);

#endif
