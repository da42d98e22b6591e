#include "book/grow/packed_position.h"

#include <string.h>

/* Bytes 0..31: two squares each, the lower one in the low half; 32: side to move and, from bit 4,
 * castling rights; 33: the en passant square; 34..37: the rook's home of each right that is left,
 * else NO_SQUARE. */
enum { STATE_AT = 32, EP_AT, ROOKS_AT, RIGHTS = 4 };

_Static_assert(ROOKS_AT + RIGHTS == PACKED_POSITION_SIZE, "the bytes above are all");
_Static_assert(NO_PIECE < 16, "a man fits half a byte");

void position_pack(const struct position *pos, struct packed_position *out)
{
    for (int i = 0; i < STATE_AT; i++)
        out->bytes[i] = (uint8_t)(pos->board[2 * i] | pos->board[2 * i + 1] << 4);
    out->bytes[STATE_AT] = (uint8_t)(pos->turn | pos->castling << 4);
    out->bytes[EP_AT] = pos->ep;
    for (int right = 0; right < RIGHTS; right++)
        out->bytes[ROOKS_AT + right] =
            pos->castling >> right & 1 ? pos->rook_home[right] : NO_SQUARE;
}

void position_forget_clocks(struct position *pos)
{
    pos->rule50 = 0;
    pos->fullmove = 1;
}
