/* A UCI engine as a searcher: another program that is started for each search thread, told to
 * forget everything before each search, and asked.
 *
 * An engine that dies, is silent for too long, writes without end or answers with a move that is
 * not legal is started anew and asked again, some times; then the search fails, and `diag` names
 * the engine, what it did, and the position.
 * Source: UCI protocol, April 2006. */
#pragma once

#include "book/scoring/uci_engine.h"

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
