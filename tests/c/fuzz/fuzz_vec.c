/* vec.h: every operation, lane by lane, is what its comment says of one number; loads and stores at any address. */
#include "fuzz.h"

#include "vec.h"

static float smaller_f32(float a, float b) { return b < a ? b : a; }
static float larger_f32(float a, float b) { return a < b ? b : a; }
static double smaller_f64(double a, double b) { return b < a ? b : a; }
static double larger_f64(double a, double b) { return a < b ? b : a; }

static void check_f32(memory *m, source *from) {
  const float *a = some_floats(m, from, 4), *b = some_floats(m, from, 4);
  const f32x4 va = f32x4_load(a), vb = f32x4_load(b);
  const i32x4 mask = (i32x4)(va < vb);
  float *stored = some_floats(m, from, 4);
  f32x4_store(stored, va);
  REQUIRE(memcmp(stored, a, 4 * sizeof *a) == 0);
  REQUIRE((i32x4_any(mask) != 0) == (a[0] < b[0] || a[1] < b[1] || a[2] < b[2] || a[3] < b[3]));
  const f32x4 root = f32x4_sqrt(va), narrowed = f32x4_narrow(f64x2_widen_low(va) * 1.1, f64x2_widen_high(va) * 1.1);
  for (int k = 0; k < 4; k++) {
    REQUIRE(same_f32(f32x4_splat(a[0])[k], a[0]));
    REQUIRE(same_f32(f32x4_select(mask, va, vb)[k], a[k] < b[k] ? a[k] : b[k]));
    REQUIRE(same_f32(f32x4_min(va, vb)[k], smaller_f32(a[k], b[k])));
    REQUIRE(same_f32(f32x4_max(va, vb)[k], larger_f32(a[k], b[k])));
    const float part = f32x4_positive_part(va)[k];
    REQUIRE(same_f32(part, a[k] < 0 ? -0.0f : a[k]));
    REQUIRE(same_f32(root[k], sqrtf(a[k])) && same_f32(f32x4_abs(va)[k], fabsf(a[k])));
    REQUIRE(same_f32(f32x4_copysign(va, vb)[k], copysignf(a[k], b[k])));
    REQUIRE(same_f32(narrowed[k], (float)((double)a[k] * 1.1)));
    REQUIRE(same_f64(k < 2 ? f64x2_widen_low(va)[k] : f64x2_widen_high(va)[k - 2], (double)a[k]));
  }
}

static void check_f64(memory *m, source *from) {
  const double *a = some_doubles(m, from, 2), *b = some_doubles(m, from, 2);
  const f64x2 va = f64x2_load(a), vb = f64x2_load(b);
  const i64x2 mask = (i64x2)(va < vb);
  double *stored = some_doubles(m, from, 2);
  f64x2_store(stored, va);
  REQUIRE(memcmp(stored, a, 2 * sizeof *a) == 0);
  REQUIRE((i64x2_any(mask) != 0) == (a[0] < b[0] || a[1] < b[1]));
  REQUIRE(same_f64(f64x2_firsts(va, vb)[0], a[0]) && same_f64(f64x2_firsts(va, vb)[1], b[0]));
  REQUIRE(same_f64(f64x2_seconds(va, vb)[0], a[1]) && same_f64(f64x2_seconds(va, vb)[1], b[1]));
  for (int k = 0; k < 2; k++) {
    REQUIRE(same_f64(f64x2_splat(a[0])[k], a[0]));
    REQUIRE(same_f64(f64x2_select(mask, va, vb)[k], a[k] < b[k] ? a[k] : b[k]));
    REQUIRE(same_f64(f64x2_min(va, vb)[k], smaller_f64(a[k], b[k])));
    REQUIRE(same_f64(f64x2_max(va, vb)[k], larger_f64(a[k], b[k])));
    REQUIRE(same_f64(f64x2_positive_part(va)[k], a[k] < 0 ? -0.0 : a[k]));
    REQUIRE(same_f64(f64x2_abs(va)[k], fabs(a[k])));
    REQUIRE(same_f64(f64x2_copysign(va, vb)[k], copysign(a[k], b[k])));
  }
}

static void check_integers(source *from) {
  int32_t a[4], b[4];
  take_bytes(from, a, sizeof a);
  take_bytes(from, b, sizeof b);
  i32x4 va, vb;
  memcpy(&va, a, sizeof a);
  memcpy(&vb, b, sizeof b);
  for (int k = 0; k < 4; k++) {
    REQUIRE(i32x4_max(va, vb)[k] == (a[k] > b[k] ? a[k] : b[k]));
    REQUIRE(i32x4_splat(a[0])[k] == a[0] && u32x4_splat((uint32_t)a[0])[k] == (uint32_t)a[0]);
  }
  REQUIRE(i64x2_splat(a[0])[1] == a[0] && u64x2_splat(7)[1] == 7);
  const double exponent = (double)((int)(take_word(from) % 2045) - 1022);
  REQUIRE(f64x2_power_of_two_of_bits(f64x2_splat(exponent) + VEC_ROUND_EXPONENT)[1] == ldexp(1, (int)exponent));
  const u32x4 low = u32x4_low_words((f64x2){VEC_ROUND + 1, VEC_ROUND + 2}, (f64x2){VEC_ROUND + 3, VEC_ROUND + 4});
  for (uint32_t k = 0; k < 4; k++) REQUIRE(low[k] == k + 1);
  const int small = (int)(take_word(from) % 253) - 126;
  REQUIRE(f32x4_power_of_two_of_bits(u32x4_splat((uint32_t)(small + 127)))[3] == ldexpf(1, small));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  check_f32(&m, &from);
  check_f64(&m, &from);
  check_integers(&from);
  release(&m);
  return 0;
}
