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

/* The position, without clocks. Any bytes may be given: false, with *out untouched, when they are
 * no position that the rules allow, or not as position_pack() writes it. */
MUST_CHECK bool position_unpack(const struct packed_position *packed, struct position *out);

/* The key that such a position has; of other bytes, any number. */
uint64_t packed_position_key(const struct packed_position *packed);

/* The side to move; of any bytes one of the two. */
int packed_position_turn(const struct packed_position *packed);

/* The position as it identifies itself: no plies since a capture or pawn move, move number 1. */
void position_forget_clocks(struct position *pos);
