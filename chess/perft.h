/* Counting move paths. Source: https://www.chessprogramming.org/Perft */
#pragma once

#include "chess/position.h"

/* Leaves of the legal move tree `depth` plies deep (1 for depth 0), the last ply counted in bulk.
 */
uint64_t perft(const struct position *pos, int depth);
