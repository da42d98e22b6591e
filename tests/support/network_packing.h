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

/* Rows of `hidden` weights; the first `inputs` are those of the first king bucket. */
struct network_packing_part {
    const uint8_t *weights;
    size_t rows, inputs, hidden;
};

static inline unsigned network_packing_code(const struct network_packing_part *part, size_t row,
                                            size_t i)
{
    const int8_t *weights = (const int8_t *)part->weights;
    size_t at = row * part->hidden + i;
    int before = row < part->inputs ? 0 : weights[at - part->inputs * part->hidden];
    int change = weights[at] - before;
    return change < 0 ? (unsigned)(-2 * change - 1) : (unsigned)(2 * change);
}

/* The fewest low bits that leave a high part in range. */
static inline uint8_t network_packing_low(const struct network_packing_part *part, size_t row)
{
    unsigned largest = 0;
    for (size_t i = 0; i < part->hidden; i++) {
        unsigned code = network_packing_code(part, row, i);
        largest = code > largest ? code : largest;
    }
    uint8_t low = 0;
    while (largest >> low > NETWORK_PACKING_HIGH_MAX)
        low++;
    return low;
}

/* Returns where it ends; NULL when there is no memory. */
static inline uint8_t *network_packing_part(const struct network_packing_part *part, uint8_t *next)
{
    struct network_packing high = {calloc(4 * part->hidden, part->rows), 0};
    struct network_packing low = {calloc(2 * part->hidden, part->rows), 0};
    bool has_memory = high.bytes && low.bytes;
    for (size_t row = 0; has_memory && row < part->rows; row++) {
        *next++ = network_packing_low(part, row);
        for (size_t i = 0; i < part->hidden; i++) {
            unsigned code = network_packing_code(part, row, i);
            network_packing_add(&high, UINT64_C(1) << (code >> next[-1]),
                                (int)(code >> next[-1]) + 1);
            network_packing_add(&low, code, next[-1]);
        }
    }
    if (has_memory) {
        size_t high_size = (high.bits + 7) / 8;
        size_t low_size = (low.bits + 7) / 8;
        next = network_sample_put(next, high_size, 4);
        memcpy(next, high.bytes, high_size);
        memcpy(next + high_size, low.bytes, low_size);
        next += high_size + low_size;
    }
    free(high.bytes);
    free(low.bytes);
    return has_memory ? next : NULL;
}

/* The caller frees it; NULL when there is no memory. */
static inline uint8_t *network_packing(const uint8_t *plain, size_t size, int buckets,
                                       size_t *packed_size)
{
    const bool has_relations = plain[8] == 7;
    const size_t at = has_relations ? NETWORK_SAMPLE_RELATED_AT : NETWORK_SAMPLE_WEIGHTS_AT;
    const size_t rows = (size_t)buckets * NETWORK_INPUTS;
    const struct network_packing_part features = {plain + at, rows, NETWORK_INPUTS, NETWORK_HIDDEN};
    const struct network_packing_part relations = {features.weights + rows * NETWORK_HIDDEN,
                                                   RELATIONS, RELATIONS, NETWORK_RELATED};
    const uint8_t *rest =
        relations.weights + (has_relations ? relations.rows * relations.hidden : 0);
    const size_t rest_size = size - (size_t)(rest - plain);
    uint8_t *packed = malloc(5 * size);
    *packed_size = 0;
    if (!packed)
        return NULL;
    memcpy(packed, plain, at);
    packed[8]++;
    uint8_t *next = network_packing_part(&features, packed + at);
    if (next && has_relations) {
        (void)network_sample_put(packed + 196, (uint64_t)(next - packed) - at, 4);
        next = network_packing_part(&relations, next);
    }
    if (!next) {
        free(packed);
        return NULL;
    }
    memcpy(next, rest, rest_size);
    *packed_size = (size_t)(next - packed) + rest_size;
    network_sample_seal(packed, *packed_size);
    return packed;
}
