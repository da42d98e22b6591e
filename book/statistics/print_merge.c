#include "book/statistics/print_merge.h"

#include <stdlib.h>

#include "base/heap.h"

struct print_input {
    struct wld_reader *reader;
    struct fingerprint head;
};

/* A heap_order. */
static bool goes_before(const void *a, const void *b)
{
    const struct print_input *one = a;
    const struct print_input *other = b;
    return fingerprint_compare(one->head, other->head) < 0;
}

/* A heap_next. */
static enum caxton_status read_head(void *sequence, struct diag *diag)
{
    struct print_input *input = sequence;
    return wld_reader_next_print(input->reader, &input->head, diag);
}

/* Gives the least fingerprint of all to `sink` and goes past it in each input that has it. */
static enum caxton_status take_print(struct heap *heap, print_sink sink, void *context,
                                     struct print_common *common, struct diag *diag)
{
    const struct print_input least = *(const struct print_input *)heap->items[0];
    enum caxton_status status = sink(context, least.head);
    if (status == STATUS_OK)
        status = heap_advance(heap, read_head, goes_before, diag);
    while (status == STATUS_OK && heap->count > 0) {
        const struct print_input *first = heap->items[0];
        if (fingerprint_compare(first->head, least.head) != 0)
            break;
        if (common->games++ == 0) {
            common->one = wld_reader_name(least.reader);
            common->other = wld_reader_name(first->reader);
        }
        status = heap_advance(heap, read_head, goes_before, diag);
    }
    return status;
}

enum caxton_status print_merge(struct wld_reader *const *readers, size_t count, print_sink sink,
                               void *context, struct print_common *common, struct diag *diag)
{
    struct print_input *inputs = calloc(count ? count : 1, sizeof *inputs);
    struct heap heap = {.items = calloc(count ? count : 1, sizeof *heap.items)};
    enum caxton_status status =
        inputs && heap.items ? STATUS_OK : diag_fail(STATUS_NO_MEMORY, diag, "out of memory");
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        inputs[i].reader = readers[i];
        status = heap_begin(&heap, &inputs[i], read_head, diag);
    }
    heap_make(&heap, goes_before);
    while (status == STATUS_OK && heap.count > 0)
        status = take_print(&heap, sink, context, common, diag);
    free(heap.items);
    free(inputs);
    return status;
}
