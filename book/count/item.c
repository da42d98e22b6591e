#include "book/count/item.h"

#include <stdlib.h>

enum {
    INDEX_BITS = 5,
    FEW = 1 << INDEX_BITS,
    SPREAD_BITS = 13, /* at most; the places written to then lie in the second-level cache */
    SHARE_BITS = 3,   /* 2^3 to 2^4 items to a bucket, if keys are random */
};

static inline bool goes_before(const struct item *a, const struct item *b)
{
    return a->key != b->key ? a->key < b->key : a->rest < b->rest;
}

static void insertion_sort(struct item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct item current = items[i];
        size_t j = i;
        for (; j > 0 && goes_before(&current, &items[j - 1]); j--)
            items[j] = items[j - 1];
        items[j] = current;
    }
}

/* Up to `room` items whose keys agree in the upper `same_bits`, by counting how many go before
 * each: no branch depends on the keys, and with a constant `room` the inner loop is a few vector
 * instructions. The number of an item stands in for the bits that are the same, so that no two are
 * equal. */
static inline void rank_sort(struct item *items, size_t count, int same_bits, size_t room)
{
    struct item copy[FEW];
    int64_t keys[FEW]; /* signed, for vector instructions compare nothing else */
    for (size_t i = 0; i < count; i++) {
        copy[i] = items[i];
        keys[i] = (int64_t)((items[i].key << same_bits | i) ^ UINT64_C(1) << 63);
    }
    for (size_t i = count; i < room; i++)
        keys[i] = INT64_MAX;
    for (size_t i = 0; i < count; i++) {
        int64_t rank = 0;
        for (size_t j = 0; j < room; j++)
            rank += keys[j] < keys[i];
        items[rank] = copy[i];
    }
}

static inline void sort_few(struct item *items, size_t count, int same_bits)
{
    if (count <= FEW / 2)
        rank_sort(items, count, same_bits, FEW / 2);
    else
        rank_sort(items, count, same_bits, FEW);
    insertion_sort(items, count); /* of equal keys, mostly none */
}

static inline void swap(struct item *a, struct item *b)
{
    struct item kept = *a;
    *a = *b;
    *b = kept;
}

static inline struct item median(const struct item *a, const struct item *b, const struct item *c)
{
    if (goes_before(a, b))
        return goes_before(b, c) ? *b : goes_before(a, c) ? *c : *a;
    return goes_before(a, c) ? *a : goes_before(b, c) ? *c : *b;
}

/* Quicksort in three parts, for many items are equal where a position is frequent. Source: Bentley
 * and McIlroy, "Engineering a Sort Function", Software: Practice and Experience 23(11), 1993. */
static void quick_sort(struct item *items, size_t count)
{
    while (count > FEW) {
        struct item pivot = median(&items[0], &items[count / 2], &items[count - 1]);
        size_t below = 0;              /* items[0..below) go before the pivot, */
        size_t above = count;          /* items[above..count) behind it, */
        for (size_t i = 0; i < above;) /* items[below..i) are equal to it */
            if (goes_before(&items[i], &pivot))
                swap(&items[below++], &items[i++]);
            else if (goes_before(&pivot, &items[i]))
                swap(&items[--above], &items[i]);
            else
                i++;
        /* The smaller part by itself: the depth stays below log2(count). */
        if (below < count - above) {
            quick_sort(items, below);
            items += above;
            count -= above;
        } else {
            quick_sort(items + above, count - above);
            count = below;
        }
    }
    insertion_sort(items, count);
}

/* Adds the sorted items to those in out[0..kept). `out` may be the place where they lie. */
static size_t add_up(const struct item *items, size_t count, struct item *out, size_t kept)
{
    for (size_t i = 0; i < count; i++)
        if (!kept || !item_is_like(&out[kept - 1], &items[i]) ||
            !item_add(&out[kept - 1], item_amount(&items[i])))
            out[kept++] = items[i];
    return kept;
}

/* Spreads the items over buckets in `scratch` by their upper bits, then sorts bucket by bucket: one
 * pass over memory where sorting in place takes many. */
static size_t combine_spread(struct item *items, size_t count, int same_bits, struct item *scratch)
{
    uint32_t ends[(1 << SPREAD_BITS) + 1] = {0};
    int bits = INDEX_BITS;
    while (bits < SPREAD_BITS && count >> (bits + SHARE_BITS + 1))
        bits++;
    int shift = 64 - same_bits - bits;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    for (size_t i = 0; i < count; i++)
        ends[(items[i].key >> shift & mask) + 1]++;
    for (size_t b = 0; b < mask; b++)
        ends[b + 1] += ends[b];
    for (size_t i = 0; i < count; i++)
        scratch[ends[items[i].key >> shift & mask]++] = items[i];
    size_t kept = 0;
    size_t start = 0;
    for (size_t b = 0; b <= mask; b++) {
        if (ends[b] - start <= FEW)
            sort_few(scratch + start, ends[b] - start, same_bits + bits);
        else
            quick_sort(scratch + start, ends[b] - start);
        kept = add_up(scratch + start, ends[b] - start, items, kept);
        start = ends[b];
    }
    return kept;
}

size_t items_combine(struct item *items, size_t count, int same_bits)
{
    struct item *scratch = NULL;
    if (count > FEW && count < UINT32_MAX)
        scratch = malloc(count * sizeof *scratch);
    if (scratch) {
        count = combine_spread(items, count, same_bits, scratch);
        free(scratch);
        return count;
    }
    quick_sort(items, count);
    return add_up(items, count, items, 0);
}

static bool is_same_move(const struct item *a, const struct item *b)
{
    return a->key == b->key && a->rest >> ITEM_MOVE_SHIFT == b->rest >> ITEM_MOVE_SHIFT;
}

size_t items_prune(struct item *items, size_t count, uint64_t least, uint64_t *dropped)
{
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        size_t end = i;
        uint64_t sum = 0;
        for (; end < count && is_same_move(&items[i], &items[end]); end++)
            sum += item_amount(&items[end]);
        *dropped += sum < least;
        for (; i < end; i++)
            if (sum >= least)
                items[kept++] = items[i];
    }
    return kept;
}

struct tally items_next(const struct item **at, const struct item *end)
{
    const struct item *first = *at;
    struct tally tally = {.key = first->key, .move = (uint16_t)(first->rest >> ITEM_MOVE_SHIFT)};
    for (; *at < end && is_same_move(first, *at); ++*at)
        tally.counts[(*at)->rest >> ITEM_AMOUNT_BITS & 3] += item_amount(*at);
    return tally;
}
