/* A move added to games that a person wrote. */
#pragma once

#include "book/format.h"

/* As struct book_format.add: weights that are stated are replaced; a move without one gets a
 * comment; a new one becomes a game at the end. */
MUST_CHECK enum caxton_status repertoire_add(const uint8_t *bytes, size_t size,
                                             const struct book_addition *addition, FILE *out,
                                             struct diag *diag);
