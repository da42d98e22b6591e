/* Counting games, or what they amount to, per (position, move), exactly, within fixed memory.
 *
 * Counts are kept in an open hash table. When it is full its entries are sorted and written to a
 * temporary file, and counting starts afresh; at the end the runs and the table are merged. The
 * sums are the same wherever the cuts fall. One counter belongs to one thread. */
#ifndef CAXTON_BOOK_BUILD_COUNTER_H
#define CAXTON_BOOK_BUILD_COUNTER_H

#include <stddef.h>

#include "book/build/tally.h"
#include "chess/status.h"

struct counter;

/* memory_bytes: for the table, at least 1 MiB is taken. folder: where runs go; they have no name
 * there, so that nothing is left behind however the program ends. NULL when there is no memory. */
struct counter *counter_create(size_t memory_bytes, const char *folder);
/* No more runs than this, 1 at least, are open at once; without it, as many as there is room for.
 */
void counter_limit_runs(struct counter *counter, size_t runs);
void counter_destroy(struct counter *counter); /* NULL is allowed */

/* One game's moves: the i-th is moves[i] in the position keys[i] with outcomes[i]. Each counts
 * `amount`, at least 1.
 * Errors: STATUS_NO_MEMORY, STATUS_IO (a full disk, say; `diag` names the folder). */
MUST_CHECK enum caxton_status counter_add(struct counter *counter, const uint64_t *keys,
                                          const uint16_t *moves, const uint8_t *outcomes,
                                          size_t count, uint32_t amount, struct diag *diag);

/* Adds counts made elsewhere. Errors as counter_add(). */
MUST_CHECK enum caxton_status counter_add_tally(struct counter *counter, const struct tally *tally,
                                                struct diag *diag);

/* Receives tallies in the order of tally_compare(), each (key, move) once. */
typedef enum caxton_status (*tally_sink)(void *context, const struct tally *tally);

/* Gives the sums of all `count` counters to `sink`, those of at least `least` together. The
 * counters are empty afterwards. Errors: as counter_add(), and what the sink returns. */
MUST_CHECK enum caxton_status counter_merge(struct counter *const *counters, size_t count,
                                            uint64_t least, tally_sink sink, void *context,
                                            struct diag *diag);

/* How many runs went to disk, and their bytes. */
size_t counter_runs(const struct counter *counter);
uint64_t counter_run_bytes(const struct counter *counter);

#endif
