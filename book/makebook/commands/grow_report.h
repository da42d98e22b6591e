/* What makebook grow tells: a line while it works, a table when it is done. */
#pragma once

#include <stdio.h>

#include "base/progress.h"
#include "book/grow/grow.h"

/* Redraws the line of progress when it is due. */
void grow_report_progress(struct progress *progress, const struct grow *grow,
                          const struct scorer_counts *counts);

/* Prints what the book of one side is: `heading`, sizes, depths, how long games stay in it. */
void grow_report_side(FILE *out, const char *heading, const struct grow *grow);
