/* Several sorted sequences of tallies as one, equal pairs of key and move added up. */
#pragma once

#include "book/build/count/item.h"
#include "book/build/count/run.h"

/* Merges `run_count` runs of `file` and the combined items[0..item_count) into `sink`. Takes 32 KiB
 * for each run meanwhile.
 * Errors: STATUS_NO_MEMORY, STATUS_IO, and what the sink returns. */
MUST_CHECK enum caxton_status item_merge(const struct item *items, size_t item_count,
                                         const struct run_file *file, const struct run *runs,
                                         size_t run_count, tally_sink sink, void *context,
                                         struct diag *diag);
