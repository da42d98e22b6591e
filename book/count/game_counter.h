/* Counts the games of PGN text: the work of one thread. */
#pragma once

#include "book/count/count.h"
#include "book/count/counter.h"
#include "book/count/duplicates.h"
#include "book/count/sampler.h"

struct game_counter;

/* All of them together take one part in so many of options->memory_bytes to know openings again,
 * beside what the counter has. */
enum { OPENINGS_SHARE = 16 };

/* One for each thread; all is borrowed. duplicates: NULL where equal games count each time.
 * samples: NULL where no sample games are chosen. counter: NULL with options->take. NULL when there
 * is no memory. */
struct game_counter *game_counter_create(const struct count_options *options,
                                         struct duplicates *duplicates, struct counter *counter,
                                         struct sampler_worker *samples);
void game_counter_destroy(struct game_counter *games); /* NULL is allowed; before the counter */

/* Where the text begins that is counted next: for sample games. */
void game_counter_set_place(struct game_counter *games, uint16_t file, uint64_t start);

/* Counts all games that `source` gives. A bad game is noted and judged by the filter.
 * Errors: STATUS_IO, STATUS_NO_MEMORY, `diag` says more when it is the counter's; with `strict`
 * that of the first bad game, which is noted. */
MUST_CHECK enum caxton_status game_counter_run(struct game_counter *games, pgn_source source,
                                               void *context, struct chunk_report *report,
                                               struct diag *diag);
/* The same for text that pgn_restart_text() may read. */
MUST_CHECK enum caxton_status game_counter_run_text(struct game_counter *games, char *text,
                                                    size_t size, struct chunk_report *report,
                                                    struct diag *diag);

/* Gives everything to the counter; more games may follow. Errors: as counter_worker_add(). */
MUST_CHECK enum caxton_status game_counter_finish(struct game_counter *games, struct diag *diag);
