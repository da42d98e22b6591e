/* What a labeller says of a position, and how it is set up. */
#pragma once

#include <stdatomic.h>

#include "chess/position.h"

/* Every mate scores LABEL_MATE, in however many moves. */
enum { LABEL_MATE = 30000 };

struct label {
    int score; /* centipawns as the labeller counts them, side to move's view */
    move best;
};

struct labeller_setup {
    const char *command;     /* an engine and its arguments, separated by blanks; NULL: Caxton */
    uint64_t nodes;          /* of the search for one label */
    int64_t start_ms;        /* how long an engine may take until "uciok" */
    int64_t answer_ms;       /* and for each answer */
    const atomic_bool *stop; /* ends searches and waits once it is true; borrowed */
};
