/* The whole evaluation, from the terms. Private to eval/; see context.h for why it is a header. */
#ifndef CAXTON_EVAL_EVALUATE_H
#define CAXTON_EVAL_EVALUATE_H

#include "eval/endgame.h"
#include "eval/eval.h"
#include "eval/terms_king.h"
#include "eval/terms_pawn.h"
#include "eval/terms_piece.h"
#include "eval/terms_threat.h"

/* Fills what the terms of pieces need to know beforehand. */
static inline void prepare(struct context *ctx, int us)
{
    const struct position *pos = ctx->pos;
    int king = ctx->king[us];
    uint64_t own_pawns = position_pieces(pos, us, PAWN);
    uint64_t pawn_attacks = attacks_pawns(us, own_pawns);
    uint64_t around = attacks_king(king);
    uint64_t twice = bb_east(bb_forward(us, own_pawns)) & bb_west(bb_forward(us, own_pawns));
    ctx->attacks[us][PAWN] = pawn_attacks;
    ctx->attacks[us][KING] = around;
    ctx->attacked[us] = pawn_attacks | around;
    ctx->attacked2[us] = twice | (pawn_attacks & around);
    ctx->ring[us] = (around | bb_forward(us, around) | bb_square(king)) & ~twice;

    uint64_t low = us == WHITE ? bb_rank(1) | bb_rank(2) : bb_rank(6) | bb_rank(5);
    uint64_t stuck = own_pawns & (low | bb_forward(!us, ctx->occupied));
    uint64_t foe_pawn_attacks = attacks_pawns(!us, position_pieces(pos, !us, PAWN));
    ctx->mobility[us] = ~(stuck | foe_pawn_attacks | bb_square(king));
}

/* Pawn structure, from `cache` where it is the entry of these pawns, else anew. */
static inline void pawns_cached(struct context *ctx, struct pawn_entry *cache)
{
    uint64_t white = position_pieces(ctx->pos, WHITE, PAWN);
    uint64_t black = position_pieces(ctx->pos, BLACK, PAWN);
    if (cache && cache->pawns[WHITE] == white && cache->pawns[BLACK] == black) {
        ctx->pawns = *cache;
        ctx->score += cache->score;
        return;
    }
    int32_t before = ctx->score;
    pawn_structure(ctx, WHITE);
    pawn_structure(ctx, BLACK);
    ctx->pawns.pawns[WHITE] = white;
    ctx->pawns.pawns[BLACK] = black;
    ctx->pawns.score = ctx->score - before;
    if (cache)
        *cache = ctx->pawns;
}

static inline void all_terms(struct context *ctx, struct pawn_entry *cache)
{
    term_add(ctx, ctx->pos->turn, W_TEMPO, 1);
    pawns_cached(ctx, cache);
    for (int color = WHITE; color <= BLACK; color++) {
        prepare(ctx, color);
        material_and_squares(ctx, color);
    }
    for (int color = WHITE; color <= BLACK; color++) {
        knights(ctx, color);
        bishops(ctx, color);
        rooks(ctx, color);
        queens(ctx, color);
        shelter(ctx, color);
    }
    for (int color = WHITE; color <= BLACK; color++) {
        passed_pawns(ctx, color);
        threats(ctx, color);
        king_danger(ctx, color);
        space(ctx, color);
    }
}

/* The score in centipawns, White's view. cache: the slot for these pawns, or NULL. */
static inline int evaluate(const struct position *pos, struct pawn_entry *cache,
                           struct eval_trace *trace)
{
    struct context ctx = {.pos = pos, .trace = trace};
    ctx.occupied = position_occupied(pos);
    ctx.king[WHITE] = position_king(pos, WHITE);
    ctx.king[BLACK] = position_king(pos, BLACK);
    all_terms(&ctx, cache);

    int32_t sum = ctx.score - danger_penalty(ctx.danger[WHITE]) + danger_penalty(ctx.danger[BLACK]);
    int extra = drive_bare_king(&ctx, WHITE) - drive_bare_king(&ctx, BLACK);
    int mg = pair_mg(sum);
    int eg = pair_eg(sum) + extra;
    int scale = eg ? endgame_scale(&ctx, eg > 0 ? WHITE : BLACK) : SCALE_ONE;
    int phase = scale <= SCALE_DRAWISH ? 0 : game_phase(pos); /* no middlegame half to escape by */
    int score = (mg * phase + eg * scale / SCALE_ONE * (PHASE_MAX - phase)) / PHASE_MAX;
    score = score >= EVAL_MAX ? EVAL_MAX - 1 : score <= -EVAL_MAX ? 1 - EVAL_MAX : score;
#if EVAL_TRACING
    trace->danger[WHITE] = ctx.danger[WHITE];
    trace->danger[BLACK] = ctx.danger[BLACK];
    trace->mg = mg;
    trace->eg = eg;
    trace->extra = extra;
    trace->phase = phase;
    trace->scale = scale;
    trace->score = score;
#endif
    return score;
}

#endif
