/* Seeded random numbers, the same on every engine: PCG32 (XSH RR, stream 54) by M. E. O'Neill, "PCG: A Family of Simple
 * Fast Space-Efficient Statistically Good Algorithms for Random Number Generation", 2014. The caller owns the state.
 * The same seed gives the same numbers, bit for bit, in the native build and in WebAssembly. */
#ifndef GELU_RANDOM_H
#define GELU_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint64_t state;
} random_state;

void random_seed(random_state *random, uint64_t seed);

uint32_t random_bits(random_state *random);

/* Uniform on (0, 1): the middles of 2^52 equal parts, so that neither end is ever drawn. */
double random_uniform(random_state *random);

/* Standard normal, by the ratio of uniforms (Kinderman and Monahan 1977): exact but for float64 rounding. It takes
 * 1.37 pairs of uniforms on average. */
double random_normal(random_state *random);

#endif
