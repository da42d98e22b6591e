/* For child_process.c only: a program with the two ends that lead to it, as the system has them.
 * Nothing here waits but child_ends_wait(). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct child_ends;

enum child_io {
    CHILD_IO_DONE, /* some bytes moved */
    CHILD_IO_LATER,
    CHILD_IO_ENDED,  /* the other side has closed */
    CHILD_IO_FAILED, /* errno says why */
};

/* Starts `command` (child_process.h) without waiting for it. NULL with errno set. */
MUST_CHECK struct child_ends *child_ends_start(const char *command);

/* Kills it and what it has started, waits until it is gone, and frees. */
void child_ends_kill(struct child_ends *ends);

/* Read at most `room` bytes of its output, or write at most `size` to its input; `*moved` is how
 * many, 0 unless CHILD_IO_DONE. */
MUST_CHECK enum child_io child_ends_read(struct child_ends *ends, char *to, size_t room,
                                         size_t *moved);
MUST_CHECK enum child_io child_ends_write(struct child_ends *ends, const char *from, size_t size,
                                          size_t *moved);

/* Sleeps until it is worth to read (where wanted) or to write (where wanted), at most so many
 * milliseconds: CHILD_IO_DONE; else CHILD_IO_LATER. */
MUST_CHECK enum child_io child_ends_wait(struct child_ends *ends, bool reading, bool writing,
                                         int most_ms);
