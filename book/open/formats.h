/* The kinds of book file: how they are told apart, and who writes them. A new kind is a row in each
 * table of formats.c. */
#ifndef CAXTON_BOOK_OPEN_FORMATS_H
#define CAXTON_BOOK_OPEN_FORMATS_H

#include <stdio.h>

#include "book/format.h"

/* The format that recognises the bytes; Polyglot, which has no mark, when no other does. */
const struct book_format *formats_find(const uint8_t *bytes, size_t size);

struct book_writer {
    const char *name; /* of the format that is written, which is also the file's extension */
    const char *about;
    /* Writes what lines reach from the standard start and from the positions that the book names.
     * The stream stays the caller's. Errors: STATUS_NO_MEMORY, STATUS_IO, STATUS_RANGE (larger than
     * a format or book_graph.h allows), STATUS_ILLEGAL (nothing that the format can hold). `diag`
     * says which; when all went well, what was left out and why, or "". */
    enum caxton_status (*write)(const struct book *book, FILE *out, struct diag *diag);
};

/* The writer of that name, or of the extension of that path; NULL when there is none. */
const struct book_writer *formats_writer(const char *name);
const struct book_writer *formats_writer_of_path(const char *path);

/* All of them: index from 0, NULL behind the last. */
const struct book_writer *formats_writer_at(size_t index);

#endif
