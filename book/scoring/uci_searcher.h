/* A UCI engine as a searcher: another program that is started for each search thread, told to
 * forget everything before each search, and asked.
 *
 * An engine that dies, is silent for too long, writes without end or answers with a move that is
 * not legal is started anew and asked again, some times; then the search fails, and `diag` names
 * the engine, what it did, and the position.
 * Source: UCI protocol, April 2006. */
#pragma once

#include "base/text.h"
#include "book/scoring/searcher.h"
#include "search/score.h"

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

enum { UCI_ATTEMPTS = 3 };

/* Its settings are a struct uci_settings; the texts in it are borrowed until the searcher is
 * destroyed. Threads, Hash and OwnBook are set to 1, hash_mb and false where the engine has them
 * and `options` does not name them. Errors of create: STATUS_IO (the engine does not start or does
 * not speak UCI), STATUS_NOT_FOUND (it has no such option), STATUS_RANGE (a value that it does not
 * take). */
extern const struct searcher_kind uci_searcher;

/* What the answers of the engine depend on: its name, the options given, what it answers to some
 * short searches. It starts the engine for that. Errors: those of create and search,
 * STATUS_AMBIGUOUS (asked twice, the engine answers differently). */
MUST_CHECK enum caxton_status uci_searcher_identity(const struct uci_settings *settings,
                                                    struct searcher_identity *out,
                                                    struct diag *diag);

/* Lines that an engine writes. ----------------------------------------------------------------- */

/* An "option" line. Spans are borrowed from it. */
struct uci_option {
    struct span name;
    struct span type;
    bool has_range; /* of a spin: min and max */
    int64_t min;
    int64_t max;
};

/* What an "info" line says of the best line of play. */
struct uci_info {
    bool has_score;
    int score; /* of this program's scale, see search/score.h */
    enum score_bound bound;
    int depth;      /* 0 .. SEARCH_DEPTH_MAX; 0: not said */
    uint64_t nodes; /* 0: not said */
};

/* Options are named without regard to case. */
bool uci_read_option(struct span line, struct uci_option *out);

/* False: no "info" line, or one about another line than the best. Words that are not known, and
 * numbers that are none, are passed over. */
bool uci_read_info(struct span line, struct uci_info *out);
