/* A statistics file of version 2 looked up where it lies: of a file of any size nothing is loaded
 * but a page of the index and a block, or now and then two. */
#pragma once

#include "book/statistics/wld_block.h"

struct wld_file;

/* Opens a regular file. Header and end are checked, blocks when they are read.
 * Errors: STATUS_NOT_FOUND (no statistics, or of version 1, or no regular file), STATUS_FORMAT,
 * STATUS_IO, STATUS_NO_MEMORY; `diag` (may be NULL) names the file. */
MUST_CHECK enum caxton_status wld_file_open(const char *path, struct wld_file **out,
                                            struct diag *diag);

/* The same of bytes in memory, which stay valid and unchanged until wld_file_close(). `name` is
 * copied. */
MUST_CHECK enum caxton_status wld_file_open_memory(const void *bytes, size_t size, const char *name,
                                                   struct wld_file **out, struct diag *diag);

void wld_file_close(struct wld_file *file); /* NULL is allowed */

const struct wld_header *wld_file_header(const struct wld_file *file);
const char *wld_file_name(const struct wld_file *file);
uint64_t wld_file_records(const struct wld_file *file);

/* Equal for two files: they hold the same options and counts. */
struct wld_identity {
    uint64_t header; /* its checksum */
    struct wld_foot foot;
};
struct wld_identity wld_file_identity(const struct wld_file *file);
bool wld_identity_is_equal(const struct wld_identity *a, const struct wld_identity *b);

/* Gives the moves of the position with this key to `sink`; there may be none. Any thread.
 * Errors: STATUS_FORMAT (a block that was read is damaged, or the index does not fit it: `diag`
 * says at which byte), STATUS_IO, those of the sink. */
MUST_CHECK enum caxton_status wld_file_find(const struct wld_file *file, uint64_t key,
                                            tally_sink sink, void *context, struct diag *diag);

/* Reads the block that begins at byte `at`: block[WLD_BLOCK_BYTES]. Its size is 0 behind the last.
 * Errors: as above. Any thread. */
MUST_CHECK enum caxton_status wld_file_block(const struct wld_file *file, uint64_t at,
                                             uint8_t *block, struct wld_block_head *head,
                                             struct diag *diag);

/* Exactly `size` bytes from byte `at` on, whatever they are. Errors: as above. Any thread. */
MUST_CHECK enum caxton_status wld_file_read(const struct wld_file *file, uint64_t at, void *out,
                                            size_t size, struct diag *diag);

/* By the index, where the first block begins that may have `key`, or larger keys where none has. */
MUST_CHECK enum caxton_status wld_file_seek(const struct wld_file *file, uint64_t key, uint64_t *at,
                                            struct diag *diag);

/* By the index, where the block behind the one at byte `at` begins: for a block that is damaged.
 * key: one that is not behind it. */
MUST_CHECK enum caxton_status wld_file_skip(const struct wld_file *file, uint64_t key, uint64_t at,
                                            uint64_t *next, struct diag *diag);
