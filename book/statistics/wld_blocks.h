/* The blocks of a file and the sorted index behind them, as wld.h describes them: the part that
 * statistics and their sample games have in common. */
#pragma once

#include <stdio.h>

#include "book/statistics/wld_block.h"
#include "book/statistics/wld_pages.h"

/* Reading ---------------------------------------------------------------------------------- */

struct wld_blocks {
    struct wld_bytes bytes;
    uint64_t start; /* no block begins before this byte */
    uint64_t end;   /* the mark behind the last block */
    struct wld_pages index;
};

/* Finds where the index of `count` blocks is: it ends at byte `foot`. blocks->start is set. False:
 * there is no room for it. */
bool wld_blocks_place(struct wld_blocks *blocks, uint64_t count, uint64_t foot);

/* Reads the block that begins at byte `at`: block[WLD_BLOCK_BYTES]. Its size is 0 behind the last.
 * Errors: STATUS_FORMAT (damaged; `diag` says where), STATUS_IO. Any thread. */
MUST_CHECK enum caxton_status wld_blocks_read(const struct wld_blocks *blocks, uint64_t at,
                                              uint8_t *block, struct wld_block_head *head,
                                              struct diag *diag);

/* The block where `key` may begin, by the index: its first key and its place; the mark where there
 * is no block. Errors: as above. */
MUST_CHECK enum caxton_status wld_blocks_seek(const struct wld_blocks *blocks, uint64_t key,
                                              struct wld_entry *entry, struct diag *diag);

/* Writing ---------------------------------------------------------------------------------- */

/* Begins with `out`, which is the caller's. Keeps the index until the end: 16 bytes for a block of
 * 16 KiB. */
struct wld_blocks_writer {
    FILE *out;
    uint64_t offset; /* of the next byte */
    uint64_t digest; /* of the blocks so far */
    uint64_t count;  /* of those in the index */
    struct wld_entry *index;
    size_t index_capacity;
    uint64_t first_key; /* of the block in the making, */
    uint64_t records;   /* how many it has, */
    size_t used;        /* and their bytes */
    uint8_t block[WLD_BLOCK_BYTES];
};

void wld_blocks_writer_free(struct wld_blocks_writer *writer);

/* Bytes that are no block. Errors: STATUS_IO. */
MUST_CHECK enum caxton_status wld_blocks_put(struct wld_blocks_writer *writer, const void *bytes,
                                             size_t size);

/* Adds a record of at most WLD_BLOCK_MAX bytes, for which there is room, to the block. */
void wld_blocks_add(struct wld_blocks_writer *writer, uint64_t key, const void *record,
                    size_t size);

/* Writes the block, which is not empty; is_indexed: and names it in the index.
 * Errors: STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status wld_blocks_seal(struct wld_blocks_writer *writer, bool is_indexed);

/* Writes the mark behind blocks. Errors: STATUS_IO. */
MUST_CHECK enum caxton_status wld_blocks_put_mark(struct wld_blocks_writer *writer);

/* Writes the last block if there is one, the mark and the index. Errors: as wld_blocks_seal(). */
MUST_CHECK enum caxton_status wld_blocks_finish(struct wld_blocks_writer *writer);
