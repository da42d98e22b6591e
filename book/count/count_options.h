/* What is counted of the games, and with which means. */
#pragma once

#include "book/count/filter/filter.h"
#include "book/statistics/sample.h"

struct count_options {
    struct filter filter;
    size_t max_plies;        /* moves beyond this ply of a game are not counted */
    bool mirror;             /* count as if White were to move, see wld.h */
    bool keep_duplicates;    /* count equal games each time, see filter_fingerprint() */
    bool keep_fingerprints;  /* give the fingerprints of the games that were counted */
    bool strict;             /* the first bad game ends the work */
    size_t memory_bytes;     /* for counting; the rest goes to temporary files in `folder` */
    const char *folder;      /* borrowed */
    size_t open_files;       /* temporary files that may be open at once */
    uint64_t expected_bytes; /* of the input: memory is prepared for so many; 0 = unknown */
    int jobs;                /* threads that count, 1..256 */
    size_t samples;          /* games to choose for each position, 0..SAMPLES_MAX, */
    const struct sample_names *sample_names; /* and the names of all inputs then; borrowed */
};
