#include "book/count/sketch.h"

#include <stdlib.h>

enum { LINE_BYTES = 64, PLACES = 3, SHARDS = 1 << SKETCH_SHARD_BITS, LEAST_BYTES = 1 << 16 };

struct sketch {
    uint8_t *bytes;     /* lines, those of each shard side by side */
    size_t shard_lines; /* of each shard */
    int bits;           /* of a counter, which divide 8 */
    int line_bits;      /* 2^line_bits counters are in a line */
    unsigned most;      /* where counters stop */
    uint64_t quantum;   /* so many units are one of a counter */
};

struct sketch *sketch_create(size_t memory_bytes, uint64_t games, uint64_t unit)
{
    struct sketch *sketch = calloc(1, sizeof *sketch);
    if (!sketch)
        return NULL;
    size_t bytes = memory_bytes > LEAST_BYTES ? memory_bytes : LEAST_BYTES;
    sketch->bits = games < 4 ? 2 : games < 16 ? 4 : 8;
    sketch->line_bits = games < 4 ? 8 : games < 16 ? 7 : 6;
    sketch->most = games < UINT8_MAX ? (unsigned)games : UINT8_MAX;
    /* Amounts are rounded up: counters are at `most` when the sum is large enough. */
    sketch->quantum = games > UINT64_MAX / unit ? UINT64_MAX / UINT8_MAX : games * unit;
    sketch->quantum /= sketch->most;
    sketch->shard_lines = bytes / LINE_BYTES / SHARDS;
    sketch->bytes = calloc(sketch->shard_lines * SHARDS, LINE_BYTES);
    if (sketch->bytes)
        return sketch;
    free(sketch);
    return NULL;
}

void sketch_destroy(struct sketch *sketch)
{
    if (!sketch)
        return;
    free(sketch->bytes);
    free(sketch);
}

/* The numbers of the move's counters. */
static void find(const struct sketch *sketch, uint64_t key, uint16_t move, size_t at[PLACES])
{
    uint64_t hash = (key ^ move * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xD6E8FEB86659FD93);
    size_t line = (size_t)(key >> (64 - SKETCH_SHARD_BITS)) * sketch->shard_lines +
                  (size_t)((hash >> 32) * sketch->shard_lines >> 32);
    hash = (hash ^ hash >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    for (int i = 0; i < PLACES; i++) {
        hash = hash << sketch->line_bits | hash >> (64 - sketch->line_bits);
        at[i] = line << sketch->line_bits | (hash & ((1u << sketch->line_bits) - 1));
    }
}

static unsigned counter_at(const struct sketch *sketch, size_t at)
{
    size_t bit = at * (size_t)sketch->bits;
    return sketch->bytes[bit / 8] >> bit % 8 & ((1u << sketch->bits) - 1);
}

void sketch_add(struct sketch *sketch, uint64_t key, uint16_t move, uint64_t amount)
{
    size_t at[PLACES];
    unsigned counts[PLACES];
    unsigned least = sketch->most;
    find(sketch, key, move, at);
    for (int i = 0; i < PLACES; i++) {
        counts[i] = counter_at(sketch, at[i]);
        least = counts[i] < least ? counts[i] : least;
    }
    uint64_t more = amount / sketch->quantum + (amount % sketch->quantum > 0);
    unsigned now = more < sketch->most - least ? least + (unsigned)more : sketch->most;
    for (int i = 0; i < PLACES; i++) {
        size_t bit = at[i] * (size_t)sketch->bits;
        unsigned missing = counts[i] < now ? now - counts[i] : 0;
        if (counter_at(sketch, at[i]) < now) /* two places may be the same */
            sketch->bytes[bit / 8] = (uint8_t)(sketch->bytes[bit / 8] + (missing << bit % 8));
    }
}

size_t sketch_seal(struct sketch *sketch)
{
    size_t bits = (size_t)sketch->bits;
    size_t bytes = sketch->shard_lines * SHARDS * LINE_BYTES / bits;
    uint8_t full[UINT8_MAX + 1]; /* which counters of a byte are */
    for (size_t byte = 0; byte <= UINT8_MAX; byte++) {
        unsigned set = 0;
        for (size_t i = 0; i < 8 / bits; i++)
            set |= ((byte >> i * bits & ((1u << bits) - 1)) >= sketch->most ? 1u : 0u) << i;
        full[byte] = (uint8_t)set;
    }
    for (size_t byte = 0; byte < bytes; byte++) { /* none is written before it has been read */
        unsigned set = 0;
        for (size_t i = 0; i < bits; i++)
            set |= (unsigned)full[sketch->bytes[byte * bits + i]] << i * (8 / bits);
        sketch->bytes[byte] = (uint8_t)set;
    }
    uint8_t *smaller = realloc(sketch->bytes, bytes);
    sketch->bytes = smaller ? smaller : sketch->bytes;
    sketch->bits = 1;
    return bytes;
}

bool sketch_has(const struct sketch *sketch, uint64_t key, uint16_t move)
{
    size_t at[PLACES];
    find(sketch, key, move, at);
    unsigned all = 1;
    for (int i = 0; i < PLACES; i++)
        all &= counter_at(sketch, at[i]);
    return all;
}
