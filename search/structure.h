/* Keys of parts of a position, by which histories and corrections are found. They are kept from
 * move to move, as the key of the whole position is. */
#pragma once

#include "chess/position.h"

struct structure {
    uint64_t pawns;
    uint64_t minors;   /* knights, bishops and kings */
    uint64_t sides[2]; /* all of a side but its pawns */
};

/* Counts them anew. */
struct structure structure_of(const struct position *pos);

/* Those behind a legal move in `pos`, whose own are `before`. */
struct structure structure_behind(const struct structure *before, const struct position *pos,
                                  move m);
