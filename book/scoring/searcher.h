/* Who searches positions for a book: a table of functions, so that the search of this program, a
 * UCI engine or workers on other machines look alike to grow.
 *
 * A searcher must answer alike whenever it is asked for the same position and limit: books are
 * built again from kept answers. So it forgets everything between two searches. */
#pragma once

#include "book/scoring/search_answer.h"
#include "chess/movegen.h"

struct searcher_kind {
    /* A searcher for one thread at a time. settings: what its kind needs. Errors: STATUS_NO_MEMORY,
     * STATUS_THREAD, STATUS_IO; `diag` says why. */
    enum caxton_status (*create)(const void *settings, void **out, struct diag *diag);
    void (*destroy)(void *searcher); /* NULL is allowed */

    /* Searches a legal position that has legal moves; clocks of the position do not count.
     * Errors: STATUS_END (stopped), others with a reason in `diag`. */
    enum caxton_status (*search)(void *searcher, const struct position *pos,
                                 struct search_limit limit, struct search_answer *out,
                                 struct diag *diag);

    /* Ends the search that runs, and all that follow, at once. Any thread. */
    void (*stop)(void *searcher);
};
