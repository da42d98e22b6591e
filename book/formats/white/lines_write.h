/* Writing a file of lines in its canonical form. */
#pragma once

#include <stdio.h>

#include "book/formats/white/lines.h"

/* Writes the canonical text. Errors: STATUS_IO, STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status lines_write(const struct lines *lines, FILE *file);

/* A rewrite as a line of the file. left, right: paths to work with. */
void lines_rewrite_text(const struct lines *lines, const struct lines_item *rewrite,
                        struct lines_path *left, struct lines_path *right, struct text_buffer *out);

/* Which line stands where, and how many moves it shares with the line before. */

/* Puts lines that begin alike next to one another and keeps the order of merit: of the
 * alternatives in any place, the one that was written first stays first. A line takes the comment
 * lines right above it along; everything else stays where it is.
 * Errors: STATUS_NO_MEMORY, nothing is changed. */
MUST_CHECK enum caxton_status lines_sort(struct lines *lines);

/* Shares as many moves as there are with the line before: White's Table 1 to his Table 2. */
void lines_share(struct lines *lines);
