/* The `go` command: its limits, read into a search request. */
#ifndef CAXTON_ENGINE_GO_H
#define CAXTON_ENGINE_GO_H

#include "engine/report.h"

struct go {
    struct search_request request; /* root, keys, overhead and multipv are for others to fill */
    int perft_depth;               /* above 0: count moves instead of searching */
};

/* Reads what follows `go`, any order, each fault said in one `info string`. Numbers out of range
 * are brought into it (a clock that has run out counts as 1 ms); a token that is not understood is
 * skipped. Without any limit the search is infinite, as everywhere, but when a limit was there and
 * could not be read it is one ply deep: a `go` is always answered by a move, and a typo never
 * starts a search without end. `pos`: the root, in which searchmoves are read. */
void go_parse(struct span arguments, const struct position *pos, struct report *report,
              struct go *go);

#endif
