/* Caxton's statistics files (.wld): wins, draws and losses of each (position, move), exactly.
 *
 * The same counts and options give the same bytes, so that files merged in any order and grouping
 * are equal byte for byte. Numbers are little-endian. A file is a header, blocks of records, an
 * index of the blocks, and an end:
 *
 *     header  8 bytes  "CAXWLD" CR LF: what a transfer as text would change is part of it
 *             4        version, 2
 *             4        n, the size of the options, at most WLD_OPTIONS_MAX
 *             n        the options that decided what was counted: lines "NAME VALUE", each ended
 *                      by LF, each once, in the order of their bytes
 *             8        checksum of the header before it
 *     prints  4        with the option "fingerprints 2" only: 16 n, n = 1024 but for the last block
 *             4        n
 *             16 n     fingerprints of the games that are counted, ascending: upper, lower half
 *             8        checksum of the block before it
 *     mark    8        with that option: 0: no more fingerprints
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
 *             8        the digest of the checksums of fingerprints and blocks: from 0 on, XXH64 of
 *                      the next checksum, the digest so far as the seed
 *             8        checksum of the end before it, that of the header as the seed; the last
 *                      bytes of the file
 *
 *     record  varint   its key minus the key of the record before; the first of a block: its key
 *             2        the move as book/polyglot_entry.h stores it
 *             varint   wins of the side that makes the move, in the unit of the file
 *             varint   draws
 *             varint   losses
 *
 * Records ascend by key, then move; each (key, move) is there once, with at least one and at most
 * WLD_GAMES_MAX games. A varint is LEB128, unsigned: seven bits a byte, the lowest first, the
 * eighth bit says that more follow; no longer than it must be. A block ends where one more record
 * would exceed its size, and where the first 6 bits of the key change: 64 ranges of keys can be
 * written side by side.
 *
 * Looking up: keys are hashes, evenly spread, so that the page of a key is nearly always where the
 * key stands among all numbers. That is one read, the block another.
 *
 * A checksum is XXH64 with the seed 0 where no other is named (base/xxh64.h).
 *
 * Version 1 is read: blocks of up to 65536 bytes, no index; the end is 16 bytes, 8 of them 0 and
 * the number of records, and a checksum. There a checksum is the 64-bit FNV-1a of every byte of the
 * file before it (base/checksum.h).
 *
 * The unit: an option "unit N" (N = 65536, see amount.h) says that N of what is counted make one
 * game; without it what is counted are games.
 *
 * Mirrored: with an option "mirror white" every position is counted as if White were to move. One
 * with Black to move stands there with colours exchanged (chess/mirror.h), and its moves with it,
 * so that equal positions of different colours share their counts, which are those of the side to
 * move as ever. Source: S. J. Edwards on the book of his program Symbolic, talkchess.com, July
 * 2015.
 *
 * With an option "min-games N" moves of fewer games were left out when all had been counted.
 *
 * Source: LEB128: the DWARF 4 standard, section 7.6. */
#pragma once

#include <stddef.h>

#include "book/statistics/print.h"
#include "book/statistics/tally.h"
#include "book/statistics/wld_block.h"
#include "book/statistics/wld_header.h"

struct wld_file;

/* Gives up to `capacity` bytes, *size = 0 at the end. */
typedef enum caxton_status (*wld_source)(void *context, char *buffer, size_t capacity,
                                         size_t *size);

/* A wld_source of a stdio stream. */
enum caxton_status wld_read_stream(void *stream, char *buffer, size_t capacity, size_t *size);

struct wld_reader;

/* Reads the header. One block is in memory at a time. `name` is copied, for messages.
 * Errors: STATUS_NOT_FOUND (no statistics at all), STATUS_FORMAT (damaged, cut, of a later version
 * or counted in a way of a later version; `diag` says what at which byte), STATUS_NO_MEMORY, those
 * of the source. */
MUST_CHECK enum caxton_status wld_reader_create(wld_source source, void *context, const char *name,
                                                struct wld_reader **out, struct diag *diag);
void wld_reader_destroy(struct wld_reader *reader); /* NULL is allowed */

/* As above, of a file that is open for looking up (wld_file.h), which is borrowed; from the record
 * `first` on, to the last with a key of at most `last`. 0 and UINT64_MAX: all of it, and the index
 * and the end are checked, too. Errors: also STATUS_IO. */
MUST_CHECK enum caxton_status wld_reader_create_range(const struct wld_file *file, uint64_t first,
                                                      uint64_t last, struct wld_reader **out,
                                                      struct diag *diag);

/* Of such a reader: damaged blocks are given to `sink` and stepped over, with all their records.
 * diag: what is wrong at which byte. */
typedef void (*wld_damage_sink)(void *context, const struct diag *diag);
void wld_reader_forgive(struct wld_reader *reader, wld_damage_sink sink, void *context);

const struct wld_info *wld_reader_info(const struct wld_reader *reader);
const char *wld_reader_name(const struct wld_reader *reader); /* for messages */

/* A print_source of a reader of all of a file: before its first record. Files without the option
 * "fingerprints" have none. Errors: STATUS_END, STATUS_FORMAT, those of the source. */
MUST_CHECK enum caxton_status wld_reader_next_print(void *reader, struct fingerprint *out,
                                                    struct diag *diag);

/* A tally_source: the next record; none is given out whose checksum was not right.
 * Errors: STATUS_END (and the file was whole), STATUS_FORMAT, those of the source. */
MUST_CHECK enum caxton_status wld_reader_next(void *reader, struct tally *out, struct diag *diag);
