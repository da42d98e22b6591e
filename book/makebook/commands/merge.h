/* Merging statistics, a part of makebook merge. */
#pragma once

#include "book/makebook/cli/source.h"

struct merge_command {
    const char *output;
    const char *folder; /* for temporary files, of which only many inputs need some */
    bool force;         /* different options are no fault */
    int64_t min_games;  /* moves of fewer games in the sum are left out of statistics */
    bool quiet;
    struct command_line line; /* its operands are the inputs, at least one */
};

/* Writes the sums of all inputs. first: the first input, already open; it is closed here. Returns
 * the exit status after naming a fault. */
int merge_stats(const struct merge_command *merge, struct source *first);
