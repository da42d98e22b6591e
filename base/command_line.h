/* Command lines: a program, or each command of one, declares its options in a table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* const char *, borrowed from argv */
    OPTION_TEXTS,  /* struct option_texts: may be given several times */
    OPTION_NUMBER, /* int64_t in min..max */
    OPTION_CHOICE, /* int: index into `choices`, names separated by '|' */
};

enum { OPTION_TEXTS_MAX = 64 };

/* What an option was given, in the order of the command line. Begins as {0}. */
struct option_texts {
    const char *items[OPTION_TEXTS_MAX]; /* borrowed from argv */
    size_t count;
};

struct option_row {
    const char *name; /* without the dashes; "-o" is `short_name` 'o' */
    char short_name;  /* 0 = none */
    enum option_kind kind;
    const char *argument; /* how the help calls the value; for a choice the choices */
    const char *help;
    void *target;
    int64_t min;
    int64_t max;
};

/* clang-format off */
#define FLAG_ROW(name, letter, help, target) {name, letter, OPTION_FLAG, NULL, help, target, 0, 0}
#define TEXT_ROW(name, letter, value, help, target) \
    {name, letter, OPTION_TEXT, value, help, target, 0, 0}
#define TEXTS_ROW(name, letter, value, help, target) \
    {name, letter, OPTION_TEXTS, value, help, target, 0, 0}
#define NUMBER_ROW(name, letter, value, help, target, min, max) \
    {name, letter, OPTION_NUMBER, value, help, target, min, max}
#define CHOICE_ROW(name, choices, help, target) {name, 0, OPTION_CHOICE, choices, help, target, 0, 0}
#define ROW_COUNT(rows) (sizeof(rows) / sizeof *(rows))
/* clang-format on */

struct command_line {
    const char *program;  /* "makebook" */
    const char *command;  /* "build"; "" for a program without commands */
    const char *synopsis; /* "GAMES... -o BOOK" */
    const char *about;    /* a few sentences for the help */
    const struct option_row *rows;
    size_t row_count;
    int operands_min;
    int operands_max;
    /* filled: what is no option, in order; borrowed from argv */
    char **operands;
    int operand_count;
};

enum parse_result { PARSE_RUN, PARSE_HELP_SHOWN, PARSE_WRONG };

/* Reads argv[0..argc) (the words after the command). "--" ends the options; "-" is an operand.
 * The operands are moved to the front of argv. A fault is one line on standard error. The help is
 * shown in the form that is asked for (base/help.h). */
enum parse_result options_parse(struct command_line *line, int argc, char **argv);

/* "2", "0.5" or "12.25" as a whole number of 10^-decimals (1..9); at most `max` of them. */
bool options_read_decimal(const char *text, size_t decimals, int64_t max, int64_t *out);

/* The same of "5" or "5%". */
bool options_read_percent(const char *text, size_t decimals, int64_t max, int64_t *out);
