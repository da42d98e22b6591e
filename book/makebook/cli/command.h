/* What all commands of makebook share: how they start, complain and end. */
#pragma once

#include "base/command_line.h"
#include "base/program.h"
#include "base/text.h"
#include "chess/eco.h"
#include "chess/position.h"

/* A command: main.c runs it. */
struct command {
    const char *name;
    const char *summary; /* for the help of the program */
    /* Takes the words after the name. */
    enum exit_status (*run)(int argc, char **argv);
};

/* clang-format off */
/* A command line with `row_count` options and min..max operands. */
#define COMMAND_LINE(name, synopsis_text, about_text, rows_, count, min, max) \
    (struct command_line){.program = "makebook", .command = name, .synopsis = synopsis_text, \
                          .about = about_text, .rows = rows_, .row_count = count, \
                          .operands_min = min, .operands_max = max}
/* clang-format on */

/* Parses the words of the command, which go into `line`, and runs run(command). Returns the exit
 * status. */
enum exit_status command_run(struct command_line *line, int argc, char **argv,
                             enum exit_status (*run)(void *command), void *command);

/* Prints one line "makebook COMMAND: TEXT" on standard error, made safe for a terminal
 * (text_put_safe()). Returns EXIT_FAILED. */
enum exit_status command_fail(const struct command_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same for a caller that answers with a bool: false. */
#define command_refuse(...) ((void)command_fail(__VA_ARGS__), false)
/* As command_fail() for a fault in the command line. Returns EXIT_USAGE. */
enum exit_status command_misuse(const struct command_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends a command that wrote to standard output: what could not be written is a failure. Returns
 * `status`, or EXIT_FAILED. */
enum exit_status command_end(const struct command_line *line, enum exit_status status);

/* As eco_line(), of a word of the command line; which opening a name is taken for is said in one
 * line on standard error, and `diag` is for faults. */
MUST_CHECK enum caxton_status command_words(const struct command_line *line, const char *text,
                                            char room[ECO_LINE_MAX], struct span *out,
                                            struct diag *diag);
/* The position that such a word names: position_from_text(). */
MUST_CHECK enum caxton_status command_position(const struct command_line *line, const char *text,
                                               struct position *pos, struct diag *diag);
