/* Command lines: a program, or each command of one, declares its options in a table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum option_kind {
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* const char *, borrowed from argv */
    OPTION_TEXTS,   /* struct option_texts: may be given several times */
    OPTION_NUMBER,  /* int64_t in min..max */
    OPTION_DECIMAL, /* int64_t in min..max, in units of 10^-decimals */
    OPTION_PERCENT, /* the same of 0 to 100 percent */
    OPTION_CHOICE,  /* int: index into `argument`, names separated by '|' */
};

enum { OPTION_TEXTS_MAX = 64, OPTION_ROWS_MAX = 96 };

/* What an option was given, in the order of the command line. Begins as {0}. */
struct option_texts {
    const char *items[OPTION_TEXTS_MAX]; /* borrowed from argv */
    size_t count;
};

/* All that is known of an option. The help prints the default behind `help`, in parentheses. */
struct option_row {
    const char *name; /* without the dashes; "-o" is `short_name` 'o' */
    const char *old;  /* an earlier name, which still works and is not listed; NULL: none */
    char short_name;  /* 0 = none */
    enum option_kind kind;
    const char *argument; /* how the help calls the value; for a choice the choices */
    const char *help;
    void *target;
    int64_t min;
    int64_t max;
    size_t decimals;
    const char *wants; /* "a percent from 0 to 100": what another number is told; NULL: min..max */

    /* The default: `target` has it unless the option is given. A choice always has one; -1: none of
     * them. */
    bool has_usual;
    int64_t usual;
    const char *usual_text; /* of OPTION_TEXT; NULL: none */

    /* Names of other options, "a|b". NULL: none. */
    const char *needs;    /* one of them must be given, too */
    const char *without;  /* none of them may be */
    const char *why;      /* what is said then, instead of a sentence with the two names */
    const char *required; /* what is said when the option is missing; NULL: it may be */
};

/* clang-format off */
/* The last argument may go on with other columns: NUMBER_ROW(.., 100, USUAL(20), .needs = "a"). */
#define FLAG_ROW(name_, letter, help_, ...) \
    {.name = name_, .short_name = letter, .kind = OPTION_FLAG, .help = help_, \
     .target = __VA_ARGS__}
#define TEXT_ROW(name_, letter, value, help_, ...) \
    {.name = name_, .short_name = letter, .kind = OPTION_TEXT, .argument = value, .help = help_, \
     .target = __VA_ARGS__}
#define TEXTS_ROW(name_, letter, value, help_, ...) \
    {.name = name_, .short_name = letter, .kind = OPTION_TEXTS, .argument = value, .help = help_, \
     .target = __VA_ARGS__}
#define NUMBER_ROW(name_, letter, value, help_, target_, min_, ...) \
    {.name = name_, .short_name = letter, .kind = OPTION_NUMBER, .argument = value, .help = help_, \
     .target = target_, .min = min_, .max = __VA_ARGS__}
#define DECIMAL_ROW(name_, value, help_, target_, decimals_, min_, ...) \
    {.name = name_, .kind = OPTION_DECIMAL, .argument = value, .help = help_, .target = target_, \
     .decimals = decimals_, .min = min_, .max = __VA_ARGS__}
#define PERCENT_ROW(name_, help_, target_, ...) \
    {.name = name_, .kind = OPTION_PERCENT, .argument = "PERCENT", .help = help_, \
     .target = target_, .decimals = __VA_ARGS__}
#define CHOICE_ROW(name_, choices, help_, ...) \
    {.name = name_, .kind = OPTION_CHOICE, .argument = choices, .help = help_, \
     .target = __VA_ARGS__}
#define USUAL(value) .has_usual = true, .usual = value
#define ROW_COUNT(rows) (sizeof(rows) / sizeof *(rows))
/* clang-format on */

struct command_line {
    const char *program;  /* "makebook" */
    const char *command;  /* "build"; "" for a program without commands */
    const char *synopsis; /* "GAMES... -o BOOK" */
    const char *about;    /* a few sentences for the help */
    const struct option_row *rows;
    size_t row_count; /* at most OPTION_ROWS_MAX */
    int operands_min;
    int operands_max;
    /* filled: what is no option, in order; borrowed from argv */
    char **operands;
    int operand_count;
    bool given[OPTION_ROWS_MAX];        /* by row: not the default */
    bool given_as_old[OPTION_ROWS_MAX]; /* by the old name */
};

enum parse_result { PARSE_RUN, PARSE_HELP_SHOWN, PARSE_WRONG };

/* Reads argv[0..argc) (the words after the command). "--" ends the options; "-" is an operand.
 * The operands are moved to the front of argv. A fault is one line on standard error, also when
 * options are given that do not go together. The help is shown in the form that is asked for
 * (base/help.h). */
enum parse_result options_parse(struct command_line *line, int argc, char **argv);

/* Stores the value of one option, NULL for a flag. Errors: STATUS_SYNTAX, STATUS_RANGE; `diag` says
 * "NAME wants ..", and the target has nothing of use. */
MUST_CHECK enum caxton_status option_set(const struct option_row *row, const char *value,
                                         struct diag *diag);

/* Was one of the options "a|b" given? */
bool options_given(const struct command_line *line, const char *names);

/* The value of the OPTION_TEXT of this name; NULL: the command has none, or it was not given. */
const char *options_text(const struct command_line *line, const char *name);

/* "2", "0.5" or "12.25" as a whole number of 10^-decimals (1..9); at most `max` of them. */
bool options_read_decimal(const char *text, size_t decimals, int64_t max, int64_t *out);

/* The same of "5" or "5%". */
bool options_read_percent(const char *text, size_t decimals, int64_t max, int64_t *out);
