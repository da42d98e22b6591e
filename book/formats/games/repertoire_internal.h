/* Reading games with variations move by move. For the files repertoire*.c only. */
#ifndef CAXTON_BOOK_FORMATS_GAMES_REPERTOIRE_INTERNAL_H
#define CAXTON_BOOK_FORMATS_GAMES_REPERTOIRE_INTERNAL_H

#include "book/formats/games/repertoire.h"
#include "book/position_book.h"

/* A move as it stands in the text. */
struct repertoire_move {
    uint64_t key; /* of the position before */
    move m;
    const char *end;         /* of its word */
    struct span weight_text; /* of [%weight N] behind it; empty for none */
    bool non_book;           /* N is '-' */
};
typedef void repertoire_visit(void *context, const struct repertoire_move *found);

/* A book_reader that tells of each move, in the order of the text; visit: NULL for nobody. */
MUST_CHECK enum caxton_status repertoire_read(const uint8_t *bytes, size_t size,
                                              struct book_input *input, repertoire_visit *visit,
                                              void *context);

/* As struct book_format.add: weights that are stated are replaced; a move without one gets a
 * comment; a new one becomes a game at the end. */
MUST_CHECK enum caxton_status repertoire_add(const uint8_t *bytes, size_t size,
                                             const struct book_addition *addition, FILE *out,
                                             struct diag *diag);

#endif
