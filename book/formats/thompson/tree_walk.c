#include "book/formats/thompson/tree_walk.h"

#include <stdlib.h>

#include "base/array.h"
#include "book/formats/thompson/tree_order.h"

/* A move of the line, and whether another choice follows behind its branch. */
struct ply {
    struct undo undo;
    move move;
    bool more;
};

struct walk {
    const struct tree_book *book;
    tree_visitor visitor;
    void *context;
    struct position pos;
    struct ply *line;
    size_t plies;
    size_t capacity;
    size_t at;
    bool done; /* with this tree */
};

static enum caxton_status push(struct walk *walk, move m, bool more)
{
    if (!ARRAY_GROW(walk->line, walk->capacity, walk->plies + 1))
        return STATUS_NO_MEMORY;
    struct ply *ply = &walk->line[walk->plies++];
    ply->move = m;
    ply->more = more;
    position_make(&walk->pos, m, &ply->undo);
    return STATUS_OK;
}

/* The line has ended: back to the last position with another choice. */
static void back(struct walk *walk)
{
    bool more = false;
    while (walk->plies > 0 && !more) {
        const struct ply *ply = &walk->line[--walk->plies];
        position_unmake(&walk->pos, ply->move, &ply->undo);
        more = ply->more;
    }
    walk->done = !more;
}

/* Arrives at a position: its choices stand at walk->at, or a jump does. */
static enum caxton_status arrive(struct walk *walk)
{
    struct tree_unit unit;
    if (tree_unit_read(walk->book->body, walk->book->size, walk->at, &unit) != NULL) {
        walk->done = true; /* not in a tree that was read */
        return STATUS_OK;
    }
    if (unit.kind != TREE_JUMP)
        return walk->visitor(walk->context, TREE_AT_CHOICES, &unit, &walk->pos);
    enum caxton_status status = walk->visitor(walk->context, TREE_AT_JUMP, &unit, &walk->pos);
    walk->at = unit.end;
    back(walk);
    return status;
}

static enum caxton_status step(struct walk *walk)
{
    struct tree_unit unit;
    enum caxton_status status = STATUS_OK;
    if (tree_unit_read(walk->book->body, walk->book->size, walk->at, &unit) != NULL ||
        unit.kind != TREE_MOVE) {
        walk->done = true; /* not in a tree that was read */
        return status;
    }
    move moves[MOVES_MAX];
    int count = tree_order(&walk->pos, moves);
    if (unit.place < count && !unit.last) {
        walk->at = unit.end;
        status = push(walk, moves[unit.place], unit.more);
        return status == STATUS_OK ? arrive(walk) : status;
    }
    if (unit.place >= count)
        status = walk->visitor(walk->context, TREE_AT_ILLEGAL, &unit, &walk->pos);
    walk->at = tree_skip(walk->book, &unit);
    if (!unit.more)
        back(walk);
    return status;
}

enum caxton_status tree_walk(const struct tree_book *book, tree_visitor visitor, void *context)
{
    struct walk walk = {.book = book, .visitor = visitor, .context = context};
    enum caxton_status status = STATUS_OK;
    for (size_t i = 0; i < book->start_count && status == STATUS_OK; i++) {
        walk.plies = 0;
        walk.done = false;
        walk.at = book->start_places[i];
        walk.pos = book->starts[i];
        status = arrive(&walk);
        while (!walk.done && status == STATUS_OK)
            status = step(&walk);
    }
    free(walk.line);
    return status;
}
