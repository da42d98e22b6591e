/* Binary heaps, the first in order at the top: of pointers, which of several sorted sequences goes
 * on; of numbers, which may be moved up and taken out. The functions are inline, so that the order
 * given to them costs no call. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

/* Reads the first heads of `count` sequences of `size` bytes each, which lie side by side; empty
 * ones stay out. heap->items is the caller's to free(), also after an error. Errors:
 * STATUS_NO_MEMORY, those of `next`. */
MUST_CHECK static inline enum caxton_status heap_open(struct heap *heap, void *sequences,
                                                      size_t size, size_t count, heap_next next,
                                                      heap_order before, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    *heap = (struct heap){.items = calloc(count ? count : 1, sizeof *heap->items)};
    if (!heap->items)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        void *sequence = (char *)sequences + i * size;
        status = next(sequence, diag);
        if (status == STATUS_OK)
            heap->items[heap->count++] = sequence;
        else if (status == STATUS_END)
            status = STATUS_OK;
    }
    heap_make(heap, before);
    return status;
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

/* Numbers, which stand for items of the caller's. -------------------------------------------- */

struct number_heap {
    uint32_t *items; /* the caller's, with room for all there will be; items[0] comes first */
    size_t count;
};

struct number_order {
    /* Has item `a` to come before `b`? */
    bool (*before)(const void *context, uint32_t a, uint32_t b);
    /* Where it is kept at which place + 1 an item stands, 0: not in the heap. NULL: nowhere. */
    uint32_t *(*place)(void *context, uint32_t item);
};

static inline void number_heap_set(struct number_heap *heap, size_t at, uint32_t item,
                                   const struct number_order *order, void *context)
{
    heap->items[at] = item;
    if (order->place)
        *order->place(context, item) = (uint32_t)at + 1;
}

/* Moves the item up from `at`, or puts it there. */
static inline void number_heap_up(struct number_heap *heap, size_t at, uint32_t item,
                                  const struct number_order *order, void *context)
{
    for (; at > 0 && order->before(context, item, heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        number_heap_set(heap, at, heap->items[(at - 1) / 2], order, context);
    number_heap_set(heap, at, item, order, context);
}

static inline void number_heap_add(struct number_heap *heap, uint32_t item,
                                   const struct number_order *order, void *context)
{
    number_heap_up(heap, heap->count++, item, order, context);
}

/* Takes the item at that place out and returns it; 0: the first one. */
static inline uint32_t number_heap_take(struct number_heap *heap, size_t at,
                                        const struct number_order *order, void *context)
{
    uint32_t taken = heap->items[at];
    uint32_t last = heap->items[--heap->count];
    if (order->place)
        *order->place(context, taken) = 0;
    if (at == heap->count)
        return taken;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count &&
            order->before(context, heap->items[child + 1], heap->items[child]))
            child++;
        if (!order->before(context, heap->items[child], last))
            break;
        number_heap_set(heap, at, heap->items[child], order, context);
    }
    number_heap_up(heap, at, last, order, context);
    return taken;
}
