/* Sorted runs of tallies, one behind the other in an unnamed temporary file.
 *
 * A record takes 13 bytes where the counts are small, more as they need it: 35 at most. One thread
 * at a time may use a file and its readers. */
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "book/statistics/tally.h"

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

struct run_reader;

/* Reads `run` of `file`, which is not written to meanwhile. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status run_reader_create(const struct run_file *file, struct run run,
                                                struct run_reader **out, struct diag *diag);
void run_reader_destroy(struct run_reader *reader); /* NULL is allowed */
/* Errors: STATUS_END, STATUS_IO. */
MUST_CHECK enum caxton_status run_reader_next(struct run_reader *reader, struct tally *out,
                                              struct diag *diag);
