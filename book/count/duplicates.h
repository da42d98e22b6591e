/* The games counted so far, to count each once: a set of fingerprints, exact, in bounded memory.
 *
 * Up to sixteen shards, each with a lock, an open hash table and, once the table may not grow any
 * more, sorted runs of 16 bytes a game in unnamed temporary files. A shard's runs double in size
 * and are merged like the digits of a binary counter: N games need log2(N / table) runs, each asked
 * with one read of a block that a small index in memory finds. Whether a fingerprint is new does
 * not depend on memory; which of several equal games comes first may, and must not matter. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "book/statistics/wld.h"

struct duplicates;

/* memory_bytes: for the tables, all together; 64 KiB are taken at least. The index of the runs, one
 * byte for 32 games, comes on top. `folder` is borrowed. files: about so many are open at once, and
 * one more for each doubling beyond a thousand times the games that fit into memory. NULL when
 * there is no memory. */
struct duplicates *duplicates_create(size_t memory_bytes, const char *folder, size_t files);
void duplicates_destroy(struct duplicates *duplicates); /* NULL is allowed */

/* Adds a finished fingerprint; *is_new tells whether it was not there. Any thread.
 * Errors: STATUS_NO_MEMORY, STATUS_IO; `diag` says more. */
MUST_CHECK enum caxton_status duplicates_add(struct duplicates *duplicates,
                                             struct fingerprint print, bool *is_new,
                                             struct diag *diag);

/* Adds all that `source` gives, in ascending order, to the set, which is empty. They go to files.
 * Errors: as duplicates_add(), those of the source. */
MUST_CHECK enum caxton_status duplicates_load(struct duplicates *duplicates,
                                              fingerprint_source source, void *context,
                                              struct diag *diag);

/* Gives the whole set to `sink` in ascending order. Nothing can be added or asked any more. Errors:
 * as duplicates_add(), those of the sink (`diag` untouched). */
MUST_CHECK enum caxton_status duplicates_list(struct duplicates *duplicates, fingerprint_sink sink,
                                              void *context, struct diag *diag);

/* How many fingerprints went to files, counting each merge. For tests and reports; not while
 * another thread adds. */
uint64_t duplicates_spilled(const struct duplicates *duplicates);
