/* How many bits a repertoire needs at least, when its parts are coded each on its own: what to
 * compare the size of a file with. */
#pragma once

#include "book/graph/graph.h"

struct book_entropy {
    size_t positions;
    size_t moves;
    double subsets; /* which of the legal moves: the sum of log2 C(legal, known) */
    double counts;  /* how many of them, the ends of lines included: empirical entropy */
    double orders;  /* their order of merit, among different weights: log2 n! / ties! */
    double weights; /* the weights by themselves: empirical entropy */
};

/* Of the positions that the graph knows, each once. Errors: STATUS_NO_MEMORY. Source of the
 * measure: the number of subsets and Shannon, "A Mathematical Theory of Communication" (1948),
 * section 6. */
MUST_CHECK enum caxton_status book_entropy(const struct book_graph *graph,
                                           struct book_entropy *out);
