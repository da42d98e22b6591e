/* Pieces against a bare king: won if the pieces can mate, else drawn. How near a won game is to its
 * goal no network learns, for the chance to win is the same everywhere; here the king is driven to
 * an edge, with bishop and knight to a corner of the bishop's shade.
 * Source: https://www.chessprogramming.org/Mop-up_Evaluation */
#ifndef CAXTON_EVAL_BARE_KING_H
#define CAXTON_EVAL_BARE_KING_H

#include "chess/position.h"

/* Is one king bare and no pawn on the board? Then *score is the static score in centipawns, side to
 * move's view. */
bool bare_king_score(const struct position *pos, int *score);

#endif
