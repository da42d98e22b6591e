/* What all commands of makebook share: how they start, complain and end. */
#ifndef CAXTON_BOOK_MAKEBOOK_CLI_COMMAND_H
#define CAXTON_BOOK_MAKEBOOK_CLI_COMMAND_H

#include "base/command_line.h"

enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE };

/* A command: main.c runs it. */
struct command {
    const char *name;
    const char *summary; /* for the help of the program */
    /* Takes the words after the name. Returns the exit status: 0 done, 1 failed with one line
     * saying why, 2 used wrongly. */
    int (*run)(int argc, char **argv);
};

/* options_parse() with room for the operands, which the caller frees (line->operands) when the
 * answer is true. Otherwise *status is what the command returns. */
bool command_start(struct command_line *line, int argc, char **argv, int *status);

/* Prints one line "makebook COMMAND: TEXT" on standard error, made safe for a terminal
 * (text_put_safe()). Returns EXIT_FAILED. */
int command_fail(const struct command_line *line, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* As command_fail() for a fault in the command line. Returns EXIT_USAGE. */
int command_misuse(const struct command_line *line, const char *text);

/* Ends a command that wrote to standard output: what could not be written is a failure. Returns
 * `status`, or EXIT_FAILED. */
int command_end(const struct command_line *line, int status);

#endif
