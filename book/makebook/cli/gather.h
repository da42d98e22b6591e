/* A book in memory that is made of several books, or of the moves of one side of a book. */
#pragma once

#include "book/entry_table.h"
#include "book/format.h"

/* Begins as {0}. */
struct gathering {
    struct entry_list list;
    struct position *roots; /* that the books name */
    size_t root_count;
    size_t root_capacity;
};

/* Adds all moves of the book; weights of the same move add up, to 2^32 - 1 at most. `diag` says
 * what could not be had, "" for nothing. Errors: STATUS_NO_MEMORY, STATUS_RANGE. */
MUST_CHECK enum caxton_status gather_book(struct gathering *gathering, const struct book *book,
                                          struct diag *diag);

/* Adds the moves of one side, in the positions that lines reach. As gather_book(). */
MUST_CHECK enum caxton_status gather_color(struct gathering *gathering, const struct book *book,
                                           int color, struct diag *diag);

/* Sets the weight of the move, whatever it was, and makes its position a root. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status gather_move(struct gathering *gathering,
                                          const struct book_addition *addition);

/* Makes the book, which takes all over. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status gather_finish(struct gathering *gathering, const char *name,
                                            struct book **out);

void gather_free(struct gathering *gathering); /* of {0} and after gather_finish(), too */
