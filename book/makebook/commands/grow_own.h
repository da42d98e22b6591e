/* What our side plays in makebook grow without a search or beside it: lines to where the book
 * starts, a repertoire that is kept, what people score with a move. */
#pragma once

#include "book/grow/grow.h"
#include "book/grow/preferences.h"
#include "book/makebook/cli/command.h"
#include "book/makebook/cli/gather.h"
#include "book/makebook/cli/source.h"

enum { GROW_OWN_ROWS = 6 };

/* Begins as {0}. */
struct grow_own {
    struct option_texts starts;
    const char *keep;
    const char *practical;
    int64_t prior;
    int64_t often;
    int64_t leave;

    struct starts *read_starts; /* after grow_own_read(); NULL: the usual start */
    struct practical rule;      /* likewise */
    struct own_preference preference;
    struct source kept; /* after grow_own_open() */
};

/* Fills rows[0..GROW_OWN_ROWS). */
void grow_own_rows(struct grow_own *own, struct option_row *rows);

/* Reads the options into `out`, which has the opponent and the margin already. results: what the
 * practical choice is made by, may be filled later. Returns EXIT_DONE or an exit status. */
int grow_own_read(const struct command_line *line, struct grow_own *own,
                  const struct results *results, struct grow_options *out);

/* Opens the book to be kept. Returns EXIT_DONE or EXIT_FAILED. */
int grow_own_open(const struct command_line *line, struct grow_own *own, struct grow_options *out);

/* Adds what is kept for that side, whole, whether the grown book reaches it or not. Errors: those
 * of gather_color(). */
MUST_CHECK enum caxton_status grow_own_gather(const struct grow_own *own, int side,
                                              struct gathering *gathering, struct diag *diag);

void grow_own_close(struct grow_own *own);
