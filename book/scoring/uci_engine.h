/* One run of a UCI engine, from its start to its end: it is introduced, gets its options and
 * answers questions. Whatever goes wrong ends the use of it: uci_engine_end(), and start another
 * one. Source: UCI protocol, April 2006. */
#pragma once

#include <stdatomic.h>

#include "book/scoring/searcher.h"

enum { UCI_OPTIONS_MAX = 64 };

struct uci_settings {
    const char *command;        /* as for child_start() */
    const char *const *options; /* "NAME=VALUE", in this order; a button has no "=" */
    size_t option_count;        /* at most UCI_OPTIONS_MAX */
    int hash_mb;
    int64_t start_timeout_ms;  /* until the engine has introduced itself, */
    int64_t ready_timeout_ms;  /* then until it is ready: it may load tables meanwhile, */
    int64_t search_timeout_ms; /* and until it has answered */
};

struct uci_engine;

/* Starts it and waits until it is ready. stop: ends every wait when it is true. Both are borrowed
 * until uci_engine_end(). Errors: STATUS_END (stopped), STATUS_NO_MEMORY, STATUS_IO,
 * STATUS_NOT_FOUND (it lacks an option of the settings), STATUS_RANGE (a value that it does not
 * take); `diag` begins with the command. */
MUST_CHECK enum caxton_status uci_engine_start(const struct uci_settings *settings,
                                               const atomic_bool *stop, struct uci_engine **out,
                                               struct diag *diag);
/* Kills it. NULL is allowed. */
void uci_engine_end(struct uci_engine *engine);

/* Its name and version as it says them; the command when it says none. */
const char *uci_engine_name(const struct uci_engine *engine);

/* Has it forget everything and search the position, which has legal moves. Errors: STATUS_END
 * (stopped), STATUS_IO (all else); `diag` begins with the command. */
MUST_CHECK enum caxton_status uci_engine_ask(struct uci_engine *engine, const struct position *pos,
                                             struct search_limit limit, struct search_answer *out,
                                             struct diag *diag);
