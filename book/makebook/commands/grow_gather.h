/* The moves of a grown book, put together. */
#pragma once

#include "book/makebook/commands/grow_own.h"

enum { GROW_SIDES = 2 };

struct grow_gather {
    const struct grow *grown[GROW_SIDES]; /* of one side, or of White and Black; else NULL */
    const struct grow_own *own;
    bool replies; /* the opponent's, too */
};

/* Adds what is kept, the moves of the sides in other positions, and the replies that they answer.
 * Errors: STATUS_NO_MEMORY, those of gather_color(). */
MUST_CHECK enum caxton_status grow_gather(const struct grow_gather *what,
                                          struct gathering *gathering, struct diag *diag);
