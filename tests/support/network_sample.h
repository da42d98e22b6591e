/* A network made of pseudo-random numbers, as the bytes of its file: good for comparing one way of
 * computing with another. Some of its hidden values count material, so that a search with it is
 * not without sense. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "eval/network.h"

enum { NETWORK_SAMPLE_COUNTERS = 64, NETWORK_SAMPLE_WEIGHTS_AT = 192 };

static inline uint8_t *network_sample_put(uint8_t *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        *to++ = (uint8_t)(value >> 8 * i);
    return to;
}

static inline int network_sample_random(struct rng *rng, int bound)
{
    return (int)rng_below(rng, (uint64_t)(2 * bound + 1)) - bound;
}

static inline uint8_t *network_sample_features(uint8_t *to, struct rng *rng, int buckets)
{
    static const int worth[PIECE_TYPES] = {4, 12, 12, 20, 36, 0};
    for (int input = 0; input < buckets * NETWORK_INPUTS; input++) {
        int type = input % (NETWORK_INPUTS / 2) / 64;
        int sign = input % NETWORK_INPUTS < NETWORK_INPUTS / 2 ? 1 : -1;
        for (int i = 0; i < NETWORK_HIDDEN; i++) {
            int weight =
                i < NETWORK_SAMPLE_COUNTERS ? sign * worth[type] : network_sample_random(rng, 60);
            to = network_sample_put(to, (uint64_t)(int64_t)weight, 2);
        }
    }
    for (int i = 0; i < NETWORK_HIDDEN; i++)
        to = network_sample_put(to, i < NETWORK_SAMPLE_COUNTERS ? 64 : 40, 2);
    return to;
}

/* Writes the checksum of what stands behind it. */
static inline void network_sample_seal(uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 32; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    (void)network_sample_put(bytes + 24, hash, 8);
}

/* The caller frees it; NULL when there is no memory. Each square of the king's has a bucket of its
 * own as far as `buckets` go. */
static inline uint8_t *network_sample_bytes(int buckets, uint64_t seed, size_t *size)
{
    size_t rows = (size_t)buckets * NETWORK_INPUTS + 1 + 2 * NETWORK_OUTPUTS;
    *size = NETWORK_SAMPLE_WEIGHTS_AT + rows * NETWORK_HIDDEN * 2 + NETWORK_OUTPUTS * 4;
    uint8_t *bytes = calloc(1, *size);
    if (!bytes)
        return NULL;
    struct rng rng;
    rng_seed(&rng, seed);
    memcpy(bytes, "CXTNNET1", 8);
    const uint32_t shape[] = {1, NETWORK_HIDDEN, (uint32_t)buckets, NETWORK_OUTPUTS};
    for (int i = 0; i < 4; i++)
        (void)network_sample_put(bytes + 8 + 4 * i, shape[i], 4);
    for (int i = 0; i < 32; i++)
        bytes[32 + i] = (uint8_t)(i % buckets);
    memcpy(bytes + 64, "sample", 6);
    uint8_t *next = network_sample_features(bytes + NETWORK_SAMPLE_WEIGHTS_AT, &rng, buckets);
    for (int i = 0; i < 2 * NETWORK_OUTPUTS * NETWORK_HIDDEN; i++) {
        int column = i % NETWORK_HIDDEN;
        int sign = i % (2 * NETWORK_HIDDEN) < NETWORK_HIDDEN ? 1 : -1;
        int weight = column < NETWORK_SAMPLE_COUNTERS ? 20 * sign : network_sample_random(&rng, 2);
        next = network_sample_put(next, (uint64_t)(int64_t)weight, 2);
    }
    for (int i = 0; i < NETWORK_OUTPUTS; i++)
        next = network_sample_put(next, (uint64_t)network_sample_random(&rng, 500), 4);
    network_sample_seal(bytes, *size);
    return bytes;
}

/* NULL when that failed. */
static inline struct network *network_sample(int buckets, uint64_t seed)
{
    size_t size;
    struct network *network = NULL;
    uint8_t *bytes = network_sample_bytes(buckets, seed, &size);
    if (bytes && network_parse(bytes, size, &network, NULL) != STATUS_OK)
        network = NULL;
    free(bytes);
    return network;
}
