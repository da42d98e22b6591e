/* Leaves moves out of a book: those with little weight, few games, a bad score, deep in lines or on
 * lines that no game takes; and then what no line reaches any more.
 *
 * A move falls by the first of these rules that it fails, in the order of enum prune_reason. What
 * was decided by hand comes first, then games and scores; then shares of the weight that is left;
 * then which moves are the best. The rules about lines come last and look at the book that is left
 * then: they go on until every position in it keeps them.
 *
 * Where the book knows a position, lines follow its moves. Where it knows none, any legal move may
 * be played: so a book of one side's moves has its lines, too. */
#pragma once

#include "book/entry_table.h"
#include "book/graph/graph.h"
#include "book/graph/rules.h"

struct pruning {
    struct book_graph graph;      /* of the book as it was */
    uint8_t *reasons;             /* enum prune_reason of each of its edges */
    struct entry_list list;       /* the moves that stay */
    struct entry_list unreached;  /* moves of positions that never had a line; place: the reason */
    size_t counts[PRUNE_REASONS]; /* moves */
    size_t positions;             /* that keep a move */
};

/* Errors: as book_graph_create(). */
MUST_CHECK enum caxton_status prune_book(const struct book *book,
                                         const struct prune_options *options, struct pruning *out,
                                         struct diag *diag);
void pruning_free(struct pruning *pruning); /* of {0}, too */

/* By node the probability that a game from roots[0] comes there when all moves are played by their
 * weights; a move that closes a circle counts nothing. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status book_graph_reach(const struct book_graph *graph, double *reach);

/* A few words to follow a move, and the same for a number of moves. Static storage. */
const char *prune_reason_text(enum prune_reason reason);
