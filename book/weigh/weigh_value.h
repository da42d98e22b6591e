/* The value of a move from its counts. The formulas stand in weigh.h. */
#pragma once

#include <stddef.h>

#include "book/statistics/tally.h"

/* One way to value moves: a row of a table. */
struct weight_kind {
    const char *name; /* as a command line wants it */
    const char *help; /* one or more lines for --help */
    /* Are values whole numbers of points or games, to be written as they are where they fit? */
    bool whole;
    /* The value of a move, in units of its own; 0 is not playable. Counts are at most WLD_GAMES_MAX
     * together, `unit` of them for a game. */
    uint64_t (*value)(const struct tally *tally, uint64_t unit);
};

/* All kinds, *count of them; the first one is the usual one. Static storage. */
const struct weight_kind *weight_kinds(size_t *count);
