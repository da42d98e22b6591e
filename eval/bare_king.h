/* Score of pieces against a bare king: won if the pieces can mate, else drawn. In a won ending the
 * score grows as the bare king comes nearer to an edge, with bishop and knight nearer to a corner
 * of the bishop's colour. A network does not learn this: the chance to win is the same everywhere.
 * Source: https://www.chessprogramming.org/Mop-up_Evaluation */
#pragma once

#include "chess/position.h"

/* True when one side has only its king and there are no pawns; *score is then the static score in
 * centipawns from the side to move's view, otherwise untouched. */
bool bare_king_score(const struct position *pos, int *score);
