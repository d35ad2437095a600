#include "size.h"

size_t size_sum(size_t a, size_t b) { return a > SIZE_LARGEST || b > SIZE_LARGEST - a ? SIZE_OVERFLOW : a + b; }

size_t size_product(size_t a, size_t b) {
  if (a == SIZE_OVERFLOW || b == SIZE_OVERFLOW) return SIZE_OVERFLOW;
  return b > 0 && a > SIZE_LARGEST / b ? SIZE_OVERFLOW : a * b;
}
