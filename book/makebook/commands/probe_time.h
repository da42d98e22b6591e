/* How long a book takes to answer. */
#pragma once

#include "book/book.h"
#include "book/graph/graph.h"

/* Nanoseconds of one book_probe_game(); the game is at hand, as in an engine. */
struct probe_time {
    double known_ns;   /* in positions of the book, drawn at random */
    double unknown_ns; /* in positions that it does not know: those behind its leaves */
    double spread_ns;  /* the difference of the two fastest rounds in positions of the book */
    int samples;       /* different positions */
};

/* All zero when the book has no position. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status probe_time_take(const struct book_graph *graph,
                                              struct probe_time *out);
