/* Opening a tree: header, structure, packed weights. */
#pragma once

#include "book/formats/thompson/tree_book.h"

/* Any bytes as a tree whose structure is sound. Its moves may be illegal. The bytes stay borrowed.
 * tree_book_free() is due in any case. Errors: STATUS_FORMAT (`diag`, may be NULL, has text and
 * offset, book->fault the kind), STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status tree_book_read(struct tree_book *book, const uint8_t *bytes,
                                             size_t size, struct diag *diag);
