/* What the parts of a reader of statistics (wld.h) share: blocks in wld.c, the end in wld_end.c. */
#pragma once

#include "book/statistics/wld.h"
#include "book/statistics/wld_pages.h"

enum { WLD_NAME_MAX = 120 };

struct wld_reader {
    wld_source source;
    void *context;
    const struct wld_file *file; /* is read instead of the source; NULL: none */
    uint64_t first_key;
    uint64_t last_key;
    wld_damage_sink damage; /* gets damaged blocks; NULL: they are errors */
    void *damage_context;
    struct wld_header header;
    uint64_t checksum;     /* of version 1: of all bytes so far */
    uint64_t index;        /* of the entries that the index has to have so far */
    uint64_t offset;       /* of the next byte to be read */
    uint64_t block_at;     /* offset of the records in `block` */
    struct wld_foot found; /* what the end has to say so far */
    struct wld_records left;
    struct tally last;
    bool in_prints; /* what is read next are fingerprints */
    size_t prints;  /* of those in `block`, the last of which are still to be read, */
    size_t prints_left;
    struct fingerprint last_print;
    bool ended;
    bool is_part; /* only some of the blocks are read */
    char name[WLD_NAME_MAX];
    uint8_t block[WLD_BLOCK_HEAD + WLD_BLOCK_V1 + WLD_CHECKSUM_SIZE];
};

/* Reads what it can of `size` bytes; *got is less only at the end of the file. */
MUST_CHECK enum caxton_status wld_read_some(struct wld_reader *reader, uint8_t *to, size_t size,
                                            size_t *got, struct diag *diag);
/* Reads all of them. Errors: also STATUS_FORMAT. */
MUST_CHECK enum caxton_status wld_read_exactly(struct wld_reader *reader, uint8_t *to, size_t size,
                                               struct diag *diag);
/* Of version 1: the checksum of all that was read. */
MUST_CHECK enum caxton_status wld_read_checksum(struct wld_reader *reader, const char *of,
                                                struct diag *diag);

/* Reads a block of records or fingerprints into reader->block and checks it: *head, whose size is 0
 * at the mark behind the last one. */
MUST_CHECK enum caxton_status wld_load_block(struct wld_reader *reader, struct wld_block_head *head,
                                             struct diag *diag);

/* Reads what follows the last block. STATUS_END when all of it was right. */
MUST_CHECK enum caxton_status wld_reader_finish(struct wld_reader *reader, struct diag *diag);

/* A sum over the entries of the index, with one more. */
uint64_t wld_index_add(uint64_t sum, struct wld_entry entry);
