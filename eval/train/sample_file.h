/* Files of training positions (sample.h).
 *
 * A file is a sequence of blocks: 32 bytes of header (8 bytes "CXTNDAT1", 4 bytes number of
 * samples, 12 zero bytes, 8 bytes FNV-1a of the samples; little-endian), then the samples. A game
 * lies in one block. Files may be joined with cat. */
#pragma once

#include "base/status.h"
#include "eval/train/sample.h"

enum {
    SAMPLE_MAGIC_SIZE = 8,
    SAMPLE_COUNT_AT = 8, /* in the header */
    SAMPLE_SUM_AT = 24,
    SAMPLE_HEADER_SIZE = 32,
    SAMPLE_BLOCK_MAX = 65536, /* samples in a block */
};

#define SAMPLE_MAGIC "CXTNDAT1"

/* A file that grows by whole blocks; one writer at a time, which a lock on the file sees to. */
struct sample_file;

/* Opens or creates `path`, checks every block there and cuts off a torn end. *samples: how many it
 * holds. Errors: STATUS_IO (also when another program writes to it), STATUS_FORMAT (not such a
 * file), STATUS_NO_MEMORY; `diag` says which. The caller closes it. */
MUST_CHECK enum caxton_status sample_file_open(const char *path, struct sample_file **out,
                                               uint64_t *samples, struct diag *diag);
/* A stream in place of a file: blocks go to standard output as they are. Errors: STATUS_IO,
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status sample_file_stdout(struct sample_file **out, struct diag *diag);
/* Appends one block of 1..SAMPLE_BLOCK_MAX samples. STATUS_END, here and below: nobody reads the
 * stream any more. After any failure nothing is appended any more:
 * the answer stays the same. */
MUST_CHECK enum caxton_status sample_file_append(struct sample_file *file, const uint8_t *samples,
                                                 size_t count, struct diag *diag);
/* Syncs and closes; `file` is gone afterwards. */
MUST_CHECK enum caxton_status sample_file_close(struct sample_file *file, struct diag *diag);
