/* Writing a book as another kind of file. */
#pragma once

#include "book/format.h"

/* Writes the book and counts in *losses (NULL: nobody asks) all that the file does not hold of it.
 * Errors: as struct book_writer.write. */
MUST_CHECK enum caxton_status book_convert(const struct book *book,
                                           const struct book_writer *writer, FILE *out,
                                           struct book_losses *losses, struct diag *diag);

/* As book_convert() into a file of the book's own kind, without the faults of the one that it was
 * opened from. writer: one of its kind; not looked at where the kind has a repair of its own. */
MUST_CHECK enum caxton_status book_repair(const struct book *book, const struct book_writer *writer,
                                          FILE *out, struct book_losses *losses, struct diag *diag);
