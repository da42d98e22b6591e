#include "book/statistics/print_merge.h"

#include <stdlib.h>

struct print_input {
    struct wld_reader *reader;
    struct fingerprint head;
};

/* Restores the heap order below the first: the input with the smallest head is heap[0]. */
static void sift(struct print_input *heap, size_t count, size_t at)
{
    struct print_input moving = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && fingerprint_compare(heap[child + 1].head, heap[child].head) < 0)
            child++;
        if (fingerprint_compare(moving.head, heap[child].head) <= 0)
            break;
        heap[at] = heap[child];
    }
    heap[at] = moving;
}

/* Advances heap[at]; drops it when it is finished. */
static enum caxton_status advance(struct print_input *heap, size_t *count, size_t at,
                                  struct diag *diag)
{
    enum caxton_status status = wld_reader_next_print(heap[at].reader, &heap[at].head, diag);
    if (status == STATUS_END) {
        heap[at] = heap[--*count];
        status = STATUS_OK;
    }
    if (status == STATUS_OK && at < *count)
        sift(heap, *count, at);
    return status;
}

/* Gives the least fingerprint of all to `sink` and goes past it in each input that has it. */
static enum caxton_status take_print(struct print_input *heap, size_t *count, print_sink sink,
                                     void *context, struct print_common *common, struct diag *diag)
{
    const struct print_input least = heap[0];
    enum caxton_status status = sink(context, least.head);
    if (status == STATUS_OK)
        status = advance(heap, count, 0, diag);
    while (status == STATUS_OK && *count > 0 &&
           fingerprint_compare(heap[0].head, least.head) == 0) {
        if (common->games++ == 0) {
            common->one = wld_reader_name(least.reader);
            common->other = wld_reader_name(heap[0].reader);
        }
        status = advance(heap, count, 0, diag);
    }
    return status;
}

enum caxton_status print_merge(struct wld_reader *const *readers, size_t count, print_sink sink,
                               void *context, struct print_common *common, struct diag *diag)
{
    struct print_input *heap = calloc(count ? count : 1, sizeof *heap);
    if (!heap)
        return diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < count; i++)
        heap[i].reader = readers[i];
    /* From the last one on: what is behind `i` is a heap already. */
    for (size_t i = count; i-- > 0 && status == STATUS_OK;)
        status = advance(heap, &count, i, diag);
    while (status == STATUS_OK && count > 0)
        status = take_print(heap, &count, sink, context, common, diag);
    free(heap);
    return status;
}
