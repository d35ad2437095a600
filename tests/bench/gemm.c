/* The product of square matrices, from the very object files that gelu.wasm is linked from: the library has it inside
 * its networks only. */
#include "matrix.h"

#define EXPORT(name) __attribute__((export_name(#name)))

EXPORT(workspace_bytes) unsigned workspace_bytes(void);
unsigned workspace_bytes(void) { return MATRIX_WORKSPACE * sizeof(float); }

/* C = A B, `side` x `side` each. */
EXPORT(gemm) int gemm(const float *a, const float *b, float *c, float *workspace, unsigned side);
int gemm(const float *a, const float *b, float *c, float *workspace, unsigned side) {
  const matrix_shape shape = {side, side, side};
  return (int)matrix_multiply(shape, matrix_plain(a), matrix_plain(b), MATRIX_OVERWRITE, NULL, c, workspace);
}
