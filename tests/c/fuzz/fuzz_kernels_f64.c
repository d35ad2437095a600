/* kernels_f64.h: every kernel at any length, in place or not, gives what it gives for one number alone. */
#include "fuzz.h"

#include "kernels_f64.h"

enum { LONGEST = 24 };

static void check_kernel(memory *m, kernel_f64 *kernel, const double *p, const double *x, size_t n) {
  double *y = doubles(m, n), *in_place = copy_of(m, x, n * sizeof *x);
  run_kernel(kernel, p, x, y, n);
  run_kernel(kernel, p, in_place, in_place, n);
  for (size_t k = 0; k < n; k++) {
    const double alone = kernel_alone(kernel, x[k], p);
    REQUIRE(same_f64(y[k], alone) && same_f64(in_place[k], alone) && isnan(alone) == isnan(x[k]));
  }
}

/* Whole steps only, as the header asks. */
static void check_joint(memory *m, const activation *row, const double *p, const double *x, size_t n) {
  double *y = doubles(m, n), *slope = doubles(m, n), *in_place = copy_of(m, x, n * sizeof *x);
  row->joint(p, x, y, slope, n);
  for (size_t k = 0; k < n; k++) {
    REQUIRE(same_f64(y[k], kernel_alone(row->kernel[0], x[k], p)));
    REQUIRE(same_f64(slope[k], kernel_alone(row->kernel[1], x[k], p)));
  }
  row->joint(p, in_place, in_place, slope, n);
  for (size_t k = 0; k < n; k++) REQUIRE(same_f64(in_place[k], y[k]));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  const activation *row = take_row(&from);
  double room[ACTIVATION_MAX_PARAMETERS];
  const double *p = finite_parameters(&from, row, room);
  const size_t n = take_below(&from, LONGEST + 1);
  const double *x = some_doubles(&m, &from, n);
  for (int order = 0; order < ACTIVATION_ORDERS; order++) check_kernel(&m, row->kernel[order], p, x, n);
  if (row->joint != NULL) check_joint(&m, row, p, x, n - n % KERNEL_STEP);
  release(&m);
  return 0;
}
