/* Counts the games of PGN text: the work of one thread. */
#ifndef CAXTON_BOOK_BUILD_TELLER_H
#define CAXTON_BOOK_BUILD_TELLER_H

#include "book/build/builder.h"
#include "book/build/counter.h"
#include "book/build/duplicates.h"

/* What all threads go by; borrowed. */
struct rules {
    const struct build_options *options;
    struct duplicates *duplicates; /* shared; NULL: equal games count each time */
};

/* What one stretch of text brought. Game numbers and lines count from its start. */
struct told {
    uint64_t games;
    uint64_t lines; /* in all of it */
    uint64_t bytes;
    uint64_t used;
    uint64_t amount; /* of those used */
    uint64_t plies;
    uint64_t left[LEFT_REASONS];
    uint64_t bad_games;
    uint64_t bad_used;
    struct bad_game bad[BAD_GAMES_SHOWN]; /* the first of them, without file */
};

/* Counts all games that `source` gives. A bad game is noted and judged by the filter.
 * Errors: STATUS_IO, STATUS_NO_MEMORY, `diag` tells more when it is the counter's; when strict,
 * that of the first bad game, which is noted. */
MUST_CHECK enum caxton_status teller_run(const struct rules *rules, struct counter *counter,
                                         pgn_source source, void *context, struct told *told,
                                         struct diag *diag);

#endif
