/* Static exchange evaluation. Source: https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm */
#pragma once

#include "chess/position.h"

/* Exchange values by piece type, centipawns; the king's is 0: it is never taken. In the units of
 * the network, to which a pawn more is worth about 141, they are those of Stockfish. Not tuned:
 * many rows of params.h are in this unit. */
extern const int see_values[PIECE_TYPES + 1];

/* Does the best sequence of captures on the goal of the legal move `m`, started by it, win at least
 * `threshold` centipawns for the side to move? */
bool see_at_least(const struct position *pos, move m, int threshold);
