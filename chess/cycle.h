/* Does one move lead back to an earlier position? Answered from the two keys, without making the
 * move. Idea: Marcel van Kervinck's detection of upcoming repetitions.
 * Source: https://www.chessprogramming.org/Repetitions */
#pragma once

#include "chess/position.h"

/* Computes the table of this part; chess_init() calls it. */
void cycle_init(void);

/* Can the side to move reach the position with the key `earlier` by a move of one piece that is no
 * pawn, no capture and no castling? Such a move is legal when `earlier` is the key of a legal
 * position with the other side to move. */
bool cycle_leads_back(const struct position *pos, uint64_t earlier);
