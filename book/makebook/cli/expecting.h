/* The options of commands that know what a repertoire is expected to score against a database. */
#pragma once

#include "book/graph/expected.h"
#include "book/makebook/cli/filtering.h"
#include "book/makebook/cli/stores.h"

/* Begins as {0}. */
struct expecting {
    const char *replies; /* NULL: nobody asks */
    const char *store;
    int64_t prior;
    int64_t eval_ply;
    struct source database; /* after expecting_open() */
    struct store_reading searches;
    struct expected_graph graph;
};

/* clang-format off */
/* Rows for a command's table, beside FACET_ROWS and --color; `e` is a struct expecting. */
#define EXPECTING_ROWS(e) \
    TEXT_ROW("replies", 0, "DATABASE", \
             "expected scores: BOOK against what these statistics say of replies", &(e).replies), \
    NUMBER_ROW("prior", 0, "GAMES", "a search of --store counts as so many games", &(e).prior, \
               1, INT32_MAX, USUAL(EXPECTED_PRIOR), .needs = "replies"), \
    NUMBER_ROW("eval-ply", 0, "N", "lines end at ply N, where searches of --store stand for games", \
               &(e).eval_ply, 1, BOOK_GRAPH_PLIES_MAX, .needs = "replies")
#define EXPECTING_STORE_ROW(e) \
    TEXT_ROW("store", 0, "FILE", "scores by searches, as of makebook import, for each move", \
             &(e).store)
/* clang-format on */

#define EXPECTING_ABOUT                                                                            \
    "With --replies a move has an expected score: what it scores when one side keeps to the "      \
    "moves\n"                                                                                      \
    "of the book and the other plays as DATABASE says, in any order of moves. At the end of a "    \
    "line\n"                                                                                       \
    "it is what the games there scored; where --store has a search of the move, that counts as\n"  \
    "--prior games more. \"At least\" is the lower end of the 95 % interval (Wilson 1927)."

/* The book of a command line, all of it; options about games are the database's. As
 * source_open_walk(). */
bool expecting_open_book(const struct command_line *line, const char *path, struct source *out);

/* Reads the database and the store, and makes the graph. color: as for source_find_own(). Returns
 * an exit status. expecting_close() in any case. */
enum exit_status expecting_open(const struct command_line *line, const struct source *book,
                                int color, struct expecting *expecting);
void expecting_close(struct expecting *expecting);

/* As struct book_format.facts of a struct expecting: expected_graph_facts(), and searches. */
MUST_CHECK enum caxton_status expecting_facts(const void *expecting, uint64_t key,
                                              const struct position *pos, struct book_facts *out,
                                              struct diag *diag);
