/* The graph of a table of entries by the shortest lines, and a walk through it line by line: for
 * whoever shows a book by its positions.
 *
 * A line follows the moves of the table, the heaviest first, and also every other move that leads
 * into it: a book of one colour knows no move of the other's. Of several lines to a position the
 * shortest counts; of several as short the one whose moves are heavier, the earlier moves first,
 * and moves of the table go before others. (book_graph_create() follows other moves only where the
 * book's own reach nothing more.) */
#pragma once

#include "book/entry_table.h"
#include "book/graph/graph.h"

/* out->book is NULL. The entries may be illegal and there more than once. Errors: STATUS_NO_MEMORY,
 * STATUS_RANGE. The caller destroys it. */
MUST_CHECK enum caxton_status book_graph_create_shortest(const struct entry_table *table,
                                                         const struct position *root,
                                                         struct book_graph *out);

/* pos: the position of the node; line: its moves from the root, as many as its ply. Both are
 * borrowed until the visitor returns. */
typedef void (*book_graph_visitor)(void *context, const struct book_node *node,
                                   const struct position *pos, const move *line);

/* Visits every known node depth first: a line before those that continue it.
 * Errors: STATUS_NO_MEMORY, before the first visit. */
MUST_CHECK enum caxton_status book_graph_visit(const struct book_graph *graph,
                                               book_graph_visitor visitor, void *context);
