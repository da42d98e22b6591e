/* Opening books of any kind: the only place that knows all of them. */
#pragma once

#include "book/book.h"

/* Larger files are refused: no book has so many moves. */
#define BOOK_BYTES_MAX (UINT64_C(1) << 32)

/* Opens a book file of any kind in formats/README.md: the whole of it into memory, but statistics
 * (.wld), which may be of any size and are looked up on disk. A folder, a pipe
 * or a device is refused at once; the .ctb or .cto beside a ChessBase book stand for its .ctg. The
 * kind is told by the bytes, and by the name where they leave a doubt; what no other kind
 * recognises is taken for Polyglot. A book with faults that still has sound moves is opened, and
 * book_warning() says so. Errors: STATUS_IO, STATUS_RANGE (larger than BOOK_BYTES_MAX),
 * STATUS_FORMAT (empty or not a book), STATUS_NO_MEMORY; `diag` (may be NULL) says which, and
 * where. */
MUST_CHECK enum caxton_status book_open(const char *path, struct book **out, struct diag *diag);

/* As book_open(), but statistics become a book in memory of all their moves, with the number of
 * games as weights: to walk through, or to list. Errors: also those of wld_book_read(). */
MUST_CHECK enum caxton_status book_open_whole(const char *path, struct book **out,
                                              struct diag *diag);

/* The book in memory that `options` make of statistics, whose unit they get. Errors:
 * STATUS_NOT_FOUND (no move is left), those of wld_reader_create() and of writing into memory. */
struct weigh_options;
struct weigh_report;
MUST_CHECK enum caxton_status book_open_weighed(const char *path, struct weigh_options options,
                                                struct book **out, struct diag *diag);

/* The same of what was weighed already: Polyglot entries in `made`, which is taken over. mirrored:
 * so were the statistics. Errors: STATUS_NO_MEMORY. */
struct memory_stream;
MUST_CHECK enum caxton_status book_open_entries(struct memory_stream *made, bool mirrored,
                                                const char *name, struct book **out,
                                                struct diag *diag);

/* As book_open on bytes that stay valid and unchanged until book_close(): of a sorted Polyglot book
 * nothing is copied. `name` is copied. */
MUST_CHECK enum caxton_status book_open_memory(const void *bytes, size_t size, const char *name,
                                               struct book **out, struct diag *diag);

/* The default book that is part of the program. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status book_open_builtin(struct book **out);
bool book_is_builtin(const struct book *book);
