/* Files of statistics added up. */
#pragma once

#include "book/statistics/wld_file.h"

/* The sums of what `count` readers hold, in order, to `sink`.
 * Errors: as wld_reader_next(), STATUS_RANGE (a sum above TALLY_GAMES_MAX), STATUS_NO_MEMORY, what
 * the sink returns (`diag` untouched). */
MUST_CHECK enum caxton_status wld_merge(struct wld_reader *const *readers, size_t count,
                                        tally_sink sink, void *context, struct diag *diag);

/* The same of files by ranges of keys, on several threads; for jobs see tally_parts(). Errors: also
 * STATUS_FORMAT (an index that leaves records out). */
MUST_CHECK enum caxton_status wld_merge_ranges(const struct wld_file *const *files, size_t count,
                                               int jobs, tally_sink sink, void *context,
                                               struct diag *diag);

/* Games that several inputs have. */
struct wld_common_games {
    uint64_t games;
    const char *one; /* two inputs that have the first of them; borrowed from their readers */
    const char *other;
};

/* The fingerprints of `count` readers, in order, to `sink`. Begins with *common = {0}. Errors: as
 * wld_reader_next_fingerprint(), STATUS_NO_MEMORY, what the sink returns (`diag` untouched). */
MUST_CHECK enum caxton_status wld_merge_fingerprints(struct wld_reader *const *readers,
                                                     size_t count, fingerprint_sink sink,
                                                     void *context, struct wld_common_games *common,
                                                     struct diag *diag);
