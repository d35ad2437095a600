/* special.h: NaN for NaN alone, the ranges that the header states, and close to the system's libm. */
#include "fuzz.h"

#include "special.h"

/* Within some units of the last place of `want`, one of which may be subnormal. */
static int is_near(double got, double want, double ulps) {
  if (isnan(want) || isinf(want)) return same_f64(got, want);
  const double ulp = fabs(want) < 0x1p-1021 ? 0x1p-1074 : fabs(want) * 0x1p-52;
  return fabs(got - want) <= ulps * ulp;
}

static void check_functions(double x) {
  const double e = special_exp(x), less_one = special_expm1(x), soft = special_log1p_exp(x), c = special_erfc(x);
  const double density = normal_pdf(x), below = normal_cdf(x);
  const int none = isnan(x) != 0;
  REQUIRE((isnan(e) != 0) == none && (isnan(less_one) != 0) == none && (isnan(soft) != 0) == none);
  REQUIRE((isnan(c) != 0) == none && (isnan(density) != 0) == none && (isnan(below) != 0) == none);
  REQUIRE((isnan(special_log(x)) != 0) == (none || x < 0));
  if (none) return;
  REQUIRE(e >= 0 && less_one >= -1 && soft >= 0 && c >= 0 && c <= 2 && below >= 0 && below <= 1);
  REQUIRE(density >= 0 && density <= 0x1.9884533d43651p-2);
  /* 1 of these and the 2 to 6 that glibc states for its own (other libraries are no worse than 8) */
  REQUIRE(is_near(e, exp(x), 3) && is_near(less_one, expm1(x), 3) && is_near(special_log(x), log(x), 3));
  REQUIRE(is_near(c, erfc(x), 8) && is_near(soft, x > 40 ? x : log1p(exp(x)), 4));
  REQUIRE(is_near(below, 0.5 * special_erfc(-x * 0x1.6a09e667f3bcdp-1), 4 + 2 * x * x));
}

static void check_parts(source *from) {
  const double u = (double)take_word(from) * (4800 * 0x1p-32) - 2400, low = u * 0x1p-25 * (take_byte(from) / 255.0);
  const exp_parts e = exp_in_parts(u, low);
  const exp_pair pairs = exp_in_pairs(u, low);
  REQUIRE(e.q > -0.3 && e.q < 0.42 && pairs.exponent == e.exponent);
  REQUIRE(fabs((pairs.q.high - e.q) + pairs.q.low) <= 0x1p-53);
  if (fabs(u) < 700) REQUIRE(is_near(times_exp(1, 0, e), exp(u + low), 4 + fabs(u)));
  const double t = (double)take_word(from) * (39 * 0x1p-32);
  const scaled_tail r = normal_scaled_tail(t, t * 0x1p-60);
  REQUIRE(r.high > 0 && r.high <= 0.5 && fabs(r.rest) < 0x1p-5);
  REQUIRE(is_near((r.high + r.rest) * exp(-t * t / 2), normal_cdf(-t), 4 + 2 * t * t) || t > 37);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  check_functions(take_double(&from));
  check_functions(any_double(&from));
  check_parts(&from);
  return 0;
}
