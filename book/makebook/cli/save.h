/* Writing a book in the format that a command line asks for. */
#pragma once

#include "book/makebook/cli/command.h"
#include "book/makebook/cli/gather.h"
#include "book/open/formats.h"

/* The names of all formats that can be written, for messages: "bin, abk, epd". */
const char *save_names(void);

/* The kind of book that the name of `output` asks for: a Polyglot book where it has no ending. One
 * line refuses statistics and endings that no kind has. Returns EXIT_DONE or EXIT_USAGE. */
enum exit_status save_find_writer(const struct command_line *line, const char *output,
                                  const struct book_writer **out);

/* Writes `book` to `output`, whole or not at all. A warning on standard error counts what
 * the format does not hold. Returns the exit status after naming a fault. */
enum exit_status save_book(const struct command_line *line, const struct book *book,
                           const struct book_writer *writer, const char *output);

/* Makes a book of what was gathered, and saves it. status: of gathering, which failed for `why`.
 * from: the book that it was made of, NULL: no other. Frees the gathering. Returns likewise. */
enum exit_status save_gathered(const struct command_line *line, struct gathering *gathering,
                               enum caxton_status status, const struct diag *why,
                               const struct book *from, const struct book_writer *writer,
                               const char *output);

/* The same as save_book() with a choice of `write`: book_repair() or book_convert() of
 * book/open/convert.h. */
typedef enum caxton_status (*save_function)(const struct book *book,
                                            const struct book_writer *writer, FILE *out,
                                            struct book_losses *losses, struct diag *diag);
enum exit_status save_with(const struct command_line *line, const struct book *book,
                           save_function write, const struct book_writer *writer,
                           const char *output);
