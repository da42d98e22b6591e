/* What makebook show has found: filled by show.c, printed by show_print.c. */
#pragma once

#include "book/format.h"
#include "book/makebook/cli/expecting.h"
#include "book/makebook/cli/source.h"
#include "book/makebook/commands/show_samples.h"
#include "book/makebook/commands/show_where.h"

struct show {
    const char *name; /* of the book */
    struct position pos;
    const struct wld_info *counts; /* of struct book */
    const char *scores_of;         /* who searched, of another store; NULL: none */
    bool has_facts;                /* beside weights or counts */
    struct book_facts facts;       /* of the moves that are known */
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

/* What the repertoire is expected to score in the position, by move. False: no line comes there. */
bool show_print_expected(const struct show *show, const struct expecting *expecting, bool as_json);
