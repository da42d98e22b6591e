/* Arrays that grow. */
#ifndef CAXTON_BASE_ARRAY_H
#define CAXTON_BASE_ARRAY_H

#include <stddef.h>

/* Makes room for `needed` items of `item_size` bytes in an array that holds *capacity of them
 * (`items` may be NULL with *capacity = 0). When there is room already, returns `items`. Otherwise
 * at least doubles the capacity. NULL without memory or when the size does not fit in a size_t: the
 * array and *capacity stay as they were. The caller frees the array.
 *
 *     struct row *rows = array_reserve(list->rows, &list->capacity, list->count + 1, sizeof *rows);
 *     if (!rows)
 *         return STATUS_NO_MEMORY;
 *     list->rows = rows;
 */
void *array_reserve(void *items, size_t *capacity, size_t needed, size_t item_size);

#endif
