#include "book/grow/frontier.h"

#include <stdlib.h>

#include "base/array.h"

static bool goes_before(const struct dag *dag, uint32_t a, uint32_t b)
{
    const struct dag_node *x = &dag->nodes[a];
    const struct dag_node *y = &dag->nodes[b];
    if (x->probability > y->probability || x->probability < y->probability)
        return x->probability > y->probability;
    if (x->ply != y->ply)
        return x->ply < y->ply;
    return x->key < y->key;
}

static void set(struct frontier *frontier, struct dag *dag, size_t at, uint32_t node)
{
    frontier->heap[at] = node;
    dag->nodes[node].queue = (uint32_t)at + 1;
}

static void move_up(struct frontier *frontier, struct dag *dag, size_t at)
{
    uint32_t node = frontier->heap[at];
    for (; at > 0; at = (at - 1) / 2) {
        uint32_t parent = frontier->heap[(at - 1) / 2];
        if (!goes_before(dag, node, parent))
            break;
        set(frontier, dag, at, parent);
    }
    set(frontier, dag, at, node);
}

static void move_down(struct frontier *frontier, struct dag *dag, size_t at)
{
    uint32_t node = frontier->heap[at];
    for (size_t child; (child = 2 * at + 1) < frontier->count; at = child) {
        if (child + 1 < frontier->count &&
            goes_before(dag, frontier->heap[child + 1], frontier->heap[child]))
            child++;
        if (!goes_before(dag, frontier->heap[child], node))
            break;
        set(frontier, dag, at, frontier->heap[child]);
    }
    set(frontier, dag, at, node);
}

void frontier_free(struct frontier *frontier)
{
    free(frontier->heap);
    free(frontier->places);
    *frontier = (struct frontier){0};
}

enum caxton_status frontier_put(struct frontier *frontier, struct dag *dag, uint32_t node)
{
    if (!dag->nodes[node].queue) {
        if (!ARRAY_GROW(frontier->heap, frontier->capacity, frontier->count + 1))
            return STATUS_NO_MEMORY;
        set(frontier, dag, frontier->count++, node);
    }
    move_up(frontier, dag, dag->nodes[node].queue - 1);
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
        if (dag->nodes[nodes[i]].queue)
            frontier->places[found++] = dag->nodes[nodes[i]].queue - 1;
    qsort(frontier->places, found, sizeof *frontier->places, compare_places);
    for (size_t i = 0; i < found; i++)
        move_up(frontier, dag, frontier->places[i]);
    return STATUS_OK;
}

uint32_t frontier_take(struct frontier *frontier, struct dag *dag)
{
    if (frontier->count == 0)
        return DAG_NONE;
    uint32_t first = frontier->heap[0];
    uint32_t last = frontier->heap[--frontier->count];
    dag->nodes[first].queue = 0;
    if (frontier->count > 0) {
        set(frontier, dag, 0, last);
        move_down(frontier, dag, 0);
    }
    return first;
}

/* Places of the frontier's heap whose parents are given already: a heap, too. */
struct open_places {
    const struct frontier *frontier;
    const struct dag *dag;
    uint32_t *places;
    size_t count;
};

static bool is_before(const struct open_places *open, size_t a, size_t b)
{
    const uint32_t *heap = open->frontier->heap;
    return goes_before(open->dag, heap[open->places[a]], heap[open->places[b]]);
}

static void swap_places(struct open_places *open, size_t a, size_t b)
{
    uint32_t kept = open->places[a];
    open->places[a] = open->places[b];
    open->places[b] = kept;
}

static void open_place(struct open_places *open, size_t place)
{
    if (place >= open->frontier->count)
        return;
    size_t at = open->count++;
    open->places[at] = (uint32_t)place;
    for (; at > 0 && is_before(open, at, (at - 1) / 2); at = (at - 1) / 2)
        swap_places(open, at, (at - 1) / 2);
}

static size_t take_place(struct open_places *open)
{
    size_t taken = open->places[0];
    open->places[0] = open->places[--open->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < open->count; at = child) {
        if (child + 1 < open->count && is_before(open, child + 1, child))
            child++;
        if (!is_before(open, child, at))
            break;
        swap_places(open, child, at);
    }
    return taken;
}

size_t frontier_first(const struct frontier *frontier, const struct dag *dag, uint32_t *out,
                      size_t capacity)
{
    /* Each place that is given opens two: there is always one more open than given. */
    struct open_places open = {frontier, dag, calloc(capacity + 2, sizeof *open.places), 0};
    size_t given = 0;
    if (!open.places)
        return 0;
    open_place(&open, 0);
    while (open.count > 0 && given < capacity) {
        size_t place = take_place(&open);
        out[given++] = frontier->heap[place];
        open_place(&open, 2 * place + 1);
        open_place(&open, 2 * place + 2);
    }
    free(open.places);
    return given;
}
