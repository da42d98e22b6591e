/* Input files as a stream of bytes, unpacked on the way.
 *
 * gzip, bzip2, xz, zstd and ZIP are recognised by their first bytes, not by the file's name, and
 * read by their own libraries, several frames or members one after the other. Of a ZIP archive the
 * members named *.pgn are read, see zip.h. Unpacking runs on a thread of its own, some blocks ahead
 * of the reader. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct input;

/* "-" is standard input. Errors: STATUS_IO, STATUS_NO_MEMORY, STATUS_THREAD, STATUS_FORMAT (packed
 * in a way that this program was built without); `diag` says more. */
MUST_CHECK enum caxton_status input_open(const char *path, struct input **out, struct diag *diag);

/* The same where --memory says how many bytes unpacking may take, at least 16 MB; for input_open()
 * they are 256 MB. What xz and zstd take is up to the file: one that wants more is refused. */
MUST_CHECK enum caxton_status input_open_within(const char *path, uint64_t memory,
                                                struct input **out, struct diag *diag);
void input_close(struct input *input); /* NULL is allowed */

/* A pgn_source: up to `capacity` unpacked bytes; *size = 0 at the end.
 * Errors: STATUS_IO, STATUS_FORMAT (damaged, cut or refused packed data); see input_fault(). */
MUST_CHECK enum caxton_status input_read(void *input, char *buffer, size_t capacity, size_t *size);

/* Goes past so many unpacked bytes, or to the end where there are not as many; a plain file is not
 * read for it. Errors: as input_read(). */
MUST_CHECK enum caxton_status input_skip(struct input *input, uint64_t bytes);

/* One sentence about the last error of input_read(). */
const char *input_fault(const struct input *input);

/* Bytes of the file read so far, before unpacking; and its size, 0 when unknown. Any thread. */
uint64_t input_bytes_read(const struct input *input);
uint64_t input_bytes_total(const struct input *input);

/* "plain", "gzip", "bzip2", "xz", "zstd" or "ZIP". */
const char *input_packing(const struct input *input);
