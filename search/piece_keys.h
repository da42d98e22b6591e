/* Keys of parts of a position, by which histories and corrections are found. They are kept from
 * move to move, as the key of the whole position is. */
#pragma once

#include "chess/position.h"

struct piece_keys {
    uint64_t pawn;
    uint64_t minor;       /* knights, bishops and kings */
    uint64_t non_pawn[2]; /* all of a side but its pawns */
};

/* Counts them anew. */
struct piece_keys piece_keys_of(const struct position *pos);

/* Those after a legal move in `pos`, whose own are `before`. */
struct piece_keys piece_keys_after(const struct piece_keys *before, const struct position *pos,
                                   move m);
