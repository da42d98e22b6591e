/* What makebook dropout tells: a line while it works, a table when it is done. */
#pragma once

#include <stdio.h>

#include "base/progress.h"
#include "book/grow/dropout.h"

/* Redraws the line of progress when it is due. */
void dropout_report_progress(struct progress *progress, const struct dropout *dropout,
                             const struct scorer_counts *counts);

/* Prints what the book of one side is: `heading`, sizes, the main line with its score. root: where
 * it begins, with the number of the move, which the graph does not keep. */
void dropout_report_side(FILE *out, const char *heading, const struct dropout *dropout,
                         const struct position *root);

/* Prints how many moves the book of all sides has. */
void dropout_report_book(FILE *out, size_t moves);
