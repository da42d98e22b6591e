#include "eval/eval.h"

#include <stdlib.h>
#include <string.h>

#include "eval/accumulator.h"
#include "eval/evaluate.h"

enum { PAWN_SLOT_BITS = 13 };

struct eval {
    struct accumulators accumulators;
    const struct network *network; /* NULL: the hand-written evaluation */
    struct pawn_entry slots[1 << PAWN_SLOT_BITS];
};

struct eval *eval_create(void)
{
    struct eval *eval = aligned_alloc(alignof(struct eval), sizeof *eval);
    if (!eval)
        return NULL;
    /* All zero is the right entry of a board without pawns. */
    memset(eval->slots, 0, sizeof eval->slots);
    eval_set_network(eval, network_builtin());
    return eval;
}

void eval_destroy(struct eval *eval)
{
    free(eval);
}

void eval_set_network(struct eval *eval, const struct network *network)
{
    eval->network = network;
    if (network)
        accumulators_init(&eval->accumulators, network, infer_kind(0));
}

void eval_reset(struct eval *eval)
{
    if (eval->network)
        accumulators_reset(&eval->accumulators);
}

void eval_push(struct eval *eval, const struct position *pos, move m)
{
    if (eval->network)
        accumulators_push(&eval->accumulators, pos, m);
}

void eval_push_null(struct eval *eval)
{
    if (eval->network)
        accumulators_push_null(&eval->accumulators);
}

void eval_pop(struct eval *eval)
{
    if (eval->network)
        accumulators_pop(&eval->accumulators);
}

static struct pawn_entry *pawn_slot(struct eval *eval, const struct position *pos)
{
    uint64_t white = position_pieces(pos, WHITE, PAWN);
    uint64_t black = position_pieces(pos, BLACK, PAWN);
    uint64_t mixed = (white ^ (black << 32 | black >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
    mixed ^= black * UINT64_C(0xC2B2AE3D27D4EB4F);
    return &eval->slots[mixed >> (64 - PAWN_SLOT_BITS)];
}

static int score_by_hand(struct eval *eval, const struct position *pos)
{
    int score = evaluate(pos, pawn_slot(eval, pos), NULL);
    return pos->turn == WHITE ? score : -score;
}

static int score_by_network(struct eval *eval, const struct position *pos)
{
    struct accumulators *all = &eval->accumulators;
    const struct accumulator *accumulator = accumulators_top(all, pos);
    int output = network_output(bb_count(position_occupied(pos)));
    int score = accumulator_output(all->network, all->infer, accumulator, pos->turn, output);
    return score >= EVAL_MAX ? EVAL_MAX - 1 : score <= -EVAL_MAX ? 1 - EVAL_MAX : score;
}

int eval_score(struct eval *eval, const struct position *pos)
{
    return eval->network ? score_by_network(eval, pos) : score_by_hand(eval, pos);
}
