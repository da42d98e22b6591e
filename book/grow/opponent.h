/* What the opponent plays: the moves of the given book, as probable as their weights say; where it
 * has none, all legal moves alike. */
#pragma once

#include "chess/game.h"
#include "chess/movegen.h"

struct book;

struct opponent_move {
    move move;
    double probability; /* of all that are given, 1 in sum */
};

/* The moves in the position that `game` has reached, at most MOVES_MAX; a book of lines is asked by
 * the game, and then by the position alone. Moves of weight 0 are never played. `book` may be NULL.
 * *in_book: are they the book's? Returns how many: 0 for mate and stalemate. */
int opponent_moves(const struct book *book, const struct game *game, struct opponent_move *out,
                   bool *in_book);
