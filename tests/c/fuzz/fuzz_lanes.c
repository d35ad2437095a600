/* lanes.h: each lane has the bits of pair.h and special.h for its own number, whatever stands in the other. */
#include "fuzz.h"

#include "lanes.h"
#include "special.h"

static int is_lane(pairs got, int lane, pair want) {
  return same_f64(got.high[lane], want.high) && same_f64(got.low[lane], want.low);
}

static void check_pairs(source *from) {
  double a[2], b[2], c[2];
  for (int k = 0; k < 2; k++) a[k] = take_double(from), b[k] = take_double(from), c[k] = take_double(from);
  const f64x2 va = f64x2_load(a), vb = f64x2_load(b), vc = f64x2_load(c);
  const pairs sum = pairs_sum(va, vb), product = pairs_product(va, vb);
  for (int k = 0; k < 2; k++) {
    const pair s = pair_sum(a[k], b[k]), p = pair_product(a[k], b[k]);
    REQUIRE(is_lane(sum, k, s) && is_lane(product, k, p));
    REQUIRE(is_lane(pairs_multiply(sum, pairs_of(vc)), k, pair_multiply(s, pair_of(c[k]))));
    REQUIRE(is_lane(pairs_add(product, pairs_of(vc)), k, pair_add(p, pair_of(c[k]))));
    if (isfinite(c[k]) && c[k] != 0)
      REQUIRE(is_lane(pairs_divide(sum, pairs_of(vc)), k, pair_divide(s, pair_of(c[k]))));
    REQUIRE(is_lane(pairs_negative(sum), k, pair_negative(s)) && same_f64(pairs_value(sum)[k], pair_value(s)));
    REQUIRE(is_lane(pairs_scale(sum, f64x2_splat(0x1p-3)), k, pair_scale(s, 0x1p-3)));
    REQUIRE(same_f64(lanes_with_sign_times(va, vb)[k], with_sign_times(a[k], b[k])));
    REQUIRE(same_f64(leading_halves(va)[k], leading_half(a[k])) || isnan(a[k]));
    REQUIRE((is_nan(va)[k] != 0) == (isnan(a[k]) != 0) && (is_finite_lane(va)[k] != 0) == is_finite(a[k]));
    REQUIRE(same_f64(nan_if(va, vb)[k], isnan(a[k]) ? a[k] : b[k]));
    REQUIRE(same_f64(signed_zeros(va)[k], copysign(0, a[k])));
  }
}

static void check_exponential(source *from) {
  double u[2], low[2];
  for (int k = 0; k < 2; k++) u[k] = (double)take_word(from) * (4800 * 0x1p-32) - 2400, low[k] = u[k] * 0x1p-26;
  const exp_lanes e = lanes_exp(f64x2_load(u), f64x2_load(low));
  const exp_pairs p = lanes_exp_pairs(f64x2_load(u), f64x2_load(low));
  for (int k = 0; k < 2; k++) {
    const exp_parts alone = exp_in_parts(u[k], low[k]);
    const exp_pair pair_alone = exp_in_pairs(u[k], low[k]);
    REQUIRE(same_f64(e.q[k], alone.q) && e.n[k] == alone.exponent);
    REQUIRE(is_lane(p.q, k, pair_alone.q) && p.n[k] == pair_alone.exponent);
  }
}

static void check_tail(source *from) {
  double t[2];
  for (int k = 0; k < 2; k++) t[k] = (double)take_word(from) * (38.99 * 0x1p-32);
  const tail_lanes tail = lanes_scaled_tail(f64x2_load(t));
  const normal_lanes n = lanes_normal(f64x2_load(t));
  for (int k = 0; k < 2; k++) {
    const scaled_tail alone = normal_scaled_tail(t[k], 0);
    REQUIRE(same_f64(tail.high[k], alone.high) && fabs(tail.rest[k] - alone.rest) <= 0x1p-54 * alone.high);
    const pair square = pair_product(t[k], t[k]);
    REQUIRE(fabs((n.square[k] - square.high) + (n.square_low[k] - square.low)) <= 0x1p-74 * square.high);
  }
}

static void check_powers(source *from) {
  const int n = (int)(take_word(from) % 2046) - 1022, other = (int)(take_word(from) % 2046) - 1022;
  const f64x2 power = lanes_power_of_two((f64x2){n, other});
  REQUIRE(power[0] == power_of_two(n) && power[1] == power_of_two(other));
  const int down = -(int)(take_word(from) % 3000);
  const power_factors f = lanes_power_factors((f64x2){down, 0}, (f64x2){0, 0});
  REQUIRE(same_f64(1.5 * f.first[0] * f.second[0], ldexp(1.5, down < -1022 - 1000 ? -3000 : down)));
  REQUIRE(f.first[1] == 1 && f.second[1] == 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  check_pairs(&from);
  check_exponential(&from);
  check_tail(&from);
  check_powers(&from);
  return 0;
}
