/* Reading games with variations, move by move. */
#pragma once

#include "book/position_book.h"

enum { REPERTOIRE_DEPTH_MAX = 200 }; /* variations inside each other; deeper ones are a fault */

/* A move as it stands in the text. */
struct repertoire_move {
    uint64_t key; /* of the position before */
    move m;
    const char *end;         /* of its word */
    struct span weight_text; /* of [%weight N] behind it; empty for none */
    bool non_book;           /* N is '-' */
};
typedef void repertoire_visit(void *context, const struct repertoire_move *found);

/* Are these games that were played, rather than a repertoire? 100 Result tags that say who won,
 * White and Black among them, before the first variation or weight. */
bool repertoire_are_games(struct span text);
#define REPERTOIRE_ARE_GAMES                                                                       \
    "games with results, no repertoire: makebook build makes a book of them"

/* Reads into a book_input and tells of each move, in the order of the text; visit: NULL for
 * nobody. */
MUST_CHECK enum caxton_status repertoire_read(const uint8_t *bytes, size_t size,
                                              struct book_input *input, repertoire_visit *visit,
                                              void *context);

/* Where the tags of the first game begin, as pgn_next() finds them behind comments and prose;
 * text.size: it has none. Of a file that does not begin so the first 64 KiB are looked at. */
size_t repertoire_tags(struct span text);

/* Is the word how a game ended: "1-0", "1/2-1/2"? */
bool repertoire_is_result(struct span word);
