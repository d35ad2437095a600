/* fast_f32.h: where there is a kernel, values and slopes as promised; where there is none, nothing is written. */
#include "fuzz.h"

#include "fast_f32.h"

enum { LONGEST = 40 };

static int is_moderate(double x, double least, double most) { return x >= least && x <= most; }

/* As the header says. */
static int has_kernel(const char *id, const double *p) {
  if (strcmp(id, "gelu") == 0 || strcmp(id, "relu") == 0 || strcmp(id, "tanh") == 0) return 1;
  const int steep = strcmp(id, "silu") == 0 || strcmp(id, "gelu_sigmoid") == 0 || strcmp(id, "sigmoid") == 0;
  const int curved = strcmp(id, "gelu_tanh") == 0 && is_moderate(p[1], FAST_LEAST_CUBIC, FAST_MOST_CUBIC);
  return (steep || curved) && is_moderate(p[0], FAST_LEAST_STEEPNESS, FAST_MOST_STEEPNESS);
}

/* Within 5 ULP of the float64 result, with its sign. */
static int is_close(float y, double want) {
  const float nearest = (float)want;
  if (isinf(nearest) || isnan(nearest)) return same_f32(y, nearest);
  if ((signbit(y) != 0) != (signbit(want) != 0)) return 0;
  int exponent;
  frexp(want, &exponent);
  const double ulp = want == 0 || exponent < -125 ? 0x1p-149 : ldexp(1, exponent - 24);
  return fabs((double)y - want) <= 5.001 * ulp;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  const activation *row = take_row(&from);
  double room[ACTIVATION_MAX_PARAMETERS];
  const double *p = finite_parameters(&from, row, room);
  const int order = take_index(&from, 3);
  const size_t n = take_below(&from, LONGEST + 1);
  const float *x = some_floats(&m, &from, n);
  float *y = floats(&m, n), *both = floats(&m, n), *slope = floats(&m, n);

  const int there = has_kernel(row->id, p);
  REQUIRE(fast_f32(row, order, p, x, y, n) == (there && order == 0));
  REQUIRE(fast_f32_with_slope(row, p, x, both, slope, n) == there);
  if (!there || order != 0) REQUIRE(is_untouched(y, n * sizeof *y));
  if (!there) REQUIRE(is_untouched(both, n * sizeof *y) && is_untouched(slope, n * sizeof *y));
  float *in_place = copy_of(&m, x, n * sizeof *x), *slope_in_place = copy_of(&m, x, n * sizeof *x);
  if (there)
    fast_f32(row, 0, p, in_place, in_place, n), fast_f32_with_slope(row, p, slope_in_place, both, slope_in_place, n);
  for (size_t k = 0; there && k < n; k++) {
    float alone, alone_slope;
    REQUIRE(fast_f32_with_slope(row, p, &x[k], &alone, &alone_slope, 1));
    REQUIRE(same_f32(both[k], alone) && same_f32(in_place[k], alone) && (order != 0 || same_f32(y[k], alone)));
    REQUIRE(same_f32(slope[k], alone_slope) && same_f32(slope_in_place[k], alone_slope));
    REQUIRE(isnan(alone) == isnan(x[k]) && isnan(alone_slope) == isnan(x[k]));
    REQUIRE(is_close(alone, row->evaluate[0]((double)x[k], p)));
  }
  release(&m);
  return 0;
}
