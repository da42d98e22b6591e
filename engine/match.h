/* A game of the engine against itself: two players, their clocks, and what each thought.
 *
 * match_interrupt() may be called from any thread; all else belongs to one. */
#pragma once

#include <stdatomic.h>

#include "chess/eco.h"
#include "chess/pgn.h"
#include "engine/screen.h"
#include "engine/thinker.h"

struct time_control {
    int64_t base_ms;
    int64_t increment_ms;
};

/* "20+0.2" or "20": seconds for the game and for each move, up to three decimals. False for
 * anything else, for no time at all, and for more than a day. */
bool time_control_read(const char *text, struct time_control *out);

/* Where a move came from. */
struct match_record {
    bool from_book;
    int share_permille;
    int score; /* the mover's view */
    int depth;
    int64_t spent_ms;
};

struct match {
    struct game *game;
    struct match_record *records; /* one for each ply */
    const struct eco *opening;    /* the last that the game has reached, or NULL */

    struct time_control control;
    const struct options *options; /* borrowed */
    struct thinker players[2];
    size_t capacity;         /* of records */
    atomic_bool interrupted; /* set by any thread, never cleared */
    struct screen *screen;   /* borrowed */
    struct screen_state shown;
    int64_t book_pause_ms; /* how long a book move is left on the screen */
};

struct match_outcome {
    enum pgn_result result; /* PGN_UNKNOWN: the game was interrupted */
    const char *reason;
    const char *termination; /* as the PGN standard names it */
};

/* Two players with the settings of `options` and these books, borrowed, as is `screen`.
 * Errors: STATUS_NO_MEMORY, STATUS_THREAD; match_free() is due in any case. */
MUST_CHECK enum caxton_status match_init(struct match *match, const struct options *options,
                                         struct time_control control, struct book_set *books,
                                         struct screen *screen, uint64_t seed);
void match_free(struct match *match);

/* Plays until the rules, a clock or match_interrupt() end the game, and shows each position.
 * Errors: STATUS_NO_MEMORY, STATUS_IO (the screen refused something). */
MUST_CHECK enum caxton_status match_play(struct match *match, struct match_outcome *outcome);

/* Ends the game soon, without the move that is being thought about. */
void match_interrupt(struct match *match);

/* "+0.34" or "+M5": pawns, or moves to mate. */
void match_append_score(struct text_buffer *text, int score);
