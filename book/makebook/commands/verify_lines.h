/* What the lines of a book show that its entries do not: a part of makebook verify. */
#ifndef CAXTON_BOOK_MAKEBOOK_COMMANDS_VERIFY_LINES_H
#define CAXTON_BOOK_MAKEBOOK_COMMANDS_VERIFY_LINES_H

#include <stdio.h>

#include "book/graph/graph.h"

struct verify_lines {
    uint64_t loops;     /* moves that come back to an earlier position of their line */
    uint64_t unreached; /* positions that no line comes to */
    uint64_t zeros;     /* moves of weight 0 */
};

/* Counts these and, with `all`, names each to `report`. All are remarks: a sound book can have
 * them. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status verify_lines(const struct book_graph *graph, FILE *report, bool all,
                                           struct verify_lines *out);

/* One line each of those that are not 0, as a summary has them. */
void verify_lines_summary(const struct verify_lines *found, FILE *report);

#endif
