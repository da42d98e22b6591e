/* The engine behind the adapter: a run of it after the other, how it introduced itself, and the
 * options that every run is given. One thread at a time uses it, but for child_send() to its child.
 */
#pragma once

#include "base/child_process.h"
#include "book/uci/option.h"

struct peer_lines {
    char **lines; /* owned */
    size_t count;
    size_t capacity;
};

struct peer {
    const char *command;            /* borrowed */
    int64_t start_ms;               /* how long it may take to say uciok */
    const struct option *ours;      /* borrowed: options with these names are the adapter's */
    struct child *child;            /* NULL: it is not running */
    struct peer_lines introduction; /* what the first run answered to `uci` */
    struct peer_lines options;      /* setoption, the last of each name */
};

/* Starts it and has it introduce itself; it is not running before. stop: as child_start().
 * Errors: those of child_start(), STATUS_IO (it ends, or does not speak UCI); `diag` begins with
 * the command, and it does not run then. */
MUST_CHECK enum caxton_status peer_start(struct peer *peer, const atomic_bool *stop,
                                         struct diag *diag);
/* Kills it, if it runs. */
void peer_end(struct peer *peer);
void peer_free(struct peer *peer);

/* The answer to `uci`: its own, with our options in front of its options. One whose name we have is
 * listed as "Engine NAME". Its name gets " + book". */
void peer_introduce(const struct peer *peer, struct output *out);

/* The engine's own name of the option that peer_introduce() calls `name`; `name` itself when that
 * is no other. */
struct span peer_option_name(const struct peer *peer, struct span name);

/* Keeps an option for later runs, instead of an earlier one of that name. line: what stands behind
 * peer_setoption, with its newline. Errors: STATUS_NO_MEMORY. */
extern const char peer_setoption[]; /* "setoption name " */
MUST_CHECK enum caxton_status peer_keep_option(struct peer *peer, struct span name,
                                               struct span line);

/* Sends the options kept; first, that it plays from no book of its own. Errors: child_send(). */
MUST_CHECK enum caxton_status peer_send_options(const struct peer *peer, int64_t most_ms,
                                                struct diag *diag);
