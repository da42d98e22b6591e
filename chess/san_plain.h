/* Moves as nearly all PGN writes them, read where they stand in the text: several times as fast as
 * move_from_san(), which knows everything else. */
#pragma once

#include "chess/position.h"

enum { SAN_PLAIN_AHEAD = 8 };

/* Reads a move such as e4, exd5, e8=Q, Nf3, Nbxd2, Rfe1+ or O-O at `text`, of which SAN_PLAIN_AHEAD
 * bytes are readable. A blank or a zero byte has to follow it.
 * Asks nothing of pos->checkers, see position_follow().
 * Returns the first byte after it; *out is legal in `pos`. NULL: another spelling, or no legal
 * move, or more than one: *out is untouched, and move_from_text() says what it is. */
const char *san_plain(const struct position *pos, const char *text, move *out);
