/* What grow will probably ask next, so that threads that have nothing to do search it meanwhile.
 *
 * That is what waits in the frontier; and what is found behind positions whose answers are there
 * already, although grow has not come to them. Without the second few threads are kept busy: behind
 * an answer there is often one reply, as probable as the position before it, which grow must search
 * next and nobody has begun (book/plan/README.md).
 *
 * It only guesses: a guess that is wrong costs a search that nobody asks for. */
#pragma once

#include "book/grow/dag.h"
#include "book/grow/opponent.h"
#include "book/grow/own_choice.h"
#include "book/grow/starts.h"
#include "book/scoring/limit_rule.h"

struct look_ahead;

/* What a run is: all of it is borrowed, and looked at as it is then. */
struct look_ahead_view {
    int side; /* who has the book */
    const struct grow_starts *starts;
    const struct opponent *opponent;
    const struct book *kept;
    const struct own_choice_rule *own;
    const struct limit_rule *rule;
    const struct dag *dag;
    const struct frontier *frontier;
    struct scorer *scorer;
};

/* Errors: STATUS_NO_MEMORY. The caller destroys it. */
MUST_CHECK enum caxton_status look_ahead_create(const struct look_ahead_view *view,
                                                struct look_ahead **out);
void look_ahead_destroy(struct look_ahead *look); /* NULL is allowed */

/* Questions without an answer, the likeliest first, at most `wanted`: first those of the node `at`
 * of our side, which was taken out of the frontier; none when it has its answer. Returns how many.
 */
size_t look_ahead_find(struct look_ahead *look, uint32_t at, struct scorer_question *out,
                       size_t wanted);
