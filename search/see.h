/* Static exchange evaluation. Source: https://www.chessprogramming.org/SEE_-_The_Swap_Algorithm */
#pragma once

#include "chess/position.h"

/* Exchange values by piece type, centipawns; the king's is 0: it is never taken. They are those of
 * Stockfish 15.1 in its network's units: 141 is about what a pawn is worth to the network, and yet
 * exchanges count best by less. */
extern const int see_values[PIECE_TYPES + 1];

/* The most that taking a piece adds to a static evaluation, for futility. */
extern const int gain_values[PIECE_TYPES + 1];

/* Does the best sequence of captures on the goal of the legal move `m`, started by it, win at least
 * `threshold` centipawns for the side to move? */
bool see_at_least(const struct position *pos, move m, int threshold);
