/* Files of sample games (.games): for each position of a statistics file (wld.h) some of the games
 * that come to it. ALL.wld has them in ALL.wld.games beside it.
 *
 * The same games and options give the same bytes. Numbers are little-endian. Blocks, mark and pages
 * are those of wld.h, and so is a varint.
 *
 *     header  8 bytes  "CAXGAM" CR LF
 *             4        version: 1, or 2 where games are told apart by facets
 *             4        so many games of a position are kept, 1..SAMPLES_MAX: struct sample_rule
 *             8        so many plies of a game were counted at most: game_mark() is of these
 *             4        how many names follow, 1..SAMPLE_FILES_MAX
 *             4        n, their size, at most SAMPLES_NAMES_MAX
 *             n        the names of the files with the games, as the command line gave them: each
 *                      ended by a byte 0, ascending, each once
 *             8        checksum of the header before it
 *     block   4        n, the size of its records, 1..16384
 *             4        how many they are
 *             n        the records
 *             8        checksum of the block before it
 *     mark    8        0: no more blocks
 *     page    16 n     the next n blocks, n = 256 but for the last page: first key, and at which
 *                      byte of the file the block begins
 *             8        checksum of the page before it
 *     end     8        how many records the file has
 *             8        how many blocks
 *             8        the digest of the checksums of blocks, as in wld.h
 *             8        XXH64 of what the statistics have that it belongs to, 8 bytes each: checksum
 *                      of the header, records, blocks, digest
 *             8        checksum of the end before it, that of the header as the seed
 *
 *     record  varint   its key minus the key of the record before; the first of a block: its key
 *             varint   how many games follow, at least 1; they are in the order of
 *                      sample_compare(), no two are equal
 *     game    varint   the sum of both players' Elo
 *             4        mark
 *             varint   the number of its file, from 0
 *             varint   the byte of that file, unpacked, that the game begins with: below 2^49
 *             3        version 2: its facet, as in facets.h,
 *             2        and the move that it plays here, as Polyglot stores it
 *
 * Records ascend by key. A position is looked up as in statistics, with two reads. */
#pragma once

#include "book/statistics/sample.h"
#include "book/statistics/wld.h"

#define SAMPLES_MAGIC  "CAXGAM\r\n"
#define SAMPLES_ENDING ".games" /* behind the name of the statistics */

enum {
    SAMPLES_MAGIC_SIZE = sizeof SAMPLES_MAGIC - 1,
    SAMPLES_START_SIZE = SAMPLES_MAGIC_SIZE + 24, /* before the names */
    SAMPLES_VERSION = 1,                          /* and one more with facets */
    SAMPLES_NAMES_MAX = 1 << 24,
    SAMPLES_FOOT_SIZE = WLD_FOOT_MAX
};

/* What the header says. */
struct samples_info {
    struct sample_rule rule;
    uint64_t plies; /* of a game that were counted */
    struct sample_names names;
};

struct samples_file;

/* Opens a regular file. Header and end are checked, blocks when they are read.
 * Errors: STATUS_NOT_FOUND (no sample games, or no regular file), STATUS_FORMAT (damaged; `diag`
 * says what at which byte), STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status samples_file_open(const char *path, struct samples_file **out,
                                                struct diag *diag);

/* The same of bytes in memory, which stay valid and unchanged until samples_file_close(). `name` is
 * copied. */
MUST_CHECK enum caxton_status samples_file_open_memory(const void *bytes, size_t size,
                                                       const char *name, struct samples_file **out,
                                                       struct diag *diag);
void samples_file_close(struct samples_file *file); /* NULL is allowed */

const struct samples_info *samples_file_info(const struct samples_file *file);
const char *samples_file_name(const struct samples_file *file);

bool samples_file_belongs_to(const struct samples_file *file,
                             const struct wld_identity *statistics);

/* The games of the position with this key. Errors: STATUS_NOT_FOUND (none), STATUS_FORMAT (a block
 * that was read is damaged; `diag` says at which byte), STATUS_IO. Any thread. */
MUST_CHECK enum caxton_status samples_file_find(const struct samples_file *file, uint64_t key,
                                                struct sample_set *out, struct diag *diag);

/* Reads all of a file, one block in memory. Begins as {.file}, or with numbers. */
struct samples_cursor {
    const struct samples_file *file; /* borrowed */
    const uint16_t *numbers;         /* of its files among those of several files; NULL: its own */
    uint64_t at;                     /* the next block; 0 at first */
    uint64_t blocks;                 /* that were read, */
    uint64_t records;                /* and records */
    uint64_t record;                 /* the byte that the last one begins with */
    uint64_t digest;                 /* of the blocks that were read */
    uint64_t key;                    /* of the last record */
    uint64_t left;                   /* records of the block */
    const uint8_t *from;
    const uint8_t *end;
    uint8_t block[WLD_BLOCK_BYTES];
};

/* A sample_source. The blocks must be those that the index and the end of the file say. Errors: as
 * samples_file_find(), STATUS_END. */
MUST_CHECK enum caxton_status samples_cursor_next(void *cursor, struct sample_set *out,
                                                  struct diag *diag);

/* The numbers that the file's names have among `names`, where they all are: for a cursor; the
 * caller's to free(). NULL when there is no memory. */
uint16_t *samples_file_numbers(const struct samples_file *file, const struct sample_names *names);

/* Writing ---------------------------------------------------------------------------------- */

/* Keeps the index until the end: 16 bytes for a block of 16 KiB. */
struct samples_writer;

/* Writes the header to `out`, which stays the caller's. `info` is read now. From then on sets come
 * from `next`, those of keys that samples_writer_follow() names are written.
 * Errors: STATUS_NO_MEMORY, STATUS_RANGE (too many names), STATUS_IO. */
MUST_CHECK enum caxton_status samples_writer_create(FILE *out, const struct samples_info *info,
                                                    sample_source next, void *context,
                                                    struct samples_writer **writer);
void samples_writer_destroy(struct samples_writer *writer); /* NULL is allowed */

/* The statistics have a position with this key; keys come in ascending order, each once or more.
 * Errors: STATUS_NO_MEMORY, STATUS_IO, those of the source. */
MUST_CHECK enum caxton_status samples_writer_follow(struct samples_writer *writer, uint64_t key,
                                                    struct diag *diag);

/* Writes the last block and the end. statistics: those that were written beside. */
MUST_CHECK enum caxton_status samples_writer_finish(struct samples_writer *writer,
                                                    const struct wld_identity *statistics);

/* How many positions have games so far. */
uint64_t samples_writer_records(const struct samples_writer *writer);
