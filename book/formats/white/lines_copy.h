/* A file of lines written again: tidy, and without what is at fault. */
#pragma once

#include <stdio.h>

#include "base/status.h"

struct book;
struct book_losses;

/* Book writers for an open book of lines_format: its file as it is, comments and all, with similar
 * lines together. Lines that are at fault become comments. lines_copy() shares front parts, too;
 * lines_repair() does where the file has shared any. Errors: STATUS_NO_MEMORY, STATUS_IO. */
MUST_CHECK enum caxton_status lines_copy(const struct book *book, FILE *file,
                                         struct book_losses *losses, struct diag *diag);
MUST_CHECK enum caxton_status lines_repair(const struct book *book, FILE *file,
                                           struct book_losses *losses, struct diag *diag);
