#include "random.h"

#include "special.h"

static const uint64_t multiplier = UINT64_C(6364136223846793005);
static const uint64_t increment = (UINT64_C(54) << 1) | 1;

/* sqrt(2/e): v/u fills the region u <= exp(-(v/u)^2 / 4) with |v| up to this. */
static const double widest = 0x1.b72cd3f331398p-1;

void random_seed(random_state *random, uint64_t seed) {
  random->state = 0;
  random_bits(random);
  random->state += seed;
  random_bits(random);
}

uint32_t random_bits(random_state *random) {
  const uint64_t old = random->state;
  random->state = old * multiplier + increment;
  const uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
  const uint32_t turn = (uint32_t)(old >> 59);
  return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

double random_uniform(random_state *random) {
  const uint64_t high = random_bits(random), low = random_bits(random);
  const uint64_t bits = (high << 20) | (low >> 12);
  return ((double)bits + 0.5) * 0x1p-52; /* 53 bits: exact */
}

double random_normal(random_state *random) {
  while (1) {
    const double u = random_uniform(random);
    const double v = (2 * random_uniform(random) - 1) * widest;
    const double x = v / u;
    if (u <= special_exp(-0.25 * x * x)) return x;
  }
}
