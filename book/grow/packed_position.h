/* All that identifies a position, in as few bytes as it needs without effort: men, side to move,
 * castling rights with the homes of their rooks (Chess960), en passant. Not the clocks: two
 * positions that the rules of a book take for one pack to the same bytes. */
#pragma once

#include "chess/position.h"

enum { PACKED_POSITION_SIZE = 38 };

struct packed_position {
    uint8_t bytes[PACKED_POSITION_SIZE];
};

void position_pack(const struct position *pos, struct packed_position *out);

/* The position as it identifies itself: no plies since a capture or pawn move, move number 1. */
void position_forget_clocks(struct position *pos);
