/* A binary heap of pointers, the first in order at its top: which of several sorted sequences goes
 * on. The functions are inline, so that the order given to them costs no call. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Has `a` to come before `b`? */
typedef bool (*heap_order)(const void *a, const void *b);

struct heap {
    void **items; /* the caller's, with room for all there will be; items[0] comes first */
    size_t count;
};

/* Moves items[at] down to where it belongs. at = 0: the top has changed. */
static inline void heap_sift(struct heap *heap, size_t at, heap_order before)
{
    void **items = heap->items;
    void *moving = items[at];
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && before(items[child + 1], items[child]))
            child++;
        if (!before(items[child], moving))
            break;
        items[at] = items[child];
    }
    items[at] = moving;
}

/* Puts all items in order, which came in any. */
static inline void heap_make(struct heap *heap, heap_order before)
{
    size_t parents = heap->count / 2;
    for (size_t i = 0; i < parents; i++)
        heap_sift(heap, parents - 1 - i, before);
}

/* Takes the top out, of one item at least. */
static inline void heap_drop(struct heap *heap, heap_order before)
{
    heap->items[0] = heap->items[--heap->count];
    if (heap->count > 0)
        heap_sift(heap, 0, before);
}

/* Merging: the items are sequences, in the order of their heads. ----------------------------- */

/* Reads the next head of a sequence; STATUS_END when there is none. */
typedef enum caxton_status (*heap_next)(void *sequence, struct diag *diag);

/* Reads the first head of a sequence and adds it, unless it is empty: heap_make() is still to be
 * called. Errors: those of `next`. */
MUST_CHECK static inline enum caxton_status heap_begin(struct heap *heap, void *sequence,
                                                       heap_next next, struct diag *diag)
{
    enum caxton_status status = next(sequence, diag);
    if (status == STATUS_OK)
        heap->items[heap->count++] = sequence;
    return status == STATUS_END ? STATUS_OK : status;
}

/* Reads the next head of the sequence at the top; takes it out when it has ended. Errors: those of
 * `next`. */
MUST_CHECK static inline enum caxton_status heap_advance(struct heap *heap, heap_next next,
                                                         heap_order before, struct diag *diag)
{
    enum caxton_status status = next(heap->items[0], diag);
    if (status == STATUS_OK)
        heap_sift(heap, 0, before);
    else if (status == STATUS_END)
        heap_drop(heap, before);
    return status == STATUS_END ? STATUS_OK : status;
}
