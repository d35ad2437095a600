/* Matrix products: against a double loop in float64 for the values, and against the header's order of summation,
 * written out, for the bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assert_close.h"
#include "matrix.h"
#include "random.h"

enum { SMALL = 17 };

static float *numbers(random_state *random, size_t n) {
  float *x = test_malloc((n + 1) * sizeof *x);
  for (size_t k = 0; k < n; k++) x[k] = (float)(2 * random_uniform(random) - 1);
  return x;
}

static float element(matrix_operand m, size_t row, size_t column, size_t rows, size_t columns) {
  return m.form == MATRIX_PLAIN ? m.numbers[row * columns + column] : m.numbers[column * rows + row];
}

/* The header's order of summation for one element. */
static float in_order(matrix_shape s, matrix_operand a, matrix_operand b, size_t i, size_t j, float value) {
  for (size_t block = 0; block < s.inner; block += MATRIX_BLOCK) {
    float sum = 0;
    for (size_t p = block; p < s.inner && p < block + MATRIX_BLOCK; p++)
      sum += element(a, i, p, s.rows, s.inner) * element(b, p, j, s.inner, s.columns);
    value += sum;
  }
  return value;
}

static double in_float64(matrix_shape s, matrix_operand a, matrix_operand b, size_t i, size_t j, double *sizes) {
  double sum = 0;
  *sizes = 0;
  for (size_t p = 0; p < s.inner; p++) {
    const double product = (double)element(a, i, p, s.rows, s.inner) * (double)element(b, p, j, s.inner, s.columns);
    sum += product;
    *sizes += fabs(product);
  }
  return sum;
}

typedef struct {
  matrix_shape shape;
  matrix_operand a, b;
  matrix_start start;
  const float *bias, *before; /* what C holds beforehand */
} problem;

static void check_element(const problem *t, const float *c, size_t i, size_t j) {
  const float old = t->start == MATRIX_ADD ? t->before[i * t->shape.columns + j] : 0;
  const float start = t->bias == NULL ? old : t->start == MATRIX_ADD ? old + t->bias[j] : t->bias[j];
  const float got = c[i * t->shape.columns + j];
  const float want = in_order(t->shape, t->a, t->b, i, j, start);
  double sizes;
  const double exact = (double)start + in_float64(t->shape, t->a, t->b, i, j, &sizes);
  if (memcmp(&got, &want, sizeof got) != 0 || !(fabs((double)got - exact) <= 1e-6 * (sizes + fabs((double)start))))
    fail_msg("%zux%zux%zu forms %d %d start %d, element %zu %zu: got %a, want %a, in float64 %a", t->shape.rows,
             t->shape.inner, t->shape.columns, (int)t->a.form, (int)t->b.form, (int)t->start, i, j, (double)got,
             (double)want, exact);
}

/* Every use of one shape; guards around C and the workspace must survive. */
static void check_shape(random_state *random, matrix_shape s) {
  const size_t size = s.rows * s.columns, workspace_size = matrix_workspace(s);
  assert_true(workspace_size <= MATRIX_WORKSPACE);
  float *a = numbers(random, s.rows * s.inner), *b = numbers(random, s.inner * s.columns);
  float *bias = numbers(random, s.columns), *before = numbers(random, size);
  float *c = numbers(random, size), *workspace = numbers(random, workspace_size);
  for (int use = 0; use < 16; use++) {
    const problem t = {s,
                       {a, use & 1 ? MATRIX_TRANSPOSED : MATRIX_PLAIN},
                       {b, use & 2 ? MATRIX_TRANSPOSED : MATRIX_PLAIN},
                       use & 4 ? MATRIX_ADD : MATRIX_OVERWRITE,
                       use & 8 ? bias : NULL,
                       before};
    memcpy(c, before, size * sizeof *c);
    c[size] = workspace[workspace_size] = 777;
    assert_int_equal(matrix_multiply(s, t.a, t.b, t.start, t.bias, c, workspace), GELU_OK);
    assert_true(c[size] == 777 && workspace[workspace_size] == 777);
    for (size_t i = 0; i < s.rows; i++)
      for (size_t j = 0; j < s.columns; j++) check_element(&t, c, i, j);
  }
  test_free(a), test_free(b), test_free(bias), test_free(before), test_free(c), test_free(workspace);
}

static void test_every_small_shape(void **state) {
  (void)state;
  random_state random;
  random_seed(&random, 1);
  for (size_t rows = 1; rows <= SMALL; rows++)
    for (size_t inner = 1; inner <= SMALL; inner++)
      for (size_t columns = 1; columns <= SMALL; columns++) check_shape(&random, (matrix_shape){rows, inner, columns});
}

static void test_large_and_odd_shapes(void **state) {
  (void)state;
  static const matrix_shape shapes[] = {{31, 257, 61}, {65, 100, 263}, {3, 600, 515},  {1, 513, 1031},
                                        {1, 770, 33},  {257, 3, 9},    {7, 1025, 1},   {1, 1, 2049},
                                        {2, 255, 256}, {64, 64, 64},   {129, 256, 24}, {5, 511, 257}};
  random_state random;
  random_seed(&random, 2);
  for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) check_shape(&random, shapes[k]);
}

static void test_empty_shapes(void **state) {
  (void)state;
  random_state random;
  random_seed(&random, 3);
  for (size_t k = 0; k < 7; k++) check_shape(&random, (matrix_shape){k & 1 ? 5 : 0, k & 2 ? 3 : 0, k & 4 ? 9 : 0});
  const matrix_shape nothing = {0, 0, 0};
  assert_int_equal(matrix_multiply(nothing, matrix_plain(NULL), matrix_plain(NULL), MATRIX_ADD, NULL, NULL, NULL),
                   GELU_OK);
}

static void test_nan_and_infinity_go_through(void **state) {
  (void)state;
  float a[2 * 3] = {1, 0, 2, 1, 0, 2}, b[3 * 2] = {1, 1, 1, NAN, 1, 1}, c[4];
  float workspace[MATRIX_WORKSPACE / 64];
  const matrix_shape shape = {2, 3, 2};
  assert_true(matrix_workspace(shape) <= sizeof workspace / sizeof *workspace);
  matrix_multiply(shape, matrix_plain(a), matrix_plain(b), MATRIX_OVERWRITE, NULL, c, workspace);
  assert_true(c[0] == 3 && isnan(c[1]) && c[2] == 3 && isnan(c[3]));
  b[3] = INFINITY;
  matrix_multiply((matrix_shape){1, 3, 2}, matrix_plain(a), matrix_plain(b), MATRIX_OVERWRITE, NULL, c, workspace);
  assert_true(c[0] == 3 && isnan(c[1]));
  a[1] = 1;
  matrix_multiply((matrix_shape){1, 3, 2}, matrix_plain(a), matrix_plain(b), MATRIX_OVERWRITE, NULL, c, workspace);
  assert_true(c[0] == 4 && c[1] == INFINITY);
}

static void test_column_sums(void **state) {
  (void)state;
  const float a[3 * 5] = {1, 2, 3, 4, NAN, 10, 20, 30, 40, 50, 100, 200, 300, 400, 500};
  float sums[5];
  assert_int_equal(matrix_column_sums(3, 5, a, sums), GELU_OK);
  assert_true(sums[0] == 111 && sums[1] == 222 && sums[2] == 333 && sums[3] == 444 && isnan(sums[4]));
  assert_int_equal(matrix_column_sums(0, 5, NULL, sums), GELU_OK);
  for (int j = 0; j < 5; j++) assert_true(sums[j] == 0);
  assert_int_equal(matrix_column_sums(3, 0, NULL, NULL), GELU_OK);
  assert_int_equal(matrix_column_sums(1, 1, NULL, sums), GELU_NULL_POINTER);
  assert_int_equal(matrix_column_sums(1, 1, a, NULL), GELU_NULL_POINTER);
  assert_int_equal(matrix_column_sums(SIZE_MAX, 2, a, sums), GELU_TOO_LARGE);
}

static void test_errors_write_nothing(void **state) {
  (void)state;
  const float a[4] = {1, 2, 3, 4};
  float c[4] = {7, 7, 7, 7}, workspace[64];
  const matrix_shape s = {2, 2, 2};
  const matrix_operand fine = matrix_plain(a), missing = matrix_plain(NULL), odd = {a, (matrix_form)2};
  assert_int_equal(matrix_multiply(s, odd, fine, MATRIX_OVERWRITE, NULL, c, workspace), GELU_UNKNOWN_OPTION);
  assert_int_equal(matrix_multiply(s, fine, odd, MATRIX_OVERWRITE, NULL, c, workspace), GELU_UNKNOWN_OPTION);
  assert_int_equal(matrix_multiply(s, fine, fine, (matrix_start)2, NULL, c, workspace), GELU_UNKNOWN_OPTION);
  assert_int_equal(matrix_multiply(s, missing, fine, MATRIX_OVERWRITE, NULL, c, workspace), GELU_NULL_POINTER);
  assert_int_equal(matrix_multiply(s, fine, missing, MATRIX_OVERWRITE, NULL, c, workspace), GELU_NULL_POINTER);
  assert_int_equal(matrix_multiply(s, fine, fine, MATRIX_OVERWRITE, NULL, NULL, workspace), GELU_NULL_POINTER);
  assert_int_equal(matrix_multiply(s, fine, fine, MATRIX_OVERWRITE, NULL, c, NULL), GELU_NULL_POINTER);
  static const matrix_shape too_large[] = {
      {SIZE_MAX / 2, 3, 0}, {0, SIZE_MAX / 2, 3}, {SIZE_MAX, 0, SIZE_MAX}, {SIZE_MAX / 4 + 1, 4, 1}};
  for (size_t k = 0; k < sizeof too_large / sizeof too_large[0]; k++)
    assert_int_equal(matrix_multiply(too_large[k], fine, fine, MATRIX_OVERWRITE, NULL, c, workspace), GELU_TOO_LARGE);
  for (int k = 0; k < 4; k++) assert_true(c[k] == 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_small_shape), cmocka_unit_test(test_large_and_odd_shapes),
      cmocka_unit_test(test_empty_shapes),      cmocka_unit_test(test_nan_and_infinity_go_through),
      cmocka_unit_test(test_column_sums),       cmocka_unit_test(test_errors_write_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
