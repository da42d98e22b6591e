/* From games to a book: which games and moves count, and what was made of them. */
#pragma once

#include <stdio.h>

#include "book/count/count.h"
#include "book/statistics/samples_file.h"
#include "book/statistics/wld_file.h"
#include "book/weigh/weigh.h"

struct build_options {
    struct count_options count;
    uint64_t min_games; /* a move needs this many games, or what amounts to them, for the book */
    uint64_t two_pass_games; /* 0: games are read once. Else all of them twice, builder_look_again()
                                in between: counted is only what may have so many games. The
                                outputs have to ask for as many, at least */
    uint64_t stats_min_games; /* and this many to be in the statistics: 0 keeps all of them */
    /* Called now and then while counts are merged, NULL: nobody asks. All keys up to this one are
     * done; keys are spread evenly. */
    void (*merged)(void *context, uint64_t key);
    void *merged_context;
    struct weigh_options weigh; /* for the book; min_games is the one above, unit the filter's */
};

/* 40 plies, 3 games, filter_default(), equal games once, 256 MiB, $TMPDIR or /tmp, one thread. */
struct build_options build_options_default(void);

struct build_report {
    struct count_report count;
    uint64_t unit;               /* what a whole game counts: filter_unit() */
    struct weigh_report weights; /* after builder_write() of a book */
    uint64_t records;            /* after builder_write() of statistics */
    uint64_t records_rare;       /* and moves that were too rare for them */
    uint64_t sketch_bytes;       /* what a first pass took; 0: there was none */
    uint64_t skipped;            /* what a second pass did not count, in units, */
    uint64_t looked_at;          /* and of how much */
    uint64_t sampled;            /* positions that have sample games */
};

struct builder;

/* Borrows the strings of `options`. NULL with *status = STATUS_NO_MEMORY or STATUS_THREAD. */
struct builder *builder_create(const struct build_options *options, enum caxton_status *status);
void builder_destroy(struct builder *builder); /* NULL is allowed */

/* Adds what is counted to the statistics of `base`, which were counted with the options
 * build_options_text() of these, keep_fingerprints among them: games that they have are left out,
 * and builder_write() writes the sums. `base` is at its start and borrowed until then. Before the
 * first game. Errors: those of the reader, STATUS_IO, STATUS_NO_MEMORY; `diag` says more. */
MUST_CHECK enum caxton_status builder_add_to(struct builder *builder, struct wld_reader *base,
                                             struct diag *diag);

/* Counts the games of one input; `name` is for reports. A bad game is reported and left
 * out, or in part. Errors: STATUS_IO, STATUS_NO_MEMORY; strict: STATUS_SYNTAX, STATUS_ILLEGAL or
 * STATUS_AMBIGUOUS, and report.count.bad[0] is the game. */
MUST_CHECK enum caxton_status builder_read(struct builder *builder, pgn_source source,
                                           void *context, const char *name, struct diag *diag);

/* Ends the first of two passes, after its last input. The report begins afresh; the second pass has
 * to bring the same games. Errors: as builder_read() and builder_create(). */
MUST_CHECK enum caxton_status builder_look_again(struct builder *builder, struct diag *diag);

/* The options that decide what is counted, as lines for a statistics file. How the counting is done
 * (memory, threads) and what is made of the counts is not among them.
 * Errors: STATUS_RANGE (too long). */
MUST_CHECK enum caxton_status build_options_text(const struct build_options *options,
                                                 char out[WLD_OPTIONS_MAX + 1]);

/* Where builder_write() of statistics writes the sample games (samples_file.h) of their positions,
 * for which options->count.samples is above 0. base: with those of the statistics that are added
 * to, whose files are among options->count.sample_names; NULL: none. Both are borrowed until then.
 */
void builder_set_samples(struct builder *builder, FILE *out, const struct samples_file *base);

/* Writes a book, or the counts of every move (wld.h), or both; NULL is not written. Counts that are
 * mirrored make no book: its entries could not be found with Black to move. The counts are used up.
 * Errors: STATUS_IO (also when the second pass brought other games than the first),
 * STATUS_NO_MEMORY, STATUS_RANGE. */
MUST_CHECK enum caxton_status builder_write(struct builder *builder, FILE *book, FILE *stats,
                                            struct diag *diag);

const struct build_report *builder_report(const struct builder *builder);
