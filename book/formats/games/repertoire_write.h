/* A book written as games: the tree of the shortest lines, one game for each move that ends one. */
#pragma once

#include "book/format.h"

/* As struct book_writer.write_graph. */
MUST_CHECK enum caxton_status repertoire_write(struct book_graph *graph,
                                               const struct book_writer *writer, FILE *out,
                                               struct book_losses *losses, struct diag *diag);
