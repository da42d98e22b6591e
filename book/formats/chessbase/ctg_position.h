/* The positions of ChessBase's books: the board in bits. */
#pragma once

#include "chess/position.h"

/* bytes[0 .. size): a position as it stands in the file, its first byte included. The board goes
 * from a1 up to a8, then b1 to b8, and so on; most significant bit first:
 *
 *     0 empty, 110 and 111 pawn, 10010 and 10011 knight, 10100 and 10101 bishop,
 *     10110 and 10111 rook, 100000 and 100001 king, 100010 and 100011 queen; white, then black
 *
 * Behind it zeros, and then, up to the end of the last byte: three bits for the file of the en
 * passant square if there is one; four bits for castling if there are any: black short and long,
 * white short and long.
 *
 * flipped: with left and right exchanged, what is allowed where nobody may castle. Fills *out,
 * White to move. Errors: STATUS_SYNTAX (the bits are no board), STATUS_ILLEGAL (the position is
 * against the rules). */
MUST_CHECK enum caxton_status ctg_position_read(const uint8_t *bytes, size_t size, bool flipped,
                                                struct position *out);
