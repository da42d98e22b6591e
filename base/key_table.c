#include "base/key_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"

static uint64_t key_at(const struct key_table *table, const void *items, size_t number)
{
    uint64_t key;
    memcpy(&key, (const uint8_t *)items + number * table->item_size, sizeof key);
    return key;
}

uint32_t *key_table_slot(const struct key_table *table, const void *items, uint64_t key)
{
    size_t at = (size_t)rng_mix(key ^ table->seed) & (table->slot_count - 1);
    while (table->slots[at] && key_at(table, items, table->slots[at] - 1) != key)
        at = (at + 1) & (table->slot_count - 1);
    return &table->slots[at];
}

enum caxton_status key_table_reserve(struct key_table *table, size_t keys, const void *items,
                                     size_t first, size_t count)
{
    enum { SLOTS_MIN = 512 };
    struct key_table larger = *table;
    if (!larger.slot_count)
        larger.slot_count = SLOTS_MIN;
    while (larger.slot_count < 2 * keys)
        larger.slot_count *= 2;
    if (table->slots && larger.slot_count == table->slot_count)
        return STATUS_OK;
    larger.seed = clock_seed();
    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots)
        return STATUS_NO_MEMORY;
    for (size_t i = first; i < first + count; i++)
        *key_table_slot(&larger, items, key_at(table, items, i)) = (uint32_t)i + 1;
    free(table->slots);
    *table = larger;
    return STATUS_OK;
}
