/* Where games of data generation start. */
#pragma once

#include "base/rng.h"
#include "book/book.h"
#include "chess/game.h"

/* Of a random ending, kings included. */
enum { ENDING_PIECES_MIN = 3, ENDING_PIECES_MAX = 8 };

/* Shared by all games, which only read it. */
struct starts {
    const struct book *book;
    struct position *openings; /* owned; NULL: none */
    size_t opening_count;
    size_t opening_capacity;
    int chess960_percent;
    int endings_percent;
};

/* Reads the FEN or EPD lines of a file into starts->openings, which the caller frees. Empty lines
 * are left out. Errors: STATUS_IO, STATUS_SYNTAX, STATUS_ILLEGAL, STATUS_NO_MEMORY; `diag` says
 * where. */
MUST_CHECK enum caxton_status starts_read_openings(struct starts *starts, const char *path,
                                                   struct diag *diag);

/* Sets `game` to a random start that is not the end of the game. *is_ending: it has few pieces.
 * Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status starts_set_up(const struct starts *starts, struct rng *rng,
                                            struct game *game, bool *is_ending);
