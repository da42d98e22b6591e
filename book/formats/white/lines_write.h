/* Writing a file of lines in its canonical form. */
#pragma once

#include <stdio.h>

#include "book/formats/white/lines.h"

/* Writes the canonical text. Errors: STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lines_write(const struct lines *lines, FILE *file);

/* A rewrite as a line of the file. left, right: paths to work with. */
void lines_rewrite_text(const struct lines *lines, const struct lines_item *rewrite,
                        struct lines_path *left, struct lines_path *right, struct text_buffer *out);
