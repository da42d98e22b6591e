/* What the bytes of a tree are for: a part of makebook verify. */
#ifndef CAXTON_BOOK_MAKEBOOK_COMMANDS_VERIFY_TREE_H
#define CAXTON_BOOK_MAKEBOOK_COMMANDS_VERIFY_TREE_H

#include <stdio.h>

#include "book/graph/graph.h"

/* state: of tree_format; graph: of the same book. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status verify_tree(const void *state, const struct book_graph *graph,
                                          FILE *report);

#endif
