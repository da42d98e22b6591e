#include "base/rng.h"

static uint64_t rotate_left(uint64_t value, int count)
{
    return value << count | value >> (64 - count);
}

void rng_seed(struct rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        rng->state[i] = rng_splitmix(&seed);
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
