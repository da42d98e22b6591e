/* Positions written as text, in the order in which lines reach them. */
#pragma once

#include "book/format.h"

/* As struct book_writer.write_graph. */
MUST_CHECK enum caxton_status epd_write(struct book_graph *graph, const struct book_writer *writer,
                                        FILE *out, struct book_losses *losses, struct diag *diag);
MUST_CHECK enum caxton_status epd_write_lines(struct book_graph *graph,
                                              const struct book_writer *writer, FILE *out,
                                              struct book_losses *losses, struct diag *diag);
