/* What a node's outcome teaches the histories. */
#ifndef CAXTON_SEARCH_LEARN_H
#define CAXTON_SEARCH_LEARN_H

#include "search/worker.h"

enum { TRIED_MAX = 64 };

struct tried {
    move moves[TRIED_MAX];
    int count;
};

/* `best` was good enough to end the node in `frame`, `depth` plies deep; what was tried before it
 * was not. */
void learn_from_cut(struct worker *worker, struct frame *frame, int depth, move best,
                    const struct tried *quiets, const struct tried *noisies);

/* The quiet move `m` is good in the current position. */
void learn_quiet(struct worker *worker, struct frame *frame, move m, int depth);

#endif
