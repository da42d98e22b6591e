/* The Universal Chess Interface over two streams.
 * Source: the UCI protocol, April 2006 (Stefan Meyer-Kahlen). */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "base/help.h"
#include "base/status.h"

/* Reads and answers commands until `quit` or the end of `in`, which stops a search in progress.
 * Lines may have any length. `seed` starts the random choice of book moves. Both streams are
 * borrowed.
 * Errors: STATUS_NO_MEMORY, STATUS_IO (`out` refused a line). */
MUST_CHECK enum caxton_status uci_converse(FILE *in, FILE *out, uint64_t seed);

/* Carries out one line of UCI and waits for its answer. `go` does not ask the book: on a command
 * line it is typed to see a search.
 * Errors: as above; STATUS_NOT_FOUND (no such command), STATUS_SYNTAX (it could not be read or
 * would never end), STATUS_IO (`out` refused a line). `diag` says why. */
MUST_CHECK enum caxton_status uci_execute(const char *line, FILE *out, uint64_t seed,
                                          struct diag *diag);

/* The commands, each with its help, as rows of `form`. */
void uci_list_commands(FILE *out, enum help_form form);
