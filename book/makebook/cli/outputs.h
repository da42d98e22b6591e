/* Where a command writes: never over what it reads, nor twice to one place. */
#ifndef CAXTON_BOOK_MAKEBOOK_CLI_OUTPUTS_H
#define CAXTON_BOOK_MAKEBOOK_CLI_OUTPUTS_H

#include <stdbool.h>

#include "book/makebook/cli/command.h"

/* Do both paths name one file, there or still to be made? Never true of "-", NULL and devices. */
bool outputs_are_one(const char *a, const char *b);

/* Refuses, with one line, an output that is one of the first `inputs` operands. Returns EXIT_DONE
 * or EXIT_USAGE. */
int outputs_spare_inputs(const struct command_line *line, int inputs, const char *output);

/* Refuses an output whose name asks for another kind than `kind`, the name of a writer or "wld"; of
 * a book also one whose ending no kind has. No ending at all is allowed, and so is NULL. Returns
 * EXIT_DONE or EXIT_USAGE. */
int outputs_are_named(const struct command_line *line, const char *output, const char *kind);

/* Have both paths the same ending, or none? */
bool outputs_end_alike(const char *a, const char *b);

/* Has the name the ending of statistics, .wld? NULL has not. */
bool outputs_is_stats_name(const char *path);

#endif
