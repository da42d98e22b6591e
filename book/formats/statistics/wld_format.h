/* Statistics (.wld, book/statistics/wld.h) as a book. What games say of each move are its facts
 * (struct book_format.facts), exactly.
 *
 * To play from (wld_format, wld_disk_open()) the weight of a move is its score, two for each win
 * and one for each draw; where a position's largest does not fit 16 bits its weights are scaled in
 * proportion. makebook convert makes books by other formulas. To look into (wld_book_read()) it is
 * the number of its games.
 *
 * Mirrored statistics are a kind of their own: a position with Black to move is looked up with
 * colours exchanged. What they know can be found by walking only, see book/graph/graph.h. */
#pragma once

#include "book/book.h"
#include "book/format.h"
#include "book/statistics/wld_file.h"

extern const struct book_format wld_format;
extern const struct book_format wld_mirrored_format;

/* Opens a file of version 2 that stays on disk: a position is looked up there, whatever the size,
 * by about two reads. Where a block is damaged the book knows no move of its positions; makebook
 * verify names it. Errors: STATUS_NOT_FOUND (no statistics of this version, or no regular file),
 * STATUS_FORMAT (header or end are damaged, or there is no move), STATUS_IO, STATUS_NO_MEMORY;
 * `diag` (may be NULL) says "NAME: what". */
MUST_CHECK enum caxton_status wld_disk_open(const char *path, struct book **out, struct diag *diag);

/* The same of a file that is open, and stays so as long as the book, with moves or without. NULL:
 * of a stream that nothing was read of but `info`: a book that knows no move. filter: of the games
 * that count, borrowed; NULL: all do. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status wld_book_of(const struct wld_file *file, const struct wld_info *info,
                                          const struct facet_filter *filter, const char *name,
                                          struct book **out, struct diag *diag);

/* What the weights of a book that was read count. */
enum wld_weights {
    WLD_WEIGHTS_GAMES, /* beginning with 1: what other books are measured with */
    WLD_WEIGHTS_UNITS, /* of the reader: exact shares */
};

/* What is read of statistics. {0}: games of every move as weights, no facts. */
struct wld_book_options {
    enum wld_weights weights;
    uint64_t min_games;          /* moves of fewer games are left out */
    size_t most;                 /* moves, of more there is no book; 0: any number */
    bool facts;                  /* of all moves, in memory */
    const struct position *only; /* or of this position alone; then more than `most` moves make a
                                    book without a move, which knows them all the same */
    const struct wld_file *file; /* or they are looked up there; it stays open */
};

/* A book with every move of the statistics, however it scored: its weight is the number of its
 * games, all of them halved alike, but never to 0, until the largest fits 32 bits. Errors: as
 * wld_reader_next(), STATUS_NO_MEMORY, STATUS_RANGE (more than options->most, without a word). */
MUST_CHECK enum caxton_status wld_book_read(struct wld_reader *reader, const char *name,
                                            const struct wld_book_options *options,
                                            struct book **out, struct diag *diag);

/* Writes the Polyglot entries that `options` make of all moves to `out`. Errors: those of the
 * reader and of struct weigher. */
struct weigh_options;
struct weigh_report;
MUST_CHECK enum caxton_status wld_weigh(struct wld_reader *reader,
                                        const struct weigh_options *options, FILE *out,
                                        struct weigh_report *report, struct diag *diag);

/* A book out of entries as a weigher makes them of mirrored statistics: Polyglot's, in order. They
 * stay valid until book_close(). Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status wld_format_mirrored(const uint8_t *entries, size_t count,
                                                  const char *name, struct book **out,
                                                  struct diag *diag);
