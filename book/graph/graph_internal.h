/* Shared by the files of book_graph: a graph that grows. */
#ifndef CAXTON_BOOK_GRAPH_GRAPH_INTERNAL_H
#define CAXTON_BOOK_GRAPH_GRAPH_INTERNAL_H

#include "book/book_move.h"
#include "book/graph/graph.h"

/* *index: of the new node. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status graph_add_node(struct book_graph *graph, struct book_node node,
                                             uint32_t *index);

/* A node behind the move `via` of `parent`. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status graph_add_child(struct book_graph *graph, uint32_t parent, move via,
                                              uint64_t key, bool known, uint32_t *index);

/* Errors: STATUS_NO_MEMORY, STATUS_RANGE. */
MUST_CHECK enum caxton_status graph_add_edges(struct book_graph *graph,
                                              const struct book_move *moves, int count);

/* Room for the first nodes, or for twice as many. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status graph_grow(struct book_graph *graph);

#endif
