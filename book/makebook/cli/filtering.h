/* The options that say which games count, and how much of each, for commands that read games. */
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

/* Options that let games count in parts: by their age and the Elo of their players. */

/* Begins as {0}. */
struct ageing {
    int64_t half_life; /* in thousandths of a year; 0 = not given; so elo_points and elo_unknown */
    const char *as_of;
    int64_t elo_points;
    int64_t elo_reference;
    int64_t elo_unknown;
};

/* Rows for a command's table; `a` is a struct ageing. */
/* clang-format off */
#define AGEING_ROWS(a) \
    DECIMAL_ROW("half-life", "YEARS", "a game counts half every YEARS before --as-of", \
                &(a).half_life, 3, 1, 1000000, .wants = "years from 0.001 to 1000, such as 7.5"), \
    TEXT_ROW("as-of", 0, "DATE", "the day games are aged to (today); wanted with --stats", \
             &(a).as_of, .needs = "half-life"), \
    NUMBER_ROW("elo-weight", 0, "POINTS", \
               "a game counts twice for every POINTS above --elo-reference", &(a).elo_points, \
               1, 10000), \
    NUMBER_ROW("elo-reference", 0, "ELO", "the Elo at which a game counts one", \
               &(a).elo_reference, 1, 9999, USUAL(filter_default().amounts.elo_reference), \
               .needs = "elo-weight"), \
    NUMBER_ROW("elo-unknown", 0, "ELO", \
               "taken for players without Elo (else their games are left out)", \
               &(a).elo_unknown, 1, 9999, .needs = "elo-weight")
/* clang-format on */

#define AGEING_ABOUT                                                                               \
    "With --half-life H a game of age t years counts 2^(-t/H): one of H years half, of 2H a\n"     \
    "quarter; one after --as-of counts one. A date without day or month means the middle of "      \
    "what\n"                                                                                       \
    "it can be; a game without a year is left out. With --elo-weight P it counts 2^((E-R)/P),\n"   \
    "where E is the mean Elo of both players and R the --elo-reference; at most 256 and at "       \
    "least\n"                                                                                      \
    "2^-16. 120 points go in proportion to the strength of the players as Elo defines it (their\n" \
    "odds double), 241 by its square root. Both multiply. Numbers of games, as in --min-games,\n"  \
    "are sums of what games count. Books are the same again only with the same --as-of."

/* Reads the options into filter->amounts. `stats`: statistics are written, whose options must agree
 * on every machine. The answer is EXIT_DONE or the exit status of a fault, which is named. */
enum exit_status ageing_read(const struct command_line *line, const struct ageing *ageing,
                             bool stats, struct filter *filter);

/* `count` of which `unit` make one game, as a number of games: whole games where the unit is one,
 * else with `decimals` digits (0..9), rounded. Returns `out`. */
enum { GAMES_TEXT_MAX = 40 };
const char *ageing_games_text(uint64_t count, uint64_t unit, int decimals,
                              char out[GAMES_TEXT_MAX]);

/* Of statistics with facets, the games that are asked for. Whoever opens statistics (source.h)
 * looks for these rows in the command line. */
struct asked_facets {
    const char *rating;
    const char *speed;
    const char *since;
    const char *until;
};

/* clang-format off */
#define PLAYER_FACET_ROWS(asked) \
    TEXT_ROW("rating", 0, "LOW..HIGH", \
             "statistics: games of this mean rating, \"1600..2000\", \"2200..\"", &(asked).rating), \
    TEXT_ROW("speed", 0, "SPEED,..", \
             "statistics: games of ultraBullet, bullet, blitz, rapid, classical, ..", &(asked).speed)
#define FACET_ROWS(asked) \
    PLAYER_FACET_ROWS(asked), \
    TEXT_ROW("since", 0, "YYYY[-MM]", "statistics: games of this month or later", &(asked).since), \
    TEXT_ROW("until", 0, "YYYY[-MM]", "statistics: games of this month or earlier", &(asked).until)
/* clang-format on */

/* Reads what the rows say, everything where they are not there or not given. *needs: the facets
 * that it asks for. False after one line on standard error. */
bool facets_asked_read(const struct command_line *line, struct facet_filter *out, unsigned *needs);
