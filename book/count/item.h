/* What the counter keeps in memory: counts of one outcome of one move, 16 bytes each; with facets
 * 24 bytes, of one facet. They are collected as they come, and sorted and added up when there is
 * need. Private to counter.c. */
#pragma once

#include <stddef.h>

#include "book/statistics/tally.h"

enum { ITEM_MOVE_SHIFT = 48 };

/* rest: the move in bits 48..63, the outcome in 46 and 47, below them the amount. */
struct item {
    uint64_t key;
    uint64_t rest;
};

enum { ITEM_AMOUNT_BITS = 46 };

/* rest: the move in bits 48..63, the facet below it, then the outcome, in the lower 22 the amount.
 * So the order of `rest` is that of tallies. */
struct facet_item {
    uint64_t key;
    uint64_t rest;
    uint32_t ratings[2]; /* as struct tally has them */
};

enum { FACET_ITEM_AMOUNT_BITS = ITEM_MOVE_SHIFT - FACET_BITS - 2 };

static inline uint64_t item_rest(uint16_t played, uint32_t facet, enum outcome outcome,
                                 uint64_t amount, int amount_bits)
{
    return (uint64_t)played << ITEM_MOVE_SHIFT | (uint64_t)facet << (amount_bits + 2) |
           (uint64_t)outcome << amount_bits | amount;
}

static inline uint64_t item_amount(const struct item *item)
{
    return item->rest & ((UINT64_C(1) << ITEM_AMOUNT_BITS) - 1);
}

static inline uint64_t facet_item_amount(const struct facet_item *item)
{
    return item->rest & ((UINT64_C(1) << FACET_ITEM_AMOUNT_BITS) - 1);
}

/* Do both count the same, so that their amounts add? */
static inline bool item_is_like(const struct item *a, const struct item *b)
{
    return a->key == b->key && (a->rest ^ b->rest) >> ITEM_AMOUNT_BITS == 0;
}

static inline bool facet_item_is_like(const struct facet_item *a, const struct facet_item *b)
{
    return a->key == b->key && (a->rest ^ b->rest) >> FACET_ITEM_AMOUNT_BITS == 0;
}

/* Adds `more`, which is like it, when there is room. */
static inline bool item_add(struct item *item, const struct item *more)
{
    uint64_t sum = item_amount(item) + item_amount(more);
    if (sum >> ITEM_AMOUNT_BITS)
        return false;
    item->rest += item_amount(more);
    return true;
}

static inline bool facet_item_add(struct facet_item *item, const struct facet_item *more)
{
    uint64_t sum = facet_item_amount(item) + facet_item_amount(more);
    uint64_t own = (uint64_t)item->ratings[0] + more->ratings[0];
    uint64_t other = (uint64_t)item->ratings[1] + more->ratings[1];
    if (sum >> FACET_ITEM_AMOUNT_BITS || (own | other) >> 32)
        return false;
    item->rest += facet_item_amount(more);
    item->ratings[0] = (uint32_t)own;
    item->ratings[1] = (uint32_t)other;
    return true;
}

/* The functions of a kind of items. The arrays are of the kind. */
struct item_kind {
    size_t size;

    /* Sorts by key, move, facet, outcome, and adds up what is alike; returns how many are left.
     * same_bits: so many upper bits of all keys are equal. Takes as much memory again for a while
     * if there is. */
    size_t (*combine)(void *items, size_t count, int same_bits);

    /* Of combined items, drops the moves whose amounts sum to less than `least`; *dropped grows by
     * their number. Returns how many items are left. */
    size_t (*prune)(void *items, size_t count, uint64_t least, uint64_t *dropped);

    /* The sum of the items of the first move and facet among items[*at..count), of which there are
     * some; *at is then behind them. */
    struct tally (*next)(const void *items, size_t *at, size_t count);
};

extern const struct item_kind item_plain;
extern const struct item_kind item_with_facets;
