#include "book/formats/thompson/tree_book.h"

#include <stdlib.h>

#include "book/formats/thompson/tree_order.h"

void tree_book_free(struct tree_book *book)
{
    free(book->weights);
    free(book->branches);
    free(book->starts);
    free(book->start_places);
}

size_t tree_skip(const struct tree_book *book, const struct tree_unit *first)
{
    if (first->last)
        return first->end;
    if (first->more && book->branch_count) {
        size_t low = 0;
        for (size_t high = book->branch_count; low < high;) {
            size_t middle = low + (high - low) / 2;
            if (book->branches[middle].at < first->at)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < book->branch_count && book->branches[low].at == first->at)
            return book->branches[low].end;
    }
    struct tree_unit unit = *first;
    for (size_t lines = 1; lines > 0;) {
        if (!tree_unit_next(book->body, book->size, &unit))
            return book->size; /* not in a tree that was read */
        lines += unit.kind == TREE_MOVE && unit.more;
        lines -= unit.kind == TREE_JUMP || unit.last;
    }
    return unit.end;
}

/* The place `at`, or where the jump there leads. */
static size_t resolve(const struct tree_book *book, size_t at)
{
    struct tree_unit unit;
    if (tree_unit_read(book->body, book->size, at, &unit) == NULL && unit.kind == TREE_JUMP)
        return unit.target;
    return at;
}

bool tree_first_choice(const struct tree_book *book, size_t at, struct tree_unit *unit)
{
    return tree_unit_read(book->body, book->size, resolve(book, at), unit) == NULL &&
           unit->kind == TREE_MOVE;
}

bool tree_next_choice(const struct tree_book *book, struct tree_unit *unit)
{
    return unit->more &&
           tree_unit_read(book->body, book->size, tree_skip(book, unit), unit) == NULL &&
           unit->kind == TREE_MOVE;
}

/* Moves to play without a stated weight get one by their rank: the first is best. */
static void rank_choices(struct tree_choice *choices, const bool *stated, int count)
{
    uint32_t rank = 0;
    for (int i = count - 1; i >= 0; i--) {
        if (choices[i].weight == 0)
            continue;
        rank++;
        if (!stated[i])
            choices[i].weight = rank;
    }
}

int tree_choices(const struct tree_book *book, size_t at, const struct position *pos,
                 struct tree_choice *out)
{
    move moves[MOVES_MAX];
    bool stated[MOVES_MAX];
    bool had[MOVES_MAX] = {false};
    int legal = tree_order(pos, moves);
    int count = 0;
    struct tree_unit unit;
    for (bool is_choice = tree_first_choice(book, at, &unit); is_choice;
         is_choice = tree_next_choice(book, &unit)) {
        if (unit.place >= legal || had[unit.place])
            continue;
        had[unit.place] = true;
        bool is_packed = book->weights && !unit.unplayed && !unit.non_book && !unit.weighted;
        uint32_t weight = unit.weighted ? unit.weight : is_packed ? book->weights[unit.at] : 1;
        stated[count] = unit.weighted || is_packed;
        out[count++] = (struct tree_choice){.move = moves[unit.place],
                                            .weight = unit.unplayed || unit.non_book ? 0 : weight,
                                            .styles = unit.styles,
                                            .non_book = unit.non_book};
    }
    rank_choices(out, stated, count);
    return count;
}
