/* The parts of makebook merge. */
#pragma once

#include "book/format.h"
#include "book/makebook/cli/source.h"

struct merge_command {
    const char *output;
    const char *repertoire; /* NULL: books are added up */
    const char *replies;
    int own;            /* whose repertoire; 0: not said, else 1 + colour */
    int policy;         /* enum gather_policy */
    const char *folder; /* for temporary files, of which only many inputs need some */
    bool reachable;     /* the result holds only what its own moves reach */
    bool force;         /* different options are no fault */
    int64_t min_games;  /* moves of fewer games in the sum are left out of statistics */
    int64_t jobs;       /* threads that add statistics up */
    bool quiet;
    struct command_line line; /* its operands are the inputs, at least one */
};

/* Writes the repertoire with the replies of the database. Returns the exit status after naming a
 * fault. */
int merge_repertoire(const struct merge_command *merge, const struct book_writer *writer);

/* Writes the sums of all inputs. first: the first input, already open; it is closed here. Returns
 * the exit status after naming a fault. */
int merge_stats(const struct merge_command *merge, struct source *first);
