/* Terms of king safety. Private to eval/. */
#ifndef CAXTON_EVAL_TERMS_KING_H
#define CAXTON_EVAL_TERMS_KING_H

#include "eval/context.h"

enum { DANGER_MAX = 2400, DANGER_SQUARE_DIVISOR = 2048, DANGER_LINEAR_DIVISOR = 16 };

/* Danger grows with its square in the middlegame, linearly in the endgame; there is no negative
 * danger. Both halves are subtracted from the king's side.
 * Source: https://www.chessprogramming.org/King_Safety */
static inline int32_t danger_penalty(int32_t danger)
{
    int mg = pair_mg(danger);
    int eg = pair_eg(danger);
    mg = mg < 0 ? 0 : mg > DANGER_MAX ? DANGER_MAX : mg;
    eg = eg < 0 ? 0 : eg > DANGER_MAX ? DANGER_MAX : eg;
    return PAIR(mg * mg / DANGER_SQUARE_DIVISOR, eg / DANGER_LINEAR_DIVISOR);
}

/* Pawns in front of `us`'s king and enemy pawns that come at him, on three files. */
static inline void shelter(struct context *ctx, int us)
{
    int king = ctx->king[us];
    int middle = square_file(king) < 1 ? 1 : square_file(king) > 6 ? 6 : square_file(king);
    uint64_t ahead = fill_forward(us, bb_rank(square_rank(king)));
    uint64_t own = position_pieces(ctx->pos, us, PAWN) & ahead;
    uint64_t foe = position_pieces(ctx->pos, !us, PAWN) & ahead;
    for (int file = middle - 1; file <= middle + 1; file++) {
        uint64_t own_file = own & bb_file(file);
        uint64_t foe_file = foe & bb_file(file);
        int own_rank = 0;
        int foe_rank = 0;
        if (own_file)
            own_rank = relative_rank(us, us == WHITE ? bb_first(own_file) : bb_last(own_file));
        if (foe_file)
            foe_rank = relative_rank(us, us == WHITE ? bb_first(foe_file) : bb_last(foe_file));
        int edge = file < 4 ? file : 7 - file;
        term_add(ctx, us, W_SHELTER + 8 * edge + own_rank, 1);
        if (own_rank && foe_rank == own_rank + 1)
            term_add(ctx, us, W_STORM_RAMMED + foe_rank, 1);
        else
            term_add(ctx, us, W_STORM + 8 * edge + foe_rank, 1);
        danger_add(ctx, us, W_DANGER_SHELTER + own_rank, 1);
        danger_add(ctx, us, W_DANGER_STORM + foe_rank, 1);
    }
}

/* Counts checks of one type on `us`'s king: the first and further safe ones, or unsafe ones. */
static inline void checks(struct context *ctx, int us, int type, uint64_t set, uint64_t safe)
{
    if (set & safe) {
        danger_add(ctx, us, W_DANGER_SAFE_CHECK + type, 1);
        if (bb_many(set & safe))
            danger_add(ctx, us, W_DANGER_SAFE_CHECK + 6 + type, 1);
    } else if (set) {
        danger_add(ctx, us, W_DANGER_UNSAFE_CHECK + type, 1);
    }
}

/* The danger to `us`'s king beyond what note_attacks() and shelter() counted. */
static inline void king_danger(struct context *ctx, int us)
{
    int them = !us;
    int king = ctx->king[us];
    uint64_t own = ctx->pos->colors[us];
    uint64_t weak = ctx->attacked[them] & ~ctx->attacked2[us] &
                    (~ctx->attacked[us] | ctx->attacks[us][KING] | ctx->attacks[us][QUEEN]);
    uint64_t safe = ~ctx->pos->colors[them] & (~ctx->attacked[us] | (weak & ctx->attacked2[them]));
    uint64_t seen = ctx->occupied ^ position_pieces(ctx->pos, us, QUEEN);
    uint64_t straight = attacks_rook(king, seen);
    uint64_t diagonal = attacks_bishop(king, seen);
    uint64_t open = ~ctx->pos->colors[them];

    danger_add(ctx, us, W_DANGER_BASE, 1);
    danger_add(ctx, us, W_DANGER_RING_WEAK, bb_count(ctx->ring[us] & weak));
    checks(ctx, us, KNIGHT, attacks_knight(king) & ctx->attacks[them][KNIGHT] & open, safe);
    checks(ctx, us, BISHOP, diagonal & ctx->attacks[them][BISHOP] & open, safe);
    checks(ctx, us, ROOK, straight & ctx->attacks[them][ROOK] & open, safe);
    checks(ctx, us, QUEEN, (straight | diagonal) & ctx->attacks[them][QUEEN] & open,
           safe & ~ctx->attacks[us][QUEEN]);
    if (!position_pieces(ctx->pos, them, QUEEN))
        danger_add(ctx, us, W_DANGER_NO_QUEEN, 1);

    /* The king's half of the board: his file and two or three on either side, five ranks deep. */
    uint64_t files = square_file(king) < 3   ? UINT64_C(0x0F0F0F0F0F0F0F0F)
                     : square_file(king) > 4 ? UINT64_C(0xF0F0F0F0F0F0F0F0)
                                             : UINT64_C(0x3C3C3C3C3C3C3C3C);
    uint64_t flank =
        files & (us == WHITE ? UINT64_C(0x000000FFFFFFFFFF) : UINT64_C(0xFFFFFFFFFF000000));
    danger_add(ctx, us, W_DANGER_FLANK_ATTACK, bb_count(flank & ctx->attacked[them]));
    danger_add(ctx, us, W_DANGER_FLANK_ATTACK + 1, bb_count(flank & ctx->attacked2[them]));
    danger_add(ctx, us, W_DANGER_FLANK_DEFENCE, bb_count(flank & ctx->attacked[us]));
    if (ctx->attacks[us][KNIGHT] & ctx->attacks[us][KING])
        danger_add(ctx, us, W_DANGER_KNIGHT_DEFENDER, 1);
    danger_add(ctx, us, W_DANGER_PINNED, bb_count(position_blockers(ctx->pos, us) & own));
}

#endif
