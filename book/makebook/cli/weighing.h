/* The options that say how counts become weights, for the commands that write books. */
#ifndef CAXTON_BOOK_MAKEBOOK_CLI_WEIGHING_H
#define CAXTON_BOOK_MAKEBOOK_CLI_WEIGHING_H

#include "base/command_line.h"
#include "book/weigh/weigh.h"

enum { WEIGHING_ABOUT_MAX = 8192, WEIGHING_KINDS_MAX = 256 };

struct weighing {
    int kind; /* by weight_kinds() */
    bool uniform;
    int64_t min_games;
    const char *min_share;
    const char *min_score;
    const char *override_path;
    bool mirrored;              /* what is weighed; before weighing_read() */
    struct overrides overrides; /* after weighing_read() */
    char about[WEIGHING_ABOUT_MAX];
    char kinds[WEIGHING_KINDS_MAX];
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
        {"weight",                                                                                 \
         0,                                                                                        \
         OPTION_CHOICE,                                                                            \
         weighing_kinds(&(weighing)),                                                              \
         "(score); see above",                                                                     \
         &(weighing).kind,                                                                         \
         0,                                                                                        \
         0},                                                                                       \
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

/* `before` and what the options mean, for --help; the text is in `weighing`. */
const char *weighing_about(struct weighing *weighing, const char *before);

/* The names of the kinds of weights, for the table; the text is in `weighing`. */
const char *weighing_kinds(struct weighing *weighing);

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
