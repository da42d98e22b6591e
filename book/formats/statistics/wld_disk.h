/* Statistics (.wld) as a book to play from that stays on disk: a position is looked up in the file,
 * whatever its size, by about two reads. Weights are those of wld_format.h. */
#pragma once

#include "book/book.h"

/* Opens a file of version 2. Where a block is damaged the book knows no move of its positions;
 * makebook verify names it. Errors: STATUS_NOT_FOUND (no statistics of this version, or no regular
 * file), STATUS_FORMAT (header or end are damaged, or there is no move), STATUS_IO,
 * STATUS_NO_MEMORY; `diag` (may be NULL) says "NAME: what". */
MUST_CHECK enum caxton_status wld_disk_open(const char *path, struct book **out, struct diag *diag);
