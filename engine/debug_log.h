/* The file of the option Debug Log File: each line that the engine reads, behind ">> ", and each
 * that it writes, behind "<< ". Functions on one log may be called from any thread. */
#pragma once

#include "base/status.h"
#include "base/text.h"

struct debug_log;

/* Opens `path`, or makes it; what it holds stays, lines are added. Nobody else can log into it
 * until debug_log_close(). Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says "PATH: why". */
MUST_CHECK enum caxton_status debug_log_open(const char *path, struct debug_log **out,
                                             struct diag *diag);

/* Adds a line; `mark` begins it, and newlines at its end are left out. After the first failure
 * nothing more is written and every line is fine. Errors: STATUS_IO; `diag` as above. */
MUST_CHECK enum caxton_status debug_log_add(struct debug_log *log, const char *mark,
                                            struct span line, struct diag *diag);

void debug_log_close(struct debug_log *log); /* NULL is allowed */
