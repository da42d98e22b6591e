/* Shared by the parts of makebook verify. */
#pragma once

#include <stdio.h>

#include "book/format.h"
#include "book/graph/graph.h"
#include "book/makebook/cli/source.h"

/* So many faults of a kind are named, unless all are asked for. */
enum { VERIFY_SHOWN = 20 };

/* What is to be done. */
struct verify {
    bool repair;
    const char *output; /* of the repair, NULL: none */
    const char *fen;
    bool all;             /* name every fault */
    int64_t giveaways_cp; /* vet does that now; 0: not asked for */
    struct command_line line;
    struct source source;
    const struct book_format *format; /* NULL: not known yet */
    const struct position *root;      /* of --start; NULL: lines begin at the start */
    FILE *report;
};

/* What the lines of a book show that its entries do not. */
struct verify_lines {
    uint64_t loops;     /* moves that come back to an earlier position of their line */
    uint64_t unreached; /* positions that no line comes to */
    uint64_t zeros;     /* moves of weight 0 */
};

/* A Polyglot book, entry by entry; a book of another kind; statistics. Each returns the exit
 * status. */
int verify_polyglot(const struct verify *verify);
int verify_format(const struct verify *verify);
int verify_stats(struct verify *verify);

/* Sample games that are the operand themselves: *exit is the exit status. False: it is something
 * else. */
bool verify_samples_alone(const struct verify *verify, int *exit);

/* Refuses a repair to a path that promises another kind of book than `kind`, the name of a writer.
 * Returns EXIT_DONE or EXIT_USAGE. */
int verify_check_output(const struct verify *verify, const char *kind);

/* Counts what lines show and names it, with `all` each of it; not what they do not reach. All are
 * remarks: a sound book can have them. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status
verify_lines(const struct verify *verify, const struct book_graph *graph, struct verify_lines *out);

/* Counts in out->unreached the positions that the graph of `table` does not reach; with `all`
 * names each. Also a remark. */
void verify_unreached(const struct verify *verify, const struct entry_table *table,
                      const struct book_graph *graph, struct verify_lines *out);

/* One line each of those that are not 0, as a summary has them. */
void verify_lines_summary(const struct verify_lines *found, FILE *report);
