/* Sample games that makebook verify reads along with the statistics that they stand beside. */
#pragma once

#include "book/makebook/cli/sample_games.h"

struct verify_samples {
    const struct command_line *line;
    struct samples_file *file; /* NULL: there are none, or they cannot be opened */
    struct samples_cursor cursor;
    struct sample_set head; /* the next, unless has_ended */
    bool has_ended;
    bool is_other; /* they belong to other statistics */
    bool is_bad;   /* a fault has been named */
    uint64_t positions;
    uint64_t games;
    uint64_t strangers;  /* positions that the statistics do not have, */
    uint64_t first;      /* the first of them, */
    uint64_t first_byte; /* and where it is */
};

/* Those beside `source`, if there are any. Faults are named on standard error. */
void verify_samples_open(const struct command_line *line, const struct source *source,
                         struct verify_samples *out);

/* The statistics have a position with this key; keys ascend, each comes once. */
void verify_samples_follow(struct verify_samples *samples, uint64_t key);

/* Reads on to the end, says what was found and closes them. is_whole: all positions of the
 * statistics were read. False: there is a fault. */
bool verify_samples_end(struct verify_samples *samples, bool is_whole);
