/* Checks of output paths: an output must not be an input or another output, and its name must fit
 * what is written. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/atomic_file.h"
#include "book/makebook/cli/command.h"

/* Do both paths name one file, which may still have to be made? False for "-", NULL and devices. */
bool outputs_are_one(const char *a, const char *b);

/* Refuses, with one line on standard error, an output that is the file `input`, which an option
 * names; NULL: none. Returns EXIT_DONE or EXIT_USAGE. */
enum exit_status outputs_protect(const struct command_line *line, const char *input,
                                 const char *output);

/* The same for the first `inputs` operands. */
enum exit_status outputs_protect_inputs(const struct command_line *line, int inputs,
                                        const char *output);

/* Refuses an output whose ending names another kind of file than `kind`, the name of a writer or
 * "wld". For a book, endings that no kind has are refused, too. NULL and a name without an ending
 * are accepted. Returns EXIT_DONE or EXIT_USAGE. */
enum exit_status outputs_are_named(const struct command_line *line, const char *output,
                                   const char *kind);

/* Refuses an output whose ending is none of a page in HTML. A name without an ending is accepted.
 * Returns EXIT_DONE or EXIT_USAGE. */
enum exit_status outputs_are_pages(const struct command_line *line, const char *output);

/* Do both paths have the same ending, or none? */
bool outputs_end_alike(const char *a, const char *b);

/* Is the output standard output, "-"? False for NULL. */
bool outputs_is_standard(const char *path);

/* Could `path` be written? Better known before long work; NULL is nothing to write. False after one
 * line on standard error. */
bool outputs_try(const struct command_line *line, const char *path);

/* Begins to write `path`, as atomic_file_create() does; NULL: *out stays as it is. False after one
 * line on standard error. */
bool outputs_create(const struct command_line *line, const char *path, struct atomic_file **out);

/* Ends `file`, as atomic_file_commit() does after STATUS_OK, and otherwise as atomic_file_abort().
 * Returns EXIT_DONE, or EXIT_FAILED after one line on standard error: the fault of the file, or
 * `why` when that has none. */
enum exit_status outputs_end(const struct command_line *line, struct atomic_file *file,
                             enum caxton_status status, const char *why);

/* Locks the folder of `path`, as atomic_file_lock() does. When that has to wait, one line on
 * standard error says so, and when there is no lock for a file that is there. Returns the argument
 * of atomic_file_unlock(). */
int outputs_lock(const struct command_line *line, const char *path);

/* Where a report goes that accompanies the output: standard error when that is standard output. */
FILE *outputs_report(const char *path);

/* Does the path end in .wld, as statistics do? False for NULL. */
bool outputs_is_stats_name(const char *path);
