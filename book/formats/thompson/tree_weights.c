#include "book/formats/thompson/tree_weights.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/formats/thompson/tree_unit.h"

#define NONE SIZE_MAX

/* What stands behind a '('. */
struct shape {
    uint32_t end;   /* lines that end before its branch does */
    uint32_t after; /* choices after it */
    size_t next;    /* the next choice, where that has a '(' */
};

/* A '(' whose branch is not over. */
struct branch {
    struct tree_level level; /* of the next choice */
    size_t index;            /* among all '(' */
};

struct packing {
    struct tree_coder *coder;
    enum tree_weights packed;
    uint32_t *weights;
    struct shape *shapes; /* of each '(', in the order of the body */
    size_t shape_capacity;
    size_t shape_count; /* of those that are coded */
    struct branch *stack;
    size_t stack_capacity;
    size_t depth;
    uint32_t lines; /* that have ended */
    uint32_t all_lines;
    struct tree_level level;
};

/* False without memory. Afterwards the stack has room for as many open '(' as there ever are. */
static bool find_shapes(struct packing *packing, const uint8_t *body, size_t size)
{
    struct tree_unit unit = {.end = 0};
    size_t before = NONE; /* the choice before this one */
    size_t count = 0;
    while (tree_unit_next(body, size, &unit)) {
        if (unit.kind == TREE_MOVE && unit.more) {
            if (!ARRAY_GROW(packing->shapes, packing->shape_capacity, count + 1) ||
                !ARRAY_GROW(packing->stack, packing->stack_capacity, packing->depth + 1))
                return false;
            if (before != NONE)
                packing->shapes[before].next = count;
            packing->shapes[count].next = NONE;
            packing->stack[packing->depth++].index = count++;
        }
        before = NONE;
        if (unit.kind != TREE_JUMP && !unit.last)
            continue;
        packing->all_lines++;
        if (packing->depth > 0) {
            before = packing->stack[--packing->depth].index;
            packing->shapes[before].end = packing->all_lines;
        }
    }
    for (size_t i = count; i-- > 0;) {
        struct shape *shape = &packing->shapes[i];
        shape->after = shape->next == NONE ? 1 : packing->shapes[shape->next].after + 1;
    }
    return true;
}

/* What the moves behind are to know of the weight; an estimate where none is written. */
static uint32_t code_weight(struct packing *packing, const struct tree_unit *unit,
                            const struct tree_shape *shape)
{
    const struct tree_level *level = &packing->level;
    uint32_t *weight = &packing->weights[unit->at];
    if (unit->unplayed || unit->non_book)
        return 0;
    if (unit->weighted)
        return unit->weight;
    if (packing->packed == TREE_WEIGHTS_CHOICES && level->index == 0 && !unit->more) {
        *weight = 1;
        return level->own;
    }
    return *weight = tree_coder_weight(packing->coder, level, shape, *weight);
}

static void code_move(struct packing *packing, const struct tree_unit *unit)
{
    const struct branch *top = packing->depth ? &packing->stack[packing->depth - 1] : NULL;
    uint32_t all = (top ? packing->shapes[top->index].end : packing->all_lines) - packing->lines;
    const struct shape *own = unit->more ? &packing->shapes[packing->shape_count] : NULL;
    uint32_t lines = own ? own->end - packing->lines : all;
    const struct tree_shape shape = {
        .lines = lines, .rest = all - lines, .after = own ? own->after : 0, .last = unit->last};
    uint32_t weight = code_weight(packing, unit, &shape);
    struct tree_level *level = &packing->level;
    const struct tree_level behind = {.own = level->other,
                                      .other = weight,
                                      .own_earlier = level->other_earlier,
                                      .other_earlier = level->own};
    level->previous = weight;
    level->sum += weight;
    level->index++;
    if (unit->more)
        packing->stack[packing->depth++] = (struct branch){*level, packing->shape_count++};
    packing->level = behind;
}

static void code_units(struct packing *packing, const uint8_t *body, size_t size)
{
    struct tree_unit unit = {.end = 0};
    while (tree_unit_next(body, size, &unit)) {
        if (unit.kind == TREE_NEW)
            packing->level = (struct tree_level){0};
        if (unit.kind == TREE_MOVE)
            code_move(packing, &unit);
        if (unit.kind != TREE_JUMP && !unit.last)
            continue;
        packing->lines++;
        if (packing->depth > 0)
            packing->level = packing->stack[--packing->depth].level;
    }
}

enum caxton_status tree_code_weights(struct tree_coder *coder, const uint8_t *body, size_t size,
                                     enum tree_weights packed, uint32_t *weights)
{
    struct packing packing = {.coder = coder, .packed = packed, .weights = weights};
    bool found = find_shapes(&packing, body, size);
    if (found)
        code_units(&packing, body, size);
    free(packing.shapes);
    free(packing.stack);
    return found ? STATUS_OK : STATUS_NO_MEMORY;
}
