/* Temporary files without a name: the system forgets them when they are closed, however the program
 * ends. Errors: STATUS_IO, `diag` names the folder and the reason. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/file_stream.h"
#include "base/status.h"

/* Where temporary files go unless told otherwise: $TMPDIR or /tmp. */
const char *temp_folder(void);

/* A new file in `folder`, to be closed by the caller. Errors: also STATUS_RANGE (the folder's name
 * is too long). */
MUST_CHECK enum caxton_status temp_file_open(const char *folder, int *file, struct diag *diag);

/* The same as a stream for reading and writing that keeps the reason of a failed write: see
 * base/file_stream.h. */
MUST_CHECK enum caxton_status temp_file_stream(const char *folder, struct file_stream *stream,
                                               FILE **out, struct diag *diag);

/* Writes all of it where the file stands. `folder` is for the message. */
MUST_CHECK enum caxton_status temp_file_write(int file, const void *bytes, size_t size,
                                              const char *folder, struct diag *diag);

/* Reads exactly `size` bytes from `start` on, wherever the file stands. `folder` as above. Any
 * number of threads at once. */
MUST_CHECK enum caxton_status temp_file_read(int file, uint64_t start, void *bytes, size_t size,
                                             const char *folder, struct diag *diag);

/* Closes it; nothing in it is wanted any more. */
void temp_file_close(int file);

/* Says that the file in `folder` could not be ("read") for the reason in errno; STATUS_IO. */
MUST_CHECK enum caxton_status temp_file_fault(const char *folder, const char *what,
                                              struct diag *diag);
