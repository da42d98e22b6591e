/* Which of two books is deeper, broader, and scores better: the last lines of diff, the first ones
 * of match. */
#pragma once

#include "base/json.h"
#include "book/graph/graph.h"
#include "book/makebook/cli/source.h"

enum { DIFF_SOURCES = 3 }; /* the two books; statistics about them, or {0} */

/* Begins as {0}. */
struct compared {
    struct source sources[DIFF_SOURCES];
    struct book_graph graphs[2]; /* of the books */
};

/* Opens A, B and, with a count of 3, the statistics. False after one line on standard error;
 * compared_close() is due in any case. */
bool compared_open(const struct command_line *line, char *const *names, int count,
                   struct compared *out);
void compared_close(struct compared *books);

struct diff_verdict {
    double plies[2];   /* from the start to a position, the mean */
    uint64_t compared; /* positions that lines of both books reach */
    double moves[2];   /* in one of them, the mean; those of weight 0 are not played */
    /* For White and Black: of the compared positions, those where the results of moves of both are
     * known; the mean share of the points there, by the shares of the moves, where a position
     * counts as often as games came to it; and the 95 % confidence of the difference. With shares a
     * and b, and the variance v of a result in n games of a move, a position's difference has the
     * variance sum (a - b)^2 v / n. Positions of one game share its result, so the variance of the
     * whole is multiplied by how many of them a game has, at most: the design effect of samples
     * that come in clusters, for a correlation of 1. Source: L. Kish, "Survey Sampling" (1965). */
    uint64_t scored[2];
    double score[2][2];
    double error[2];
};

/* Results are those of statistics in files, taken of all. Errors: as wld_file_find_facets(). */
MUST_CHECK enum caxton_status diff_verdict_take(const struct compared *books,
                                                struct diff_verdict *out, struct diag *diag);
void diff_verdict_print(FILE *out, const struct diff_verdict *verdict);
void diff_verdict_json(struct json *json, const struct diff_verdict *verdict);
