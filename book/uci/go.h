/* The `go` command: its limits, read into a search request. */
#pragma once

#include "book/uci/report.h"

struct go {
    struct search_request request; /* root, keys, overhead and multipv are for others to fill */
    int perft_depth;               /* above 0: count moves instead of searching */
    bool is_faulty;                /* something could not be read */
    bool has_end;                  /* false: nothing but `stop` or `ponderhit` ends it */
};

/* Reads what follows `go`, in any order; each fault is one `info string`. Numbers out of range are
 * brought into it (a clock that has run out counts as 1 ms); a token that is not understood is
 * skipped. What is searched when no limit is left:
 *   nothing was given: until `stop`, as with `infinite`;
 *   `ponder`: until `ponderhit`, which is then answered at once;
 *   increments without a clock: as if the increment were all that is left on the clock;
 *   a limit that could not be read, or that is none by itself (movestogo, winc 0): one ply. So a
 *   `go` is always answered by a move, and a typo never starts a search without end.
 * `pos`: the root, in which searchmoves are read. */
void go_parse(struct span arguments, const struct position *pos, struct output *out, struct go *go);

/* A clock as people write it. */
struct time_control {
    int64_t base_ms; /* 0: no clock runs out */
    int64_t increment_ms;
    int64_t movetime_ms; /* without a clock: how long the engine thinks about a move */
};

/* "20+0.2" or "20": seconds for the game and for each move, up to three decimals. False for
 * anything else, for no time at all, and for more than a day. */
bool time_control_read(const char *text, struct time_control *out);
