/* The Universal Chess Interface, spoken over two streams.
 * Source: the UCI protocol, April 2006 (Stefan Meyer-Kahlen). */
#ifndef CAXTON_ENGINE_UCI_H
#define CAXTON_ENGINE_UCI_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Converses until `quit` or the end of `in`; a search that is under way then is stopped. Lines may
 * have any length. `seed` decides the choice of book moves. Both streams are borrowed.
 * Errors: STATUS_NO_MEMORY, STATUS_THREAD. */
MUST_CHECK enum caxton_status uci_converse(FILE *in, FILE *out, uint64_t seed);

/* Carries out one line of UCI and waits for its answer; nobody can say `stop` meanwhile. `go`
 * always searches: whoever types it wants to see the search, not a book move. Errors: as above;
 * STATUS_NOT_FOUND (no such command), STATUS_SYNTAX (it could not be read or would never end),
 * STATUS_IO (`out` refused a line). `diag` says why. */
MUST_CHECK enum caxton_status uci_execute(const char *line, FILE *out, uint64_t seed,
                                          struct diag *diag);

#endif
