/* Where the lines of a book end. */
#ifndef CAXTON_BOOK_MAKEBOOK_COMMANDS_LEAVES_H
#define CAXTON_BOOK_MAKEBOOK_COMMANDS_LEAVES_H

#include "base/status.h"
#include "book/polyglot_entry.h"

struct leaves {
    bool known;
    uint64_t leaves;    /* moves that the book has nothing to say after */
    uint64_t unreached; /* positions of the book on no line from the root, whose moves were not
                           looked at */
};

/* Follows the moves of the book file `path` from `root`. A move is a leaf when the position behind
 * it is not in the book; with `one_side`, for a book of the moves of one side or player, when that
 * is also true of the positions behind all replies, which count as lines then. A book knows keys
 * and no positions: what no line reaches cannot be judged. Reads the book into memory, and a bit
 * for each entry; out->known is false when those exceed `memory_bytes` or `path` is no plain file.
 * Errors: STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status leaves_count(const char *path, size_t memory_bytes,
                                           const struct position *root, bool one_side,
                                           struct leaves *out);

/* The same of statistics: a move is a leaf when it has no move behind it. */
MUST_CHECK enum caxton_status leaves_count_stats(const char *path, size_t memory_bytes,
                                                 const struct position *root, struct leaves *out);

#endif
