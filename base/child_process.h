/* A program that is started, reads and writes lines, and is killed; every wait has a time limit.
 *
 * One thread at a time uses a child, but for child_send(); several threads may each have their own.
 * On systems without SOCK_CLOEXEC they must not start children at the same moment: one could keep
 * the other's end open. */
#pragma once

#include <stdatomic.h>

#include "base/text.h"

struct child;

enum { CHILD_COMMAND_MAX = 4096, CHILD_LINE_MAX = 65536 };

/* Starts `command`: a program, searched for like a shell does, and its arguments, separated by
 * blanks; words in "" or '' may hold blanks. No shell reads it. The program leads a process group
 * of its own, so Ctrl-C on the terminal does not reach it. What it writes to standard error goes to
 * ours. stop: ends every wait within some milliseconds once it is true; borrowed. The caller ends
 * it by child_kill(). Errors: STATUS_IO, STATUS_NO_MEMORY; `diag` says why. */
MUST_CHECK enum caxton_status child_start(const char *command, const atomic_bool *stop,
                                          struct child **out, struct diag *diag);
/* Kills it and its process group at once, and waits until it is gone. NULL is allowed. */
void child_kill(struct child *child);

/* The command, cut to a length that leaves room for a message. */
const char *child_name(const struct child *child);

/* From now on a line must come, and written bytes must be read, within so many milliseconds. */
void child_set_timeout(struct child *child, int64_t timeout_ms);

/* Puts a text of at most some thousand bytes into the queue that child_read_line() sends.
 * Errors: those of child_read_line(). */
MUST_CHECK enum caxton_status child_write(struct child *child, const char *text, struct diag *diag);

/* The next line without its end, borrowed until the next call.
 * Errors: STATUS_END (asked to stop), STATUS_IO (the child has ended, is silent for longer than
 * child_set_timeout() allows, or writes a line of more than CHILD_LINE_MAX bytes; `diag` says
 * which, and begins with child_name()). */
MUST_CHECK enum caxton_status child_read_line(struct child *child, struct span *line,
                                              struct diag *diag);

/* The same within most_ms, whatever child_set_timeout() allows. STATUS_NOT_FOUND: none has come. */
MUST_CHECK enum caxton_status child_read_line_within(struct child *child, int64_t most_ms,
                                                     struct span *line, struct diag *diag);

/* Sends text at once; one thread may do so while another one reads lines. Not to be mixed with
 * child_write(). Errors: STATUS_END, STATUS_IO (the child has ended, or has not read it within
 * most_ms: part of it is sent). */
MUST_CHECK enum caxton_status child_send(struct child *child, struct span text, int64_t most_ms,
                                         struct diag *diag);
