/* The search of this program as a searcher: one thread, a table of its own, cleared before each
 * search, the built-in network. */
#pragma once

#include "book/scoring/searcher.h"

struct builtin_settings {
    int hash_mb;
};

/* Its settings are a struct builtin_settings. */
extern const struct searcher_kind builtin_searcher;

/* What the answers of this program depend on. It searches a little: some milliseconds.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status builtin_searcher_identity(const struct builtin_settings *settings,
                                                        struct searcher_identity *out);
