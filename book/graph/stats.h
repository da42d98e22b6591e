/* A book in numbers: what there is to count in its graph (graph.h). */
#pragma once

#include "book/graph/graph.h"

/* The volumes A to E of the Encyclopaedia of Chess Openings, and what has no name yet. */
enum { BOOK_VOLUMES = 6, BOOK_VOLUME_NONE = 5 };

/* What lies behind one move of the start position; each position counts behind the first move of
 * its line in the graph, one of the shortest. */
struct book_first_move {
    move move;
    uint32_t weight;
    uint64_t positions;
    uint64_t moves; /* in them, and the first move itself */
};

struct book_stats {
    uint64_t positions; /* that the book knows */
    uint64_t own;       /* of them, reached by its own moves alone */
    uint64_t passed;    /* reached by way of moves that it does not know */
    uint64_t unreached; /* on no line */
    uint64_t unreached_moves;
    uint64_t moves;          /* in the positions that are reached; so is all that follows */
    uint64_t never;          /* of them, those of weight 0 */
    uint64_t leaves;         /* of them, those that the book has nothing to say after */
    uint64_t own_leaves;     /* of them, those of lines of the book's own moves alone */
    uint64_t transpositions; /* of them, those to a position that the graph's line reaches
                                otherwise, an earlier position of the same line included */
    bool one_side;           /* no move leads from a position of the book to another one: it knows
                                the moves of one player, and a leaf has no reply into the book */
    uint32_t deepest;        /* the most plies to a position */
    uint32_t longest;        /* the first node at that depth; BOOK_GRAPH_NONE: none is reached */
    uint64_t depths[BOOK_GRAPH_PLIES_MAX + 1]; /* positions by plies from their root */
    struct book_first_move first[MOVES_MAX];   /* the moves of the start, as in the graph */
    int first_count;
    uint64_t volume_positions[BOOK_VOLUMES]; /* by the last name on the line */
    uint64_t volume_moves[BOOK_VOLUMES];
};

/* Errors: STATUS_NO_MEMORY, `out` untouched. */
MUST_CHECK enum caxton_status book_stats_take(const struct book_graph *graph,
                                              struct book_stats *out);
