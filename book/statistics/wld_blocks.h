/* A sorted file: blocks of records in the order of their keys, an index of the blocks, and an end,
 * as wld.h describes them. It is the part that statistics and their sample games have in common. */
#pragma once

#include <stdio.h>

#include "base/bytes.h"
#include "base/raw_file.h"

enum {
    WLD_CHECKSUM_SIZE = 8,
    WLD_BLOCK_HEAD = 8,
    WLD_BLOCK_MAX = 16384, /* its records, */
    WLD_RECORD_MIN = 1,    /* each of at least so many bytes */
    WLD_BLOCK_BYTES = WLD_BLOCK_HEAD + WLD_BLOCK_MAX + WLD_CHECKSUM_SIZE, /* a whole one */
    WLD_ENTRY_SIZE = 16,
    WLD_PAGE_ENTRIES = 256,
    WLD_PAGE_BYTES = WLD_PAGE_ENTRIES * WLD_ENTRY_SIZE + WLD_CHECKSUM_SIZE,
    WLD_FOOT_SIZE = 32,
    WLD_FOOT_MAX = 40 /* with a number more */
};

/* Says "NAME: byte OFFSET: WHAT", which is STATUS_FORMAT. */
MUST_CHECK enum caxton_status wld_damaged(const char *name, uint64_t offset, const char *what,
                                          struct diag *diag);

/* Bytes ------------------------------------------------------------------------------------ */

/* The bytes of a file, on disk or in memory. */
struct wld_bytes {
    char *name;            /* for messages */
    const uint8_t *memory; /* NULL: they are in `file` */
    struct raw_file file;
    uint64_t size;
};

/* Of a regular file. To be closed. Errors: STATUS_NOT_FOUND (no regular file), STATUS_IO,
 * STATUS_NO_MEMORY; `diag` (may be NULL) names the file. */
MUST_CHECK enum caxton_status wld_bytes_open(const char *path, struct wld_bytes *out,
                                             struct diag *diag);

/* Of memory, which stays valid and unchanged until they are closed. `name` is copied. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status wld_bytes_of_memory(const void *memory, size_t size, const char *name,
                                                  struct wld_bytes *out, struct diag *diag);

void wld_bytes_close(struct wld_bytes *bytes);

/* Exactly `size` bytes from `start` on; any thread. Errors: STATUS_IO, STATUS_FORMAT (there are not
 * so many); `diag` names the file. */
MUST_CHECK enum caxton_status wld_bytes_read(const struct wld_bytes *bytes, uint64_t start,
                                             void *out, size_t size, struct diag *diag);

/* Parts ------------------------------------------------------------------------------------ */

/* What the head of a block says; both 0: there are no more blocks. */
struct wld_block_head {
    size_t size; /* of the records */
    uint64_t records;
};

/* False: no block has such a head. */
bool wld_block_read_head(const uint8_t bytes[WLD_BLOCK_HEAD], struct wld_block_head *out);

/* Of a head, its records and the checksum behind them: is the checksum right? */
bool wld_block_is_sound(const uint8_t *block, size_t size);

/* Entries of the index ascend by key, then by value. Keys are hashes: they are spread evenly. */
struct wld_entry {
    uint64_t key;   /* the first of a block */
    uint64_t value; /* where in the file it begins */
};

/* What the bytes are of so many entries, whose pages have a checksum each. At most 2^59 entries. */
uint64_t wld_pages_size(uint64_t count);

/* Reads a page of `count` entries. False: its checksum is wrong. */
bool wld_page_decode(const uint8_t *page, size_t count, struct wld_entry *entries);

/* The end. */
struct wld_foot {
    uint64_t records;
    uint64_t blocks;
    uint64_t digest; /* of the checksums of all blocks */
    uint64_t more;   /* a number of WLD_FOOT_MAX bytes alone */
};

/* Reads an end of `size` bytes. header: the checksum of the header. False: its checksum is wrong.
 */
bool wld_foot_decode(const uint8_t *bytes, size_t size, uint64_t header, struct wld_foot *out);

/* The digest with the checksum of one block more; that of no blocks is 0. */
uint64_t wld_digest_add(uint64_t digest, uint64_t block_checksum);

/* Reading ---------------------------------------------------------------------------------- */

struct wld_blocks {
    struct wld_bytes bytes;
    uint64_t header; /* its checksum */
    uint64_t start;  /* no block begins before this byte */
    uint64_t end;    /* the mark behind the last block */
    uint64_t index;  /* where its first page begins; it has foot.blocks entries */
    struct wld_foot foot;
};

/* Reads the end, of so many bytes, and finds the index. What stands before them is set. Errors:
 * STATUS_FORMAT, STATUS_IO. */
MUST_CHECK enum caxton_status wld_blocks_read_end(struct wld_blocks *blocks, size_t foot_size,
                                                  struct diag *diag);

/* Reads the block that begins at byte `at`: block[WLD_BLOCK_BYTES]. Its size is 0 behind the last.
 * Errors: STATUS_FORMAT (damaged; `diag` says where), STATUS_IO. Any thread. */
MUST_CHECK enum caxton_status wld_blocks_read(const struct wld_blocks *blocks, uint64_t at,
                                              uint8_t *block, struct wld_block_head *head,
                                              struct diag *diag);

/* The entry of this number < foot.blocks. Errors: as above. Any thread. */
MUST_CHECK enum caxton_status wld_blocks_entry(const struct wld_blocks *blocks, uint64_t number,
                                               struct wld_entry *out, struct diag *diag);

/* The block where `key` may begin, by the index: its first key and its place; the mark where there
 * is no block. Errors: as above. */
MUST_CHECK enum caxton_status wld_blocks_seek(const struct wld_blocks *blocks, uint64_t key,
                                              struct wld_entry *entry, struct diag *diag);

/* By the index, where the block behind the one at byte `at` begins: for a block that is damaged.
 * key: one that is not behind it. Errors: as above. */
MUST_CHECK enum caxton_status wld_blocks_skip(const struct wld_blocks *blocks, uint64_t key,
                                              uint64_t at, uint64_t *next, struct diag *diag);

/* Writing ---------------------------------------------------------------------------------- */

/* Begins with `out`, which is the caller's. Keeps the index until the end: 16 bytes for a block of
 * 16 KiB. */
struct wld_blocks_writer {
    FILE *out;
    uint64_t header;      /* its checksum */
    uint64_t offset;      /* of the next byte */
    struct wld_foot foot; /* of what has been written, and of `records` that are in the block */
    struct wld_entry *index;
    size_t index_capacity;
    uint64_t first_key;                          /* of the block in the making, */
    uint64_t last_key;                           /* its last, */
    uint64_t records;                            /* how many it has, */
    size_t used;                                 /* and their bytes */
    uint8_t block[WLD_BLOCK_BYTES + VARINT_MAX]; /* with room for what begins too late */
};

void wld_blocks_writer_free(struct wld_blocks_writer *writer);

/* Writes a header, which gets its checksum: there is room for it in header[size ..]. Errors:
 * STATUS_IO. */
MUST_CHECK enum caxton_status wld_blocks_put_header(struct wld_blocks_writer *writer,
                                                    uint8_t *header, size_t size);

/* Adds a record, or several that are written as one, which is a varint of the difference to the key
 * before, and `rest`, both together at most WLD_BLOCK_MAX bytes. It begins a block where there is
 * no more room, or where `apart`. Errors: STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status wld_blocks_add(struct wld_blocks_writer *writer, uint64_t key,
                                             const uint8_t *rest, size_t size, uint64_t records,
                                             bool apart);

/* Blocks without an index, which stand before the others: adds bytes whose size divides
 * WLD_BLOCK_MAX; ends them. Errors: STATUS_IO. */
MUST_CHECK enum caxton_status wld_blocks_put(struct wld_blocks_writer *writer, const uint8_t *bytes,
                                             size_t size);
MUST_CHECK enum caxton_status wld_blocks_end_put(struct wld_blocks_writer *writer);

/* Writes the last block if there is one, the mark, the index and the end, of so many bytes. Errors:
 * as wld_blocks_add(). */
MUST_CHECK enum caxton_status wld_blocks_finish(struct wld_blocks_writer *writer, size_t foot_size);
