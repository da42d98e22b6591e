#include "base/rng.h"

static uint64_t rotate_left(uint64_t value, int count)
{
    return value << count | value >> (64 - count);
}

/* splitmix64: spreads one word over the state, which must not be all zero. */
static uint64_t seed_next(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

void rng_seed(struct rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        rng->state[i] = seed_next(&seed);
}

uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    /* The lowest 2^64 mod bound values would make small results more frequent: drawn again. */
    uint64_t unfair = (0 - bound) % bound;
    uint64_t value = rng_next(rng);
    while (value < unfair)
        value = rng_next(rng);
    return value % bound;
}
