#include "eval/eval.h"

#include <stdlib.h>

#include "eval/accumulator.h"
#include "eval/bare_king.h"
#include "eval/infer.h"
#include "eval/network_builtin.h"

_Static_assert((int)EVAL_PLY_MAX == (int)ACCUMULATORS_PLY_MAX, "pushed moves find room");

struct eval {
    struct accumulators accumulators;
};

struct eval *eval_create(void)
{
    const struct network *network = network_builtin();
    struct eval *eval = network ? aligned_alloc(alignof(struct eval), sizeof *eval) : NULL;
    if (eval)
        eval_set_network(eval, network);
    return eval;
}

void eval_destroy(struct eval *eval)
{
    free(eval);
}

void eval_set_network(struct eval *eval, const struct network *network)
{
    accumulators_init(&eval->accumulators, network, infer_kind(0));
}

void eval_reset(struct eval *eval)
{
    accumulators_reset(&eval->accumulators);
}

void eval_push(struct eval *eval, const struct position *pos, move m)
{
    accumulators_push(&eval->accumulators, pos, m);
}

void eval_push_null(struct eval *eval)
{
    accumulators_push_null(&eval->accumulators);
}

void eval_pop(struct eval *eval)
{
    accumulators_pop(&eval->accumulators);
}

int eval_score(struct eval *eval, const struct position *pos)
{
    int score;
    if (bare_king_score(pos, &score))
        return score;
    struct accumulators *all = &eval->accumulators;
    const struct accumulator *accumulator = accumulators_top(all, pos);
    int output = network_output(bb_count(position_occupied(pos)));
    score = accumulator_output(all->network, all->infer, accumulator, pos->turn, output);
    return score >= EVAL_MAX ? EVAL_MAX - 1 : score <= -EVAL_MAX ? 1 - EVAL_MAX : score;
}
