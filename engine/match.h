/* A game that the engine plays, against itself or a person: the moves, the clocks, and what was
 * thought of each move.
 *
 * match_interrupt() may be called from any thread; all else belongs to one. */
#pragma once

#include <stdatomic.h>

#include "book/uci/go.h"
#include "chess/eco.h"
#include "chess/pgn.h"
#include "engine/thinker.h"

/* A move, and where it came from. */
struct match_record {
    move move;
    bool by_person; /* then only spent_ms of what follows up to `clock_ms` is known */
    bool from_book;
    int share_permille;
    int score; /* the mover's view */
    int depth;
    int64_t spent_ms;
    int64_t clock_ms;          /* the mover's, before the move */
    const struct eco *opening; /* the last that the game has reached, or NULL */
};

enum match_end { MATCH_OPEN, MATCH_RESIGNED, MATCH_TIME_UP, MATCH_LEFT, MATCH_INTERRUPTED };

struct match {
    struct game *game;
    struct match_record *records; /* one for each ply */
    struct time_control control;
    int64_t clock_ms[2]; /* what is left; without a clock: what was used */
    enum match_end end;  /* set by the caller for a game that is given up */

    const struct options *options; /* borrowed */
    struct thinker players[2];
    size_t capacity;         /* of records */
    atomic_bool interrupted; /* set by any thread, never cleared */
};

struct match_outcome {
    enum pgn_result result; /* PGN_UNKNOWN: the game was not finished */
    const char *reason;
    const char *termination; /* as the PGN standard names it */
};

/* A game from `start` between two players with the settings of `options` and these books, both
 * borrowed. Errors: STATUS_NO_MEMORY, STATUS_THREAD; match_free() is due in any case. */
MUST_CHECK enum caxton_status match_init(struct match *match, const struct position *start,
                                         const struct options *options, struct time_control control,
                                         struct book_set *books, uint64_t seed);
void match_free(struct match *match);

/* Has the game ended, by the rules or otherwise? */
bool match_is_over(const struct match *match);

/* The engine chooses a move for the side to move; any move when it is interrupted. */
void match_think(struct match *match, struct match_record *record);

/* The same at full strength, within a second and within a tenth of the clock that is left after
 * spent_ms: a hint for a person. */
void match_advise(struct match *match, int64_t spent_ms, struct match_record *record);

/* Plays a legal move, with `record` except for its last two fields. When the match was interrupted
 * or the time spent is more than was left, it ends, and the move is not played.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status match_play(struct match *match, const struct match_record *record);

/* Takes back a move, and the clock with it; false when there is none. */
bool match_take_back(struct match *match);

/* What the clock of the side to move shows after so long. */
int64_t match_clock_after(const struct match *match, int64_t spent_ms);

/* The clock of the side to move has run so long, though it has not moved. */
void match_run_clock(struct match *match, int64_t spent_ms);

/* The last opening that the game has reached, or NULL. */
const struct eco *match_opening(const struct match *match);

/* Of a match that is over. */
struct match_outcome match_outcome(const struct match *match);

/* Ends the game soon, without the move that is being thought about. */
void match_interrupt(struct match *match);
