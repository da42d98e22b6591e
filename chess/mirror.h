/* The same position with colours exchanged: the board seen from the other side, every white piece
 * black and every black one white, and the other side to move. What is true of one for the side to
 * move is true of the other. */
#pragma once

#include "chess/position.h"

/* Castling rights, en passant and the counters included. `out` may not be `pos`. */
void position_mirror(const struct position *pos, struct position *out);

/* A move of one position as the same move of the other; MOVE_NONE stays what it is. */
static inline move move_mirror(move m)
{
    return m == MOVE_NONE ? m : (move)(m ^ (56 | 56 << 6));
}

/* The key that position_mirror() would give, without making the position. */
uint64_t position_mirror_key(const struct position *pos);
