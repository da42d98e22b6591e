/* A network made of pseudo-random numbers, as the bytes of its file: good for comparing one way of
 * computing with another. Some of its hidden values count material, so that a search with it is
 * not without sense. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "eval/network.h"

enum {
    NETWORK_SAMPLE_COUNTERS = 32, /* pairs of hidden values */
    NETWORK_SAMPLE_WEIGHTS_AT = 192,
    NETWORK_SAMPLE_RELATED_AT = 256, /* weights of a network with relations */
    NETWORK_SAMPLE_LAYERS = NETWORK_FIRST * (NETWORK_HIDDEN + 4) +
                            NETWORK_SECOND * (2 * NETWORK_SECOND + 4 + 2) + 4, /* bytes */
};

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

/* Is the hidden value, or the product of a pair, a counter? */
static inline bool network_sample_counts(int i)
{
    return i % (NETWORK_HIDDEN / 2) < NETWORK_SAMPLE_COUNTERS;
}

static inline uint8_t *network_sample_features(uint8_t *to, struct rng *rng, int buckets)
{
    static const int worth[PIECE_TYPES] = {4, 12, 12, 20, 36, 0};
    for (int input = 0; input < buckets * NETWORK_INPUTS; input++) {
        int type = input % (NETWORK_INPUTS / 2) / 64;
        int sign = input % NETWORK_INPUTS < NETWORK_INPUTS / 2 ? 1 : -1;
        for (int i = 0; i < NETWORK_HIDDEN; i++) {
            int weight =
                network_sample_counts(i) ? sign * worth[type] : network_sample_random(rng, 30);
            *to++ = (uint8_t)weight;
        }
    }
    return to;
}

static inline uint8_t *network_sample_bias(uint8_t *to)
{
    for (int i = 0; i < NETWORK_HIDDEN; i++)
        to = network_sample_put(to, network_sample_counts(i) ? 64 : 40, 2);
    return to;
}

static inline uint8_t *network_sample_numbers(uint8_t *to, struct rng *rng, int count, int bound,
                                              int bytes)
{
    for (int i = 0; i < count; i++)
        to = network_sample_put(to, (uint64_t)(int64_t)network_sample_random(rng, bound), bytes);
    return to;
}

/* The first sum counts material and the second one that of the other side; they pass through two
 * sums of the second layer. All else is random. */
static inline uint8_t *network_sample_layers(uint8_t *to, struct rng *rng)
{
    for (int i = 0; i < NETWORK_FIRST * NETWORK_HIDDEN; i++) {
        int sum = i / NETWORK_HIDDEN;
        int input = i % NETWORK_HIDDEN;
        int weight = network_sample_random(rng, 30);
        if (sum < 2)
            weight = !network_sample_counts(input)                ? 0
                     : (input < NETWORK_HIDDEN / 2) == (sum == 0) ? 16
                                                                  : -16;
        to = network_sample_put(to, (uint64_t)(int64_t)weight, 1);
    }
    to = network_sample_numbers(to, rng, NETWORK_FIRST, 500, 4);
    for (int i = 0; i < NETWORK_SECOND * NETWORK_SECOND; i++) {
        int weight = i / NETWORK_SECOND >= 2                    ? network_sample_random(rng, 100)
                     : i / NETWORK_SECOND == i % NETWORK_SECOND ? NETWORK_QC
                                                                : 0;
        to = network_sample_put(to, (uint64_t)(int64_t)weight, 2);
    }
    to = network_sample_numbers(to, rng, NETWORK_SECOND, 500, 4);
    to = network_sample_put(to, 1500, 2);
    to = network_sample_put(to, (uint64_t)-1500, 2);
    to = network_sample_numbers(to, rng, NETWORK_SECOND - 2, 60, 2);
    return network_sample_numbers(to, rng, 1, 50000, 4);
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
static inline uint8_t *network_sample_write(bool has_relations, int buckets, uint64_t seed,
                                            size_t *size)
{
    size_t at = has_relations ? NETWORK_SAMPLE_RELATED_AT : NETWORK_SAMPLE_WEIGHTS_AT;
    size_t features = (size_t)buckets * NETWORK_INPUTS * NETWORK_HIDDEN;
    size_t relations = has_relations ? (size_t)RELATIONS * NETWORK_RELATED : 0;
    *size = at + features + relations + 2 * NETWORK_HIDDEN +
            (size_t)NETWORK_OUTPUTS * NETWORK_SAMPLE_LAYERS;
    uint8_t *bytes = calloc(1, *size);
    if (!bytes)
        return NULL;
    struct rng rng;
    rng_seed(&rng, seed);
    memcpy(bytes, "CXTNNET1", 8);
    const uint32_t shape[] = {has_relations ? 7 : 5, NETWORK_HIDDEN, (uint32_t)buckets,
                              NETWORK_OUTPUTS};
    for (int i = 0; i < 4; i++)
        (void)network_sample_put(bytes + 8 + 4 * i, shape[i], 4);
    for (int i = 0; i < 32; i++)
        bytes[32 + i] = (uint8_t)(i % buckets);
    memcpy(bytes + 64, "sample", 6);
    if (has_relations) {
        (void)network_sample_put(bytes + 192, NETWORK_RELATED, 4);
        (void)network_sample_put(bytes + 196, features, 4);
    }
    uint8_t *next = network_sample_features(bytes + at, &rng, buckets);
    next = network_sample_numbers(next, &rng, (int)relations, 12, 1);
    next = network_sample_bias(next);
    for (int i = 0; i < NETWORK_OUTPUTS; i++)
        next = network_sample_layers(next, &rng);
    network_sample_seal(bytes, *size);
    return bytes;
}

static inline uint8_t *network_sample_bytes(int buckets, uint64_t seed, size_t *size)
{
    return network_sample_write(false, buckets, seed, size);
}

/* With relations. */
static inline uint8_t *network_sample_related_bytes(int buckets, uint64_t seed, size_t *size)
{
    return network_sample_write(true, buckets, seed, size);
}

/* Of bytes as above, which it frees; NULL when that failed. */
static inline struct network *network_sample_take(uint8_t *bytes, size_t size)
{
    struct network *network = NULL;
    if (bytes && network_parse(bytes, size, &network, NULL) != STATUS_OK)
        network = NULL;
    free(bytes);
    return network;
}

static inline struct network *network_sample(int buckets, uint64_t seed)
{
    size_t size;
    uint8_t *bytes = network_sample_bytes(buckets, seed, &size);
    return network_sample_take(bytes, size);
}

static inline struct network *network_sample_related(int buckets, uint64_t seed)
{
    size_t size;
    uint8_t *bytes = network_sample_related_bytes(buckets, seed, &size);
    return network_sample_take(bytes, size);
}
