/* The moves of ChessBase's books: a byte says which man of its kind moves, and how far. */
#pragma once

#include "chess/movegen.h"

/* The squares that the move `code` of `pos`, White to move, goes from and to; castling is the
 * king's journey. Men of a kind are counted from the a-file on, on each file from the first rank.
 * Steps go round the board: five to the left are three to the right. False: no such move. */
bool ctg_move_squares(const struct position *pos, uint8_t code, int *from, int *to);

/* The legal move from one square to another; a pawn becomes a queen. MOVE_NONE: there is none. */
move ctg_move_make(const struct position *pos, int from, int to);
