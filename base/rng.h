/* A small seeded generator, passed in wherever chance is needed.
 * Source: xoshiro256** by Blackman and Vigna, seeded by splitmix64 (public domain algorithms). */
#ifndef CAXTON_BASE_RNG_H
#define CAXTON_BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t state[4];
};

void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);
/* Uniform in 0..bound-1 without bias; bound > 0. */
uint64_t rng_below(struct rng *rng, uint64_t bound);

#endif
