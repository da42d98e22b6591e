/* A pool of threads that counts the games of one input after another.
 *
 * The calling thread reads the input and cuts it into chunks (chunks.h); the workers count the
 * chunks into one counter. Their reports are put together in the order of the input, so that the
 * result does not depend on the number of threads. With one worker there are no threads: the
 * calling thread counts. */
#pragma once

#include "book/count/game_counter.h"

struct counting_pool;

/* With options->jobs workers; `options` is borrowed. NULL with *status set. */
struct counting_pool *counting_pool_create(const struct count_options *options,
                                           enum caxton_status *status);
void counting_pool_destroy(struct counting_pool *pool); /* NULL is allowed */

/* Counts the games of one input into `report`. `name` is for its bad games.
 * Where sample games are chosen it has to be among the names of inputs.
 * Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says more. */
MUST_CHECK enum caxton_status counting_pool_read(struct counting_pool *pool, pgn_source source,
                                                 void *context, const char *name,
                                                 struct count_report *report, struct diag *diag);

/* Games with these fingerprints were counted before. Before the first input; not with
 * keep_duplicates. Errors: those of the source, STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status counting_pool_load_fingerprints(struct counting_pool *pool,
                                                              fingerprint_source source,
                                                              void *context, struct diag *diag);

/* Gives the fingerprints of these games and of all that were counted to `sink`, when there are no
 * more. Not with keep_duplicates. Errors: as above, those of the sink. */
MUST_CHECK enum caxton_status counting_pool_list_fingerprints(struct counting_pool *pool,
                                                              fingerprint_sink sink, void *context,
                                                              struct diag *diag);

/* Begins to give the sample games that options->samples asks for, and those of `more` (NULL: none)
 * with them: *merged, which is the pool's. When there are no more inputs. Errors: STATUS_NO_MEMORY.
 */
MUST_CHECK enum caxton_status counting_pool_samples(struct counting_pool *pool, sample_source more,
                                                    void *context, struct sample_merge **merged,
                                                    struct diag *diag);

/* Gives all counts to `sink`, see counter_merge(); none are left afterwards. *dropped: the moves
 * that were too rare. */
MUST_CHECK enum caxton_status counting_pool_merge(struct counting_pool *pool, uint64_t least,
                                                  tally_sink sink, void *context, uint64_t *dropped,
                                                  struct diag *diag);
