/* Which item of an array has a key. Keys that a file has chosen do not fall together: what they
 * are mixed with is another number in each run. */
#pragma once

#include <stdint.h>

#include "base/status.h"

/* Items of `item_size` bytes, each of which begins with its key, an uint64_t. The array may move.
 */
struct key_table {
    size_t item_size;
    uint32_t *slots; /* number of an item + 1, 0: free; a power of two of them; to be freed */
    size_t slot_count;
    uint64_t seed;
};

/* The slot of the key, or the free one where it belongs; there must be room for it. */
uint32_t *key_table_slot(const struct key_table *table, const void *items, uint64_t key);

/* Makes room for so many keys. When the table grows, items[first .. first + count) are put into it
 * anew. Errors: STATUS_NO_MEMORY, the table is as it was. */
MUST_CHECK enum caxton_status key_table_reserve(struct key_table *table, size_t keys,
                                                const void *items, size_t first, size_t count);
