/* Openings for tournaments: the positions after so many moves of a book, each once. */
#pragma once

#include "book/graph/graph.h"

/* One position on the way, and the move that led to it. */
struct suite_step {
    uint64_t key;
    uint32_t parent; /* index of steps[]; of a start: index of the graph's roots[] */
    move via;
    uint16_t ply;
};

struct book_suite {
    struct suite_step *steps; /* ply by ply */
    size_t step_count;
    size_t first; /* the steps of the last ply: steps[first .. step_count) */
    uint32_t plies;
    uint32_t weight_min; /* of the moves that are followed */
    /* private */
    size_t capacity;
};

/* Follows every line of up to `plies` moves (1 .. BOOK_GRAPH_PLIES_MAX) from the starts of games:
 * by the moves that the book plays, the heaviest first, with at least that weight. Where a book of
 * one side's moves knows none, by the replies that lead into it. No line repeats a position. Of
 * several lines to a position that are as long the first counts. Errors: STATUS_NO_MEMORY. The
 * caller frees it. */
MUST_CHECK enum caxton_status book_suite_create(const struct book_graph *graph, uint32_t plies,
                                                uint32_t weight_min, struct book_suite *out);
void book_suite_free(struct book_suite *suite); /* of {0}, too */

/* The line to a step. line: room for its plies. Returns its start. */
const struct position *book_suite_line(const struct book_suite *suite,
                                       const struct book_graph *graph, size_t step, move *line);
