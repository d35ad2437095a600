/* Products of float32 matrices, in an order of summation that every build keeps.
 *
 *   C = start + op(A) op(B)      op(A): rows x inner, op(B): inner x columns, C: rows x columns
 *
 * All matrices are row-major without gaps. op is the matrix as it stands (MATRIX_PLAIN) or its transpose: a transposed
 * operand lies in memory as inner x rows (A) or columns x inner (B). Any size, 0 included.
 *
 * start is 0 (MATRIX_OVERWRITE: what C held is not looked at) or what C holds (MATRIX_ADD); plus, where `bias` is not
 * NULL, bias[column].
 *
 * Order of summation: the products of an element are taken in blocks of MATRIX_BLOCK along the inner size. Within a
 * block they are added to 0 one after the other; each block's sum is then added to the element, in order. Every step is
 * one float32 multiplication or addition. So an element depends on its own row and column alone, and has the same bits
 * native, in wasm with SIMD and without, for a single row or for many, and for either way that an operand lies.
 * The blocks also keep the rounding error small: it grows like MATRIX_BLOCK + inner/MATRIX_BLOCK, not like inner.
 *
 * How: B is copied into panels of 8 columns and A into strips of 4 rows, so that a 4 x 8 tile of sums stays in
 * registers (research: larger tiles spill in V8; a smaller one is bound by loads). A single row skips the copies.
 *
 * The caller owns everything. C, bias and workspace overlap nothing; A and B may be the same matrix.
 * NaN and infinities go through: 0 times NaN is NaN, no product is skipped.
 *
 * Checked in this order, and then nothing is written:
 *   transposed or start not of its enumeration       GELU_UNKNOWN_OPTION
 *   a matrix or the workspace cannot be addressed    GELU_TOO_LARGE
 *   a matrix with elements, or the workspace, NULL   GELU_NULL_POINTER */
#ifndef GELU_MATRIX_H
#define GELU_MATRIX_H

#include <stddef.h>

#include "status.h"

enum { MATRIX_BLOCK = 256 };

typedef enum { MATRIX_PLAIN = 0, MATRIX_TRANSPOSED = 1 } matrix_form;
typedef enum { MATRIX_OVERWRITE = 0, MATRIX_ADD = 1 } matrix_start;

typedef struct {
  size_t rows, inner, columns;
} matrix_shape;

typedef struct {
  const float *numbers;
  matrix_form form;
} matrix_operand;

static inline matrix_operand matrix_plain(const float *numbers) { return (matrix_operand){numbers, MATRIX_PLAIN}; }

static inline matrix_operand matrix_transposed(const float *numbers) {
  return (matrix_operand){numbers, MATRIX_TRANSPOSED};
}

/* The workspace that a product of any shape fits into: 260 kB. */
enum { MATRIX_WORKSPACE = MATRIX_BLOCK * MATRIX_BLOCK + 4 * MATRIX_BLOCK };

/* The number of float32 of workspace that a product of this shape needs, at most MATRIX_WORKSPACE. */
size_t matrix_workspace(matrix_shape shape);

gelu_status matrix_multiply(matrix_shape shape, matrix_operand a, matrix_operand b, matrix_start start,
                            const float *bias, float *c, float *workspace);

/* sums[column] = a[0][column] + a[1][column] + …, added in this order to 0. With no rows, 0.
 * Statuses: GELU_TOO_LARGE, GELU_NULL_POINTER as above. */
gelu_status matrix_column_sums(size_t rows, size_t columns, const float *a, float *sums);

/* ---- an affine layer, y = x W + b: rows x inner times inner x columns ---- */

/* b may be NULL. Nothing is checked: callers inside the library have done so. */
void affine_forward(matrix_shape shape, const float *x, const float *w, const float *b, float *y, float *workspace);

/* From dy: dW = x^T dy and db = the column sums of dy, which are overwritten, and dx = dy W^T, which is overwritten or
 * added to. Each of the three may be NULL and is left out then. The shape is that of forward. */
void affine_backward(matrix_shape shape, const float *x, const float *w, const float *dy, matrix_start start, float *dx,
                     float *dw, float *db, float *workspace);

#endif
