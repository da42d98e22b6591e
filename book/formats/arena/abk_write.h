/* Arena's books written: the moves of each position beside each other, positions in the order in
 * which lines reach them. */
#ifndef CAXTON_BOOK_FORMATS_ARENA_ABK_WRITE_H
#define CAXTON_BOOK_FORMATS_ARENA_ABK_WRITE_H

#include "book/format.h"

/* As struct book_writer.write_graph. */
MUST_CHECK enum caxton_status abk_write(struct book_graph *graph, const struct book_writer *writer,
                                        FILE *out, struct book_losses *losses, struct diag *diag);

#endif
