#include "book/statistics/tally_merge.h"

#include <stdlib.h>

#include "base/heap.h"
#include "book/statistics/wld.h"

enum caxton_status tally_add(struct tally *sum, const struct tally *more, struct diag *diag)
{
    for (int i = 0; i < OUTCOMES; i++)
        sum->counts[i] += more->counts[i];
    if (tally_games(sum) <= WLD_GAMES_MAX) /* of two terms no larger: no overflow */
        return STATUS_OK;
    return diag_fail(STATUS_RANGE, diag,
                     "a move of position %016llx has more games than can be counted",
                     (unsigned long long)sum->key);
}

/* A heap_order. */
static bool goes_before(const void *a, const void *b)
{
    const struct tally_input *one = a;
    const struct tally_input *other = b;
    return tally_compare(&one->head, &other->head) < 0;
}

/* A heap_next. */
static enum caxton_status read_head(void *sequence, struct diag *diag)
{
    struct tally_input *input = sequence;
    return input->next(input->context, &input->head, diag);
}

/* The input with the least (key, move). */
static const struct tally *head_of(const struct heap *heap)
{
    return &((const struct tally_input *)heap->items[0])->head;
}

/* Takes the sum of the least (key, move) off the heap. */
static enum caxton_status take_sum(struct heap *heap, struct tally *sum, struct diag *diag)
{
    *sum = *head_of(heap);
    enum caxton_status status = heap_advance(heap, read_head, goes_before, diag);
    while (status == STATUS_OK && heap->count > 0 && tally_compare(head_of(heap), sum) == 0) {
        status = tally_add(sum, head_of(heap), diag);
        if (status == STATUS_OK)
            status = heap_advance(heap, read_head, goes_before, diag);
    }
    return status;
}

enum caxton_status tally_merge(struct tally_input *inputs, size_t count, tally_sink sink,
                               void *context, struct diag *diag)
{
    struct heap heap = {.items = calloc(count ? count : 1, sizeof *heap.items)};
    if (!heap.items)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = heap_begin(&heap, &inputs[i], read_head, diag);
    heap_make(&heap, goes_before);
    while (heap.count > 0 && status == STATUS_OK) {
        struct tally sum;
        status = take_sum(&heap, &sum, diag);
        if (status == STATUS_OK)
            status = sink(context, &sum);
    }
    free(heap.items);
    return status;
}
