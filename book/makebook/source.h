/* A book as a command line names it, whole in memory. */
#ifndef CAXTON_BOOK_MAKEBOOK_SOURCE_H
#define CAXTON_BOOK_MAKEBOOK_SOURCE_H

#include <stdio.h>

#include "book/book.h"
#include "book/makebook/options.h"

struct source {
    const char *name; /* for messages */
    const uint8_t *bytes;
    size_t size;
    uint8_t *owned;    /* the bytes when they were read from a file */
    struct book *book; /* after source_open() */
};

/* Reads all bytes of `path`: "-" is standard input, "builtin" the default book. Nothing is asked
 * of them. A fault is one line on standard error and the answer false, with nothing to close. */
bool source_read(const struct command_line *line, const char *path, struct source *out);

/* As source_read(), and opens the bytes as a book; its warning goes to standard error. */
bool source_open(const struct command_line *line, const char *path, struct source *out);

void source_close(struct source *source);

#endif
