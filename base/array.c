#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_FIRST = 16 };

void *array_reserve(void *items, size_t *capacity, size_t needed, size_t item_size)
{
    if (needed <= *capacity && items)
        return items;
    size_t most = SIZE_MAX / 2 / item_size;
    size_t wanted = *capacity > most / 2 ? most : 2 * *capacity;
    if (wanted < CAPACITY_FIRST)
        wanted = CAPACITY_FIRST;
    if (wanted < needed)
        wanted = needed;
    if (needed > most)
        return NULL;
    void *grown = realloc(items, wanted * item_size);
    if (grown)
        *capacity = wanted;
    return grown;
}

/* Copied by bytes: the pointer may be to any type, and C has no type that stands for all. */
bool array_grow(void *items, size_t *capacity, size_t needed, size_t item_size)
{
    void *old;
    memcpy(&old, items, sizeof old);
    void *grown = array_reserve(old, capacity, needed, item_size);
    if (grown)
        memcpy(items, &grown, sizeof grown);
    return grown != NULL;
}
