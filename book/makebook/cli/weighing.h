/* The options that say how counts become weights, for the commands that write books. */
#pragma once

#include "book/makebook/cli/command.h"
#include "book/makebook/cli/report.h"
#include "book/weigh/weigh.h"

enum { WEIGHING_ABOUT_MAX = 8192, WEIGHING_KINDS_MAX = 256 };

struct weighing {
    int kind; /* by weight_kinds() */
    bool uniform;
    int64_t min_games;
    int64_t min_share_ppm;
    const char *min_score;
    const char *override_path;
    bool mirrored;              /* what is weighed; before weighing_read() */
    struct overrides overrides; /* after weighing_read() */
    char about[WEIGHING_ABOUT_MAX];
    char kinds[WEIGHING_KINDS_MAX];
};

#define WEIGHING_SCORE_HELP                                                                        \
    "leave out moves that scored less; -5: 5 less than all moves of the position did"
#define WEIGHING_SCORE_WANTED                                                                      \
    "--min-score wants a percent from 0 to 100, such as 45.5, or with a sign, such as -5"

/* clang-format off */
/* Rows for a command's table; `w` is a struct weighing. */
#define WEIGHING_ROWS(w) \
    NUMBER_ROW("min-games", 0, "N", "a move must occur in N games; 0 takes all", \
               &(w).min_games, 0, INT64_MAX, USUAL(3)), \
    CHOICE_ROW("weight", weighing_kinds(&(w)), "see above", &(w).kind), \
    FLAG_ROW("uniform", 0, "weights are 1, but moves of weight 0 are left out", &(w).uniform), \
    PERCENT_ROW("min-share", "leave out moves with less of their position's weight", \
                &(w).min_share_ppm, 4), \
    TEXT_ROW("min-score", 0, "PERCENT", WEIGHING_SCORE_HELP, &(w).min_score), \
    TEXT_ROW("override", 0, "FILE", "weights by hand: lines \"MOVES : N|never|always\"", \
             &(w).override_path)

/* Their names, for options_given(): all, and all but the first. */
#define WEIGHING_NAMES "min-games|" WEIGHING_OTHERS
#define WEIGHING_OTHERS "weight|uniform|min-share|min-score|override"
/* clang-format on */

/* `before` and what the options mean, for --help; the text is in `weighing`. */
const char *weighing_about(struct weighing *weighing, const char *before);

/* The names of the kinds of weights, for the table; the text is in `weighing`. */
const char *weighing_kinds(struct weighing *weighing);

/* Makes options of it: reads the numbers and the file. The answer is the exit status of a fault,
 * every one named on standard error, or EXIT_DONE. `out` borrows from `weighing`. */
enum exit_status weighing_read(const struct command_line *line, struct weighing *weighing,
                               struct weigh_options *out);
/* Reads the file of an --override, as overrides_parse() does. Returns the exit status after naming
 * every fault; *out is for overrides_free() on EXIT_DONE only. */
enum exit_status weighing_read_overrides(const struct command_line *line, const char *path,
                                         bool mirrored, struct overrides *out);
void weighing_free(struct weighing *weighing);

/* Names the positions near the start whose most played move is left out, on standard error. */
void weighing_warn(const struct command_line *line, const struct weigh_options *options,
                   const struct weigh_report *report);

/* The numbers of a book: before its moves that were left out, and those, with why. */
void weighing_report_book(struct report *out, const struct weigh_report *report);
void weighing_report_left_out(struct report *out, const struct weigh_report *report);
/* Both as text. */
void weighing_report(FILE *out, const struct weigh_report *report);
