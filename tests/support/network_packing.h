/* Packs a network file of network_sample_bytes() by the letter of eval/network_packed.h. */
#pragma once

#include "tests/support/network_sample.h"

enum { NETWORK_PACKING_HIGH_MAX = 31 };

struct network_packing {
    uint8_t *bytes;
    size_t bits;
};

static inline void network_packing_add(struct network_packing *to, uint64_t value, int count)
{
    for (int i = 0; i < count; i++, to->bits++)
        if (value >> i & 1)
            to->bytes[to->bits / 8] |= (uint8_t)(1 << to->bits % 8);
}

static inline int network_packing_weight(const uint8_t *plain, size_t row, int i)
{
    return (int8_t)plain[NETWORK_SAMPLE_WEIGHTS_AT + row * NETWORK_HIDDEN + (size_t)i];
}

static inline unsigned network_packing_code(const uint8_t *plain, size_t row, int i)
{
    int before = row < NETWORK_INPUTS ? 0 : network_packing_weight(plain, row - NETWORK_INPUTS, i);
    int change = network_packing_weight(plain, row, i) - before;
    return change < 0 ? (unsigned)(-2 * change - 1) : (unsigned)(2 * change);
}

/* The fewest low bits that leave a high part in range. */
static inline uint8_t network_packing_low(const uint8_t *plain, size_t row)
{
    unsigned largest = 0;
    for (int i = 0; i < NETWORK_HIDDEN; i++) {
        unsigned code = network_packing_code(plain, row, i);
        largest = code > largest ? code : largest;
    }
    uint8_t low = 0;
    while (largest >> low > NETWORK_PACKING_HIGH_MAX)
        low++;
    return low;
}

/* The caller frees it; NULL when there is no memory. */
static inline uint8_t *network_packing(const uint8_t *plain, size_t size, int buckets,
                                       size_t *packed_size)
{
    size_t rows = (size_t)buckets * NETWORK_INPUTS;
    size_t rest = NETWORK_SAMPLE_WEIGHTS_AT + rows * NETWORK_HIDDEN;
    struct network_packing high = {calloc(4 * NETWORK_HIDDEN, rows), 0};
    struct network_packing low = {calloc(2 * NETWORK_HIDDEN, rows), 0};
    uint8_t *packed = malloc(rest + 5 * NETWORK_HIDDEN * rows + (size - rest));
    *packed_size = 0;
    if (high.bytes && low.bytes && packed) {
        memcpy(packed, plain, NETWORK_SAMPLE_WEIGHTS_AT);
        packed[8] = 6;
        uint8_t *next = packed + NETWORK_SAMPLE_WEIGHTS_AT;
        for (size_t row = 0; row < rows; row++) {
            *next++ = network_packing_low(plain, row);
            for (int i = 0; i < NETWORK_HIDDEN; i++) {
                unsigned code = network_packing_code(plain, row, i);
                network_packing_add(&high, UINT64_C(1) << (code >> next[-1]),
                                    (int)(code >> next[-1]) + 1);
                network_packing_add(&low, code, next[-1]);
            }
        }
        size_t high_size = (high.bits + 7) / 8;
        size_t low_size = (low.bits + 7) / 8;
        next = network_sample_put(next, high_size, 4);
        memcpy(next, high.bytes, high_size);
        memcpy(next + high_size, low.bytes, low_size);
        next += high_size + low_size;
        memcpy(next, plain + rest, size - rest);
        *packed_size = (size_t)(next - packed) + size - rest;
        network_sample_seal(packed, *packed_size);
    }
    free(high.bytes);
    free(low.bytes);
    return packed;
}
