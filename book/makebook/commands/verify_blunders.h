/* Moves that give material away: a part of makebook verify. */
#ifndef CAXTON_BOOK_MAKEBOOK_COMMANDS_VERIFY_BLUNDERS_H
#define CAXTON_BOOK_MAKEBOOK_COMMANDS_VERIFY_BLUNDERS_H

#include <stdio.h>

#include "book/graph/graph.h"

/* Names each move that loses threshold_cp or more at once, as far as a short search sees. They are
 * remarks: the opponent's worst moves may be in a book. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status verify_blunders(const struct book_graph *graph, int threshold_cp,
                                              FILE *report);

#endif
