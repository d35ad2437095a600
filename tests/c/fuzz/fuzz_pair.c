/* pair.h: sums exact, products and quotients as close as stated, overflow with the low part 0; the bits of a number. */
#include "fuzz.h"

#include "pair.h"

static void check_bits(double x, double test, double other) {
  REQUIRE(memcmp(&(double){from_bits(bits_of(x))}, &x, sizeof x) == 0);
  REQUIRE(same_f64(magnitude(x), fabs(x)) && is_finite(x) == (isfinite(x) != 0));
  REQUIRE(same_f64(with_sign_of(x, test), copysign(x, test)));
  REQUIRE(same_f64(unless_negative(x, test, other), signbit(test) ? other : x));
  REQUIRE(same_f64(with_sign_times(x, test), signbit(test) ? -x : x));
  REQUIRE(!isfinite(x) || fabs(x) < 0x1p-1000 || fabs(x - leading_half(x)) <= fabs(x) * 0x1p-25);
}

static int settled(pair a) { return is_finite(a.high) || same_f64(a.low, 0); }

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wide; /* 113 bits hold the sum and the product of two numbers of like size */

static wide value(pair a) { return (wide)a.high + (wide)a.low; }
static wide size_of(wide x) { return x < 0 ? -x : x; }

static void check_close(double a, double b, double small) {
  REQUIRE(value(pair_sum(a, b)) == (wide)a + b);
  REQUIRE(size_of(value(pair_product(a, b)) - (wide)a * b) <= size_of((wide)a * b) * 0x1p-77);
  const pair p = {a, a * small}, q = {b, b * small * 0.75};
  REQUIRE(size_of(value(pair_add(p, q)) - (value(p) + value(q))) <= (size_of(a) + size_of(b)) * (wide)0x1p-102);
  REQUIRE(size_of(value(pair_multiply(p, q)) - value(p) * value(q)) <= size_of(value(p) * value(q)) * 0x1p-75);
  if (b != 0)
    REQUIRE(size_of(value(pair_divide(p, q)) - value(p) / value(q)) <= size_of(value(p) / value(q)) * 0x1p-75);
}
#else
static void check_close(double a, double b, double small) { (void)a, (void)b, (void)small; }
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  const double x = take_double(&from), y = take_double(&from), test = take_double(&from);
  check_bits(x, test, y);
  REQUIRE(settled(pair_sum(x, y)) && settled(pair_product(x, y)));
  REQUIRE(settled(pair_multiply(pair_of(x), pair_of(y))));
  REQUIRE(pair_value(pair_sum(x, y)) == x + y || isnan(x + y));
  const int exponent = (int)(take_word(&from) % 5000) - 3977; /* at most 1022 */
  REQUIRE(same_f64(times_power_of_two(1.75, exponent), ldexp(1.75, exponent)));
  const double a =
      ((double)take_word(&from) + (double)take_word(&from) * 0x1p-32) * 0x1p-32 * (take_byte(&from) & 1 ? -1 : 1);
  const double b = ((double)take_word(&from) + (double)take_word(&from) * 0x1p-32) * 0x1p-28;
  check_close(a, b, 0x1p-54);
  return 0;
}
