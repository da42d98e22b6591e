/* A book as it will be: an open book, and the weights that have changed. */
#pragma once

#include "base/key_table.h"
#include "book/book.h"
#include "book/format.h"

struct draft_position {
    uint64_t key;
    size_t first; /* 1 and the index of its first change */
};

struct draft {
    const struct book *book;
    struct book_addition *changes; /* the last of a move counts; no move is there twice */
    size_t count;
    size_t capacity;
    /* Changes by their positions. */
    struct draft_position *positions;
    size_t *nexts; /* by change: 1 and the index of the next one of its position; 0: the last */
    size_t position_count;
    size_t position_capacity;
    size_t next_capacity;
    struct key_table table; /* of positions */
};

void draft_free(struct draft *draft); /* the book stays */

/* The moves of the book in the position that the game has reached, at most MOVES_MAX, with the
 * weights that they will have: heaviest first. A book of lines is asked by the game, and then by
 * the position alone. Returns how many. */
int draft_probe(const struct draft *draft, const struct game *game, struct book_move *out);

/* Which of them is `m`; -1: none. */
int draft_index(const struct book_move *moves, int count, move m);

/* Sets the weight of a legal move, whether the book knows it or not. 0: known, never played.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status draft_set(struct draft *draft, const struct position *pos, move m,
                                        uint32_t weight);
