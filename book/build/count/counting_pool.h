/* A crew of threads that counts the games of one input after another.
 *
 * The calling thread reads and cuts (chunks.h), the crew counts into one counter; what they report
 * is put together in the order of the input, so that it is the same whatever their number. A crew
 * of one has no threads: the calling thread does everything. */
#ifndef CAXTON_BOOK_BUILD_COUNT_COUNTING_POOL_H
#define CAXTON_BOOK_BUILD_COUNT_COUNTING_POOL_H

#include "book/build/count/game_counter.h"

struct crew;

/* options->jobs members; `options` is borrowed. NULL with *status set. */
struct crew *crew_create(const struct rules *rules, enum caxton_status *status);
void crew_destroy(struct crew *crew); /* NULL is allowed */

/* Counts the games of one input into `report`. `name` is for its bad games.
 * Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says more. */
MUST_CHECK enum caxton_status crew_read(struct crew *crew, pgn_source source, void *context,
                                        const char *name, struct build_report *report,
                                        struct diag *diag);

/* Gives all counts to `sink`, see counter_merge(); none are left afterwards. *dropped: the moves
 * that were too rare. */
MUST_CHECK enum caxton_status crew_merge(struct crew *crew, uint64_t least, tally_sink sink,
                                         void *context, uint64_t *dropped, struct diag *diag);

#endif
