/* Which position a game can come to from which: the moves of a book and, where it knows none, all
 * legal moves. */
#pragma once

#include "book/graph/graph.h"
#include "book/prune/rules.h"

/* From one node to another by a move of the book, by such a move and any reply where the book knows
 * none, or by any move of a node that lines only pass through. */
struct arc {
    uint32_t to;
    uint32_t edge;    /* the move of the book, BOOK_GRAPH_NONE: none */
    uint32_t replies; /* one of so many legal moves comes behind it; 0: none is needed */
    uint32_t plies;   /* 1 or 2 */
};

struct arcs {
    struct arc *list;
    size_t count;
    size_t capacity;
    size_t *first; /* by node, one more than there are nodes */
};

/* Replies that overrides say are never played make no arc. Errors: STATUS_NO_MEMORY; free it then,
 * too. */
MUST_CHECK enum caxton_status arcs_make(const struct book_graph *graph,
                                        const struct prune_options *options, struct arcs *out);
void arcs_free(struct arcs *arcs);
