/* Caxton's statistics files (.wld): wins, draws and losses of each (position, move), exactly.
 *
 * The same counts and options give the same bytes, so that files merged in any order and grouping
 * are equal byte for byte. Numbers are little-endian. A file is a header, blocks of records, an
 * index of the blocks, and an end:
 *
 *     header  8 bytes  "CAXWLD" CR LF: what a transfer as text would change is part of it
 *             4        version, 2; with facets 3
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
 *     end     8        how many records the file has; with facets: how many facets of moves
 *             8        how many blocks
 *             8        the digest of the checksums of fingerprints and blocks: from 0 on, XXH64 of
 *                      the next checksum, the digest so far as the seed
 *             8        with facets only: how many moves
 *             8        checksum of the end before it, that of the header as the seed; the last
 *                      bytes of the file
 *
 *     record  varint   its key minus the key of the record before; the first of a block: its key
 *             2        the move as book/polyglot_entry.h stores it
 *             varint   wins of the side that makes the move, in the unit of the file
 *             varint   draws
 *             varint   losses
 *
 * With facets (an option "facets rating,speed,month", or some of them) a record has, behind key and
 * move, so many facets and then each facet, ascending:
 *
 *     facet   varint   4 times its difference to the facet before, the first: to 0, and 0, 1, 2:
 * what follows is one game that is won, drawn, lost; 3: the counts follow varint   wins, draws,
 * losses, each one, if so 3        if its group is not 0, of one game: the ratings of who makes the
 * move and of the opponent, 12 bits each; of more games two varints: the sums (tally.h)
 *
 * A facet is the number that facets.h makes. A record has at most 255 of them; a move that has more
 * goes on in another record. In a block the number of facets stands for that of records.
 *
 * Records ascend by key, then move; each (key, move) is there once, with at least one and at most
 * TALLY_GAMES_MAX games. A varint is LEB128, unsigned: seven bits a byte, the lowest first, the
 * eighth bit says that more follow; no longer than it must be. A block ends where one more record
 * would exceed its size, and where the first 6 bits of the key change: 64 ranges of keys can be
 * written side by side.
 *
 * Looking up: keys are hashes, evenly spread, so that the page of a key is nearly always where the
 * key stands among all numbers. That is one read, the block another.
 *
 * A checksum is XXH64 with the seed 0 where no other is named (base/xxh64.h).
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

#include "base/fingerprint.h"
#include "base/text.h"
#include "book/statistics/tally.h"
#include "book/statistics/wld_blocks.h"

/* Header ----------------------------------------------------------------------------------- */

#define WLD_MAGIC "CAXWLD\r\n"
enum {
    WLD_MAGIC_SIZE = sizeof WLD_MAGIC - 1,
    WLD_START_SIZE = WLD_MAGIC_SIZE + 8, /* before the options */
    WLD_VERSION = 2,
    WLD_VERSION_FACETS = 3,
    WLD_OPTIONS_MAX = 16384,
    WLD_HEADER_MAX = WLD_START_SIZE + WLD_OPTIONS_MAX + WLD_CHECKSUM_SIZE
};

/* What the header says of the counts. */
struct wld_info {
    char options[WLD_OPTIONS_MAX + 1];
    uint64_t unit;      /* so many units of what is counted make one game: 1 or TALLY_UNIT */
    uint64_t min_games; /* moves of fewer games were left out; 0: none were. Of several such options
                           the largest */
    unsigned facets;    /* which of the games are told apart: FACET_RATING .. */
    bool mirrored;
    bool has_fingerprints; /* fingerprints of the games stand before the blocks */
};

/* The option of files with fingerprints. Its number changes when base/fingerprint.h or what is told
 * apart by them (filter_fingerprint()) does. */
#define WLD_FINGERPRINTS_OPTION "fingerprints 2"

/* The option of files with facets: "facets rating,month". `out` holds the longest. */
enum { WLD_FACETS_OPTION_MAX = 40 };
void wld_facets_option(unsigned facets, char out[WLD_FACETS_OPTION_MAX]);

/* The size of the end of such a file. */
static inline size_t wld_foot_size(const struct wld_info *info)
{
    return info->facets ? WLD_FOOT_MAX : WLD_FOOT_SIZE;
}

struct wld_header {
    unsigned version;
    size_t size; /* all of it */
    uint64_t checksum;
    struct wld_info info;
};

/* Do these first bytes of a file announce statistics? */
bool wld_is_magic(const uint8_t *bytes, size_t size);

/* Do the first bytes of a file announce statistics that are mirrored? At least the header. */
bool wld_is_mirrored(const uint8_t *bytes, size_t size);

/* Reads the size of a header off the first WLD_START_SIZE bytes of the file `name`, whose
 * magic is right. Errors: STATUS_FORMAT; `diag` says what at which byte. */
MUST_CHECK enum caxton_status wld_header_start(const uint8_t *bytes, const char *name,
                                               struct wld_header *out, struct diag *diag);

/* Reads the rest of it, of all header->size bytes. Errors: as above. */
MUST_CHECK enum caxton_status wld_header_finish(const uint8_t *bytes, const char *name,
                                                struct wld_header *header, struct diag *diag);

/* Options: lines "NAME VALUE", each once, in the order of their bytes. --------------------------
 */

/* Adds the lines of `more` to the options in united[WLD_OPTIONS_MAX + 1]: each line once, in the
 * order of their bytes. Errors: STATUS_RANGE (too long), `united` as it was. */
MUST_CHECK enum caxton_status wld_unite_options(char *united, const char *more);

bool wld_options_have(const char *options, const char *line);

/* Takes the line out, if it is there. */
void wld_options_drop(char *options, const char *line);

/* Do they differ? Then the first line that only `one` has and the first that only `other` has, each
 * empty if there is none. */
bool wld_options_differ(const char *one, const char *other, struct span *only_one,
                        struct span *only_other);

/* Records ---------------------------------------------------------------------------------- */

enum { WLD_RANGE_BITS = 6 }; /* no block has keys that differ in these first bits */

/* Records on their way out of a block, with facets one facet after the other. */
struct wld_records {
    const struct wld_info *info; /* borrowed */
    const uint8_t *start;
    const uint8_t *at;
    const uint8_t *end;
    uint64_t left;        /* records; with facets: facets */
    uint64_t facets_left; /* of the present record */
    uint64_t key;         /* of the one before; 0 for the first */
    uint32_t facet;
    uint16_t move;
};

struct wld_records wld_records_of(const uint8_t *records, const struct wld_block_head *head,
                                  const struct wld_info *info);

/* The next one; records->left is not 0. False: it is none that a writer makes, or it is the last
 * and bytes follow. */
bool wld_records_next(struct wld_records *records, struct tally *out);

/* Fingerprints of games ascend. */
enum { WLD_FINGERPRINT_SIZE = 16 };

/* Gives the next fingerprint of a sequence in ascending order; STATUS_END at its end. */
typedef enum caxton_status (*fingerprint_source)(void *context, struct fingerprint *out,
                                                 struct diag *diag);

/* Receives fingerprints in ascending order, each once. */
typedef enum caxton_status (*fingerprint_sink)(void *context, struct fingerprint print);

/* Writing ---------------------------------------------------------------------------------- */

/* Equal for two files: they hold the same options and counts. */
struct wld_identity {
    uint64_t header; /* its checksum */
    struct wld_foot foot;
};
bool wld_identity_is_equal(const struct wld_identity *a, const struct wld_identity *b);

/* Keeps the index until the end: 16 bytes for a block of 16 KiB. */
struct wld_writer;

/* Writes the header to `out`, which stays the caller's. `options` as wld_unite_options()
 * makes them. Errors: STATUS_NO_MEMORY, STATUS_RANGE (options too long), STATUS_IO.
 */
MUST_CHECK enum caxton_status wld_writer_create(FILE *out, const char *options,
                                                struct wld_writer **writer);
void wld_writer_destroy(struct wld_writer *writer); /* NULL is allowed */

/* A fingerprint_sink, for files with WLD_FINGERPRINTS_OPTION: before the first tally. Errors:
 * STATUS_IO, STATUS_FORMAT (a file without fingerprints, or too late). */
MUST_CHECK enum caxton_status wld_writer_take_fingerprint(void *writer, struct fingerprint print);

/* A tally_sink. Errors: STATUS_IO, STATUS_NO_MEMORY, STATUS_RANGE (more games than TALLY_GAMES_MAX,
 * or none), STATUS_FORMAT (out of order, or a facet in a file without). */
MUST_CHECK enum caxton_status wld_writer_take(void *writer, const struct tally *tally);

/* Writes the last block and the end. *moves: how many the file has. */
MUST_CHECK enum caxton_status wld_writer_finish(struct wld_writer *writer, uint64_t *moves);

/* After it: what tells the file from others. */
struct wld_identity wld_writer_identity(const struct wld_writer *writer);
