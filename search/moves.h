/* What the search asks about a position and a move before it is made. */
#pragma once

#include "chess/position.h"

/* The type of the piece that `m` captures, PIECE_TYPES when it captures nothing. Not for castling,
 * whose goal is the own rook. */
static inline int move_victim(const struct position *pos, move m)
{
    if (move_kind(m) == MOVE_EN_PASSANT)
        return PAWN;
    int piece = pos->board[move_to(m)];
    return piece == NO_PIECE ? PIECE_TYPES : piece_type(piece);
}

/* Has `color` more than pawns and the king? Without pieces zugzwang is likely. */
static inline bool position_has_pieces(const struct position *pos, int color)
{
    return (pos->colors[color] & ~(pos->types[PAWN] | pos->types[KING])) != 0;
}

/* Neither a capture nor a promotion to a queen. */
static inline bool move_is_quiet(const struct position *pos, move m)
{
    return !position_is_capture(pos, m) &&
           !(move_kind(m) == MOVE_PROMOTION && move_promotion(m) == QUEEN);
}
