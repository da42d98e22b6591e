/* Where games of data generation start. */
#pragma once

#include "base/rng.h"
#include "book/book.h"
#include "chess/game.h"

/* Of a random ending, kings included. */
enum { ENDING_PIECES_MIN = 3, ENDING_PIECES_MAX = 8 };

/* Where a game starts. */
enum start_kind {
    START_ENDING,          /* few pieces on random squares */
    START_CHESS960,        /* a Chess960 position */
    START_DOUBLE_CHESS960, /* one for White and another for Black */
    START_BOOK,            /* moves of a book */
    START_OPENING,         /* a position of a file */
    START_KINDS            /* and for the rest of the games, the start position */
};

enum { STARTS_BOOKS_MAX = 64 };

/* Shared by all games, which only read it. */
struct datagen_starts {
    struct book *books[STARTS_BOOKS_MAX]; /* all equally likely */
    int book_count;
    struct position *openings; /* owned; NULL: none */
    size_t opening_count;
    int percent[START_KINDS]; /* of the games, at most 100 together */
};

/* Opens the books and reads the FEN or EPD lines of the file of openings; empty lines are left out.
 * openings: NULL for none. book_count 0: the built-in book. To be closed in any case.
 * Errors: those of book_open(); STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_NO_MEMORY; `diag` says where.
 */
MUST_CHECK enum caxton_status starts_open(struct datagen_starts *starts, const char *openings,
                                          const char *const *books, size_t book_count,
                                          struct diag *diag);
void starts_close(struct datagen_starts *starts);

/* Sets `game` to a random start that is not the end of the game. *is_ending: it has few pieces.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status starts_set_up(const struct datagen_starts *starts, struct rng *rng,
                                            struct game *game, bool *is_ending);
