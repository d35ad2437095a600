/* Sizes of arrays, counted in numbers, so that none wraps around: a sum or product that is too large becomes
 * SIZE_OVERFLOW, which every further step keeps, and one look at the end is enough. */
#ifndef GELU_SIZE_H
#define GELU_SIZE_H

#include <stddef.h>
#include <stdint.h>

#include "ieee.h"

#define SIZE_OVERFLOW SIZE_MAX

/* As many float64 as can be addressed with the difference of two pointers: no array is larger. */
#define SIZE_LARGEST ((size_t)PTRDIFF_MAX / sizeof(double))

size_t size_sum(size_t a, size_t b);

size_t size_product(size_t a, size_t b);

static inline size_t size_least(size_t a, size_t b) { return a < b ? a : b; }

#endif
