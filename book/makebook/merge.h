/* Merging statistics, a part of makebook merge. */
#ifndef CAXTON_BOOK_MAKEBOOK_MERGE_H
#define CAXTON_BOOK_MAKEBOOK_MERGE_H

#include "book/makebook/source.h"

/* Writes the sums of sources[0..count), all of them opened statistics, to `output`. Different
 * options are a fault, unless `force`. Returns the exit status; faults are named. */
int merge_stats(const struct command_line *line, const struct source *sources, size_t count,
                const char *output, bool force, bool quiet);

#endif
