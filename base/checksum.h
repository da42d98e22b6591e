/* The checksum of our files: 64-bit FNV-1a. It finds damage; it does not resist an attacker.
 * Source: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", IETF
 * draft-eastlake-fnv. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define CHECKSUM_EMPTY UINT64_C(0xcbf29ce484222325) /* of no bytes */
#define CHECKSUM_PRIME UINT64_C(0x100000001b3)

/* The checksum of what `sum` stands for with these bytes behind it. */
static inline uint64_t checksum_add(uint64_t sum, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ at[i]) * CHECKSUM_PRIME;
    return sum;
}
