/* Positions and their moves as text, one position a line: EPD, and the lines of Fishburn's books.
 *
 *     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4 d4; am f3; c0 "e4=20, d4=7";
 *     Nf3 rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
 *
 * EPD: four fields of a FEN (six are understood), then operations, each ended by ';'. bm: the moves
 * to play. am: moves that are known and never played, weight 0. c0 (or another of c0 to c9):
 * weights of moves in bm, as test suites give points: MOVE=N, 0 to 4294967295, separated by commas;
 * a move without one has weight 1; what has another form is a comment. Other operations are stepped
 * over. Fishburn's lines: a move, then the position that it belongs to; operations may follow. The
 * weight is 1 for each line of the same move. Both may stand in one file. Moves are SAN or
 * coordinates. Lines that begin with '#' or ';' are comments.
 *
 * Faults have line and column, and cost one move or one line. What EPD cannot hold: learn fields.
 * What Fishburn's lines cannot hold: weights; and moves that are never played are left out. Written
 * are the positions that lines reach from the standard start or that the book names; a Polyglot
 * book names none.
 *
 * Sources: Steven J. Edwards, "PGN standard", section 16.2 (1994); John P. Fishburn, "Search-built
 * opening book" (2018), section "Output"; the c0 of the Strategic Test Suite by Dann Corbit and
 * Swaminathan Natarajan. */
#pragma once

#include "book/format.h"
#include "chess/fen.h"

/* Its add(): the move comes to the line of its position, its weight to the comment that holds
 * weights, or the first that is free. */
extern const struct book_format epd_format;

/* The four fields that EPD has of a FEN. */
void epd_board_text(const struct position *pos, char out[FEN_MAX]);
