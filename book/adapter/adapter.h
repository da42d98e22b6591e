/* A UCI engine that passes everything on to another engine and answers from books first.
 *
 * One thread reads what the interface says, a second one what the engine says; a monitor guards
 * what both need. The engine is started again when it ends, answers with an illegal move, or is
 * silent for long after its time; each is one `info string`. */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

struct adapter;

struct adapter_settings {
    const char *command; /* of the engine, as for child_start() */
    const char *books;   /* as the option BookFile has them */
    FILE *out;           /* to the interface */
    uint64_t seed;       /* of the choice among book moves */
    int64_t patience_ms; /* the engine may be so much too late */
};

/* Starts the engine and opens the books; all in `settings` is borrowed. Errors: STATUS_NO_MEMORY,
 * STATUS_NOT_FOUND (a book that cannot be opened), those of peer_start(); `diag` says why. */
MUST_CHECK enum caxton_status adapter_create(const struct adapter_settings *settings,
                                             struct adapter **out, struct diag *diag);
void adapter_destroy(struct adapter *adapter); /* NULL is allowed */

/* Speaks with the interface until it says quit, or `in` or the output ends; the engine has ended
 * then. Errors: STATUS_IO (the output cannot be written), STATUS_THREAD. */
MUST_CHECK enum caxton_status adapter_converse(struct adapter *adapter, FILE *in);

/* Ends the engine, within milliseconds unless the interface reads nothing, and starts none again;
 * any thread, during adapter_converse(). */
void adapter_stop(struct adapter *adapter);
