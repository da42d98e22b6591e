/* Moves with the probability that they are played, for either side. */
#pragma once

#include "chess/game.h"
#include "chess/movegen.h"

struct book;

struct played_move {
    move move;
    double probability; /* of all that are given, 1 in sum */
};

/* The moves of the book in the position that `game` has reached, as probable as their weights say,
 * at most MOVES_MAX; a book of lines is asked by the game, and then by the position alone. Moves of
 * weight 0 are never played. Returns how many. */
int played_by_book(const struct book *book, const struct game *game, struct played_move *out);
