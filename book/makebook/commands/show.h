/* What makebook show has found: filled by show.c, printed by show_print.c. */
#pragma once

#include "book/book_move.h"
#include "book/format.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/show_samples.h"
#include "book/makebook/commands/show_where.h"

struct show {
    const char *name; /* of the book */
    struct position pos;
    bool counts;   /* they are statistics */
    bool mirrored; /* and mirrored ones */
    uint64_t unit; /* of the tallies */
    int count;     /* of moves, */
    struct book_move moves[MOVES_MAX];
    struct tally tallies[MOVES_MAX]; /* and what statistics know of each */
    bool has_facts;
    struct book_facts facts; /* of these moves */
    bool has_leaves;
    bool has_where;
    struct where where;          /* the games that come here */
    struct show_samples samples; /* those kept beside statistics, where --where is not asked for */
    size_t wanted;               /* so many of these are listed */
    uint64_t leaves;             /* moves behind the position, its own included, that end lines */
};

/* To standard output. */
void show_print(const struct show *show);
void show_print_json(const struct show *show);
