/* A question to a search, its answer, and who searches positions for a book: a table of functions,
 * so that the search of this program, a UCI engine or workers on other machines look alike to grow.
 *
 * A searcher must answer alike whenever it is asked for the same position and limit: books are
 * built again from kept answers. So it forgets everything between two searches. */
#pragma once

#include "chess/movegen.h"

enum search_limit_kind { SEARCH_TO_DEPTH, SEARCH_NODES };

struct search_limit {
    enum search_limit_kind kind;
    uint64_t value; /* plies, or nodes */
};

/* What a search found. */
struct search_answer {
    move best; /* MOVE_NONE: there is no legal move */
    int score; /* centipawns or mate, side to move's view, as search/score.h */
    int depth; /* last completed */
    uint64_t nodes;
};

enum { SEARCHER_NAME_MAX = 64 };

/* All that answers depend on beside position and limit: two searchers that agree in all of it
 * answer alike. */
struct searcher_identity {
    char name[SEARCHER_NAME_MAX]; /* program and version, terminated; zeros behind it */
    uint64_t network;             /* fingerprint of what positions are scored by, of an engine the
                                     options that it was given; 0: unknown */
    uint64_t signature;           /* of fixed searches: changes when the search does */
    uint32_t hash_mb;             /* 0: no search; the scores are imported, in centipawns */
};

static inline bool searcher_is_imported(const struct searcher_identity *identity)
{
    return identity->hash_mb == 0;
}

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
