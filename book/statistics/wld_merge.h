/* Files of statistics added up. */
#pragma once

#include "book/statistics/samples_file.h"
#include "book/statistics/wld_file.h"

/* The sums of what `count` readers hold, in order, each facet apart, to `sink`.
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

/* Any number of files ------------------------------------------------------------------------ */

/* As many inputs as may be open at once are read side by side, a block of each in memory. Where
 * there are more, groups of them are summed up into temporary files, and those again, so that each
 * count is written once more for every factor of 16. */
struct wld_sum;

struct wld_sum_options {
    const char *folder;  /* for temporary files */
    const char *options; /* of all inputs so far, united */
    uint64_t unit;       /* of the counts */
    bool force;          /* games that several inputs have are no fault */
    int jobs;            /* threads that add files up */
    /* Called now and then. All keys up to this one are done; keys are spread evenly. */
    void (*merged)(void *context, uint64_t key);
    void *merged_context;
};

/* Of so many inputs. The options are borrowed. NULL when there is no memory. */
struct wld_sum *wld_sum_create(size_t inputs, const struct wld_sum_options *options);
void wld_sum_destroy(struct wld_sum *sum); /* NULL is allowed */

/* Is no other input to be opened before wld_sum_spill()? */
bool wld_sum_is_full(const struct wld_sum *sum);

/* The next input; both are borrowed until wld_sum_spill() or wld_sum_write(). file: that of the
 * reader; NULL: it is a stream. */
void wld_sum_add(struct wld_sum *sum, struct wld_reader *reader, const struct wld_file *file);

/* Sums up the inputs so far into a temporary file. Errors: those of the readers and of a
 * wld_writer; STATUS_AMBIGUOUS: two inputs have the same games; `diag` is set for that and those of
 * the readers and the folder. */
MUST_CHECK enum caxton_status wld_sum_spill(struct wld_sum *sum, struct diag *diag);

struct wld_sum_output {
    FILE *out;
    uint64_t min_games;             /* moves of fewer games are left out; 0: none */
    bool forget_games;              /* fingerprints are not kept */
    struct samples_writer *samples; /* gets the positions that are written; NULL: nobody does */
    uint64_t records;               /* written */
    uint64_t rare;                  /* left out */
};

/* Writes the sums of all inputs. Fingerprints of games are kept where all inputs have them and no
 * move is left out, unless they are to be forgotten. Errors: as above. */
MUST_CHECK enum caxton_status wld_sum_write(struct wld_sum *sum, struct wld_sum_output *to,
                                            struct diag *diag);

/* With `force`: games that several inputs have, of those with fingerprints. */
uint64_t wld_sum_twice(const struct wld_sum *sum);

/* Sample games beside statistics -------------------------------------------------------------- */

struct samples_sum;

/* Of so many files. NULL when there is no memory. */
struct samples_sum *samples_sum_create(size_t files);
void samples_sum_destroy(struct samples_sum *sum); /* NULL is allowed */

/* Opens the sample games in the file `games`, which have to belong to the statistics in that file
 * and to be of as many plies as those before. `diag` says why they cannot be added. */
MUST_CHECK enum caxton_status samples_sum_add(struct samples_sum *sum, const char *statistics,
                                              const char *games, struct diag *diag);

/* Begins to write the sum of all, which are then read by the writer as it follows the statistics.
 * *writer is the sum's. Errors: as samples_writer_create(). */
MUST_CHECK enum caxton_status samples_sum_begin(struct samples_sum *sum, FILE *out,
                                                struct samples_writer **writer, struct diag *diag);
