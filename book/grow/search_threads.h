/* Searchers on threads of this program. */
#pragma once

#include "book/grow/scorer_backend.h"
#include "book/grow/searcher.h"

struct search_threads_settings {
    const struct searcher_kind *kind;
    const void *settings; /* for kind->create() */
    int threads;
};

/* Its settings are a struct search_threads_settings. With one thread nothing is searched ahead. */
extern const struct scorer_backend search_threads;
