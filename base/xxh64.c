#include "base/xxh64.h"

#include "base/bytes.h"

/* Primes and rotations of the specification. */
#define PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME_3 UINT64_C(0x165667B19E3779F9)
#define PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME_5 UINT64_C(0x27D4EB2F165667C5)
enum { LANES = 4, LANE = 8, STRIPE = LANES * LANE };

static uint64_t rotate(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t mix(uint64_t sum, uint64_t lane)
{
    return rotate(sum + lane * PRIME_2, 31) * PRIME_1;
}

/* All stripes, four lanes side by side; *at moves behind them. */
static uint64_t add_stripes(const uint8_t **at, const uint8_t *end, uint64_t seed)
{
    static const int rotations[LANES] = {1, 7, 12, 18};
    uint64_t sums[LANES] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};
    const uint8_t *from = *at;
    for (; end - from >= STRIPE; from += STRIPE)
        for (int i = 0; i < LANES; i++)
            sums[i] = mix(sums[i], bytes_get_u64le(from + (ptrdiff_t)i * LANE));
    *at = from;
    uint64_t sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += rotate(sums[i], rotations[i]);
    for (int i = 0; i < LANES; i++)
        sum = (sum ^ mix(0, sums[i])) * PRIME_1 + PRIME_4;
    return sum;
}

uint64_t xxh64(const void *bytes, size_t size, uint64_t seed)
{
    const uint8_t *at = size > 0 ? bytes : (const uint8_t *)"";
    const uint8_t *end = at + size;
    uint64_t sum = size >= STRIPE ? add_stripes(&at, end, seed) : seed + PRIME_5;
    sum += size;
    for (; end - at >= LANE; at += LANE)
        sum = rotate(sum ^ mix(0, bytes_get_u64le(at)), 27) * PRIME_1 + PRIME_4;
    if (end - at >= 4) {
        sum = rotate(sum ^ bytes_get_u32le(at) * PRIME_1, 23) * PRIME_2 + PRIME_3;
        at += 4;
    }
    for (; at < end; at++)
        sum = rotate(sum ^ *at * PRIME_5, 11) * PRIME_1;
    sum = (sum ^ sum >> 33) * PRIME_2;
    sum = (sum ^ sum >> 29) * PRIME_3;
    return sum ^ sum >> 32;
}
