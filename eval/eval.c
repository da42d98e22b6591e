#include "eval/eval.h"

#include <stdlib.h>

#include "eval/evaluate.h"

enum { PAWN_SLOT_BITS = 13 };

struct eval {
    struct pawn_entry slots[1 << PAWN_SLOT_BITS];
};

/* A fresh slot is all zero: the right entry of a board without pawns. */
struct eval *eval_create(void)
{
    return calloc(1, sizeof(struct eval));
}

void eval_destroy(struct eval *eval)
{
    free(eval);
}

static struct pawn_entry *pawn_slot(struct eval *eval, const struct position *pos)
{
    uint64_t white = position_pieces(pos, WHITE, PAWN);
    uint64_t black = position_pieces(pos, BLACK, PAWN);
    uint64_t mixed = (white ^ (black << 32 | black >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
    mixed ^= black * UINT64_C(0xC2B2AE3D27D4EB4F);
    return &eval->slots[mixed >> (64 - PAWN_SLOT_BITS)];
}

int eval_score(struct eval *eval, const struct position *pos)
{
    int score = evaluate(pos, pawn_slot(eval, pos), NULL);
    return pos->turn == WHITE ? score : -score;
}
