/* Counting move paths. Source: https://www.chessprogramming.org/Perft */
#ifndef CAXTON_CHESS_PERFT_H
#define CAXTON_CHESS_PERFT_H

#include "chess/position.h"

/* Leaves of the legal move tree `depth` plies deep (1 for depth 0), the last ply counted in bulk.
 */
uint64_t perft(const struct position *pos, int depth);

#endif
