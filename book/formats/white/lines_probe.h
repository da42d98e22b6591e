/* What a book of lines answers: functions of lines_format. lines: a struct lines. */
#pragma once

#include "book/formats/white/lines.h"

enum { LINES_MERIT_SUM = 10000 };

/* The moves known in `pos`, by merit; returns how many. game: as in book/format.h. The game's
 * moves are followed through lines and rewrites. Where they lead to no move, or `game` is NULL or
 * began elsewhere, all lines that reach the position answer together; then the universal reply.
 * Weights: a stated one is given as it is. Where none above 0 is stated, the others share
 * LINES_MERIT_SUM as the walk of `prefer` would choose among them, each at least 1 when P is below
 * 100; else they weigh 1 each. Alternatives rank by the line in which each is first written.
 * out: MOVES_MAX of them. */
int lines_probe(const void *lines, const struct position *pos, const struct game *game,
                struct book_move *out);

/* The non-book moves (in brackets) of `pos`, in the order of the file; returns how many. game: as
 * for lines_probe(). out: MOVES_MAX of them. */
int lines_non_book_moves(const void *lines, const struct position *pos, const struct game *game,
                         move *out);

/* The reply that the book expects to the legal move `m`: a hint for the opponent, a move to ponder
 * on. The heaviest, of equals the first written; where the book plays none, the first in brackets;
 * MOVE_NONE when there is none. */
move lines_hint(const void *lines, const struct position *pos, const struct game *game, move m);
