/* From counts to a Polyglot book. */
#ifndef CAXTON_BOOK_BUILD_WEIGH_H
#define CAXTON_BOOK_BUILD_WEIGH_H

#include <stdio.h>

#include "book/build/tally.h"
#include "chess/status.h"

struct weigh_report {
    uint64_t positions; /* with at least one entry */
    uint64_t entries;   /* written */
    uint64_t worthless; /* moves left out because they scored nothing */
};

struct weigher;

/* Writes to `out`, which stays the caller's. NULL when there is no memory. */
struct weigher *weigher_create(FILE *out);
void weigher_destroy(struct weigher *weigher); /* NULL is allowed */

/* A tally_sink: takes tallies in order, writes the entries of a position when it is complete.
 *
 * The score of a move is 2 * wins + draws of the side that makes it. Where the largest score of a
 * position does not fit 16 bits, all of the position are scaled down in proportion, rounded, never
 * to 0; elsewhere they are written as they are. A score of 0 is no entry: such a weight is never
 * played. Errors: STATUS_IO. */
MUST_CHECK enum caxton_status weigher_take(void *weigher, const struct tally *tally);

/* Writes the last position. */
MUST_CHECK enum caxton_status weigher_finish(struct weigher *weigher, struct weigh_report *report);

#endif
