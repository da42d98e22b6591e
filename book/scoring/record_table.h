/* Records in memory, in the order of their file, and the one of them that is about something. */
#pragma once

#include "book/scoring/record.h"

#define RECORD_NONE SIZE_MAX

struct record_table {
    const uint8_t *records; /* one behind the other */
    uint8_t *owned;         /* the same, NULL: borrowed */
    size_t count;
    size_t capacity; /* of `owned` */
    uint64_t seed;   /* of the hashes: nobody can write a file of records that fall together */
    uint32_t *slots; /* number of a record + 1 by hash; 0: free; a power of two of them */
    size_t slot_count;
    size_t indexed; /* records that can be found */
};

static inline const uint8_t *record_at(const struct record_table *table, size_t number)
{
    return table->records + number * STORE_RECORD_SIZE;
}

/* Room for `records` of them that can be found. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status record_table_reserve(struct record_table *table, size_t records);

/* The number of the record that is about the same as this one, or RECORD_NONE. */
size_t record_table_find(const struct record_table *table, const uint8_t *record);

/* Makes record `number` the one that is found. *before: the one that was found until now, or
 * RECORD_NONE. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status record_table_index(struct record_table *table, size_t number,
                                                 size_t *before);

/* Is this the one that is found? */
bool record_table_is_live(const struct record_table *table, size_t number);

/* Adds copies of the records at the end, none of them to be found. Borrowed ones are copied, too.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status record_table_add(struct record_table *table, const uint8_t *records,
                                               size_t count);

void record_table_free(struct record_table *table);
