/* Reading a file of lines. lines_format.h has the grammar. */
#pragma once

#include "book/formats/white/lines.h"
#include "book/formats/white/lines_finding.h"

/* Reads the text of a file; nothing of it is kept. Time and memory are bounded by `size`.
 * Errors: STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_AMBIGUOUS, STATUS_RANGE (`diag`, which may be
 * NULL, has line, column and a sentence that names line and move), STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lines_parse(const char *text, size_t size, struct lines **out,
                                          struct diag *diag);

/* Reads all it can: `visit` gets each fault, and the line counts no further.
 * Errors: STATUS_NO_MEMORY, STATUS_RANGE (too large), STATUS_END (`visit` returned false). */
MUST_CHECK enum caxton_status lines_parse_all(const char *text, size_t size, lines_visit *visit,
                                              void *context, struct lines **out);
