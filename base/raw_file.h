/* Files and pipes read as they come, without a buffer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct raw_file {
    int file;
    bool standard; /* standard input, which is not closed */
    uint64_t size; /* of a regular file; else 0 */
};

/* Opens `path` for reading; "-" is standard input. Errors: STATUS_IO (no such file, a folder, a
 * device ..); `diag` says why, without the path. */
MUST_CHECK enum caxton_status raw_file_open(const char *path, struct raw_file *out,
                                            struct diag *diag);

/* Up to `capacity` bytes; *size = 0 at the end. Signals do not disturb it. Errors: STATUS_IO, as
 * above. */
MUST_CHECK enum caxton_status raw_file_read(const struct raw_file *file, void *buffer,
                                            size_t capacity, size_t *size, struct diag *diag);

/* Exactly `size` bytes from `start` on. For a file that is not read by raw_file_read(); any number
 * of threads at once. Errors: STATUS_IO, STATUS_FORMAT (the file ends before), as above. */
MUST_CHECK enum caxton_status raw_file_read_at(const struct raw_file *file, uint64_t start,
                                               void *bytes, size_t size, struct diag *diag);

void raw_file_close(struct raw_file *file);
