/* A file that one program at a time reads and adds bytes to: a journal. What was added stays when
 * the program is killed; append_file_sync() makes it outlive a crash of the system, too.
 *
 * One file belongs to one thread at a time. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct append_file;

/* Opens `path`, or makes an empty file there, and locks it until append_file_close() or the end of
 * the program. Where the file system has no locks nothing is locked. The caller closes.
 * Errors: STATUS_IO (it cannot be made or opened, it is no regular file, another program has the
 * lock), STATUS_NO_MEMORY; `diag` says "PATH: why". */
MUST_CHECK enum caxton_status append_file_open(const char *path, struct append_file **out,
                                               struct diag *diag);

/* How many bytes it has. */
uint64_t append_file_size(const struct append_file *file);

/* Reads exactly `size` bytes from `start` on. Errors: STATUS_IO, as above. */
MUST_CHECK enum caxton_status append_file_read(const struct append_file *file, uint64_t start,
                                               void *bytes, size_t size, struct diag *diag);

/* Drops what stands behind the first `size` bytes. Errors: STATUS_IO, as above. */
MUST_CHECK enum caxton_status append_file_cut(struct append_file *file, uint64_t size,
                                              struct diag *diag);

/* Adds the bytes at the end, all of them or none. Errors: STATUS_IO, as above. */
MUST_CHECK enum caxton_status append_file_add(struct append_file *file, const void *bytes,
                                              size_t size, struct diag *diag);

/* Waits until the disk has it all. Errors: STATUS_IO, as above. */
MUST_CHECK enum caxton_status append_file_sync(struct append_file *file, struct diag *diag);

void append_file_close(struct append_file *file); /* NULL is allowed */
