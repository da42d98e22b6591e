/* The numbers of `makebook diff --counts`: two files of statistics compared in one pass. */
#pragma once

#include "book/graph/difference.h"
#include "book/makebook/cli/source.h"

/* Compares by keys, so in little memory whatever the size: fills all numbers of `out` but those of
 * lines, and no list. Both sources are statistics, mirrored both or neither. Errors: those of
 * wld_reader_next(), STATUS_NO_MEMORY; diag->text is set. */
MUST_CHECK enum caxton_status diff_counts_take(const struct source sources[2],
                                               uint32_t threshold_ppm, struct book_diff *out,
                                               struct diag *diag);
