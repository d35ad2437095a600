#include "special.h"

#define TAIL_ROWS_STAND_HERE
#include "special_tables.h"

/* Adding and subtracting it rounds to an integer, which then stands in the low bits of the sum. */
static const double rounding_magic = 0x1.8p52;

static const uint64_t INFINITE = UINT64_C(0x7ff0000000000000), NOT_A_NUMBER = UINT64_C(0x7ff8000000000000);

typedef struct {
  double r, r_low;
  int exponent;
} reduced;

/* u = exponent ln 2 + r, |r| <= ln(2)/2. */
static inline reduced reduce(double high, double low) {
  const double shifted = high * one_over_ln2 + rounding_magic;
  const double n = shifted - rounding_magic;
  const double first = high - n * ln2_high; /* exact: n ln2_high has at most 52 bits, and the two are close */
  const pair r = pair_sum(first, low - n * ln2_low);
  return (reduced){r.high, r.low, (int)(int32_t)(uint32_t)bits_of(shifted)};
}

static inline double exp_rest_at(double r) {
  double p = exp_rest[9];
  for (int k = 8; k >= 0; k--) p = p * r + exp_rest[k];
  return p;
}

exp_parts exp_in_parts(double high, double low) {
  const reduced a = reduce(high, low);
  const double r = a.r;
  return (exp_parts){r + (a.r_low + r * r * (0.5 + r * exp_rest_at(r))), a.exponent};
}

double times_exp(double large, double small, exp_parts e) {
  return times_power_of_two(large + (small + (large + small) * e.q), e.exponent);
}

exp_pair exp_in_pairs(double high, double low) {
  const reduced a = reduce(high, low);
  const double r = a.r;
  const pair square = pair_product(r, r);
  const pair q = pair_sum(r, 0.5 * square.high);
  const double rest = a.r_low + r * a.r_low + 0.5 * square.low + r * square.high * exp_rest_at(r);
  return (exp_pair){pair_sum(q.high, q.low + rest), a.exponent};
}

scaled_tail normal_scaled_tail(double t_high, double t_low) {
  const uint64_t bits = bits_of(t_high + 1);
  uint64_t index = (bits >> 49) - (UINT64_C(1023) << 3);
  if (index >= TAIL_ROWS) index = TAIL_ROWS - 1;
  const double centre = from_bits((bits & ~((UINT64_C(1) << 49) - 1)) | (UINT64_C(1) << 48)) - 1;
  const double *row = tail_rows[index];
  const double s = (t_high - centre) + t_low;
  const double w = s * s;
  /* c1 + c3 w + ... and c2 + c4 w + ...: two short chains instead of a long one */
  double odd = row[TAIL_COEFFICIENTS], even = row[TAIL_COEFFICIENTS + 1];
  for (int k = TAIL_COEFFICIENTS - 2; k > 0; k -= 2) {
    odd = odd * w + row[k];
    even = even * w + row[k + 1];
  }
  return (scaled_tail){row[0], s * (odd + s * even) + row[1]};
}

double special_exp(double x) {
  if (x != x) return x;
  if (x > 710) return from_bits(INFINITE);
  if (x < -746) return 0;
  const exp_parts e = exp_in_parts(x, 0);
  if (e.exponent > 1000) return (1 + e.q) * power_of_two(e.exponent - 100) * 0x1p100;
  return times_power_of_two(1 + e.q, e.exponent);
}

double special_expm1(double x) {
  if (magnitude(x) < 0x1p-54) return x;
  if (!(x < 700)) return x != x ? x : special_exp(x);
  if (x < -50) return -1;
  const exp_pair e = exp_in_pairs(x, 0);
  const double scale = power_of_two(e.exponent);
  return pair_value(pair_add(pair_sum(scale, -1), pair_scale(e.q, scale)));
}

/* log((1 + z)/(1 - z)) = 2 (z + z w p(w)), w = (z's size)^2 <= 1/9, without its factor 2: the correction to z. */
static double atanh_correction(double z, double w) {
  double p = atanh_rest[12];
  for (int k = 11; k >= 0; k--) p = p * w + atanh_rest[k];
  return z * (w * p);
}

double special_log(double x) {
  if (!(x > 0)) return x == 0 ? -from_bits(INFINITE) : from_bits(NOT_A_NUMBER);
  if (x > 0x1.fffffffffffffp1023) return x;
  const int subnormal = x < 0x1p-1022;
  if (subnormal) x *= 0x1p54;
  /* the exponent of x/sqrt(1/2), and x without it */
  const uint64_t above = bits_of(x) - UINT64_C(0x3fe6a09e667f3bcd);
  const int n = (int)((int64_t)above >> 52);
  const double m = from_bits(bits_of(x) - ((uint64_t)(int64_t)n << 52));
  const pair z = pair_divide(pair_of(m - 1), pair_sum(m, 1));
  const double low = z.low + atanh_correction(z.high, z.high * z.high);
  const double exponent = (double)(subnormal ? n - 54 : n);
  return pair_value(pair_add((pair){exponent * ln2_high, exponent * ln2_low}, pair_sum(2 * z.high, 2 * low)));
}

double special_log1p_exp(double x) {
  if (!(x < 800)) return x;
  if (x < -800) return 0;
  const exp_pair e = exp_in_pairs(-magnitude(x), 0);
  const double scale = e.exponent < -1000 ? 0 : power_of_two(e.exponent);
  const pair mantissa = pair_add(pair_of(1), e.q);
  const pair two_plus_e = pair_add(pair_sum(2, scale), pair_scale(e.q, scale));
  const pair z = pair_divide(mantissa, two_plus_e); /* without its factor scale */
  const double w = (z.high * scale) * (z.high * scale);
  const double low = z.low + atanh_correction(z.high, w);
  if (x <= 0) return times_power_of_two(2 * (z.high + low), e.exponent);
  return pair_value(pair_add(pair_of(x), pair_scale((pair){z.high, low}, 2 * scale)));
}

double special_erfc(double x) {
  if (x != x) return x;
  if (x < -6) return 2;
  if (x > 27.5) return 0;
  const double size = magnitude(x);
  const double x1 = leading_half(size), x2 = size - x1;
  const exp_parts e = exp_in_parts(-x1 * x1, -(size + x1) * x2);
  /* t = sqrt(2) |x| */
  const double product = x1 * root_two_high;
  const double rest = x2 * root_two_high + size * root_two_low;
  const pair t = pair_sum(product, rest);
  const scaled_tail tail = normal_scaled_tail(t.high, t.low);
  const double upper = times_exp(2 * tail.high, 2 * tail.rest, e);
  return unless_negative(0, x, 2) + with_sign_times(upper, x);
}

double normal_pdf(double x) {
  if (x != x) return x;
  const double size = magnitude(x);
  if (size > 39) return 0;
  const double x1 = leading_half(size), x2 = size - x1;
  const exp_parts e = exp_in_parts(-0.5 * (x1 * x1), -0.5 * ((size + x1) * x2));
  return times_exp(pdf_at_zero_high, pdf_at_zero_low, e);
}

double normal_cdf(double x) {
  if (x != x) return x;
  const double size = magnitude(x);
  if (size > 38.7) return x < 0 ? 0 : 1;
  const double x1 = leading_half(size), x2 = size - x1;
  const exp_parts e = exp_in_parts(-0.5 * (x1 * x1), -0.5 * ((size + x1) * x2));
  const scaled_tail tail = normal_scaled_tail(size, 0);
  const double below = times_exp(tail.high, tail.rest, e);
  return unless_negative(1, x, 0) - with_sign_times(below, x);
}
