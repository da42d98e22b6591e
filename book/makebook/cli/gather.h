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

/* How several books become one. */
enum gather_policy {
    GATHER_SUM,        /* the weights of the same move add up, to 2^32 - 1 at most */
    GATHER_NORMALISED, /* the same, when each book's weights of a position sum up to as much */
    GATHER_PRIORITY,   /* the first book that plays a move in a position has all its moves */
};

/* Adds all moves of the book. `diag` says what could not be had, "" for nothing. Errors:
 * STATUS_NO_MEMORY, STATUS_RANGE. */
MUST_CHECK enum caxton_status gather_book(struct gathering *gathering, const struct book *book,
                                          enum gather_policy policy, struct diag *diag);

/* Adds the moves of one side, in the positions that lines reach. As gather_book(). */
MUST_CHECK enum caxton_status gather_color(struct gathering *gathering, const struct book *book,
                                           int color, struct diag *diag);

/* Adds the positions beside the standard start that the book names. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status gather_roots(struct gathering *gathering, const struct book *book,
                                           struct diag *diag);

/* Sets the weights of the moves, whatever they were, and makes their positions roots. No move is
 * there twice. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status gather_additions(struct gathering *gathering,
                                               const struct book_addition *additions, size_t count);

/* Makes a position one from which the book is reached, as those that books name. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status gather_root(struct gathering *gathering, const struct position *root);

/* Sorts `list` and adds the moves of those positions in which it plays none: each position has the
 * moves of the first who adds some. A move that `list` has with weight 0 is not added. Errors:
 * STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status gather_new(struct entry_list *list, const struct entry_list *added);

/* Makes the book, which takes all over. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status gather_finish(struct gathering *gathering, const char *name,
                                            struct book **out);

void gather_free(struct gathering *gathering); /* of {0} and after gather_finish(), too */
