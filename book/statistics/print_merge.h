/* The fingerprints of several statistics files as one sequence. */
#pragma once

#include "book/statistics/wld.h"

/* Games that several inputs have. */
struct print_common {
    uint64_t games;
    const char *one; /* two inputs that have the first of them; borrowed from their readers */
    const char *other;
};

/* The fingerprints of `count` readers, in order, to `sink`. Begins with *common = {0}. Errors: as
 * wld_reader_next_print(), STATUS_NO_MEMORY, what the sink returns (`diag` untouched). */
MUST_CHECK enum caxton_status print_merge(struct wld_reader *const *readers, size_t count,
                                          print_sink sink, void *context,
                                          struct print_common *common, struct diag *diag);
