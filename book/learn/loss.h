/* What is done about one lost line: a part of learn. */
#pragma once

#include "book/learn/learnt.h"
#include "book/scoring/scorer.h"

struct loss_study {
    const struct learn_options *options;
    struct scorer *scorer;
    struct learnt *learnt;
    struct game *board;
};

/* Looks at line number `index`, and changes the draft. Errors: those of scorer_ask(). */
MUST_CHECK enum caxton_status learn_from_loss(struct loss_study *study, size_t index,
                                              struct diag *diag);

/* The question that is asked about the position of a step. */
struct scorer_question learn_question(const struct learn_options *options,
                                      const struct position *pos, const struct learn_step *step);
