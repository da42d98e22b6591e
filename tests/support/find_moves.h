/* The moves of a position with this key to `sink`, as sums of what passes. */
#pragma once

#include "book/statistics/wld_file.h"

static inline enum caxton_status find_moves(const struct wld_file *file, uint64_t key,
                                            const struct facet_filter *filter, tally_sink sink,
                                            void *context, struct diag *diag)
{
    struct wld_moves moves = {.filter = filter};
    enum caxton_status status = wld_file_find_facets(file, key, wld_moves_take, &moves, diag);
    for (size_t i = 0; i < moves.count && status == STATUS_OK; i++)
        status = sink(context, &moves.sums[i]);
    return status;
}
