/* Evaluations that others publish, as answers of a store that bears their name. Positions that
 * nobody wants are passed over as soon as they are known.
 *
 * Lines of JSON, as Lichess publishes them, have a position each, with evaluations of different
 * depths and numbers of lines of play:
 *     {"fen": "..", "evals": [{"pvs": [{"cp": 17, "line": "e2e4 e7e5"}, ..], "knodes": 99,
 *     "depth": 30}, ..]}
 * "mate", in moves, may stand for "cp"; castling is king takes rook. The first line of play is an
 * answer to the position, each one to the position behind its move, a ply less deep.
 * Source: https://database.lichess.org/#evals. It does not say that scores are White's: of
 * positions with Black to move the best line of play, which comes first, has the lowest.
 *
 * Lines of EPD have what chessdb.cn says, from the side to move: "cdb eval: 17, ply: 4", where M5
 * and -M4, and numbers such as 29995, are mates in plies, and perhaps "PV: e2e4 ..". Comments (#)
 * and lines without a score are passed over.
 * Source: fens2cdb.py and cdbbulkpv.py of github.com/robertnurnberg/cdblib. */
#pragma once

#include "base/key_table.h"
#include "base/text.h"
#include "book/scoring/score_store.h"

/* Begins as {0}, with a store and `most`. */
struct evaluations {
    struct score_store *store; /* which they are added to */
    size_t most;               /* answers that it may have */
    uint64_t used;             /* lines with a score of a position that is wanted */
    uint64_t *wanted;          /* keys of positions; none: all are; to be freed, and its table */
    size_t wanted_count, wanted_capacity;
    struct key_table table;
};

/* Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status evaluations_want(struct evaluations *evaluations, uint64_t key);
bool evaluations_is_wanted(const struct evaluations *evaluations, uint64_t key);

/* Adds an answer, wanted or not, unless one of that depth is there. Errors: as score_store_add(),
 * STATUS_END (there are `most` of them). */
MUST_CHECK enum caxton_status evaluations_add(struct evaluations *evaluations,
                                              const struct position *pos,
                                              const struct search_answer *answer,
                                              struct diag *diag);

/* A score of centipawns or of moves to a mate, both of the side to move, as an answer of such a
 * store has it: 10,000 centipawns at most. */
int evaluation_score(int64_t value, bool mate);

/* Reads a line without its end. Errors, with `diag`: STATUS_SYNTAX (that is no such text),
 * STATUS_ILLEGAL (a position, move or number that cannot be: the rest of the line is left out), and
 * those of evaluations_add(). */
MUST_CHECK enum caxton_status evaluations_read_line(struct evaluations *evaluations,
                                                    struct span line, struct diag *diag);
