#include "book/scoring/record_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { SLOTS_MIN = 1024 };

/* The slot of the record that is about the same, or the free one where it belongs. */
static size_t slot_of(const struct record_table *table, const uint8_t *record)
{
    size_t mask = table->slot_count - 1;
    size_t at = (size_t)record_hash(record, table->seed) & mask;
    while (table->slots[at] && !record_is_same(record_at(table, table->slots[at] - 1), record))
        at = (at + 1) & mask;
    return at;
}

enum caxton_status record_table_reserve(struct record_table *table, size_t records)
{
    size_t count = table->slot_count ? table->slot_count : SLOTS_MIN;
    if (records >= UINT32_MAX)
        return STATUS_NO_MEMORY;
    while (count < 2 * records)
        count *= 2;
    if (count == table->slot_count)
        return STATUS_OK;
    uint32_t *slots = calloc(count, sizeof *slots);
    if (!slots)
        return STATUS_NO_MEMORY;
    struct record_table larger = *table;
    if (!table->slot_count)
        larger.seed = clock_seed();
    larger.slots = slots;
    larger.slot_count = count;
    for (size_t i = 0; i < table->slot_count; i++)
        if (table->slots[i])
            slots[slot_of(&larger, record_at(table, table->slots[i] - 1))] = table->slots[i];
    free(table->slots);
    *table = larger;
    return STATUS_OK;
}

size_t record_table_find(const struct record_table *table, const uint8_t *record)
{
    uint32_t slot = table->slot_count ? table->slots[slot_of(table, record)] : 0;
    return slot ? slot - 1 : RECORD_NONE;
}

enum caxton_status record_table_index(struct record_table *table, size_t number, size_t *before)
{
    enum caxton_status status = record_table_reserve(table, table->indexed + 1);
    if (status != STATUS_OK || number >= UINT32_MAX)
        return STATUS_NO_MEMORY;
    size_t slot = slot_of(table, record_at(table, number));
    *before = table->slots[slot] ? table->slots[slot] - 1 : RECORD_NONE;
    table->indexed += !table->slots[slot];
    table->slots[slot] = (uint32_t)number + 1;
    return STATUS_OK;
}

bool record_table_is_live(const struct record_table *table, size_t number)
{
    const uint8_t *record = record_at(table, number);
    return record[RECORD_KIND_AT] < RECORD_KINDS && record_table_find(table, record) == number;
}

/* An own copy of the records, with room for `needed`. */
static bool own_records(struct record_table *table, size_t needed)
{
    size_t capacity = table->owned ? table->capacity : 0;
    if (needed <= capacity)
        return true;
    capacity = needed > 2 * capacity ? needed : 2 * capacity;
    if (capacity > SIZE_MAX / STORE_RECORD_SIZE)
        return false;
    uint8_t *owned = realloc(table->owned, capacity * STORE_RECORD_SIZE);
    if (!owned)
        return false;
    if (!table->owned && table->count > 0)
        memcpy(owned, table->records, table->count * STORE_RECORD_SIZE);
    table->owned = owned;
    table->records = owned;
    table->capacity = capacity;
    return true;
}

enum caxton_status record_table_add(struct record_table *table, const uint8_t *records,
                                    size_t count)
{
    if (count >= UINT32_MAX - table->count || !own_records(table, table->count + count))
        return STATUS_NO_MEMORY;
    if (count > 0)
        memcpy(table->owned + table->count * STORE_RECORD_SIZE, records, count * STORE_RECORD_SIZE);
    table->count += count;
    return STATUS_OK;
}

void record_table_free(struct record_table *table)
{
    free(table->owned);
    free(table->slots);
    *table = (struct record_table){.count = 0};
}
