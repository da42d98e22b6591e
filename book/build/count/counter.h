/* Counting games, or what they amount to, per (position, move), exactly, within fixed memory.
 *
 * The keys are divided into ranges, each with a hash table of its own (shard.h). Threads collect
 * what they count, each in a worker of its own, and put it into the tables in batches: so they
 * share one set of tables and seldom wait for each other, and a batch touches a small part of the
 * memory. A table that is full goes, sorted, to a temporary file; at the end files and tables are
 * merged. The sums are the same wherever the cuts fall. */
#ifndef CAXTON_BOOK_BUILD_COUNT_COUNTER_H
#define CAXTON_BOOK_BUILD_COUNT_COUNTER_H

#include <stddef.h>

#include "book/statistics/tally.h"

struct counter;

/* memory_bytes: for the tables, at most, but 1 MiB at least. expected: how many different pairs may
 * come, about; more than that make the tables grow, which takes time. folder: where the files go;
 * they have no name there, so that nothing is left behind however the program ends. files: so many
 * may be open at once, 1 at least. NULL when there is no memory. */
struct counter *counter_create(size_t memory_bytes, uint64_t expected, const char *folder,
                               size_t files);
void counter_destroy(struct counter *counter); /* NULL is allowed; after its workers */

/* What one thread counts into; 2 MB. NULL when there is no memory. */
struct counter_worker;
struct counter_worker *counter_worker_create(struct counter *counter);
void counter_worker_destroy(
    struct counter_worker *worker); /* NULL is allowed; what was not flushed is lost */

/* A move of a game, which counts `amount`, at least 1. Any number of threads, each with its worker.
 * Errors: STATUS_NO_MEMORY, STATUS_IO (a full disk, say; `diag` names the folder). */
MUST_CHECK enum caxton_status counter_worker_add(struct counter_worker *worker, uint64_t key,
                                                 uint16_t move, enum outcome outcome,
                                                 uint32_t amount, struct diag *diag);
/* Puts what is left into the counter; before counter_merge(). */
MUST_CHECK enum caxton_status counter_worker_flush(struct counter_worker *worker,
                                                   struct diag *diag);

/* Gives all sums of at least `least` to `sink`, in order; sorts on `jobs` threads. The counter is
 * empty afterwards. Errors: as counter_worker_add(), and what the sink returns. */
MUST_CHECK enum caxton_status counter_merge(struct counter *counter, int jobs, uint64_t least,
                                            tally_sink sink, void *context, struct diag *diag);

/* How many moves were too rare for counter_merge(). */
uint64_t counter_dropped(const struct counter *counter);

/* How many sorted runs went to disk. */
uint64_t counter_runs(const struct counter *counter);

#endif
