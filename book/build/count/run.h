/* Sorted runs of tallies, one behind the other in an unnamed temporary file.
 *
 * A record takes 13 bytes where the counts are small, more as they need it: 35 at most. One thread
 * at a time may use a file and its readers. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "book/statistics/tally.h"

enum { RUN_READER_SIZE = 1 << 15 };

/* Where a run lies in its file. */
struct run {
    uint64_t start;
    uint64_t end;
};

struct run_file;

/* In `folder`, which is named in errors; the system forgets the file when it is closed. */
MUST_CHECK enum caxton_status run_file_create(const char *folder, struct run_file **out,
                                              struct diag *diag);
void run_file_destroy(struct run_file *file); /* NULL is allowed */

/* Writes at the end of the last run. run_file_end() makes a run of what was written since. */
MUST_CHECK enum caxton_status run_file_write(struct run_file *file, const struct tally *tally,
                                             struct diag *diag);
MUST_CHECK enum caxton_status run_file_end(struct run_file *file, struct run *out,
                                           struct diag *diag);

/* Reads a run of a file that is not written to meanwhile. */
struct run_reader {
    const struct run_file *file;
    struct run run; /* what of it has not been read into the buffer */
    size_t at;      /* of buffer[0..size), 0 at first */
    size_t size;
    uint8_t buffer[RUN_READER_SIZE];
};

/* A tally_source. Errors: STATUS_END, STATUS_IO. */
MUST_CHECK enum caxton_status run_reader_next(void *reader, struct tally *out, struct diag *diag);
