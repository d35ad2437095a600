/* layer_norm.h: rows are independent, forward and backward, in place or not; a row with NaN or an infinity is all NaN.
 */
#include "fuzz.h"

#include "layer_norm.h"

enum { MOST_ROWS = 5, WIDEST = 14 };

typedef struct {
  size_t rows, d;
  float *x, *gain, *shift, *normalised, *inverse, *y;
} layer;

static void check_rows(memory *m, const layer *l) {
  float *normalised = floats(m, l->d), inverse;
  for (size_t row = 0; row < l->rows; row++) {
    float *y = floats(m, l->d);
    layer_norm_forward(1, l->d, l->x + row * l->d, l->gain, l->shift, normalised, &inverse, y);
    int finite = 1;
    for (size_t k = 0; k < l->d; k++) finite &= isfinite(l->x[row * l->d + k]) != 0;
    for (size_t k = 0; k < l->d; k++) {
      REQUIRE(same_f32(y[k], l->y[row * l->d + k]) && same_f32(normalised[k], l->normalised[row * l->d + k]));
      if (!finite) REQUIRE(isnan(y[k]));
    }
    REQUIRE(same_f32(inverse, l->inverse[row]));
  }
}

static void check_backward(memory *m, const layer *l, source *from) {
  const size_t n = l->rows * l->d;
  const float *dy = some_floats(m, from, n);
  float *dgain = l->gain != NULL ? floats(m, l->d) : NULL, *dshift = l->gain != NULL ? floats(m, l->d) : NULL;
  float *dx = floats(m, n), *in_place = copy_of(m, dy, n * sizeof *dy);
  layer_norm_backward(l->rows, l->d, l->gain, l->normalised, l->inverse, dy, dgain, dshift, dx);
  layer_norm_backward(l->rows, l->d, l->gain, l->normalised, l->inverse, in_place, NULL, NULL, in_place);
  for (size_t k = 0; k < n; k++) REQUIRE(same_f32(dx[k], in_place[k]));
  for (size_t k = 0; dshift != NULL && k < l->d; k++) {
    float sum = 0;
    for (size_t row = 0; row < l->rows; row++) sum += dy[row * l->d + k];
    REQUIRE(same_f32(dshift[k], sum));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  layer l = {.rows = take_below(&from, MOST_ROWS + 1), .d = take_below(&from, WIDEST) + 1};
  const size_t n = l.rows * l.d;
  if (take_below(&from, 2) == 1) {
    l.gain = many_floats(&m, &from, l.d);
    l.shift = many_floats(&m, &from, l.d);
  }
  l.x = some_floats(&m, &from, n);
  l.normalised = floats(&m, n);
  l.inverse = floats(&m, l.rows);
  l.y = floats(&m, n);
  layer_norm_forward(l.rows, l.d, l.x, l.gain, l.shift, l.normalised, l.inverse, l.y);
  check_rows(&m, &l);
  check_backward(&m, &l, &from);
  if (l.gain == NULL) { /* y may be `normalised` */
    float *both = floats(&m, n);
    layer_norm_forward(l.rows, l.d, l.x, NULL, NULL, both, l.inverse, both);
    for (size_t k = 0; k < n; k++) REQUIRE(same_f32(both[k], l.y[k]));
  }
  release(&m);
  return 0;
}
