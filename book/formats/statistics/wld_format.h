/* Statistics (.wld, book/statistics/wld.h) as a book to play from: the weight of a move is its
 * score, two for each win and one for each draw; where a position's largest does not fit 16 bits
 * its weights are scaled in proportion. makebook convert makes books by other formulas.
 *
 * Mirrored statistics are a kind of their own: a position with Black to move is looked up with
 * colours exchanged. What they know can be found by walking only, see book/graph/graph.h. */
#pragma once

#include "book/book.h"
#include "book/format.h"
#include "book/statistics/wld_file.h"

extern const struct book_format wld_format;
extern const struct book_format wld_mirrored_format;

/* Who reads statistics into a book and wants to see them, too; borrowed, NULL: nobody. */
struct wld_watcher {
    tally_sink sink;
    void *context;
    size_t most; /* moves; of more no book is made, *out is NULL then */
};

/* What the weights of such a book count. */
enum wld_weights {
    WLD_WEIGHTS_GAMES, /* beginning with 1: what other books are measured with */
    WLD_WEIGHTS_UNITS, /* of the reader: exact shares */
};

/* A book with every move of the statistics, however it scored: its weight is the number of its
 * games, all of them halved alike, but never to 0, until the largest fits 32 bits. Reads to the
 * end. Errors: as wld_reader_next(), STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status wld_format_counts(struct wld_reader *reader, const char *name,
                                                enum wld_weights weights,
                                                const struct wld_watcher *watcher,
                                                struct book **out, struct diag *diag);

/* A book out of entries as a weigher makes them of mirrored statistics: Polyglot's, in order. They
 * stay valid until book_close(). Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status wld_format_mirrored(const uint8_t *entries, size_t count,
                                                  const char *name, struct book **out,
                                                  struct diag *diag);
