/* What the counter keeps in memory: counts of one outcome of one move, 16 bytes each. They are
 * collected as they come, and sorted and added up when there is need. Private to counter.c. */
#pragma once

#include <stddef.h>

#include "book/statistics/tally.h"

/* rest: the move in bits 48..63, the outcome in 46 and 47, below them the amount. */
struct item {
    uint64_t key;
    uint64_t rest;
};

enum { ITEM_AMOUNT_BITS = 46, ITEM_MOVE_SHIFT = 48 };

#define ITEM_AMOUNT_MAX ((UINT64_C(1) << ITEM_AMOUNT_BITS) - 1)

static inline struct item item_make(uint64_t key, uint16_t move, enum outcome outcome,
                                    uint64_t amount)
{
    uint64_t rest = (uint64_t)move << ITEM_MOVE_SHIFT | (uint64_t)outcome << ITEM_AMOUNT_BITS;
    return (struct item){key, rest | amount};
}

static inline uint64_t item_amount(const struct item *item)
{
    return item->rest & ITEM_AMOUNT_MAX;
}

/* Do both count the same, so that their amounts add? */
static inline bool item_is_like(const struct item *a, const struct item *b)
{
    return a->key == b->key && (a->rest ^ b->rest) >> ITEM_AMOUNT_BITS == 0;
}

/* Adds `amount` when there is room for it. */
static inline bool item_add(struct item *item, uint64_t amount)
{
    if (amount > ITEM_AMOUNT_MAX - item_amount(item))
        return false;
    item->rest += amount;
    return true;
}

/* Sorts by key, move, outcome, and adds up what is alike; returns how many are left. same_bits: so
 * many upper bits of all keys are equal. Takes as much memory again for a while if there is. */
size_t items_combine(struct item *items, size_t count, int same_bits);

/* Of combined items, drops the moves whose amounts sum to less than `least`; *dropped grows by
 * their number. Returns how many items are left. */
size_t items_prune(struct item *items, size_t count, uint64_t least, uint64_t *dropped);

/* The sum of the items of the first move among [*at, end), of which there are some; *at is then
 * behind them. */
struct tally items_next(const struct item **at, const struct item *end);
