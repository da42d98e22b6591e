/* The options that say how counts become weights, for the commands that write books. */
#ifndef CAXTON_BOOK_MAKEBOOK_CLI_WEIGHING_H
#define CAXTON_BOOK_MAKEBOOK_CLI_WEIGHING_H

#include "base/command_line.h"
#include "book/weigh/weigh.h"

struct weighing {
    int kind;
    bool uniform;
    int64_t min_games;
    const char *min_share;
    const char *min_score;
    const char *override_path;
    bool mirrored;              /* what is weighed; before weighing_read() */
    struct overrides overrides; /* after weighing_read() */
};

/* A move needs three games unless told otherwise. */
#define WEIGHING_DEFAULT                                                                           \
    {                                                                                              \
        .min_games = 3                                                                             \
    }

/* Rows for a command's table; `weighing` is a struct weighing. */
#define WEIGHING_ROWS(weighing)                                                                    \
    {                                                                                              \
        "min-games",                                                                               \
        0,                                                                                         \
        OPTION_NUMBER,                                                                             \
        "N",                                                                                       \
        "a move must occur in N games (3; 0 takes all)",                                           \
        &(weighing).min_games,                                                                     \
        0,                                                                                         \
        INT64_MAX},                                                                                \
        {"weight", 0, OPTION_CHOICE, WEIGHT_NAMES, "(score); see above", &(weighing).kind, 0, 0},  \
        {"uniform",                                                                                \
         0,                                                                                        \
         OPTION_FLAG,                                                                              \
         NULL,                                                                                     \
         "weights are 1, but moves of weight 0 are left out",                                      \
         &(weighing).uniform,                                                                      \
         0,                                                                                        \
         0},                                                                                       \
        {"min-share",                                                                              \
         0,                                                                                        \
         OPTION_TEXT,                                                                              \
         "PERCENT",                                                                                \
         "leave out moves with less of their position's weight",                                   \
         &(weighing).min_share,                                                                    \
         0,                                                                                        \
         0},                                                                                       \
        {"min-score",                                                                              \
         0,                                                                                        \
         OPTION_TEXT,                                                                              \
         "PERCENT",                                                                                \
         "leave out moves that scored less",                                                       \
         &(weighing).min_score,                                                                    \
         0,                                                                                        \
         0},                                                                                       \
    {                                                                                              \
        "override", 0, OPTION_TEXT, "FILE", "weights by hand: lines \"MOVES : N|never|always\"",   \
            &(weighing).override_path, 0, 0                                                        \
    }

/* What the options mean, for --help. */
#define WEIGHING_ABOUT                                                                             \
    "Of a move with w wins, d draws and l losses of the side that makes it, the --weight is\n"     \
    "  score        2w + d (the default)\n"                                                        \
    "  games        w + d + l\n"                                                                   \
    "  expectation  s = (2w + d) / 2(w + d + l), the share of the points\n"                        \
    "  wilson       the lower end of the 95 % confidence interval of s (Wilson 1927): few games\n" \
    "               count for less\n"                                                              \
    "  performance  800 + 400 log10(s / (1 - s)), at least 0 and at most 1600: the Elo of that\n"  \
    "               score against opponents as strong as the player\n"                             \
    "A position whose largest score or number of games does not fit 16 bits is scaled down in\n"   \
    "proportion; the other weights are always scaled so that a position's largest is 65535. A\n"   \
    "weight of 0 is left out. Percents may have decimals and a %. A file for --override has\n"     \
    "lines such as \"1. e4 e5 2. f4 : always\", \"f3 : never\", \"d4 d5 c4 : 500\"; it wins "      \
    "over\n"                                                                                       \
    "all else."

/* Makes options of it: reads the numbers and the file. The answer is the exit status of a fault,
 * every one named on standard error, or EXIT_DONE. `out` borrows from `weighing`. */
int weighing_read(const struct command_line *line, struct weighing *weighing,
                  struct weigh_options *out);
/* Is any of them not as in `usual`? */
bool weighing_differs(const struct weighing *weighing, const struct weighing *usual);
/* Is any of them not as WEIGHING_DEFAULT has it? */
bool weighing_is_asked_for(const struct weighing *weighing);
void weighing_free(struct weighing *weighing);

/* How many moves were left out, and why, as lines of a closing report. */
void weighing_report(FILE *out, const struct weigh_report *report);

#endif
