/* Counts the games of PGN text: the work of one thread. */
#ifndef CAXTON_BOOK_BUILD_COUNT_GAME_COUNTER_H
#define CAXTON_BOOK_BUILD_COUNT_GAME_COUNTER_H

#include "book/build/builder.h"
#include "book/build/count/counter.h"
#include "book/build/count/duplicates.h"

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

struct teller;

/* One for each thread; `rules` and `counter` are borrowed. NULL when there is no memory. */
struct teller *teller_create(const struct rules *rules, struct counter *counter);
void teller_destroy(struct teller *teller); /* NULL is allowed; before the counter */

/* Counts all games that `source` gives. A bad game is noted and judged by the filter.
 * Errors: STATUS_IO, STATUS_NO_MEMORY, `diag` tells more when it is the counter's; when strict,
 * that of the first bad game, which is noted. */
MUST_CHECK enum caxton_status teller_run(struct teller *teller, pgn_source source, void *context,
                                         struct told *told, struct diag *diag);
/* The same for text that pgn_restart_text() may read. */
MUST_CHECK enum caxton_status teller_run_text(struct teller *teller, char *text, size_t size,
                                              struct told *told, struct diag *diag);

/* Hands everything to the counter; the teller may go on afterwards. Errors: as hand_add(). */
MUST_CHECK enum caxton_status teller_finish(struct teller *teller, struct diag *diag);

#endif
