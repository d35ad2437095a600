/* random.h by the calls that JavaScript makes: any seed, any count. */
#include "fuzz.h"

#include "wasm_api.h"

enum { LONGEST = 24 };

typedef int32_t draw(random_state *, double *, uint32_t);

/* n numbers in one call are those of two calls. */
static void check_draw(memory *m, draw *drawn, double seed, size_t n, size_t first) {
  random_state *state = guarded(m, (size_t)gelu_random_bytes(), 0), *other = guarded(m, sizeof *other, 0);
  double *out = doubles(m, n), *again = doubles(m, n);
  REQUIRE(gelu_random_seed(state, seed) == GELU_OK && gelu_random_seed(other, seed) == GELU_OK);
  REQUIRE(drawn(NULL, out, (uint32_t)n) == GELU_NULL_POINTER);
  REQUIRE(drawn(state, NULL, (uint32_t)n) == (int32_t)(n > 0 ? GELU_NULL_POINTER : GELU_OK));
  REQUIRE(drawn(state, out, (uint32_t)n) == GELU_OK);
  REQUIRE(drawn(other, again, (uint32_t)first) == GELU_OK);
  REQUIRE(drawn(other, again + first, (uint32_t)(n - first)) == GELU_OK);
  REQUIRE(n == 0 || memcmp(out, again, n * sizeof *out) == 0);
  REQUIRE(state->state == other->state);
  for (size_t k = 0; k < n; k++) {
    if (drawn == gelu_random_uniform) REQUIRE(out[k] > 0 && out[k] < 1);
    REQUIRE(fabs(out[k]) < 40); /* exp(-v^2/4u^2) is 0 before that */
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  source from = {bytes, size};
  memory m = {0};
  random_state *state = guarded(&m, sizeof *state, 0);
  const double seed =
      take_byte(&from) < 160 ? (double)(take_word(&from) % 0x200000) * take_word(&from) : take_double(&from);
  const size_t n = take_below(&from, LONGEST + 1), first = n > 0 ? take_below(&from, n + 1) : 0;
  REQUIRE(gelu_random_seed(NULL, seed) == GELU_NULL_POINTER);
  if (is_whole(seed)) {
    check_draw(&m, gelu_random_uniform, seed, n, first);
    check_draw(&m, gelu_random_normal, seed, n, first);
  } else {
    REQUIRE(gelu_random_seed(state, seed) == GELU_BAD_PARAMETER && is_untouched(state, sizeof *state));
  }
  release(&m);
  return 0;
}
