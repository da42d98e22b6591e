/* A move added to lines that a person wrote. */
#pragma once

#include "book/format.h"

/* As struct book_format.add; lines that do not change stay as they were typed. The move comes to
 * every line that the games of the position are on: behind a line that ends there, else as a line
 * of its own behind the last of them. The others in the position get the weights stated that they
 * have by merit. What the lines share is counted again if they do. */
MUST_CHECK enum caxton_status lines_add(const uint8_t *bytes, size_t size,
                                        const struct book_addition *addition, FILE *out,
                                        struct diag *diag);
