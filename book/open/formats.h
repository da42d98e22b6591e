/* The kinds of book file: how they are told apart, and how each is written. A new kind is a folder
 * in book/formats and a row in formats.c. */
#pragma once

#include "book/format.h"

/* The format that recognises the bytes; Polyglot, which has no mark, when no other does. A guess at
 * text gives way to sorted entries whose moves are all conceivable, and in a file whose name ends
 * with .bin to whatever opens as a Polyglot book. A guess at experience gives way to the text that
 * the name's ending tells, when the bytes are such a text. */
const struct book_format *formats_find(const uint8_t *bytes, size_t size, const char *name);

/* The writer of that name, or of the extension of that path; NULL when there is none. */
const struct book_writer *formats_writer(const char *name);
const struct book_writer *formats_writer_of_path(const char *path);

/* The kind of book whose files end as that path; NULL when there is none. */
const struct book_format *formats_of_path(const char *path);

/* All writers: index from 0, NULL behind the last. */
const struct book_writer *formats_writer_at(size_t index);
