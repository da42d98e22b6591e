/* The chances to win, draw and lose, from a score of the search and the material on the board. */
#pragma once

#include "chess/position.h"

/* Chances in permille, together 1000, of the side whose score it is. */
struct wdl {
    int win;
    int draw;
    int loss;
};

/* The material of a position in which nobody can mate. */
enum { WDL_INSUFFICIENT = -1 };

/* Both sides together: pawn 1, knight and bishop 3, rook 5, queen 9; or WDL_INSUFFICIENT. */
int wdl_material(const struct position *pos);

/* score: as the search gives it, mates included. material: of the position that was searched.
 * Integers only: the same on every machine. */
struct wdl wdl_estimate(int score, int material);
