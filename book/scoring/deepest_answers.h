/* What a store says a position or a move is worth: by its deepest searches. */
#pragma once

#include "book/scoring/score_store.h"

struct deepest_answer {
    struct packed_position pos;
    struct search_limit limit;
    struct search_answer answer;
};

/* Begins as {0}; freed by deepest_answers_free(). */
struct deepest_answers {
    struct deepest_answer *list; /* by position */
    size_t count;
};

/* Is `answer` of a deeper search than `than`: by depth, nodes and limit? */
bool answer_is_deeper(struct search_limit limit, const struct search_answer *answer,
                      struct search_limit than_limit, const struct search_answer *than);

/* Takes the deepest answer of each position. wanted: of these alone, which get sorted; NULL: of
 * all. Errors: STATUS_NO_MEMORY. */
MUST_CHECK enum caxton_status deepest_answers_take(const struct score_store *store,
                                                   struct packed_position *wanted,
                                                   size_t wanted_count,
                                                   struct deepest_answers *out);
void deepest_answers_free(struct deepest_answers *answers);

/* What the position is worth to the side to move, -SCORE_MATE when no search knows. */
int deepest_answers_best(const struct deepest_answers *answers, const struct position *pos);

/* What the legal move `m` in `pos` is worth to the side that makes it: the deepest search of `pos`
 * says it where that found the move, else the deepest one after the move. out->depth and nodes are
 * of that search, the depth counted from `pos`. False: no search knows. */
bool deepest_answers_of_move(const struct deepest_answers *answers, const struct position *pos,
                             move m, struct search_answer *out);
