/* Chessmaster's opening books (.obk): a tree of moves, each after the one that it answers.
 *
 * Numbers are little-endian.
 *
 *     header  4 bytes  "BOO!"; or, from before Chessmaster 9000, "UGWS"
 *             4        how many moves
 *             4        how many notes; not there after "UGWS", which has none
 *     move    1        from, bits 0 to 5: a1 = 0, b1 = 1, ... h8 = 63. Bit 6: the last choice, else
 *                      another one follows when all lines behind this move have ended. Bit 7: the
 *                      line ends here, nothing answers the move
 *             1        to, bits 0 to 5: castling is the king's journey, e1g1; a pawn becomes a
 *                      queen. Bits 6 and 7, the mark: 0 "?", 1 none, 2 "!", 3 "!!"
 *     note    4        of which move, the first is 0
 *             1        n, the length of its text
 *             1        80 the name of a variation, 81 a remark, 82 an ECO code
 *             n        the text
 *
 * The first move is one from the standard start. When a line ends, the next move is another choice
 * in the deepest position that still has one.
 *
 * Kept: moves; as weight the mark, 0 to 3, so that "?" is never played. In a file without any mark
 * each move weighs 1. Of a move that several lines have in one position the best mark counts. Not
 * kept: notes.
 *
 * An illegal move costs itself and what follows it. Lines are followed for OBK_PLIES_MAX moves.
 *
 * Source: two published programs that read such files (ChessLib's class Obk, in C#, and a reader in
 * Python that found no illegal move in four books of Chessmaster) agree on header, squares and the
 * order of the moves; notes and "UGWS" are as the first has them; the marks as in the description
 * of the program OBK2PGN. The first bytes of CM9000.OBK, which M. Drexel posted on the Computer
 * Chess Club, then say 1. e4!!. There was no whole file to check with. */
#pragma once

#include "book/format.h"

enum { OBK_PLIES_MAX = 500 };

extern const struct book_format obk_format;
