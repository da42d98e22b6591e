/* ChessBase's opening books (.ctg), read only: positions with their moves and results.
 *
 * Numbers are big-endian. The file is made of pages of 4,096 bytes. The first is the header: it
 * begins with 00 20 10 00 00 01 00 01, and holds the number of games. Each of the others:
 *
 *     page      2 bytes  number of positions
 *               2        bytes in use, these four included
 *               ...      the positions, one after another
 *
 *     position  1        bits 0-4: length of the position, this byte included; 32: there is an en
 *                        passant square; 64: somebody may castle
 *               ...      the board in bits, most significant first, see ctg_position_read()
 *               1        length of the list of moves, this byte included
 *               ...      the moves, two bytes each: which (ctg_move_squares()), and what is said of
 * it: 0 nothing, 1 "!", 2 "?", 3 "!!", 4 "??", 5 "!?", 6 "?!", 8 the only move 3, 3, 3, 3  games,
 * won, lost, drawn by the side to move 4        not known 3, 4     games with a rating, sum of
 * these ratings: twice, two kinds of rating 1        128: recommended (green), 64: not to be played
 * (red), 0: neither 1        not known 1        a comment on the position
 *
 * A position is stored with White to move; one with Black to move stands with colours exchanged.
 * Where nobody may castle and White's king is on the files a to d, it is mirrored left to right. So
 * each stored position of the kind that may be mirrored stands for two.
 *
 * What a move is worth is said by the position behind it, which has games, results and the
 * recommendation. The weight here: the games; at least 1; 0 ("never play") for a move with "?" or
 * "??" or a red one; and where some moves are recommended, 0 for all others, too, as those who play
 * from such books do. A move with "?!", "!?", "?" or "??" does not count as recommended.
 *
 * Not kept: results, ratings, comments. Not read: .ctb (bounds of pages in use) and .cto (where the
 * page of a position is), for all pages are read. A move is one byte, and the third queen of a
 * side, a knight of three, or another promotion than to a queen cannot be said.
 *
 * Source: Steinar H. Gunderson, "The CTG (ChessBase book) format", 2007, in the public domain, and
 * "CTG", chessprogramming.org. Checked against a real book of 104,224 positions. */
#pragma once

#include "book/format.h"

enum { CTG_PAGE = 4096 };

extern const struct book_format ctg_format;
