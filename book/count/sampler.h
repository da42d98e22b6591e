/* Chooses sample games for every position that is counted, within fixed memory.
 *
 * Each thread collects games in a worker of its own. A full one is sorted, and what is not kept of
 * its position is dropped; if that does not free half of it, the rest goes to disk as a sorted run.
 * In the end all are merged. What is chosen (struct sample_rule) does not depend on how the games
 * were divided. */
#pragma once

#include "book/statistics/sample.h"

struct sampler;
struct sampler_worker;

/* memory_bytes: for all workers together; some KB are taken at least. folder:
 * for temporary files, borrowed. NULL when there is no memory. */
struct sampler *sampler_create(size_t memory_bytes, int workers, const struct sample_rule *rule,
                               const char *folder);
void sampler_destroy(struct sampler *sampler); /* NULL is allowed */

struct sampler_worker *sampler_worker(struct sampler *sampler, int index);

/* A game comes to the position with this key. One thread for each worker.
 * Errors: STATUS_NO_MEMORY, STATUS_IO (`diag` names the folder). */
MUST_CHECK enum caxton_status sampler_add(struct sampler_worker *worker, uint64_t key,
                                          const struct sample *sample, struct diag *diag);

/* When all games have come: merges them, and those of `more` (NULL: none) with them, from which
 * *merged is then read. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status sampler_merge(struct sampler *sampler, sample_source more,
                                            void *context, struct sample_merge **merged,
                                            struct diag *diag);

/* How many sorted runs went to disk, each merge of them included. For tests. */
uint64_t sampler_runs(const struct sampler *sampler);
