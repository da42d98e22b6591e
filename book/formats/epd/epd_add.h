/* A move added to a file of positions that a person wrote. */
#pragma once

#include "book/format.h"

/* As struct book_format.add. The move comes to the line of its position, its weight to the comment
 * that holds weights, or the first that is free. */
MUST_CHECK enum caxton_status epd_add(const uint8_t *bytes, size_t size,
                                      const struct book_addition *addition, FILE *out,
                                      struct diag *diag);
