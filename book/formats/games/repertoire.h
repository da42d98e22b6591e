/* Games and variations (PGN) as a book: a repertoire. Every move of every variation is one.
 *
 * The weight of a move is what a comment behind it says, {[%weight 12]}, 0 to 4294967295; of
 * several the largest. Without one it is the number of times that the move stands in the file.
 * {[%weight -]} marks a move that only leads to what follows: it is no move of the book. Games
 * begin at the standard start or where their FEN tag says; results, names and NAGs mean nothing
 * here.
 *
 * A file is taken for a repertoire when its first game has tags, whatever stands before them, but
 * refused when it holds plain games (repertoire_are_games()); or
 * when it begins with a move number (comments may stand before it) and has comments in braces,
 * variations or a result at the end. Moves are SAN, with letters or figurines, or coordinates. A
 * move that cannot be read costs what follows it in its variation, not what is played instead of
 * it; so does a null move, which is no fault. Games of variants other than Chess960 are left out.
 * Variations may be nested 200 deep; what is deeper is a fault and left out.
 *
 * Written: one game for each line of play, in the order of their weights, with ECO and Opening tags
 * of the last position on it that has a name; the weight of a move stands where the move is for the
 * first time. A line ends where the book does, or at a position that an earlier line has reached:
 * there the two are the same. What the format cannot hold: learn fields, positions that no line
 * reaches.
 *
 * Source: Steven J. Edwards, "PGN standard" (1994), sections 8.2 and 16; comments with '%' as in
 * the clock times of internet servers. */
#pragma once

#include "book/format.h"

/* Its add(): weights that are stated are replaced; a move without one gets a comment; a new one
 * becomes a game at the end. That begins with the line of the addition, marked as moves that only
 * lead there, when the book has them all; else at the position, by a FEN tag. */
extern const struct book_format repertoire_format;
