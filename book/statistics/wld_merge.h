/* Files of statistics added up by ranges of keys, on several threads. */
#pragma once

#include "book/statistics/wld_file.h"

/* The sums of what `count` files hold, in order, to `sink`; for jobs see tally_parts(). The sums
 * are those of wld_merge(). Errors: as wld_reader_next(), STATUS_FORMAT (an index that leaves
 * records out), STATUS_RANGE (a sum above WLD_GAMES_MAX), STATUS_NO_MEMORY, what the sink returns
 * (`diag` untouched). */
MUST_CHECK enum caxton_status wld_merge_ranges(const struct wld_file *const *files, size_t count,
                                               int jobs, tally_sink sink, void *context,
                                               struct diag *diag);
