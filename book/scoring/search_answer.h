/* A question to a search, its answer, and who answers. */
#pragma once

#include "chess/position.h"

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
    uint32_t hash_mb;
};
