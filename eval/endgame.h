/* What the terms do not know of endgames. Private to eval/. */
#ifndef CAXTON_EVAL_ENDGAME_H
#define CAXTON_EVAL_ENDGAME_H

#include "eval/context.h"

enum { PHASE_MAX = 24, SCALE_ONE = 64, SCALE_DRAWISH = 12 };

/* Rough worth of pieces in pawns' thirds, for comparing armies. */
static inline int army(const struct position *pos, int color)
{
    return 9 * bb_count(position_pieces(pos, color, KNIGHT)) +
           9 * bb_count(position_pieces(pos, color, BISHOP)) +
           15 * bb_count(position_pieces(pos, color, ROOK)) +
           27 * bb_count(position_pieces(pos, color, QUEEN));
}

static inline int game_phase(const struct position *pos)
{
    int phase = bb_count(pos->types[KNIGHT] | pos->types[BISHOP]) + 2 * bb_count(pos->types[ROOK]) +
                4 * bb_count(pos->types[QUEEN]);
    return phase < PHASE_MAX ? phase : PHASE_MAX;
}

/* King and rook pawns, with a bishop that does not control the corner or with nothing, against a
 * king in that corner: no progress. */
static inline bool wrong_corner(const struct context *ctx, int strong)
{
    const struct position *pos = ctx->pos;
    uint64_t pawns = position_pieces(pos, strong, PAWN);
    uint64_t pieces = pos->colors[strong] & ~pawns & ~pos->types[KING];
    bool on_a = !(pawns & ~BB_FILE_A);
    if (!pawns || (!on_a && pawns & ~BB_FILE_H) || pieces & ~pos->types[BISHOP])
        return false;
    int corner = square_relative(strong, on_a ? A8 : H8);
    uint64_t shade = bb_square(corner) & UINT64_C(0xAA55AA55AA55AA55)
                         ? UINT64_C(0xAA55AA55AA55AA55)
                         : ~UINT64_C(0xAA55AA55AA55AA55);
    return !(pieces & shade) && chebyshev(ctx->king[!strong], corner) <= 1;
}

/* How much of an endgame advantage of `strong` counts, of SCALE_ONE. */
static inline int endgame_scale(const struct context *ctx, int strong)
{
    const struct position *pos = ctx->pos;
    int weak = !strong;
    int own = army(pos, strong);
    int foe = army(pos, weak);
    int pawns = bb_count(position_pieces(pos, strong, PAWN));
    if (!pawns && own - foe <= 9)
        return own < 15 ? 0 : foe <= 9 ? 6 : SCALE_DRAWISH;
    if (!pawns && own == 18 && !position_pieces(pos, strong, BISHOP) && foe == 0)
        return 0; /* two knights */
    if (foe == 0 && wrong_corner(ctx, strong))
        return 0;

    uint64_t bishops = pos->types[BISHOP];
    uint64_t dark = bishops & UINT64_C(0xAA55AA55AA55AA55);
    bool opposite = bb_count(bishops) == 2 && bb_many(bishops) && dark && dark != bishops &&
                    bishops & pos->colors[WHITE] && bishops & pos->colors[BLACK];
    if (opposite && own == 9 && foe == 9) {
        int passed = bb_count(ctx->pawns.passed[strong]);
        return 22 + 8 * passed < SCALE_ONE ? 22 + 8 * passed : SCALE_ONE;
    }
    int scale = (opposite ? 36 : 44) + 4 * pawns;
    return scale < SCALE_ONE ? scale : SCALE_ONE;
}

/* Against a bare king: how well he is driven to an edge (with bishop and knight, to a corner of
 * the bishop's shade) and approached. For the endgame half. */
static inline int drive_bare_king(const struct context *ctx, int strong)
{
    const struct position *pos = ctx->pos;
    int king = ctx->king[!strong];
    if (pos->colors[!strong] != bb_square(king) || army(pos, strong) < 15)
        return 0;
    int file = square_file(king);
    int rank = square_rank(king);
    int edge_file = file < 4 ? file : 7 - file;
    int edge_rank = rank < 4 ? rank : 7 - rank;
    int near = 14 - 2 * chebyshev(king, ctx->king[strong]);
    uint64_t bishops = position_pieces(pos, strong, BISHOP);
    if (army(pos, strong) == 18 && bishops && position_pieces(pos, strong, KNIGHT)) {
        int flip = bishops & UINT64_C(0xAA55AA55AA55AA55) ? 0 : 7;
        int a1 = (file ^ flip) + rank;
        int distance = a1 < 7 ? a1 : 14 - a1; /* 0 in a right corner, 7 on the long diagonal */
        return 200 + 30 * (7 - distance) + 4 * near;
    }
    return 200 + 20 * (6 - edge_file - edge_rank) + 5 * near;
}

#endif
