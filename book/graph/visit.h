/* Every position of a graph with its line, and every one that no line reaches. */
#ifndef CAXTON_BOOK_GRAPH_VISIT_H
#define CAXTON_BOOK_GRAPH_VISIT_H

#include "book/entry_table.h"
#include "book/graph/graph.h"

/* One position. All is borrowed until the visitor returns. */
struct book_stop {
    uint32_t node;
    const struct position *pos;
    const move *line; /* the `plies` moves from the root to it */
    size_t plies;
};
typedef void (*book_visitor)(void *context, const struct book_stop *stop);

/* Visits the nodes whose lines begin at graph->roots[root], those that lines only pass through
 * included. Depth first: a line comes before those that continue it; the moves of the book come
 * first, the heaviest before the others, then the non-book moves. Errors: STATUS_NO_MEMORY, before
 * the first visit. */
MUST_CHECK enum caxton_status book_graph_visit(const struct book_graph *graph, uint32_t root,
                                               book_visitor visitor, void *context);

/* The next position of a book of positions that no line reaches: its entries are those from *first
 * on, *count of them, as the file has them. The search begins at the entry *first; begin with 0 and
 * go on with *first + *count. False when there is none left. */
bool book_graph_next_unreached(const struct book_graph *graph, const struct entry_table *table,
                               size_t *first, size_t *count);

#endif
