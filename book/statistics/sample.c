#include "book/statistics/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Names ------------------------------------------------------------------------------------ */

void sample_names_free(struct sample_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
    *names = (struct sample_names){.list = NULL};
}

/* How many names come before this one. */
static size_t rank(const struct sample_names *names, const char *name)
{
    size_t at;
    ARRAY_SEARCH(at, 0, names->count, strcmp(names->list[at], name) < 0);
    return at;
}

size_t sample_names_find(const struct sample_names *names, const char *name)
{
    size_t at = rank(names, name);
    return at < names->count && strcmp(names->list[at], name) == 0 ? at : names->count;
}

enum caxton_status sample_names_add(struct sample_names *names, const char *name)
{
    size_t at = rank(names, name);
    if (at < names->count && strcmp(names->list[at], name) == 0)
        return STATUS_OK;
    if (names->count == SAMPLE_FILES_MAX)
        return STATUS_RANGE;
    char *copy = strdup(name);
    if (!copy || !ARRAY_GROW(names->list, names->capacity, names->count + 1)) {
        free(copy);
        return STATUS_NO_MEMORY;
    }
    memmove(names->list + at + 1, names->list + at, (names->count - at) * sizeof *names->list);
    names->list[at] = copy;
    names->count++;
    return STATUS_OK;
}

/* Merging ---------------------------------------------------------------------------------- */

void sample_merge_end(struct sample_merge *merge)
{
    free(merge->heap.items);
    *merge = (struct sample_merge){.inputs = NULL};
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
    enum caxton_status status = STATUS_OK;
    if (!heap->items)
        status = heap_open(heap, merge->inputs, sizeof *merge->inputs, merge->count, read_head,
                           goes_before, diag);
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
