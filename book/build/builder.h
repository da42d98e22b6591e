/* From games to a book: which games and moves count, and what was made of them. */
#ifndef CAXTON_BOOK_BUILD_BUILDER_H
#define CAXTON_BOOK_BUILD_BUILDER_H

#include <stdio.h>

#include "book/build/filter/filter.h"
#include "book/statistics/wld.h"
#include "book/weigh/weigh.h"

struct build_options {
    size_t max_plies;   /* moves beyond this ply of a game are not counted */
    uint64_t min_games; /* a move needs this many games, or what amounts to them, for the book */
    uint64_t stats_min_games; /* and so many to be in the statistics: 0 keeps all of them */
    bool mirror;              /* count as if White were to move, see wld.h; not for a book */
    struct filter filter;
    bool keep_duplicates; /* count equal games each time, see filter_fingerprint() */
    bool strict;          /* the first bad game ends the work */
    size_t memory_bytes;  /* for counting; more goes to files in `folder` */
    const char *folder;
    uint64_t expected_bytes;    /* of the input: so much memory is prepared; 0 = unknown */
    int jobs;                   /* threads that count, 1..256 */
    struct weigh_options weigh; /* for the book; min_games is the one above, unit the filter's */
};

/* 40 plies, 3 games, filter_default(), equal games once, 256 MiB, $TMPDIR or /tmp, one thread. */
struct build_options build_options_default(void);

enum { BAD_GAMES_SHOWN = 5 };

struct bad_game {
    char file[120];
    uint64_t number;
    struct diag diag;
};

struct build_report {
    uint64_t games;
    uint64_t used;
    uint64_t amount; /* what those count, */
    uint64_t unit;   /* in units of which a whole game has so many */
    uint64_t left[LEFT_REASONS];
    uint64_t plies;     /* counted */
    uint64_t bad_games; /* all with a fault, */
    uint64_t bad_used;  /* and those of them whose moves before the fault were counted */
    struct bad_game bad[BAD_GAMES_SHOWN]; /* the first of them, in the order of the input */
    struct weigh_report weights;          /* after builder_write() of a book */
    uint64_t records;                     /* after builder_write() of statistics */
    uint64_t records_rare;                /* and moves that were too rare for them */
};

struct builder;

/* Borrows the strings of `options`. NULL with *status = STATUS_NO_MEMORY or STATUS_THREAD. */
struct builder *builder_create(const struct build_options *options, enum caxton_status *status);
void builder_destroy(struct builder *builder); /* NULL is allowed */

/* Counts the games of one input; `name` is for reports. A bad game is reported and left
 * out, or in part. Errors: STATUS_IO, STATUS_NO_MEMORY; strict: STATUS_SYNTAX, STATUS_ILLEGAL or
 * STATUS_AMBIGUOUS, and report.bad[0] is the game. */
MUST_CHECK enum caxton_status builder_read(struct builder *builder, pgn_source source,
                                           void *context, const char *name, struct diag *diag);

/* The options that decide what is counted, as lines for a statistics file. How the counting is done
 * (memory, threads) and what is made of the counts is not among them.
 * Errors: STATUS_RANGE (too long). */
MUST_CHECK enum caxton_status build_options_text(const struct build_options *options,
                                                 char out[WLD_OPTIONS_MAX + 1]);

/* Writes a book, or the counts of every move (wld.h), or both; NULL is not written. Counts that are
 * mirrored make no book: its entries could not be found with Black to move. The counts are used up.
 * Errors: STATUS_IO, STATUS_NO_MEMORY, STATUS_RANGE. */
MUST_CHECK enum caxton_status builder_write(struct builder *builder, FILE *book, FILE *stats,
                                            struct diag *diag);

const struct build_report *builder_report(const struct builder *builder);

#endif
