/* Terms of attacked pieces. Private to eval/. */
#ifndef CAXTON_EVAL_TERMS_THREAT_H
#define CAXTON_EVAL_TERMS_THREAT_H

#include "eval/context.h"

/* Adds weight + type for every enemy piece in the set. */
static inline void add_by_type(struct context *ctx, int us, int weight, uint64_t set)
{
    while (set)
        term_add(ctx, us, weight + piece_type(ctx->pos->board[bb_pop(&set)]), 1);
}

/* Squares that `us`'s pawns can reach in one move without being taken by a pawn or for nothing. */
static inline uint64_t safe_pushes(const struct context *ctx, int us)
{
    int them = !us;
    uint64_t own = position_pieces(ctx->pos, us, PAWN);
    uint64_t third = bb_rank(us == WHITE ? 2 : 5);
    uint64_t pushes = bb_forward(us, own) & ~ctx->occupied;
    pushes |= bb_forward(us, pushes & third) & ~ctx->occupied;
    return pushes & ~ctx->attacks[them][PAWN] & (ctx->attacked[us] | ~ctx->attacked[them]);
}

/* Threats of `us` against pieces of the other side.
 * Source: ideas of https://www.chessprogramming.org/Stockfish_Evaluation_Guide */
static inline void threats(struct context *ctx, int us)
{
    int them = !us;
    uint64_t foes = ctx->pos->colors[them] & ~ctx->pos->types[KING];
    uint64_t pieces = foes & ~ctx->pos->types[PAWN];
    uint64_t firm = ctx->attacks[them][PAWN] | (ctx->attacked2[them] & ~ctx->attacked2[us]);
    uint64_t weak = foes & ~firm & ctx->attacked[us];
    uint64_t targets = weak | (pieces & firm);

    add_by_type(ctx, us, W_THREAT_BY_PAWN, pieces & ctx->attacks[us][PAWN]);
    add_by_type(ctx, us, W_THREAT_BY_MINOR,
                targets & (ctx->attacks[us][KNIGHT] | ctx->attacks[us][BISHOP]));
    add_by_type(ctx, us, W_THREAT_BY_ROOK, targets & ctx->attacks[us][ROOK]);
    term_add(ctx, us, W_THREAT_BY_QUEEN, bb_count(weak & ctx->attacks[us][QUEEN]));
    term_add(ctx, us, W_THREAT_BY_KING, bb_count(weak & ctx->attacks[us][KING]));
    term_add(ctx, us, W_HANGING,
             bb_count(weak & (~ctx->attacked[them] | (pieces & ctx->attacked2[us]))));
    term_add(ctx, us, W_RESTRICTED, bb_count(ctx->attacked[them] & ~firm & ctx->attacked[us]));
    term_add(ctx, us, W_THREAT_BY_PUSH, bb_count(attacks_pawns(us, safe_pushes(ctx, us)) & pieces));

    /* Squares from which a piece of ours could safely attack a lone queen next move. */
    uint64_t queens = position_pieces(ctx->pos, them, QUEEN);
    if (queens && !bb_many(queens)) {
        int queen = bb_first(queens);
        uint64_t safe = ctx->mobility[us] & ~firm;
        uint64_t twice = safe & ctx->attacked2[us];
        uint64_t lines = (attacks_bishop(queen, ctx->occupied) & ctx->attacks[us][BISHOP]) |
                         (attacks_rook(queen, ctx->occupied) & ctx->attacks[us][ROOK]);
        term_add(ctx, us, W_QUEEN_HARASSED,
                 bb_count(attacks_knight(queen) & ctx->attacks[us][KNIGHT] & safe));
        term_add(ctx, us, W_QUEEN_HARASSED + 1, bb_count(lines & twice));
    }
}

#endif
