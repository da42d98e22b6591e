/* What is known of a book, taken from its graph: line by line, or as entries. */
#pragma once

#include "book/graph/graph.h"

/* pos: the position of the node; line: its moves from the root, as many as its ply. Both are
 * borrowed until the visitor returns. */
typedef void (*book_graph_visitor)(void *context, const struct book_node *node,
                                   const struct position *pos, const move *line);

/* Visits every known node depth first: a line before those that continue it.
 * Errors: STATUS_NO_MEMORY, before the first visit. */
MUST_CHECK enum caxton_status book_graph_visit(const struct book_graph *graph,
                                               book_graph_visitor visitor, void *context);

/* Adds all moves of the book to `list`: those of a book of positions as they are, those of a book
 * of lines or a mirrored one as far as the graph has them; *losses (NULL: nobody asks) gets the
 * positions left out. Errors: as book_graph_create(). */
struct book_losses;
struct entry_list;
MUST_CHECK enum caxton_status book_graph_entries(const struct book *book, struct entry_list *list,
                                                 struct book_losses *losses, struct diag *diag);
