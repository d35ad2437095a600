/* matrix.h: any shape, form, start and number, against the sum written out in the promised order. */
#include "fuzz.h"

#include "matrix.h"
#include "size.h"

enum { MOST = 13 };

typedef struct {
  matrix_shape shape;
  matrix_operand a, b;
  matrix_start start;
  const float *bias;
} product;

static float element(matrix_operand m, size_t rows, size_t columns, size_t i, size_t j) {
  return m.form == MATRIX_PLAIN ? m.numbers[i * columns + j] : m.numbers[j * rows + i];
}

static float promised(const product *p, size_t i, size_t j, float before) {
  float sum = p->start == MATRIX_ADD ? before : 0;
  if (p->bias != NULL) sum = p->start == MATRIX_ADD ? sum + p->bias[j] : p->bias[j];
  for (size_t block = 0; block < p->shape.inner; block += MATRIX_BLOCK) {
    float part = 0;
    for (size_t k = block; k < p->shape.inner && k < block + MATRIX_BLOCK; k++)
      part +=
          element(p->a, p->shape.rows, p->shape.inner, i, k) * element(p->b, p->shape.inner, p->shape.columns, k, j);
    sum += part;
  }
  return sum;
}

static void check_product(memory *m, product *p, source *from) {
  const size_t rows = p->shape.rows, inner = p->shape.inner, columns = p->shape.columns;
  p->a.numbers = many_floats(m, from, rows * inner);
  p->b.numbers = many_floats(m, from, inner * columns);
  if (take_below(from, 2) == 1) p->bias = many_floats(m, from, columns);
  float *c = many_floats(m, from, rows * columns), *before = copy_of(m, c, rows * columns * sizeof *c);
  float *workspace = floats(m, matrix_workspace(p->shape));
  REQUIRE(matrix_workspace(p->shape) <= MATRIX_WORKSPACE);
  REQUIRE(matrix_multiply(p->shape, p->a, p->b, p->start, p->bias, c, workspace) == GELU_OK);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      REQUIRE(same_f32(c[i * columns + j], promised(p, i, j, before[i * columns + j])));
  if (rows * columns > 0)
    REQUIRE(matrix_multiply(p->shape, p->a, p->b, p->start, p->bias, NULL, workspace) == GELU_NULL_POINTER);
}

static void check_column_sums(memory *m, size_t rows, size_t columns, source *from) {
  const float *a = many_floats(m, from, rows * columns);
  float *sums = floats(m, columns);
  REQUIRE(matrix_column_sums(rows, columns, a, sums) == GELU_OK);
  for (size_t j = 0; j < columns; j++) {
    float sum = 0;
    for (size_t i = 0; i < rows; i++) sum += a[i * columns + j];
    REQUIRE(same_f32(sums[j], sum));
  }
  if (columns > 0) REQUIRE(matrix_column_sums(rows, columns, a, NULL) == GELU_NULL_POINTER);
}

static size_t take_dimension(source *from) {
  const uint8_t kind = take_byte(from);
  if (kind < 224) return kind % (MOST + 1);
  if (kind < 248) return MATRIX_BLOCK - 1 + kind % 3;
  return (size_t)take_word(from) << (kind % 4 * 10);
}

static int is_small(matrix_shape s) {
  const size_t most = MATRIX_BLOCK + 1;
  return s.rows <= most && s.inner <= most && s.columns <= most && s.rows * s.inner * s.columns <= 40000;
}

static gelu_status fault(const product *p) {
  if ((unsigned)p->a.form > 1 || (unsigned)p->b.form > 1 || (unsigned)p->start > 1) return GELU_UNKNOWN_OPTION;
  const size_t a = size_product(p->shape.rows, p->shape.inner), b = size_product(p->shape.inner, p->shape.columns);
  const size_t c = size_product(p->shape.rows, p->shape.columns);
  return a == SIZE_OVERFLOW || b == SIZE_OVERFLOW || c == SIZE_OVERFLOW ? GELU_TOO_LARGE : GELU_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  product p = {.shape = {take_dimension(&from), take_dimension(&from), take_dimension(&from)}};
  p.a.form = (matrix_form)take_index(&from, 2);
  p.b.form = (matrix_form)take_index(&from, 2);
  p.start = (matrix_start)take_index(&from, 2);
  const gelu_status want = fault(&p);
  if (want == GELU_OK && is_small(p.shape)) {
    check_product(&m, &p, &from);
    check_column_sums(&m, p.shape.rows, p.shape.columns, &from);
  } else if (want != GELU_OK) {
    float *c = floats(&m, 1);
    REQUIRE(matrix_multiply(p.shape, p.a, p.b, p.start, NULL, c, c) == want && is_untouched(c, sizeof *c));
  }
  if (size_product(p.shape.rows, p.shape.columns) == SIZE_OVERFLOW)
    REQUIRE(matrix_column_sums(p.shape.rows, p.shape.columns, NULL, NULL) == GELU_TOO_LARGE);
  release(&m);
  return 0;
}
