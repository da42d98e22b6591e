/* Which of two books is deeper, broader, and scores better: the last lines of diff. */
#pragma once

#include "base/json.h"
#include "book/graph/graph.h"
#include "book/makebook/cli/source.h"

struct diff_verdict {
    double plies[2];   /* from the start to a position, the mean */
    uint64_t compared; /* positions that lines of both books reach */
    double moves[2];   /* in one of them, the mean; those of weight 0 are not played */
    uint64_t scored;   /* of them, those where the results of moves of both are known */
    double score[2];   /* the mean share of the points there, by the shares of the moves; a position
                          counts as often as games came to it */
};

/* Results are known of books that are statistics in files (struct source.file), and taken of both.
 * Errors: as wld_file_find(). */
MUST_CHECK enum caxton_status diff_verdict_take(const struct book_graph graphs[2],
                                                const struct source sources[2],
                                                struct diff_verdict *out, struct diag *diag);

void diff_verdict_print(FILE *out, const struct diff_verdict *verdict);
void diff_verdict_json(struct json *json, const struct diff_verdict *verdict);
