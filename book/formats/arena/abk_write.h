/* Arena's books written: the moves of each position beside each other, positions in the order in
 * which lines reach them. */
#pragma once

#include "book/format.h"

/* As struct book_writer.write_graph. */
MUST_CHECK enum caxton_status abk_write(struct book_graph *graph, const struct book_writer *writer,
                                        FILE *out, struct book_losses *losses, struct diag *diag);
