/* The moves that a book answers with, and how one of them is chosen. */
#pragma once

#include "base/rng.h"
#include "chess/movegen.h"

/* Characters of openings, a bit each: what a user can be in the mood for. */
enum book_style {
    BOOK_OPEN = 1,        /* 1.e4 e5 */
    BOOK_HALF_OPEN = 2,   /* 1.e4, another reply */
    BOOK_CLOSED = 4,      /* 1.d4 d5 */
    BOOK_HALF_CLOSED = 8, /* 1.d4, another reply */
    BOOK_FLANK = 16,      /* neither */
    BOOK_GAMBIT = 32,
};

/* One playable answer of the book. */
struct book_move {
    move move;       /* legal in the probed position */
    uint32_t weight; /* summed over duplicate entries; may be 0 = never play */
    uint32_t learn;  /* Polyglot's learn field, of the first entry */
    uint32_t place;  /* in the file, of the first entry, where its order is a person's; else 0 */
    uint8_t styles;  /* of the games it leads to, enum book_style; 0: the book does not say */
};

enum book_selection { BOOK_WEIGHTED, BOOK_BEST, BOOK_UNIFORM };

/* Sorts: heaviest first, ties in the order of the file where it has one, then by move. */
void book_moves_sort(struct book_move *moves, int count);

/* Where some of moves[0..count) to play lead to one of `styles`, gives all others the weight 0. */
void book_prefer(struct book_move *moves, int count, uint8_t styles);

/* Chooses one of moves[0..count) as book_probe() gives them. Moves of weight 0 or with a share of
 * the summed weight below threshold_permille are never chosen. Returns its index, or -1 when
 * nothing is playable. best: the heaviest; weighted: in proportion; uniform: each alike. */
int book_choose(const struct book_move *moves, int count, enum book_selection selection,
                int threshold_permille, struct rng *rng);

/* The share of moves[index] of the summed weight, in permille, rounded. */
int book_share_permille(const struct book_move *moves, int count, int index);
