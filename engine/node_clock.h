/* `nodestime`: the engine's own clock, which counts nodes. The interface's clock tells how long a
 * game may take, but not how much of it the nodes have used: on a fast machine it hardly runs.
 * Idea: Stockfish, TimeManagement::availableNodes. */
#pragma once

#include "search/limits.h"

/* All zero: no game yet. */
struct node_clock {
    int nodes_per_ms; /* of the last search by a clock; 0 = none in this game */
    int moves_to_go;  /* that search's */
    int before;       /* and that of the search before */
    int64_t left;     /* nodes; less than 0 when a search took more */
};

/* Before a search: puts what is left into the request, in milliseconds, in place of the interface's
 * clock. That one counts for the first search of a game or of a time control, and after another
 * `nodestime`. Requests without nodes_per_ms, or without a clock of the side to move, stay as they
 * are. */
void node_clock_start(struct node_clock *clock, struct search_request *request);

/* After the search of that request, which took so many nodes. missed: a ponder search whose
 * position never came. No move was made, so there is no increment, and the moves to go are those of
 * the search before. */
void node_clock_stop(struct node_clock *clock, const struct search_request *request, uint64_t nodes,
                     bool missed);
