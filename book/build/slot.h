/* An entry of the counter's hash table. Private to counter.c. */
#ifndef CAXTON_BOOK_BUILD_SLOT_H
#define CAXTON_BOOK_BUILD_SLOT_H

#include <stddef.h>

#include "book/build/tally.h"

/* The counts of a slot in use are not all zero. A count has 37 bits, the upper SLOT_HIGH_BITS of
 * each in `high`: enough for 2 million games where a game counts 2^16. */
struct slot {
    uint64_t key;
    uint32_t low[OUTCOMES];
    uint16_t move;
    uint16_t high;
};

enum { SLOT_HIGH_BITS = 5, SLOT_HIGH_MASK = (1 << SLOT_HIGH_BITS) - 1 };

_Static_assert(sizeof(struct slot) == 24, "a slot takes 24 bytes");

static inline bool slot_is_used(const struct slot *slot)
{
    return (slot->low[0] | slot->low[1] | slot->low[2] | slot->high) != 0;
}

static inline uint64_t slot_count(const struct slot *slot, int outcome)
{
    uint64_t high = slot->high >> SLOT_HIGH_BITS * outcome & SLOT_HIGH_MASK;
    return high << 32 | slot->low[outcome];
}

/* Does the count have room for another addition? Where not, the table has to be emptied first. */
static inline bool slot_add(struct slot *slot, int outcome, uint32_t amount)
{
    slot->low[outcome] += amount;
    if (slot->low[outcome] >= amount)
        return true;
    slot->high = (uint16_t)(slot->high + (1 << SLOT_HIGH_BITS * outcome));
    return (slot->high >> SLOT_HIGH_BITS * outcome & SLOT_HIGH_MASK) != SLOT_HIGH_MASK;
}

static inline struct tally slot_tally(const struct slot *slot)
{
    return (struct tally){
        .key = slot->key,
        .move = slot->move,
        .counts = {slot_count(slot, 0), slot_count(slot, 1), slot_count(slot, 2)}};
}

/* Sorts by key, then move, in place. */
void slots_sort(struct slot *slots, size_t count);

#endif
