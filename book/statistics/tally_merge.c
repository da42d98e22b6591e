#include "book/statistics/tally_merge.h"

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

/* Restores the heap order below `at`: the input with the smallest head is heap[0]. */
static void sift(struct tally_input *heap, size_t count, size_t at)
{
    struct tally_input moving = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && tally_compare(&heap[child + 1].head, &heap[child].head) < 0)
            child++;
        if (tally_compare(&moving.head, &heap[child].head) <= 0)
            break;
        heap[at] = heap[child];
    }
    heap[at] = moving;
}

/* Advances heap[at]; drops it when it is finished. */
static enum caxton_status advance(struct tally_input *heap, size_t *count, size_t at,
                                  struct diag *diag)
{
    enum caxton_status status = heap[at].next(heap[at].context, &heap[at].head, diag);
    if (status == STATUS_END) {
        heap[at] = heap[--*count];
        status = STATUS_OK;
    }
    if (status == STATUS_OK && at < *count)
        sift(heap, *count, at);
    return status;
}

/* Takes the sum of the least (key, move) off the heap. */
static enum caxton_status take_sum(struct tally_input *heap, size_t *count, struct tally *sum,
                                   struct diag *diag)
{
    *sum = heap[0].head;
    enum caxton_status status = advance(heap, count, 0, diag);
    while (status == STATUS_OK && *count > 0 && tally_compare(&heap[0].head, sum) == 0) {
        status = tally_add(sum, &heap[0].head, diag);
        if (status == STATUS_OK)
            status = advance(heap, count, 0, diag);
    }
    return status;
}

enum caxton_status tally_merge(struct tally_input *inputs, size_t count, tally_sink sink,
                               void *context, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    /* From the last one on: what is behind `i` is a heap already. */
    for (size_t i = count; i-- > 0 && status == STATUS_OK;)
        status = advance(inputs, &count, i, diag);
    while (count > 0 && status == STATUS_OK) {
        struct tally sum;
        status = take_sum(inputs, &count, &sum, diag);
        if (status == STATUS_OK)
            status = sink(context, &sum);
    }
    return status;
}
