#include "book/build/count/item_merge.h"

#include <stdlib.h>

/* One input of a merge: a run, or items. */
struct source {
    struct tally head;
    struct run_reader *reader; /* NULL: items */
    const struct item *item;
    const struct item *end;
};

static enum caxton_status source_next(struct source *source, struct diag *diag)
{
    if (source->reader)
        return run_reader_next(source->reader, &source->head, diag);
    if (source->item == source->end)
        return STATUS_END;
    source->head = items_next(&source->item, source->end);
    return STATUS_OK;
}

/* Restores the heap order below `at`: the smallest head is heap[0]. */
static void sift(struct source **heap, size_t count, size_t at)
{
    struct source *moving = heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= count)
            break;
        if (child + 1 < count && tally_compare(&heap[child + 1]->head, &heap[child]->head) < 0)
            child++;
        if (tally_compare(&moving->head, &heap[child]->head) <= 0)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

/* Advances heap[0]; drops it when it is finished. */
static enum caxton_status advance(struct source **heap, size_t *count, struct diag *diag)
{
    enum caxton_status status = source_next(heap[0], diag);
    if (status == STATUS_END) {
        heap[0] = heap[--*count];
        status = STATUS_OK;
    }
    if (*count > 0)
        sift(heap, *count, 0);
    return status;
}

/* Puts the sources that have anything into heap order. */
static enum caxton_status make_heap(struct source *sources, size_t count, struct source **heap,
                                    size_t *live, struct diag *diag)
{
    *live = 0;
    for (size_t i = 0; i < count; i++) {
        enum caxton_status status = source_next(&sources[i], diag);
        if (status == STATUS_OK)
            heap[(*live)++] = &sources[i];
        else if (status != STATUS_END)
            return status;
    }
    for (size_t i = *live / 2; i-- > 0;)
        sift(heap, *live, i);
    return STATUS_OK;
}

static enum caxton_status drain(struct source **heap, size_t live, tally_sink sink, void *context,
                                struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    while (live > 0 && status == STATUS_OK) {
        struct tally sum = heap[0]->head;
        status = advance(heap, &live, diag);
        while (status == STATUS_OK && live > 0 && tally_compare(&heap[0]->head, &sum) == 0) {
            for (int i = 0; i < OUTCOMES; i++)
                sum.counts[i] += heap[0]->head.counts[i];
            status = advance(heap, &live, diag);
        }
        if (status == STATUS_OK)
            status = sink(context, &sum);
    }
    return status;
}

enum caxton_status item_merge(const struct item *items, size_t item_count,
                              const struct run_file *file, const struct run *runs, size_t run_count,
                              tally_sink sink, void *context, struct diag *diag)
{
    struct source *sources = calloc(run_count + 1, sizeof *sources);
    struct source **heap = calloc(run_count + 1, sizeof *heap);
    enum caxton_status status = sources && heap ? STATUS_OK : STATUS_NO_MEMORY;
    if (status != STATUS_OK)
        diag_set(diag, 0, 0, "out of memory");
    size_t opened = 0;
    for (; opened < run_count && status == STATUS_OK; opened++)
        status = run_reader_create(file, runs[opened], &sources[opened].reader, diag);
    if (status == STATUS_OK) {
        size_t live;
        sources[run_count].item = items;
        sources[run_count].end = item_count ? items + item_count : items; /* none at NULL */
        status = make_heap(sources, run_count + 1, heap, &live, diag);
        if (status == STATUS_OK)
            status = drain(heap, live, sink, context, diag);
    }
    for (size_t i = 0; sources && i < opened; i++)
        run_reader_destroy(sources[i].reader);
    free(sources);
    free(heap);
    return status;
}
