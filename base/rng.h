/* A small seeded generator, passed in wherever chance is needed.
 * Source: xoshiro256** by Blackman and Vigna, seeded by splitmix64 (public domain algorithms). */
#pragma once

#include <stdint.h>

struct rng {
    uint64_t state[4];
};

/* Spreads a change of any bit over all: a bijection, the finalizer of SplitMix64 (Steele, Lea,
 * Flood: "Fast Splittable Pseudorandom Number Generators", 2014). */
static inline uint64_t rng_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* SplitMix64: the next number of a generator whose state is one word, any. */
static inline uint64_t rng_splitmix(uint64_t *state)
{
    return rng_mix(*state += 0x9E3779B97F4A7C15u);
}

void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);
/* Uniform in 0..bound-1 without bias; bound > 0. */
uint64_t rng_below(struct rng *rng, uint64_t bound);
