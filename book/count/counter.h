/* Counts games, or what they amount to, for each (position, move): exactly, within fixed memory.
 *
 * The keys are divided into up to 64 ranges, each with a shard of its own. A thread
 * collects counts in its worker and adds them to the shards in batches, so that threads seldom wait
 * for each other and a batch touches a small part of the memory. A full shard is sorted and written
 * to a temporary file. In the end files and shards are merged. The sums do not depend on how the
 * work was divided. */
#pragma once

#include <stddef.h>

#include "book/count/sketch.h"
#include "book/statistics/tally.h"

struct counter;

/* memory_bytes: for the shards, and for sorting them in so many `workers` at once; at least 1 MiB
 * is taken. expected: about how many different pairs may come; with more the shards have to grow,
 * which takes time. facets: are they told apart? folder: where temporary files go, borrowed; they
 * have no name there, so nothing is left behind however the program ends. files: how many of them
 * may be open at once, at least 1. NULL when there is no memory. */
struct counter *counter_create(size_t memory_bytes, int workers, uint64_t expected, bool facets,
                               const char *folder, size_t files);
void counter_destroy(struct counter *counter); /* NULL is allowed; after its workers */

/* Before the first move: notes moves in the sketch and counts none, or, when it is sealed, counts
 * only those that may be frequent. It is borrowed. */
void counter_set_sketch(struct counter *counter, struct sketch *sketch, bool is_sealed);

/* What was not counted because of the sketch, in games or units; *all: what came. */
uint64_t counter_left_out(const struct counter *counter, uint64_t *all);

/* What one thread counts into; 2 MB, 3 MB with facets. NULL when there is no memory. */
struct counter_worker;
struct counter_worker *counter_worker_create(struct counter *counter);
/* NULL is allowed; what was not flushed is lost. */
void counter_worker_destroy(struct counter_worker *worker);

/* A move of a game. */
struct counted_move {
    uint64_t key;
    uint16_t move;
    enum outcome outcome;
    uint64_t amount;     /* what it counts, at least 1; with facets below 2^22, else below 2^46 */
    uint32_t facet;      /* not looked at without facets, nor are the */
    uint16_t ratings[2]; /* of who makes the move, of the opponent; 0 where facet_group() is */
};

/* Any number of threads, each with its worker. Errors: STATUS_NO_MEMORY, STATUS_IO (a full disk,
 * say; `diag` names the folder). */
MUST_CHECK enum caxton_status counter_worker_add(struct counter_worker *worker,
                                                 const struct counted_move *played,
                                                 struct diag *diag);
/* Adds moves[0..count), which `turn` and the other side make in turn, in the positions of these
 * keys; no more facets than none. For moves that hardly ever come again soon. */
MUST_CHECK enum caxton_status counter_worker_add_line(struct counter_worker *worker,
                                                      const uint64_t *keys, const uint16_t *moves,
                                                      size_t count, int turn,
                                                      const enum outcome outcomes[2],
                                                      uint64_t amount, struct diag *diag);
/* Puts what is left into the counter; before counter_merge(). */
MUST_CHECK enum caxton_status counter_worker_flush(struct counter_worker *worker,
                                                   struct diag *diag);

/* Gives all sums of moves of at least `least` to `sink`, in order; sorts and adds up on `jobs`
 * threads; the sink is called on this one. The counter is empty afterwards. Errors: as
 * counter_worker_add(), and what the sink returns. */
MUST_CHECK enum caxton_status counter_merge(struct counter *counter, int jobs, uint64_t least,
                                            tally_sink sink, void *context, struct diag *diag);

/* How many moves were too rare for counter_merge(). */
uint64_t counter_dropped(const struct counter *counter);

/* How many sorted runs went to disk. */
uint64_t counter_runs(const struct counter *counter);
