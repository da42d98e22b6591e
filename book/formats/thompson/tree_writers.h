/* The kinds of tree that makebook writes; book writers for the rows of book/open/formats.c. */
#ifndef CAXTON_BOOK_FORMATS_THOMPSON_TREE_WRITERS_H
#define CAXTON_BOOK_FORMATS_THOMPSON_TREE_WRITERS_H

#include <stdio.h>

#include "base/status.h"

struct book;

/* Everything: exact weights, near jumps, non-book moves. Errors: as tree_write_graph(). */
MUST_CHECK enum caxton_status tree_write(const struct book *book, FILE *out, struct diag *diag);
/* With styles. */
MUST_CHECK enum caxton_status tree_write_styles(const struct book *book, FILE *out,
                                                struct diag *diag);
/* Weights where there is a choice, no non-book moves. */
MUST_CHECK enum caxton_status tree_write_small(const struct book *book, FILE *out,
                                               struct diag *diag);
/* Spracklen's: pure; no weights, jumps, non-book moves. */
MUST_CHECK enum caxton_status tree_write_pure(const struct book *book, FILE *out,
                                              struct diag *diag);

#endif
