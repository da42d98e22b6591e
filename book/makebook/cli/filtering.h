/* The options that say which games count, for commands that read games. */
#pragma once

#include "book/count/filter/filter.h"
#include "book/makebook/cli/command.h"

/* Begins as {0}. */
struct filtering {
    struct filter_setting settings[FILTER_ROWS_MAX]; /* by row of filter_rows */
};

/* Fills rows[0..FILTER_ROWS_MAX) with the options of all filters, whose values go into `filtering`.
 * Returns how many they are. */
size_t filtering_rows(struct filtering *filtering, struct option_row *rows);

#define FILTERING_ABOUT                                                                            \
    "A game counts if it is standard chess from the usual start position and has a result. What\n" \
    "an option asks about and a game does not tell (no Elo, a date of ????.??.??, no\n"            \
    "TimeControl) leaves the game out; so does a date that may lie on either side of --since or\n" \
    "--until. Equal games count once: same White, Black, Date, Result, start and moves, to the\n"  \
    "end. --max-ply counts from the start of the game, also with --start. --eco goes by the ECO\n" \
    "tag, and where it is missing by the deepest named position that --max-ply plies reach.\n"     \
    "Classes of time control are those of Lichess, by base + 40 increments: less than 180 s\n"     \
    "bullet, 480 blitz, 1500 rapid; to a day classical; more, or \"-\", correspondence."

/* Makes a filter of it, which borrows the names. The answer is EXIT_DONE or the exit status of a
 * fault, which is named on standard error. */
enum exit_status filtering_read(const struct command_line *line, const struct filtering *filtering,
                                struct filter *out);
