/* Arrays that grow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Makes room for `needed` items of `item_size` bytes in an array that holds *capacity of them
 * (`items` may be NULL with *capacity = 0). When there is room already, returns `items`. Otherwise
 * at least doubles the capacity. NULL without memory or when the size does not fit in a size_t: the
 * array and *capacity stay as they were. The caller frees the array. */
void *array_reserve(void *items, size_t *capacity, size_t needed, size_t item_size);

/* The same for the array in the variable `items` and a size_t variable `capacity`. False without
 * memory: both stay as they were.
 *
 *     if (!ARRAY_GROW(list->rows, list->capacity, list->count + 1))
 *         return STATUS_NO_MEMORY;
 */
#define ARRAY_GROW(items, capacity, needed)                                                        \
    array_grow(&(items), &(capacity), (needed), sizeof *(items))

/* Sets the variable `at` to the first number of [low, high) for which `before`, an expression with
 * `at`, does not hold, or to `high`; behind such a number it holds for none.
 *
 *     ARRAY_SEARCH(at, 0, count, rows[at].key < key);
 */
#define ARRAY_SEARCH(at, low, high, before)                                                        \
    do {                                                                                           \
        size_t low_ = (low);                                                                       \
        size_t high_ = (high);                                                                     \
        while (((at) = low_ + (high_ - low_) / 2) < high_)                                         \
            if (before)                                                                            \
                low_ = (at) + 1;                                                                   \
            else                                                                                   \
                high_ = (at);                                                                      \
    } while (0)

/* items: the address of a pointer to any type of object. For ARRAY_GROW. */
MUST_CHECK bool array_grow(void *items, size_t *capacity, size_t needed, size_t item_size);
