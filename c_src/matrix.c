#include "matrix.h"

#include <string.h>

#include "size.h"
#include "vec.h"

enum {
  TILE_ROWS = 4,
  TILE_COLUMNS = 8,
  LANES = 4,
  ROW_PIECE = 1024 /* columns of a single row that are summed at a time: 4 kB of the stack */
};

/* What has several callers is not inlined: the code would be three times as long, and no faster. */

/* ---- copies in the order in which the tile reads ---- */

/* A step of `along` leads to the next number of the inner size, a step of `across` to the next row (of A) or column
 * (of B); one of the two is 1. */
typedef struct {
  const float *numbers;
  size_t along, across;
} operand_view;

static operand_view view_of_a(matrix_shape shape, matrix_operand a) {
  return a.form == MATRIX_PLAIN ? (operand_view){a.numbers, 1, shape.inner} : (operand_view){a.numbers, shape.rows, 1};
}

static operand_view view_of_b(matrix_shape shape, matrix_operand b) {
  return b.form == MATRIX_PLAIN ? (operand_view){b.numbers, shape.columns, 1}
                                : (operand_view){b.numbers, 1, shape.inner};
}

/* Four numbers of each of four rows, which become four columns. */
NOT_INLINED static void transpose_four(const float *from, size_t row, float *to, size_t width) {
  const f32x4 a = f32x4_load(from), b = f32x4_load(from + row);
  const f32x4 c = f32x4_load(from + 2 * row), d = f32x4_load(from + 3 * row);
  const f32x4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const f32x4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  f32x4_store(to, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
  f32x4_store(to + width, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
  f32x4_store(to + 2 * width, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
  f32x4_store(to + 3 * width, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
}

/* One number after the other, and 0 in the lanes beyond the edge of the matrix. */
NOT_INLINED static void pack_slowly(operand_view from, size_t inner, size_t present, size_t width, float *to) {
  for (size_t p = 0; p < inner; p++)
    for (size_t lane = 0; lane < width; lane++)
      to[p * width + lane] = lane < present ? from.numbers[p * from.along + lane * from.across] : 0;
}

/* to[p][lane], `width` lanes of which the first `present` come from the matrix. */
NOT_INLINED static void pack(operand_view from, size_t inner, size_t present, size_t width, float *to) {
  if (present < width) {
    pack_slowly(from, inner, present, width, to);
    return;
  }
  size_t p = 0;
  if (from.across == 1) {
    for (; p < inner; p++)
      for (size_t lane = 0; lane < width; lane += LANES)
        f32x4_store(to + p * width + lane, f32x4_load(from.numbers + p * from.along + lane));
    return;
  }
  for (; p + LANES <= inner; p += LANES)
    for (size_t lane = 0; lane < width; lane += LANES)
      transpose_four(from.numbers + p + lane * from.across, from.across, to + p * width + lane, width);
  from.numbers += p;
  pack_slowly(from, inner - p, present, width, to + p * width);
}

static operand_view moved(operand_view view, size_t along, size_t across) {
  view.numbers += along * view.along + across * view.across;
  return view;
}

/* ---- the tile ---- */

/* c[row][column] += sum over p of a[p][row] b[p][column], c's rows `stride` apart. */
static void add_tile(const float *a, const float *b, size_t inner, float *c, size_t stride) {
  f32x4 c00 = {0}, c01 = {0}, c10 = {0}, c11 = {0}, c20 = {0}, c21 = {0}, c30 = {0}, c31 = {0};
  for (size_t p = 0; p < inner; p++, a += TILE_ROWS, b += TILE_COLUMNS) {
    const f32x4 b0 = f32x4_load(b), b1 = f32x4_load(b + LANES);
    const f32x4 a0 = f32x4_splat(a[0]), a1 = f32x4_splat(a[1]), a2 = f32x4_splat(a[2]), a3 = f32x4_splat(a[3]);
    c00 += a0 * b0, c01 += a0 * b1;
    c10 += a1 * b0, c11 += a1 * b1;
    c20 += a2 * b0, c21 += a2 * b1;
    c30 += a3 * b0, c31 += a3 * b1;
  }
  float *const row0 = c, *const row1 = row0 + stride, *const row2 = row1 + stride, *const row3 = row2 + stride;
  f32x4_store(row0, f32x4_load(row0) + c00), f32x4_store(row0 + LANES, f32x4_load(row0 + LANES) + c01);
  f32x4_store(row1, f32x4_load(row1) + c10), f32x4_store(row1 + LANES, f32x4_load(row1 + LANES) + c11);
  f32x4_store(row2, f32x4_load(row2) + c20), f32x4_store(row2 + LANES, f32x4_load(row2 + LANES) + c21);
  f32x4_store(row3, f32x4_load(row3) + c30), f32x4_store(row3 + LANES, f32x4_load(row3 + LANES) + c31);
}

/* ---- blocks ---- */

static void add_part(const float *sums, size_t rows, size_t columns, float *c, size_t stride) {
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++) c[i * stride + j] += sums[i * TILE_COLUMNS + j];
}

/* `columns` of B, already in panels, times one strip of A. A tile that hangs over the edge of C is summed beside it.
 * The only call of add_tile, which must be inlined: V8 loses a sixth of the speed where it is not. */
static void multiply_strip(const float *strip, const float *panels, size_t inner, size_t rows, size_t columns, float *c,
                           size_t stride) {
  for (size_t j = 0; j < columns; j += TILE_COLUMNS) {
    const int whole = rows == TILE_ROWS && columns - j >= TILE_COLUMNS;
    float beside[TILE_ROWS * TILE_COLUMNS];
    if (!whole) memset(beside, 0, sizeof beside);
    add_tile(strip, panels + j * inner, inner, whole ? c + j : beside, whole ? stride : TILE_COLUMNS);
    if (!whole) add_part(beside, rows, size_least(columns - j, TILE_COLUMNS), c + j, stride);
  }
}

static size_t whole_panels(size_t columns) { return (columns + TILE_COLUMNS - 1) / TILE_COLUMNS * TILE_COLUMNS; }

/* One block of B, which the workspace holds, times all of A's rows. */
static void multiply_block(matrix_shape shape, operand_view a, operand_view b, size_t inner, size_t columns, float *c,
                           float *workspace) {
  float *const panels = workspace, *const strip = panels + whole_panels(columns) * inner;
  for (size_t j = 0; j < columns; j += TILE_COLUMNS)
    pack(moved(b, 0, j), inner, size_least(columns - j, TILE_COLUMNS), TILE_COLUMNS, panels + j * inner);
  for (size_t i = 0; i < shape.rows; i += TILE_ROWS) {
    const size_t rows = size_least(shape.rows - i, TILE_ROWS);
    pack(moved(a, 0, i), inner, rows, TILE_ROWS, strip);
    multiply_strip(strip, panels, inner, rows, columns, c + i * shape.columns, shape.columns);
  }
}

static void add_product(matrix_shape shape, operand_view a, operand_view b, float *c, float *workspace) {
  for (size_t j = 0; j < shape.columns; j += MATRIX_BLOCK)
    for (size_t p = 0; p < shape.inner; p += MATRIX_BLOCK)
      multiply_block(shape, moved(a, p, 0), moved(b, p, j), size_least(shape.inner - p, MATRIX_BLOCK),
                     size_least(shape.columns - j, MATRIX_BLOCK), c + j, workspace);
}

/* ---- rows ---- */

NOT_INLINED static void add_scaled(float factor, const float *from, size_t n, float *to) {
  for (size_t k = 0; k < n; k++) to[k] += factor * from[k];
}

/* A single row: B as it stands is read once, in the order in which it lies; copying it would take longer than the
 * product. */
static void add_row_product(matrix_shape shape, const float *a, const float *b, float *c) {
  float sums[ROW_PIECE];
  for (size_t j = 0; j < shape.columns; j += ROW_PIECE) {
    const size_t columns = size_least(shape.columns - j, ROW_PIECE);
    for (size_t block = 0; block < shape.inner; block += MATRIX_BLOCK) {
      const size_t end = size_least(shape.inner, block + MATRIX_BLOCK);
      memset(sums, 0, columns * sizeof *sums);
      for (size_t p = block; p < end; p++) add_scaled(a[p], b + p * shape.columns + j, columns, sums);
      add_scaled(1, sums, columns, c + j);
    }
  }
}

/* ---- entry ---- */

static void write_start(matrix_shape shape, matrix_start start, const float *bias, float *c) {
  for (size_t i = 0; i < shape.rows; i++, c += shape.columns) {
    if (start == MATRIX_ADD && bias != NULL) add_scaled(1, bias, shape.columns, c);
    if (start == MATRIX_OVERWRITE && bias != NULL) memcpy(c, bias, shape.columns * sizeof *c);
    if (start == MATRIX_OVERWRITE && bias == NULL) memset(c, 0, shape.columns * sizeof *c);
  }
}

size_t matrix_workspace(matrix_shape shape) {
  const size_t inner = size_least(shape.inner, MATRIX_BLOCK), columns = size_least(shape.columns, MATRIX_BLOCK);
  return inner * (TILE_ROWS + whole_panels(columns));
}

static gelu_status check(matrix_shape shape, matrix_operand a, matrix_operand b, matrix_start start, const float *c,
                         const float *workspace) {
  if ((unsigned)a.form > MATRIX_TRANSPOSED || (unsigned)b.form > MATRIX_TRANSPOSED || (unsigned)start > MATRIX_ADD)
    return GELU_UNKNOWN_OPTION;
  const size_t of_a = size_product(shape.rows, shape.inner), of_b = size_product(shape.inner, shape.columns);
  const size_t of_c = size_product(shape.rows, shape.columns);
  if (of_a == SIZE_OVERFLOW || of_b == SIZE_OVERFLOW || of_c == SIZE_OVERFLOW) return GELU_TOO_LARGE;
  if (of_c == 0) return GELU_OK;
  if (c == NULL || (shape.inner > 0 && (a.numbers == NULL || b.numbers == NULL || workspace == NULL)))
    return GELU_NULL_POINTER;
  return GELU_OK;
}

gelu_status matrix_multiply(matrix_shape shape, matrix_operand a, matrix_operand b, matrix_start start,
                            const float *bias, float *c, float *workspace) {
  const gelu_status status = check(shape, a, b, start, c, workspace);
  if (status != GELU_OK || shape.rows == 0 || shape.columns == 0) return status;
  write_start(shape, start, bias, c);
  if (shape.inner == 0) return GELU_OK;
  if (shape.rows == 1 && b.form == MATRIX_PLAIN)
    add_row_product(shape, a.numbers, b.numbers, c);
  else
    add_product(shape, view_of_a(shape, a), view_of_b(shape, b), c, workspace);
  return GELU_OK;
}

gelu_status matrix_column_sums(size_t rows, size_t columns, const float *a, float *sums) {
  const size_t size = size_product(rows, columns);
  if (size == SIZE_OVERFLOW) return GELU_TOO_LARGE;
  if ((size > 0 && a == NULL) || (columns > 0 && sums == NULL)) return GELU_NULL_POINTER;
  if (columns > 0) memset(sums, 0, columns * sizeof *sums);
  for (size_t i = 0; i < rows; i++, a += columns) add_scaled(1, a, columns, sums);
  return GELU_OK;
}

/* ---- an affine layer ---- */

void affine_forward(matrix_shape shape, const float *x, const float *w, const float *b, float *y, float *workspace) {
  /* y = x W + b */
  matrix_multiply(shape, matrix_plain(x), matrix_plain(w), MATRIX_OVERWRITE, b, y, workspace);
}

void affine_backward(matrix_shape shape, const float *x, const float *w, const float *dy, matrix_start start, float *dx,
                     float *dw, float *db, float *workspace) {
  /* y = x W + b */
  const matrix_shape to_w = {shape.inner, shape.rows, shape.columns}, to_x = {shape.rows, shape.columns, shape.inner};
  if (dw != NULL) matrix_multiply(to_w, matrix_transposed(x), matrix_plain(dy), MATRIX_OVERWRITE, NULL, dw, workspace);
  if (db != NULL) matrix_column_sums(shape.rows, shape.columns, dy, db);
  if (dx != NULL) matrix_multiply(to_x, matrix_plain(dy), matrix_transposed(w), start, NULL, dx, workspace);
}
