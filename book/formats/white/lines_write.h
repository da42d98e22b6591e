/* Writing a file of lines in its canonical form. */
#pragma once

#include <stdio.h>

#include "book/formats/white/lines_path.h"

/* Writes the canonical text. Errors: STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lines_write(const struct lines *lines, FILE *file);

/* The rewrite of `path` into the order of moves that ends at `target`, as a line of the file.
 * right: a path to work with. */
void lines_rewrite_text(const struct lines *lines, const struct lines_path *path,
                        struct lines_path *right, uint32_t target, struct text_buffer *out);
