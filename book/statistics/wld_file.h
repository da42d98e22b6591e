/* A statistics file (wld.h) read: looked up where it lies, of a file of any size nothing is loaded
 * but a page of the index and a block, or now and then two; or read in order, also from a stream.
 */
#pragma once

#include "book/statistics/wld.h"
#include "chess/movegen.h"

struct wld_file;

/* Opens a regular file. Header and end are checked, blocks when they are read.
 * Errors: STATUS_NOT_FOUND (no statistics, or no regular file), STATUS_FORMAT,
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
uint64_t wld_file_moves(const struct wld_file *file);

/* The same, or with facets the number of facets of moves. */
uint64_t wld_file_records(const struct wld_file *file);

struct wld_identity wld_file_identity(const struct wld_file *file);

/* Gives the facets of the moves of the position with this key to `sink`, in the order of
 * tally_compare(); there may be none. Any thread. Errors: STATUS_FORMAT (a block that was read is
 * damaged, or the index does not fit it: `diag` says at which byte), STATUS_IO, those of the sink.
 */
MUST_CHECK enum caxton_status wld_file_find_facets(const struct wld_file *file, uint64_t key,
                                                   tally_sink sink, void *context,
                                                   struct diag *diag);

/* The same under each of the position's keys (movegen_keys()), one after the other. */
MUST_CHECK enum caxton_status wld_file_find(const struct wld_file *file, const struct position *pos,
                                            tally_sink sink, void *context, struct diag *diag);

/* Sums of the moves of a position. Begins as {filter}. */
struct wld_moves {
    const struct facet_filter *filter; /* of the games that count; NULL: all do */
    size_t count;
    struct tally sums[MOVES_MAX]; /* all facets of a move; the facet is 0 */
    struct wld_move_more {
        uint64_t rated; /* of these games both ratings are known */
        uint32_t first; /* month, and */
        uint32_t last;  /* the last; 0: none is known */
    } more[MOVES_MAX];
};

/* A tally_sink, of one position's tallies in any order. What is beyond MOVES_MAX is of another
 * position with the same key. */
enum caxton_status wld_moves_take(void *moves, const struct tally *tally);

/* Reading in order -------------------------------------------------------------------------- */

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

/* As above, of a file that is open for looking up, which is borrowed; from the record
 * `first` on, to the last with a key of at most `last`. 0 and UINT64_MAX: all of it, and the index
 * and the end are checked, too. Errors: also STATUS_IO. */
MUST_CHECK enum caxton_status wld_reader_create_range(const struct wld_file *file, uint64_t first,
                                                      uint64_t last, struct wld_reader **out,
                                                      struct diag *diag);

/* Of such a reader: damaged blocks are given to `sink` and stepped over, with all their records.
 * diag: what is wrong at which byte. */
typedef void (*wld_damage_sink)(void *context, const struct diag *diag);
void wld_reader_forgive(struct wld_reader *reader, wld_damage_sink sink, void *context);

/* Only games that pass count from now on, in a file with facets; NULL: all. `filter` is borrowed.
 */
void wld_reader_filter(struct wld_reader *reader, const struct facet_filter *filter);

/* That filter; NULL: all count. */
const struct facet_filter *wld_reader_filtered(const struct wld_reader *reader);

const struct wld_info *wld_reader_info(const struct wld_reader *reader);
const char *wld_reader_name(const struct wld_reader *reader); /* for messages */

/* A fingerprint_source of a reader of all of a file: before its first record. Files without the
 * option "fingerprints" have none. Errors: STATUS_END, STATUS_FORMAT, those of the source. */
MUST_CHECK enum caxton_status wld_reader_next_fingerprint(void *reader, struct fingerprint *out,
                                                          struct diag *diag);

/* A tally_source: the next move; none is given out whose checksum was not right.
 * Errors: STATUS_END (and the file was whole), STATUS_FORMAT, those of the source. */
MUST_CHECK enum caxton_status wld_reader_next(void *reader, struct tally *out, struct diag *diag);

/* The same of each facet apart. One reader is read by one of the two. */
MUST_CHECK enum caxton_status wld_reader_next_facet(void *reader, struct tally *out,
                                                    struct diag *diag);

/* Gives all moves that are left to `sink`. Errors: as wld_reader_next() without STATUS_END, what
 * the sink returns (`diag` untouched). */
MUST_CHECK enum caxton_status wld_reader_give(struct wld_reader *reader, tally_sink sink,
                                              void *context, struct diag *diag);
