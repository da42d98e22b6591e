#include "book/grow/frontier.h"

#include <stdlib.h>

#include "base/array.h"

static bool goes_before(const void *context, uint32_t a, uint32_t b)
{
    const struct dag *dag = context;
    const struct dag_node *x = &dag->nodes[a];
    const struct dag_node *y = &dag->nodes[b];
    if (x->probability > y->probability || x->probability < y->probability)
        return x->probability > y->probability;
    if (x->ply != y->ply)
        return x->ply < y->ply;
    return x->key < y->key;
}

static uint32_t *place_of(void *context, uint32_t node)
{
    const struct dag *dag = context;
    return &dag->nodes[node].place;
}

static const struct number_order by_probability = {goes_before, place_of};

void frontier_free(struct frontier *frontier)
{
    free(frontier->heap.items);
    free(frontier->places);
    *frontier = (struct frontier){0};
}

enum caxton_status frontier_put(struct frontier *frontier, struct dag *dag, uint32_t node)
{
    struct number_heap *heap = &frontier->heap;
    size_t place = dag->nodes[node].place;
    if (place > 0) {
        number_heap_up(heap, place - 1, node, &by_probability, dag);
        return STATUS_OK;
    }
    if (!ARRAY_GROW(heap->items, frontier->capacity, heap->count + 1))
        return STATUS_NO_MEMORY;
    number_heap_add(heap, node, &by_probability, dag);
    return STATUS_OK;
}

static int compare_places(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* From the top down: when a place is looked at, all before it are a heap already, and what moves up
 * from it changes no place behind it. */
enum caxton_status frontier_raise(struct frontier *frontier, struct dag *dag, const uint32_t *nodes,
                                  size_t count)
{
    size_t found = 0;
    if (!ARRAY_GROW(frontier->places, frontier->place_capacity, count + 1))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (dag->nodes[nodes[i]].place)
            frontier->places[found++] = dag->nodes[nodes[i]].place - 1;
    qsort(frontier->places, found, sizeof *frontier->places, compare_places);
    for (size_t i = 0; i < found; i++)
        number_heap_up(&frontier->heap, frontier->places[i],
                       frontier->heap.items[frontier->places[i]], &by_probability, dag);
    return STATUS_OK;
}

uint32_t frontier_take(struct frontier *frontier, struct dag *dag)
{
    return frontier->heap.count > 0 ? number_heap_take(&frontier->heap, 0, &by_probability, dag)
                                    : DAG_NONE;
}

/* Places of the frontier's heap, as a heap of its own: those whose parents are given already. */
struct open_places {
    const struct number_heap *heap;
    const struct dag *dag;
};

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct open_places *open = context;
    return goes_before(open->dag, open->heap->items[a], open->heap->items[b]);
}

size_t frontier_first(const struct frontier *frontier, const struct dag *dag, uint32_t *out,
                      size_t capacity)
{
    static const struct number_order order = {.before = is_before};
    struct open_places context = {&frontier->heap, dag};
    /* Each place that is given opens two: there is always one more open than given. */
    struct number_heap open = {calloc(capacity + 2, sizeof *open.items), 0};
    size_t given = 0;
    if (!open.items)
        return 0;
    if (frontier->heap.count > 0)
        number_heap_add(&open, 0, &order, &context);
    while (open.count > 0 && given < capacity) {
        uint32_t place = number_heap_take(&open, 0, &order, &context);
        out[given++] = frontier->heap.items[place];
        for (uint32_t next = 2 * place + 1; next <= 2 * place + 2; next++)
            if (next < frontier->heap.count)
                number_heap_add(&open, next, &order, &context);
    }
    free(open.items);
    return given;
}
