/* The lines of any book: its graph, written as text. */
#pragma once

#include <stdio.h>

#include "base/status.h"

struct book;
struct book_losses;

/* A book writer. The lines begin at the standard start; where no line leaves that, at the first
 * other start that the book names. Written are all moves with their weights, heaviest first, then
 * non-book moves, the one with most weight behind it first. Each position is followed along its
 * shortest way only; other orders of moves that lead there become rewrites. So loops end. Lines end
 * at LINES_PLIES_MAX. *losses (may be NULL) gets the positions left out.
 * Errors: STATUS_NO_MEMORY, STATUS_RANGE (too many moves), STATUS_ILLEGAL (no line reaches a move),
 * STATUS_IO. */
MUST_CHECK enum caxton_status lines_write_book(const struct book *book, FILE *file,
                                               struct book_losses *losses, struct diag *diag);
