/* Terms of pawn structure and passed pawns. Private to eval/. */
#ifndef CAXTON_EVAL_TERMS_PAWN_H
#define CAXTON_EVAL_TERMS_PAWN_H

#include "eval/context.h"

/* Adds weight + relative rank for every square of the set. */
static inline void add_by_rank(struct context *ctx, int us, int weight, uint64_t set)
{
    while (set)
        term_add(ctx, us, weight + relative_rank(us, bb_pop(&set)), 1);
}

/* Structure of `us`'s pawns: needs nothing but both sides' pawns. */
static inline void pawn_structure(struct context *ctx, int us)
{
    int them = !us;
    uint64_t own = position_pieces(ctx->pos, us, PAWN);
    uint64_t foe = position_pieces(ctx->pos, them, PAWN);
    uint64_t foe_front = fill_forward(them, bb_forward(them, foe));
    uint64_t defended = attacks_pawns(us, own);
    uint64_t neighbours = fill_forward(us, sideways(own)) | fill_forward(them, sideways(own));
    uint64_t behind_own = fill_forward(them, bb_forward(them, own));
    uint64_t span = fill_forward(us, defended);
    uint64_t isolated = own & ~neighbours;
    uint64_t stoppable = bb_forward(them, attacks_pawns(them, foe) & ~span);
    uint64_t backward = own & ~isolated & stoppable;
    uint64_t open_to_advance = own & ~foe_front & ~behind_own;
    uint64_t passed = open_to_advance & ~sideways(foe_front);
    uint64_t candidates = open_to_advance & ~passed;

    ctx->pawns.span[us] = span;
    ctx->pawns.passed[us] = passed;
    term_add(ctx, us, W_ISOLATED, bb_count(isolated & foe_front));
    term_add(ctx, us, W_ISOLATED + 1, bb_count(isolated & ~foe_front));
    term_add(ctx, us, W_BACKWARD, bb_count(backward & foe_front));
    term_add(ctx, us, W_BACKWARD + 1, bb_count(backward & ~foe_front));
    term_add(ctx, us, W_DOUBLED, bb_count(own & behind_own & ~isolated));
    term_add(ctx, us, W_DOUBLED + 1, bb_count(own & behind_own & isolated));
    add_by_rank(ctx, us, W_PHALANX, own & sideways(own));
    add_by_rank(ctx, us, W_PROTECTED, own & defended);

    /* A candidate has at least as many helpers beside and behind as enemies in its way. */
    while (candidates) {
        int square = bb_pop(&candidates);
        uint64_t columns = sideways(bb_square(square));
        uint64_t guards = foe & fill_forward(us, bb_forward(us, columns));
        uint64_t helpers = own & fill_forward(them, columns);
        if (bb_count(helpers) >= bb_count(guards))
            term_add(ctx, us, W_CANDIDATE + relative_rank(us, square), 1);
    }
}

/* Can no enemy king catch the pawn, when he is all that could? */
static inline bool pawn_runs_free(const struct context *ctx, int us, int square, uint64_t path)
{
    int them = !us;
    uint64_t foe_men = ctx->pos->colors[them];
    if (foe_men & ~ctx->pos->types[PAWN] & ~ctx->pos->types[KING] || path & ctx->occupied)
        return false;
    int target =
        us == WHITE ? square_make(square_file(square), 7) : square_make(square_file(square), 0);
    int steps = 7 - relative_rank(us, square);
    steps -= steps == 6;
    return chebyshev(ctx->king[them], target) - (ctx->pos->turn == them) > steps;
}

/* Passed pawns: what stands in their way and who accompanies them. Ideas common to many engines:
 * https://www.chessprogramming.org/Passed_Pawn */
static inline void passed_pawns(struct context *ctx, int us)
{
    int them = !us;
    uint64_t set = ctx->pawns.passed[us];
    while (set) {
        int square = bb_pop(&set);
        int rank = relative_rank(us, square);
        uint64_t pawn = bb_square(square);
        uint64_t stop = bb_forward(us, pawn);
        uint64_t path = fill_forward(us, stop);
        int stop_square = bb_first(stop);

        term_add(ctx, us, W_PASSED + rank, 1);
        term_add(ctx, us, W_PASSED_OWN_KING + chebyshev(ctx->king[us], stop_square), rank);
        term_add(ctx, us, W_PASSED_FOE_KING + chebyshev(ctx->king[them], stop_square), rank);
        if (!(stop & ctx->occupied)) {
            term_add(ctx, us, W_PASSED_FREE + rank, 1);
            if (!(stop & ctx->attacked[them]))
                term_add(ctx, us, W_PASSED_SAFE_STOP + rank, 1);
            if (!(path & (ctx->attacked[them] | ctx->pos->colors[them])))
                term_add(ctx, us, W_PASSED_SAFE_PATH + rank, 1);
        }
        if (stop & ctx->attacked[us])
            term_add(ctx, us, W_PASSED_STOP_DEFENDED + rank, 1);

        uint64_t behind = attacks_rook(square, ctx->occupied) &
                          fill_forward(them, bb_forward(them, pawn)) & ctx->pos->types[ROOK];
        if (behind & ctx->pos->colors[us])
            term_add(ctx, us, W_PASSED_ROOK_BEHIND, 1);
        if (behind & ctx->pos->colors[them])
            term_add(ctx, us, W_PASSED_ROOK_BEHIND + 1, 1);
        if (pawn_runs_free(ctx, us, square, path))
            term_add(ctx, us, W_PASSED_UNSTOPPABLE, 1);
    }
}

#endif
