/* size.h: sums and products are right or SIZE_OVERFLOW, against 128-bit integers. */
#include "fuzz.h"

#include "size.h"

__extension__ typedef unsigned __int128 wide;

static size_t wanted(wide exact, size_t a, size_t b) {
  if (a == SIZE_OVERFLOW || b == SIZE_OVERFLOW || exact > SIZE_LARGEST) return SIZE_OVERFLOW;
  return (size_t)exact;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  size_t a, b;
  const uint8_t shift = take_byte(&from), edge = take_byte(&from);
  take_bytes(&from, &a, sizeof a);
  take_bytes(&from, &b, sizeof b);
  a >>= shift % 64;
  b >>= shift / 4;
  if (edge < 32) a = SIZE_OVERFLOW - (edge & 1);
  if (edge > 224) b = SIZE_LARGEST - (edge & 3);
  REQUIRE(size_sum(a, b) == wanted((wide)a + b, a, b));
  REQUIRE(size_product(a, b) == wanted((wide)a * b, a, b));
  REQUIRE(size_least(a, b) == (a < b ? a : b));
  REQUIRE(size_sum(a, b) == size_sum(b, a) && size_product(a, b) == size_product(b, a));
  return 0;
}
