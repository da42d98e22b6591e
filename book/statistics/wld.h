/* Caxton's statistics files (.wld): wins, draws and losses of each (position, move), exactly.
 *
 * The same counts and options give the same bytes, so that files merged in any order and grouping
 * are equal byte for byte. Numbers are little-endian. A file is a header, blocks of records, and an
 * end:
 *
 *     header  8 bytes  "CAXWLD" CR LF: what a transfer as text would change is part of it
 *             4        version, 1
 *             4        n, the size of the options, at most WLD_OPTIONS_MAX
 *             n        the options that decided what was counted: lines "NAME VALUE", each ended
 *                      by LF, each once, in the order of their bytes
 *             8        checksum
 *     block   4        n, the size of its records, 1..65536
 *             4        how many they are
 *             n        the records
 *             8        checksum
 *     end     4        0
 *             4        0
 *             8        how many records the file has
 *             8        checksum, the last bytes of the file
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
 * would exceed its size.
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
 * A checksum is the 64-bit FNV-1a of every byte of the file before it. The step of a byte can be
 * undone, so that one wrong byte is certain to be found, more of them but for one case in 2^64.
 * Source: Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", IETF
 * draft-eastlake-fnv. LEB128: the DWARF 4 standard, section 7.6. */
#pragma once

#include <stddef.h>

#include "book/statistics/tally.h"

#define WLD_MAGIC "CAXWLD\r\n"
enum {
    WLD_MAGIC_SIZE = sizeof WLD_MAGIC - 1,
    WLD_HEADER_SIZE = WLD_MAGIC_SIZE + 8,
    WLD_CHECKSUM_SIZE = 8,
    WLD_VERSION = 1,
    WLD_OPTIONS_MAX = 16384,
    WLD_BLOCK_MAX = 65536
};

/* Games or units of one record, so that sums and scores of a few fit 64 bits. */
#define WLD_GAMES_MAX (UINT64_C(1) << 60)

static inline bool wld_is_countable(const struct tally *tally)
{
    uint64_t sum = 0;
    for (int i = 0; i < OUTCOMES; i++) {
        if (tally->counts[i] > WLD_GAMES_MAX)
            return false;
        sum += tally->counts[i];
    }
    return sum > 0 && sum <= WLD_GAMES_MAX;
}

/* Do these first bytes of a file announce statistics? */
bool wld_is_magic(const uint8_t *bytes, size_t size);

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

/* What the header says of the counts. */
struct wld_info {
    char options[WLD_OPTIONS_MAX + 1];
    uint64_t unit;      /* so many units of what is counted make one game: 1 or TALLY_UNIT */
    uint64_t min_games; /* moves of fewer games were left out; 0: none were. Of several such options
                           the largest */
    bool mirrored;
};
const struct wld_info *wld_reader_info(const struct wld_reader *reader);

/* Do the first bytes of a file announce statistics that are mirrored? At least the header. */
bool wld_is_mirrored(const uint8_t *bytes, size_t size);

/* A tally_source: the next record; none is given out whose checksum was not right.
 * Errors: STATUS_END (and the file was whole), STATUS_FORMAT, those of the source. */
MUST_CHECK enum caxton_status wld_reader_next(void *reader, struct tally *out, struct diag *diag);
