/* The last question to a move that is made up from text: does it leave its own king in check? */
#pragma once

#include "chess/attacks.h"
#include "chess/movegen.h"

/* Is the piece on `from` pinned to its king? Mostly no sniper stands on its line: one branch that
 * is foreseen well. */
static inline bool is_pinned(const struct position *pos, int king, int from)
{
    uint64_t snipers = position_snipers(pos, pos->turn) & attacks_line(king, from);
    while (snipers)
        if ((attacks_between(king, bb_pop(&snipers)) & position_occupied(pos)) == bb_square(from))
            return true;
    return false;
}

/* Is the pseudo-legal move `m`, no castling, legal? */
static inline bool keeps_king(const struct position *pos, move m)
{
    int from = move_from(m);
    int king = position_king(pos, pos->turn);
    if (pos->checkers || from == king || move_kind(m) == MOVE_EN_PASSANT)
        return movegen_is_legal(pos, m);
    return !is_pinned(pos, king, from) || (attacks_line(king, from) & bb_square(move_to(m)));
}
