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

/* Adds a place to out[given .. *open), which has room for `capacity`: when it is full, instead of
 * the last in order. */
static void add_place(const struct frontier *frontier, const struct dag *dag, uint32_t *out,
                      size_t given, size_t *open, size_t capacity, size_t place)
{
    size_t worst = given;
    if (*open < capacity) {
        out[(*open)++] = (uint32_t)place;
        return;
    }
    for (size_t i = given + 1; i < *open; i++)
        if (goes_before(dag, frontier->heap[out[worst]], frontier->heap[out[i]]))
            worst = i;
    if (worst < *open && goes_before(dag, frontier->heap[place], frontier->heap[out[worst]]))
        out[worst] = (uint32_t)place;
}

size_t frontier_first(const struct frontier *frontier, const struct dag *dag, uint32_t *out,
                      size_t capacity)
{
    /* out[given .. open) are places in the heap whose parents are given: the next is among them. */
    size_t given = 0;
    size_t open = 0;
    if (capacity > 0 && frontier->count > 0)
        out[open++] = 0;
    while (given < open) {
        size_t best = given;
        for (size_t i = given + 1; i < open; i++)
            if (goes_before(dag, frontier->heap[out[i]], frontier->heap[out[best]]))
                best = i;
        size_t place = out[best];
        out[best] = out[given];
        out[given++] = frontier->heap[place];
        for (size_t child = 2 * place + 1; child <= 2 * place + 2; child++)
            if (child < frontier->count)
                add_place(frontier, dag, out, given, &open, capacity, child);
    }
    return given;
}
