/* Statistics added up into one file, with a line of progress: a part of makebook merge. */
#pragma once

#include <stdio.h>

#include "base/progress.h"
#include "book/statistics/samples_file.h"
#include "book/statistics/wld_file.h"

struct merge_sum {
    FILE *out;
    const char *options;
    uint64_t unit;      /* of the counts */
    uint64_t min_games; /* moves of fewer games in the sum are left out; 0: none */
    bool force;         /* games that several readers have are no fault */
    bool forget_games;  /* fingerprints are not kept */
    const struct wld_file *const
        *files;                     /* of all readers, in their order; NULL: they are streams */
    int jobs;                       /* threads that add files up */
    struct samples_writer *samples; /* gets the positions that are written; NULL: nobody does */
    struct progress *progress;
    uint64_t records; /* written */
    uint64_t rare;    /* left out */
    uint64_t twice; /* with `force`: games that several readers have, of those with fingerprints */
};

/* Writes the sums of what `count` readers hold. Fingerprints of games are kept where all readers
 * have them and no move is left out, unless they are to be forgotten. Errors: those of the readers
 * and of a wld_writer; STATUS_AMBIGUOUS: two readers have the same games; `diag` is set for that
 * and those of the readers. */
MUST_CHECK enum caxton_status merge_sum_write(struct merge_sum *sum,
                                              struct wld_reader *const *readers, size_t count,
                                              struct diag *diag);
