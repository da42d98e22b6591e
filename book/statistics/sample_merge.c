#include "book/statistics/sample_merge.h"

#include <stdlib.h>

#include "base/heap.h"

struct sample_merge {
    struct sample_input *inputs;
    size_t count;
    size_t most;
    bool has_begun;
    struct heap heap; /* of inputs that have not ended, by their heads' keys */
};

struct sample_merge *sample_merge_create(struct sample_input *inputs, size_t count, size_t most)
{
    struct sample_merge *merge = calloc(1, sizeof *merge);
    void **items = calloc(count ? count : 1, sizeof *items);
    if (!merge || !items) {
        free(merge);
        free(items);
        return NULL;
    }
    *merge = (struct sample_merge){
        .inputs = inputs, .count = count, .most = most, .heap = {.items = items}};
    return merge;
}

void sample_merge_destroy(struct sample_merge *merge)
{
    if (!merge)
        return;
    free(merge->heap.items);
    free(merge);
}

/* A heap_order. */
static bool goes_before(const void *a, const void *b)
{
    const struct sample_input *one = a;
    const struct sample_input *other = b;
    return one->head.key < other->head.key;
}

/* A heap_next. */
static enum caxton_status read_head(void *sequence, struct diag *diag)
{
    struct sample_input *input = sequence;
    return input->next(input->context, &input->head, diag);
}

static enum caxton_status begin(struct sample_merge *merge, struct diag *diag)
{
    enum caxton_status status = STATUS_OK;
    merge->has_begun = true;
    for (size_t i = 0; i < merge->count && status == STATUS_OK; i++)
        status = heap_begin(&merge->heap, &merge->inputs[i], read_head, diag);
    heap_make(&merge->heap, goes_before);
    return status;
}

/* Adds the games of `more`, as far as they belong among the first. */
static void unite(struct sample_set *set, const struct sample_set *more, size_t most)
{
    const struct sample_set old = *set;
    size_t a = 0;
    size_t b = 0;
    set->count = 0;
    while (set->count < most && (a < old.count || b < more->count)) {
        bool is_old = b == more->count ||
                      (a < old.count && sample_compare(&old.games[a], &more->games[b]) <= 0);
        sample_set_add(set, is_old ? &old.games[a++] : &more->games[b++], most);
    }
}

enum caxton_status sample_merge_next(void *context, struct sample_set *out, struct diag *diag)
{
    struct sample_merge *merge = context;
    struct heap *heap = &merge->heap;
    enum caxton_status status = merge->has_begun ? STATUS_OK : begin(merge, diag);
    if (status != STATUS_OK)
        return status;
    if (heap->count == 0)
        return STATUS_END;
    out->key = ((const struct sample_input *)heap->items[0])->head.key;
    out->count = 0;
    while (status == STATUS_OK && heap->count > 0) {
        const struct sample_input *first = heap->items[0];
        if (first->head.key != out->key)
            break;
        unite(out, &first->head, merge->most);
        status = heap_advance(heap, read_head, goes_before, diag);
    }
    return status;
}
