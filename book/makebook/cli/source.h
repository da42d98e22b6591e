/* A book or statistics as a command line names them. */
#pragma once

#include <stdio.h>

#include "book/book.h"
#include "book/formats/statistics/wld_format.h"
#include "book/makebook/cli/command.h"
#include "book/statistics/wld_file.h"

struct input;
struct wld_file;

struct source {
    const char *name; /* for messages */
    const uint8_t *bytes;
    size_t size;
    uint8_t *owned;            /* the bytes when they were read from a file */
    struct book *book;         /* after source_open() */
    struct book *origin;       /* NULL, or the book that `book` was made of */
    struct wld_reader *reader; /* of counts, which are not read into memory; no bytes then */
    struct wld_file *file;     /* where they come from: a file to look them up in, of version 2, */
    struct input *input;       /* or a stream, */
    uint64_t unpacked;         /* of which so many bytes were read */
    const struct command_line *damage_line; /* after source_skip_damaged() */
    size_t damaged;                         /* blocks that were left out */
    struct facet_filter filter;             /* of statistics: the games that are asked for */
    uint8_t head[WLD_MAGIC_SIZE];
    size_t head_size; /* of it, still to be given to the reader */
    size_t head_at;
};

/* Reads all bytes of `path`: "-" is standard input, "builtin" the default book; packed files are
 * unpacked. Of statistics (.wld, recognised by content) only the header is read; out->reader is set
 * then and refers to *out, which must not move. Other bytes are not looked at. Options of the line
 * that ask for some of the games (FACET_ROWS) hold for all that is read of statistics.
 * Returns false after one line on standard error; then there is nothing to close. */
bool source_read(const struct command_line *line, const char *path, struct source *out);

/* The same for what is no book: statistics are refused, `why` says it. */
bool source_read_bytes(const struct command_line *line, const char *path, const char *why,
                       struct source *out);

/* As source_read(), and opens it as a book; its warning goes to standard error. One of counts
 * (book->counts) answers by its file (book_look_up()); in a stream it knows nothing before
 * source_walk(). */
bool source_open(const struct command_line *line, const char *path, struct source *out);

/* Can so many bytes for each move of these statistics be had, and are they at most `most` moves? If
 * not, false after one line that says how much they want; the source is closed then. Those that are
 * a stream do not say how many moves they have: true. */
bool source_fits(const struct command_line *line, struct source *source, uint64_t move_bytes,
                 uint64_t most);

/* The same of what source_open_walk() does, with `more` bytes a move beside. */
bool source_fits_walk(const struct command_line *line, struct source *source, uint64_t more);

/* Are these statistics in a file that source_fits_walk() would not refuse? Says nothing. */
bool source_can_walk(const struct source *source, uint64_t more);

/* Reads counts into a book in memory, which takes the place of source->book. What it knows beside
 * its weights is looked up in the file, unless the options say more. False after one line on
 * standard error; too_many (NULL: of no use here): said where there are more than options->most
 * moves. */
bool source_walk(const struct command_line *line, struct source *source,
                 const struct wld_book_options *options, const char *too_many);

/* As source_open(), for commands that walk through a book: statistics become a book in memory
 * with all moves. Those that do not fit into memory are refused. */
bool source_open_walk(const struct command_line *line, const char *path, enum wld_weights weights,
                      struct source *out);

/* Whose repertoire the book is: said is 1 + a colour, or 0: as its moves show. Returns an exit
 * status; one of moves of both sides wants to be told (--color). */
enum exit_status source_find_own(const struct command_line *line, const struct source *source,
                                 int said, int *own);

/* As source_open(), for commands that want weights: statistics are refused. */
bool source_open_weighed(const struct command_line *line, const char *path, struct source *out);

/* A book of weights of another kind than Polyglot's becomes one in memory, for its entries. False
 * after one line on standard error; the source is closed then. */
bool source_make_entries(const struct command_line *line, struct source *source);

/* The reason when reading the file of source->reader failed, which says more than the diag of the
 * reader. NULL: it did not fail. */
const char *source_input_fault(const struct source *source);

/* Statistics whose damaged blocks are left out, each with one line on standard error, where that is
 * possible: a file with an index. They are errors elsewhere. */
void source_skip_damaged(const struct command_line *line, struct source *source);

void source_close(struct source *source);

/* Refuses operands that name standard input twice, for a command that reads all of them. Returns
 * EXIT_DONE or EXIT_USAGE. */
enum exit_status source_is_read_once(const struct command_line *line);
