/* rounded_f32.h: the float64 result, rounded; one number alone gives what it gives among others, in place or not. */
#include "fuzz.h"

#include "rounded_f32.h"

enum { LONGEST = 40 };

/* One of the two float32 around the float64 result: it may itself be wrong in its last place and lie on a boundary. */
static int is_rounded(float y, double want) {
  const float nearest = (float)want;
  if (same_f32(y, nearest)) return 1;
  if (isnan(nearest) || isnan(y) || (signbit(y) != 0) != (signbit(nearest) != 0)) return 0;
  return nextafterf(nearest, y) == y && fabs((double)y - want) <= fabs((double)nearest - want) + 0x1p-48 * fabs(want);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  const activation *row = take_row(&from);
  double room[ACTIVATION_MAX_PARAMETERS];
  const double *p = finite_parameters(&from, row, room);
  const int order = (int)take_below(&from, ACTIVATION_ORDERS);
  const size_t n = take_below(&from, LONGEST + 1);
  const float *x = some_floats(&m, &from, n);
  float *y = floats(&m, n), *in_place = copy_of(&m, x, n * sizeof *x);
  rounded_f32(row, order, p, x, y, n);
  rounded_f32(row, order, p, in_place, in_place, n);
  for (size_t k = 0; k < n; k++) {
    float alone;
    rounded_f32(row, order, p, &x[k], &alone, 1);
    REQUIRE(same_f32(y[k], alone) && same_f32(in_place[k], alone) && isnan(alone) == isnan(x[k]));
    REQUIRE(is_rounded(alone, row->evaluate[order]((double)x[k], p)));
  }
  release(&m);
  return 0;
}
