/* Several sorted sequences of tallies as one, equal pairs of key and move added up. */
#ifndef CAXTON_BOOK_BUILD_SLOT_MERGE_H
#define CAXTON_BOOK_BUILD_SLOT_MERGE_H

#include "book/build/run.h"
#include "book/build/slot.h"

/* Merges `run_count` runs of `file` and the sorted slots[0..slot_count) into `sink`, sums of at
 * least `least` only. Takes 32 KiB for each run meanwhile.
 * Errors: STATUS_NO_MEMORY, STATUS_IO, and what the sink returns. */
MUST_CHECK enum caxton_status slot_merge(const struct slot *slots, size_t slot_count,
                                         const struct run_file *file, const struct run *runs,
                                         size_t run_count, uint64_t least, tally_sink sink,
                                         void *context, struct diag *diag);

#endif
