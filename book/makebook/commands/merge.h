/* Merging statistics, a part of makebook merge. */
#pragma once

#include "book/makebook/cli/source.h"

/* Borrowed. */
struct stats_merge {
    const struct command_line *line; /* its operands are the inputs, at least one */
    const char *output;
    const char *folder; /* for temporary files, of which only many inputs need some */
    bool force;         /* different options are no fault */
    bool quiet;
};

/* Writes the sums of all inputs. first: the first input, already open; it is closed here. Returns
 * the exit status after naming a fault. */
int merge_stats(const struct stats_merge *merge, struct source *first);
