/* What two books know differently: positions are compared, whatever lines lead to them, and within
 * each position its moves and their shares of the weight. */
#pragma once

#include "book/graph/difference.h"
#include "book/graph/graph.h"

/* Moves differ when their shares differ by more than threshold_ppm, exactly. The chance to get to a
 * position is the product of the shares on its line; a move that the book does not know counts an
 * eighth where it knows none, and beside those that it knows 1/1024. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status book_diff_create(const struct book_graph *a,
                                               const struct book_graph *b, uint32_t threshold_ppm,
                                               struct book_diff *out);
void book_diff_destroy(struct book_diff *diff); /* of {0}, too */

/* Does the one know nothing that the other does not? */
bool book_diff_is_empty(const struct book_diff *diff);
