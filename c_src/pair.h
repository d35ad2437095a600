/* Numbers in two parts: high + low, where low is what the float64 high leaves over.
 *
 * For intermediate results only: a step that must not add an error of its own is carried as a pair, and the last
 * step of a function adds the two parts, which is its one rounding. The sum of two float64 is exact (Knuth), their
 * product within 2^-77 (after Dekker, without fused multiply-add because wasm has none). Products and quotients of
 * pairs are within 2^-76, sums within 2^-104 of |a| + |b|. A high part that is infinite or NaN has the low part 0, so
 * that an overflow stays an infinity. Everything is inline: the compiler then drops the parts that a caller does not
 * use. */
#ifndef GELU_PAIR_H
#define GELU_PAIR_H

#include <stdint.h>
#include <string.h>

#include "ieee.h"

typedef struct {
  double high, low;
} pair;

static inline uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline double magnitude(double x) { return __builtin_fabs(x); }

static inline double with_sign_of(double size, double sign) {
  return from_bits((bits_of(size) & UINT64_C(0x7fffffffffffffff)) | (bits_of(sign) & UINT64_C(0x8000000000000000)));
}

static inline int is_finite(double x) { return magnitude(x) <= 0x1.fffffffffffffp1023; }

/* x where `test` is not negative, else `otherwise` (sign bits, not values: -0 counts as negative, and no branch is
 * taken, since the sign of an input is not to be predicted). */
static inline double unless_negative(double x, double test, double otherwise) {
  const uint64_t negative = 0 - (bits_of(test) >> 63);
  return from_bits((bits_of(x) & ~negative) | (bits_of(otherwise) & negative));
}

/* x, or -x where `test` is negative. */
static inline double with_sign_times(double x, double test) {
  return from_bits(bits_of(x) ^ (bits_of(test) & UINT64_C(0x8000000000000000)));
}

/* The leading 26 bits of x, so that the product of two such numbers is exact. */
static inline double leading_half(double x) { return from_bits(bits_of(x) & UINT64_C(0xfffffffff8000000)); }

/* 2^exponent for -1022 <= exponent <= 1023. */
static inline double power_of_two(int exponent) { return from_bits((uint64_t)(uint32_t)(exponent + 1023) << 52); }

/* y 2^exponent for any exponent up to 1023. Where the result is normal the steps are exact; a subnormal result is
 * rounded once, unless y itself is below 2^-22. */
static inline double times_power_of_two(double y, int exponent) {
  while (exponent < -1000) {
    y *= 0x1p-1000;
    exponent = y == 0 ? -1000 : exponent + 1000;
  }
  return y * power_of_two(exponent);
}

static inline pair pair_of(double x) { return (pair){x, 0}; }

static inline double pair_value(pair a) { return a.high + a.low; }

/* a + b exactly. */
static inline pair pair_sum(double a, double b) {
  const double sum = a + b;
  const double b_seen = sum - a;
  const double low = (a - (sum - b_seen)) + (b - b_seen);
  return (pair){sum, is_finite(sum) ? low : 0};
}

/* Within 2^-77 of the product, but for underflow of the low part: Dekker's sum with its two middle terms added first.
 * Of the halves, of 26 and 27 bits, these may need 54 together. */
static inline pair pair_product(double a, double b) {
  const double a1 = leading_half(a), a2 = a - a1;
  const double b1 = leading_half(b), b2 = b - b1;
  const double product = a * b;
  const double low = ((a1 * b1 - product) + (a1 * b2 + a2 * b1)) + a2 * b2;
  return (pair){product, is_finite(product) ? low : 0};
}

static inline pair pair_negative(pair a) { return (pair){-a.high, -a.low}; }

/* Within 2^-104 of |a| + |b|, not of a sum that cancels. */
static inline pair pair_add(pair a, pair b) {
  const pair sum = pair_sum(a.high, b.high);
  return pair_sum(sum.high, sum.low + (a.low + b.low));
}

static inline pair pair_multiply(pair a, pair b) {
  const pair product = pair_product(a.high, b.high);
  if (!is_finite(product.high)) return product;
  return pair_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* a b for a power of two b, or wherever neither part can be inexact. */
static inline pair pair_scale(pair a, double b) { return (pair){a.high * b, a.low * b}; }

/* a / b for b finite and not 0. */
static inline pair pair_divide(pair a, pair b) {
  const double quotient = a.high / b.high;
  if (!is_finite(quotient)) return pair_of(quotient);
  const pair back = pair_product(quotient, b.high);
  const double rest = ((a.high - back.high) - back.low) + (a.low - quotient * b.low);
  return pair_sum(quotient, rest / b.high);
}

#endif
