/* What several books know, or one of them says of one side, as a book in memory. */
#ifndef CAXTON_BOOK_MAKEBOOK_CLI_GATHER_H
#define CAXTON_BOOK_MAKEBOOK_CLI_GATHER_H

#include "book/entry_table.h"
#include "book/format.h"

/* Begins as {0}. */
struct gathering {
    struct entry_list list;
    struct position *roots; /* that the books name */
    size_t root_count;
};

/* Adds all moves of the book; weights of the same move add up, to 2^32 - 1 at most. `diag` says
 * what could not be had, "" for nothing. Errors: STATUS_NO_MEMORY, STATUS_RANGE. */
MUST_CHECK enum caxton_status gather_book(struct gathering *gathering, const struct book *book,
                                          struct diag *diag);

/* The same of the moves of one side, in the positions that lines reach. */
MUST_CHECK enum caxton_status gather_color(struct gathering *gathering, const struct book *book,
                                           int color, struct diag *diag);

/* Gives the move the weight, and no other; the position is one that the book names. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status gather_move(struct gathering *gathering,
                                          const struct book_addition *addition);

/* Makes the book, which takes all over. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status gather_finish(struct gathering *gathering, const char *name,
                                            struct book **out);

void gather_free(struct gathering *gathering); /* of {0} and after gather_finish(), too */

#endif
